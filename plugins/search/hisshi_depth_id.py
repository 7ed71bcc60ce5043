"""Hisshi search by depth: checks and threatmates, deepened iteratively by two plies.

A threatmate (詰めろ) is a move after which the attacker would mate if the defender passed. An n-ply hisshi (必至) is a
forced sequence of checks and threatmates whose n-th ply is a threatmate that no move avoids. Which of the defender's
moves count is the part `hisshi_rule`'s business; whether there is a mate, the part `mate`'s, for which this search keeps
within `mate_nodes`: where it can't say, the verdict is unknown.

At an attacker's node there is no mate: the defender's move before was tested for it. A mate at the root is the answer,
with a length of 0 plies.

Source: KFEnd, "Hisshi search", 2000.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.context import COMPLETE, part, part_has
from hisshi.core.kernel.control import (
    EXHAUSTED,
    GAVE_UP_BUDGET,
    GAVE_UP_DEPTH,
    GAVE_UP_SCHEDULE,
    ITERATION,
    NODE_LIMIT,
    NODES,
    control_of,
    enter_node,
    give_up,
)
from hisshi.core.kernel.declare import FIRST_FREE_SLOT
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.moves import NO_MOVE, do_move, do_pass, undo_move
from hisshi.core.kernel.roles import attack_candidates, defence_candidates, table
from hisshi.core.kernel.roles.attack_candidates import call_attack_candidates
from hisshi.core.kernel.roles.defence_candidates import call_defence_candidates
from hisshi.core.kernel.roles.hisshi_rule import call_hisshi_rule
from hisshi.core.kernel.roles.move_order import call_move_order
from hisshi.core.kernel.roles.search import call_search_at
from hisshi.core.kernel.roles.table import NOT_FOUND, entry_at, probe, store
from hisshi.core.kernel.stack import (
    MAX_PLY,
    begin_node,
    bring_to_front,
    keys_of,
    moves_of,
    sort_moves,
    stack_of,
)
from hisshi.core.kernel.context import context_at
from hisshi.core.kernel.table import DISPROVEN, LARGEST_COUNT, PROVEN, UNKNOWN, incoming_of

MAX_PLIES, ATTACK_MATE_PLIES, DEFENCE_MATE_PLIES, MATE_NODES = 0, 1, 2, 3  # places of the options
MATE = FIRST_FREE_SLOT
ABORTED = 2  # the search was told to give up; nothing is stored on the way out


@implements(
    "search",
    options=[
        Option("max_plies", 5, "longest hisshi to look for; an even number counts as one less", low=1, high=99),
        Option("attack_mate_plies", 0, "plies of the mate that makes a move a threat; 0: any length", low=0),
        Option("defence_mate_plies", 0, "plies of the mate that makes a defender's move fail; 0: any length", low=0),
        Option("mate_nodes", 100_000, "nodes for each mate search; 0: no limit", low=0),
    ],
    parts={
        "attack_candidates": "attack_candidates",
        "defence_candidates": "defence_candidates",
        "hisshi_rule": "hisshi_rule",
        "mate": "search",
        "move_order": "move_order",
        "table": "table",
    },
    goal="hisshi",
    source="KFEnd, Hisshi search, 2000",
    status="experimental",
)
def hisshi_depth_id(context, position, plies):
    """Shortest hisshi by iterative deepening; a mate is looked for first."""
    context.calls += 1
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    control = control_of(context)
    moves, keys, stack = moves_of(context), keys_of(context), stack_of(context)
    value = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
    if value == PROVEN:
        context.answer_move = context_at(context.env[MATE]).answer_move
        context.answer_exact = 1
        return PROVEN
    most = context.options[MAX_PLIES]
    if 0 < plies < most:
        most = plies
    sure = value == DISPROVEN
    for left in range(1, most + 1, 2):
        control[ITERATION] = left
        value = attack(context, position, control, moves, keys, stack, np.int64(0), left)
        if value == PROVEN:
            context.answer_move = stack[0].best
            context.answer_plies = stack[0].length
            context.answer_exact = 1 if sure else 0
            return PROVEN
        if value == ABORTED:
            return UNKNOWN
        sure = sure and value == DISPROVEN
    give_up(control, GAVE_UP_SCHEDULE if sure else GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def ask_mate(context, position, control, plies):
    """Return whether the side to move mates within `plies` (0: at all), asked with a limit of `mate_nodes`."""
    limit, reasons = control[NODE_LIMIT], control[EXHAUSTED]
    own = context.options[MATE_NODES]
    if own > 0 and (limit == 0 or control[NODES] + own < limit):
        control[NODE_LIMIT] = control[NODES] + own
    value = call_search_at(context.code[MATE], context.env[MATE], position, np.int64(plies))
    control[NODE_LIMIT], control[EXHAUSTED] = limit, reasons
    return value


@compiled
def attack(context, position, control, moves, keys, stack, ply, left):
    """Look for a hisshi of at most `left` plies, odd, at the attacker's node `ply`, where there is no mate."""
    before = control[NODES]
    if not enter_node(control):
        return ABORTED
    here = begin_node(stack, ply, position)
    start = here.first
    if ply + 3 >= MAX_PLY or start + 2 * MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        return ABORTED
    attacker = position.side
    known, hint = 0, NO_MOVE
    found = probe(context, position, attacker)
    if found != NOT_FOUND:
        entry = entry_at(context, found)
        hint = np.int64(entry.move)
        if entry.value == PROVEN:
            here.best, here.length = hint, entry.length
            return PROVEN if entry.length <= left else DISPROVEN
        if entry.value == DISPROVEN:
            known = np.int64(entry.budget)
            if known >= left:
                return DISPROVEN
    # 1. The shorter ones first, so that lengths are exact.
    if left > known + 2:
        value = attack(context, position, control, moves, keys, stack, ply, left - 2)
        if value == PROVEN or value == ABORTED:
            return value
        here = begin_node(stack, ply, position)
    end = call_attack_candidates(context, position, moves, start)
    here.end = end
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if hint != NO_MOVE:
        bring_to_front(moves, keys, start, end, hint)
    result = DISPROVEN if part_has(context, attack_candidates.SLOT, COMPLETE) else UNKNOWN
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        checks = is_in_check(position, position.side)
        value = DISPROVEN
        if not checks:
            do_pass(position)
            value = ask_mate(context, position, control, context.options[ATTACK_MATE_PLIES])
            do_pass(position)
            if value == DISPROVEN or (value == UNKNOWN and context.options[ATTACK_MATE_PLIES] != 0):
                value = DISPROVEN
        if value == PROVEN or (checks and left > 1):
            value = defend(context, position, control, moves, keys, stack, ply + 1, left - 1, attacker)
        undo_move(position, move, captured)
        if value == ABORTED:
            return ABORTED
        if value == PROVEN:
            here.best = move
            here.length = stack[ply + 1].length + 1
            return conclude(context, position, here, attacker, PROVEN, left, control[NODES] - before)
        if value == UNKNOWN:
            result = UNKNOWN
    return conclude(context, position, here, attacker, result, left, control[NODES] - before)


