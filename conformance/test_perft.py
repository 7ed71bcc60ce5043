"""The check of role `legal_moves` that looks further than one move: the leaves of its tree, against known counts."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hisshi.conformance.positions import position_of
from hisshi.conformance.subjects import Subject
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.roles.legal_moves import call_legal_moves
from hisshi.core.resources import bundled_problems

ROLES = ("legal_moves",)

SMALL = 30_000 if JIT else 100  # leaves; larger rows of the bundled file are left out
ROWS = 30 if JIT else 2  # of those that are left, spread over the file; and every row that is deeper than two plies


def _rows() -> Iterator[tuple[str, int, int]]:
    lines = (bundled_problems() / "perft.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t")[1:4] for line in lines if not line.startswith("#")]
    small = [(sfen, int(depth), int(count)) for sfen, depth, count in rows if int(count) <= SMALL]
    shallow, deep = ([row for row in small if (row[1] > 2) is is_deep] for is_deep in (False, True))
    yield from (*shallow[:: max(1, len(shallow) // ROWS)], *deep)


def _leaves(subject: Subject, record: Any, moves: Any, start: int, depth: int) -> int:
    """Count the leaves, the moves of the last ply unmade."""
    end = int(call_legal_moves(subject.caller, record, moves, start))
    if depth == 1:
        return end - start
    total = 0
    for move in moves[start:end]:
        captured = do_move(record, move)
        total += _leaves(subject, record, moves, end, depth - 1)
        undo_move(record, move, captured)
    return total


@pytest.mark.hisshi_trait("complete")
def test_counts_the_leaves_of_known_trees(subject: Subject) -> None:
    """Trait complete: perft."""
    for sfen, depth, wanted in _rows():
        moves = np.zeros(MAX_MOVES * (depth + 1), np.int32)
        if (got := _leaves(subject, position_of(sfen).copy_record(), moves, 0, depth)) != wanted:
            subject.fail(f"perft({depth}) is {got}, expected {wanted}", sfen)
