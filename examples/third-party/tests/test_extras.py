"""What each plugin does, on positions that show it. That they keep their contracts is for ``hisshi check``."""

from pathlib import Path

import numpy as np
import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.composition import compose_part
from hisshi.core.kernel.table import ENTRY, PROVEN, UNKNOWN

EXTRAS = Path(__file__).parent.parent / "extras.toml"
MATE_IN_THREE = "6k2/9/9/7+R1/9/9/9/9/9 b G 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b P 1"


def plugin(role):
    """Return the kernel of the run "extras" in a role, and its context."""
    run = compose_part(Registry.load(EXTRAS).find("extras"), role)
    run.warm()
    return run.root.plugin.kernel, run.root.context


@pytest.mark.parametrize(
    ("sfen", "free"),
    [
        ("9/9/9/9/4k4/9/9/9/9 b - 1", 8),  # 5 beside and behind, 3 in front that count double: 8 is the most
        ("9/9/9/9/9/9/9/9/4k4 b - 1", 5),  # a white king on his last rank: nothing is in front of him
        ("4k4/9/9/9/9/9/9/9/9 b - 1", 8),  # on his own first rank: 2 beside, 3 in front
        ("4k4/9/4P4/9/9/9/9/9/9 b - 1", 6),  # the pawn attacks 5b, in front of him
    ],
)
def test_squares_in_front_of_the_king_count_double(sfen, free):
    kernel, context = plugin("king_freedom")
    assert kernel(context, Position.from_sfen(sfen, strict=False).record, 1) == free


def test_what_is_undecided_goes_before_what_is_proven():
    kernel, context = plugin("table")
    bucket = np.zeros(4, ENTRY).view(np.recarray)
    entry = np.zeros(1, ENTRY).view(np.recarray)[0]
    values = [(PROVEN, 1), (UNKNOWN, 50), (UNKNOWN, 40), (PROVEN, 2), (UNKNOWN, 9)]
    lost = []
    for number, (value, effort) in enumerate(values):
        entry.used, entry.value, entry.effort, entry.board_key = 1, value, effort, number
        lost.append(kernel(context, bucket, entry))
    assert lost == [0, 0, 0, 0, 1]
    assert bucket["board_key"].tolist() == [0, 1, 4, 3]  # the undecided one of 40 nodes went


def test_a_larger_budget_finds_the_mate_that_a_small_one_gives_up():
    registry = Registry.load(EXTRAS)
    position = Position.from_sfen(MATE_IN_THREE)
    small = solve(position, registry.compose("extras", {"stop.first": "1", "stop.last": "1"}))
    assert (small.verdict, small.reason) == ("unknown", "the stop rule's largest budget was not enough")
    assert solve(position, registry.compose("extras")).verdict == "proven"


def test_nothing_is_proven_where_there_is_no_mate():
    assert solve(Position.from_sfen(NO_MATE), Registry.load(EXTRAS).compose("extras")).verdict == "disproven"
