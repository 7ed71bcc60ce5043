"""What a search returns."""

from typing import Any

import attrs

from hisshi.core.kernel.values import HISSHI_VALUE, LARGEST_VALUE, MATE

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


def mate_in(score: int | None) -> int | None:
    """Return how many plies there are until the mate that a score of a play search announces; None: it announces none.

    Negative where the side to move is mated; 0 where it has no legal move.
    """
    if score is None or abs(score) <= HISSHI_VALUE:
        return None
    return max(MATE - score, 1) if score > 0 else -(MATE + score)


def hisshi_in(score: int | None) -> int | None:
    """Return the length in plies of the hisshi that such a score announces, negative if it is the other side's."""
    if score is None or not LARGEST_VALUE < abs(score) <= HISSHI_VALUE:
        return None
    return HISSHI_VALUE - score if score > 0 else -(HISSHI_VALUE + score)


@attrs.frozen
class MoveProgress:
    """How far a running search for a move is; what is not known yet is 0, None or empty."""

    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0  # whole iterations
    deepest: int = 0  # plies of the longest line so far, quiescence not included
    score: int | None = None  # as in `MoveResult`
    moves: tuple[str, ...] = ()  # USI: the best line so far


@attrs.frozen
class MoveResult:
    """The outcome of one search for a move; see `hisshi.core.playing.choose_move`."""

    run: str
    sfen: str
    move: str | None  # USI; None: there is no legal move, or none was found within the limit
    score: int | None  # hundredths of a pawn for the side to move; a mate as in `hisshi.core.kernel.values`; None: none
    moves: tuple[str, ...]  # the best line in USI, `move` first
    depth: int  # whole iterations; the stop rule says what one is
    deepest: int  # plies of the longest line that was looked at, quiescence not included
    nodes: int  # nodes entered, by all searches of the run together
    seconds: float  # of the search; compilation excluded
    processor_seconds: float  # as `seconds`, of the processor: what else the machine does hardly matters
    compile_seconds: float  # spent compiling for this call
    reason: str  # why the search ended
    allowing: tuple[str, ...] = ()  # moves that were found to allow a mate, USI, if the run looks for them
    threatmates: tuple[str, ...] = ()  # those that threaten one, likewise
    statistics: dict[str, Any] = attrs.field(factory=dict, repr=False)
    profile: dict[str, dict[str, Any]] | None = attrs.field(default=None, repr=False)  # see `Run.profile`
    provenance: dict[str, Any] = attrs.field(factory=dict, repr=False)  # what is needed to repeat the search

    @property
    def mate_in(self) -> int | None:
        """Plies until the mate that the score announces, negative if the side to move is mated; None without one."""
        return mate_in(self.score)

    @property
    def hisshi_in(self) -> int | None:
        """Length in plies of the hisshi that the score announces; None without one."""
        return hisshi_in(self.score)
