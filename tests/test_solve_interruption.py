"""Stopping a search: time, Ctrl-C, a progress function that raises."""

import _thread
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.errors import Interrupted
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import STOP
from hisshi.core.solution import Builder
from hisshi.lab import outcome
from hisshi.lab.problem import Problem
from hisshi.lab.session import Session, Settings, Stopped

OPEN = "9/9/9/9/4k4/9/9/9/4K4 b RB3GNLrbgp 1"
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
SLACK = 0.3 if JIT else 1.0  # a busy machine looks at the clock a little later


@pytest.fixture(scope="module")
def run():
    run = Registry.load().compose("mate", {"table.megabytes": "1"})
    run.warm()
    return run


def searching():
    return [thread for thread in threading.enumerate() if thread.name.startswith("hisshi ")]


def test_a_time_limit_ends_the_search(run):
    begun = time.perf_counter()
    result = solve(Position.from_sfen(OPEN), run, time_limit=0.3)
    assert (result.verdict, result.reason) == ("unknown", "time limit")
    assert result.nodes > 0 and result.seconds >= 0.3
    assert time.perf_counter() - begun < 0.3 + SLACK
    assert not searching()


@pytest.mark.timing
def test_a_time_limit_is_kept_within_a_fifth_of_a_second(run):
    for limit in (0.05, 0.3, 1.0):
        begun = time.perf_counter()
        solve(Position.from_sfen(OPEN), run, time_limit=limit)
        assert time.perf_counter() - begun < limit + 0.2


def test_progress_is_told_meanwhile_and_grows(run):
    told = []
    solve(Position.from_sfen(OPEN), run, time_limit=0.5, on_progress=told.append)
    assert len(told) >= 3
    assert [each.nodes for each in told] == sorted(each.nodes for each in told) and told[-1].nodes > 0
    assert told[-1].iteration % 2 == 1 and told[-1].seconds <= 0.5 + SLACK


def test_a_progress_function_that_raises_stops_the_search(run):
    def fail(progress):
        raise LookupError("no screen")

    with pytest.raises(LookupError, match="no screen"):
        solve(Position.from_sfen(OPEN), run, on_progress=fail)
    assert not searching()
    assert solve(Position.from_sfen(MATE_IN_ONE), run).verdict == "proven"


def test_ctrl_c_ends_in_interrupted_with_what_is_known(run):
    interrupted_at = []

    def interrupt(progress):
        if progress.nodes > 50 and not interrupted_at:
            interrupted_at.append(time.perf_counter())
            _thread.interrupt_main()

    with pytest.raises(Interrupted) as caught:
        solve(Position.from_sfen(OPEN), run, on_progress=interrupt)
    assert time.perf_counter() - interrupted_at[0] < 0.5 + SLACK
    result = caught.value.result
    assert (result.verdict, result.reason, result.moves) == ("unknown", "stopped", ())
    assert result.nodes > 50 and isinstance(caught.value, KeyboardInterrupt)
    assert not searching()
    assert solve(Position.from_sfen(MATE_IN_ONE), run).verdict == "proven"


@pytest.fixture
def slow_proof(run, monkeypatch):
    """Let the proof tree call what the test gives and take until it is stopped, or 20 s."""
    tree, meanwhile = Builder.tree, []

    def slow_tree(builder, position, plies):
        for each in meanwhile:
            each()
        deadline = time.monotonic() + 20
        while run.control[STOP] == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        return tree(builder, position, plies)

    monkeypatch.setattr(Builder, "tree", slow_tree)
    return meanwhile


def is_mate_without_tree(result):
    kept = (result.verdict, result.moves, result.proof) == ("proven", ("G*5b",), None)
    return kept and result.reason == "the proof tree was stopped"


def test_a_time_limit_stops_the_proof_tree_and_keeps_the_verdict(run, slow_proof):
    begun = time.perf_counter()
    assert is_mate_without_tree(solve(Position.from_sfen(MATE_IN_ONE), run, time_limit=0.5, want_proof=True))
    assert 0.5 <= time.perf_counter() - begun < 15


def test_ctrl_c_stops_the_proof_tree_and_keeps_the_verdict(run, slow_proof):
    slow_proof.append(_thread.interrupt_main)
    begun = time.perf_counter()
    with pytest.raises(Interrupted) as caught:
        solve(Position.from_sfen(MATE_IN_ONE), run, want_proof=True)
    assert is_mate_without_tree(caught.value.result)
    assert time.perf_counter() - begun < 15


def test_ctrl_c_while_a_proof_is_made_text_keeps_the_verdict(monkeypatch):
    def interrupted(proof):
        raise KeyboardInterrupt

    monkeypatch.setattr(outcome, "with_references", interrupted)
    session = Session(Settings("mate", overrides={"table.megabytes": "1"}, want_proof=True))
    with pytest.raises(Stopped) as caught:
        session.solve(Problem("x", MATE_IN_ONE))
    (kept,) = caught.value.outcomes
    assert (kept.verdict, kept.moves, kept.proof_json) == ("proven", ("G*5b",), None)


@pytest.mark.compiled
@pytest.mark.parametrize("again", range(3))
def test_a_signal_from_outside_is_noticed_by_compiled_code(again):
    """In `Thread.join` it would make Python believe that the thread has ended, and the result be that of no search."""
    code = (
        "from hisshi.core import Position, Registry, solve\nfrom hisshi.core.errors import Interrupted\n"
        "run = Registry.load().compose('mate')\nrun.warm()\nprint('ready', flush=True)\n"
        f"try:\n    solve(Position.from_sfen('{OPEN}'), run)\n"
        "except Interrupted as stopped:\n    result = stopped.result\n"
        "    print(result.verdict, result.reason, result.nodes > 0, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    begun = time.perf_counter()
    os.kill(process.pid, signal.SIGINT)
    assert process.stdout.readline() == "unknown stopped True\n"
    assert time.perf_counter() - begun < 0.5 + SLACK
    assert process.wait(20) == 0
    process.stdout.close()
