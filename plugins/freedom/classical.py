"""King freedom, classical: the squares of the eight round a king that the enemy does not attack.

Who stands on a square does not matter. The king is lifted for the count, so that it does not screen a line (the
source is silent here).

Source: KFEnd, "Hisshi search", 2000, on the attacker's moves.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.attacks import is_attacked
from hisshi.core.kernel.bitboard import bit, lowest, rest
from hisshi.core.kernel.geometry import steps
from hisshi.core.kernel.pieces import KING, NO_SQUARE
from hisshi.core.kernel.state import king_square, occupied_squares


@implements("king_freedom", source="KFEnd, Hisshi search, 2000")
def classical(context, position, colour):
    """Free squares among the eight round the king."""
    king = king_square(position, colour)
    if king == NO_SQUARE:
        return 8
    without_king = occupied_squares(position) & ~bit(king)
    free = 0
    around = steps(colour, KING, king)
    while around:
        if not is_attacked(position, lowest(around), 1 - colour, without_king):
            free += 1
        around = rest(around)
    return free


@hookimpl
def hisshi_king_freedom():
    """Offer the count."""
    return classical
