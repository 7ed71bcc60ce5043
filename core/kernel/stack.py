"""A search's workspace: the stack of nodes from the root to the present one, and the move buffers behind it."""

import numpy as np
from numba import from_dtype

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.moves import NO_MOVE

# One record per ply. A stop rule reads all of it and may write `budget`; the search writes the rest.
STACK = np.dtype(
    [
        ("board_key", np.uint64),
        ("hand_key", np.uint64),
        ("side", np.int64),  # colour to move
        ("attacker", np.int64),  # 1 at an attacker (OR) node, 0 at a defender (AND) node
        ("first", np.int64),  # its moves are moves[first:end], their keys keys[first:end]
        ("end", np.int64),
        ("current", np.int64),  # index of the move being searched
        ("budget", np.int64),  # what the stop rule has left to spend; a child starts with its parent's
        ("lower", np.int64),  # bounds, for searches that have them
        ("upper", np.int64),
        ("length", np.int64),  # plies to the mate, once proven
        ("best", np.int64),  # the move that proved or disproved, NO_MOVE so far
        ("depends", np.int64),  # lowest ply whose being on the path the result relies on (repetition); MAX_PLY for none
    ],
    align=True,
)
StackType = from_dtype(STACK)

MAX_PLY = 2048  # the longest known mate has 1525 plies
MOVE_BUFFER = 1 << 18  # moves of all nodes on the path; a search gives up when less than MAX_MOVES is left

# Slots of a search's arrays.
MOVES_ARRAY, KEYS_ARRAY, STACK_ARRAY = 0, 1, 2

_moves_at = array_reader(np.dtype(np.int32))
_keys_at = array_reader(np.dtype(np.int64))
_stack_at = array_reader(STACK)


@compiled
def moves_of(context):
    """Return a search's move buffer, int32."""
    return _moves_at(context.memory[MOVES_ARRAY], context.sizes[MOVES_ARRAY])


@compiled
def keys_of(context):
    """Return a search's ordering keys, int64, one beside each move."""
    return _keys_at(context.memory[KEYS_ARRAY], context.sizes[KEYS_ARRAY])


@compiled
def stack_of(context):
    """Return a search's stack, one STACK record per ply."""
    return _stack_at(context.memory[STACK_ARRAY], context.sizes[STACK_ARRAY])


@compiled
def begin_node(stack, ply, position):
    """Write the node at `ply` into the stack, without moves and result, and return its record.

    Even plies are the attacker's. Its budget stays.
    """
    here = stack[ply]
    here.attacker = 1 if ply % 2 == 0 else 0
    here.side = position.side
    here.board_key = position.board_key
    here.hand_key = position.hand_key
    here.best = NO_MOVE
    here.length = 0
    here.depends = MAX_PLY
    here.first = 0 if ply == 0 else stack[ply - 1].end
    here.end = here.first
    return here


@compiled
def repeated_ply(stack, ply):
    """Return the nearest earlier ply with the position of the node at `ply`, MAX_PLY if there is none."""
    here = stack[ply]
    for earlier in range(ply - 2, -1, -2):
        if stack[earlier].board_key == here.board_key and stack[earlier].hand_key == here.hand_key:
            return earlier
    return MAX_PLY


@compiled
def sort_moves(moves, keys, start, end):
    """Sort moves[start:end] by descending key, stable; few and nearly sorted, hence by insertion."""
    for i in range(start + 1, end):
        move, key = moves[i], keys[i]
        j = i
        while j > start and keys[j - 1] < key:
            moves[j] = moves[j - 1]
            keys[j] = keys[j - 1]
            j -= 1
        moves[j] = move
        keys[j] = key


@compiled
def bring_to_front(moves, keys, start, end, move):
    """Put `move`, if it is among moves[start:end], before all others; the others keep their order."""
    for i in range(start, end):
        if moves[i] == move:
            key = keys[i]
            for j in range(i, start, -1):
                moves[j] = moves[j - 1]
                keys[j] = keys[j - 1]
            moves[start] = move
            keys[start] = key
            return
