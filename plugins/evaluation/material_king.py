"""Evaluation material-king: material, and the safety of the kings, which is the freedom that the enemy leaves them.

Each square that a king has left, as the part `king_freedom` counts them, is worth `freedom_weight` to his side. A side
without a king has 8, as that role has it for a king that nobody can hunt: a constant, for either side the same.

Source: Hiroshi Yamashita's piece values of YSS; king freedom: KFEnd, "Hisshi search", 2000. That one is added to the
other, and the weight, are ours.
"""

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.material import material_balance
from hisshi.core.kernel.roles.king_freedom import call_king_freedom

FREEDOM_WEIGHT = 0  # place of the option in context.options


@implements(
    "evaluation",
    options=[
        Option("freedom_weight", 30, "hundredths of a pawn for each free square round a king", low=0, high=10_000),
    ],
    parts=["king_freedom"],
    source="Yamashita: the published piece values of YSS; KFEnd, Hisshi search, 2000, for the freedom of a king",
)
def material_king(context, position, colour):
    """Pieces, and for each king the squares that the enemy leaves him."""
    freedom = call_king_freedom(context, position, 0) - call_king_freedom(context, position, 1)
    balance = material_balance(position) + context.options[FREEDOM_WEIGHT] * freedom
    return balance if colour == 0 else -balance


@hookimpl
def hisshi_evaluation():
    """Offer the evaluation."""
    return material_king
