"""Mate search by df-pn: depth-first proof-number search.

Each node has a proof number pn (how many leaves must still be proven for a mate) and a disproof number dn; the most
promising leaf is expanded until one of them is 0. Numbers saturate below `INFINITE`, which only a decided node has.

What makes it right: a position that repeats an ancestor, or has less in hand than one, is a failure on this path alone;
results that rely on it are stored under a key of the whole path. What makes it fast is an option each, so that its
worth can be measured.

Sources: Nagai, df-pn and its application to tsume-shogi (2002); Kishimoto, threshold control against cycles (2010);
Pawlewicz and Lew, the 1+epsilon trick (2007); Ueda et al., weak proof numbers (2008).
"""

import numpy as np

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import attacks_from
from hisshi.core.kernel.bitboard import bit, popcount
from hisshi.core.kernel.context import COMPLETE, array_reader, part, part_has
from hisshi.core.kernel.control import GAVE_UP_DEPTH, GAVE_UP_SCHEDULE, NODES, control_of, enter_node, give_up
from hisshi.core.kernel.dominance import EVERY_PLY, NOTHING, find, found_entry, keep
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.hands import held_kinds, larger_of, packed_hand, smaller_of
from hisshi.core.kernel.mate import king_flights, mate_among
from hisshi.core.kernel.moves import (
    NO_MOVE,
    board_key_after,
    do_move,
    is_drop,
    is_promotion,
    kind_after,
    source_of,
    target_of,
    undo_move,
)
from hisshi.core.kernel.proof_numbers import (
    CHILD,
    INFINITE,
    NODE,
    children_array,
    limits,
    mixed,
    nodes_array,
    path_after,
    summarise,
)
from hisshi.core.kernel.proof_pieces import (
    disproof_through,
    hand_after,
    hand_before,
    needed_against_drops,
    no_check_hand,
)
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.roles import checks, table
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.stack import MAX_PLY, MOVE_BUFFER, moves_of
from hisshi.core.kernel.state import king_square, occupied_squares
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN, incoming_of, prefetch_bucket, prefetch_entries

# Places of the options.
DOMINANCE, MATE_IN_ONE, LOOK_AHEAD, DELAY, ESTIMATE, WEAK, EPSILON = range(7)

CHILDREN_ARRAY, NODES_ARRAY, PATH_ARRAY = 3, 4, 5  # places of its arrays, behind those of the role
PATH_COUNTS = 1 << 12  # small enough for the first-level cache
path_array = array_reader(np.dtype(np.int16))


@implements(
    "search",
    options=[
        Option("dominance", True, "let proofs and disproofs answer for better and worse hands (proof pieces)"),
        Option("mate_in_one", True, "look for a mate in one at an attacker's node at once"),
        Option("look_ahead", True, "look for a mate in one, or no check, when an attacker's node is first met"),
        Option("delay", True, "interposing drops one after the other, declined promotions after promotions"),
        Option("estimate", True, "first numbers from the king's flights and the number of checks (df-pn+), not 1"),
        Option("weak", False, "weak numbers: the largest child's and one for each other, not the sum"),
        Option("epsilon", 0.25, "how far a child may exceed its best sibling", low=0.0, high=10.0),
    ],
    parts=["checks", "evasions", "table"],
    arrays=[
        Array("children", CHILD, MOVE_BUFFER),
        Array("nodes", NODE, MAX_PLY),
        Array("path", np.dtype(np.int16), PATH_COUNTS),
    ],
    source="Nagai 2002; Kishimoto 2010",
)
def mate_df_pn(context, position, plies):
    """Depth-first proof-number search."""
    context.calls += 1
    context.answer_move = NO_MOVE
    context.answer_plies = 0
    context.answer_exact = 0
    control = control_of(context)
    moves = moves_of(context)
    children = children_array(context.memory[CHILDREN_ARRAY], context.sizes[CHILDREN_ARRAY])
    nodes = nodes_array(context.memory[NODES_ARRAY], context.sizes[NODES_ARRAY])
    path = path_array(context.memory[PATH_ARRAY], context.sizes[PATH_ARRAY])
    allowed = plies if 0 < plies < EVERY_PLY else EVERY_PLY
    if allowed % 2 == 0:
        allowed -= 1
    root = nodes[0]
    root.board_key = position.board_key
    root.hand = packed_hand(position, position.side)
    root.met = 0
    root.path = mixed(root.board_key, root.hand)
    found, _, _ = find(context, position.side, root.board_key, root.hand, allowed, context.options[DOMINANCE])
    if found != NOTHING:
        entry = found_entry(context, root.board_key, found)
        if entry.value == PROVEN and entry.move != NO_MOVE and entry.length > 0:
            context.answer_move = entry.move
            context.answer_plies = entry.length
            return PROVEN
        if entry.value == DISPROVEN:
            return disproven_or_unknown(context, control, entry.budget < EVERY_PLY)
    path[np.int64(root.board_key & np.uint64(PATH_COUNTS - 1))] += 1
    finished = search_node(
        context, position, control, moves, children, nodes, path, np.int64(0), allowed, INFINITE, INFINITE, np.int64(0)
    )
    path[np.int64(root.board_key & np.uint64(PATH_COUNTS - 1))] -= 1
    if not finished:
        return UNKNOWN
    if root.pn == 0:
        context.answer_move = root.best
        context.answer_plies = root.length
        return PROVEN
    return disproven_or_unknown(context, control, root.cut != 0)


