"""Evaluations: pieces counted by hand, on the board, promoted, in hand; and the squares that kings have left."""

from functools import cache

import attrs
import pytest

from hisshi.core import Position, Registry
from hisshi.core.composition import compose_part
from hisshi.core.kernel.pieces import BLACK, WHITE
from hisshi.core.registry import PartSpec
from hisshi.core.sfen import START_SFEN


@cache
def composed(name, settings=()):
    spec = Registry.load().find("classical")
    parts = {**spec.parts, "evaluation": PartSpec("here", use=name, settings=dict(settings))}
    run = compose_part(attrs.evolve(spec, parts=parts), "evaluation")
    run.warm()
    return run


def value(sfen, colour=BLACK, name="material", **settings):
    run = composed(name, tuple(settings.items()))
    return int(run.root.plugin.kernel(run.root.context, Position.from_sfen(sfen, strict=False).copy_record(), colour))


def one(piece):
    """Return the position with one piece more than two bare kings."""
    return f"4k4/9/9/9/2{piece}6/9/9/9/4K4 b - 1"


def in_hand(piece):
    return f"4k4/9/9/9/9/9/9/9/4K4 b {piece} 1"


ON_BOARD = {"P": 100, "L": 430, "N": 450, "S": 640, "G": 690, "B": 890, "R": 1040}
PROMOTED = {"+P": 420, "+L": 630, "+N": 640, "+S": 670, "+B": 1150, "+R": 1300}
IN_HAND = {"P": 115, "L": 480, "N": 510, "S": 720, "G": 780, "B": 1110, "R": 1270}


@pytest.mark.parametrize(("piece", "worth"), [*ON_BOARD.items(), *PROMOTED.items()])
def test_a_piece_on_the_board_has_the_value_of_yss_for_its_side(piece, worth):
    assert value(one(piece)) == worth
    assert value(one(piece.lower())) == -worth


@pytest.mark.parametrize(("piece", "worth"), IN_HAND.items())
def test_a_piece_in_hand_has_a_value_of_its_own(piece, worth):
    assert value(in_hand(piece)) == worth
    assert value(in_hand(piece.lower())) == -worth


def test_pieces_add_up():
    sfen = "4k4/9/+P8/9/1r7/9/PP7/9/4K4 w 2Pb3p 1"  # 420 + 2 * 100 + 2 * 115 against 1040 + 1110 + 3 * 115
    assert value(sfen) == 850 - 2495
    assert value(sfen, WHITE) == 2495 - 850


def test_nobody_is_ahead_at_the_start_of_a_game():
    assert value(START_SFEN) == value(START_SFEN, WHITE) == 0
    assert value(START_SFEN, name="material-king") == 0


def test_a_king_in_the_open_is_worth_more_than_one_in_the_corner():
    # Modified freedom: eight squares in the middle, two on the edge and one inside in a corner, which are two.
    sfen = "k8/9/9/9/9/4K4/9/9/9 b - 1"
    assert value(sfen, name="material-king", freedom_weight=10) == 10 * (8 - 2)
    assert value(sfen, WHITE, name="material-king", freedom_weight=10) == -10 * (8 - 2)


def test_pieces_and_freedom_are_added():
    # The rook takes the corner's second file: the white king has 9b left, on the edge.
    sfen = "k8/9/9/9/9/4K4/9/9/1R7 b - 1"
    assert value(sfen, name="material-king", freedom_weight=10) == 1040 + 10 * (8 - 1)


def test_a_side_without_a_king_counts_as_one_whose_king_is_free():
    sfen = "k8/9/9/9/9/9/9/9/9 b - 1"
    assert value(sfen, name="material-king", freedom_weight=10) == 10 * (8 - 2)
    assert value(sfen, WHITE, name="material-king", freedom_weight=10) == -10 * (8 - 2)


def test_without_weight_there_is_only_material():
    sfen = "k8/9/9/9/9/4K4/9/9/1R7 b - 1"
    assert value(sfen, name="material-king", freedom_weight=0) == value(sfen) == 1040
