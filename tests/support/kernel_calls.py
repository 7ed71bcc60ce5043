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
from hisshi.core.position import Position, move_to_usi
from hisshi.core.sfen import START_SFEN

PROBLEMS = Path(__file__).resolve().parents[2] / "problems"
COMPILED = not config.DISABLE_JIT

Row = dict[str, str]


def few_or_many(few: int, many: int) -> int:
    """Return `many` where kernels are compiled, `few` where they are plain Python."""
    return many if COMPILED else few


def record_of(sfen: str) -> Any:
    """Return a record of its own, read with strict=False."""
    return Position.from_sfen(sfen, strict=False).copy_record()


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


def legal_moves(sfen: str, skip_dominated: bool = False) -> set[str]:
    return in_usi(generated(all_moves, record_of(sfen), skip_dominated))


def checks(sfen: str, skip_dominated: bool = False) -> set[str]:
    return in_usi(generated(check_moves, record_of(sfen), skip_dominated))


def capturing_moves(sfen: str, skip_dominated: bool = False) -> set[str]:
    return in_usi(generated(captures, record_of(sfen), skip_dominated))


@compiled
def _evasions(record, moves, start, skip_dominated):  # a set, here of checkers, does not leave compiled code
    return evasions(record, moves, start, checkers_of(record, record.side), skip_dominated)


def evading_moves(sfen: str, skip_dominated: bool = False) -> set[str]:
    """Return the legal moves of a side that is in check."""
    return in_usi(generated(_evasions, record_of(sfen), skip_dominated))


def mating_move(sfen: str) -> str | None:
    record = record_of(sfen)
    before = record.tobytes()
    move = int(mate_in_one(record, np.zeros(MAX_MOVES, dtype=np.int32), 0))
    assert record.tobytes() == before
    return move_to_usi(move) if move else None


@cache
def problem_rows(name: str) -> tuple[Row, ...]:
    """Return the rows of a bundled file as dictionaries."""
    head, *lines = (PROBLEMS / name).read_text(encoding="utf-8").splitlines()
    names = head.removeprefix("# ").split("\t")
    return tuple(
        dict(zip(names, line.split("\t"), strict=True)) for line in lines if line and not line.startswith("#")
    )


def game_sfens(count: int, seed: int = 0) -> list[str]:
    """Return SFENs drawn from the positions of real games."""
    return [row["sfen"] for row in random.Random(seed).sample(problem_rows("game-positions.tsv"), count)]


def mate_problem_sfens(count: int, seed: int = 0) -> list[str]:
    """Return SFENs drawn from the mate problems: few pieces, full hands, mostly no king of the attacker."""
    rows = (*problem_rows("tsume-derived.tsv"), *problem_rows("tsume-classic.tsv"))
    return [row["sfen"] for row in random.Random(seed).sample(rows, count)]


def playout(
    seed: int, plies: int, sfen: str = START_SFEN, prefer: Callable[[Position], list[str]] | None = None
) -> Iterator[Position]:
    """Yield the positions of a random game, the first included; two moves of three come from `prefer`, if it has any."""
    chance = random.Random(seed)
    position = Position.from_sfen(sfen, strict=False)
    yield position
    for _ in range(plies):
        legal = position.legal_moves()
        if not legal:
            return
        wanted = prefer(position) if prefer and chance.random() < 2 / 3 else []
        position = position.play(chance.choice(wanted or legal))
        yield position


def checking_moves(position: Position) -> list[str]:
    """Return the checks of `position`, for `playout` to prefer."""
    return [move_to_usi(move) for move in generated(check_moves, position.record, False)]