@compiled
def disproven_or_unknown(context, control, cut):
    """Return a root's verdict without a mate within the plies allowed: unknown if `cut`, or if checks are left out."""
    if cut or not part_has(context, checks.SLOT, COMPLETE):
        give_up(control, GAVE_UP_SCHEDULE)
        return UNKNOWN
    return DISPROVEN


@compiled
def search_node(context, position, control, moves, children, nodes, path, ply, allowed, most_pn, most_dn, extend):
    """Search below nodes[ply], whose keys are set, until a number reaches its threshold; False to give up.

    Leaves pn, dn and, once decided, length, final hand and dependence in nodes[ply], and stores them.
    """
    before = control[NODES]
    if not enter_node(control):
        return False
    here = nodes[ply]
    attacking = ply % 2 == 0
    attacker = position.side if attacking else 1 - position.side
    prefetch_entries(part(context, table.SLOT), here.board_key)  # for `save`
    here.first = 0 if ply == 0 else nodes[ply - 1].end
    here.end = here.first
    here.cut = 0
    here.depends = MAX_PLY
    here.best = NO_MOVE
    here.length = 0
    if ply + 2 >= MAX_PLY or here.first + 2 * MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        here.pn, here.dn, here.depends, here.cut, here.final_hand = INFINITE, 0, 0, 1, here.hand
        return True
    # 1. Moves, and what is known of each child.
    if attacking:
        decided = expand_attacker(context, position, moves, children, nodes, path, ply, allowed)
    else:
        decided = expand_defender(context, position, moves, children, nodes, path, ply, allowed)
    if not decided:
        # 2. The most promising child, again and again.
        for i in range(here.first, here.end):
            child = children[i]  # its other fields are another node's while it is blocked
            if child.blocker < 0 and child.old != 0 and child.pn != 0 and child.dn != 0:
                extend += 1
                break
        best, second = summarise(children, here, attacking, context.options[WEAK])
        if extend > 0:
            most_pn = max(most_pn, min(here.pn + 1, INFINITE))
            most_dn = max(most_dn, min(here.dn + 1, INFINITE))
        while here.pn < most_pn and here.dn < most_dn and here.pn != 0 and here.dn != 0:
            child = children[best]
            if attacking:
                child_pn, child_dn = limits(context.reals[EPSILON], most_pn, second, most_dn, here.dn, child.dn)
            else:
                child_dn, child_pn = limits(context.reals[EPSILON], most_dn, second, most_pn, here.pn, child.pn)
            below = extend
            if child.fresh != 0 and below > 0:
                below -= 1
            move = np.int64(moves[best])
            next_node = nodes[ply + 1]
            next_node.board_key = child.board_key
            next_node.hand = child.hand
            next_node.met = min(child.met, ply + 1)
            next_node.path = path_after(here.path, child.board_key, child.hand)
            slot = np.int64(child.board_key & np.uint64(PATH_COUNTS - 1))
            path[slot] += 1
            captured = do_move(position, move)
            finished = search_node(
                context,
                position,
                control,
                moves,
                children,
                nodes,
                path,
                ply + 1,
                allowed - 1,
                child_pn,
                child_dn,
                below,
            )
            undo_move(position, move, captured)
            path[slot] -= 1
            if not finished:
                return False
            child.pn, child.dn = next_node.pn, next_node.dn
            child.length, child.final_hand = next_node.length, next_node.final_hand
            child.depends, child.cut = next_node.depends, next_node.cut
            child.fresh = 0
            if (child.dn if attacking else child.pn) == 0:
                release(context, position, moves, children, nodes, path, ply, best, allowed)
            best, second = summarise(children, here, attacking, context.options[WEAK])
        # 3. What decided children decide.
        if here.pn == 0 or here.dn == 0:
            decide(context, position, moves, children, here, attacking, attacker)
    save(context, here, ply, attacker, allowed, control[NODES] - before)
    return True


