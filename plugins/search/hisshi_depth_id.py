"""Hisshi search by depth: checks and threatmates, deepened iteratively by two plies.

A threatmate (詰めろ) is a move after which the attacker would mate if the defender passed. An n-ply hisshi (必至) is a
forced sequence of checks and threatmates whose n-th ply is a threatmate that no move avoids. Which of the defender's
moves count is the part `hisshi_rule`'s business; whether there is a mate, the part `mate`'s. A mate at the root is the
answer, with a length of 0 plies of hisshi. At every other attacker's node there is none: the defender's move before was
tested for it.

What a node is said to have no hisshi within is so by the candidates and mates that the search looks at. It is true
where all of them are looked at: then, and only then, lengths are said to be the shortest.

Source: KFEnd, "Hisshi search", 2000.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.context import COMPLETE, part, part_has
from hisshi.core.kernel.control import (
    GAVE_UP_BUDGET,
    GAVE_UP_DEPTH,
    GAVE_UP_NODES,
    GAVE_UP_SCHEDULE,
    GAVE_UP_STOP,
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
from hisshi.core.kernel.roles.search import ask_search
from hisshi.core.kernel.roles.table import NOT_FOUND, entry_at, probe, store
from hisshi.core.kernel.stack import MAX_PLY, begin_node, bring_to_front, keys_of, moves_of, sort_moves, stack_of
from hisshi.core.kernel.table import DISPROVEN, LARGEST_COUNT, PROVEN, UNKNOWN, incoming_of

MAX_PLIES, ATTACK_MATE_PLIES, DEFENCE_MATE_PLIES, MATE_NODES = 0, 1, 2, 3  # places of the options in context.options
MATE = FIRST_FREE_SLOT
ABORTED = 2  # the search was told to give up; nothing is stored on the way out


@implements(
    "search",
    options=[
        Option("max_plies", 5, "longest hisshi to look for; an even number counts as one less", low=1, high=99),
        Option("attack_mate_plies", 0, "plies of a mate that makes a move a threat; 0: any", low=0),
        Option("defence_mate_plies", 0, "plies of a mate that refutes a defender's move; 0: any", low=0),
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
    most = context.options[MAX_PLIES]
    if 0 < plies < most:
        most = plies
    for ply in range(most + 1):
        stack[ply].lower = NO_MOVE
    value = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
    if value == PROVEN:
        context.answer_move = part(context, MATE).answer_move
        context.answer_exact = 1
        return PROVEN
    all_seen = value == DISPROVEN and sees_all(context)
    for left in range(1, most + 1, 2):
        control[ITERATION] = left
        value = search_node(context, position, control, moves, keys, stack, np.int64(0), left)
        if value == PROVEN:
            context.answer_move = stack[0].best
            context.answer_plies = stack[0].length
            context.answer_exact = 1 if all_seen else 0
            return PROVEN
        if value == ABORTED:
            return UNKNOWN
        if value == UNKNOWN:
            all_seen = False
    give_up(control, GAVE_UP_SCHEDULE if all_seen else GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def sees_all(context):
    """Say whether no move, and no mate for its length, is left out of the search."""
    return (
        context.options[ATTACK_MATE_PLIES] == 0
        and context.options[DEFENCE_MATE_PLIES] == 0
        and part_has(context, attack_candidates.SLOT, COMPLETE)
        and part_has(context, defence_candidates.SLOT, COMPLETE)
    )


@compiled
def ask_mate(context, position, control, plies):
    """Say whether the side to move mates: PROVEN, DISPROVEN, ABORTED, or UNKNOWN if `mate_nodes` were not enough.

    `plies`: DISPROVEN means not within so many, 0: not at all.
    """
    value, gave_up = ask_search(context, MATE, position, plies, context.options[MATE_NODES])
    if value != UNKNOWN:
        return value
    if gave_up & GAVE_UP_STOP != 0:
        give_up(control, GAVE_UP_STOP)
        return ABORTED
    if gave_up & GAVE_UP_NODES != 0:
        if control[NODE_LIMIT] != 0 and control[NODES] >= control[NODE_LIMIT]:
            give_up(control, GAVE_UP_NODES)
            return ABORTED
        return UNKNOWN
    return DISPROVEN if plies > 0 and gave_up & ~GAVE_UP_SCHEDULE == 0 else UNKNOWN


@compiled
def search_node(context, position, control, moves, keys, stack, ply, left):
    """Search the node at `ply`; return PROVEN, DISPROVEN, UNKNOWN or ABORTED.

    At an attacker's node, where he has no mate: is there a hisshi of at most `left` plies, an odd number? At a
    defender's: does every answer that counts lose, to a mate or to a hisshi of less than `left` plies, an even number?
    Writes best move and length into the stack. Long, since it must call itself: functions that call each other are not
    cached.
    """
    before = control[NODES]
    if not enter_node(control):
        return ABORTED
    here = begin_node(stack, ply, position)
    child = stack[ply + 1]
    start = here.first
    if ply + 3 >= MAX_PLY or start + 2 * MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        return ABORTED
    if here.attacker == 0:
        # 1. The defender: what does not lose to a mate must lose to a hisshi.
        in_check = is_in_check(position, position.side)
        end = call_defence_candidates(context, position, moves, start)
        here.end = end
        call_move_order(context, position, moves, keys, start, end)
        sort_moves(moves, keys, start, end)
        if here.lower != NO_MOVE:  # what saved him at another node of this ply
            bring_to_front(moves, keys, start, end, here.lower)
        saved = False
        for i in range(start, end):
            move = np.int64(moves[i])
            if call_hisshi_rule(context, position, move) == 0:
                continue
            captured = do_move(position, move)
            mate = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
            value = mate
            if (mate == DISPROVEN or mate == UNKNOWN) and left > 0:
                saved = True
                value = search_node(context, position, control, moves, keys, stack, ply + 1, left - 1)
                if value == DISPROVEN:
                    value = mate
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            if value != PROVEN:
                here.lower = move
                return value
            if mate != PROVEN and child.length + 1 > here.length:
                here.length = child.length + 1
        # In check and without an answer it is mate, and the mate search has not said so: no hisshi.
        return UNKNOWN if in_check and not saved else PROVEN
    # 2. The attacker: what the table knows.
    attacker = position.side
    known, hint = 0, NO_MOVE
    found = probe(context, position, attacker)
    if found != NOT_FOUND:
        entry = entry_at(context, found)
        hint = np.int64(entry.move)
        if entry.value == PROVEN:
            here.best, here.length = hint, entry.length
            if entry.length <= left:
                return PROVEN
            return UNKNOWN if entry.mark != 0 else DISPROVEN
        known = np.int64(entry.budget) + 1
        if known > left:
            return DISPROVEN
    # 3. Checks and threatmates, one number of plies after the other, so that lengths are exact.
    end = call_attack_candidates(context, position, moves, start)
    here.end = end
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if hint != NO_MOVE:
        bring_to_front(moves, keys, start, end, hint)
    tested, undecided, open_below = False, False, False
    result = DISPROVEN
    for plies in range(known + 1, left + 1, 2):
        result = DISPROVEN
        kept = start
        for i in range(start, end):
            move = np.int64(moves[i])
            captured = do_move(position, move)
            checks = is_in_check(position, position.side)
            threat = PROVEN
            if not checks and not tested:
                do_pass(position)
                threat = ask_mate(context, position, control, context.options[ATTACK_MATE_PLIES])
                do_pass(position)
            value = threat
            if threat == PROVEN:
                moves[kept] = move
                kept += 1
                value = DISPROVEN  # the last ply is no check
                if not checks or plies > 1:
                    value = search_node(context, position, control, moves, keys, stack, ply + 1, plies - 1)
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            if value == PROVEN:
                here.best = move
                here.length = child.length + 1
                return conclude(context, position, here, attacker, PROVEN, plies, open_below, control[NODES] - before)
            if threat == UNKNOWN:
                undecided = True
            if value == UNKNOWN:
                result = UNKNOWN
        end, tested = kept, True
        if undecided:
            result = UNKNOWN
        if result == DISPROVEN:
            conclude(context, position, here, attacker, DISPROVEN, plies, False, control[NODES] - before)
        else:
            open_below = True
    return result


@compiled
def conclude(context, position, here, attacker, result, plies, open_below, effort):
    """Store an attacker's node and return its result: a hisshi, or none within `plies`.

    `open_below`: whether there is a shorter one is not known.
    """
    entry = incoming_of(part(context, table.SLOT))
    entry.value = result
    entry.length = here.length
    entry.move = here.best
    entry.budget = plies
    entry.worth = plies
    entry.mark = 1 if open_below else 0
    entry.effort = min(effort, LARGEST_COUNT)
    store(context, position, attacker, entry)
    return result


@hookimpl
def hisshi_search():
    """Offer the search."""
    return hisshi_depth_id
