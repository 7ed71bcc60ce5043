"""Mate search by df-pn: depth-first proof-number search.

Each node has a proof number pn (how many leaves must still be proven for a mate) and a disproof number dn; the most promising
leaf is expanded until one of them is 0. Numbers saturate below `INFINITE`, which only a decided node has.

What makes it right: a position that repeats an ancestor, or has less in hand than one, is a failure on this path alone; results that rely on
it are stored under a key of the whole path. What makes it fast is an option each, so that its worth can be measured.

Sources: Nagai, df-pn and its application to tsume-shogi (2002); Kishimoto, threshold control against cycles (2010);
Pawlewicz and Lew, the 1+epsilon trick (2007); Ueda et al., weak proof numbers (2008).
"""

import numpy as np
from numba import from_dtype

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.attacks import attacks_from, between, checkers_of
from hisshi.core.kernel.bitboard import bit, lowest, popcount, rest
from hisshi.core.kernel.context import COMPLETE, array_reader, part, part_has
from hisshi.core.kernel.control import GAVE_UP_DEPTH, GAVE_UP_SCHEDULE, NODES, control_of, enter_node, give_up
from hisshi.core.kernel.dominance import EVERY_PLY, NOTHING, find, found_entry, keep
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.hands import (
    NO_HAND,
    held_kinds,
    larger_of,
    packed_hand,
    smaller_of,
    with_one_less,
    with_one_more,
)
from hisshi.core.kernel.mate import king_flights, mate_among
from hisshi.core.kernel.moves import (
    NO_MOVE,
    board_key_after,
    do_move,
    is_drop,
    is_promotion,
    kind_after,
    kind_of,
    source_of,
    target_of,
    undo_move,
)
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.roles import checks, table
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.stack import MAX_PLY, MOVE_BUFFER, moves_of
from hisshi.core.kernel.state import king_square, occupied_squares, piece_on
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN, incoming_of, prefetch_bucket, prefetch_entries

INFINITE = 1 << 31  # the number of a decided node
LARGEST = 1 << 29  # the largest number that an undecided node can have

# Places of the options.
DOMINANCE, MATE_IN_ONE, LOOK_AHEAD, DELAY, ESTIMATE, WEAK, EPSILON = range(7)

CHILD = np.dtype(
    [
        ("board_key", np.uint64),
        ("hand", np.uint64),  # the attacker's, after the move
        ("final_hand", np.uint64),  # once decided: the hand that the proof needs, or the largest that the disproof stands against
        ("pn", np.int64),
        ("dn", np.int64),
        ("length", np.int64),  # plies to the mate, once proven
        ("blocker", np.int64),  # index of the child that must be resolved first, -1 for none
        ("depends", np.int64),  # lowest ply whose being on the path a disproof relies on, MAX_PLY for none
        ("met", np.int64),  # lowest ply at which it was met
        ("cut", np.int8),  # 1: disproven within the plies allowed only
        ("old", np.int8),  # 1: was met nearer to the root before
        ("fresh", np.int8),  # 1: not in the table
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("board_key", np.uint64),
        ("hand", np.uint64),  # the attacker's
        ("path", np.uint64),  # hash of the positions from the root to here, in their order
        ("final_hand", np.uint64),
        ("pn", np.int64),
        ("dn", np.int64),
        ("length", np.int64),
        ("depends", np.int64),
        ("first", np.int64),
        ("end", np.int64),
        ("best", np.int64),
        ("cut", np.int64),
        ("met", np.int64),
    ],
    align=True,
)
from_dtype(CHILD), from_dtype(NODE)
CHILDREN_ARRAY, NODES_ARRAY, PATH_ARRAY = 3, 4, 5
PATH_COUNTS = 1 << 12  # small enough for the first-level cache

_children_at = array_reader(CHILD)
_nodes_at = array_reader(NODE)
_path_at = array_reader(np.dtype(np.int16))

