"""What a search returns."""

from typing import Any

import attrs

SHORTEST, UPPER_BOUND = "shortest", "upper bound"
USELESS_LEFT_OUT = ", useless interpositions left out"  # after either: how the length is counted, if not strictly


@attrs.frozen
class Progress:
    """How far a running search is."""

    nodes: int
    seconds: float
    iteration: int  # budget of the present iteration


@attrs.frozen
class SearchResult:
    """The outcome of one search; see `hisshi.core.solving.solve`."""

    run: str
    sfen: str
    verdict: (
        str  # "proven", "disproven", "unknown", or "found": a line that holds against the defences the run looks at
    )
    plies: int | None  # length of the mate, if there is one
    length_is: str | None  # "shortest" or "upper bound", where it applies with USELESS_LEFT_OUT behind it
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
