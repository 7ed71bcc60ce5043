"""Plugin SKELETON in a run: what it must not break.

That it keeps its contract is for ``hisshi check skeleton.py``.
"""

from pathlib import Path

import pytest

from hisshi.core import Position, Registry, solve


@pytest.fixture(scope="module")
def run():
    return Registry.load(Path(__file__).with_name("skeleton.toml")).compose("SKELETON")


def test_a_hisshi_in_three_is_proven(run):
    result = solve(Position.from_sfen("7k1/9/6P2/9/9/9/9/9/9 b G 1"), run)
    assert (result.verdict, result.plies) == ("proven", 3)


def test_nothing_is_proven_where_there_is_no_hisshi(run):
    assert solve(Position.from_sfen("4k4/9/9/9/9/9/9/9/9 b P 1"), run).verdict != "proven"
