"""Move order SKELETON: what it puts first and where the idea comes from."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.moves import target_of
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.kernel.state import piece_on


@implements("move_order", source="mine", status="experimental")
def skeleton(context, position, moves, keys, start, end):
    """Captures first."""
    for i in range(start, end):  # every move gets a key; the largest is tried first
        keys[i] = 1 if piece_on(position, target_of(np.int64(moves[i]))) != EMPTY else 0
    return 0


@hookimpl
def hisshi_move_order():
    """Offer the order."""
    return skeleton
