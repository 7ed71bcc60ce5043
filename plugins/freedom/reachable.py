"""King freedom, reachable: how far a king could flee within two steps, a third of the squares he could come to.

A first step goes to one of the eight squares round the king where no piece of his own stands and which the enemy does
not attack; a second one from there, by the same rule, to any square but the one he came from. Every square that he
comes to counts once. They are 24 at most, of an open board: the count is a third of them, rounded up, so that it is 0
to 8, and 0 only for a king that cannot step anywhere. An edge costs him what lies beyond it, as it does in the
modified count.

The king is lifted for both steps, so that he screens no line; nothing else moves. What he takes on his first step is
still there for the second, its attacks too, and still screens the lines through it.

Source: our own idea.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.attacks import is_attacked
from hisshi.core.kernel.bitboard import bit, lowest, popcount, rest
from hisshi.core.kernel.geometry import steps
from hisshi.core.kernel.mate import king_flights
from hisshi.core.kernel.pieces import KING, NO_SQUARE
from hisshi.core.kernel.state import king_square, occupied_squares, pieces_of

STEP_SHARE = 3  # squares that make one of the count: 24 can be reached, and a freedom is at most 8


@implements("king_freedom", source="our own: see docs/references.md")
def reachable(context, position, colour):
    """A third, rounded up, of the squares that the king could flee to within two steps."""
    king = king_square(position, colour)
    if king == NO_SQUARE:
        return 8
    first = king_flights(position, colour)
    beyond = first & ~first
    from_here = first
    while from_here:
        beyond |= steps(colour, KING, lowest(from_here))
        from_here = rest(from_here)
    # What lies round the king is decided by the first step, whichever way he comes there.
    beyond &= ~(steps(colour, KING, king) | bit(king) | pieces_of(position, colour))
    without_king = occupied_squares(position) & ~bit(king)
    free = popcount(first)
    while beyond:
        if not is_attacked(position, lowest(beyond), 1 - colour, without_king):
            free += 1
        beyond = rest(beyond)
    return (free + STEP_SHARE - 1) // STEP_SHARE


@hookimpl
def hisshi_king_freedom():
    """Offer the count."""
    return reachable