@compiled
def look_up(context, attacker, child, nodes, path, ply, allowed):
    """Fill in what is known of a child at ply + 1, whose keys are set; False if nothing is. `allowed`: its plies."""
    child.length = 0
    child.depends = MAX_PLY
    child.cut = 0
    child.old = 0
    child.fresh = 0
    child.met = ply + 1
    child.pn = 1
    child.dn = 1
    # 1. An ancestor with this board and at least this hand: nothing gained on this path.
    if path[np.int64(child.board_key & np.uint64(PATH_COUNTS - 1))] != 0:
        for earlier in range(ply - 1, -1, -2):
            node = nodes[earlier]
            if node.board_key == child.board_key and larger_of(node.hand, child.hand) == node.hand:
                child.pn, child.dn, child.depends, child.final_hand = INFINITE, 0, earlier, child.hand
                return True
    # 2. The table.
    dominance = context.options[DOMINANCE]
    found, least_pn, least_dn = find(context, attacker, child.board_key, child.hand, allowed, dominance)
    if found == NOTHING:
        child.fresh = 1
        child.pn, child.dn = least_pn, least_dn
        return False
    entry = found_entry(context, child.board_key, found)
    if entry.value == PROVEN:
        child.pn, child.dn, child.length, child.final_hand = 0, INFINITE, entry.length, entry.hands[attacker]
    elif entry.value == DISPROVEN:
        child.pn, child.dn, child.final_hand = INFINITE, 0, entry.hands[attacker]
        child.cut = 1 if entry.budget < EVERY_PLY else 0
    else:
        child.pn, child.dn = max(least_pn, np.int64(entry.first)), max(least_dn, np.int64(entry.second))
        child.met = entry.budget
        child.old = 1 if entry.budget < ply + 1 else 0
        if entry.mark != 0:  # 3. There are disproofs that rely on a path: perhaps on this one.
            key = path_after(nodes[ply].path, child.board_key, child.hand)
            found, _, _ = find(context, attacker, key, child.hand, allowed, 0)
            if found != NOTHING:
                entry = found_entry(context, key, found)
                if entry.value == DISPROVEN:
                    child.pn, child.dn, child.final_hand = INFINITE, 0, child.hand
                    child.depends = np.int64(entry.first)
                    child.cut = 1 if entry.budget < EVERY_PLY else 0
    return True


@compiled
def expand_attacker(context, position, moves, children, nodes, path, ply, allowed):
    """Generate the checks of nodes[ply] and look their positions up; True if the node is decided at once."""
    here = nodes[ply]
    attacker = position.side
    start = here.first
    end = call_checks(context, position, moves, start)
    here.end = end
    if end == start:
        here.pn, here.dn = INFINITE, 0
        here.final_hand = no_check_hand(position, attacker, here.hand)
        return True
    # A node that was looked ahead to when it was first met has none.
    if context.options[MATE_IN_ONE] != 0 and (ply == 0 or context.options[LOOK_AHEAD] == 0):
        move = mate_among(position, moves, start, end)
        if move != NO_MOVE:
            mated_by(position, here, move, attacker)
            return True
    if allowed <= 1 and context.options[MATE_IN_ONE] != 0:
        here.pn, here.dn, here.cut, here.final_hand = INFINITE, 0, 1, here.hand
        return True
    flights = king_flights(position, 1 - attacker)
    entries = part(context, table.SLOT)
    for i in range(start, end):
        move = np.int64(moves[i])
        child = children[i]
        child.board_key = board_key_after(position, move)
        child.hand = hand_after(position, here.hand, move)
        child.blocker = -1
        prefetch_bucket(entries, child.board_key)
    for i in range(start, end):
        move = np.int64(moves[i])
        if context.options[DELAY] != 0 and i > start and not is_drop(move) and not is_promotion(move):
            # Generators write the promotions of a piece before its other moves.
            for j in range(i - 1, start - 1, -1):
                if source_of(moves[j]) != source_of(move):
                    break
                if target_of(moves[j]) == target_of(move):
                    if children[j].dn != 0:
                        children[i].blocker = j
                    break
        if children[i].blocker < 0:
            meet_defender(context, position, move, flights, children[i], nodes, path, ply, attacker, allowed)
    return False


