"""Attacks, checkers, pins and the lines between, against the plain `hisshi.core.movement`."""

import random

import numpy as np
import pytest
from kernel_calls import few_or_many, game_sfens, mate_problem_sfens, record_of

from hisshi.core import movement
from hisshi.core.kernel.attacks import (
    attackers_of,
    attacks_from,
    between,
    checkers_of,
    is_attacked,
    is_in_check,
    line_blockers,
    line_through,
)
from hisshi.core.kernel.bitboard import load, store
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.pieces import BLACK, EMPTY, KIND_COUNT, NO_SQUARE, WHITE, square_from_name, square_name
from hisshi.core.kernel.state import occupied_squares

OUT = np.zeros((81, 2), dtype=np.uint64)


def squares_of(row: np.ndarray) -> set[int]:
    members = int(row[0]) | int(row[1]) << 64
    return {square for square in range(81) if members >> square & 1}


@compiled
def attacks_in(colour, kind, square, occupied_rows, out):
    store(out, 0, attacks_from(colour, kind, square, load(occupied_rows, 0)))


@compiled
def attackers_everywhere(position, colour, out, attacked):
    occupied = occupied_squares(position)
    for square in range(81):
        store(out, square, attackers_of(position, square, colour, occupied))
        attacked[square] = is_attacked(position, square, colour, occupied)


@compiled
def write_blockers(position, square, colour, out):
    store(out, 0, line_blockers(position, square, colour))


@compiled
def write_checkers(position, colour, out):
    store(out, 0, checkers_of(position, colour))


@compiled
def write_lines(source, out):
    for target in range(81):
        store(out, 2 * target, between(source, target))
        store(out, 2 * target + 1, line_through(source, target))


def blockers(sfen: str, square: int, colour: int) -> set[str]:
    write_blockers(record_of(sfen), square, colour, OUT)
    return {square_name(member) for member in squares_of(OUT[0])}


def checkers(sfen: str, colour: int) -> set[str]:
    write_checkers(record_of(sfen), colour, OUT)
    return {square_name(member) for member in squares_of(OUT[0])}


@pytest.mark.parametrize("kind", range(1, KIND_COUNT))
def test_attacks_stop_at_the_first_piece_of_each_line(kind):
    chance = random.Random(kind)
    for square in chance.sample(range(81), few_or_many(20, 81)):
        for colour in (BLACK, WHITE):
            piece = kind + 16 * colour
            for density in (0.0, 0.15, 0.5, 1.0):
                board = [1 if chance.random() < density else EMPTY for _ in range(81)]
                board[square] = piece
                members = sum(1 << s for s, occupant in enumerate(board) if occupant)
                rows = np.array([[members & (1 << 64) - 1, members >> 64]], dtype=np.uint64)
                attacks_in(colour, kind, square, rows, OUT)
                assert squares_of(OUT[0]) == set(movement.attacked_squares(board, square))


def test_attackers_of_every_square_in_games_and_problems():
    attacked = np.zeros(81, dtype=np.bool_)
    for sfen in game_sfens(few_or_many(4, 25)) + mate_problem_sfens(few_or_many(4, 25)):
        record = record_of(sfen)
        board = [int(piece) for piece in record.board]
        for colour in (BLACK, WHITE):
            expected: dict[int, set[int]] = {square: set() for square in range(81)}
            for origin, piece in enumerate(board):
                if piece and movement.colour_of(piece) == colour:
                    for target in movement.attacked_squares(board, origin):
                        expected[target].add(origin)
            attackers_everywhere(record, colour, OUT, attacked)
            assert {square: squares_of(OUT[square]) for square in range(81)} == expected
            assert attacked.tolist() == [bool(expected[square]) for square in range(81)]


def test_the_squares_between_and_the_whole_line():
    for source in random.Random(0).sample(range(81), few_or_many(10, 81)):
        out = np.zeros((162, 2), dtype=np.uint64)
        write_lines(source, out)
        for target in range(81):
            lines = [movement._ray(source, step, BLACK, 8) for step in movement._ORTHOGONAL + movement._DIAGONAL]
            hit = next((line for line in lines if target in line), ())
            assert squares_of(out[2 * target]) == set(hit[: hit.index(target)] if hit else ())
            opposite = next((line for line in lines if hit and line and is_opposite(source, hit[0], line[0])), ())
            assert squares_of(out[2 * target + 1]) == set(hit) | set(opposite)


def is_opposite(centre: int, one: int, other: int) -> bool:
    return one + other == 2 * centre and abs(one // 9 - other // 9) != 1


# A line_blockers answer is a pin (own pieces) or the start of an uncovered check (the attacker's).


def test_a_single_piece_between_king_and_slider_is_a_blocker():
    king = square_from_name("5i")
    assert blockers("4r4/9/9/9/4P4/9/9/9/4K4 b - 1", king, WHITE) == {"5e"}
    assert blockers("9/b8/9/9/9/5S3/9/9/4K4 b - 1", king, WHITE) == set()  # not on a line with the king
    assert blockers("9/9/9/b8/9/2S6/9/9/4K4 b - 1", king, WHITE) == set()  # its line goes on to 5h and 4i
    assert blockers("9/9/9/9/b8/9/2S6/9/4K4 b - 1", king, WHITE) == {"7g"}


def test_two_pieces_on_the_line_block_it_for_good():
    king = square_from_name("5i")
    assert blockers("4r4/9/9/4p4/4P4/9/9/9/4K4 b - 1", king, WHITE) == set()
    assert blockers("4r4/9/9/9/4p4/9/9/9/4K4 b - 1", king, WHITE) == {"5e"}  # its own piece: an uncovered check


def test_a_lance_pins_only_forwards():
    king = square_from_name("5e")
    assert blockers("4l4/9/4P4/9/4K4/9/9/9/9 b - 1", king, WHITE) == {"5c"}
    assert blockers("9/9/9/9/4K4/9/4P4/9/4l4 b - 1", king, WHITE) == set()


def test_a_double_check_has_two_checkers():
    assert checkers("4r3k/9/9/9/9/9/5n3/9/4K4 b - 1", BLACK) == {"5a", "4g"}


def test_a_side_without_a_king_has_no_checkers_and_is_not_in_check():
    sfen = "4r4/9/9/9/4P4/9/9/9/9 b - 1"
    record = record_of(sfen)
    assert record.king[BLACK] == NO_SQUARE
    assert checkers(sfen, BLACK) == set()
    assert not is_in_check(record, BLACK)


def test_a_horse_and_a_dragon_check_sideways_and_diagonally():
    assert checkers("9/9/9/9/4K4/4+b4/9/9/9 b - 1", BLACK) == {"5f"}
    assert checkers("9/9/9/9/4K4/3+r5/9/9/9 b - 1", BLACK) == {"6f"}
