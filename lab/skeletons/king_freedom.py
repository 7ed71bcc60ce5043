"""King freedom SKELETON: what it counts and where the idea comes from."""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.bitboard import popcount
from hisshi.core.kernel.mate import king_flights
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.state import king_square


@implements("king_freedom", source="mine", status="experimental")
def skeleton(context, position, colour):
    """Squares that the king could step to: neither attacked nor taken by his own pieces."""
    if king_square(position, colour) == NO_SQUARE:
        return 8
    return popcount(king_flights(position, colour))


@hookimpl
def hisshi_king_freedom():
    """Offer the count."""
    return skeleton
