"""Evaluations that break one rule each, called after the check that must catch them."""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.material import material_balance
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.state import king_square

LAST, TIMES = 0, 1  # places in the memory: what was asked last, and how often in a row

_memory_at = array_reader(np.dtype(np.int64))


@compiled
def seen_from(colour, balance):
    return balance if colour == 0 else -balance


@implements("evaluation", name="leaves-the-position-alone")
def dirty(context, position, colour):
    position.hand_key ^= np.uint64(1)
    return seen_from(colour, material_balance(position))


@implements("evaluation", name="is-antisymmetric")
def hopeful(context, position, colour):
    return seen_from(colour, material_balance(position)) + 1


@implements("evaluation", name="is-no-larger-than-a-value-may-be")
def excited(context, position, colour):
    return seen_from(colour, material_balance(position) * 1_000_000)


@implements("evaluation", name="is-the-same-mirrored")
def left_handed(context, position, colour):
    if king_square(position, 0) == NO_SQUARE or king_square(position, 1) == NO_SQUARE:
        return 0
    return seen_from(colour, king_square(position, 0) // 9 + king_square(position, 1) // 9 - 8)


@implements("evaluation", name="is-the-same-with-colours-exchanged")
def partial(context, position, colour):
    return seen_from(colour, material_balance(position) + 10)


@implements("evaluation", name="says-the-same-again", arrays=[Array("asked", np.dtype(np.int64), 2)])
def bored(context, position, colour):
    """Says something else when it is asked the same for the third time in a row."""
    memory = _memory_at(context.memory[0], context.sizes[0])
    question = np.int64((position.board_key ^ position.hand_key) >> np.uint64(2)) * 2 + colour
    memory[TIMES] = memory[TIMES] + 1 if memory[LAST] == question else 1
    memory[LAST] = question
    return seen_from(colour, material_balance(position) + (1 if memory[TIMES] > 2 else 0))


@hookimpl
def hisshi_evaluation():
    return [dirty, hopeful, excited, left_handed, partial, bored]
