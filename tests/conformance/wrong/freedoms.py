"""Counts of king freedom that break one rule each, called after the check that must catch them."""

import numpy as np

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.state import king_square


@implements("king_freedom", name="leaves-the-position-alone")
def dirty(context, position, colour):
    position.hand_key ^= np.uint64(1)
    return 8


@implements("king_freedom", name="is-zero-to-eight")
def too_many(context, position, colour):
    return 8 if king_square(position, colour) == NO_SQUARE else 9


@implements("king_freedom", name="is-eight-without-a-king")
def kingless(context, position, colour):
    return 0


@implements("king_freedom", name="is-the-same-mirrored")
def left_handed(context, position, colour):
    file = king_square(position, colour) // 9
    if king_square(position, colour) == NO_SQUARE:
        return 8
    return (8 - file if colour == 1 else file) // 2  # file 1 is black's right, and white's left


@implements("king_freedom", name="is-the-same-with-colours-exchanged")
def partial(context, position, colour):
    return 8 if king_square(position, colour) == NO_SQUARE else 3 + colour


@implements("king_freedom", name="writes-no-option", options=[Option("often", 0, low=0, high=9)])
def forgetful(context, position, colour):
    context.options[0] = 1
    return 8 if king_square(position, colour) == NO_SQUARE else 3


@hookimpl
def hisshi_king_freedom():
    return [forgetful, dirty, too_many, kingless, left_handed, partial]
