"""Hisshi search by proof numbers: Seo's C* carried over, iterative deepening over them at every attacker's node.

An attacker's node tries the thresholds 2, 3, … up to its own, its moves sorted by the scores that they have got. A
defender's node gives what is left of its threshold, the moves not yet expanded counted off, to each move in turn; where
nothing is left it fails. These moves count 1 each (some do not count, see `failed_score`), or with `dynamic_pn` what
the table knows of them.

A line ends at `max_plies`: a reply that survives there is a leaf with the proof number 1. What failed for want of
plies answers only where as few are left, and what failed for its threshold only up to its proof number; what failed for
neither, with any number of both. So a mate of a hisshi, or none, found with few plies is not taken for one with more.

The text keeps the best score of smaller thresholds while it tries a larger one. That score is out of date: the move may
have failed for good since. Here each threshold begins anew.

Useless delays need a last ply, and there is none ahead of time. A defender's node is taken for the last if all moves
lose to mates but those that can be taken; then these are looked at as by the rule `leaf` of `hisshi-depth-id`.

Source: KFEnd, "Hisshi search", 2000; C*: Seo, 1998.
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
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.hisshi_search import (
    ABORTED,
    ATTACK_MATE_PLIES,
    DEFENCE_MATE_PLIES,
    FAILED,
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
from hisshi.core.kernel.moves import NO_MOVE, do_move, target_of, undo_move
from hisshi.core.kernel.pieces import NO_SQUARE
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
PROOF_NUMBER, DYNAMIC_PN, USELESS_DELAYS = range(FIRST_OPTION, FIRST_OPTION + 3)
NO_THRESHOLD = np.int64(1_000_000)
EVERY_PLY = 10_000  # of an entry that holds for any number of plies left
# Why a node failed, bits; none of them: for good.
CUT, SHORT, UNSURE = 1, 2, 4  # its threshold, its plies, a mate search that was undecided
REASONS = 8  # a move's key is its score times this plus the bits


@implements(
    "search",
    options=[
        *hisshi_options(max_plies=17),
        Option("proof_number", 50, "largest proof number to look for", low=2, high=100_000),
        Option("dynamic_pn", False, "moves not yet expanded count what the table knows of them, not 1 each"),
        Option(
            "useless_delays",
            "leaf",
            "a defender's move that is only taken: counts (off), or does not at the end of a line (leaf)",
            choices=("off", "leaf"),
        ),
    ],
    parts=PARTS,
    goal="hisshi",
    source="KFEnd, Hisshi search, 2000; Seo, C*, 1998",
    status="experimental",
)
def hisshi_pn_multi_id(context, position, plies):
    """Hisshi by proof numbers, deepened iteratively at every attacker's node; a mate is looked for first."""
    control = control_of(context)
    moves, keys, stack = moves_of(context), keys_of(context), stack_of(context)
    most = context.options[MAX_PLIES]
    if 0 < plies < most:
        most = plies
    most -= 1 - most % 2
    mate = begin_hisshi_search(context, position, control)
    if mate == PROVEN:
        return PROVEN
    threshold = np.int64(context.options[PROOF_NUMBER])
    value = search_node(context, position, control, moves, keys, stack, np.int64(0), most, threshold, NO_SQUARE)
    if mate == ABORTED or value == ABORTED:
        return UNKNOWN
    root = stack[0]
    context.answer_score = root.upper
    if value == PROVEN:
        context.answer_move = root.best
        context.answer_plies = root.length
        # There is nothing shorter than one ply, nor than a mate.
        context.answer_exact = 1 if root.length <= 1 and mate == DISPROVEN and looks_at_all(context) else 0
        return PROVEN
    reasons = root.budget
    if mate == DISPROVEN and looks_at_all(context):
        if reasons == 0:
            return DISPROVEN
        if reasons == SHORT:
            give_up(control, GAVE_UP_SCHEDULE)
            return UNKNOWN
    give_up(control, GAVE_UP_BUDGET)
    return UNKNOWN


