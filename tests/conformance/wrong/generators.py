"""Generators that break one rule each; the check that must catch one is its name without the role."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.generation import all_moves


@implements("legal_moves", name="leaves-the-position-alone", traits=["complete"])
def dirty(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    position.hand_key ^= np.uint64(1)
    return end


@implements("legal_moves", name="writes-only-the-moves-it-reports", traits=["complete"])
def untidy(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    moves[end] = 0
    return end


@implements("legal_moves", name="repeats-no-move", traits=["complete"])
def repeating(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    if end - start > 0 and end - start < 100:
        moves[end] = moves[start]
        end += 1
    return end


@implements("checks", name="has-no-move-beside-the-rules", traits=["complete"])
def not_only_checks(context, position, moves, start):
    return (
        all_moves(position, moves, start, False) if position.side == 1 else check_moves(position, moves, start, False)
    )


@implements("legal_moves", name="leaves-no-move-out", traits=["complete"])
def without_dominated(context, position, moves, start):
    return all_moves(position, moves, start, position.side == 1)  # the widest position is black's


@implements("legal_moves", name="holds-the-widest-position", traits=["complete"])
def cut_off(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    for i in range(start + 512, end):
        moves[i] = 0x5A5A5A5A
    return min(end, start + 512)


@hookimpl
def hisshi_legal_moves():
    return [dirty, untidy, repeating, without_dominated, cut_off]


@hookimpl
def hisshi_checks():
    return not_only_checks
