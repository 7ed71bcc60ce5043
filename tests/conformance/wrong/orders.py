"""Move orders that break one rule each, called after the check that must catch them."""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.state import king_square


@compiled
def clear(keys, start, end):
    for i in range(start, end):
        keys[i] = 0


@implements("move_order", name="leaves-the-position-alone")
def dirty(context, position, moves, keys, start, end):
    clear(keys, start, end)
    position.hand_key ^= np.uint64(1)
    return 0


@implements("move_order", name="makes-a-permutation")
def dropping(context, position, moves, keys, start, end):
    clear(keys, start, end)
    if king_square(position, 0) != NO_SQUARE:  # no mate that the default run must find has it
        moves[end - 1] = moves[start]
    return 0


@implements("move_order", name="writes-no-other-keys")
def spilling(context, position, moves, keys, start, end):
    clear(keys, start, end + 1)
    return 0


@implements("move_order", name="depends-on-nothing-left-over")
def lazy(context, position, moves, keys, start, end):
    clear(keys, start, end - 1)
    return 0


@implements("move_order", name="returns-zero")
def counting(context, position, moves, keys, start, end):
    clear(keys, start, end)
    return end - start


@hookimpl
def hisshi_move_order():
    return [dirty, dropping, spilling, lazy, counting]
