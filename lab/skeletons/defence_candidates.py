"""Candidates of the defender SKELETON: which of the moves they are and where the idea comes from."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.generation import all_moves
from hisshi.core.kernel.moves import is_drop, source_of
from hisshi.core.kernel.state import king_square


@implements(
    "defence_candidates",
    traits=["complete"],  # take it away as soon as a move is left out
    source="mine",
    status="experimental",
)
def skeleton(context, position, moves, start):
    """Every legal move, those of the king in front."""
    end = all_moves(position, moves, start, False)
    king = king_square(position, position.side)
    front = start
    for i in range(start, end):
        move = moves[i]
        if not is_drop(np.int64(move)) and source_of(np.int64(move)) == king:
            moves[i] = moves[front]
            moves[front] = move
            front += 1
    return end  # nothing may be written from here on


@hookimpl
def hisshi_defence_candidates():
    """Offer the candidates."""
    return skeleton
