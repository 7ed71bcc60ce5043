"""Move order by king freedom: the attacker first tries what leaves the enemy king the fewest squares.

At an attacker's node each check is made and the enemy king's freedom counted; ties go to the piece nearer to the
king. The defender, in check, first takes the checker, then moves the king, then interposes, nearest to the king
first.

With `look_ahead` the freedom is counted one ply later: after the reply to a check that leaves the king freest; a mate
comes first. KFEnd's own look-ahead by one ply is not this but the option `mate_in_one` of the searches; see
docs/algorithms.md.

Source: KFEnd, "Hisshi search", 2000, on move ordering.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import checkers_of, is_in_check
from hisshi.core.kernel.evasion_order import evasion_key
from hisshi.core.kernel.generation import evasions
from hisshi.core.kernel.geometry import distance
from hisshi.core.kernel.moves import do_move, is_promotion, target_of, undo_move
from hisshi.core.kernel.pieces import EMPTY, NO_SQUARE
from hisshi.core.kernel.roles.king_freedom import call_king_freedom
from hisshi.core.kernel.state import king_square

LOOK_AHEAD = 0  # place of the option in context.options
MATED = -1  # less than any freedom


@compiled
def freedom_after_reply(context, position, moves, end):
    """Return the most freedom that a reply leaves the side to move, which is in check; MATED without a reply.

    Writes the replies behind moves[end].
    """
    us = position.side
    most = np.int64(MATED)
    for i in range(end, evasions(position, moves, end, checkers_of(position, us), False)):
        reply = np.int64(moves[i])
        captured = do_move(position, reply)
        most = max(most, call_king_freedom(context, position, us))
        undo_move(position, reply, captured)
    return most


@implements(
    "move_order",
    options=[Option("look_ahead", False, "count the freedom after the best reply to a check, not after the check")],
    parts=["king_freedom"],
    source="KFEnd, Hisshi search, 2000",
)
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
        if hunting:
            captured = do_move(position, move)
            if context.options[LOOK_AHEAD] != 0 and is_in_check(position, them):
                free = freedom_after_reply(context, position, moves, end)
            else:
                free = call_king_freedom(context, position, them)
            undo_move(position, move, captured)
            forceful = is_promotion(move) or captured != EMPTY
            keys[i] = -32 * free - 2 * distance(target_of(move), enemy_king) + (1 if forceful else 0)
        else:
            keys[i] = evasion_key(position, move, own_king)
    return 0


@hookimpl
def hisshi_move_order():
    """Offer the order."""
    return king_freedom
