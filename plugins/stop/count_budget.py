"""Stop rule count-budget: every check and every evasion costs one, so that lines with few of them are searched deep.

Source: Komiya, count-budget mate search: budgets 20, 30, 40, 50; at each node the number of its moves is taken off;
below zero the node is unknown.
"""

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.roles.stop import AFTER_MOVES, NEXT_BUDGET

FIRST, STEP, LAST = 0, 1, 2  # places of the options in context.options


@implements(
    "stop",
    options=[
        Option("first", 20, "the first budget", low=1, high=1_000_000),
        Option("step", 10, "how much each next budget is larger", low=1, high=1_000_000),
        Option("last", 50, "the largest budget", low=1, high=1_000_000),
    ],
    source="Komiya, count-budget mate search",
)
def count_budget(context, stack, ply, moves, keys, limits, point):
    """Stop when the moves of the nodes on the path have used up the budget."""
    here = stack[ply]
    if point == NEXT_BUDGET:
        following = here.budget + context.options[STEP] if here.budget > 0 else context.options[FIRST]
        if following > context.options[LAST]:
            return 1
        here.budget = following
    elif point == AFTER_MOVES:
        here.budget -= here.end - here.first
        if here.budget < 0:
            return 1
    return 0


@hookimpl
def hisshi_stop():
    """Offer the rule."""
    return count_budget