@compiled
def defend(context, position, control, moves, keys, stack, ply, left, attacker):
    """Say whether every answer of the defender at node `ply` loses to a mate, or to a hisshi of less than `left` plies."""
    if not enter_node(control):
        return ABORTED
    here = begin_node(stack, ply, position)
    start = here.first
    in_check = is_in_check(position, position.side)
    end = call_defence_candidates(context, position, moves, start)
    here.end = end
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if here.lower != NO_MOVE:  # what saved him at another node of this ply
        bring_to_front(moves, keys, start, end, here.lower)
    survives = False
    result = PROVEN if part_has(context, defence_candidates.SLOT, COMPLETE) else UNKNOWN
    for i in range(start, end):
        move = np.int64(moves[i])
        if call_hisshi_rule(context, position, move) == 0:
            continue
        captured = do_move(position, move)
        value = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
        if value != PROVEN:
            survives = True
            if left > 0:
                below = attack(context, position, control, moves, keys, stack, ply + 1, left - 1)
                if below == PROVEN or below == ABORTED or value == DISPROVEN:
                    value = below
        undo_move(position, move, captured)
        if value == ABORTED:
            return ABORTED
        if value != PROVEN:
            here.lower = move
            return value
        if survives and stack[ply + 1].length + 1 > here.length:
            here.length = stack[ply + 1].length + 1
    if in_check and not survives:
        return UNKNOWN  # a mate that the mate search has not found: no hisshi
    return result


@compiled
def conclude(context, position, here, attacker, result, left, effort):
    """Store an attacker's node and return its result."""
    if result == UNKNOWN:
        return result
    entry = incoming_of(part(context, table.SLOT))
    entry.value = result
    entry.length = here.length
    entry.move = here.best
    entry.budget = left
    entry.worth = left
    entry.effort = min(effort, LARGEST_COUNT)
    store(context, position, attacker, entry)
    return result


@hookimpl
def hisshi_search():
    """Offer the search."""
    return hisshi_depth_id
