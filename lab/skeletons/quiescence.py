"""Quiescence SKELETON: which moves it plays out and where the idea comes from."""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.control import control_of, enter_node
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.mate import has_evasion
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.roles.captures import call_captures
from hisshi.core.kernel.roles.evaluation import call_evaluation
from hisshi.core.kernel.stack import moves_of
from hisshi.core.kernel.values import MATE, NO_VALUE


@implements("quiescence", parts=["evaluation", "captures"], source="mine", status="experimental")
def skeleton(context, position, alpha, beta):
    """Stand pat or capture, the captures in the order in which they are generated."""
    return search_node(context, position, control_of(context), moves_of(context), np.int64(0), alpha, beta)


@compiled
def search_node(context, position, control, moves, start, alpha, beta):
    """Return the value for the side to move; its captures are written from moves[start] on."""
    if not enter_node(control):
        return NO_VALUE
    if is_in_check(position, position.side) and not has_evasion(position):
        return -MATE
    best = call_evaluation(context, position, position.side)
    if best >= beta or start + MAX_MOVES > len(moves):
        return best
    end = call_captures(context, position, moves, start)
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        value = search_node(context, position, control, moves, end, -beta, -max(alpha, best))
        undo_move(position, move, captured)
        if value == NO_VALUE:
            return NO_VALUE
        value = MATE - 1 if value == -MATE else -value  # a mate that is given is one ply away
        best = max(best, value)
        if best >= beta:
            break
    return best


@hookimpl
def hisshi_quiescence():
    """Offer the search."""
    return skeleton
