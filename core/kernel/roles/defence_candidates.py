"""Role `defence_candidates`: the defender's moves that a hisshi search looks at.

The kernel is called as ``(context, position, moves, start) -> end``:

* `position`: the record of `hisshi.core.kernel.state`, its side to move is the defender; as before on return;
* `moves`: int32 buffer; written from `start` on, with room for `hisshi.core.kernel.generation.MAX_MOVES`; nothing
  else is written;
* returns the index after the last move, int64. No move twice, only legal ones.

The search tests each of them by a mate search.

Trait ``complete``: none is left out.
"""

import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, INT, MOVES, POSITION, Role

SLOT = 10
ROLE = Role("defence_candidates", SLOT, INT(CONTEXT, POSITION, MOVES, INT), ("context", "position", "moves", "start"))

_call_at = caller_of(ROLE.signature)


@compiled
def call_defence_candidates(context, position, moves, start):
    """Call the caller's `defence_candidates` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, moves, start)


@pluggy.HookspecMarker("hisshi")
def hisshi_defence_candidates():
    """Return the kernel, or a list of kernels, of role `defence_candidates`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "defence_candidates".
    """
