"""Role `search`: the search itself, also as a part of another search ("is there a mate within n plies?").

The kernel is called as ``(context, position, plies) -> int64``:

* `position`: the record of `hisshi.core.kernel.state`; its side to move is the attacker; as before on return;
* `plies`: look no further ahead than this; 0 for no limit;
* returns PROVEN (1), DISPROVEN (-1) or UNKNOWN (0). Running out of anything is UNKNOWN: with `plies`, so is a mate
  that is longer;
* writes ``context.answer_move`` and, if proven, ``context.answer_plies`` (an upper bound of the mate's length, never
  more than `plies`) and ``context.answer_exact`` (1 if there is none shorter);
* if unknown, notes why with `hisshi.core.kernel.control.give_up`. `GAVE_UP_SCHEDULE` is a statement: nothing but
  `plies` was in the way, every check and evasion that the parts generate within them was looked at, so there is no
  mate of so many plies. `shortest = true` relies on it. A node limit, a budget, a threshold, a full stack have bits of
  their own.

Trait ``useless-left-out``: its lengths leave out useless interpositions, see docs/algorithms.md. Lines and proofs are
then made by that rule, and a result says so.

Trait ``finds-shortest``: with generators that are complete, and a stop rule (if it has one) whose budget is plies, it
calls the length of every proof the shortest, and it is.

It calls `hisshi.core.kernel.control.enter_node` at every node and gives up when that says so. Its arrays (`moves_of`,
`keys_of`, `stack_of` in `hisshi.core.kernel.stack`) are its own.
"""

import numpy as np
import pluggy

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import caller_of, context_at
from hisshi.core.kernel.control import EXHAUSTED, NODE_LIMIT, NODES, control_of
from hisshi.core.kernel.role import CONTEXT, INT, POSITION, Array, Role
from hisshi.core.kernel.stack import MAX_PLY, MOVE_BUFFER
from hisshi.core.kernel.stack import STACK as STACK_RECORD

SLOT = 7
ROLE = Role(
    "search",
    SLOT,
    INT(CONTEXT, POSITION, INT),
    ("context", "position", "plies"),
    arrays=(
        Array("moves", np.dtype(np.int32), MOVE_BUFFER),
        Array("keys", np.dtype(np.int64), MOVE_BUFFER),
        Array("stack", STACK_RECORD, MAX_PLY),
    ),
)

_call_at = caller_of(ROLE.signature)


@compiled
def call_search(context, position, plies):
    """Call the caller's `search` part; see this module for the contract."""
    return _call_at(context.code[SLOT], context_at(context.env[SLOT]), position, plies)


@compiled
def call_search_at(code, env, position, plies):
    """Call the search whose code and context are at these addresses: how a run is entered from Python."""
    return _call_at(code, context_at(env), position, plies)


@compiled
def ask_search(context, slot, position, plies, most_nodes):
    """Ask the caller's search in `slot`, for at most `most_nodes` nodes (0: no limit of its own).

    Return its verdict, and the GAVE_UP bits that it noted. The run's own limit holds all the same; limit and bits are
    left as they were, for the caller has not given up.
    """
    control = control_of(context)
    limit, reasons = control[NODE_LIMIT], control[EXHAUSTED]
    most = control[NODES] + most_nodes
    if most_nodes > 0 and (limit == 0 or most < limit):
        control[NODE_LIMIT] = most
    control[EXHAUSTED] = 0
    value = call_search_at(context.code[np.uint64(slot)], context.env[np.uint64(slot)], position, np.int64(plies))
    noted = control[EXHAUSTED]
    control[NODE_LIMIT], control[EXHAUSTED] = limit, reasons
    return value, noted


@pluggy.HookspecMarker("hisshi")
def hisshi_search():
    """Return the kernel, or a list of kernels, of role `search`.

    Called once when plugins are loaded, never per node.

    :returns: a function that `hisshi.core.implements` decorates, role "search".
    """
