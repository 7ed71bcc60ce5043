"""What searches for a move to play keep beside move buffer and stack: their lines, counts, and a table of keys.

A search of goal "play" declares `PLAY_ARRAYS`; ``hisshi move`` reads line and counts from there.

The table of keys saves quiescence searches: which moves a node has kept, and their keys. It never ends a line.
"""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.hands import packed_hand
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.values import HISSHI_VALUE, INFINITE

LINE_PLIES = 120  # lines are no longer; deeper nodes are stopped
ENTRY_MOVES = 16  # moves that an entry of the table of keys has room for
KEY_ENTRIES = 1 << 16

# Places in the array `counts`.
DEEPEST, KEYED, SAVED, EARLY, FIRST_NODES, ROOT_NODES, ITERATIONS, LINE_LENGTH, GENERATION = range(9)
ALLOWING, THREATMATES, THREATENED = range(9, 12)
COUNTS = 16
MOST_LISTED = MAX_MOVES  # moves of a root

KEY_ENTRY = np.dtype(
    [
        ("board_key", np.uint64),
        ("hands", np.uint64, (2,)),
        ("generation", np.int64),  # of the search that wrote it; others' do not answer
        ("lower", np.int64),  # the window that the keys were searched with
        ("upper", np.int64),
        ("width", np.int64),  # how many moves were to be kept
        ("count", np.int64),
        ("moves", np.int32, (ENTRY_MOVES,)),
        ("keys", np.int32, (ENTRY_MOVES,)),
    ],
    align=True,
)

PLAY_ARRAYS = (
    Array("lines", np.dtype(np.int32), LINE_PLIES * LINE_PLIES),  # row p: the best line from ply p on
    Array("counts", np.dtype(np.int64), COUNTS),
    Array("key_table", KEY_ENTRY, KEY_ENTRIES),
    Array("allowing", np.dtype(np.int32), MOST_LISTED),  # root moves that allow a mate; counts[ALLOWING] of them
    Array("threats", np.dtype(np.int32), MOST_LISTED),  # those that threaten one; counts[THREATMATES]
)
# Their slots, behind those of role `search`.
LINES_ARRAY, COUNTS_ARRAY, KEY_TABLE_ARRAY, ALLOWING_ARRAY, THREATS_ARRAY = 3, 4, 5, 6, 7

_lines_at = array_reader(np.dtype(np.int32))
_counts_at = array_reader(np.dtype(np.int64))
_key_table_at = array_reader(KEY_ENTRY)


@compiled
def lines_of(context):
    """Return a play search's lines, int32, LINE_PLIES rows of LINE_PLIES."""
    return _lines_at(context.memory[LINES_ARRAY], context.sizes[LINES_ARRAY])


@compiled
def counts_of(context):
    """Return a play search's counts, int64."""
    return _counts_at(context.memory[COUNTS_ARRAY], context.sizes[COUNTS_ARRAY])


@compiled
def allowing_of(context):
    """Return a play search's root moves that allow a mate, int32."""
    return _lines_at(context.memory[ALLOWING_ARRAY], context.sizes[ALLOWING_ARRAY])


@compiled
def threats_of(context):
    """Return a play search's root moves that threaten a mate, int32."""
    return _lines_at(context.memory[THREATS_ARRAY], context.sizes[THREATS_ARRAY])


@compiled
def clear_counts(context):
    """Begin a search: all counts are 0, and what the table of keys holds is of an earlier one."""
    counts = counts_of(context)
    generation = counts[GENERATION] + 1
    counts[:] = 0
    counts[GENERATION] = generation


@compiled
def from_root(value, ply):
    """Return a value that counts plies to a mate from the node at `ply` as one that counts them from the root."""
    if value > HISSHI_VALUE:
        return value - ply
    return value + ply if value < -HISSHI_VALUE else value


@compiled
def from_node(value, ply):
    """Return a value, or a bound of a window, that counts from the root as one that counts from the node at `ply`."""
    if value == INFINITE or value == -INFINITE:
        return value
    if value > HISSHI_VALUE:
        return value + ply
    return value - ply if value < -HISSHI_VALUE else value


@compiled
def put_in_line(lines, stack, ply, move):
    """Make `move`, and the line behind it, the best line from `ply` on; lengths are in the stack."""
    row, child = ply * LINE_PLIES, (ply + 1) * LINE_PLIES
    lines[row] = move
    length = min(stack[ply + 1].length, LINE_PLIES - 1)
    for i in range(length):
        lines[row + 1 + i] = lines[child + i]
    stack[ply].length = length + 1


@compiled
def key_entry_of(context, position):
    """Return the entry of the table of keys that `position` falls on, whatever is in it."""
    key = position.board_key ^ position.hand_key
    table = _key_table_at(context.memory[KEY_TABLE_ARRAY], context.sizes[KEY_TABLE_ARRAY])
    return table[key & np.uint64(KEY_ENTRIES - 1)]


@compiled
def known_keys(context, position, ply, alpha, beta, width, moves, keys, start):
    """Write a node's moves and keys from the table, from `start` on; return the end, `start` if it has none that fit.

    Keys answer for a window inside the one that they were searched with, and for the same number of moves to keep. In
    the table they count from the node, since it is met at several plies.
    """
    entry = key_entry_of(context, position)
    if entry.board_key != position.board_key or entry.generation != counts_of(context)[GENERATION]:
        return start
    if entry.hands[0] != packed_hand(position, 0) or entry.hands[1] != packed_hand(position, 1):
        return start
    if entry.lower > from_node(alpha, ply) or entry.upper < from_node(beta, ply) or entry.width != width:
        return start
    for i in range(entry.count):
        moves[start + i] = entry.moves[np.uint64(i)]
        keys[start + i] = from_root(np.int64(entry.keys[np.uint64(i)]), ply)
    return start + entry.count


@compiled
def keep_keys(context, position, ply, alpha, beta, width, moves, keys, start, end):
    """Write a node's kept moves[start:end] and their keys into the table, if an entry has room for them."""
    if end - start > ENTRY_MOVES:
        return
    entry = key_entry_of(context, position)
    entry.board_key = position.board_key
    entry.hands[0], entry.hands[1] = packed_hand(position, 0), packed_hand(position, 1)
    entry.generation = counts_of(context)[GENERATION]
    entry.lower, entry.upper = from_node(alpha, ply), from_node(beta, ply)
    entry.width, entry.count = width, end - start
    for i in range(start, end):
        entry.moves[np.uint64(i - start)] = moves[i]
        entry.keys[np.uint64(i - start)] = from_node(keys[i], ply)
