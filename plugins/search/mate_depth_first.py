"""Mate search, depth first: an AND/OR tree under any stop rule, deepened iteratively.

With stop rule `depth` it is full-width and finds the shortest mate; with `count-budget` it is Komiya's search.
Verdicts: proven when every evasion loses; disproven when the checks run out without a stop rule having cut anything;
else unknown.

A position that repeats an ancestor is a failure of the attacker on this path only: results that rely on it are not
stored. A proof never relies on it, since a shortest mate never repeats a position.
"""

import numpy as np

from hisshi.core import (
    Option,
    compiled,
    hookimpl,
    implements,
)
from hisshi.core.kernel.checks import gives_check
from hisshi.core.kernel.context import BUDGET_IS_PLIES, COMPLETE, part, part_has
from hisshi.core.kernel.control import (
    EXHAUSTED,
    GAVE_UP_BUDGET,
    GAVE_UP_DEPTH,
    GAVE_UP_SCHEDULE,
    ITERATION,
    NODES,
    control_of,
    enter_node,
    give_up,
)
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.mate import has_evasion, mate_among
from hisshi.core.kernel.moves import NO_MOVE, do_move, undo_move
from hisshi.core.kernel.roles import checks, evasions, stop, table
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.roles.move_order import call_move_order
from hisshi.core.kernel.roles.stop import AFTER_MOVES, BEFORE_MOVES, NEXT_BUDGET, call_stop
from hisshi.core.kernel.roles.table import NOT_FOUND, entry_at, probe, store
from hisshi.core.kernel.stack import (
    MAX_PLY,
    begin_node,
    bring_to_front,
    keys_of,
    moves_of,
    repeated_ply,
    sort_moves,
    stack_of,
)
from hisshi.core.kernel.table import DISPROVEN, LARGEST_COUNT, PROVEN, UNKNOWN, incoming_of

MATE_IN_ONE, COUNTER_CHECKS = 0, 1  # places of the options in context.options
SEARCHED = 0  # value of the option `counter_checks`
EVERY_PLY = 1 << 30  # no limit in plies


def _traits(options):
    """Nodes with counter-checks that are left unknown may be what a shorter mate goes through."""
    return frozenset({"finds-shortest"}) if options["counter_checks"] == "search" else frozenset()


@implements(
    "search",
    options=[
        Option("mate_in_one", True, "look for a mate in one at an attacker's node before going deeper"),
        Option(
            "counter_checks",
            "search",
            "evasions that give check: searched, or, as Komiya has it, reason enough to call the node unknown",
            choices=("search", "unknown"),
        ),
    ],
    parts=["checks", "evasions", "move_order", "stop", "table"],
    traits=_traits,
    source="iterative deepening over an AND/OR tree; stop rules of Komiya's count-budget mate search",
)
def mate_depth_first(context, position, plies):
    """Depth-first mate search, deepened iteratively under any stop rule."""
    context.calls += 1
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    control = control_of(context)
    moves, keys, stack = moves_of(context), keys_of(context), stack_of(context)
    by_plies = part_has(context, stop.SLOT, BUDGET_IS_PLIES)
    longest = plies if plies > 0 else EVERY_PLY
    root = stack[0]
    root.budget = 0
    while True:
        if call_stop(context, stack, 0, moves, keys, control, NEXT_BUDGET) != 0:
            give_up(control, GAVE_UP_BUDGET)
            return UNKNOWN
        budget = root.budget
        if by_plies and budget > longest:
            give_up(control, GAVE_UP_SCHEDULE if sees_all(context, control) else GAVE_UP_BUDGET)
            return UNKNOWN
        control[ITERATION] = budget
        # 1. An iteration that nothing but its budget has cut is followed by one with more.
        result = search_node(context, position, control, moves, keys, stack, np.int64(0), longest)
        root.budget = budget
        if result == PROVEN:
            context.answer_move = root.best
            context.answer_plies = root.length
            context.answer_exact = 1 if by_plies and sees_all(context, control) else 0
            return PROVEN
        if result == DISPROVEN:
            return DISPROVEN
        if result == ABORTED:
            return UNKNOWN


@compiled
def sees_all(context, control):
    """Say whether an iteration that proves nothing has shown that there is no mate of its length.

    Not when a generator leaves out moves: a check that mates sooner, or the longest defence. Nor when the stack was
    full, or nodes with counter-checks were left unknown.
    """
    if context.options[COUNTER_CHECKS] != SEARCHED:
        return False
    if control[EXHAUSTED] & GAVE_UP_DEPTH != 0:
        return False
    return part_has(context, checks.SLOT, COMPLETE) and part_has(context, evasions.SLOT, COMPLETE)


ABORTED = 2  # the search was told to give up; nothing is stored on the way out


