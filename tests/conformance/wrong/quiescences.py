"""Quiescence searches that break one rule each, called after the check that must catch them.

Each takes the evaluation without looking at a capture, which a quiescence search may, with one mistake.
"""

import numpy as np

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.context import array_reader
from hisshi.core.kernel.control import control_of, enter_node
from hisshi.core.kernel.mate import has_evasion
from hisshi.core.kernel.role import Array
from hisshi.core.kernel.roles.evaluation import call_evaluation
from hisshi.core.kernel.values import INFINITE, MATE, NO_VALUE

MEMORY = 2  # behind the role's arrays
LAST, TIMES = 0, 1  # places in the memory: what was asked last, and how often in a row

_memory_at = array_reader(np.dtype(np.int64))


@compiled
def evaluated(context, position):
    """The evaluation, or -MATE, or NO_VALUE."""
    if not enter_node(control_of(context)):
        return NO_VALUE
    if is_in_check(position, position.side) and not has_evasion(position):
        return -MATE
    return call_evaluation(context, position, position.side)


@implements("quiescence", name="leaves-the-position-alone", parts=["evaluation"])
def dirty(context, position, alpha, beta):
    value = evaluated(context, position)
    position.hand_key ^= np.uint64(1)
    return value


@implements("quiescence", name="keeps-to-the-window", parts=["evaluation"])
def pessimist(context, position, alpha, beta):
    value = evaluated(context, position)
    return value - 1 if alpha > -INFINITE and value != NO_VALUE and value != -MATE else value


@implements("quiescence", name="knows-the-mated", parts=["evaluation"])
def blind(context, position, alpha, beta):
    if not enter_node(control_of(context)):
        return NO_VALUE
    return call_evaluation(context, position, position.side)


@implements("quiescence", name="calls-nobody-else-mated", parts=["evaluation"])
def scared(context, position, alpha, beta):
    value = evaluated(context, position)
    return -MATE if is_in_check(position, position.side) and value != NO_VALUE else value


@implements(
    "quiescence",
    name="says-the-same-again",
    parts=["evaluation"],
    arrays=[Array("asked", np.dtype(np.int64), 2)],
)
def bored(context, position, alpha, beta):
    """Says something else when it is asked the same for the third time in a row."""
    value = evaluated(context, position)
    if value == NO_VALUE or value == -MATE:
        return value
    memory = _memory_at(context.memory[MEMORY], context.sizes[MEMORY])
    question = np.int64((position.board_key ^ position.hand_key) >> np.uint64(1)) ^ alpha ^ beta << 30
    memory[TIMES] = memory[TIMES] + 1 if memory[LAST] == question else 1
    memory[LAST] = question
    return value + 1 if memory[TIMES] > 2 else value


@implements("quiescence", name="gives-up-when-told", parts=["evaluation"])
def deaf(context, position, alpha, beta):
    if is_in_check(position, position.side) and not has_evasion(position):
        return -MATE
    return call_evaluation(context, position, position.side)


@hookimpl
def hisshi_quiescence():
    return [dirty, pessimist, blind, scared, bored, deaf]
