"""The transposition table: a fixed array of buckets of entries. Which entry goes is the policy plugin's business.

An entry answers for its own position alone: board, side to move and both hands are compared, the board by its 64-bit
key, the hands exactly, piece by piece.
"""

import numpy as np
from numba import from_dtype

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import JIT, array_reader
from hisshi.core.kernel.pieces import HAND_KINDS

ENTRY = np.dtype(
    [
        ("board_key", np.uint64),  # Zobrist key of board and side to move
        ("hands", np.uint64, (2,)),  # black's and white's hand, a byte per kind
        ("used", np.int8),  # 0: free
        ("value", np.int8),  # PROVEN, DISPROVEN, UNKNOWN
        ("length", np.int16),  # plies to the mate, if proven
        ("move", np.int32),  # best move, NO_MOVE if there is none
        ("budget", np.int32),  # the budget it was searched with
        ("worth", np.int32),  # what a policy compares: searched depth, or what the search declares
        ("hits", np.int32),  # how often it has answered
        ("effort", np.int32),  # nodes below it, saturating
        ("first", np.int32),  # free for a search: proof number and the like
        ("second", np.int32),
    ],
    align=True,
)
EntryType = from_dtype(ENTRY)
ENTRY_BYTES = ENTRY.itemsize

PROVEN, UNKNOWN, DISPROVEN = 1, 0, -1

ENTRIES_ARRAY, SCRATCH_ARRAY = 0, 1  # slots of a table's arrays: all entries; one entry for what comes in

_entries_at = array_reader(ENTRY)


@compiled
def packed_hand(position, colour):
    """Return a hand as uint64: byte n is the count of kind n."""
    word = np.uint64(0)
    for kind in range(1, HAND_KINDS):
        count = np.uint64(position.hand[np.uint64(colour), np.uint64(kind)])
        word |= count << np.uint64(8 * kind)
    return word


@compiled
def entries_of(table):
    """Return all entries of a table's context: an array of ENTRY records."""
    return _entries_at(table.memory[ENTRIES_ARRAY], table.sizes[ENTRIES_ARRAY])


@compiled
def incoming_of(table):
    """Return the entry that is about to be stored: fill it, then call `hisshi.core.kernel.roles.table.store`."""
    return _entries_at(table.memory[SCRATCH_ARRAY], 1)[0]


@compiled
def bucket_start(table, position):
    """Return the index of the first entry of a position's bucket."""
    key = position.board_key ^ position.hand_key
    return np.int64(key & np.uint64(table.bucket_mask)) * table.bucket


if JIT:

    @compiled
    def bucket_of(table, start):
        """Return the bucket that begins at `start`, as an array of ENTRY records that shares the table's memory."""
        return _entries_at(table.memory[ENTRIES_ARRAY] + start * ENTRY_BYTES, table.bucket)

else:

    def bucket_of(table, start):
        return entries_of(table)[start : start + table.bucket]


@compiled
def set_position(entry, position):
    """Write into `entry` which position it is of."""
    entry.board_key = position.board_key
    entry.hands[0] = packed_hand(position, 0)
    entry.hands[1] = packed_hand(position, 1)


@compiled
def same_position(a, b):
    """Say whether two entries are of the same position."""
    return a.board_key == b.board_key and a.hands[0] == b.hands[0] and a.hands[1] == b.hands[1]


@compiled
def copy_entry(target, source):
    """Copy every field of an entry."""
    target.board_key = source.board_key
    target.hands[0] = source.hands[0]
    target.hands[1] = source.hands[1]
    target.used = source.used
    target.value = source.value
    target.length = source.length
    target.move = source.move
    target.budget = source.budget
    target.worth = source.worth
    target.hits = source.hits
    target.effort = source.effort
    target.first = source.first
    target.second = source.second
