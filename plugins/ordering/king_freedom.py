"""Move order by king freedom: the attacker first tries what leaves the enemy king the fewest squares.

At an attacker's node each check is made and the enemy king's freedom counted; ties go to the piece nearer to the
king. The defender, in check, first takes the checker, then moves the king, then interposes, nearest to the king
first.

Source: KFEnd, "Hisshi search", 2000, on move ordering.
"""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.moves import do_move, is_drop, is_promotion, kind_of, target_of, undo_move
from hisshi.core.kernel.pieces import EMPTY, KING, NO_SQUARE
from hisshi.core.kernel.roles.king_freedom import call_king_freedom
from hisshi.core.kernel.state import king_square, piece_on


@compiled
def distance(a, b):
    """Return the number of king's steps between two squares."""
    return max(abs(a // 9 - b // 9), abs(a % 9 - b % 9))


@implements("move_order", parts=["king_freedom"], source="KFEnd, Hisshi search, 2000")
def king_freedom(context, position, moves, keys, start, end):
    """Small freedom of the enemy king first; evasions: captures, king moves, interpositions."""
    us = position.side
    them = 1 - us
    enemy_king = king_square(position, them)
    own_king = king_square(position, us)
    # A side with a king to hunt and none of its own in check orders by freedom; who is in check orders evasions.
    hunting = enemy_king != NO_SQUARE and (own_king == NO_SQUARE or not is_in_check(position, us))
    for i in range(start, end):
        move = np.int64(moves[i])
        target = target_of(move)
        takes = not is_drop(move) and piece_on(position, target) != EMPTY
        if hunting:
            captured = do_move(position, move)
            free = call_king_freedom(context, position, them)
            undo_move(position, move, captured)
            keys[i] = -32 * free - 2 * distance(target, enemy_king) + (1 if is_promotion(move) or takes else 0)
        else:
            key = 0
            if takes:
                key = 64 + (kind_of(move) != KING)
            elif kind_of(move) == KING:
                key = 32
            elif own_king != NO_SQUARE:
                key = -distance(target, own_king) - (16 if is_drop(move) else 0)
            keys[i] = key
    return 0


@hookimpl
def hisshi_move_order():
    """Offer the order."""
    return king_freedom
