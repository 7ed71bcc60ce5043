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
from hisshi.core.kernel.attacks import attackers_of, attacks_from
from hisshi.core.kernel.bitboard import bit, popcount
from hisshi.core.kernel.context import COMPLETE, part, part_has
from hisshi.core.kernel.control import GAVE_UP_DEPTH, GAVE_UP_SCHEDULE, NODES, control_of, enter_node, give_up
from hisshi.core.kernel.dominance import EVERY_PLY, NOTHING, find, found_entry
from hisshi.core.kernel.garbage import collect_if_full
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.hands import packed_hand
from hisshi.core.kernel.mate import king_flights, mate_among
from hisshi.core.kernel.moves import (
    NO_MOVE,
    board_key_after,
    do_move,
    is_drop,
    kind_after,
    source_of,
    target_of,
    undo_move,
)
from hisshi.core.kernel.pieces import EMPTY, KING
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
from hisshi.core.kernel.proof_search import PATH_COUNTS, decide, look_up, mated_by, path_array, path_slot, save, set_key
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.roles import checks, table
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.stack import MAX_PLY, MOVE_BUFFER, moves_of
from hisshi.core.kernel.state import king_square, occupied_squares, piece_on, pieces_of_kind
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN, prefetch_bucket, prefetch_entries
from hisshi.core.kernel.ties import tie_hash

# Places of the options.
DOMINANCE, MATE_IN_ONE, LOOK_AHEAD, DELAY, GROUPS, ESTIMATE, WEAK, EPSILON, TIE_SEED, COLLECT = range(10)

CHILDREN_ARRAY, NODES_ARRAY, PATH_ARRAY = 3, 4, 5  # places of its arrays, behind those of the role


