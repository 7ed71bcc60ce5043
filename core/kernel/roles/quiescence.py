"""Role `quiescence`: what a position is worth when the captures that hang in it are played out.

The kernel is called as ``(context, position, alpha, beta) -> int64``:

* `position`: the record of `hisshi.core.kernel.state`; as before on return;
* `alpha`, `beta`: what the caller wants to know: below `alpha` and above `beta` the exact value does not matter;
  ``-INFINITE <= alpha < beta <= INFINITE``, see `hisshi.core.kernel.values`;
* returns the value for the side to move, in hundredths of a pawn: the exact one v if it is between the two; if
  v <= alpha something from v to alpha, if v >= beta something from beta to v. `v` depends on position and options
  alone, not on the window, nor on what was searched before;
* a side to move that is mated has ``-MATE``. No other value is beyond `LARGEST_VALUE`, unless a mate was seen;
* returns `NO_VALUE` if `hisshi.core.kernel.control.enter_node`, which it calls at every node, says that the search must
  give up.

Its arrays `moves` and `keys` are its own.
"""

import numpy as np
import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, INT, POSITION, Array, Role

SLOT = 13
BUFFER = 1 << 15  # moves of all nodes on a line of captures
ROLE = Role(
    "quiescence",
    SLOT,
    INT(CONTEXT, POSITION, INT, INT),
    ("context", "position", "alpha", "beta"),
    arrays=(Array("moves", np.dtype(np.int32), BUFFER), Array("keys", np.dtype(np.int64), BUFFER)),
)

_call_at = caller_of(ROLE.signature)


@compiled
def call_quiescence(context, position, alpha, beta):
    """Call the caller's `quiescence` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, alpha, beta)


@pluggy.HookspecMarker("hisshi")
def hisshi_quiescence():
    """Return the kernel, or a list of kernels, of role `quiescence`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "quiescence".
    """
