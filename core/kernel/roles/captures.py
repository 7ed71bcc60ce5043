"""Role `captures`: the legal moves of the side to move that take a piece.

The kernel is called as ``(context, position, moves, start) -> end``:

* `position`: the record of `hisshi.core.kernel.state`; as before on return; its side to move may be in check;
* `moves`: int32 buffer; written from `start` on, with room for `hisshi.core.kernel.generation.MAX_MOVES`; nothing
  else is written;
* returns the index after the last move, int64. No move twice, only legal ones that take something.

Trait ``complete``: none is left out.
"""

import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, INT, MOVES, POSITION, Role

SLOT = 12
ROLE = Role("captures", SLOT, INT(CONTEXT, POSITION, MOVES, INT), ("context", "position", "moves", "start"))

_call_at = caller_of(ROLE.signature)


@compiled
def call_captures(context, position, moves, start):
    """Call the caller's `captures` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, moves, start)


@pluggy.HookspecMarker("hisshi")
def hisshi_captures():
    """Return the kernel, or a list of kernels, of role `captures`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "captures".
    """
