"""What became of a position that a move was wanted for: the row that table and JSON lines are made of."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hisshi.lab.problem import BadProblem, Item, Problem
from hisshi.lab.table import shown_moves

if TYPE_CHECKING:
    from hisshi.core.results import MoveProgress, MoveResult


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """One position and its move; `error` says why there was no search. Keys as in docs/json.md."""

    id: str | None
    sfen: str | None
    run: str
    move: str | None = None
    score: int | None = None
    mate_in: int | None = None
    hisshi_in: int | None = None
    moves: tuple[str, ...] = ()
    depth: int = 0
    deepest: int = 0
    nodes: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0
    reason: str = ""
    error: str | None = None
    file: str | None = None
    line: int | None = None
    allowing: tuple[str, ...] = ()
    threatmates: tuple[str, ...] = ()
    statistics: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    profile: dict[str, dict[str, Any]] | None = None


def outcome_of_move(problem: Problem, result: "MoveResult") -> MoveOutcome:
    """Return the outcome of a search that ended, for whatever reason."""
    return MoveOutcome(
        id=problem.id,
        sfen=problem.sfen,
        run=result.run,
        move=result.move,
        score=result.score,
        mate_in=result.mate_in,
        hisshi_in=result.hisshi_in,
        moves=result.moves,
        depth=result.depth,
        deepest=result.deepest,
        nodes=result.nodes,
        seconds=result.seconds,
        compile_seconds=result.compile_seconds,
        reason=result.reason,
        file=problem.file,
        line=problem.line,
        allowing=result.allowing,
        threatmates=result.threatmates,
        statistics=result.statistics,
        provenance=result.provenance,
        profile=result.profile,
    )


def move_error(item: Item, run: str, error: str) -> MoveOutcome:
    """Return the outcome of a position that could not be read, or whose search failed."""
    sfen = None if isinstance(item, BadProblem) else item.sfen
    return MoveOutcome(item.id, sfen, run, error=error, file=item.file, line=item.line)


def move_json_line(outcome: MoveOutcome) -> str:
    """Return `outcome` as one line of JSON, without the line end; keys and their order are documented and stable."""
    return json.dumps(
        {
            "id": outcome.id,
            "sfen": outcome.sfen,
            "run": outcome.run,
            "move": outcome.move,
            "score": outcome.score,
            "mate_in": outcome.mate_in,
            "hisshi_in": outcome.hisshi_in,
            "moves": list(outcome.moves),
            "depth": outcome.depth,
            "deepest": outcome.deepest,
            "nodes": outcome.nodes,
            "seconds": round(outcome.seconds, 6),
            "compile_seconds": round(outcome.compile_seconds, 6),
            "reason": outcome.reason,
            "error": outcome.error,
            "file": outcome.file,
            "line": outcome.line,
            "allowing": list(outcome.allowing),
            "threatmates": list(outcome.threatmates),
            "statistics": outcome.statistics,
            "provenance": outcome.provenance,
            **({} if outcome.profile is None else {"profile": outcome.profile}),
        },
        ensure_ascii=False,
    )


def score_text(score: int | None, mate_in: int | None, hisshi_in: int | None) -> str:
    """Return a score for people: pawns, or what it announces; "" for none."""
    if score is None:
        return ""
    if mate_in is not None:
        return f"mate in {mate_in}" if mate_in > 0 else f"mated in {-mate_in}" if mate_in < 0 else "mated"
    if hisshi_in is not None:
        return f"hisshi in {hisshi_in}" if hisshi_in > 0 else f"other side's hisshi in {-hisshi_in}"
    return f"{score / 100:+.2f}" if score else "0.00"


def rate_text(nodes: int, seconds: float) -> str:
    """Return nodes per second, "" if no time has passed."""
    return f"{nodes / seconds:,.0f}" if seconds > 0 else ""


def describe_move(outcome: MoveOutcome) -> str:
    """Return one line that says what became of a position."""
    if outcome.error is not None:
        return f"error: {outcome.error}"
    score = score_text(outcome.score, outcome.mate_in, outcome.hisshi_in)
    what = ", ".join(text for text in (outcome.move or "no move", score) if text)
    return f"{outcome.id}: {what} ({outcome.reason}), {outcome.nodes:,} nodes, {outcome.seconds:.2f} s"


def describe_progress(progress: "MoveProgress") -> str:
    """Return one line that says how far a search is: iteration, score, line, nodes, nodes per second."""
    from hisshi.core.results import hisshi_in, mate_in

    score = score_text(progress.score, mate_in(progress.score), hisshi_in(progress.score))
    rate = f"{progress.nodes / progress.seconds / 1000:,.0f} k/s" if progress.seconds > 0 else ""
    counts = ", ".join(text for text in (f"{progress.nodes:,} nodes", rate) if text)
    return "  ".join(text for text in (f"{progress.depth + 1}:", score, _short(progress.moves), counts) if text)


def _short(moves: Sequence[str], most: int = 6) -> str:
    return " ".join(moves[:most]) + (" …" if len(moves) > most else "")


def move_cells(outcome: MoveOutcome) -> list[str]:
    """Return the cells of a row, in the order of `hisshi.lab.move_report.HEADERS`."""
    return [
        outcome.id or outcome.file or "-",
        outcome.move or "",
        score_text(outcome.score, outcome.mate_in, outcome.hisshi_in),
        str(outcome.depth),
        str(outcome.deepest),
        f"{outcome.nodes:,}",
        rate_text(outcome.nodes, outcome.seconds),
        f"{outcome.seconds:.2f}",
        outcome.error if outcome.error is not None else shown_moves(outcome.moves) or outcome.reason,
    ]
