"""Stop rule bit-budget: a node costs as much as its number of moves has binary digits.

A line may then go on while it is likely enough to be the one that is played, if all moves of a node are equally likely:
a forced move costs 1, a choice among a hundred 7. Budgets are `first`, `first` + `step`, … up to `last`.

Source: the idea of realization probabilities, Tsuruoka, Yokoyama and Chikayama, 2002, with the simplest of all models.
"""

from hisshi.core import Option, compiled, hookimpl, implements
from hisshi.core.kernel.roles.stop import AFTER_MOVES, NEXT_BUDGET

FIRST, STEP, LAST = 0, 1, 2  # places of the options in context.options


@compiled
def binary_digits(number):
    """Return how many binary digits a number has, 1 at least."""
    digits = 1
    while number > 1:
        number >>= 1
        digits += 1
    return digits


@implements(
    "stop",
    options=[
        Option("first", 4, "the first budget", low=1, high=100_000),
        Option("step", 4, "how much each next budget is larger", low=1, high=100_000),
        Option("last", 60, "the largest budget", low=1, high=100_000),
    ],
    source="Tsuruoka, Yokoyama and Chikayama, 2002: realization probabilities, all moves equally likely",
)
def bit_budget(context, stack, ply, moves, keys, limits, point):
    """Stop when the choices on the path have used up the budget; a forced line goes deep."""
    here = stack[ply]
    if point == NEXT_BUDGET:
        following = here.budget + context.options[STEP] if here.budget > 0 else context.options[FIRST]
        if following > context.options[LAST]:
            return 1
        here.budget = following
    elif point == AFTER_MOVES:
        here.budget -= binary_digits(here.end - here.first)
        if here.budget < 0:
            return 1
    return 0


@hookimpl
def hisshi_stop():
    """Offer the rule."""
    return bit_budget