@compiled
def meet_defender(context, position, move, flights, child, nodes, path, ply, attacker, allowed):
    """Look up, or estimate, a defender's node that is a child of nodes[ply]."""
    if not look_up(context, attacker, child, nodes, path, ply, allowed - 1):
        if context.options[ESTIMATE] != 0:
            # The squares that the king could flee to now, less those that the checking piece attacks from its target.
            target = target_of(move)
            without_king = occupied_squares(position) & ~bit(king_square(position, 1 - attacker))
            left = flights & ~bit(target) & ~attacks_from(attacker, kind_after(move), target, without_king)
            child.pn = max(child.pn, 1 + popcount(left))


@compiled
def meet_attacker(context, position, move, moves, child, nodes, path, ply, attacker, allowed):
    """Look up, or look ahead to, or estimate, an attacker's node that is a child of nodes[ply]."""
    if not look_up(context, attacker, child, nodes, path, ply, allowed - 1) and context.options[LOOK_AHEAD] != 0:
        captured = do_move(position, move)
        look_ahead(context, position, moves, child, nodes[ply].end, allowed - 1)
        undo_move(position, move, captured)


@compiled
def release(context, position, moves, children, nodes, path, ply, resolved, allowed):
    """Meet the children that waited for child `resolved`, and those that waited for them."""
    attacking = ply % 2 == 0
    here = nodes[ply]
    for i in range(resolved + 1, here.end):
        child = children[i]
        if child.blocker < 0:
            continue
        other = children[child.blocker]
        if (other.dn if attacking else other.pn) != 0 or other.blocker >= 0:
            continue
        child.blocker = -1
        if attacking:
            meet_defender(
                context,
                position,
                np.int64(moves[i]),
                king_flights(position, 1 - position.side),
                child,
                nodes,
                path,
                ply,
                position.side,
                allowed,
            )
        else:
            meet_attacker(
                context, position, np.int64(moves[i]), moves, child, nodes, path, ply, 1 - position.side, allowed
            )


@compiled
def expand_defender(context, position, moves, children, nodes, path, ply, allowed):
    """Generate the evasions of nodes[ply] and look their positions up; True if the node is decided at once."""
    here = nodes[ply]
    attacker = 1 - position.side
    start = here.first
    end = call_evasions(context, position, moves, start)
    here.end = end
    if end == start:
        here.pn, here.dn = 0, INFINITE
        here.final_hand = needed_against_drops(position, attacker, here.hand)
        return True
    if allowed <= 0:
        here.pn, here.dn, here.cut, here.final_hand = INFINITE, 0, 1, here.hand
        return True
    entries = part(context, table.SLOT)
    for i in range(start, end):
        child = children[i]
        child.board_key = board_key_after(position, np.int64(moves[i]))
        child.hand = here.hand
        child.blocker = -1
        prefetch_bucket(entries, child.board_key)
    last_drop = -1
    for i in range(start, end):
        move = np.int64(moves[i])
        child = children[i]
        if context.options[DELAY] != 0 and is_drop(move):
            if last_drop >= 0:
                if children[last_drop].pn != 0 or children[last_drop].blocker >= 0:
                    child.blocker = last_drop
            last_drop = i
        if child.blocker >= 0:
            continue
        meet_attacker(context, position, move, moves, child, nodes, path, ply, attacker, allowed)
        if child.dn == 0 and child.depends == MAX_PLY:
            # Disproven here and now: no need to look at the rest.
            here.pn, here.dn = INFINITE, 0
            here.best = move
            here.cut = child.cut
            here.final_hand = disproof_through(position, attacker, here.hand, move, child.final_hand)
            return True
    return False


