"""Generator SKELETON: which of the moves it writes and where the idea comes from."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.moves import target_of
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.kernel.state import piece_on


@implements(
    "checks",
    traits=["complete"],  # take it away as soon as a move is left out
    source="mine",
    status="experimental",
)
def skeleton(context, position, moves, start):
    """Every check, captures in front."""
    end = check_moves(position, moves, start, False)
    front = start
    for i in range(start, end):
        move = moves[i]
        if piece_on(position, target_of(np.int64(move))) != EMPTY:
            moves[i] = moves[front]
            moves[front] = move
            front += 1
    return end  # nothing may be written from here on


@hookimpl
def hisshi_checks():
    """Offer the generator."""
    return skeleton
