"""Role `move_order`: which moves are tried first.

The kernel is called as ``(context, position, moves, keys, start, end) -> int64``, once for all moves of a node:

* `position`: the record of `hisshi.core.kernel.state`, its side to move is about to choose; as before on return;
* `moves`: int32, moves[start:end] are the node's moves; not written before `end`, scratch with room for `MAX_MOVES`
  behind it;
* `keys`: int64; keys[start:end] are written, the largest is tried first, equal ones in the order in which they are in
  `moves`;
* returns 0.

Option `tie_seed`, of every order: 0 leaves moves of equal key in the order of generation; any other number draws their
order from it. For that the moves are shuffled before the order sees them, and sorts are stable: a search that sorts
again by what it has found breaks ties as before.
"""

import numpy as np
import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at, part
from hisshi.core.kernel.role import CONTEXT, INT, KEYS, MOVES, POSITION, Option, Role
from hisshi.core.kernel.stack import sort_moves
from hisshi.core.kernel.ties import tie_hash

SLOT = 3
ROLE = Role(
    "move_order",
    SLOT,
    INT(CONTEXT, POSITION, MOVES, KEYS, INT, INT),
    ("context", "position", "moves", "keys", "start", "end"),
    options=(
        Option("tie_seed", 0, "moves of equal key: 0 as generated, else in an order drawn from this number", low=0),
    ),
)

_call_at = caller_of(ROLE.signature)


@compiled
def call_move_order(context, position, moves, keys, start, end):
    """Call the caller's `move_order` part; see this module for the contract. Moves are shuffled if a seed is set."""
    seed = part(context, SLOT).tie_seed
    if seed != 0:
        for i in range(start, end):
            keys[i] = tie_hash(np.int64(moves[i]), seed, position.board_key)
        sort_moves(moves, keys, start, end)
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, moves, keys, start, end)


@pluggy.HookspecMarker("hisshi")
def hisshi_move_order():
    """Return the kernel, or a list of kernels, of role `move_order`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "move_order".
    """
