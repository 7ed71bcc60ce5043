"""Candidates of the attacker SKELETON: which of the moves they are and where the idea comes from."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.checks import gives_check
from hisshi.core.kernel.generation import all_moves


@implements(
    "attack_candidates",
    traits=["complete"],  # take it away as soon as a move is left out
    source="mine",
    status="experimental",
)
def skeleton(context, position, moves, start):
    """Every legal move, checks in front."""
    end = all_moves(position, moves, start, False)
    front = start
    for i in range(start, end):
        move = moves[i]
        if gives_check(position, np.int64(move)):
            moves[i] = moves[front]
            moves[front] = move
            front += 1
    return end  # nothing may be written from here on


@hookimpl
def hisshi_attack_candidates():
    """Offer the candidates."""
    return skeleton