@implements(
    "search",
    options=[
        Option("dominance", True, "let proofs and disproofs answer for better and worse hands (proof pieces)"),
        Option("mate_in_one", True, "look for a mate in one at an attacker's node at once"),
        Option("look_ahead", True, "look for a mate in one, or no check, when an attacker's node is first met"),
        Option("delay", True, "try the drops on one square between one after the other, the least piece first"),
        Option("groups", True, "drops of one kind that check, and drops between, count as the largest of them"),
        Option("estimate", True, "first numbers from flights, checks, captures and support (df-pn+), not 1"),
        Option("weak", False, "weak numbers: the largest child's and one for each other, not the sum"),
        Option("epsilon", 0.25, "how far a child may exceed its best sibling", low=0.0, high=10.0),
        Option("tie_seed", 0, "0: equal moves in the order of generation; else in an order drawn from it", low=0),
        Option("collect", False, "when the table is nearly full, free the entries that cost least to search"),
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
    root.board_key = position.board_key ^ set_key(position)
    root.hand = packed_hand(position, position.side)
    root.met = 0
    root.extend = 0
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
    path[path_slot(root.board_key)] += 1
    finished = search_node(
        context, position, control, moves, children, nodes, path, np.int64(0), allowed, INFINITE, INFINITE
    )
    path[path_slot(root.board_key)] -= 1
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
def search_node(context, position, control, moves, children, nodes, path, ply, allowed, most_pn, most_dn):
    """Search below nodes[ply], whose keys are set, until a number reaches its threshold; False to give up.

    Leaves pn, dn and, once decided, length, final hand and dependence in nodes[ply], and stores them.
    """
    before = control[NODES]
    if not enter_node(control):
        return False
    if context.options[COLLECT] != 0:  # here nobody holds an entry
        collect_if_full(part(context, table.SLOT), control)
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
    if here.first + 2 * MAX_MOVES >= len(moves):
        give_up(control, GAVE_UP_DEPTH)
        return False
    if ply + 2 >= MAX_PLY:
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
        given_pn, given_dn, given_extend = most_pn, most_dn, here.extend
        for i in range(here.first, here.end):
            child = children[i]  # its other fields are another node's while it is blocked
            if child.blocker < 0 and child.old != 0 and child.pn != 0 and child.dn != 0:
                here.extend += 1
                break
        best, second = summarise(children, here, attacking, context.options[WEAK])
        while here.pn != 0 and here.dn != 0:
            most_pn, most_dn = given_pn, given_dn
            if here.extend > 0:  # one leaf more, whatever the numbers
                most_pn = max(most_pn, min(here.pn + 1, INFINITE))
                most_dn = max(most_dn, min(here.dn + 1, INFINITE))
            if here.pn >= most_pn or here.dn >= most_dn:
                break
            child = children[best]
            if attacking:
                child_pn, child_dn = limits(context.reals[EPSILON], most_pn, second, most_dn, here.dn, child.dn)
            else:
                child_dn, child_pn = limits(context.reals[EPSILON], most_dn, second, most_pn, here.pn, child.pn)
            move = np.int64(moves[best])
            next_node = nodes[ply + 1]
            next_node.board_key = child.board_key
            next_node.hand = child.hand
            next_node.extend = here.extend - 1 if child.fresh != 0 and here.extend > 0 else here.extend
            next_node.met = min(child.met, ply + 1)
            next_node.path = path_after(here.path, child.board_key, child.hand)
            slot = path_slot(child.board_key)
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
            )
            undo_move(position, move, captured)
            path[slot] -= 1
            if not finished:
                return False
            child.pn, child.dn = next_node.pn, next_node.dn
            child.length, child.final_hand = next_node.length, next_node.final_hand
            child.depends, child.cut = next_node.depends, next_node.cut
            child.fresh = 0
            if not attacking and child.pn == 0:
                release(context, position, moves, children, nodes, path, ply, best, allowed)
            here.extend = next_node.extend
            best, second = summarise(children, here, attacking, context.options[WEAK])
        here.extend = min(here.extend, given_extend)
        # 3. What decided children decide.
        if here.pn == 0 or here.dn == 0:
            decide(context, position, moves, children, here, attacking, attacker)
    save(context, here, ply, attacker, allowed, control[NODES] - before, context.options[DOMINANCE])
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
    shuffle(context, moves, children, start, end, position.board_key)
    flights = king_flights(position, 1 - attacker)
    entries = part(context, table.SLOT)
    pieces_key = here.board_key ^ position.board_key  # `set_key`
    for i in range(start, end):
        move = np.int64(moves[i])
        child = children[i]
        child.board_key = board_key_after(position, move) ^ pieces_key
        child.hand = hand_after(position, here.hand, move)
        child.blocker = -1
        child.leader = i
        if context.options[GROUPS] != 0 and is_drop(move):
            for j in range(i - 1, start - 1, -1):
                if is_drop(moves[j]) and kind_after(np.int64(moves[j])) == kind_after(move):
                    child.leader = children[j].leader
                    break
        prefetch_bucket(entries, child.board_key)
    for i in range(start, end):
        meet_defender(context, position, np.int64(moves[i]), flights, children[i], nodes, path, ply, attacker, allowed)
    return False


@compiled
def shuffle(context, moves, children, start, end, board_key):
    """Put moves[start:end] into the order that the seed draws, if there is one; writes the children's `peak`."""
    seed = context.options[TIE_SEED]
    if seed == 0:
        return
    for i in range(start, end):
        move, key = moves[i], tie_hash(np.int64(moves[i]), seed, board_key)
        j = i
        while j > start and children[j - 1].peak > key:
            moves[j] = moves[j - 1]
            children[j].peak = children[j - 1].peak
            j -= 1
        moves[j] = move
        children[j].peak = key


@compiled
def meet_defender(context, position, move, flights, child, nodes, path, ply, attacker, allowed):
    """Look up, or estimate, a defender's node that is a child of nodes[ply]."""
    if look_up(context, attacker, child, nodes, path, ply, allowed - 1, context.options[DOMINANCE]):
        return
    if context.options[ESTIMATE] != 0:
        child.pn = max(
            child.pn, flights_left(position, move, flights, attacker) // 2 + can_be_taken(position, move) + 1
        )


@compiled
def flights_left(position, move, flights, attacker):
    """Return how many of the king's `flights` are left by a check, as seen from its target alone."""
    target = target_of(move)
    without_king = occupied_squares(position) & ~bit(king_square(position, 1 - attacker))
    return popcount(flights & ~bit(target) & ~attacks_from(attacker, kind_after(move), target, without_king))


@compiled
def can_be_taken(position, move):
    """Return 1 if a piece other than the king attacks the target of a move of the side to move, else 0."""
    occupied = occupied_squares(position)
    if not is_drop(move):
        occupied &= ~bit(source_of(move))
    takers = attackers_of(position, target_of(move), 1 - position.side, occupied)
    return 1 if takers & ~pieces_of_kind(position, KING) else 0


@compiled
def meet_attacker(context, position, move, moves, child, nodes, path, ply, attacker, allowed):
    """Look up, or look ahead to, or estimate, an attacker's node that is a child of nodes[ply]."""
    if look_up(context, attacker, child, nodes, path, ply, allowed - 1, context.options[DOMINANCE]):
        return
    if context.options[ESTIMATE] != 0 and not is_drop(move) and piece_on(position, target_of(move)) != EMPTY:
        child.pn = max(child.pn, 2)  # the check is lost, and mostly the piece that gave it
    if context.options[LOOK_AHEAD] != 0:
        captured = do_move(position, move)
        look_ahead(context, position, moves, child, nodes[ply].end, allowed - 1)
        undo_move(position, move, captured)


@compiled
def release(context, position, moves, children, nodes, path, ply, resolved, allowed):
    """Meet the evasions that waited for child `resolved`, and those that waited for them."""
    for i in range(resolved + 1, nodes[ply].end):
        child = children[i]
        if child.blocker < 0:
            continue
        other = children[child.blocker]
        if other.pn != 0 or other.blocker >= 0:
            continue
        child.blocker = -1
        meet_attacker(context, position, np.int64(moves[i]), moves, child, nodes, path, ply, 1 - position.side, allowed)


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
    pieces_key = here.board_key ^ position.board_key  # `set_key`
    first_drop = end
    while first_drop > start and is_drop(moves[first_drop - 1]):
        first_drop -= 1
    shuffle(context, moves, children, start, first_drop, position.board_key)
    for i in range(start, end):
        child = children[i]
        child.board_key = board_key_after(position, np.int64(moves[i])) ^ pieces_key
        child.hand = here.hand
        child.blocker = -1
        child.leader = i
        if i > first_drop and context.options[GROUPS] != 0:
            child.leader = first_drop
        prefetch_bucket(entries, child.board_key)
    for i in range(start, end):
        move = np.int64(moves[i])
        child = children[i]
        if i > first_drop and context.options[DELAY] != 0:
            child.blocker = last_open(moves, children, first_drop, i)
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
def last_open(moves, children, first, drop):
    """Return the index of the last of moves[first:drop] on the square of moves[drop]; -1 if none, or proven already."""
    for i in range(drop - 1, first - 1, -1):
        if target_of(moves[i]) == target_of(moves[drop]):
            return i if children[i].pn != 0 or children[i].blocker >= 0 else -1
    return -1


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


@hookimpl
def hisshi_search():
    """Offer the search."""
    return mate_df_pn