@compiled
def look_ahead(context, position, moves, child, start, allowed):
    """Decide an attacker's node, met for the first time, if it has no check or a mate in one; else estimate it."""
    end = call_checks(context, position, moves, start)
    if end == start:
        child.pn, child.dn, child.fresh = INFINITE, 0, 0
        child.final_hand = no_check_hand(position, position.side, child.hand)
        return
    move = mate_among(position, moves, start, end)
    if move != NO_MOVE:
        child.pn, child.dn, child.length, child.fresh = 0, INFINITE, 1, 0
        captured = do_move(position, move)
        needed = needed_against_drops(position, 1 - position.side, packed_hand(position, 1 - position.side))
        undo_move(position, move, captured)
        child.final_hand = hand_before(position, needed, move)
        return
    if allowed <= 1:
        child.pn, child.dn, child.cut, child.final_hand, child.fresh = INFINITE, 0, 1, child.hand, 0
        return
    if context.options[ESTIMATE] != 0:
        child.dn = max(child.dn, 1 + (end - start) // 8)


@compiled
def mated_by(position, here, move, attacker):
    """Note that `move` mates."""
    here.pn, here.dn, here.length, here.best = 0, INFINITE, 1, move
    captured = do_move(position, move)
    needed = needed_against_drops(position, attacker, packed_hand(position, attacker))
    undo_move(position, move, captured)
    here.final_hand = hand_before(position, needed, move)


@compiled
def decide(context, position, moves, children, here, attacking, attacker):
    """Write length, best move, final hand and dependence of a node that its children have just decided."""
    good = (here.pn == 0) == attacking  # one child decides; else all of them do
    if good:
        chosen = NOTHING
        for i in range(here.first, here.end):
            child = children[i]
            if child.blocker >= 0 or (child.pn if attacking else child.dn) != 0:
                continue
            if chosen == NOTHING:
                chosen = i
            elif attacking:
                if child.length < children[chosen].length:
                    chosen = i
            elif child.depends > children[chosen].depends:
                chosen = i
        child = children[chosen]
        move = np.int64(moves[chosen])
        here.best = move
        if attacking:
            here.length = child.length + 1
            here.final_hand = hand_before(position, child.final_hand, move)
        else:
            here.depends, here.cut = child.depends, child.cut
            here.final_hand = disproof_through(position, attacker, here.hand, move, child.final_hand)
        return
    if attacking:
        total = here.hand + packed_hand(position, 1 - attacker)
        final = total
        for i in range(here.first, here.end):
            child = children[i]
            if child.depends < here.depends:
                here.depends = child.depends
            if child.cut != 0:
                here.cut = 1
            final = smaller_of(final, hand_before(position, child.final_hand, np.int64(moves[i])))
        here.final_hand = larger_of(final & held_kinds(here.hand), here.hand)
        return
    needed = needed_against_drops(position, attacker, here.hand)
    for i in range(here.first, here.end):
        child = children[i]
        if child.length >= here.length:
            here.length = child.length + 1
            here.best = np.int64(moves[i])
        needed = larger_of(needed, child.final_hand)
    here.final_hand = needed


@compiled
def save(context, here, ply, attacker, allowed, effort):
    """Store a node's numbers or verdict."""
    dominance = context.options[DOMINANCE]
    entry = incoming_of(part(context, table.SLOT))
    entry.board_key = here.board_key
    entry.hands[attacker] = here.hand
    entry.move = here.best
    entry.effort = min(effort, 0x7FFFFFFF)
    entry.length = 0
    entry.mark = 0
    if here.pn == 0:
        entry.value = PROVEN
        entry.length = here.length
        entry.budget = 0
    elif here.dn == 0:
        entry.value = DISPROVEN
        entry.budget = allowed if here.cut != 0 else EVERY_PLY
        if here.depends < ply:
            entry.first = here.depends
            entry.second = 0
            entry.board_key = here.path
            keep(context, attacker, entry, here.hand, 0)
            entry.board_key = here.board_key
            entry.value = UNKNOWN
            entry.mark = 1
            entry.first, entry.second = 64, 1
            entry.budget = here.met
    else:
        entry.value = UNKNOWN
        entry.first, entry.second = here.pn, here.dn
        entry.budget = here.met
    if entry.value != UNKNOWN and dominance != 0:
        entry.hands[attacker] = here.final_hand
    keep(context, attacker, entry, here.hand, dominance)


@hookimpl
def hisshi_search():
    """Offer the search."""
    return mate_df_pn
