"""Role `hisshi_rule`: which of the defender's moves count as an answer in a hisshi (brinkmate, 必至).

The kernel is called as ``(context, position, move) -> int64``:

* `position`: the record of `hisshi.core.kernel.state`, its side to move is the defender; as before on return;
* `move`: one of its legal moves;
* returns 1 if the attacker must have an answer to it, 0 if the rule leaves it out. A move that gives no check always
  counts: rules differ in the checks alone. The answer depends on position and move, nothing else.

What a rule leaves out, no solution is asked about: a proof holds under its rule.
"""

import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.role import CONTEXT, INT, POSITION, Role

SLOT = 8
ROLE = Role("hisshi_rule", SLOT, INT(CONTEXT, POSITION, INT), ("context", "position", "move"))

_call_at = caller_of(ROLE.signature)


@compiled
def call_hisshi_rule(context, position, move):
    """Call the caller's `hisshi_rule` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, move)


@pluggy.HookspecMarker("hisshi")
def hisshi_hisshi_rule():
    """Return the kernel, or a list of kernels, of role `hisshi_rule`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "hisshi_rule".
    """
