"""Mining: candidates in rounds, their findings in order, what is nearly a known problem left out.

All candidates of a round have the same sources, the output of the rounds before among them, so that what they find does
not depend on how many work at once.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence

import attrs

from hisshi.core.errors import HisshiError
from hisshi.lab.batch import solve_one_by_one
from hisshi.lab.mining.composer import Composer, ComposeSettings
from hisshi.lab.mining.likeness import Likeness, likeness
from hisshi.lab.mining.record import Record, candidate_id, candidate_number
from hisshi.lab.mining.sources import Source, choose
from hisshi.lab.outcome import Outcome
from hisshi.lab.problem import Problem
from hisshi.lab.session import Stopped
from hisshi.lab.workers import solve_rounds_in_parallel

ROUND = 32  # candidates


@attrs.frozen
class Limits:
    """When to stop: with so many problems, or after so many seconds."""

    number: int
    seconds: float | None = None


class _Enough(Exception):  # noqa: N818  not an error
    """There are as many problems as were asked for, or the time is over."""


class Miner:
    """Mines into a `Record`; `tell` gets a line of text for each problem that is found."""

    def __init__(self, settings: ComposeSettings, sources: Sequence[Source], record: Record, limits: Limits) -> None:
        self.settings, self.sources, self.record, self.limits = settings, sources, record, limits
        self.begun = time.monotonic()
        self.alike = 0  # findings that were nearly known problems
        self.failures: list[str] = []
        self.is_stopped = False
        known = [source for source in sources if source.plies == settings.plies]
        self._known: list[Likeness] = [likeness(source.sfen) for source in known]
        self._known += [likeness(one.sfen, tuple(one.extra.get("line", "").split())) for one in record.problems]

    def mine(self, solver: Composer, jobs: int) -> bool:
        """Go on until it is enough; return whether the user stopped it."""
        if len(self.record.problems) >= self.limits.number:
            return False
        try:
            if jobs == 1:
                for tasks in self._rounds():
                    solve_one_by_one(solver, tasks, self.settings.run, self)
            else:
                solve_rounds_in_parallel(Composer, self.settings, self._rounds(), jobs, self)
        except _Enough:
            return False
        except (Stopped, KeyboardInterrupt):
            return True
        raise AssertionError("rounds have no end")

    def _rounds(self) -> Iterator[Iterable[Problem]]:
        while True:
            first = self.record.done // ROUND * ROUND + 1
            mined = [
                Source(one.id, one.sfen, one.plies) for one in self.record.problems if candidate_number(one.id) < first
            ]
            sources = [*self.sources, *mined]
            yield [self._task(number, sources) for number in range(self.record.done + 1, first + ROUND)]

    def _task(self, number: int, sources: Sequence[Source]) -> Problem:
        chance = random.Random(f"{self.settings.seed}/source/{number}")  # noqa: S311
        source = choose(sources, self.settings.plies, chance)
        return Problem(
            candidate_id(number),
            source.sfen,
            source.plies,
            extra={"source": source.id, "first moves": ",".join(source.first_moves)},
        )

    def started(self, number: int, problem: Problem) -> None:
        """See `Listener`."""

    def searching(self, number: int, nodes: int, seconds: float) -> None:
        """See `Listener`."""

    def ended(self, number: int) -> None:
        """See `Listener`."""

    def finished(self, number: int, outcome: Outcome) -> None:  # noqa: ARG002
        """See `Listener`: keep what is new."""
        mine = candidate_number(str(outcome.id))
        if self.is_stopped or outcome.reason == "stopped" or mine != self.record.done + 1:
            self.is_stopped = True  # a later candidate must not be kept before an earlier one is done
            return
        if outcome.error is not None:
            self.failures.append(outcome.error)
            if len(self.failures) >= ROUND and self.record.done < 2 * ROUND:
                raise HisshiError(f"no candidate works; the first says: {self.failures[0]}")
        if outcome.verdict == "proven":
            new = likeness(str(outcome.sfen), outcome.moves)
            if any(new.is_like(old) for old in self._known):
                self.alike += 1
            else:
                self._known.append(new)
                self.record.add(outcome)
        self.record.finish(mine)
        self.tell()
        is_late = self.limits.seconds is not None and time.monotonic() - self.begun >= self.limits.seconds
        if len(self.record.problems) >= self.limits.number or is_late:
            raise _Enough

    def tell(self) -> None:
        """Say how far it is; replaced by whoever wants to know."""
