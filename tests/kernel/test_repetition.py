"""Fourfold repetition and perpetual check in games that `Position.play` remembers, judged as by the plain rules."""

import pytest

from hisshi.core.position import Position
from hisshi.core.reference import ReferenceBoard, repetition_outcome

KINGS_WALK = "4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i5h 5a5b 5h5i 5b5a"
ROOK_CHASES = "8k/9/9/9/9/9/9/9/K6R1 b - 1", "2i1i 1a2a 1i2i 2a1a"
CHASED_FIRST = "7k1/9/9/9/9/9/9/9/K6R1 w - 1", "2a1a 2i1i 1a2a 1i2i"


def outcomes(sfen: str, cycle: str, times: int = 4) -> list[str | None]:
    """Return the outcome after each move, having compared it with that of the plain rules."""
    position, board = Position.from_sfen(sfen), ReferenceBoard.from_sfen(sfen)
    history = [(board.key(), board.in_check())]
    found = [position.repetition()]
    for move in cycle.split() * times:
        position, board = position.play(move), board.play(move)
        history.append((board.key(), board.in_check()))
        found.append(position.repetition())
        assert found[-1] == repetition_outcome(history)
    return found


def test_the_fourth_time_is_a_draw_and_the_third_is_not():
    found = outcomes(*KINGS_WALK)
    assert found.index("draw") == 12  # the start position stands after 0, 4, 8 and 12 moves
    assert set(found[:12]) == {None}
    assert set(found[12:]) == {"draw"}


@pytest.mark.parametrize(
    ("sfen", "cycle"), [ROOK_CHASES, CHASED_FIRST], ids=["seen by the checker", "seen by the checked"]
)
def test_perpetual_check_loses_for_the_side_that_checks(sfen, cycle):
    position = Position.from_sfen(sfen)
    for move in cycle.split() * 3:
        position = position.play(move)
    # Black's rook checked with every move.
    assert position.repetition() == ("loss" if position.side == "black" else "win")
    assert outcomes(sfen, cycle)[12] == position.repetition()


def test_one_quiet_move_among_the_checks_makes_it_a_draw():
    sfen, cycle = "8k/9/9/9/9/9/9/9/K6R1 b - 1", "2i1i 1a2a 9i9h 2a3a 9h9i 3a2a 1i2i 2a1a"
    assert outcomes(sfen, cycle)[24] == "draw"


def test_both_sides_checking_with_every_move_is_a_draw():
    # No cycle on the board is known to do that, so the game is made up of keys.
    in_check = Position.from_sfen("4k4/9/9/9/9/9/9/4g4/4K4 b - 1")
    here = int(in_check.record.board_key), int(in_check.record.hand_key)
    history = tuple((*here, True) if ply % 2 == 0 else (2, 0, True) for ply in range(6))
    assert Position(in_check.record, 7, history).repetition() == "draw"


def test_a_different_hand_is_a_different_position():
    position = Position.from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1")
    keys = {(int(position.record.board_key), int(position.record.hand_key))}
    dropped = position.play("G*5e")
    taken = dropped.play("5a5b").play("5e5d").play("5b5a")
    keys.add((int(taken.record.board_key), int(taken.record.hand_key)))
    assert len(keys) == 2
    assert taken.repetition() is None


def test_a_position_read_from_text_remembers_nothing():
    position = Position.from_sfen(KINGS_WALK[0])
    for move in KINGS_WALK[1].split() * 3:
        position = position.play(move)
    assert position.repetition() == "draw"
    assert Position.from_sfen(position.sfen).repetition() is None
