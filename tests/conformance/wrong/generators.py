"""Generators that break one rule each; the check that must catch one is its name without the role."""

import numpy as np

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.attacks import checkers_of
from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.control import NODES, control_of
from hisshi.core.kernel.generation import all_moves, captures, evasions
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.state import king_square


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
    if end > start and position.side == 1 and king_square(position, 1) == NO_SQUARE:  # in no tree of known size
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
    return all_moves(position, moves, start, king_square(position, 0) == NO_SQUARE)


@implements("legal_moves", name="holds-the-widest-position", traits=["complete"])
def cut_off(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    for i in range(start + 512, end):
        moves[i] = 0x5A5A5A5A
    return min(end, start + 512)


@implements("legal_moves", name="counts-the-leaves-of-known-trees", traits=["complete"])
def seldom_wrong(context, position, moves, start):
    end = all_moves(position, moves, start, False)
    return max(start, end - 1) if position.board_key & np.uint64(255) == np.uint64(0) else end


@implements("captures", name="has-no-move-beside-the-rules", traits=["complete"])
def any_evasion(context, position, moves, start):
    checkers = checkers_of(position, position.side)
    if checkers:
        return evasions(position, moves, start, checkers, False)
    return captures(position, moves, start, False)


@implements("evasions", name="changes-no-verdict", traits=["complete"])
def tired(context, position, moves, start):
    end = evasions(position, moves, start, checkers_of(position, position.side), False)
    return min(end, start + 1) if control_of(context)[NODES] > 20 else end  # only in a search


@hookimpl
def hisshi_evasions():
    return tired


@hookimpl
def hisshi_legal_moves():
    return [dirty, untidy, repeating, without_dominated, cut_off, seldom_wrong]


@hookimpl
def hisshi_checks():
    return not_only_checks


@hookimpl
def hisshi_captures():
    return any_evasion
