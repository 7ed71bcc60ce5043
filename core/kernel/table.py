"""The transposition table: a fixed array of buckets of entries. Which entry goes is the policy plugin's business.

An entry answers for its own position alone: board, side to move and both hands are compared, the board by its 64-bit
key, the hands exactly, piece by piece.
"""

import numpy as np
from numba import from_dtype

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import JIT, array_reader, prefetch
from hisshi.core.kernel.hands import packed_hand

ENTRY = np.dtype(
    [
        ("board_key", np.uint64),  # Zobrist key of board and side to move, and of who attacks: `question_key`
        ("hands", np.uint64, (2,)),  # black's and white's hand, a byte per kind
        ("used", np.int32),  # 0: free, as are entries of an older generation than the table's
        ("value", np.int8),  # PROVEN, DISPROVEN, UNKNOWN
        ("mark", np.int8),  # free for a search; "flags" would be numpy's own, uncompiled
        ("length", np.int16),  # plies to the mate, if proven
        ("move", np.int32),  # best move, NO_MOVE if there is none
        ("budget", np.int32),  # the budget it was searched with
        ("worth", np.int32),  # what a policy compares: searched depth, or what the search declares
        ("hits", np.int32),  # how often it has answered
        ("effort", np.int32),  # nodes entered to search it, itself included, saturating
        ("first", np.int32),  # free for a search: proof number and the like
        ("second", np.int32),
    ],
    align=True,
)
EntryType = from_dtype(ENTRY)
ENTRY_BYTES = ENTRY.itemsize
TAG_BYTES = 8

PROVEN, UNKNOWN, DISPROVEN = 1, 0, -1
LARGEST_COUNT = 0x7FFFFFFF  # where hits and effort saturate

# Slots of a table's arrays: all entries; one entry for what comes in; a tag for each entry. The tags of a bucket lie
# together, so that a look-up which finds nothing touches one cache line and not one for each entry.
ENTRIES_ARRAY, SCRATCH_ARRAY, TAGS_ARRAY = 0, 1, 2

_entries_at = array_reader(ENTRY)
_ATTACKED_BY_WHITE = np.uint64(0xB5297A4D3F84D5B5)
_COUNTED_OTHERWISE = np.uint64(0x68E31DA41B56C4E9)
_VALUED = np.uint64(0x1B56C4E968E31DA7)
OTHER_COUNT = 2  # added to the attacker: a question whose lengths are counted by another rule than strictly
QUIESCENCE = 4  # instead of an attacker: what the position is worth once its captures are played out
_tags_at = array_reader(np.dtype(np.uint64))


@compiled
def entries_of(table):
    """Return all entries of a table's context: an array of ENTRY records."""
    return _entries_at(table.memory[ENTRIES_ARRAY], table.sizes[ENTRIES_ARRAY])


@compiled
def incoming_of(table):
    """Return the entry that is about to be stored: fill it, then call `hisshi.core.kernel.roles.table.store`."""
    return _entries_at(table.memory[SCRATCH_ARRAY], 1)[0]


@compiled
def bucket_start(table, key):
    """Return the index of the first entry of the bucket that `key` falls into."""
    return (np.int64(key & np.uint64(0xFFFFFFFF)) * table.buckets >> 32) * table.bucket


if JIT:

    @compiled
    def bucket_of(table, start):
        """Return the bucket that begins at `start`, as an array of ENTRY records that shares the table's memory."""
        return _entries_at(table.memory[ENTRIES_ARRAY] + start * ENTRY_BYTES, table.bucket)

else:

    def bucket_of(table, start):
        return entries_of(table)[start : start + table.bucket]


@compiled
def tags_of(table):
    """Return the tags of all entries, uint64: what `tag_for` says of the entry's key, or of another generation's."""
    return _tags_at(table.memory[TAGS_ARRAY], table.sizes[TAGS_ARRAY])


@compiled
def tag_for(table, board_key):
    """Return the tag of the present generation's entries with this board key; others have it by chance at most."""
    return board_key ^ np.uint64(table.generation) << np.uint64(40)  # a product would overflow, uncompiled


@compiled
def prefetch_bucket(table, key):
    """Have the tags of the bucket that `key` falls into fetched from memory, for a look-up soon."""
    prefetch(table.memory[TAGS_ARRAY] + bucket_start(table, key) * TAG_BYTES)


@compiled
def prefetch_entries(table, key):
    """Have the entries of the bucket that `key` falls into fetched from memory, for writing soon."""
    address = table.memory[ENTRIES_ARRAY] + bucket_start(table, key) * ENTRY_BYTES
    for i in range(table.bucket):
        prefetch(address + i * ENTRY_BYTES)


@compiled
def bucket_to_write(table, start):
    """Return the bucket that begins at `start`, entries of older generations marked as free.

    `written` ends the writing.
    """
    bucket = bucket_of(table, start)
    for i in range(table.bucket):
        if bucket[i].used != table.generation:
            bucket[i].used = 0
    return bucket


@compiled
def written(table, start):
    """Bring the tags of the bucket that begins at `start` up to date."""
    bucket = bucket_of(table, start)
    tags = tags_of(table)
    for i in range(table.bucket):
        tag = np.uint64(0)
        if bucket[i].used != 0:
            tag = tag_for(table, bucket[i].board_key)
        tags[np.uint64(start + i)] = tag


@compiled
def free_entry(table, index):
    """Make the entry at `index`, counted over the whole table, a free one."""
    entries_of(table)[np.uint64(index)].used = 0
    tags_of(table)[np.uint64(index)] = np.uint64(0)


@compiled
def count_answer(table, entry):
    """Count that `entry` has answered a look-up: for the table's statistics, and for policies that go by hits."""
    table.hits += 1
    if entry.hits < LARGEST_COUNT:
        entry.hits += 1


@compiled
def question_key(position, attacker):
    """Return the board key of the question whether `attacker` mates in `position`.

    Either side may be asked about in one table, and the answer for one says nothing of the other. Nor does a strict
    length say anything of one counted otherwise: such questions have `OTHER_COUNT` added to `attacker`. Nor does a
    value say anything of a mate: with `QUIESCENCE` instead of an attacker a table may hold both.
    """
    key = position.board_key
    if attacker & 1 != 0:
        key ^= _ATTACKED_BY_WHITE
    if attacker & OTHER_COUNT != 0:
        key ^= _COUNTED_OTHERWISE
    if attacker & QUIESCENCE != 0:
        key ^= _VALUED
    return key


@compiled
def set_position(entry, position, attacker):
    """Write into `entry` which position it is of."""
    entry.board_key = question_key(position, attacker)
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
    target.mark = source.mark
    target.length = source.length
    target.move = source.move
    target.budget = source.budget
    target.worth = source.worth
    target.hits = source.hits
    target.effort = source.effort
    target.first = source.first
    target.second = source.second
