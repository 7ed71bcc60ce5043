"""Repetition in play search: a position of the line again is a draw, or lost for who has given check all the time.

A first return counts as the fourth: whoever can return once can do so again. What was played before the root is not
known.
"""

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.stack import MAX_PLY, repeated_ply
from hisshi.core.kernel.values import MATE, NO_VALUE

DRAW = 0


@compiled
def value_of_repetition(stack, ply):
    """Return the value for the side to move of the node at `ply` if it repeats one of its line, else NO_VALUE.

    Field `depends` of each node says whether its side to move is in check.
    """
    earlier = repeated_ply(stack, ply)
    if earlier == MAX_PLY:
        return NO_VALUE
    if is_perpetual_check(stack, earlier, ply):
        return MATE - ply
    if is_perpetual_check(stack, earlier, ply - 1):
        return ply - MATE
    return DRAW


@compiled
def is_perpetual_check(stack, first, last):
    """Say whether the side to move at `last` was in check there and at all its nodes back to `first`, left out."""
    for ply in range(last, first, -2):  # noqa: SIM110  numba compiles no generator expressions
        if stack[ply].depends == 0:
            return False
    return True
