"""Hisshi search by depth: checks and threatmates, deepened iteratively by two plies.

A threatmate (詰めろ) is a move after which the attacker would mate if the defender passed. An n-ply hisshi (必至) is a
forced sequence of checks and threatmates whose n-th ply is a threatmate that no move avoids. Which of the defender's
moves count is the part `hisshi_rule`'s business; whether there is a mate, the part `mate`'s. A mate at the root is the
answer, with a length of 0 plies of hisshi. At every other attacker's node there is none: the defender's move before was
tested for it. If the test looks at short mates only, a check without a surviving evasion is a mate all the same.

What a node is said to have no hisshi within is so by the candidates and mates that the search looks at. It is true
where all of them are looked at: then, and only then, lengths are said to be the shortest.

A position that repeats is of no use to the attacker: fewer plies are left there than before. So nothing looks for it.

Source: KFEnd, "Hisshi search", 2000.
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_attacked, is_in_check
from hisshi.core.kernel.context import part
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
from hisshi.core.kernel.generation import MAX_MOVES, all_moves
from hisshi.core.kernel.hisshi_search import (
    ABORTED,
    ATTACK_MATE_PLIES,
    DEFENCE_MATE_PLIES,
    FIRST_OPTION,
    HISSHI,
    MATED,
    MAX_PLIES,
    MOST_DELAYS,
    NO_ATTACK,
    ONE_LEFT,
    PARTS,
    ask_mate,
    ask_threat,
    begin_hisshi_search,
    failed_score,
    hisshi_options,
    looks_at_all,
    moves_to,
)
from hisshi.core.kernel.interpositions import interposes
from hisshi.core.kernel.moves import NO_MOVE, do_move, hand_over, target_of, undo_move
from hisshi.core.kernel.pieces import EMPTY, NO_SQUARE
from hisshi.core.kernel.roles import table
from hisshi.core.kernel.roles.attack_candidates import call_attack_candidates
from hisshi.core.kernel.roles.defence_candidates import call_defence_candidates
from hisshi.core.kernel.roles.hisshi_rule import call_hisshi_rule
from hisshi.core.kernel.roles.move_order import call_move_order
from hisshi.core.kernel.roles.table import NOT_FOUND, entry_at, probe, store
from hisshi.core.kernel.stack import MAX_PLY, begin_node, bring_to_front, keys_of, moves_of, sort_moves, stack_of
from hisshi.core.kernel.state import occupied_squares
from hisshi.core.kernel.table import DISPROVEN, LARGEST_COUNT, PROVEN, UNKNOWN, incoming_of

# Places of the options in context.options, behind those of `hisshi_options`.
FIRST_MATE_PLIES, LOOK_AHEAD, EXACT_LENGTHS, SORT_ROOT, USELESS_DELAYS, TEST = range(FIRST_OPTION, FIRST_OPTION + 6)
LEAF, GENERAL = 1, 2  # values of the option `useless_delays`
BATCH = 1  # value of the option `test`


@implements(
    "search",
    options=[
        *hisshi_options(max_plies=5),
        Option("first_mate_plies", 0, "plies of a mate that makes a first move a threat; 0: attack_mate_plies", low=0),
        Option("look_ahead", 1, "plies of a hisshi that is tried first where more are left; 0: none", low=0, high=99),
        Option("exact_lengths", False, "at every attacker's node try every number of plies, the shortest first"),
        Option("sort_root", True, "between iterations sort the first moves by the scores that they have got"),
        Option(
            "useless_delays",
            "leaf",
            "a defender's move that is only taken: counts (off), does not at the end of a line (leaf), or anywhere",
            choices=("off", "leaf", "general"),
        ),
        Option(
            "test",
            "each",
            "when the defender's moves are tested for mates: each before it is expanded, or all in advance",
            choices=("each", "batch"),
        ),
    ],
    parts=PARTS,
    goal="hisshi",
    source="KFEnd, Hisshi search, 2000",
    status="experimental",
)
def hisshi_depth_id(context, position, plies):
    """Shortest hisshi by iterative deepening; a mate is looked for first."""
    control = control_of(context)
    moves, keys, stack = moves_of(context), keys_of(context), stack_of(context)
    most = context.options[MAX_PLIES]
    if 0 < plies < most:
        most = plies
    for ply in range(context.options[MAX_PLIES] + 2 * MOST_DELAYS + 4):
        stack[ply].lower = NO_MOVE
    mate = begin_hisshi_search(context, position, control)
    if mate == PROVEN:
        return PROVEN
    value = search_node(context, position, control, moves, keys, stack, np.int64(0), most, NO_SQUARE)
    if mate == ABORTED or value == ABORTED:
        return UNKNOWN
    root = stack[0]
    context.answer_score = root.upper
    if value == PROVEN:
        context.answer_move = root.best
        context.answer_plies = root.length
        exact = root.budget >= root.length - 2 and mate == DISPROVEN and sees_all(context)
        context.answer_exact = 1 if exact and counts_exactly(context) else 0
        return PROVEN
    all_seen = value == DISPROVEN and mate == DISPROVEN and sees_all(context)
    give_up(control, GAVE_UP_SCHEDULE if all_seen else GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def sees_all(context):
    """Say whether no move, and no mate for its length, is left out of the search."""
    return looks_at_all(context) and context.options[FIRST_MATE_PLIES] == 0


@compiled
def counts_exactly(context):
    """Say whether lengths inside the line are exact where it matters: what is a useless delay may depend on them."""
    return context.options[EXACT_LENGTHS] != 0 or context.options[USELESS_DELAYS] != GENERAL


@compiled
def search_node(context, position, control, moves, keys, stack, ply, left, square):
    """Search the node at `ply`; return PROVEN, DISPROVEN, UNKNOWN or ABORTED.

    At an attacker's node, where he has no mate: is there a hisshi of at most `left` plies, an odd number? At a
    defender's: does every answer that counts lose, to a mate or to a hisshi of less than `left` plies, an even number?
    With a `square`, at an attacker's node after a move to it that may be a useless delay: does an answer to it lead to
    a defender's node with `left` plies, an even number, in which every answer loses?

    Writes best move, length and score (field `upper`) of its node into the stack; and, at an attacker's node, the
    number of plies within which there is no hisshi (field `budget`; -1 for none). Long, since it must call itself:
    functions that call each other are not cached.
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
        # 1. The defender's moves; in a batch, those that count and do not lose to a mate.
        checked = is_in_check(position, position.side)
        end = call_defence_candidates(context, position, moves, start)
        here.end = end
        call_move_order(context, position, moves, keys, start, end)
        sort_moves(moves, keys, start, end)
        if here.lower != NO_MOVE:  # what saved him at another node of this ply
            bring_to_front(moves, keys, start, end, here.lower)
        batch = context.options[TEST] == BATCH
        if batch:
            end = test_all(context, position, control, moves, keys, start, end)
            if end < start:
                return ABORTED
        # 2. What does not lose to a mate must lose to a hisshi, or be put off: it may be a useless delay.
        delays = context.options[USELESS_DELAYS]
        saved, waiting = False, start
        for i in range(start, end):
            move = np.int64(moves[i])
            if not batch and call_hisshi_rule(context, position, move) == 0:
                continue
            delay = (delays == LEAF and left == 0) or (
                delays == GENERAL and (not checked or interposes(position, move))
            )
            captured = do_move(position, move)
            mate = np.int64(keys[i])
            if not batch:
                mate = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
            value, score = mate, np.int64(ONE_LEFT)
            if mate == DISPROVEN or mate == UNKNOWN:
                saved = True
                if left > 0:
                    value = search_node(context, position, control, moves, keys, stack, ply + 1, left - 1, NO_SQUARE)
                    score = child.upper
                    if value == DISPROVEN:
                        value = mate
                delay = delay and value != PROVEN and can_be_delay(position, target_of(move), delays)
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            if value == PROVEN:
                if mate != PROVEN and child.length > 0 and child.length + 1 > here.length:
                    here.length = child.length + 1
            elif delay:
                moves[waiting], keys[waiting] = move, value
                waiting += 1
            else:
                here.lower = move
                here.upper = failed_score(score, position, moves, i + 1, end)
                return value
        # 3. What was put off is useless if an answer to it leads to a hisshi that is no longer than without it.
        for i in range(start, waiting):
            move = np.int64(moves[i])
            captured = do_move(position, move)
            target = target_of(move)
            value = search_node(context, position, control, moves, keys, stack, ply + 1, here.length, target)
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            if value != PROVEN:
                here.lower = move
                here.upper = ONE_LEFT
                return value if keys[i] == DISPROVEN else np.int64(UNKNOWN)  # whether it loses may be undecided
        if checked and not saved:
            here.length = MATED
        here.upper = HISSHI - here.length
        return PROVEN
    # 4. The attacker: what the table knows, and his moves.
    attacker = position.side
    delayed = square != NO_SQUARE
    general = delayed and context.options[USELESS_DELAYS] == GENERAL
    hint, longer, shown, failed = NO_MOVE, np.int64(0), np.int64(-1), np.int64(ONE_LEFT)
    if delayed:
        if ply > context.options[MAX_PLIES] + 2 * MOST_DELAYS:
            return UNKNOWN
        if general and is_in_check(position, attacker):
            end = all_moves(position, moves, start, False)
        else:
            end = moves_to(position, moves, start, square)
    else:
        found = probe(context, position, attacker)
        if found != NOT_FOUND:
            entry = entry_at(context, found)
            hint, shown, failed = np.int64(entry.move), np.int64(entry.budget), np.int64(entry.first)
            if entry.value == PROVEN:
                longer = np.int64(entry.length)
                here.best, here.length, here.budget, here.upper = hint, longer, shown, HISSHI - longer
                if longer <= left:
                    return PROVEN
            here.upper = failed
            if shown >= left:
                return DISPROVEN
        end = call_attack_candidates(context, position, moves, start)
    here.end = end
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if hint != NO_MOVE:
        bring_to_front(moves, keys, start, end, hint)
    # 5. Checks and threatmates: by every number of plies, or by that of the look-ahead and by all that are left.
    every = ply == 0 or context.options[EXACT_LENGTHS] != 0
    ahead = (context.options[LOOK_AHEAD] - 1) | 1  # an even number counts as one less
    plies, last = shown + 2, np.int64(left)
    if delayed:
        plies = last = left + 1  # the answer is not counted: the defender then has as many left as before
    elif not every:
        plies = ahead if plies <= ahead < left else last
    threat_plies = context.options[ATTACK_MATE_PLIES]
    if ply == 0 and context.options[FIRST_MATE_PLIES] != 0:
        threat_plies = context.options[FIRST_MATE_PLIES]
    tested, undecided = False, False
    result = np.int64(DISPROVEN)
    while plies <= last:
        if ply == 0:
            control[ITERATION] = plies
        result = np.int64(DISPROVEN)
        here.upper = NO_ATTACK
        kept = start
        for i in range(start, end):
            move = np.int64(moves[i])
            captured = do_move(position, move)
            given = general and captured != EMPTY
            if given:  # he does without what he took
                hand_over(position, attacker, captured & 7)
            checks = is_in_check(position, position.side)
            threat = np.int64(PROVEN)
            if not checks and not tested:
                threat = ask_threat(context, position, control, threat_plies)
            value, score = threat, np.int64(NO_ATTACK)
            if threat == PROVEN:
                value = np.int64(DISPROVEN)  # the last ply is no check
                if not checks or plies > 1:
                    value = search_node(context, position, control, moves, keys, stack, ply + 1, plies - 1, NO_SQUARE)
                    score = child.upper
                moves[kept], keys[kept] = move, score
                kept += 1
            if given:
                hand_over(position, 1 - attacker, captured & 7)
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            if value == PROVEN:
                here.best, here.length, here.budget = move, child.length + 1, shown
                here.upper = HISSHI - here.length
                if not delayed:
                    conclude(context, position, here, attacker, PROVEN, failed, control[NODES] - before)
                return PROVEN
            here.upper = max(here.upper, score)
            undecided |= threat == UNKNOWN
            if value == UNKNOWN:
                result = np.int64(UNKNOWN)
        end, tested = kept, True
        if undecided:
            result = np.int64(UNKNOWN)
        if result == DISPROVEN and not delayed:
            shown, failed = plies, here.upper
            here.best, here.length, here.budget = hint, longer, shown
            conclude(
                context, position, here, attacker, PROVEN if longer else DISPROVEN, failed, control[NODES] - before
            )
        if ply == 0 and context.options[SORT_ROOT] != 0:  # what came nearest is tried first with more plies
            sort_moves(moves, keys, start, end)
        if every:
            plies += 2
        else:
            plies = last if plies < last else last + 2
    return result


