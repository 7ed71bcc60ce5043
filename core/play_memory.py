"""What a play search keeps where Python can read it, also while it runs: its best line, and its counts.

Of a search that does not declare `hisshi.core.kernel.play_search.PLAY_ARRAYS` the best move alone is told.
"""

from typing import TYPE_CHECKING, Any

from hisshi.core.kernel.moves import NO_MOVE
from hisshi.core.kernel.play_search import (
    ALLOWING,
    DEEPEST,
    EARLY,
    FIRST_NODES,
    ITERATIONS,
    KEYED,
    LINE_LENGTH,
    LINE_PLIES,
    ROOT_NODES,
    SAVED,
    THREATENED,
    THREATMATES,
)

if TYPE_CHECKING:
    from hisshi.core.instance import Instance

_COUNTS = {
    "iterations": ITERATIONS,
    "deepest": DEEPEST,
    "keyed_nodes": KEYED,
    "nodes_from_key_table": SAVED,
    "early_cuts": EARLY,
    "threatened": THREATENED,  # 1: the other side would mate after a pass, if the run looked for that
}


def play_count(search: "Instance", place: int) -> int:
    """Return one of the counts of a play search; `place` as in `hisshi.core.kernel.play_search`."""
    counts = search.array("counts")
    return 0 if counts is None else int(counts[place])


def best_line(search: "Instance") -> list[int]:
    """Return the best move and what is expected after it, as kernels have moves; empty if there is none yet.

    While the search runs it may be in the midst of writing: what stands behind the first move need not be legal.
    """
    best, lines = int(search.context.answer_move), search.array("lines")
    if best == NO_MOVE:
        return []
    length = min(play_count(search, LINE_LENGTH), LINE_PLIES)
    line = [] if lines is None else [int(move) for move in lines[:length]]
    return line if line and line[0] == best else [best]


def allowing_moves(search: "Instance") -> list[int]:
    """Return the root's moves that were found to allow a mate, as kernels have moves."""
    return _listed(search, "allowing", ALLOWING)


def threatmates(search: "Instance") -> list[int]:
    """Return the root's moves that were found to threaten a mate."""
    return _listed(search, "threats", THREATMATES)


def _listed(search: "Instance", name: str, count: int) -> list[int]:
    moves = search.array(name)
    return [] if moves is None else [int(move) for move in moves[: play_count(search, count)]]


def play_statistics(search: "Instance") -> dict[str, Any]:
    """Return the counts of a play search by name, and which share of the root's nodes its first moves took."""
    counted: dict[str, Any] = {name: play_count(search, place) for name, place in _COUNTS.items()}
    share = play_count(search, FIRST_NODES) / max(play_count(search, ROOT_NODES), 1)
    return counted | {"first_move_share": round(share, 6)}
