"""Role `stop`: the termination rule, which says where a line of search ends without a verdict.

The kernel is called as ``(context, stack, ply, moves, keys, limits, point) -> int64`` and returns 0 to go on, 1 to
stop. It sees the whole search stack, and it is asked at these points:

* `NEXT_BUDGET`, before each iteration, at ply 0 (or at the ply where a search deepens): write the iteration's budget to
  ``stack[ply].budget``, where the last one's still stands (0 before the first), or stop: there is no larger one.
  Budgets rise;
* `BEFORE_MOVES`, at a node whose moves are not generated yet: stop means the node is unknown;
* `AFTER_MOVES`, when they are generated and counted (``stack[ply].end - stack[ply].first``): likewise;
* `WHILE_KEYS`, in play search only, between the two, at a node whose moves are getting their keys: moves[first:end]
  have theirs, or are the best of those that do if more would not be kept, and `current`, one of them, has a key of at
  least ``upper``. Stop means that a node after this move would be stopped `BEFORE_MOVES`, whatever keys are still to
  come. A rule that cannot tell goes on.

In play search `lower` and `upper` are each node's alpha and beta, seen from its side to move, and ``keys`` what its
moves promise to that side: the value by quiescence search after the move. A line that is stopped has that value.

A mate search recognises a mate before any question is asked, so a defender node that is asked about has an evasion.

* `stack`: STACK records of `hisshi.core.kernel.stack`, [0] is the root, [ply] the present node. A rule may write
  ``stack[ply].budget``; a child begins with its parent's. Its other fields are not written. The answer may depend on
  the budget and on the stack's nodes, and a larger budget must not stop earlier;
* `ply`: index of the present node;
* `moves` (int32), `keys` (int64): the buffers that ``first`` and ``end`` point into; not written;
* `limits`: the run's control array, int64, see `hisshi.core.kernel.control`: limits and live counters; not written;
* `point`: which question.

Trait ``budget-is-plies``: the budget is the number of plies left, first budget 1, each next one 2 more: then a search
knows the shortest mate.
"""

import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, CONTROL, INT, KEYS, MOVES, STACK, Role

SLOT = 5
ROLE = Role(
    "stop",
    SLOT,
    INT(CONTEXT, STACK, INT, MOVES, KEYS, CONTROL, INT),
    ("context", "stack", "ply", "moves", "keys", "limits", "point"),
)

NEXT_BUDGET, BEFORE_MOVES, AFTER_MOVES, WHILE_KEYS = 0, 1, 2, 3

_call_at = caller_of(ROLE.signature)


@compiled
def call_stop(context, stack, ply, moves, keys, limits, point):
    """Call the caller's `stop` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), stack, ply, moves, keys, limits, point)


@pluggy.HookspecMarker("hisshi")
def hisshi_stop():
    """Return the kernel, or a list of kernels, of role `stop`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "stop".
    """
