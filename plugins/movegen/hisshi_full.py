"""Candidates of a full-width hisshi search: every legal move of either side."""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.generation import all_moves

SOURCE = "the rules of shogi"


@implements("attack_candidates", name="full", traits={"complete"}, source=SOURCE)
def every_attack(context, position, moves, start):
    """Every legal move of the attacker."""
    return all_moves(position, moves, start, False)


@implements("defence_candidates", name="full", traits={"complete"}, source=SOURCE)
def every_defence(context, position, moves, start):
    """Every legal move of the defender."""
    return all_moves(position, moves, start, False)


@hookimpl
def hisshi_attack_candidates():
    """Offer the attacker's."""
    return every_attack


@hookimpl
def hisshi_defence_candidates():
    """Offer the defender's."""
    return every_defence