PATH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@implements(
    "search",
    options=[
        Option("dominance", True, "let proofs and disproofs answer for better and worse hands (proof pieces)"),
        Option("mate_in_one", True, "look for a mate in one at an attacker's node at once"),
        Option("look_ahead", True, "look for a mate in one, or no check at all, when an attacker's node is first met"),
        Option("delay", True, "leave interposing drops, and declined promotions, for when the first of their kind has failed"),
        Option("estimate", True, "first numbers from the king's flights and the number of checks (df-pn+), not 1"),
        Option("weak", False, "weak numbers: the largest child's and one for each other, which contains double counting"),
        Option("epsilon", 0.25, "how far a child may exceed its best sibling before the search returns", low=0.0, high=10.0),
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
    children = _children_at(context.memory[CHILDREN_ARRAY], context.sizes[CHILDREN_ARRAY])
    nodes = _nodes_at(context.memory[NODES_ARRAY], context.sizes[NODES_ARRAY])
    path = _path_at(context.memory[PATH_ARRAY], context.sizes[PATH_ARRAY])
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
    """Return the verdict for a root without a mate within the plies allowed: unknown if `cut`, or if a check may have been left out."""
    if cut or not part_has(context, checks.SLOT, COMPLETE):
        give_up(control, GAVE_UP_SCHEDULE)
        return UNKNOWN
    return DISPROVEN


@compiled
def mixed(board_key, hand):
    """Return a hash of a board and the attacker's hand."""
    word = (board_key ^ hand * PATH_FACTOR) * np.uint64(0xD6E8FEB86659FD93)
    return word ^ word >> np.uint64(32)


@compiled
def path_after(node_path, board_key, hand):
    """Return the path's hash with one more position; the order of positions counts."""
    return node_path * PATH_FACTOR + mixed(board_key, hand)


@compiled
def search_node(context, position, control, moves, children, nodes, path, ply, allowed, most_pn, most_dn, extend):
    """Search below nodes[ply], whose keys are set, until a number reaches its threshold; False if the search must give up.

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
        best, second = summarise(context, children, here, attacking)
        if extend > 0:
            most_pn = max(most_pn, min(here.pn + 1, INFINITE))
            most_dn = max(most_dn, min(here.dn + 1, INFINITE))
        while here.pn < most_pn and here.dn < most_dn and here.pn != 0 and here.dn != 0:
            child = children[best]
            if attacking:
                child_pn, child_dn = limits(context, most_pn, second, most_dn, here.dn, child.dn)
            else:
                child_dn, child_pn = limits(context, most_dn, second, most_pn, here.pn, child.pn)
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
                context, position, control, moves, children, nodes, path, ply + 1, allowed - 1, child_pn, child_dn, below
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
            best, second = summarise(context, children, here, attacking)
        # 3. What decided children decide.
        if here.pn == 0 or here.dn == 0:
            decide(context, position, moves, children, here, attacking, attacker)
    save(context, here, ply, attacker, allowed, control[NODES] - before + 1)
    return True


@compiled
def limits(context, most, second, most_sum, total, own):
    """Return a child's thresholds, for the number that the node takes the least of and for the one that it adds up."""
    ahead = second + 1 + np.int64(np.float64(second) * context.reals[EPSILON]) if second < LARGEST else INFINITE
    least = min(most, ahead)
    added = most_sum if most_sum >= INFINITE else most_sum - total + own
    return least, added


@compiled
def summarise(context, children, here, attacking):
    """Write a node's numbers; return the index of the child to go to, and the second-least of the numbers that it is chosen by.

    A child whose blocker is not resolved yet does not count.
    """
    least, second, best = INFINITE, INFINITE, here.first
    total, largest, others, tie = 0, 0, 0, INFINITE
    for i in range(here.first, here.end):
        child = children[i]
        if child.blocker >= 0:
            continue
        chosen, added = (child.pn, child.dn) if attacking else (child.dn, child.pn)
        if chosen < least or (chosen == least and added < tie):
            second = least
            least, best, tie = chosen, i, added
        elif chosen < second:
            second = chosen
        if added > 0:
            total += added
            others += 1
            if added > largest:
                largest = added
    if context.options[WEAK] != 0 and others > 0:
        total = largest + others - 1
    if least != 0:
        total = min(total, LARGEST)
    else:
        total = INFINITE
    if total == 0:
        least = INFINITE
    elif least >= INFINITE:
        least = LARGEST
    if attacking:
        here.pn, here.dn = least, total
    else:
        here.dn, here.pn = least, total
    return best, second


@compiled
def look_up(context, attacker, child, nodes, path, ply, allowed):
    """Fill in what is known of a child (a position at ply + 1, with `allowed` plies left), whose keys are set; False if nothing is."""
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
        if entry.flags != 0:  # 3. There are disproofs that rely on a path: perhaps on this one.
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
            meet_defender(context, position, np.int64(moves[i]), king_flights(position, 1-position.side), child, nodes, path, ply, position.side, allowed)
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
            if last_drop >= 0 and target_of(moves[last_drop]) == target_of(move):
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
    """Decide an attacker's node that is met for the first time, if it has no check or a mate in one; else estimate it."""
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
def hand_after(position, hand, move):
    """Return the attacker's hand after his `move`."""
    if is_drop(move):
        return with_one_less(hand, kind_of(move))
    captured = piece_on(position, target_of(move))
    if captured != EMPTY:
        return with_one_more(hand, captured & 7)
    return hand


@compiled
def hand_before(position, hand, move):
    """Return the hand before the attacker's `move` that becomes `hand` after it."""
    if is_drop(move):
        return with_one_more(hand, kind_of(move))
    captured = piece_on(position, target_of(move))
    if captured != EMPTY:
        return with_one_less(hand, captured & 7)
    return hand


@compiled
def needed_against_drops(position, attacker, hand):
    """Return what of the attacker's `hand` the mated or checked defender must not have: kinds that he lacks and could interpose."""
    defender = 1 - attacker
    checkers = checkers_of(position, defender)
    if rest(checkers):
        return NO_HAND
    if not between(king_square(position, defender), lowest(checkers)):
        return NO_HAND
    return hand & ~held_kinds(packed_hand(position, defender))


@compiled
def no_check_hand(position, attacker, hand):
    """Return the largest hand with which the attacker, who has no check, has none either: more of kinds that he holds already."""
    return (hand + packed_hand(position, 1 - attacker)) & held_kinds(hand)


@compiled
def disproof_through(position, attacker, hand, move, child_hand):
    """Return the largest attacker's hand against which the defender's `move` still disproves."""
    total = hand + packed_hand(position, 1 - attacker)
    if is_drop(move):  # he must still have the piece
        total = with_one_less(total, kind_of(move))
    return smaller_of(total, child_hand)


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
    entry.flags = 0
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
            entry.flags = 1
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


