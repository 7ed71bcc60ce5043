"""What a position is worth as a problem: a cheap look first, then a proof of its length, and every first move.

A `Finding` is only made of what is proven, and whose proof the independent checker has replayed.
"""

from importlib.resources import as_file
from pathlib import Path
from typing import Any, Protocol

import attrs

from hisshi.core import Position, Registry, SearchResult, solve
from hisshi.core.checker import check_mate_proof
from hisshi.core.composition import Run
from hisshi.core.errors import HisshiError
from hisshi.core.hisshi_checker import check_hisshi_proof
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_NODES, NODE_LIMIT
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.position import move_to_usi
from hisshi.core.resources import bundled_registry
from hisshi.core.results import SHORTEST

PROVEN_LENGTH, UPPER_BOUND = "proven", "upper bound"

_RULE = "strong"

# Seconds, many times what the default nodes take: following a claim to every reply may take long with few nodes, and
# the writing out of a proof has no limit of nodes at all.
_LONGEST = 40.0

_LEAST_NODES = 2000  # of a glance

# Tables are cleared before each search: small ones are soon clear.
_RUNS = """
[run.compose-glance]
extends = "kfend"
hisshi_rule = "strong"
search = { max_plies = PLIES }
table = { megabytes = 1 }
mate = { table = { megabytes = 1 } }

[run.compose-full]
extends = "hisshi-full"
search = { max_plies = PLIES }
mate = { table = { megabytes = 16 } }

[run.compose-find]
extends = "kfend"
hisshi_rule = "strong"
search = { max_plies = PLIES, useless_delays = "off" }

[run.compose-mate]
extends = "mate-df-pn"
table = { megabytes = 16 }

[run.compose-shortest]
extends = "compose-mate"
shortest = true

[run.compose-mate-glance]
extends = "mate"
stop = { max_plies = PLIES }
table = { megabytes = 1 }

[run.compose-after]
extends = "mate"
stop = { max_plies = AFTER }
table = { megabytes = 1 }
"""


@attrs.frozen
class Finding:
    """A problem of the wanted length, by a proof that the checker accepts."""

    result: SearchResult
    length_is: str  # PROVEN_LENGTH or UPPER_BOUND
    first_moves: tuple[str, ...]  # each as short as the length
    is_complete: bool  # every other first move is shown to be none


class Examiner(Protocol):
    """Looks for problems of one goal and one length. `SearchFailedError` and KeyboardInterrupt are as in `solve`."""

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs that it asks, to be compiled."""

    def glance(self, position: Position) -> str | None:
        """Return the first move if a cheap search says that `position` has the wanted length, else None."""

    def examine(self, position: Position) -> Finding | None:
        """Return what is proven of `position`; None if that is not the wanted length, or nothing within the limit."""


class HisshiExaminer:
    """Hisshi by the strong rule, lengths strict. A position whose length useless delays would change is none.

    Parameters
    ----------
    plies
        The wanted length, odd.
    nodes
        Of each search that proves; a hundredth of it, and at least 2,000, of each glance.
    """

    def __init__(self, plies: int, nodes: int) -> None:
        registry = _registry(plies)
        self.plies, self.nodes = plies, nodes
        self._quick, self._full = registry.compose("compose-glance"), registry.compose("compose-full")
        self._finding, self._mate = registry.compose("compose-find"), registry.compose("compose-mate")
        self._runs = (self._quick, self._full, self._finding, self._mate)

    @property
    def runs(self) -> tuple[Run, ...]:
        """See `Examiner`."""
        return self._runs

    def glance(self, position: Position) -> str | None:
        """See `Examiner`: KFEnd's search, by the strong rule, useless delays left out."""
        return _glance(self._quick, position, self.plies, self.nodes)

    def examine(self, position: Position) -> Finding | None:
        """See `Examiner`.

        Full-width search proves a length. Where that does not come to an end, what KFEnd's search finds and the
        confirmation proves is an upper bound.
        """
        result = self._proof(position, self._full)
        if result.plies is not None and not _is_shortest(result):
            return None
        length_is = PROVEN_LENGTH
        if result.verdict != "proven":
            if result.reason != "node limit":  # there is none
                return None
            if _search(self._mate, position, self.nodes) != DISPROVEN:
                return None
            result, length_is = self._proof(position, self._finding), UPPER_BOUND
        if result.verdict != "proven" or result.plies != self.plies or not result.proof or not result.first_moves:
            return None
        first = result.first_moves
        if not first.moves or (length_is == PROVEN_LENGTH and not first.is_complete):
            return None
        if not check_hisshi_proof(position.sfen, result.proof, rule=_RULE, plies=self.plies).ok:
            raise HisshiError(f"the checker refuses the proof of {position.sfen} by run '{result.run}'")
        return Finding(result, length_is, tuple(sorted(first.moves)), first.is_complete)

    def _proof(self, position: Position, run: Run) -> SearchResult:
        return solve(position, run, node_limit=self.nodes, time_limit=_LONGEST, want_proof=True, all_first_moves=True)


