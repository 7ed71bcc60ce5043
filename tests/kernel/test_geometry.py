"""The empty board: tables against the plainly written moves of `hisshi.core.movement`, which does not use them."""

import numpy as np
import pytest

from hisshi.core import movement
from hisshi.core.kernel.geometry import (
    BOARD,
    DIRECTION,
    DIRECTIONS,
    EDGE,
    FILES,
    LAST_RANKS,
    NO_DIRECTION,
    RAYS,
    STEPS,
    ZONES,
)
from hisshi.core.kernel.pieces import KIND_COUNT, KNIGHT, LANCE, PAWN, piece_of, square_from_name, square_name

SQUARES = range(81)


def squares_of(row: np.ndarray) -> set[int]:
    members = int(row[0]) | int(row[1]) << 64
    assert members < 1 << 81
    return {square for square in SQUARES if members >> square & 1}


def names_of(row: np.ndarray) -> set[str]:
    return {square_name(square) for square in squares_of(row)}


def test_square_names_and_numbers():
    assert [square_name(square) for square in (0, 8, 72, 80)] == ["1a", "1i", "9a", "9i"]
    assert [square_from_name(square_name(square)) for square in SQUARES] == list(SQUARES)


@pytest.mark.parametrize("colour", [0, 1], ids=["black", "white"])
@pytest.mark.parametrize("kind", range(1, KIND_COUNT))
def test_steps_are_the_one_square_lines_of_each_piece(colour, kind):
    for square in SQUARES:
        lines = movement._STEPS.get(kind, ())
        expected = {s for step in lines for s in movement._ray(square, step, colour, 1)}
        assert squares_of(STEPS[(colour * KIND_COUNT + kind) * 81 + square]) == expected


def test_rays_run_to_the_edge_and_directions_name_them():
    for square in SQUARES:
        on_lines = set()
        for number, (file_step, rank_step) in enumerate(DIRECTIONS):
            ray = squares_of(RAYS[number * 81 + square])
            assert ray == set(movement._ray(square, (file_step, rank_step), 0, 8))
            assert all(DIRECTION[square, target] == number for target in ray)
            on_lines |= ray
        assert {s for s in SQUARES if DIRECTION[square, s] == NO_DIRECTION} == set(SQUARES) - on_lines


def test_directions_three_and_below_lead_to_lower_squares_and_seven_minus_d_leads_back():
    for number, (file_step, rank_step) in enumerate(DIRECTIONS):
        assert DIRECTIONS[7 - number] == (-file_step, -rank_step)
        assert (9 * file_step + rank_step < 0) == (number < 4)


def test_files_zones_edge_and_board():
    assert [names_of(row) for row in FILES] == [{f"{file}{rank}" for rank in "abcdefghi"} for file in range(1, 10)]
    assert names_of(ZONES[0]) == {f"{file}{rank}" for file in range(1, 10) for rank in "abc"}
    assert names_of(ZONES[1]) == {f"{file}{rank}" for file in range(1, 10) for rank in "ghi"}
    assert len(squares_of(EDGE[0])) == 32
    assert names_of(EDGE[0]) == {square_name(s) for s in SQUARES if s // 9 in (0, 8) or s % 9 in (0, 8)}
    assert squares_of(BOARD[0]) == set(SQUARES)


@pytest.mark.parametrize(("kind", "ranks"), [(PAWN, 1), (LANCE, 1), (KNIGHT, 2)])
def test_the_last_ranks_are_where_a_piece_could_never_move(kind, ranks):
    for colour in (0, 1):
        dead = {square for square in SQUARES if movement.never_moves(colour, kind, square)}
        assert squares_of(LAST_RANKS[colour * 2 + ranks - 1]) == dead
        assert not movement.rays(piece_of(colour, kind), min(dead))
