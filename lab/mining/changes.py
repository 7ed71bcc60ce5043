"""Random changes of a position, from which problems and test positions are made."""

import random

from hisshi.core.kernel.pieces import EMPTY, KING, PAWN, piece_of
from hisshi.core.movement import kind_of, king_steps
from hisshi.core.sfen import Placement, format_sfen


def changed(placement: Placement, chance: random.Random) -> str:
    """Return the SFEN of `placement` with one change, which may be against the rules.

    A change puts a piece on another square, gives either side a piece in hand, or puts the king of the side to move
    somewhere if it has none.
    """
    board, hands = list(placement.board), [list(hand) for hand in placement.hands]
    empty = chance.choice([square for square, piece in enumerate(board) if piece == EMPTY])
    others = [square for square, piece in enumerate(board) if piece != EMPTY and kind_of(piece) != KING]
    king = piece_of(placement.side, KING)
    change = chance.choice(("hand", "board", "king"))
    if change == "board" and others:
        source = chance.choice(others)
        board[empty], board[source] = board[source], EMPTY
    elif change == "king" and king not in board:
        board[empty] = king
    else:
        hands[chance.randrange(2)][chance.randint(PAWN, KING - 1)] += 1
    return format_sfen(Placement(tuple(board), (tuple(hands[0]), tuple(hands[1])), placement.side, 1))


def with_king(placement: Placement, chance: random.Random) -> str:
    """Return the SFEN of `placement` with a king of the side to move on a square drawn at random.

    Half of the squares are drawn from those near the other king, and half of the time the other side gets a piece in
    hand to give check with: a king that is never in the way of anything makes a dull problem.
    """
    board, hands = list(placement.board), [list(hand) for hand in placement.hands]
    other = placement.king_square(1 - placement.side)
    empty = [square for square, piece in enumerate(board) if piece == EMPTY]
    near = [square for square in empty if king_steps(square, other) == 2]
    board[chance.choice(near if near and chance.random() < 0.5 else empty)] = piece_of(placement.side, KING)
    if chance.random() < 0.5:
        hands[1 - placement.side][chance.randint(PAWN, KING - 1)] += 1
    return format_sfen(Placement(tuple(board), (tuple(hands[0]), tuple(hands[1])), placement.side, 1))
