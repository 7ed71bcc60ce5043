"""The positions that searches are tried on: mates and no mates that are known, and positions that nobody knows.

They are the same in every run. Uncompiled there are fewer: a node then takes milliseconds.
"""

from functools import cache

import attrs

from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.pieces import EMPTY, KING, piece_of
from hisshi.core.movement import is_attacked
from hisshi.core.reference import ReferenceBoard
from hisshi.core.resources import bundled_problems
from hisshi.core.sfen import format_sfen, parse_sfen

NODES = 10_000 if JIT else 60  # what a search may enter for one position

PROVEN_BY_FORCE = 7  # plies up to which problems/README.md vouches for the lengths of tsume-derived.tsv
MORE = 40  # mates from there, beside the sample

NO_MATES = (
    "4k4/9/9/9/9/9/9/9/9 b P 1",
    "kn7/9/1G7/9/9/9/9/9/9 b P 1",  # the pawn drop would be mate, and is forbidden for that
    "4k4/9/9/9/9/9/9/9/9 b G 1",
    "k8/9/9/1+R7/9/9/9/9/P8 b LPr2b4g4s3n3l15p 1",
    "9/9/9/9/4k4/9/9/9/9 b N 1",
    "8k/9/9/9/9/9/9/9/+R8 b - 1",  # the checks go round in circles
    "4k4/9/4P4/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1",
    "9/4k4/9/4P4/9/9/9/9/9 b G2r2b4s4n4l17p 1",
    "8k/9/9/9/7N1/9/9/9/9 b 2r2b4g4s3n4l18p 1",
    "9/9/9/9/4k4/9/9/9/9 b 2S 1",
)


@cache
def mates() -> dict[str, int]:
    """Return the mates: the plies of the shortest, every interposition counted, by SFEN; the attacker has no king."""
    derived = [row for row in _rows("tsume-derived.tsv") if row[1] <= PROVEN_BY_FORCE]
    known = dict(_rows("mate-sample.tsv") + derived[:: len(derived) // MORE])
    ordered = sorted(known, key=lambda sfen: known[sfen])
    if not JIT:
        ordered = [sfen for sfen in ordered if known[sfen] <= 3][::6]
    return {sfen: known[sfen] for sfen in ordered}


def _rows(name: str) -> list[tuple[str, int]]:
    lines = (bundled_problems() / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(row[1], int(row[2])) for row in rows]


def short_mates() -> dict[str, int]:
    """Return the mates of at most 5 plies, which every search should find; the shortest ones first."""
    return {sfen: plies for sfen, plies in mates().items() if plies <= 5}


@cache
def mated() -> tuple[str, ...]:
    """Return positions whose side to move is mated: mates in one, after the move."""
    found = []
    for sfen, plies in mates().items():
        if plies == 1:
            board = ReferenceBoard.from_sfen(sfen, strict=False)
            after = (board.after(move) for move in board.checks())
            found += [one.sfen() for one in after if one.is_mated()][:1]
    return tuple(found)


def no_mates() -> tuple[str, ...]:
    """Return positions without a mate of any length."""
    return NO_MATES if JIT else NO_MATES[:2]


@cache
def two_kings() -> tuple[str, ...]:
    """Return SFENs of mates of 3 plies and more to which the attacker's king was added: some are mates no more."""
    found: list[str] = []
    for sfen in mates():
        if mates()[sfen] >= 3:
            found += _with_king(sfen, len(found))
    return tuple(found if JIT else found[:2])


def _with_king(sfen: str, number: int) -> list[str]:
    """Return the position with the attacker's king on one of the squares where it is not in check, if there is one."""
    old = parse_sfen(sfen, strict=False)
    free = [
        square
        for square in range(81)
        if old.board[square] == EMPTY and not is_attacked(old.board, square, 1 - old.side)  # nor beside the other king
    ]
    if not free:
        return []
    square = free[7 * number % len(free)]
    board = (*old.board[:square], piece_of(old.side, KING), *old.board[square + 1 :])
    return [format_sfen(attrs.evolve(old, board=board))]
