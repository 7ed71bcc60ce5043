"""Move order generated: as the generator wrote them, to measure other orders against."""

from hisshi.core import hookimpl, implements


@implements("move_order", source="none: the baseline")
def generated(context, position, moves, keys, start, end):
    """The order of generation."""
    for i in range(start, end):
        keys[i] = 0
    return 0


@hookimpl
def hisshi_move_order():
    """Offer the order."""
    return generated
