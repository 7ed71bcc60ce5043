"""Proof numbers: the records of a proof-number search, and how a node's numbers follow from its children's.

A proof number (pn) counts the leaves that must still be proven for a mate, a disproof number (dn) those for a failure.
An attacker's node takes the least pn of its children and adds up their dn; a defender's node the other way round.
Numbers saturate below `INFINITE`, which only a decided node has: a large number is never mistaken for a verdict.
"""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.hands import wrapping_product

INFINITE = 1 << 31  # the number of a decided node
LARGEST = 1 << 29  # the largest number that an undecided node can have

CHILD = np.dtype(
    [
        ("board_key", np.uint64),  # with the key of the set mixed in
        ("hand", np.uint64),  # the attacker's, after the move
        ("final_hand", np.uint64),  # once decided: what the proof needs, or the most that the disproof stands against
        ("pn", np.int64),
        ("dn", np.int64),
        ("length", np.int64),  # plies to the mate, once proven
        ("blocker", np.int64),  # index of the child that must be resolved first, -1 for none
        ("depends", np.int64),  # lowest ply whose being on the path a disproof relies on, MAX_PLY for none
        ("met", np.int64),  # lowest ply at which it was met
        ("leader", np.int64),  # index of the first child of its group: a group counts as the largest of its numbers
        ("peak", np.int64),  # of a leader: the largest number of its group so far
        ("cut", np.int8),  # 1: disproven within the plies allowed only
        ("old", np.int8),  # 1: was met nearer to the root before
        ("fresh", np.int8),  # 1: not in the table
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("board_key", np.uint64),  # with the key of the set mixed in
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
        ("extend", np.int64),  # how many more leaves may be expanded beyond the thresholds
    ],
    align=True,
)
children_array = array_reader(CHILD)
nodes_array = array_reader(NODE)

PATH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@compiled
def mixed(board_key, hand):
    """Return a hash of a board and the attacker's hand."""
    word = wrapping_product(board_key ^ wrapping_product(hand, PATH_FACTOR), np.uint64(0xD6E8FEB86659FD93))
    return word ^ word >> np.uint64(32)


@compiled
def path_after(node_path, board_key, hand):
    """Return the path's hash with one more position; the order of positions counts."""
    return wrapping_product(node_path, PATH_FACTOR) ^ mixed(board_key, hand)


@compiled
def limits(epsilon, most, second, most_sum, total, own):
    """Return a child's thresholds, for the number that the node takes the least of and for the one that it adds up."""
    ahead = second + 1 + np.int64(np.float64(second) * epsilon) if second < LARGEST else INFINITE
    least = min(most, ahead)
    added = most_sum if most_sum >= INFINITE else most_sum - total + own
    return least, added


@compiled
def summarise(children, here, attacking, weak):
    """Write a node's numbers; return the child to go to, and the second-least of the numbers that it is chosen by.

    A child whose blocker is not resolved yet does not count. Children of one group are added up as the largest of them:
    they mostly lead to the same positions, which a sum would count many times. `weak`: not the sum of the children's
    numbers, but the largest and one for each other.
    """
    least, second, best = INFINITE, INFINITE, here.first
    total, largest, others, tie = 0, 0, 0, INFINITE
    for i in range(here.first, here.end):
        child = children[i]
        if child.leader == i:
            child.peak = 0
        if child.blocker >= 0:
            continue
        chosen, added = (child.pn, child.dn) if attacking else (child.dn, child.pn)
        if chosen < least or (chosen == least and added < tie):
            second = least
            least, best, tie = chosen, i, added
        elif chosen < second:
            second = chosen
        if added > 0:
            first = children[child.leader]
            if added > first.peak:
                total += added - first.peak
                first.peak = added
            others += 1
            if added > largest:
                largest = added
    if weak != 0 and others > 0:
        total = largest + others - 1
    total = min(total, LARGEST) if least != 0 else INFINITE
    if total == 0:
        least = INFINITE
    elif least >= INFINITE:
        least = LARGEST
    if attacking:
        here.pn, here.dn = least, total
    else:
        here.dn, here.pn = least, total
    return best, second
