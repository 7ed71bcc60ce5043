"""Generator SKELETON: which of the captures it writes and where the idea comes from."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel import generation
from hisshi.core.kernel.moves import is_promotion


@implements(
    "captures",
    traits=["complete"],  # take it away as soon as a move is left out
    source="mine",
    status="experimental",
)
def skeleton(context, position, moves, start):
    """Every capture, promotions in front."""
    end = generation.captures(position, moves, start, False)
    front = start
    for i in range(start, end):
        move = moves[i]
        if is_promotion(np.int64(move)):
            moves[i] = moves[front]
            moves[front] = move
            front += 1
    return end  # nothing may be written from here on


@hookimpl
def hisshi_captures():
    """Offer the generator."""
    return skeleton
