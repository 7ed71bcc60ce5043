"""Room for moves: no position, however odd, has more than MAX_MOVES, and nothing is written beyond."""

import numpy as np
import pytest
from kernel_calls import legal_moves, record_of

from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.generation import MAX_MOVES, all_moves, captures
from hisshi.core.position import Position
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import LOOSE_LIMIT

WIDEST = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
GUARD = 0x5A5A5A5A
ALL_HANDS = "".join(f"{LOOSE_LIMIT - 20}{letter}" for letter in "RBGSNLP")

LOOSE = {
    "rooks and bishops": "/".join(["R1B1R1B1R", "9", "1B1R1B1R1"] * 3) + f" b {ALL_HANDS} 1",
    "dragons": "/".join(["+R3+R3+R", "2+R3+R2", "4+B4"] * 3) + f" b {ALL_HANDS} 1",
    "promotable everywhere": "/".join(["R1R1R1R1R", "9", "B1B1B1B1B"] + ["9"] * 3 + ["S1S1S1S1S", "9", "N1N1N1N1N"])
    + f" b {ALL_HANDS} 1",
    "few pieces, full hands": f"4k4/9/9/9/9/9/9/9/4K4 b {ALL_HANDS} 1",
    "white": "/".join(["r1r1r1r1r", "9", "b1b1b1b1b"] + ["9"] * 3 + ["s1s1s1s1s", "9", "9"])
    + f" w {ALL_HANDS.lower()} 1",
}


def guarded(generate, sfen: str) -> int:
    record = record_of(sfen)
    buffer = np.full(MAX_MOVES + 64, GUARD, dtype=np.int32)
    end = int(generate(record, buffer, 32, False))
    assert (buffer[:32] == GUARD).all()
    assert (buffer[end:] == GUARD).all()
    assert end - 32 <= MAX_MOVES
    return end - 32


def test_the_widest_legal_position_has_593_moves():
    assert guarded(all_moves, WIDEST) == 593
    assert len(Position.from_sfen(WIDEST).legal_moves()) == 593


@pytest.mark.parametrize("name", LOOSE)
def test_loose_positions_fit_and_have_the_moves_of_the_plain_rules(name):
    sfen = LOOSE[name]
    board = ReferenceBoard.from_sfen(sfen, strict=False)
    assert guarded(all_moves, sfen) == len(board.legal_moves())
    assert legal_moves(sfen) == set(board.legal_moves())
    for generate in (check_moves, captures):
        guarded(generate, sfen)


def test_the_bound_counts_every_piece_every_target_and_every_drop():
    # A slider has at most 16 targets, each with and without promotion; 7 kinds are dropped on at most 81 squares.
    assert MAX_MOVES == 81 * 16 * 2 + 7 * 81
