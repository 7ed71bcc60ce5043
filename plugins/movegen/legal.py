"""Move generators of the kernel: every legal move, every check, every evasion, every capture.

`skip_dominated` leaves out the moves of pawn, bishop and rook that could promote and do not. They matter only round
uchifuzume; with the option a generator is not complete, and a search knows.
"""

from hisshi.core import Option, hookimpl, implements
from hisshi.core.kernel.attacks import checkers_of
from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.generation import all_moves, captures, evasions

SKIP_DOMINATED = 0  # place of the option in context.options
OPTIONS = [Option("skip_dominated", False, "leave out non-promotions of pawn, bishop and rook")]
SOURCE = "the rules of shogi"


def _traits(options):
    """Complete as long as nothing is left out."""
    return frozenset() if options["skip_dominated"] else frozenset({"complete"})


@implements("legal_moves", name="all", options=OPTIONS, traits=_traits, source=SOURCE)
def every_move(context, position, moves, start):
    """Every legal move."""
    return all_moves(position, moves, start, context.options[SKIP_DOMINATED] != 0)


@implements("checks", name="all", options=OPTIONS, traits=_traits, source=SOURCE)
def every_check(context, position, moves, start):
    """Every legal move that gives check: direct, uncovered, dropped."""
    return check_moves(position, moves, start, context.options[SKIP_DOMINATED] != 0)


@implements("evasions", name="all", options=OPTIONS, traits=_traits, source=SOURCE)
def every_evasion(context, position, moves, start):
    """Every evasion: king moves first, then captures and moves between, then drops between."""
    checkers = checkers_of(position, position.side)
    return evasions(position, moves, start, checkers, context.options[SKIP_DOMINATED] != 0)


@implements("captures", name="all", options=OPTIONS, traits=_traits, source=SOURCE)
def every_capture(context, position, moves, start):
    """Every legal move that takes a piece; in check, those that end the check."""
    return captures(position, moves, start, context.options[SKIP_DOMINATED] != 0)


@hookimpl
def hisshi_legal_moves():
    """Offer the generator of legal moves."""
    return every_move


@hookimpl
def hisshi_checks():
    """Offer the generator of checks."""
    return every_check


@hookimpl
def hisshi_evasions():
    """Offer the generator of evasions."""
    return every_evasion


@hookimpl
def hisshi_captures():
    """Offer the generator of captures."""
    return every_capture
