"""Stop rule conspiracy on a line of five nodes whose conspiracy depths are counted by hand.

Keys, seen from the side to move; black moves at plies 0, 2 and 4; the first move of each node is being searched:

    ply 0:   60,  50,   20
    ply 1:  -60, -70, -120, -200
    ply 2:  100,  95,   91,   90,  10
    ply 3:  -95, -99
    ply 4:  110,   0

A node's depths are those behind the larger budget at which the line is still stopped there.
"""

from functools import cache

import numpy as np
import pytest

from hisshi.core import Registry
from hisshi.core.kernel.control import CONTROL_SIZE
from hisshi.core.kernel.roles.stop import BEFORE_MOVES, NEXT_BUDGET, WHILE_KEYS
from hisshi.core.kernel.stack import STACK

TREE = ((60, 50, 20), (-60, -70, -120, -200), (100, 95, 91, 90, 10), (-95, -99), (110, 0))
NEVER = 0  # with a budget of 1 it goes on


@cache
def rule(settings):
    return Registry.load().compose("mate", {"stop": "conspiracy", **dict(settings)})


def ask(stack, ply, point, keys=(), **settings):
    run = rule(tuple((f"stop.{name}", str(value)) for name, value in settings.items()))
    run.warm()
    part = run.root.parts["stop"]
    moves, keys = np.arange(1, len(keys) + 1, dtype=np.int32), np.array(keys, np.int64)
    limits = np.zeros(CONTROL_SIZE, np.int64)
    return part.plugin.kernel(
        part.context, stack, np.int64(ply), moves, np.array(keys, np.int64), limits, np.int64(point)
    )


def line(ply, budget, alpha=-1000, beta=1000):
    """Return the stack down to the node at `ply`, without moves; alpha and beta as who moved into it sees them."""
    stack = np.zeros(8, STACK).view(np.recarray)
    end = 0
    for number, keys in enumerate(TREE[:ply]):
        here = stack[number]
        here.first, here.current, here.end = end, end, end + len(keys)
        end += len(keys)
    stack[ply].first = stack[ply].end = end
    stack[ply].lower, stack[ply].upper, stack[ply].budget = -beta, -alpha, budget
    return stack


def largest_budget_that_stops(ply, alpha=-1000, beta=1000, **settings):
    keys = [key for node in TREE for key in node]
    stopped = [
        budget
        for budget in range(1, 30)
        if ask(line(ply, budget, alpha, beta), ply, BEFORE_MOVES, keys, threshold=30, **settings)
    ]
    assert stopped == list(range(1, len(stopped) + 1))
    return len(stopped)


@pytest.mark.parametrize(
    ("ply", "depth"),
    [
        (1, NEVER),  # black 50 and 20 for 10: 2; white has no node: 0
        (2, 1),  # white -70 for -110: 1; black 50, 20 for 10: 2
        (3, 2),  # black 95, 91, 90 for 50: 3; white -70, -120 for -150: 2
        (4, 3),  # white -99, -70, -120 for -145: 3; black 95, 91, 90, 50 for 45: 4
        (5, 3),  # black 95, 91, 90 for 60: 3; white -99, -70, -120 for -160: 3
    ],
)
def test_inside_the_window_both_sides_must_have_reached_their_thresholds(ply, depth):
    assert largest_budget_that_stops(ply) == depth


@pytest.mark.parametrize(
    ("ply", "beta", "depth"),
    [
        (1, 60, 2),  # 50 and 20 for 10; white's lack of nodes does not matter
        (5, 100, 3),  # 95, 91, 90 for 50; 50 is not above it
        (5, 90, 4),  # 50 is above 40
    ],
)
def test_above_the_window_the_side_that_moved_must(ply, beta, depth):
    assert largest_budget_that_stops(ply, beta=beta) == depth


@pytest.mark.parametrize(
    ("ply", "alpha", "depth"),
    [
        (1, 60, NEVER),  # white has no node
        (5, 150, 3),  # -99, -70, -120 for -200; -200 is not above it
        (5, 160, 4),
    ],
)
def test_below_the_window_the_side_to_move_must(ply, alpha, depth):
    assert largest_budget_that_stops(ply, alpha=alpha) == depth


def test_a_node_counts_no_more_than_the_cap():
    assert largest_budget_that_stops(5, beta=100, cap=2) == 2
    assert largest_budget_that_stops(5, beta=-10, cap=0) == 1 + 4 + 2  # 0, four of ply 2, both of ply 0, for -60


def test_moves_of_a_node_count_what_their_weights_say():
    assert largest_budget_that_stops(5, beta=100, cap=0, weight_1=2, weight_2=0, weight_3=5) == 7


def test_with_a_larger_delta_more_moves_back_a_score():
    assert largest_budget_that_stops(5, beta=100, delta=100) == 4 + 2  # for 0: four of ply 2, two of ply 0


def test_each_side_has_a_threshold_of_its_own():
    # Inside the window at ply 3 black's depth is 3 and white's 2; half of 4 and 5 is 2, rounded down.
    assert largest_budget_that_stops(3, threshold_other=15) == 3


def test_the_root_is_never_stopped():
    assert not ask(line(0, 1), 0, BEFORE_MOVES)


@pytest.mark.parametrize(("count", "depth"), [(1, 3), (2, 3)])
def test_a_move_that_is_sure_to_be_stopped_is_known_before_all_keys_are(count, depth):
    keys = [key for node in TREE for key in node]
    for budget in (depth, depth + 1):
        stack = line(4, budget)
        stack[4].upper = 100  # what 110 reaches: 95, 91 and 90 back it for 50, 0 does not
        stack[4].current, stack[4].end = stack[4].first, stack[4].first + count
        assert ask(stack, 4, WHILE_KEYS, keys) == (budget == depth)


def test_budgets_rise_to_the_threshold():
    stack, budgets = line(0, 0), []
    while not ask(stack, 0, NEXT_BUDGET, first=3, step=4, threshold=12):
        budgets.append(int(stack[0].budget))
    assert budgets == [3, 7, 11, 12]