@compiled
def search_node(context, position, control, moves, keys, stack, ply, left, threshold, square):
    """Search the node at `ply` for a proof of at most `threshold` leaves; return PROVEN, UNKNOWN or ABORTED.

    `left`: plies that are left, odd at an attacker's node, even at a defender's. With a `square`, at an attacker's node
    after a move to it that may be a useless delay: he takes it, and only mates are left.

    Writes best move, length, score (field `upper`) and the reasons of a failure (field `budget`) of its node into the
    stack. Long, since it must call itself: functions that call each other are not cached.
    """
    before = control[NODES]
    if not enter_node(control):
        return ABORTED
    here = begin_node(stack, ply, position)
    here.budget = 0
    child = stack[ply + 1]
    start = here.first
    if ply + 3 >= MAX_PLY or start + 2 * MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        return ABORTED
    if here.attacker == 0:
        # 1. The defender's moves that count, and whether the threshold has room for them.
        checked = is_in_check(position, position.side)
        end = call_defence_candidates(context, position, moves, start)
        kept = start
        for i in range(start, end):
            if call_hisshi_rule(context, position, np.int64(moves[i])) != 0:
                moves[kept] = moves[i]
                kept += 1
        end = kept
        here.end = end
        call_move_order(context, position, moves, keys, start, end)
        sort_moves(moves, keys, start, end)
        rest = unexpanded(context, position, moves, start, end)
        if rest >= threshold:
            here.upper, here.budget = max(FAILED - rest, NO_ATTACK + 1), CUT
            return UNKNOWN
        # 2. What does not lose to a mate must lose to a hisshi, or be put off: it may be a useless delay.
        delays = context.options[USELESS_DELAYS] != 0 and not checked
        waiting, others = start, 0
        for i in range(start, end):
            move = np.int64(moves[i])
            captured = do_move(position, move)
            mate = ask_mate(context, position, control, context.options[DEFENCE_MATE_PLIES])
            value = mate
            put_off = False
            if mate == DISPROVEN or mate == UNKNOWN:
                put_off = delays and is_attacked(position, target_of(move), position.side, occupied_squares(position))
                if not put_off:
                    others += 1
                    child.upper, child.budget, value = np.int64(ONE_LEFT), np.int64(SHORT), np.int64(UNKNOWN)
                    if left > 0:
                        undo_move(position, move, captured)
                        room = threshold - unexpanded(context, position, moves, i + 1, end)
                        captured = do_move(position, move)
                        value = search_node(
                            context, position, control, moves, keys, stack, ply + 1, left - 1, room, NO_SQUARE
                        )
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            if put_off:
                moves[waiting], keys[waiting] = move, mate
                waiting += 1
            elif value == PROVEN:
                if mate != PROVEN and child.length > 0 and child.length + 1 > here.length:
                    here.length = child.length + 1
            else:
                here.upper = failed(child.upper, unexpanded(context, position, moves, i + 1, end))
                here.budget = child.budget | (UNSURE if mate == UNKNOWN else 0)
                return UNKNOWN
        # 3. If nothing else is left, what was put off may be useless, all of it; else it is answered like the others.
        useless, undecided = others == 0, np.int64(0)
        for i in range(start, waiting):
            if not useless:
                break
            move = np.int64(moves[i])
            captured = do_move(position, move)
            target = target_of(move)
            value = search_node(
                context, position, control, moves, keys, stack, ply + 1, np.int64(1), NO_THRESHOLD, target
            )
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            useless, undecided = value == PROVEN, child.budget & UNSURE
        if not useless:
            for i in range(start, waiting):
                move, mate = np.int64(moves[i]), keys[i]
                child.upper, child.budget, value = np.int64(ONE_LEFT), np.int64(SHORT), np.int64(UNKNOWN)
                if left > 0:
                    room = threshold - (waiting - i - 1)
                    captured = do_move(position, move)
                    value = search_node(
                        context, position, control, moves, keys, stack, ply + 1, left - 1, room, NO_SQUARE
                    )
                    undo_move(position, move, captured)
                if value == ABORTED:
                    return ABORTED
                if value != PROVEN:
                    here.upper = failed(child.upper, waiting - i - 1)
                    here.budget = child.budget | undecided | (UNSURE if mate == UNKNOWN else 0)
                    return UNKNOWN
                if child.length > 0 and child.length + 1 > here.length:
                    here.length = child.length + 1
        if checked and others == 0 and waiting == start:
            here.length = MATED
        here.upper = HISSHI - here.length
        return PROVEN
    # 4. The attacker: what the table knows, and his moves.
    attacker = position.side
    delayed = square != NO_SQUARE
    hint = NO_MOVE
    if delayed:
        if ply > context.options[MAX_PLIES] + 2 * MOST_DELAYS:
            here.upper, here.budget = ONE_LEFT, UNSURE
            return UNKNOWN
        end = moves_to(position, moves, start, square)
    else:
        found = probe(context, position, attacker)
        if found != NOT_FOUND:
            entry = entry_at(context, found)
            hint = np.int64(entry.move)
            if entry.value == PROVEN:
                if entry.length <= left:
                    here.best, here.length, here.upper = hint, entry.length, HISSHI - entry.length
                    return PROVEN
            elif left <= entry.budget and answers(np.int64(entry.first), np.int64(entry.second), threshold):
                here.upper, here.budget = entry.first, entry.second
                return UNKNOWN
        end = call_attack_candidates(context, position, moves, start)
    here.end = end
    call_move_order(context, position, moves, keys, start, end)
    sort_moves(moves, keys, start, end)
    if hint != NO_MOVE:
        bring_to_front(moves, keys, start, end, hint)
    # 5. Checks and threatmates, one threshold after the other.
    tested, reasons_of_tests = False, 0
    for pn in range(threshold if delayed else 2, max(threshold, 2) + 1):
        if ply == 0:
            control[ITERATION] = pn
        best, reasons = np.int64(NO_ATTACK), np.int64(reasons_of_tests)
        kept = start
        for i in range(start, end):
            move = np.int64(moves[i])
            if tested and answers(keys[i] // REASONS, keys[i] % REASONS, pn):  # nothing new in its subtree
                best = max(best, keys[i] // REASONS)
                reasons |= keys[i] % REASONS
                kept += 1
                continue
            captured = do_move(position, move)
            checks = is_in_check(position, position.side)
            threat = np.int64(PROVEN)
            if checks and (delayed or left == 1):  # what answers a delay is a threatmate, and so is the last ply
                threat = np.int64(DISPROVEN)
                reasons |= SHORT
                reasons_of_tests |= SHORT
            elif not checks and not tested:
                threat = ask_threat(context, position, control, context.options[ATTACK_MATE_PLIES])
            value = threat
            if threat == PROVEN:
                value = search_node(
                    context, position, control, moves, keys, stack, ply + 1, left - 1, np.int64(pn), NO_SQUARE
                )
            undo_move(position, move, captured)
            if value == ABORTED:
                return ABORTED
            if value == PROVEN:
                here.best = move
                here.length = child.length + 1
                here.upper = HISSHI - here.length
                if not delayed:
                    conclude(context, position, here, attacker, PROVEN, EVERY_PLY, control[NODES] - before)
                return PROVEN
            if threat == PROVEN:
                moves[kept], keys[kept] = move, child.upper * REASONS + child.budget
                kept += 1
                best = max(best, child.upper)
                reasons |= child.budget
            elif threat == UNKNOWN:
                reasons |= UNSURE
                reasons_of_tests |= UNSURE
        end, tested = kept, True
        sort_moves(moves, keys, start, end)
        here.upper, here.budget = best, reasons
        if reasons & CUT == 0:
            break
    if not delayed:
        here.best = np.int64(moves[start]) if end > start else NO_MOVE
        plies = left if here.budget & SHORT != 0 else EVERY_PLY
        conclude(context, position, here, attacker, UNKNOWN, plies, control[NODES] - before)
    return UNKNOWN


@compiled
def answers(score, reasons, threshold):
    """Say whether a failure of `score` for `reasons` would be one with `threshold`, too."""
    return score == NO_ATTACK or reasons & CUT == 0 or FAILED - score >= threshold


@compiled
def failed(score, rest):
    """Return the score of a defender saved by a move of `score`, where `rest` is the proof number of those after it."""
    return score if score == NO_ATTACK else max(score - rest, NO_ATTACK + 1)


@compiled
def unexpanded(context, position, moves, start, end):
    """Return the proof number of the defender's moves[start:end], which have not been expanded."""
    if context.options[DYNAMIC_PN] == 0:
        return -failed_score(np.int64(0), position, moves, start, end)
    total = np.int64(0)
    attacker = 1 - position.side
    for i in range(start, end):
        move = np.int64(moves[i])
        captured = do_move(position, move)
        found = probe(context, position, attacker)
        undo_move(position, move, captured)
        if found == NOT_FOUND:
            total -= failed_score(np.int64(0), position, moves, i, i + 1)
            continue
        entry = entry_at(context, found)
        if entry.value == PROVEN:
            continue
        total += -NO_ATTACK if entry.first == NO_ATTACK else FAILED - entry.first
    return min(total, np.int64(-NO_ATTACK))


@compiled
def conclude(context, position, here, attacker, result, plies, effort):
    """Store an attacker's node: a hisshi of its `length`, or its failure, which holds with at most `plies` left."""
    entry = incoming_of(part(context, table.SLOT))
    entry.value = result
    entry.length = here.length
    entry.move = here.best
    entry.budget = plies
    entry.first = here.upper
    entry.second = here.budget
    entry.worth = LARGEST_COUNT if result == PROVEN else FAILED - here.upper
    entry.effort = min(effort, LARGEST_COUNT)
    store(context, position, attacker, entry)


@hookimpl
def hisshi_search():
    """Offer the search."""
    return hisshi_pn_multi_id
