"""Candidates of a hisshi search that break one rule each, called after the check that must catch them."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.generation import all_moves
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.state import king_square


@implements("attack_candidates", name="writes-only-the-moves-it-reports", traits=["complete"])
def untidy(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    moves[end] = 0
    return end


@implements("attack_candidates", name="has-no-move-beside-the-rules")
def with_passes(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    if is_in_check(position, position.side):
        moves[end] = 0x5A5A5A5A - 1
        end += 1
    return end


@implements("attack_candidates", name="holds-the-widest-position", traits=["complete"])
def cut_off(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    for i in range(start + 512, end):
        moves[i] = 0x5A5A5A5A
    return min(end, start + 512)


@implements("defence_candidates", name="leaves-the-position-alone", traits=["complete"])
def dirty(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    position.hand_key ^= np.uint64(1)
    return end


@implements("defence_candidates", name="repeats-no-move", traits=["complete"])
def repeating(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    if end > start and is_in_check(position, position.side):
        moves[end] = moves[start]
        end += 1
    return end


@implements("defence_candidates", name="leaves-no-move-out", traits=["complete"])
def without_dominated(context, position, moves, start):
    return all_moves(position, moves, start, king_square(position, 0) == NO_SQUARE)


@hookimpl
def hisshi_attack_candidates():
    return [untidy, with_passes, cut_off]


@hookimpl
def hisshi_defence_candidates():
    return [dirty, repeating, without_dominated]
