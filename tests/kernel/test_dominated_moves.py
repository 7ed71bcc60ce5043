"""Non-promotions of pawn, bishop and rook: there unless the option leaves them out, and sometimes the only mate."""

import pytest
from kernel_calls import (
    capturing_moves,
    checks,
    evading_moves,
    few_or_many,
    game_sfens,
    legal_moves,
    mate_problem_sfens,
)

from hisshi.core import Position, Registry, solve
from hisshi.core.kernel.pieces import square_from_name
from hisshi.core.movement import kind_of
from hisshi.core.reference import ReferenceBoard

ENDS_MUSO_7 = "nk7/4p4/G2RB4/9/pn+r1N4/5P3/3P5/9/9 b b3g4sn4l14p 1"
DECLINED = "6c6a"
PAWN, BISHOP, ROOK = 1, 5, 6


def dominated(sfen: str, moves: set[str]) -> set[str]:
    """Return the moves of an unpromoted pawn, bishop or rook that could promote and do not."""
    board = ReferenceBoard.from_sfen(sfen).board
    return {
        move
        for move in moves
        if f"{move}+" in moves and kind_of(board[square_from_name(move[:2])]) in (PAWN, BISHOP, ROOK)
    }


def test_the_option_leaves_out_exactly_the_dominated_moves():
    for sfen in game_sfens(few_or_many(2, 40), seed=60) + mate_problem_sfens(few_or_many(2, 40), seed=60):
        position = Position.from_sfen(sfen)
        kinds = [legal_moves, checks, capturing_moves] + [evading_moves] * position.is_check()
        for generate in kinds:
            everything = generate(sfen)
            left_out = everything - generate(sfen, skip_dominated=True)
            assert generate(sfen, skip_dominated=True) <= everything
            # A promotion that does not check is no reason to leave out a non-promotion that does.
            assert left_out == dominated(sfen, legal_moves(sfen)) & everything, (generate.__name__, sfen)


def test_silver_lance_and_knight_keep_their_non_promotions():
    sfen = "k8/9/4S4/2N5L/9/9/9/9/9 b - 1"
    assert legal_moves(sfen) == legal_moves(sfen, skip_dominated=True)


def test_white_too():
    sfen = "K8/9/9/9/9/9/4p4/k7r/9 w - 1"
    assert legal_moves(sfen) - legal_moves(sfen, skip_dominated=True) == dominated(sfen, legal_moves(sfen))
    assert {"5g5h", "1h1i", "1h1e"} <= dominated(sfen, legal_moves(sfen))


@pytest.mark.compiled
def test_a_mate_in_seven_that_exists_only_with_a_rook_that_does_not_promote():
    position = Position.from_sfen(ENDS_MUSO_7)
    run = Registry.load().compose("mate", {"stop.max_plies": "7"})
    result = solve(position, run)
    assert (result.verdict, result.plies, result.moves[0]) == ("proven", 7, DECLINED)


@pytest.mark.compiled
def test_without_non_promotions_that_mate_is_not_found_and_not_called_disproven():
    position = Position.from_sfen(ENDS_MUSO_7)
    run = Registry.load().compose("mate", {"stop.max_plies": "7", "checks.skip_dominated": "true"})
    assert solve(position, run).verdict == "unknown"
