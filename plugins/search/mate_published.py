"""Mate search for published lengths: depth first and exact at every node, useless interpositions left out.

An interposition is useless (Kakinoki) if there is a mate in n without it and, once the attacker has captured it with
check, a mate in the same n that does not use the piece. Here, of a defender in check from a distance:

* the capture must give check itself, from the square of the interposition;
* the position after it is looked at with the piece given to the defender's hand: so the attacker can't use it, and what
  is proven holds all the more for the real position, where it is the attacker's;
* n starts as the longest of the evasions that are no interpositions, 0 if there are none. Interpositions that last
  longer than n and are not useless by it raise it, the shortest first; by the n that is reached the others may be
  useless. The rule is the same inside.

Since n must be exact, every length is: an attacker's node deepens iteratively up to its own budget, and the table holds
exact lengths and exact lower bounds, on whatever path. Repetition is not looked for: plies are limited, and a shortest
mate does not repeat. Another search, the part `oracle`, is asked which positions have no mate of any length.

Source: Kakinoki, on useless interpositions; iterative deepening over an AND/OR tree.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.bitboard import bit, contains, popcount
from hisshi.core.kernel.context import COMPLETE, part, part_has
from hisshi.core.kernel.control import (
    GAVE_UP_DEPTH,
    GAVE_UP_SCHEDULE,
    ITERATION,
    NODES,
    control_of,
    enter_node,
    give_up,
)
from hisshi.core.kernel.declare import FIRST_FREE_SLOT
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.interpositions import do_recapture, interposition_squares, undo_recapture
from hisshi.core.kernel.mate import has_evasion, king_flights, mate_among
from hisshi.core.kernel.moves import NO_MOVE, do_move, is_drop, kind_of, target_of, undo_move
from hisshi.core.kernel.pieces import EMPTY, KING
from hisshi.core.kernel.roles import checks, evasions, table
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.roles.move_order import call_move_order
from hisshi.core.kernel.roles.search import ask_search
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
from hisshi.core.kernel.table import DISPROVEN, LARGEST_COUNT, OTHER_COUNT, PROVEN, UNKNOWN, incoming_of

LEFT_OUT, ASK, ASK_FROM, MAX_PLIES = 0, 1, 2, 3  # places of the options in context.options
LOOK_FROM = 4  # plies that must be left for the table to be asked about all evasions
ORACLE = FIRST_FREE_SLOT
ABORTED = 2  # the search was told to give up; nothing is stored on the way out


def _traits(options):
    """Say how lengths are counted, all of which are the shortest."""
    counted = options["useless_interpositions"] == "counted"
    return frozenset({"finds-shortest"}) if counted else frozenset({"finds-shortest", "useless-left-out"})


@implements(
    "search",
    options=[
        Option(
            "useless_interpositions",
            "left out",
            "how a useless interposition counts: not at all, as in published lengths, or as any evasion",
            choices=("counted", "left out"),
        ),
        Option("ask", 10_000, "nodes for each question to the oracle whether there is any mate; 0: not asked", low=0),
        Option("ask_from", 11, "plies that must be left for a question to be asked", low=1),
        Option("max_plies", 1999, "longest line to look at; an even number counts as one less", low=1, high=1999),
    ],
    parts={
        "checks": "checks",
        "evasions": "evasions",
        "move_order": "move_order",
        "table": "table",
        "oracle": "search",
    },
    traits=_traits,
    source="Kakinoki, useless interpositions; iterative deepening over an AND/OR tree",
)
def mate_published(context, position, plies):
    """Shortest mates by the count of published problems: useless interpositions left out."""
    context.calls += 1
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    control = control_of(context)
    moves, keys, stack = moves_of(context), keys_of(context), stack_of(context)
    for ply in range(MAX_PLY):
        stack[ply].lower = NO_MOVE
    most = context.options[MAX_PLIES]
    if 0 < plies < most:
        most = plies
    result = search_node(context, position, control, moves, keys, stack, np.int64(0), (most - 1) | 1)
    if result == PROVEN:
        context.answer_move = stack[0].best
        context.answer_plies = stack[0].length
        sees_all = part_has(context, checks.SLOT, COMPLETE) and part_has(context, evasions.SLOT, COMPLETE)
        context.answer_exact = 1 if sees_all else 0
        return PROVEN
    if result == DISPROVEN:
        return DISPROVEN
    give_up(control, GAVE_UP_SCHEDULE)
    return UNKNOWN


@compiled
def search_node(context, position, control, moves, keys, stack, ply, budget):
    """Search the node at `ply`: is its length at most `budget`? Return PROVEN, DISPROVEN, UNKNOWN or ABORTED.

    PROVEN comes with the exact length in the stack, UNKNOWN means that it is more than `budget`, DISPROVEN that there
    is no mate at all. The budget is odd at an attacker's node, even at a defender's. Long, since it must call itself:
    functions that call each other are not cached.
    """
    before = control[NODES]
    if not enter_node(control):
        return ABORTED
    here = begin_node(stack, ply, position)
    start = here.first
    if ply + 3 >= MAX_PLY or start + 3 * MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        return ABORTED
    attacking = here.attacker != 0
    attacker = stack[0].side + OTHER_COUNT
    # 1. What the table knows: an exact length, or that it is more than `known`.
    hint, known = NO_MOVE, -1
    found = probe(context, position, attacker)
    if found != NOT_FOUND:
        entry = entry_at(context, found)
        hint = np.int64(entry.move)
        if entry.value == PROVEN:
            here.best, here.length = hint, entry.length
            return PROVEN if entry.length <= budget else UNKNOWN
        if entry.value == DISPROVEN:
            return DISPROVEN
        known = np.int64(entry.budget)
        if known >= budget:
            return UNKNOWN
    child = stack[ply + 1]
    if attacking:
        # 2. The attacker: a mate in one, else iterative deepening up to the budget.
        end = call_checks(context, position, moves, start)
        here.end = end
        everything = part_has(context, checks.SLOT, COMPLETE)
        if end == start and everything:
            return conclude(context, position, here, attacker, DISPROVEN, budget, 1)
        move = mate_among(position, moves, start, end) if known < 1 else NO_MOVE
        if move != NO_MOVE:
            here.best, here.length = move, 1
            return conclude(context, position, here, attacker, PROVEN, budget, 1)
        if ply > 0 and context.options[ASK] > 0 and budget >= context.options[ASK_FROM]:
            value, _ = ask_search(context, ORACLE, position, 0, context.options[ASK])
            if value == DISPROVEN:
                return conclude(context, position, here, attacker, DISPROVEN, budget, control[NODES] - before)
        if budget > 1:
            call_move_order(context, position, moves, keys, start, end)
            sort_moves(moves, keys, start, end)
        if hint != NO_MOVE:
            bring_to_front(moves, keys, start, end, hint)
        plies = max(known + 2, 1)
        if plies == 1 and context.options[LEFT_OUT] == 0:
            plies = 3
        while plies <= budget:
            if ply == 0:
                control[ITERATION] = plies
            kept = start
            for i in range(start, end):
                move = np.int64(moves[i])
                captured = do_move(position, move)
                value = UNKNOWN
                if plies > 1 or may_be_useless(position):
                    value = search_node(context, position, control, moves, keys, stack, ply + 1, plies - 1)
                undo_move(position, move, captured)
                if value == ABORTED:
                    return ABORTED
                if value == PROVEN:
                    here.best, here.length = move, child.length + 1
                    return conclude(context, position, here, attacker, PROVEN, budget, control[NODES] - before)
                if value == UNKNOWN:  # a check that never mates is not tried again
                    moves[kept] = move
                    kept += 1
            end = kept
            here.end = end
            if end == start and everything:
                return conclude(context, position, here, attacker, DISPROVEN, budget, control[NODES] - before)
            plies += 2
        return conclude(context, position, here, attacker, UNKNOWN, budget, control[NODES] - before)
    # 3. The defender. Mate on the board; nothing left to play.
    if not has_evasion(position):
        return PROVEN
    inside = interposition_squares(position)
    if context.options[LEFT_OUT] == 0:
        inside &= ~inside
    end = call_evasions(context, position, moves, start)
    here.end = end
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if here.lower != NO_MOVE:  # what refuted another node of this ply
        bring_to_front(moves, keys, start, end, here.lower)
    if hint != NO_MOVE:
        bring_to_front(moves, keys, start, end, hint)
    # 4. An evasion that is known to last longer.
    if budget >= LOOK_FROM:
        for i in range(start, end):
            move = np.int64(moves[i])
            if kind_of(move) == KING or not contains(inside, target_of(move)):
                value = lasts_longer(context, position, move, attacker, budget)
                if value != PROVEN:
                    here.best = move
                    here.lower = move
                    return conclude(context, position, here, attacker, value, budget, control[NODES] - before)
    # 5. All evasions but interpositions, which are kept in moves[start:pending].
    longest = 0
    pending = start
    for i in range(start, end):
        move = np.int64(moves[i])
        if kind_of(move) != KING and contains(inside, target_of(move)):
            moves[i], moves[pending] = moves[pending], moves[i]
            pending += 1
            continue
        value = UNKNOWN
        if budget > 0:
            captured = do_move(position, move)
            value = search_node(context, position, control, moves, keys, stack, ply + 1, budget - 1)
            undo_move(position, move, captured)
        if value == ABORTED:
            return ABORTED
        if value != PROVEN:
            here.best = move
            here.lower = move
            return conclude(context, position, here, attacker, value, budget, control[NODES] - before)
        if child.length + 1 > longest:
            longest = child.length + 1
            here.best = move
    # 6. Interpositions: the useless ones fall away, then the shortest of the others make `longest` longer.
    useless = inside & ~inside  # squares where a drop is useless
    while pending > start:
        useful = inside & ~inside  # squares where it is not, by the present `longest`
        kept = start
        for i in range(start, pending):
            move = np.int64(moves[i])
            target = target_of(move)
            falls = is_drop(move) and contains(useless, target)
            if not falls and not (is_drop(move) and contains(useful, target)):
                # The captures with check; the position after one is this defender's again.
                captured = do_move(position, move)
                begin_node(stack, ply + 1, position)
                first = child.first
                last = call_checks(context, position, moves, first)
                child.end = last
                value = UNKNOWN
                for j in range(first, last):
                    taking = np.int64(moves[j])
                    if target_of(taking) != target:
                        continue
                    taken = do_recapture(position, taking)
                    if taken == EMPTY:
                        continue
                    value = search_node(context, position, control, moves, keys, stack, ply + 2, longest)
                    undo_recapture(position, taking, taken)
                    if value == PROVEN or value == ABORTED:
                        falls = value == PROVEN
                        break
                undo_move(position, move, captured)
                if value == ABORTED:
                    return ABORTED
                if is_drop(move):
                    if falls:
                        useless |= bit(target)
                    else:
                        useful |= bit(target)
            if not falls:
                moves[kept] = move
                kept += 1
        pending = kept
        # Their own lengths.
        raised = pending == start
        plies = max(longest, 2)
        while plies <= budget and not raised:
            kept = start
            for i in range(start, pending):
                move = np.int64(moves[i])
                captured = do_move(position, move)
                value = search_node(context, position, control, moves, keys, stack, ply + 1, plies - 1)
                undo_move(position, move, captured)
                if value == ABORTED:
                    return ABORTED
                if value == DISPROVEN:
                    here.best = move
                    return conclude(context, position, here, attacker, DISPROVEN, budget, control[NODES] - before)
                if value == PROVEN:
                    if child.length + 1 > longest:
                        longest = child.length + 1
                        here.best = move
                        raised = True
                else:
                    moves[kept] = move
                    kept += 1
            pending = kept
            raised = raised or pending == start
            plies += 2
        if not raised:
            here.best = np.int64(moves[start])
            here.lower = here.best
            return conclude(context, position, here, attacker, UNKNOWN, budget, control[NODES] - before)
    here.length = longest
    return conclude(context, position, here, attacker, PROVEN, budget, control[NODES] - before)


@compiled
def may_be_useless(position):
    """Say whether all evasions may be useless interpositions: a check from a distance, and the king can't move."""
    if king_flights(position, position.side):
        return False
    return popcount(interposition_squares(position)) > 0


@compiled
def lasts_longer(context, position, move, attacker, budget):
    """Return DISPROVEN or UNKNOWN if the table knows that after `move` a defender is not mated within `budget` in all.

    Otherwise return PROVEN.
    """
    captured = do_move(position, move)
    found = probe(context, position, attacker)
    undo_move(position, move, captured)
    if found == NOT_FOUND:
        return PROVEN
    entry = entry_at(context, found)
    if entry.value == DISPROVEN:
        return DISPROVEN
    known = np.int64(entry.length) - 2 if entry.value == PROVEN else np.int64(entry.budget)
    return UNKNOWN if known >= budget - 1 else PROVEN


@compiled
def conclude(context, position, here, attacker, result, budget, effort):
    """Store a node's result and return it; `effort`: nodes entered for it."""
    entry = incoming_of(part(context, table.SLOT))
    entry.value = result
    entry.length = here.length
    entry.move = here.best
    entry.budget = budget
    entry.worth = budget
    entry.effort = min(effort, LARGEST_COUNT)
    store(context, position, attacker, entry)
    return result


@hookimpl
def hisshi_search():
    """Offer the search."""
    return mate_published