@compiled
def search_node(context, position, control, moves, keys, stack, ply, longest):
    """Search the node at `ply`, whose budget is in the stack; return PROVEN, DISPROVEN, UNKNOWN or ABORTED.

    `longest`: plies left under the caller's limit. Writes the node's length, best move and dependence into the stack.
    """
    before = control[NODES]
    if not enter_node(control):
        return ABORTED
    here = begin_node(stack, ply, position)
    attacking = here.attacker != 0
    budget = here.budget
    by_plies = part_has(context, stop.SLOT, BUDGET_IS_PLIES)
    # 1. The same position again on this path: nothing gained for the attacker.
    here.depends = repeated_ply(stack, ply)
    if here.depends != MAX_PLY:
        return DISPROVEN
    start = here.first
    if ply + 1 >= MAX_PLY or start + MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        return UNKNOWN
    # 2. What the table knows. A proof longer than what is left must be found again, so that lengths stay exact.
    allowed = min(longest, budget) if by_plies else longest
    hint = NO_MOVE
    found = probe(context, position, stack[0].side)
    if found != NOT_FOUND:
        entry = entry_at(context, found)
        hint = np.int64(entry.move)
        if entry.value == PROVEN:
            if entry.length <= allowed:
                here.best = hint
                here.length = entry.length
                return PROVEN
        elif entry.value == DISPROVEN:
            return DISPROVEN
        elif by_plies and entry.budget >= allowed:
            return UNKNOWN
    # 3. Mate on the board, before any stop rule.
    if not attacking and not has_evasion(position):
        return PROVEN
    if longest <= 0:
        return UNKNOWN
    if call_stop(context, stack, ply, moves, keys, control, BEFORE_MOVES) != 0:
        return UNKNOWN
    # 4. The moves.
    if attacking:
        end = call_checks(context, position, moves, start)
        if end == start and part_has(context, checks.SLOT, COMPLETE):
            return conclude(context, position, stack, ply, DISPROVEN, allowed, 1)
        here.end = end
        if context.options[MATE_IN_ONE] != 0:
            move = mate_among(position, moves, start, end)
            if move != NO_MOVE:
                here.best = move
                here.length = 1
                return conclude(context, position, stack, ply, PROVEN, allowed, 1)
            if allowed == 1:
                return UNKNOWN
    else:
        end = call_evasions(context, position, moves, start)
        here.end = end
        if context.options[COUNTER_CHECKS] != SEARCHED and any_check(position, moves, start, end):
            return UNKNOWN
    if call_stop(context, stack, ply, moves, keys, control, AFTER_MOVES) != 0:
        return UNKNOWN
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if hint != NO_MOVE:
        bring_to_front(moves, keys, start, end, hint)
    # 5. The children. The attacker needs one proof, the defender one line that is not proven.
    good = PROVEN if attacking else DISPROVEN
    result = -good
    child = stack[ply + 1]
    for i in range(start, end):
        move = np.int64(moves[i])
        here.current = i
        child.budget = here.budget
        captured = do_move(position, move)
        value = search_node(context, position, control, moves, keys, stack, ply + 1, longest - 1)
        undo_move(position, move, captured)
        if value == ABORTED:
            return ABORTED
        if value != PROVEN and child.depends < here.depends:
            here.depends = child.depends
        if value == good:
            result = good
            here.best = move
            here.depends = child.depends
            if attacking:
                here.length = child.length + 1
            break
        if value == UNKNOWN:
            result = UNKNOWN
            if not attacking:
                here.best = move
                break
        elif not attacking and child.length + 1 > here.length:
            here.length = child.length + 1
            here.best = move
    # 6. A check that the generator left out may be the mate.
    if result == DISPROVEN and attacking and not part_has(context, checks.SLOT, COMPLETE):
        result = UNKNOWN
    here.budget = budget
    return conclude(context, position, stack, ply, result, allowed, control[NODES] - before)


@compiled
def any_check(position, moves, start, end):
    """Say whether one of moves[start:end] gives check."""
    for i in range(start, end):  # noqa: SIM110  numba compiles no generator expressions
        if gives_check(position, np.int64(moves[i])):
            return True
    return False


@compiled
def conclude(context, position, stack, ply, result, allowed, effort):
    """Store a node's result, unless it relies on an ancestor's being on the path, and return it.

    `effort`: nodes entered for it, itself included.
    """
    here = stack[ply]
    if result == PROVEN:
        here.depends = MAX_PLY
    if here.depends < ply:
        return result
    here.depends = MAX_PLY
    if result == UNKNOWN and not part_has(context, stop.SLOT, BUDGET_IS_PLIES):
        return result
    entry = incoming_of(part(context, table.SLOT))
    entry.value = result
    entry.length = here.length
    entry.move = here.best
    entry.budget = allowed
    entry.worth = here.budget
    entry.effort = min(effort, LARGEST_COUNT)
    store(context, position, stack[0].side, entry)
    return result


@hookimpl
def hisshi_search():
    """Offer the search."""
    return mate_depth_first
