"""The positions that plugins are tried on, their symmetries, and what the slow reference says of them.

They are the same in every run. Uncompiled there are fewer: a kernel then takes milliseconds.
"""

from functools import cache

import attrs

from hisshi.conformance.rare_moves import RARE
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.pieces import EMPTY, square_from_name
from hisshi.core.movement import colour_of, kind_of
from hisshi.core.position import Position
from hisshi.core.reference import ReferenceBoard
from hisshi.core.resources import bundled_problems
from hisshi.core.sfen import Placement, format_sfen, parse_sfen

WIDEST = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"  # 593 legal moves, as many as any position has

ODD = (
    "9/7k1/9/9/9/9/9/9/9 b - 1",  # two bare sides, one without a king
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "kn7/9/1G7/9/9/9/9/9/9 b P 1",  # a pawn drop that mates is illegal
    "k8/9/9/9/9/9/9/9/9 b P 1",
    "4k4/9/4R4/4P4/4L4/9/9/9/4K4 w 2G2S 1",  # in check from a rook
    "4k4/4s4/9/4r4/9/4N4/4K4/9/r8 b RB2GSNLP 1",  # a pinned knight, hands that drop everywhere
    "3gkg3/9/3NRN3/9/9/9/9/9/4K4 w 2BRP 1",  # three checkers
    "7nl/5kP2/3p1g1p1/p1p2+Bp1p/1P7/P1PP1PP1P/1S2P4/1KG4R1/LN5NL w RBGSNPg2s2p 1",
)


def mirrored(sfen: str) -> str:
    """Return the position with left and right exchanged."""
    placement = parse_sfen(sfen, strict=False)
    board = tuple(placement.board[(8 - square // 9) * 9 + square % 9] for square in range(81))
    return format_sfen(attrs.evolve(placement, board=board))


def colour_flipped(sfen: str) -> str:
    """Return the position with the board turned round and black and white exchanged, the side to move too."""
    old = parse_sfen(sfen, strict=False)
    board = tuple(_other_colour(piece) for piece in reversed(old.board))
    return format_sfen(Placement(board, (old.hands[1], old.hands[0]), 1 - old.side, old.move_number))


_FILES = str.maketrans("123456789", "987654321")
_RANKS = str.maketrans("abcdefghi", "ihgfedcba")


def mirrored_move(usi: str) -> str:
    """Return what the move is called in the mirrored position."""
    return usi.translate(_FILES)


def colour_flipped_move(usi: str) -> str:
    """Return what the move is called with colours exchanged."""
    return usi.translate(_FILES).translate(_RANKS)


def _other_colour(piece: int) -> int:
    return EMPTY if piece == EMPTY else kind_of(piece) + 16 * (1 - colour_of(piece))


_looked_at = ""  # the last position that a check asked for


def position_of(sfen: str) -> Position:
    """Return the position; odd ones are read too."""
    global _looked_at  # for the text of an error that is not the check's own
    _looked_at = sfen
    return _read(sfen)


@cache
def _read(sfen: str) -> Position:
    return Position.from_sfen(sfen, strict=False)


def position_looked_at() -> str:
    """Return the SFEN of the position that was asked for last, "" if none was yet."""
    return _looked_at


def _bundled(name: str, count: int) -> list[str]:
    """Return `count` positions spread over a bundled file."""
    lines = (bundled_problems() / name).read_text(encoding="utf-8").splitlines()
    sfens = [line.split("\t")[1] for line in lines if not line.startswith("#")]
    return sfens[:: max(1, len(sfens) // count)][:count]


@cache
def positions() -> tuple[str, ...]:
    """Return SFENs: odd ones, of games, of mate problems, with rare moves; and many with colours exchanged."""
    few = (
        [*ODD, *_bundled("game-positions.tsv", 24), *_bundled("tsume-derived.tsv", 16)]
        if JIT
        else [*ODD[:5], *_bundled("tsume-derived.tsv", 2)]
    )
    rare = RARE if JIT else RARE[:2]
    return (*few, *rare, *(colour_flipped(sfen) for sfen in (*few[::2], *rare)))


@cache
def positions_in_check() -> tuple[str, ...]:
    """Return SFENs in which the side to move is in check: the above after up to three checks each."""
    found = [sfen for sfen in positions() if ReferenceBoard.from_sfen(sfen, strict=False).in_check()]
    for sfen in positions():
        board = ReferenceBoard.from_sfen(sfen, strict=False)
        checks = moves_by_the_rules("checks", sfen)
        found += [board.after(move).sfen() for move in checks[:: max(1, len(checks) // 3)][: 3 if JIT else 1]]
    return tuple(dict.fromkeys(found))


@cache
def moves_by_the_rules(role: str, sfen: str) -> tuple[str, ...]:
    """Return what the slow reference generates for a role, in USI: checks, evasions, captures, else all legal moves."""
    board = ReferenceBoard.from_sfen(sfen, strict=False)
    if role == "captures":
        return tuple(move for move in board.legal_moves() if board.board[square_from_name(move[2:4])] != EMPTY)
    generate = {"checks": board.checks, "evasions": board.evasions}.get(role, board.legal_moves)
    return tuple(generate())