class MateExaminer:
    """Mates (tsume), lengths strict: interpositions count, useless ones too. Parameters as for `HisshiExaminer`."""

    def __init__(self, plies: int, nodes: int) -> None:
        registry = _registry(plies)
        self.plies, self.nodes = plies, nodes
        self._quick, self._full = registry.compose("compose-mate-glance"), registry.compose("compose-shortest")
        self._after = registry.compose("compose-after")
        self._runs = (self._quick, self._full, self._after)

    @property
    def runs(self) -> tuple[Run, ...]:
        """See `Examiner`."""
        return self._runs

    def glance(self, position: Position) -> str | None:
        """See `Examiner`: the depth-first search, shortest first."""
        return _glance(self._quick, position, self.plies, self.nodes)

    def examine(self, position: Position) -> Finding | None:
        """See `Examiner`."""
        result = solve(position, self._full, node_limit=self.nodes, time_limit=_LONGEST, want_proof=True)
        if result.verdict != "proven" or result.plies != self.plies or not _is_shortest(result) or not result.proof:
            return None
        mates = {move: self._mates(position.play(move)) for move in position.legal_moves() if move != result.moves[0]}
        if None in mates.values():
            return None
        if not check_mate_proof(position.sfen, result.proof, plies=self.plies).ok:
            raise HisshiError(f"the checker refuses the proof of {position.sfen} by run '{result.run}'")
        first = (result.moves[0], *(move for move, holds in mates.items() if holds))
        return Finding(result, PROVEN_LENGTH, tuple(sorted(first)), True)

    def _mates(self, after: Position) -> bool | None:
        """Tell whether the attacker's move to `after` mates within the wanted length; None if that is not known."""
        if not after.is_check():
            return False
        if self.plies == 1:
            return after.is_mate()
        for evasion in after.legal_moves():
            if _search(self._after, after.play(evasion), self.nodes) != PROVEN:
                return None if self._after.control[EXHAUSTED] & GAVE_UP_NODES else False
        return True


def make_examiner(goal: str, plies: int, nodes: int) -> Examiner:
    """Return the examiner of problems of `goal`, "hisshi" or "mate"."""
    return HisshiExaminer(plies, nodes) if goal == "hisshi" else MateExaminer(plies, nodes)


def _search(run: Run, position: Position, nodes: int) -> int:
    """Return the verdict of a search alone: `solve` would go on to make a line of it, whatever that takes."""
    run.clear()
    run.control[NODE_LIMIT] = nodes
    return run.search(position.copy_record())


def _glance(run: Run, position: Position, plies: int, nodes: int) -> str | None:
    """Return the first move if `run` finds the wanted length with a hundredth of the nodes."""
    found = _search(run, position, max(nodes // 100, _LEAST_NODES)) == PROVEN and run.root.context.answer_plies == plies
    return move_to_usi(run.root.context.answer_move) if found else None


def _registry(plies: int) -> Registry:
    registry = Registry()
    with as_file(bundled_registry()) as file:  # not a hisshi.toml of the working directory
        registry.add_file(file)
    text = _RUNS.replace("PLIES", str(plies)).replace("AFTER", str(max(plies - 2, 1)))
    registry.add_text(text, "hisshi compose", Path())
    return registry


def _is_shortest(result: Any) -> bool:
    return str(result.length_is).startswith(SHORTEST)
