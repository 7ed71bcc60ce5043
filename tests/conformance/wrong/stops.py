"""Stop rules that break one rule each, called after the check that must catch them.

Each is the rule `plies` with one mistake.
"""

from hisshi.core import compiled, hookimpl, implements
from hisshi.core.kernel.roles.stop import AFTER_MOVES, BEFORE_MOVES, NEXT_BUDGET


@compiled
def plies(here, point):
    """As the bundled rule `depth`, to 99 plies."""
    if point == NEXT_BUDGET:
        if here.budget >= 99:
            return 1
        here.budget = here.budget + 2 if here.budget > 0 else 1
    elif point == BEFORE_MOVES:
        return 1 if here.budget <= 0 else 0
    else:
        here.budget -= 1
    return 0


@implements("stop", name="answers-zero-or-one")
def emphatic(context, stack, ply, moves, keys, limits, point):
    return 2 * plies(stack[ply], point)


@implements("stop", name="offers-rising-budgets")
def endless(context, stack, ply, moves, keys, limits, point):
    if point == NEXT_BUDGET:
        stack[ply].budget = 9
        return 0
    return plies(stack[ply], point)


@implements("stop", name="stops-at-once-with-nothing-left")
def generous(context, stack, ply, moves, keys, limits, point):
    if point != NEXT_BUDGET and stack[ply].budget == 0:
        return 0
    return plies(stack[ply], point)


@implements("stop", name="stops-no-earlier-with-more")
def fickle(context, stack, ply, moves, keys, limits, point):
    if point == BEFORE_MOVES and stack[ply].budget == 50:
        return 1
    return plies(stack[ply], point)


@implements("stop", name="writes-the-budget-of-its-node-only")
def marking(context, stack, ply, moves, keys, limits, point):
    if point == AFTER_MOVES:
        stack[ply].lower = 1
    return plies(stack[ply], point)


@implements("stop", name="counts-plies", traits=["budget-is-plies"])
def double(context, stack, ply, moves, keys, limits, point):
    if point == AFTER_MOVES:
        stack[ply].budget -= 2
        return 1 if stack[ply].budget < 0 else 0
    return plies(stack[ply], point)


@hookimpl
def hisshi_stop():
    return [emphatic, endless, generous, fickle, marking, double]
