"""Rule of hisshi SKELETON: which of the defender's checks count, and where the idea comes from."""

from hisshi.core import hookimpl, implements
from hisshi.core.kernel.checks import gives_check
from hisshi.core.kernel.moves import is_drop, target_of
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.kernel.state import piece_on


@implements("hisshi_rule", source="mine", status="experimental")
def skeleton(context, position, move):
    """The defender's checks count where they capture."""
    if not gives_check(position, move):
        return 1  # always: rules differ in the checks alone
    captures = not is_drop(move) and piece_on(position, target_of(move)) != EMPTY
    return 1 if captures else 0


@hookimpl
def hisshi_hisshi_rule():
    """Offer the rule."""
    return skeleton
