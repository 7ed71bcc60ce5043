"""Stop rule depth: the budget is the number of plies left; 1, 3, 5, … up to `max_plies`."""

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.roles.stop import AFTER_MOVES, BEFORE_MOVES, NEXT_BUDGET

MAX_PLIES = 0  # place of the option in context.options


@implements(
    "stop",
    options=[Option("max_plies", 1999, "longest line to look at; an even number counts as one less", low=1, high=1999)],
    traits=["budget-is-plies"],
    source="iterative deepening",
)
def depth(context, stack, ply, moves, keys, limits, point):
    """Stop when no plies are left; the first budget is 1, each next one 2 more."""
    here = stack[ply]
    if point == NEXT_BUDGET:
        following = here.budget + 2 if here.budget > 0 else 1
        if following > context.options[MAX_PLIES]:
            return 1
        here.budget = following
    elif point == BEFORE_MOVES:
        if here.budget <= 0:
            return 1
    elif point == AFTER_MOVES:
        here.budget -= 1
    return 0


@hookimpl
def hisshi_stop():
    """Offer the rule."""
    return depth
