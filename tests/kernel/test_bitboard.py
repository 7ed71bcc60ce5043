"""Sets of squares: compiled and uncompiled code give what Python integers give."""

import random

import numpy as np
import pytest

from hisshi.core.kernel.bitboard import (
    bit,
    contains,
    from_highest,
    high,
    join,
    load,
    low,
    lowest,
    popcount,
    rest,
    shift,
    store,
    up_to_lowest,
)
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.geometry import board_mask

BOARD = (1 << 81) - 1
WORD = (1 << 64) - 1
CORNERS = (0, 63, 64, 80)  # first and last square, and both sides of the seam between the two words


def sets_of_squares() -> list[int]:
    chance = random.Random(81)
    edges = [1 << a | 1 << b for a in CORNERS for b in CORNERS]
    dense = [chance.getrandbits(81) for _ in range(40)]
    sparse = [chance.getrandbits(81) & chance.getrandbits(81) & chance.getrandbits(81) for _ in range(40)]
    single = [1 << square for square in range(81)]
    return [0, BOARD, *edges, *dense, *sparse, *single]


SETS = sets_of_squares()


def rows_of(sets: list[int]) -> np.ndarray:
    return np.array([(s & WORD, s >> 64) for s in sets], dtype=np.uint64).reshape(-1, 2)


def ints_of(rows: np.ndarray) -> list[int]:
    return [int(row[0]) | int(row[1]) << 64 for row in rows]


@compiled
def combine(a, b, out):
    for i in range(len(a)):
        x, y = load(a, i), load(b, i)
        store(out, 5 * i, x & y)
        store(out, 5 * i + 1, x | y)
        store(out, 5 * i + 2, x ^ y)
        store(out, 5 * i + 3, x & ~y)
        store(out, 5 * i + 4, ~x & board_mask())


@compiled
def combine_in_place(a, b, out):
    for i in range(len(a)):
        x = load(a, i)
        x &= load(b, i)
        store(out, 3 * i, x)
        x |= load(a, i)
        store(out, 3 * i + 1, x)
        x ^= load(b, i)
        store(out, 3 * i + 2, x)


@compiled
def measure(rows, numbers):
    for i in range(len(rows)):
        x = load(rows, i)
        numbers[i, 0] = popcount(x)
        numbers[i, 1] = lowest(x) if x else -1
        numbers[i, 2] = 0 if not x else 1


@compiled
def cut(rows, out):
    for i in range(len(rows)):
        x = load(rows, i)
        store(out, 4 * i, rest(x) & board_mask())
        store(out, 4 * i + 1, up_to_lowest(x) & board_mask())
        store(out, 4 * i + 2, from_highest(x) & board_mask())
        store(out, 4 * i + 3, join(low(x), high(x)))


@compiled
def shift_both_ways(rows, out):
    for i in range(len(rows)):
        store(out, 4 * i, shift(load(rows, i), 1) & board_mask())
        store(out, 4 * i + 1, shift(load(rows, i), -1))
        store(out, 4 * i + 2, shift(load(rows, i), 9) & board_mask())
        store(out, 4 * i + 3, shift(load(rows, i), -9))


@compiled
def members(row, inside, singles):
    for square in range(81):
        inside[square] = contains(load(row, 0), square)
        store(singles, square, bit(square))


@compiled
def walk(row, squares):
    count = 0
    remaining = load(row, 0)
    while remaining:
        squares[count] = lowest(remaining)
        remaining = rest(remaining)
        count += 1
    return count


def test_and_or_xor_and_complement_are_those_of_integers():
    second = random.Random(1).sample(SETS, len(SETS))
    out = np.zeros((5 * len(SETS), 2), dtype=np.uint64)
    combine(rows_of(SETS), rows_of(second), out)
    expected = [value for x, y in zip(SETS, second, strict=True) for value in (x & y, x | y, x ^ y, x & ~y, BOARD & ~x)]
    assert ints_of(out) == expected


def test_operations_in_place_are_those_of_integers():
    second = random.Random(2).sample(SETS, len(SETS))
    out = np.zeros((3 * len(SETS), 2), dtype=np.uint64)
    combine_in_place(rows_of(SETS), rows_of(second), out)
    assert ints_of(out) == [v for x, y in zip(SETS, second, strict=True) for v in (x & y, x, x ^ y)]


def test_count_lowest_member_and_emptiness():
    numbers = np.zeros((len(SETS), 3), dtype=np.int64)
    measure(rows_of(SETS), numbers)
    assert numbers.tolist() == [[s.bit_count(), (s & -s).bit_length() - 1, int(s != 0)] for s in SETS]


def test_cuts_at_the_lowest_and_highest_member():
    out = np.zeros((4 * len(SETS), 2), dtype=np.uint64)
    cut(rows_of(SETS), out)
    expected = []
    for s in SETS:
        lowest_bit, highest = s & -s, max(s.bit_length() - 1, 0)
        # With no member nothing is cut: a ray without a blocker is seen to its end.
        up_to = (lowest_bit << 1) - 1 if s else BOARD
        expected += [s & ~lowest_bit, up_to, BOARD & ~((1 << highest) - 1), s]
    assert ints_of(out) == expected


def test_shifts_by_a_rank_and_by_a_file():
    out = np.zeros((4 * len(SETS), 2), dtype=np.uint64)
    shift_both_ways(rows_of(SETS), out)
    assert ints_of(out) == [value for s in SETS for value in (s << 1 & BOARD, s >> 1, s << 9 & BOARD, s >> 9)]


@pytest.mark.parametrize("squares", [(), (0,), (63,), (64,), (80,), CORNERS, tuple(range(81))], ids=str)
def test_members_are_found_tested_and_listed_in_order(squares):
    row = rows_of([sum(1 << square for square in squares)])
    inside, singles = np.zeros(81, dtype=np.bool_), np.zeros((81, 2), dtype=np.uint64)
    members(row, inside, singles)
    assert np.flatnonzero(inside).tolist() == list(squares)
    assert ints_of(singles) == [1 << square for square in range(81)]
    listed = np.zeros(81, dtype=np.int64)
    assert listed[: walk(row, listed)].tolist() == list(squares)


@pytest.mark.compiled
def test_a_set_never_leaves_compiled_code():
    with pytest.raises(TypeError, match="cannot convert native Bitboard"):
        board_mask()
