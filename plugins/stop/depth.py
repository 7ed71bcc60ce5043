"""Stop rule depth: the budget is the number of plies left; 1, 3, 5, … up to `max_plies`, or every number of plies."""

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.roles.stop import AFTER_MOVES, BEFORE_MOVES, NEXT_BUDGET, WHILE_KEYS

MAX_PLIES, STEP = 0, 1  # places of the options in context.options


def _traits(options):
    """What the trait says holds for steps of two."""
    return frozenset({"budget-is-plies"}) if options["step"] == 2 else frozenset()


@implements(
    "stop",
    options=[
        Option("max_plies", 1999, "longest line to look at", low=1, high=1999),
        Option("step", 2, "plies that each next budget has more: 2 for mates, where an even number is no use", low=1),
    ],
    traits=_traits,
    source="iterative deepening",
)
def depth(context, stack, ply, moves, keys, limits, point):
    """Stop when no plies are left; the first budget is 1."""
    here = stack[ply]
    if point == NEXT_BUDGET:
        following = here.budget + context.options[STEP] if here.budget > 0 else 1
        if following > context.options[MAX_PLIES]:
            return 1
        here.budget = following
    elif point == BEFORE_MOVES:
        if here.budget <= 0:
            return 1
    elif point == WHILE_KEYS:  # which comes before AFTER_MOVES
        if here.budget <= 1:
            return 1
    elif point == AFTER_MOVES:
        here.budget -= 1
    return 0


@hookimpl
def hisshi_stop():
    """Offer the rule."""
    return depth
