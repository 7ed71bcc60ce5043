"""Role `move_order`: which moves are tried first.

The kernel is called as ``(context, position, moves, keys, start, end) -> int64``, once for all moves of a node:

* `position`: the record of `hisshi.core.kernel.state`, its side to move is about to choose; as before on return;
* `moves`: int32, moves[start:end] are the node's moves; not written before `end`, scratch with room for `MAX_MOVES`
  behind it;
* `keys`: int64; keys[start:end] are written, the largest is tried first, equal ones in the order of generation;
* returns 0.
"""

import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, INT, KEYS, MOVES, POSITION, Role

SLOT = 3
ROLE = Role(
    "move_order",
    SLOT,
    INT(CONTEXT, POSITION, MOVES, KEYS, INT, INT),
    ("context", "position", "moves", "keys", "start", "end"),
)

_call_at = caller_of(ROLE.signature)


@compiled
def call_move_order(context, position, moves, keys, start, end):
    """Call the caller's `move_order` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, moves, keys, start, end)


@pluggy.HookspecMarker("hisshi")
def hisshi_move_order():
    """Return the kernel, or a list of kernels, of role `move_order`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "move_order".
    """
