"""What became of one problem: the row that tables, JSON lines and exit codes are made of.

Plain values only, so that a worker process can send it; a proof tree nests too deep for pickle and is its JSON text.
"""

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hisshi.core.proof_form import with_references
from hisshi.lab import deep_json
from hisshi.lab.problem import BadProblem, Item, Problem

if TYPE_CHECKING:
    from hisshi.core.results import Confirmation, FirstMoves, SearchResult

SOLVED = ("proven", "disproven")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One problem and its result; `verdict` is None and `error` says why if there is none. Keys as in docs/json.md."""

    id: str | None
    sfen: str | None
    run: str
    verdict: str | None = None
    plies: int | None = None
    length_is: str | None = None
    moves: tuple[str, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0
    reason: str = ""
    error: str | None = None
    expected_plies: int | None = None
    file: str | None = None
    line: int | None = None
    score: int | None = None
    statistics: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    confirmation: dict[str, Any] | None = None
    first_moves: dict[str, Any] | None = None
    profile: dict[str, dict[str, Any]] | None = None
    proof_json: str | None = None
    tree_report: dict[str, Any] | None = None
    tree_json: str | None = None
    verified: bool | None = None
    verification: dict[str, Any] | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the verdict is final: there is a solution, or there is none."""
        return self.verdict in SOLVED

    @property
    def is_upper_bound(self) -> bool:
        """Whether a shorter solution may exist."""
        return self.length_is is not None and self.length_is.startswith("upper bound")

    @property
    def left_out(self) -> str:
        """What the length is counted without, "" for nothing; the strict one may be longer."""
        what = (self.length_is or "").partition(", ")[2]
        return what.removesuffix(" left out")

    @property
    def differs(self) -> bool:
        """Whether the source claims another length, or a solution where there is none."""
        if self.expected_plies is None or not self.is_solved:
            return False
        return self.verdict == "disproven" or self.plies != self.expected_plies

    def without_trees(self, but_solution: bool) -> "Outcome":
        """Return the same row without its proof tree and, unless `but_solution`, without its solution tree."""
        if self.proof_json is None and self.tree_json is None:
            return self
        return replace(self, proof_json=None, tree_json=self.tree_json if but_solution else None)


def outcome_of_result(problem: Problem, result: "SearchResult", with_proof: bool) -> Outcome:
    """Return the outcome of a search that ended, for whatever reason."""
    return Outcome(
        id=problem.id,
        sfen=problem.sfen,
        run=result.run,
        verdict=result.verdict,
        plies=result.plies,
        length_is=result.length_is,
        moves=tuple(result.moves),
        nodes=int(result.nodes),
        seconds=float(result.seconds),
        compile_seconds=float(result.compile_seconds),
        reason=result.reason,
        expected_plies=problem.plies,
        file=problem.file,
        line=problem.line,
        score=result.score,
        statistics=dict(result.statistics),
        provenance=dict(result.provenance),
        confirmation=None if result.confirmation is None else confirmation_row(result.confirmation),
        first_moves=None if result.first_moves is None else first_moves_row(result.first_moves),
        profile=result.profile,
        tree_report=result.tree_report,
        verified=result.verified,
        verification=result.verification,
        tree_json=deep_json.dumps(with_references(result.tree)) if result.tree is not None else None,
        proof_json=deep_json.dumps(with_references(result.proof)) if with_proof and result.proof is not None else None,
    )


def confirmation_row(confirmation: "Confirmation") -> dict[str, Any]:
    """Return what came of a confirmation; keys as in docs/json.md."""
    return {
        "outcome": confirmation.outcome,
        "claimed_plies": confirmation.claimed_plies,
        "moves": list(confirmation.moves),
        "nodes": int(confirmation.nodes),
        "seconds": round(confirmation.seconds, 6),
    }


def first_moves_row(found: "FirstMoves") -> dict[str, Any]:
    """Return the first moves that solve; keys as in docs/json.md."""
    return {
        "plies": found.plies,
        "moves": list(found.moves),
        "complete": found.is_complete,
        "nodes": int(found.nodes),
        "seconds": round(found.seconds, 6),
    }


def outcome_of_error(item: Item, run: str, error: str) -> Outcome:
    """Return the outcome of a problem that could not be searched, or whose search failed."""
    if isinstance(item, BadProblem):
        return Outcome(item.id, None, run, error=error, file=item.file, line=item.line)
    return Outcome(item.id, item.sfen, run, error=error, expected_plies=item.plies, file=item.file, line=item.line)


def outcome_of_stop(problem: Problem, run: str) -> Outcome:
    """Return the outcome of a problem whose search was stopped before it told anything."""
    return Outcome(
        problem.id,
        problem.sfen,
        run,
        "unknown",
        reason="stopped",
        expected_plies=problem.plies,
        file=problem.file,
        line=problem.line,
    )


def json_line(outcome: Outcome, with_proof: bool, with_tree: bool = False, with_verification: bool = False) -> str:
    """Return `outcome` as one line of JSON, without the line end; keys and their order are documented and stable."""
    text = json.dumps(
        {
            "id": outcome.id,
            "sfen": outcome.sfen,
            "run": outcome.run,
            "verdict": outcome.verdict,
            "plies": outcome.plies,
            "length_is": outcome.length_is,
            "moves": list(outcome.moves),
            "nodes": outcome.nodes,
            "seconds": round(outcome.seconds, 6),
            "compile_seconds": round(outcome.compile_seconds, 6),
            "reason": outcome.reason,
            "error": outcome.error,
            "expected_plies": outcome.expected_plies,
            "file": outcome.file,
            "line": outcome.line,
            **({} if outcome.score is None else {"score": outcome.score}),
            "statistics": outcome.statistics,
            "provenance": outcome.provenance,
            **({} if outcome.confirmation is None else {"confirmation": outcome.confirmation}),
            **({} if outcome.first_moves is None else {"first_moves": outcome.first_moves}),
            **({} if outcome.profile is None else {"profile": outcome.profile}),
            **({"verified": outcome.verified, "verification": outcome.verification} if with_verification else {}),
            **({"tree_report": outcome.tree_report} if with_tree else {}),
        },
        ensure_ascii=False,
        default=_plain,
    )
    trees = [("tree", outcome.tree_json)] * with_tree + [("proof", outcome.proof_json)] * with_proof
    return text[:-1] + "".join(f', "{key}": {tree or "null"}' for key, tree in trees) + "}"


def _plain(value: Any) -> Any:
    """Return what JSON can hold for a value that it cannot: numpy's numbers as Python's, all else as text."""
    return value.item() if hasattr(value, "item") else str(value)
