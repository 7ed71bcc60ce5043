"""What a search returns."""

from typing import Any

import attrs

SHORTEST, UPPER_BOUND = "shortest", "upper bound"
USELESS_LEFT_OUT = ", useless interpositions left out"  # after either: how the length is counted, if not strictly
DELAYS_LEFT_OUT = ", useless delays left out"  # the same of a hisshi; which ones is the run's `useless_delays`

CONFIRMED, REFUTED, UNDECIDED, STOPPED = "confirmed", "refuted", "undecided", "stopped"  # see `Confirmation`


@attrs.frozen
class Progress:
    """How far a running search is."""

    nodes: int
    seconds: float
    iteration: int  # budget of the present iteration


@attrs.frozen
class Confirmation:
    """What came of answering the replies that a hisshi search had left out; see `hisshi.core.confirmation`."""

    outcome: str  # CONFIRMED; REFUTED: a reply is shown to save; UNDECIDED: an answer to one is not found; or STOPPED
    claimed_plies: int  # of what the search had found
    moves: tuple[str, ...]  # USI; refuted or undecided: up to that reply, which comes last; else empty
    nodes: int  # entered for it
    seconds: float
    processor_seconds: float

    @property
    def verdict(self) -> str:
        """What the search's claim is worth by it."""
        return {CONFIRMED: "proven", STOPPED: "found"}.get(self.outcome, "unknown")

    @property
    def reason(self) -> str:
        """Why the verdict is "unknown", or ""."""
        if not self.moves:
            return ""
        what = "refuted by" if self.outcome == REFUTED else "not confirmed, no answer found to"
        return f"{what} {self.moves[-1]} after {' '.join(self.moves[:-1])}"


@attrs.frozen
class FirstMoves:
    """Every first move that makes a hisshi; see `hisshi.core.first_moves`."""

    plies: int  # within so many
    moves: tuple[str, ...]  # USI, each with a proof
    is_complete: bool  # every other move is shown to make none
    nodes: int  # entered for it
    seconds: float
    processor_seconds: float


@attrs.frozen
class SearchResult:
    """The outcome of one search; see `hisshi.core.solving.solve`."""

    run: str
    sfen: str
    verdict: (
        str  # "proven", "disproven", "unknown", or "found": a line that holds against the defences the run looks at
    )
    plies: int | None  # length of the mate, if there is one
    length_is: str | None  # "shortest" or "upper bound", with what it is counted without behind it
    moves: tuple[str, ...]  # the principal variation in USI: longest defence, shortest attack
    nodes: int  # nodes entered, by all searches of the run together
    seconds: float  # of the search; compilation and the making of the line excluded
    compile_seconds: float  # spent compiling for this call
    reason: str  # why the verdict is not better, or why a length is not shown to be the shortest; "" otherwise
    proof: dict[str, Any] | None = attrs.field(default=None, repr=False)  # see hisshi.core.checker
    tree: dict[str, Any] | None = attrs.field(default=None, repr=False)  # see hisshi.core.solution_tree
    tree_report: dict[str, Any] | None = attrs.field(default=None, repr=False)  # how it was made; docs/json.md
    verified: bool | None = None  # see hisshi.core.countermate; None: not known, or not asked for
    verification: dict[str, Any] | None = attrs.field(default=None, repr=False)  # how; docs/json.md
    statistics: dict[str, Any] = attrs.field(factory=dict, repr=False)
    profile: dict[str, dict[str, Any]] | None = attrs.field(default=None, repr=False)  # see `Run.profile`
    provenance: dict[str, Any] = attrs.field(factory=dict, repr=False)  # what is needed to repeat the search
    processor_seconds: float = 0.0  # as `seconds`, of the processor: what else the machine does hardly matters
    score: int | None = None  # of a hisshi search: 1000 - plies, or by how little it failed; see docs/algorithms.md
    confirmation: Confirmation | None = None  # of a hisshi by a run that leaves out replies
    first_moves: FirstMoves | None = None  # if they were asked for and there is a hisshi
