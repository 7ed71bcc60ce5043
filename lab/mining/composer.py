"""One candidate: a source is varied at random until a cheap search likes what comes out, and that is examined.

A candidate depends on its number, the random seed, its source and the settings alone, so that it does not matter which
process makes it, or when.
"""

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hisshi.core import Position
from hisshi.core.errors import HisshiError
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.movement import king_steps
from hisshi.core.proof_form import with_references
from hisshi.core.results import FirstMoves
from hisshi.core.sfen import parse_sfen
from hisshi.lab import deep_json
from hisshi.lab.mining.changes import changed, with_king
from hisshi.lab.mining.examiner import Examiner, Finding, make_examiner
from hisshi.lab.mining.needless import without_needless
from hisshi.lab.mining.retraction import retracted
from hisshi.lab.outcome import Outcome, first_moves_row, outcome_of_stop
from hisshi.lab.problem import Problem
from hisshi.lab.session import OnCompile, OnProgress, Settings, Stopped

if TYPE_CHECKING:
    from hisshi.core.composition import Run

NOTHING = "nothing found"  # reason of a candidate that came to nothing

_TRIES = 100  # variations of a candidate's source that are looked at
_CHANGES = (1, 1, 2, 3)  # how many changes make a variation
_CHANGE_TOO = 0.25  # how often what was retracted or played on is changed as well
_RETRACT = 0.6  # how often a source of which no length is known is retracted, not changed


@dataclass(frozen=True)
class ComposeSettings(Settings):
    """What candidates have in common; `run` is only for messages."""

    goal: str = "hisshi"
    plies: int = 3
    nodes: int = 1_000_000
    seed: int = 1
    both_kings: bool = False
    unique: bool = False


class Composer:
    """A `hisshi.lab.session.Solver` whose problems are sources and whose outcomes are new problems."""

    def __init__(self, settings: Settings) -> None:
        assert isinstance(settings, ComposeSettings)
        self.settings = settings
        self.examiner: Examiner = make_examiner(settings.goal, settings.plies, settings.nodes)

    def warm(self, on_compile: OnCompile | None = None) -> float:
        """See `Solver`."""
        runs: tuple[Run, ...] = self.examiner.runs
        return sum(float(run.warm(on_compile)) for run in runs)

    def solve(self, problem: Problem, on_progress: OnProgress | None = None) -> Outcome:
        """Return the problem that candidate `problem.id` makes of a source, or an outcome with the reason `NOTHING`.

        Raises
        ------
        Stopped
            The user interrupted it.
        """
        try:
            return self._solve(problem, on_progress)
        except KeyboardInterrupt:
            raise Stopped([outcome_of_stop(problem, self.settings.run)]) from None

    def _solve(self, problem: Problem, on_progress: OnProgress | None) -> Outcome:
        chance, begun = random.Random(f"{self.settings.seed}/{problem.id}"), time.perf_counter()  # noqa: S311
        for number in range(_TRIES):
            if on_progress is not None:
                on_progress(number, time.perf_counter() - begun)
            sfen, how = self._vary(problem, chance)
            move = self._glance(sfen)
            if move is None:
                continue
            smaller = without_needless(sfen, lambda smaller, move=move: self._glance(smaller) == move)  # type: ignore[misc]
            finding = self._examine(smaller)
            if finding is None and smaller != sfen:
                finding = self._examine(sfen)
            if finding is not None:
                return _outcome(problem, finding, f"{how} {problem.extra['source']}")
            break
        return Outcome(problem.id, problem.sfen, self.settings.run, "unknown", reason=NOTHING)

    def _vary(self, source: Problem, chance: random.Random) -> tuple[str, str]:
        """Return a variation of `source` as SFEN, "" if it did not work out, and what was done."""
        wanted, sfen, how = self.settings.plies, source.sfen, "changed:"
        steps, is_longer = 0, source.plies is not None and source.plies > wanted
        if source.plies is not None:
            steps = max(wanted - source.plies, 0) // 2
        else:  # to a mate's position the first threatmate is still to come
            steps = (wanted + 1) // 2 if chance.random() < _RETRACT else 0
        changes = chance.choice(_CHANGES)
        try:
            if is_longer:
                how = "out of"
                sfen = played_on(sfen, source.extra["first moves"].split(","), chance)
                changes = int(chance.random() < _CHANGE_TOO)
            elif steps:
                how = "in front of"
                for _ in range(steps):
                    sfen = retracted(parse_sfen(sfen), chance) or ""
                changes = int(chance.random() < _CHANGE_TOO)
            for _ in range(changes):
                sfen = changed(parse_sfen(sfen), chance)
            placement = parse_sfen(sfen)
            if self.settings.both_kings and placement.king_square(placement.side) == NO_SQUARE:
                sfen = with_king(placement, chance)
        except HisshiError:
            return "", how
        return sfen, how

    def _position(self, sfen: str) -> Position | None:
        """Return the position if it may be a problem's."""
        try:
            position = Position.from_sfen(sfen)
        except HisshiError:
            return None
        defender = "white" if position.side == "black" else "black"
        if not position.has_king(defender) or position.is_check():
            return None
        if self.settings.both_kings and not position.has_king(position.side):
            return None
        return position

    def _glance(self, sfen: str) -> str | None:
        position = self._position(sfen)
        move = self.examiner.glance(position) if position is not None else None
        return move if position is not None and move is not None and self._is_fit(position, move) else None

    def _examine(self, sfen: str) -> Finding | None:
        position = self._position(sfen)
        finding = self.examiner.examine(position) if position is not None else None
        if position is None or finding is None:
            return None
        is_unique = finding.is_complete and len(finding.first_moves) == 1
        is_wanted = is_unique or not self.settings.unique
        return finding if is_wanted and self._is_fit(position, finding.result.moves[0]) else None

    def _is_fit(self, position: Position, move: str) -> bool:
        return not self.settings.both_kings or takes_part(position, move)


def played_on(sfen: str, first_moves: list[str], chance: random.Random) -> str:
    """Return `sfen` two plies later: after one of the solution's first moves and a reply; "" if there is none."""
    after = Position.from_sfen(sfen).play(chance.choice(first_moves))
    replies = after.legal_moves()
    if not replies:
        return ""
    fields = after.play(chance.choice(replies)).sfen.split()
    return " ".join((*fields[:3], "1"))


def takes_part(position: Position, move: str) -> bool:
    """Tell whether the attacker's king may play a part after his first `move`; he has one.

    It does if the defender could give it a check, or if it is near enough to guard a square next to the other king.
    """
    after = position.play(move)
    return king_steps(*map(int, after.record.king)) <= 2 or _has_check(after)


def _has_check(position: Position) -> bool:
    """Tell whether the side to move has a check."""
    return any(position.after(move).is_check() for move in position.usi_moves().values())


def _outcome(problem: Problem, finding: Finding, origin: str) -> Outcome:
    """Return a finding as an outcome without anything that would differ the next time, such as seconds."""
    result = finding.result
    assert result.proof is not None
    first = FirstMoves(result.plies or 0, finding.first_moves, finding.is_complete, 0, 0.0, 0.0)
    return Outcome(
        id=problem.id,
        sfen=result.sfen,
        run=result.run,
        verdict=result.verdict,
        plies=result.plies,
        length_is=result.length_is,
        moves=tuple(result.moves),
        nodes=int(result.nodes),
        first_moves=first_moves_row(first),
        provenance={**result.provenance, "origin": origin, "length": finding.length_is},
        proof_json=deep_json.dumps(with_references(result.proof)),
    )
