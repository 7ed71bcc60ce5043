"""`shortest = true`: a search that has proven a mate goes on until no shorter one is left.

Every search answers "is there a mate within n plies?". After a proof of n plies it is asked for n - 2, with the tables
as they are, until it says that there is none. What counts as that: unknown, with nothing but the limit of plies in
the way (`GAVE_UP_SCHEDULE` alone), by generators that leave out nothing. A search that gave up says nothing.
"""

from typing import Any, Protocol

import attrs

from hisshi.core.composition import Run
from hisshi.core.errors import SearchFailedError
from hisshi.core.instance import Instance
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_SCHEDULE
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.position import Position


@attrs.frozen
class Length:
    """The length of the best proof so far."""

    plies: int
    is_shortest: bool


class Asked(Protocol):
    """What is asked for mates: a run, or a search that is part of one."""

    name: str
    root: Instance
    control: Any

    def search(self, record: Any, plies: int = 0) -> int:
        """Enter the search; see `Run.search`."""
        ...


def proven_length(run: Asked) -> Length:
    """Return the length that the search of `run` has just proven."""
    context = run.root.context
    return Length(int(context.answer_plies), bool(context.answer_exact))


def shorten(position: Position, run: Run, length: Length) -> Length:
    """Return the length of the shortest mate that `run`, which has proven one of `length`, finds.

    Limits in `run.control` hold for all of it; when one is met, the best proof so far is returned as an upper bound.

    Raises
    ------
    SearchFailedError
        The search contradicts itself.
    """
    while not length.is_shortest and length.plies > 1:
        within = length.plies - 2
        run.control[EXHAUSTED] &= ~GAVE_UP_SCHEDULE  # other bits stay: what they spoiled may be in the tables
        verdict = run.search(position.copy_record(), within)
        if verdict == PROVEN:
            shorter = proven_length(run)
            if not 0 < shorter.plies <= within:
                raise _contradiction(run, position, f"asked for a mate within {within} plies gives {shorter.plies}")
            length = shorter
        elif verdict == DISPROVEN:
            raise _contradiction(run, position, f"has proven a mate in {length.plies} plies and disproves it")
        else:
            has_none = run.control[EXHAUSTED] == GAVE_UP_SCHEDULE and leaves_out_nothing(run)
            return Length(length.plies, has_none)
    # There is nothing shorter than one ply.
    return length if length.is_shortest else Length(length.plies, run.has_only("evasions", "complete"))


def leaves_out_nothing(run: Run) -> bool:
    """Tell whether all the run's generators write every check and every evasion."""
    return run.has_only("checks", "complete") and run.has_only("evasions", "complete")


def _contradiction(run: Run, position: Position, what: str) -> SearchFailedError:
    return SearchFailedError(f"run '{run.name}': search '{run.root.plugin.name}' {what}; position {position.sfen}")
