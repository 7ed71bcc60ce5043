"""Piece values, and the balance of the pieces of both sides.

The values are those that Hiroshi Yamashita has published of his program YSS, in hundredths of a pawn. A piece in hand
is worth more than on the board, since it can be dropped anywhere. The king has none: he is never taken.
"""

import numpy as np

from hisshi.core.kernel.bitboard import load, popcount
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.pieces import HAND_KINDS, KIND_COUNT
from hisshi.core.kernel.state import in_hand

# By kind: none, pawn, lance, knight, silver, bishop, rook, gold, king, tokin, then the promoted pieces in that order.
ON_BOARD = np.array([0, 100, 430, 450, 640, 890, 1040, 690, 0, 420, 630, 640, 670, 1150, 1300], np.int64)
IN_HAND = np.array([0, 115, 480, 510, 720, 1110, 1270, 780], np.int64)


@compiled
def material_balance(position):
    """Return what black's pieces are worth, on the board and in hand, less what white's are: int64."""
    black, white = load(position.colours, 0), load(position.colours, 1)
    value = np.int64(0)
    for kind in range(1, KIND_COUNT):
        pieces = load(position.kinds, kind)
        value += ON_BOARD[np.uint64(kind)] * (popcount(pieces & black) - popcount(pieces & white))
    for kind in range(1, HAND_KINDS):
        value += IN_HAND[np.uint64(kind)] * (in_hand(position, 0, kind) - in_hand(position, 1, kind))
    return value
