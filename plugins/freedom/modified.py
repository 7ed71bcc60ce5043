"""King freedom, modified: as the classical count, but all free squares on the board's edge together count once.

A king driven to the edge is nearly as good as mated, however many edge squares are open to it.

Source: KFEnd, "Hisshi search", 2000, on the attacker's moves.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.attacks import is_attacked
from hisshi.core.kernel.bitboard import bit, contains, lowest, rest
from hisshi.core.kernel.geometry import edge_mask, steps
from hisshi.core.kernel.pieces import KING, NO_SQUARE
from hisshi.core.kernel.state import king_square, occupied_squares


@implements("king_freedom", source="KFEnd, Hisshi search, 2000")
def modified(context, position, colour):
    """Free squares among the eight round the king; those on the edge together count once."""
    king = king_square(position, colour)
    if king == NO_SQUARE:
        return 8
    without_king = occupied_squares(position) & ~bit(king)
    inner, edge = 0, 0
    around = steps(colour, KING, king)
    while around:
        square = lowest(around)
        around = rest(around)
        if not is_attacked(position, square, 1 - colour, without_king):
            if contains(edge_mask(), square):
                edge = 1
            else:
                inner += 1
    return inner + edge


@hookimpl
def hisshi_king_freedom():
    """Offer the count."""
    return modified
