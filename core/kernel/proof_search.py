"""What a depth-first proof-number search knows of a node: its repetitions, its table, its decided children.

A position that repeats an ancestor, or has less in hand than one, is a failure on this path alone. A disproof that
relies on such a failure is stored under a key of the whole path, and answers for no other.

Nodes and children are records of `hisshi.core.kernel.proof_numbers`; even plies are the attacker's.
Source: Nagai 2002; Kishimoto 2010.
"""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import array_reader, part
from hisshi.core.kernel.dominance import EVERY_PLY, NOTHING, find, found_entry, keep
from hisshi.core.kernel.hands import NO_HAND, held_kinds, larger_of, packed_hand, smaller_of, with_one_more
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.pieces import BLACK, EMPTY, SQUARE_COUNT, WHITE
from hisshi.core.kernel.proof_numbers import INFINITE, mixed, path_after
from hisshi.core.kernel.proof_pieces import disproof_through, hand_before, needed_against_drops
from hisshi.core.kernel.roles import table
from hisshi.core.kernel.stack import MAX_PLY
from hisshi.core.kernel.state import piece_on
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN, incoming_of

PATH_COUNTS = 1 << 12  # small enough for the first-level cache; how many positions of the path fall into each slot
path_array = array_reader(np.dtype(np.int16))


@compiled
def path_slot(board_key):
    """Return the index of a position's count."""
    return np.int64(board_key & np.uint64(PATH_COUNTS - 1))


@compiled
def set_key(position):
    """Return a hash of the pieces on the board and in both hands: what no move changes.

    Mixed into board keys: board and attacker's hand tell the defender's hand for one set only, and a table that is
    kept may be asked about a position of another.
    """
    pieces = packed_hand(position, BLACK) + packed_hand(position, WHITE)
    for square in range(SQUARE_COUNT):
        piece = piece_on(position, square)
        if piece != EMPTY:
            pieces = with_one_more(pieces, piece & 7)
    return mixed(pieces, NO_HAND)


@compiled
def look_up(context, attacker, child, nodes, path, ply, allowed, dominance):
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
    if path[path_slot(child.board_key)] != 0:
        for earlier in range(ply - 1, -1, -2):
            node = nodes[earlier]
            if node.board_key == child.board_key and larger_of(node.hand, child.hand) == node.hand:
                child.pn, child.dn, child.depends, child.final_hand = INFINITE, 0, earlier, child.hand
                return True
    # 2. The table.
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
def save(context, here, ply, attacker, allowed, effort, dominance):
    """Store a node's numbers or verdict."""
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
        # Where the stack ended, what lies beyond was not looked at.
        entry.budget = min(allowed, MAX_PLY - 2 - ply) if here.cut != 0 else EVERY_PLY
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


@compiled
def mated_by(position, here, move, attacker):
    """Note that `move` mates."""
    here.pn, here.dn, here.length, here.best = 0, INFINITE, 1, move
    captured = do_move(position, move)
    needed = needed_against_drops(position, attacker, packed_hand(position, attacker))
    undo_move(position, move, captured)
    here.final_hand = hand_before(position, needed, move)
