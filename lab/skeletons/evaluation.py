"""Evaluation SKELETON: what makes a position good and where the idea comes from."""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.material import material_balance
from hisshi.core.kernel.roles.king_freedom import call_king_freedom


@implements("evaluation", parts=["king_freedom"], source="mine", status="experimental")
def skeleton(context, position, colour):
    """Pieces; and a pawn's worth for a king that has more squares left than the other."""
    freedom = call_king_freedom(context, position, 0) - call_king_freedom(context, position, 1)
    value = material_balance(position) + (100 if freedom > 0 else -100 if freedom < 0 else 0)
    return value if colour == 0 else -value  # what one side gains the other loses


@hookimpl
def hisshi_evaluation():
    """Offer the evaluation."""
    return skeleton
