"""What numba does and does not do, where the kernel relies on it."""

import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from hisshi.core import Position, Registry, compiled, solve
from hisshi.core.kernel.context import CONTEXT, JIT, caller_of, context_at, forget, fresh, register
from hisshi.core.kernel.control import (
    CONTROL_SIZE,
    EXHAUSTED,
    GAVE_UP_NODES,
    GAVE_UP_STOP,
    NODE_LIMIT,
    NODES,
    STOP,
    enter_node,
)
from hisshi.core.kernel.role import CONTEXT as CONTEXT_TYPE
from hisshi.core.kernel.role import INT


def record():
    return np.zeros(1, CONTEXT).view(np.recarray)[0]


@compiled
def write_through(context, value):
    context.calls = value
    context.options[2] = value


@compiled
def nested_write(context, value):
    write_through(context, value + 1)
    return context.calls


def test_records_are_passed_by_reference():
    context = record()
    assert nested_write(context, 4) == 5
    assert (context.calls, context.options[2]) == (5, 5)


@compiled
def widened(moves, counts):
    return np.int64(moves[0]) * 4, np.int64(counts[0]) + 100


def test_narrow_integers_are_widened_on_load():
    moves, counts = np.array([2**30], np.int32), np.array([100], np.int8)
    assert widened(moves, counts) == (2**32, 200)


SIGNATURE = INT(CONTEXT_TYPE, INT)
call_at = caller_of(SIGNATURE)


@compiled
def raising(context, depth):
    context.calls += 1
    if depth == 0:
        raise ValueError("deep inside")
    return depth


@compiled
def through_address(code, env, depth):
    return 1000 + call_at(code, context_at(env), depth)


@compiled
def through_two_addresses(outer, inner, env, depth):
    return 1000 + call_two(outer, inner, env, depth)


call_two = caller_of(INT(INT, INT, INT))


def address_of(kernel, signature):
    if JIT:
        from numba.experimental.function_type import _get_jit_address

        return int(_get_jit_address(kernel, signature))
    register(id(kernel), kernel)
    return id(kernel)


def test_an_exception_behind_an_address_is_raised_not_swallowed():
    context = record()
    env = int(context.__array_interface__["data"][0]) if JIT else id(context)
    register(env, context)
    code = address_of(raising, SIGNATURE)
    assert through_address(code, env, 7) == 1007
    with pytest.raises(ValueError, match="deep inside"):
        through_address(code, env, 0)
    middle = address_of(through_address, INT(INT, INT, INT))
    with pytest.raises(ValueError, match="deep inside"):
        through_two_addresses(middle, code, env, 0)
    assert context.calls == 3
    forget(env)


def test_a_node_limit_is_exact_and_says_so():
    control = np.zeros(CONTROL_SIZE, np.int64)
    control[NODE_LIMIT] = 2
    assert [bool(enter_node(control)) for _ in range(4)] == [True, True, False, False]
    assert (control[NODES], control[EXHAUSTED]) == (2, GAVE_UP_NODES)


def test_the_stop_flag_ends_a_search_and_says_so():
    control = np.zeros(CONTROL_SIZE, np.int64)
    control[STOP] = 1
    assert not enter_node(control)
    assert control[EXHAUSTED] == GAVE_UP_STOP


@compiled
def wait_for_flag(control, started, longest):
    started[0] = 1
    turns = 0
    while fresh(control, STOP) == 0 and turns < longest:
        turns += 1
    return turns


def test_a_loop_in_another_thread_sees_the_flag():
    """A plain read would be hoisted out of the loop, which then never ends."""
    control, started = np.zeros(CONTROL_SIZE, np.int64), np.zeros(1, np.int64)
    assert wait_for_flag(control, started, 3) == 3  # compiled before the thread starts
    started[0] = 0
    longest, turns = 10**11 if JIT else 10**8, []
    thread = threading.Thread(target=lambda: turns.append(wait_for_flag(control, started, longest)), daemon=True)
    thread.start()
    while not started[0]:
        time.sleep(0.001)
    time.sleep(0.05)
    control[STOP] = 1
    thread.join(10)
    assert not thread.is_alive() and 0 < turns[0] < longest


DEEP = '''
import numpy as np
from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.control import control_of, enter_node
from hisshi.core.kernel.generation import all_moves
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.stack import moves_of

@implements("search")
def deep(context, position, plies):
    """Walk 1,900 plies down and prove nothing."""
    context.answer_plies = down(context, control_of(context), moves_of(context), position, np.int64(1900))
    return 0

@compiled
def down(context, control, moves, position, left):
    if left == 0 or not enter_node(control):
        return 0
    end = all_moves(position, moves, 0, False)
    move = np.int64(moves[left % end])
    captured = do_move(position, move)
    below = down(context, control, moves, position, left - 1)
    undo_move(position, move, captured)
    return left + below

@hookimpl
def hisshi_search():
    return deep
'''


@pytest.mark.compiled  # plain Python's own limit of recursion is raised by what the test replaces
def test_a_search_may_recurse_as_deep_as_the_longest_mate(tmp_path):
    (tmp_path / "deep.py").write_text(DEEP)
    (tmp_path / "mine.toml").write_text("[run.deep]\nsearch = { path = 'deep.py' }\n")
    run = Registry.load(tmp_path / "mine.toml").compose("deep")
    result = solve(Position.from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1"), run)
    assert (result.verdict, result.nodes) == ("unknown", 1900)
    assert run.root.context.answer_plies == 1900 * 1901 // 2


@pytest.mark.compiled
@pytest.mark.slow
def test_a_self_recursive_search_is_loaded_from_the_cache_by_the_next_process(tmp_path):
    code = (
        "import json\nfrom hisshi.core import Position, Registry, solve\n"
        "from hisshi.core.kernel.compiling import compile_log\n"
        "result = solve(Position.from_sfen('6k2/9/9/7+R1/9/9/9/9/9 b G 1'), Registry.load().compose('mate'))\n"
        "print(json.dumps([result.verdict, result.nodes, compile_log.compiled, compile_log.uncached]))"
    )
    environment = os.environ | {"HISSHI_CACHE_DIR": str(tmp_path)}
    answers = [
        json.loads(
            subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
        )
        for _ in range(2)
    ]
    assert answers[0][:2] == answers[1][:2]
    assert answers[0][2] > 0 and answers[1][2:] == [0, 0]


def test_options_are_read_as_whole_numbers_and_as_fractions():
    run = Registry.load().compose("mate", {"table.megabytes": "0.5", "stop.max_plies": "9"})
    stop = run.root.parts["stop"].context
    assert (stop.options[0], stop.reals[0]) == (9, 9.0)


def test_a_cleared_run_searches_as_if_for_the_first_time():
    run = Registry.load().compose("mate", {"table.megabytes": "0.01"})
    position = Position.from_sfen("6k2/9/9/7+R1/9/9/9/9/9 b G 1")
    first, second = (solve(position, run) for _ in range(2))
    assert (first.verdict, first.plies, first.nodes) == (second.verdict, second.plies, second.nodes)
    assert first.statistics == second.statistics
