"""The kernel's generators from SFEN to USI, and positions to try them on.

Tests that look at many positions take fewer of them uncompiled, where a generator costs milliseconds.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import config

from hisshi.core.kernel.attacks import checkers_of
from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.generation import MAX_MOVES, all_moves, captures, evasions
from hisshi.core.kernel.mate import mate_in_one
from hisshi.core.kernel.moves import do_move
from hisshi.core.position import Position, move_to_usi
from hisshi.core.sfen import START_SFEN

PROBLEMS = Path(__file__).resolve().parents[2] / "problems"
COMPILED = not config.DISABLE_JIT

Row = dict[str, str]


def few_or_many(few: int, many: int) -> int:
    """Return `many` where kernels are compiled, `few` where they are plain Python."""
    return many if COMPILED else few


def record_of(where: str | Position) -> Any:
    """Return a record of its own; an SFEN is read with strict=False."""
    position = Position.from_sfen(where, strict=False) if isinstance(where, str) else where
    return position.copy_record()


def generated(generate: Callable[..., int], record: Any, *rest: Any) -> list[int]:
    """Return the moves that a generator writes, after checking that it leaves the record alone and repeats no move."""
    before = record.tobytes()
    buffer = np.zeros(MAX_MOVES, dtype=np.int32)
    moves = [int(move) for move in buffer[: generate(record, buffer, 0, *rest)]]
    assert record.tobytes() == before
    assert len(set(moves)) == len(moves)
    return moves


def in_usi(moves: list[int]) -> set[str]:
    texts = {move_to_usi(move) for move in moves}
    assert len(texts) == len(moves)
    return texts


def legal_moves(where: str | Position, skip_dominated: bool = False) -> set[str]:
    return in_usi(generated(all_moves, record_of(where), skip_dominated))


def checks(where: str | Position, skip_dominated: bool = False) -> set[str]:
    return in_usi(generated(check_moves, record_of(where), skip_dominated))


def capturing_moves(where: str | Position, skip_dominated: bool = False) -> set[str]:
    return in_usi(generated(captures, record_of(where), skip_dominated))


@compiled
def _evasions(record, moves, start, skip_dominated):  # a set, here of checkers, does not leave compiled code
    return evasions(record, moves, start, checkers_of(record, record.side), skip_dominated)


def evading_moves(where: str | Position, skip_dominated: bool = False) -> set[str]:
    """Return the legal moves of a side that is in check."""
    return in_usi(generated(_evasions, record_of(where), skip_dominated))


def mating_move(where: str | Position) -> str | None:
    record = record_of(where)
    before = record.tobytes()
    move = int(mate_in_one(record, np.zeros(MAX_MOVES, dtype=np.int32), 0))
    assert record.tobytes() == before
    return move_to_usi(move) if move else None


@cache
def problem_rows(name: str) -> tuple[Row, ...]:
    """Return the rows of a bundled file as dictionaries."""
    head, *lines = (PROBLEMS / name).read_text(encoding="utf-8").splitlines()
    names = head.removeprefix("# ").split("\t")
    return tuple(dict(zip(names, line.split("\t"), strict=True)) for line in lines if line and not line.startswith("#"))


def game_sfens(count: int, seed: int = 0) -> list[str]:
    """Return SFENs drawn from the positions of real games."""
    return [row["sfen"] for row in random.Random(seed).sample(problem_rows("game-positions.tsv"), count)]


def mate_problem_sfens(count: int, seed: int = 0) -> list[str]:
    """Return SFENs drawn from the mate problems: few pieces, full hands, mostly no king of the attacker."""
    rows = (*problem_rows("tsume-derived.tsv"), *problem_rows("tsume-classic.tsv"))
    return [row["sfen"] for row in random.Random(seed).sample(rows, count)]


def playout(seed: int, plies: int, sfen: str = START_SFEN, prefer_checks: bool = False) -> Iterator[Position]:
    """Yield the positions of a random game, the first included; with `prefer_checks` most moves check, if any do."""
    chance = random.Random(seed)
    position = Position.from_sfen(sfen, strict=False)
    yield position
    for _ in range(plies):
        prefer = prefer_checks and chance.random() < 2 / 3
        moves = (prefer and generated(check_moves, position.record, False)) or generated(
            all_moves, position.record, False
        )
        if not moves:
            return
        record = position.copy_record()
        do_move(record, chance.choice(moves))
        position = Position(record, position.move_number + 1)
        yield position


def checking_moves(position: Position) -> list[str]:
    """Return the checks of `position`."""
    return [move_to_usi(move) for move in generated(check_moves, position.record, False)]