@compiled
def test_all(context, position, control, moves, keys, start, end):
    """Keep of moves[start:end] what counts and does not lose to a mate, the mate search's verdict as its key.

    Return the new end, less than `start` if the search was told to give up.
    """
    kept = start
    for i in range(start, end):
        move = np.int64(moves[i])
        if call_hisshi_rule(context, position, move) == 0:
            continue
        captured = do_move(position, move)
        mate = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
        undo_move(position, move, captured)
        if mate == ABORTED:
            return start - 1
        if mate != PROVEN:
            moves[kept], keys[kept] = move, mate
            kept += 1
    return kept


@compiled
def can_be_delay(position, square, delays):
    """Say whether the attacker, to move, may have an answer to the piece on `square`: he takes it, or is in check."""
    if is_attacked(position, square, position.side, occupied_squares(position)):
        return True
    return delays == GENERAL and is_in_check(position, position.side)


@compiled
def conclude(context, position, here, attacker, result, failed, effort):
    """Store an attacker's node: a hisshi of its `length`, or none; and that there is none within its `budget`.

    `failed`: the score there.
    """
    entry = incoming_of(part(context, table.SLOT))
    entry.value = result
    entry.length = here.length
    entry.move = here.best
    entry.budget = here.budget
    entry.worth = max(here.length, here.budget)
    entry.first = failed
    entry.effort = min(effort, LARGEST_COUNT)
    store(context, position, attacker, entry)


@hookimpl
def hisshi_search():
    """Offer the search."""
    return hisshi_depth_id
