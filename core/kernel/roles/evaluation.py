"""Role `evaluation`: what a position is worth, without a look ahead.

The kernel is called as ``(context, position, colour) -> int64``:

* `position`: the record of `hisshi.core.kernel.state`; as before on return;
* `colour`: who asks; whose turn it is, `position` says, and it may matter;
* returns hundredths of a pawn, within `hisshi.core.kernel.values.LARGEST_VALUE`, more being better for `colour`.

What one side gains the other loses: the value for white is exactly the value for black with the other sign. And the
colours are alike: exchanged, the board turned round, the value is the same.
"""

import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, INT, POSITION, Role

SLOT = 11
ROLE = Role("evaluation", SLOT, INT(CONTEXT, POSITION, INT), ("context", "position", "colour"))

_call_at = caller_of(ROLE.signature)


@compiled
def call_evaluation(context, position, colour):
    """Call the caller's `evaluation` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, colour)


@pluggy.HookspecMarker("hisshi")
def hisshi_evaluation():
    """Return the kernel, or a list of kernels, of role `evaluation`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "evaluation".
    """
