"""King freedom low-king: a free square in front of the king counts more than one beside or behind him.

A proverb: drop the king to the lowest rank. A king that can run upwards, towards the other side's camp, is hard to
catch; one that can only go back or aside is nearly mated.
"""

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.attacks import is_attacked
from hisshi.core.kernel.bitboard import bit, contains, lowest, rest
from hisshi.core.kernel.geometry import steps
from hisshi.core.kernel.pieces import GOLD, KING, NO_SQUARE, SILVER
from hisshi.core.kernel.state import king_square, occupied_squares

AHEAD = 0  # place of the option in context.options
MOST = 8  # what the role allows


@implements(
    "king_freedom",
    options=[Option("ahead", 2, "what a free square in front of the king counts", low=1, high=8)],
    source="proverb: drop the king to the lowest rank",
)
def low_king(context, position, colour):
    """Free squares round the king, those in front of him several times."""
    king = king_square(position, colour)
    if king == NO_SQUARE:
        return MOST
    without_king = occupied_squares(position) & ~bit(king)  # he does not screen a line
    in_front = steps(colour, GOLD, king) & steps(colour, SILVER, king)  # the three that both step to
    free = 0
    around = steps(colour, KING, king)
    while around:
        square = lowest(around)
        around = rest(around)
        if not is_attacked(position, square, 1 - colour, without_king):
            free += context.options[AHEAD] if contains(in_front, square) else 1
    return min(free, MOST)


@hookimpl
def hisshi_king_freedom():
    """Offer the count."""
    return low_king
