"""Counts of legal move sequences: every line of problems/perft.tsv."""

import numpy as np
import pytest
from kernel_calls import Row, problem_rows, record_of

from hisshi.core.kernel import perft as kernel
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.position import DEEPEST_PERFT, Position, perft
from hisshi.core.sfen import START_SFEN

UNCOMPILED, QUICK = 2_000, 30_000_000  # largest counts that take about a second uncompiled, compiled
START_PERFT = (1, 30, 900, 25_470, 719_731)


def counting(sfen: str, depth: int) -> int:
    return walked(kernel.perft_counting, sfen, depth)


def making(sfen: str, depth: int) -> int:
    return walked(kernel.perft, sfen, depth)


def walked(function, sfen: str, depth: int) -> int:
    record = record_of(sfen)
    before = record.tobytes()
    count = int(function(record, np.zeros(MAX_MOVES * (depth + 1), dtype=np.int32), 0, depth))
    assert record.tobytes() == before
    return count


def rows(least: int, most: float) -> list[Row]:
    return [row for row in problem_rows("perft.tsv") if least < int(row["count"]) <= most]


def assert_count(row: Row) -> None:
    assert (row["id"], counting(row["sfen"], int(row["depth"]))) == (row["id"], int(row["count"]))


def test_the_file_has_every_row():
    assert len(problem_rows("perft.tsv")) == 269
    assert len(rows(-1, QUICK)) == 268


def test_small_counts():
    for row in rows(-1, UNCOMPILED):
        assert_count(row)


@pytest.mark.compiled
def test_counts_up_to_thirty_million():
    for row in rows(UNCOMPILED, QUICK):
        assert_count(row)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("row", rows(QUICK, float("inf")), ids=lambda row: row["id"])
def test_counts_of_half_a_billion(row):
    assert_count(row)


def test_making_every_leaf_counts_the_same_and_depth_0_is_the_position_itself():
    for depth, count in enumerate(START_PERFT[:3]):
        assert making(START_SFEN, depth) == count
    for row in rows(-1, UNCOMPILED)[::20]:
        assert making(row["sfen"], int(row["depth"])) == int(row["count"])


@pytest.mark.compiled
def test_making_every_leaf_counts_the_same_on_larger_trees():
    assert making(START_SFEN, 4) == START_PERFT[4]
    for row in rows(UNCOMPILED, 2_000_000):
        assert making(row["sfen"], int(row["depth"])) == int(row["count"])


def test_perft_splits_the_count_by_root_move():
    total, counts = perft(Position.from_sfen(), 2)
    assert total == sum(counts.values()) == 900
    assert set(counts) == set(Position.from_sfen().legal_moves())
    assert set(counts.values()) == {30}
    assert perft(Position.from_sfen(), 1) == (30, dict.fromkeys(counts, 1))


@pytest.mark.compiled
def test_perft_of_a_position_is_that_of_the_file():
    for row in rows(UNCOMPILED, 1_000_000):
        assert perft(Position.from_sfen(row["sfen"]), int(row["depth"]))[0] == int(row["count"])


def test_a_position_without_moves_counts_nothing():
    assert perft(Position.from_sfen("k8/9/1GN6/9/9/9/9/9/9 w - 1"), 3) == (0, {})


@pytest.mark.parametrize("depth", [0, -1, DEEPEST_PERFT + 1])
def test_a_depth_out_of_range_is_refused(depth):
    with pytest.raises(ValueError, match=rf"depth {depth}: expected 1 to {DEEPEST_PERFT}"):
        perft(Position.from_sfen(), depth)
