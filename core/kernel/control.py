"""The control array: how a running search and the thread that started it talk.

One int64 array a run. The main thread writes the stop flag and the limits, kernels write the live counters. Compiled
code does not notice Ctrl-C, so every search calls `enter_node` at each node and gives up when it says so.
"""

import numpy as np

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import array_reader, fresh

CONTROL_SIZE = 16  # the last is the profile's, see hisshi.core.kernel.profiling
STOP = 0  # not 0: give up as soon as possible
NODE_LIMIT = 1  # nodes to enter at most; 0 for no limit
NODES = 2  # nodes entered so far, by all searches of the run together
ITERATION = 3  # what the outermost search iterates over: its present budget
EXHAUSTED = 4  # why a search gave up: bits below

GAVE_UP_STOP = 1
GAVE_UP_NODES = 2
GAVE_UP_DEPTH = 4  # deeper than the search stack
# No plies left of those that the caller allows, and nothing else in the way: as far as the generators show, there is no
# mate within them. Together with another bit it says nothing: `hisshi.core.shortest` relies on that.
GAVE_UP_SCHEDULE = 8
GAVE_UP_BUDGET = 16  # the stop rule, or the search itself, has no larger budget to offer

control_array = array_reader(np.dtype(np.int64))


@compiled
def control_of(context):
    """Return the run's control array, int64 of length CONTROL_SIZE."""
    return control_array(context.control, CONTROL_SIZE)


@compiled
def enter_node(control):
    """Count a node; return False, and note why in `control`, when the search must give up (stop flag, node limit)."""
    control[NODES] += 1
    if fresh(control, STOP) != 0:
        control[EXHAUSTED] |= GAVE_UP_STOP
        return False
    if control[NODE_LIMIT] != 0 and control[NODES] > control[NODE_LIMIT]:
        control[NODES] -= 1
        control[EXHAUSTED] |= GAVE_UP_NODES
        return False
    return True


@compiled
def give_up(control, reason):
    """Note why a search ends without a verdict; `reason` is one of the GAVE_UP bits."""
    control[EXHAUSTED] |= reason
