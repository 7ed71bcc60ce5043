"""Stop rule SKELETON: what it gives up and where the idea comes from."""

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.roles.stop import AFTER_MOVES, BEFORE_MOVES, NEXT_BUDGET

MAX_PLIES = 0  # place of the option in context.options


@implements(
    "stop",
    options=[Option("max_plies", 15, "longest line to look at", low=1, high=1999)],
    traits=["budget-is-plies"],  # take it away as soon as the budget is something else
    source="mine",
    status="experimental",
)
def skeleton(context, stack, ply, moves, keys, limits, point):
    """Stop where no plies are left; 1 at first, 2 more each time."""
    here = stack[ply]
    if point == NEXT_BUDGET:  # at the root, before each iteration: hand out a larger budget, or stop
        following = here.budget + 2 if here.budget > 0 else 1
        if following > context.options[MAX_PLIES]:
            return 1
        here.budget = following
    elif point == BEFORE_MOVES and here.budget <= 0:
        return 1
    elif point == AFTER_MOVES:  # here.end - here.first says how many moves there are
        here.budget -= 1
    return 0


@hookimpl
def hisshi_stop():
    """Offer the rule."""
    return skeleton
