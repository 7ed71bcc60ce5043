"""Evaluation material: the pieces of both sides, on the board and in hand, by the published values of YSS.

Source: Hiroshi Yamashita's piece values of YSS; see `hisshi.core.kernel.material`.
"""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.material import material_balance


@implements("evaluation", source="Yamashita: the published piece values of YSS")
def material(context, position, colour):
    """Pieces on the board and in hand, by the values of YSS."""
    balance = material_balance(position)
    return balance if colour == 0 else -balance


@hookimpl
def hisshi_evaluation():
    """Offer the evaluation."""
    return material
