"""Mate search SKELETON: how it searches and where the idea comes from."""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.context import COMPLETE, part_has
from hisshi.core.kernel.control import (
    GAVE_UP_BUDGET,
    GAVE_UP_SCHEDULE,
    ITERATION,
    control_of,
    enter_node,
    give_up,
)
from hisshi.core.kernel.mate import has_evasion
from hisshi.core.kernel.moves import NO_MOVE, do_move, undo_move
from hisshi.core.kernel.roles import checks, evasions
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.stack import moves_of
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN

MAX_PLIES = 0  # place of the option in context.options
ABORTED = 2  # the search was told to give up


@implements(
    "search",
    options=[Option("max_plies", 9, "longest line to look at", low=1, high=99)],
    parts=["checks", "evasions"],
    source="mine",
    status="experimental",
)
def skeleton(context, position, plies):
    """Every line, two plies deeper each time, without a table."""
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    control, moves = control_of(context), moves_of(context)
    sees_all = part_has(context, checks.SLOT, COMPLETE) and part_has(context, evasions.SLOT, COMPLETE)
    depth = 1
    while True:
        if plies > 0 and depth > plies:  # all that the caller wanted is looked at
            give_up(control, GAVE_UP_SCHEDULE if sees_all else GAVE_UP_BUDGET)
            return UNKNOWN
        if depth > context.options[MAX_PLIES]:
            give_up(control, GAVE_UP_BUDGET)
            return UNKNOWN
        control[ITERATION] = depth
        result = search_node(context, position, control, moves, np.int64(0), depth)
        if result == ABORTED:
            return UNKNOWN
        if result == PROVEN:
            context.answer_plies = depth
            context.answer_exact = 1 if sees_all else 0
        if result != UNKNOWN:
            return result
        depth += 2


@compiled
def search_node(context, position, control, moves, start, left):
    """Search a node whose moves go to moves[start:], `left` plies deep: the attacker's if that is odd.

    It is one function for both sides: two that call each other cannot be cached.
    """
    if not enter_node(control):
        return ABORTED
    attacking = left % 2 == 1
    if attacking:
        end = call_checks(context, position, moves, start)
    else:
        if not has_evasion(position):
            return PROVEN
        if left == 0:
            return UNKNOWN
        end = call_evasions(context, position, moves, start)
    wanted = PROVEN if attacking else DISPROVEN
    result = -wanted
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        value = search_node(context, position, control, moves, end, left - 1)
        undo_move(position, move, captured)
        if value == wanted and start == 0:
            context.answer_move = move
        if value == wanted or value == ABORTED:
            return value
        if value == UNKNOWN:
            result = UNKNOWN
            if not attacking:
                break  # no proof any more
    # A check that the generator left out may be the mate.
    if result == DISPROVEN and attacking and not part_has(context, checks.SLOT, COMPLETE):
        return UNKNOWN
    return result


@hookimpl
def hisshi_search():
    """Offer the search."""
    return skeleton
