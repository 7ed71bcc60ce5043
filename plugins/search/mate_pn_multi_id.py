"""Mate search by proof number, depth first: multiple iterative deepening over the number (Seo's C*).

The proof number of a node says how many leaves must still be proven. A node is searched with a threshold: until it is
decided or its number is as large. An attacker's node has its least child's number, a defender's the sum of its
children's; an evasion is searched with the threshold less what the others count for: 1 each, or what the table says of
them (dynamic estimate), 0 once proven. Thresholds rise 2, 3, … at the root and again at every attacker's node, checks
sorted by their last numbers in between. Where that differs from the text: docs/algorithms.md.

Sources: KFEnd, "Hisshi search", 2000, multiple iterative deepening; after Seo's C*.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.context import COMPLETE, part, part_has
from hisshi.core.kernel.control import (
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
from hisshi.core.kernel.roles import checks, table
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.roles.move_order import call_move_order
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
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN, incoming_of

INFINITE = 1 << 30  # the number of a node without a mate
LARGEST = 1 << 29  # the number of a node without a mate within the plies left: no threshold would decide it
UNDECIDED = -1
ABORTED = -2  # the search was told to give up; nothing is stored on the way out
EVERY_PLY = 1 << 30  # no limit in plies

MATE_IN_ONE, STATIC, ITERATE, MOST, MAX_PLIES = 0, 1, 2, 3, 4  # places of the options in context.options
AT_ATTACKER, AT_DEFENDER = 0, 1  # values of the option `iterate`; the third means both


@implements(
    "search",
    options=[
        Option("mate_in_one", True, "look for a mate in one at an attacker's node before going deeper"),
        Option("static", False, "an evasion not searched yet counts 1, whatever the table knows of it"),
        Option("iterate", "attacker", "whose nodes iterate; Seo: defender", choices=("attacker", "defender", "both")),
        Option("most", 10_000, "the largest threshold; KFEnd's hisshi search: 50", low=2, high=1_000_000),
        Option("max_plies", 0, "longest line to look at, 0 for no limit; KFEnd's hisshi search: 17", low=0, high=1999),
    ],
    parts=["checks", "evasions", "move_order", "table"],
    source="KFEnd, Hisshi search, 2000; Seo, C*",
)
def mate_pn_multi_id(context, position, plies):
    """Multiple iterative deepening over the proof number."""
    context.calls += 1
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    control = control_of(context)
    moves, keys, stack = moves_of(context), keys_of(context), stack_of(context)
    allowed, most = plies if plies > 0 else EVERY_PLY, context.options[MOST]
    if context.options[MAX_PLIES] > 0:
        allowed = min(allowed, context.options[MAX_PLIES])
    number = search_node(context, position, control, moves, keys, stack, np.int64(0), allowed, most)
    if number == 0:
        context.answer_move = stack[0].best
        context.answer_plies = stack[0].length
        return PROVEN
    if number == INFINITE:
        return DISPROVEN
    if number != ABORTED:
        give_up(control, GAVE_UP_SCHEDULE if number >= LARGEST and allowed == plies else GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def search_node(context, position, control, moves, keys, stack, ply, allowed, most):
    """Search the node at `ply` until it is decided or its proof number reaches `most`; return the number, or ABORTED.

    `allowed`: plies left under the caller's limit. Writes the node's length, best move and dependence into the stack. A
    child's number is kept in its key: negative for the attacker, so that the least sorts first.
    """
    before = control[NODES]
    if not enter_node(control):
        return ABORTED
    here = begin_node(stack, ply, position)
    # 1. Decided at once, or known; else the moves and what is known of each.
    here.depends = repeated_ply(stack, ply)
    if here.depends != MAX_PLY:
        return INFINITE
    number = look_up(context, position, control, moves, stack, ply, allowed, most)
    if number != UNDECIDED:
        return number
    number = expand(context, position, moves, keys, stack, ply, allowed)
    if number != UNDECIDED:
        return conclude(context, position, stack, ply, number, allowed, control[NODES] - before)
    attacking = here.attacker != 0
    child = stack[ply + 1]
    below = allowed - 1 if allowed < EVERY_PLY else EVERY_PLY
    iterates = context.options[ITERATE] != (AT_DEFENDER if attacking else AT_ATTACKER) or ply == 0
    limit = np.int64(2) if iterates else most
    while True:
        if ply == 0:
            control[ITERATION] = limit
        number = number_of(keys, here.first, here.end, attacking)
        for i in range(here.first, here.end):
            # 2. The child's threshold.
            last = abs(keys[i])
            threshold = limit
            if attacking:
                if last >= limit:
                    continue
            elif number >= limit:
                break
            elif last == 0:
                continue
            else:
                threshold = limit - (number - last)
            move = np.int64(moves[i])
            here.current = i
            captured = do_move(position, move)
            value = search_node(context, position, control, moves, keys, stack, ply + 1, below, threshold)
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            # 3. Its number. The attacker needs one proof, the defender one evasion that is not proven.
            if value >= LARGEST and child.depends < here.depends:
                here.depends = child.depends
            if value == 0 and (attacking or child.length >= here.length):
                here.best = move
                here.length = child.length + 1
            if attacking:
                keys[i] = -value
                if value == 0:
                    break
            elif value == 0:
                keys[i] = 0
                number -= last
            else:
                keys[i] = 1 if context.options[STATIC] != 0 else value
                number = value if value >= LARGEST else min(number - last + value, LARGEST - 1)
                here.best = move
                break
        # 4. The next threshold, unless it is the caller's turn.
        if attacking:
            number = number_of(keys, here.first, here.end, attacking)
        if number == 0 or number >= most:
            return conclude(context, position, stack, ply, number, allowed, control[NODES] - before)
        limit = number + 1
        sort_moves(moves, keys, here.first, here.end)


@compiled
def number_of(keys, first, end, attacking):
    """Return a node's proof number from its children's: the attacker's least, the defender's sum."""
    if attacking:
        least = np.int64(INFINITE)
        for i in range(first, end):
            least = min(least, -keys[i])
        return least
    total, largest = np.int64(0), np.int64(0)
    for i in range(first, end):
        total += keys[i]
        largest = max(largest, keys[i])
    # A sum of many undecided numbers never becomes what says "none within these plies".
    return np.int64(LARGEST) if largest >= LARGEST else min(total, np.int64(LARGEST - 1))


@compiled
def look_up(context, position, control, moves, stack, ply, allowed, most):
    """Return the number of a node that is decided, or known well enough, without its moves; else UNDECIDED.

    Leaves the table's move, if it knows one, as the node's best.
    """
    here = stack[ply]
    attacking = here.attacker != 0
    # 1. No room: not a matter of the position, hence no more than the caller asks for.
    if ply + 1 >= MAX_PLY or here.first + MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        return most
    # 2. The table. A proof longer than what is left must be found again.
    found = probe(context, position, stack[0].side)
    if found != NOT_FOUND:
        entry = entry_at(context, found)
        here.best = entry.move
        if entry.value == PROVEN:
            if entry.length <= allowed:
                here.length = entry.length
                return np.int64(0)
        elif entry.value == DISPROVEN:
            return np.int64(INFINITE)
        elif entry.first >= most and entry.budget >= allowed:
            return np.int64(entry.first)
    # 3. Mate on the board, or no plies left.
    if not attacking and not has_evasion(position):
        return np.int64(0)
    if allowed <= 0:
        return np.int64(LARGEST)
    return np.int64(UNDECIDED)


@compiled
def expand(context, position, moves, keys, stack, ply, allowed):
    """Write a node's moves in order and its children's first numbers; return its number if decided, else UNDECIDED."""
    here = stack[ply]
    start = here.first
    if here.attacker != 0:
        end = call_checks(context, position, moves, start)
        if context.options[MATE_IN_ONE] != 0:
            move = mate_among(position, moves, start, end)
            if move != NO_MOVE:
                here.best = move
                here.length = 1
                return np.int64(0)
            if allowed == 1 and end > start:
                return np.int64(LARGEST)
    else:
        end = call_evasions(context, position, moves, start)
    here.end = end
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if here.best != NO_MOVE:
        bring_to_front(moves, keys, start, end, here.best)
    if here.attacker == 0 and context.options[STATIC] == 0:
        return estimate(context, position, moves, keys, stack, ply, allowed - 1)
    for i in range(start, end):
        keys[i] = -1 if here.attacker != 0 else 1
    return np.int64(UNDECIDED)


@compiled
def estimate(context, position, moves, keys, stack, ply, below):
    """Write what the table says of each evasion's number, 1 if nothing; return INFINITE if one escapes, else UNDECIDED.

    `below`: plies left after the evasion.
    """
    here = stack[ply]
    for i in range(here.first, here.end):
        move = np.int64(moves[i])
        keys[i] = 1
        captured = do_move(position, move)
        found = probe(context, position, stack[0].side)
        undo_move(position, move, captured)
        if found == NOT_FOUND:
            continue
        entry = entry_at(context, found)
        if entry.value == DISPROVEN:
            here.best = move
            return np.int64(INFINITE)
        if entry.value == PROVEN:
            if entry.length <= below:
                keys[i] = 0
                if entry.length >= here.length:
                    here.best = move
                    here.length = entry.length + 1
        elif entry.budget >= below:
            keys[i] = entry.first
    return np.int64(UNDECIDED)


@compiled
def conclude(context, position, stack, ply, number, allowed, effort):
    """Store a node's number and return it.

    Not if no threshold would change it and it relies on an ancestor's being on the path. A generator that leaves out
    checks shows that there is a mate, never that there is none.
    """
    here = stack[ply]
    if number == INFINITE and here.attacker != 0 and not part_has(context, checks.SLOT, COMPLETE):
        number = np.int64(LARGEST)
    if number < LARGEST:
        here.depends = MAX_PLY
    if here.depends < ply:
        return number
    here.depends = MAX_PLY
    entry = incoming_of(part(context, table.SLOT))
    entry.value = PROVEN if number == 0 else DISPROVEN if number == INFINITE else UNKNOWN
    entry.length = here.length if number == 0 else 0
    entry.move = here.best
    entry.budget = allowed
    entry.first = number
    entry.second = 0
    entry.mark = 0
    entry.worth = number if number != 0 else INFINITE  # KFEnd: the larger number; what is decided is worth most
    entry.effort = min(effort + 1, np.int64(INFINITE))
    store(context, position, stack[0].side, entry)
    return number


@hookimpl
def hisshi_search():
    """Offer the search."""
    return mate_pn_multi_id
