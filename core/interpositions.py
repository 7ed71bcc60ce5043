"""Useless interpositions, for people: which evasions interpose, and what is left when one is taken with check.

The rule is told in docs/algorithms.md; searches have it from `hisshi.core.kernel.interpositions`.
"""

from collections.abc import Iterator

from hisshi.core.kernel.interpositions import do_recapture, interposes
from hisshi.core.kernel.moves import target_of
from hisshi.core.kernel.pieces import EMPTY
from hisshi.core.position import Position


def interpositions(position: Position) -> list[str]:
    """Return the evasions, in USI, that block the check of the side to move."""
    return [usi for usi, move in position.usi_moves().items() if interposes(position.record, move)]


def recaptures(position: Position, interposition: str) -> Iterator[tuple[str, Position]]:
    """Yield each capture of `interposition` whose piece gives check itself, and the position that is then looked at.

    That is the defender's again, with the captured piece back in his hand.
    """
    after = position.play(interposition)
    for usi, move in after.usi_moves().items():
        if usi[2:4] == interposition[2:4]:
            record = after.copy_record()
            if record.board[target_of(move)] != EMPTY and do_recapture(record, move) != EMPTY:
                yield usi, Position(record, after.move_number + 1)
