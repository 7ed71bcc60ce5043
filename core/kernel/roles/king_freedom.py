"""Role `king_freedom`: how many squares round a king its enemy leaves free.

The kernel is called as ``(context, position, colour) -> int64``:

* `position`: the record of `hisshi.core.kernel.state`; not written;
* `colour`: whose king, 0 black or 1 white;
* returns 0 to 8; 8 where that side has no king.
"""

import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, INT, POSITION, Role

SLOT = 4
ROLE = Role("king_freedom", SLOT, INT(CONTEXT, POSITION, INT), ("context", "position", "colour"))

_call_at = caller_of(ROLE.signature)


@compiled
def call_king_freedom(context, position, colour):
    """Call the caller's `king_freedom` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, colour)


@pluggy.HookspecMarker("hisshi")
def hisshi_king_freedom():
    """Return the kernel, or a list of kernels, of role `king_freedom`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "king_freedom".
    """
