"""A position for people: SFEN and USI in and out, legal moves, check, pictures.

Compiled code sees `Position.record`.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from hisshi.core.errors import IllegalMoveError
from hisshi.core.kernel.attacks import is_in_check
from hisshi.core.kernel.compiling import compile_log
from hisshi.core.kernel.generation import MAX_MOVES, all_moves
from hisshi.core.kernel.mate import mate_in_one
from hisshi.core.kernel.moves import PROMOTE, do_move
from hisshi.core.kernel.perft import perft_counting
from hisshi.core.kernel.pieces import LETTERS, NO_SQUARE, SQUARE_COUNT, WHITE, square_name
from hisshi.core.kernel.state import POSITION, new_record
from hisshi.core.reference import repetition_outcome
from hisshi.core.sfen import START_SFEN, Placement, format_sfen, parse_sfen, parse_usi_position

DEEPEST_PERFT = 64


def move_to_usi(move: int) -> str:
    """Return a kernel's move in USI."""
    move = int(move)
    target, source = square_name(move & 127), move >> 7 & 127
    if source >= SQUARE_COUNT:
        return f"{LETTERS[source - SQUARE_COUNT]}*{target}"
    return square_name(source) + target + ("+" if move & PROMOTE else "")


class Position:
    """A shogi position. Never changes: `play` returns another one, which remembers the way that led to it.

    Attributes
    ----------
    record
        The numpy record of `hisshi.core.kernel.state.POSITION` that kernels get. Do not write to it; `copy_record`
        gives one to write to.
    move_number
        As in SFEN.
    """

    __slots__ = ("_history", "_moves", "move_number", "record")

    def __init__(self, record: Any, move_number: int = 1, history: tuple[tuple[int, int, bool], ...] = ()) -> None:
        self.record = record
        self.move_number = move_number
        self._history = history  # (board key, hand key, in check) of this game's earlier positions
        self._moves: dict[str, int] | None = None

    @classmethod
    def from_sfen(cls, text: str = START_SFEN, *, strict: bool = True) -> "Position":
        """Read an SFEN.

        Raises
        ------
        InvalidPositionError
            Names the field and what is wrong. `strict=False` keeps odd but playable positions, see `hisshi.core.sfen`.
        """
        return cls._from_placement(parse_sfen(text, strict=strict))

    @classmethod
    def from_usi(cls, text: str, *, strict: bool = True) -> "Position":
        """Read a USI position and play its moves.

        It is ``startpos moves 7g7f`` or ``sfen … moves …``, with or without the word ``position`` before it.

        Raises
        ------
        InvalidPositionError, IllegalMoveError
        """
        placement, moves = parse_usi_position(text, strict=strict)
        return cls._from_placement(placement).play_all(moves)

    @classmethod
    def _from_placement(cls, placement: Placement) -> "Position":
        return cls(new_record(placement.board, placement.hands, placement.side), placement.move_number)

    @property
    def sfen(self) -> str:
        """The position as SFEN."""
        record = self.record
        hands = tuple(tuple(int(count) for count in hand) for hand in record.hand)
        board = tuple(int(piece) for piece in record.board)
        return format_sfen(Placement(board, hands, int(record.side), self.move_number))  # type: ignore[arg-type]

    @property
    def side(self) -> str:
        """The side to move, "black" or "white"."""
        return "white" if self.record.side == WHITE else "black"

    def has_king(self, side: str) -> bool:
        """Tell whether `side` ("black" or "white") has a king on the board."""
        return bool(self.record.king[int(side == "white")] != NO_SQUARE)

    def copy_record(self) -> Any:
        """Return a copy of the record, for kernels that make moves on it."""
        copy = np.zeros(1, POSITION).view(np.recarray)
        copy[0] = self.record
        return copy[0]

    def usi_moves(self) -> dict[str, int]:
        """Return every legal move: in USI, and as kernels have it."""
        if self._moves is None:
            buffer = np.zeros(MAX_MOVES, dtype=np.int32)
            end = all_moves(self.record, buffer, 0, False)
            self._moves = {move_to_usi(move): int(move) for move in buffer[:end]}
        return self._moves

    def legal_moves(self) -> list[str]:
        """Return every legal move in USI."""
        return list(self.usi_moves())

    def is_check(self) -> bool:
        """Tell whether the side to move is in check."""
        return bool(is_in_check(self.record, self.record.side))

    def is_mate(self) -> bool:
        """Tell whether the side to move is in check and has no legal move."""
        return self.is_check() and not self.usi_moves()

    def mate_in_one(self) -> str | None:
        """Return a move that mates at once, None if there is none."""
        move = mate_in_one(self.copy_record(), np.zeros(MAX_MOVES, dtype=np.int32), 0)
        return move_to_usi(move) if move else None

    def play(self, move: str) -> "Position":
        """Return the position after `move`, in USI.

        Raises
        ------
        IllegalMoveError
        """
        known = self.usi_moves()
        if move not in known:
            raise IllegalMoveError(f"move '{move}' is not legal in this position: {self.sfen}")
        record = self.copy_record()
        do_move(record, known[move])
        return Position(record, self.move_number + 1, (*self._history, self._visit()))

    def after(self, move: int) -> "Position":
        """Return the position after a legal move, as kernels have it.

        Much faster than `play`: the move is not checked, and the new position forgets the way that led there.
        """
        record = self.copy_record()
        do_move(record, move)
        return Position(record, self.move_number + 1)

    def follow(self, move: str) -> "Position":
        """Return the same after one of `legal_moves`."""
        return self.after(self.usi_moves()[move])

    def is_legal(self, move: int) -> bool:
        """Tell whether `move`, as kernels have it, is legal."""
        buffer = np.zeros(MAX_MOVES, dtype=np.int32)
        return move in buffer[: all_moves(self.record, buffer, 0, False)]

    def play_all(self, moves: Iterable[str]) -> "Position":
        """Return the position after `moves`; see `play`."""
        position = self
        for move in moves:
            position = position.play(move)
        return position

    def _visit(self) -> tuple[int, int, bool]:
        return int(self.record.board_key), int(self.record.hand_key), self.is_check()

    def repetition(self) -> str | None:
        """Return what fourfold repetition makes of the game that `play` has remembered.

        None: this position has not stood four times. "draw": it has. "win" or "loss", seen from the side to move: it
        has, and since the first of the four the enemy, or the side to move, gave check with every move; perpetual check
        loses. If both did: "draw".
        """
        history = [*self._history, self._visit()]
        return repetition_outcome([(visit[:2], visit[2]) for visit in history])

    def bod(self) -> str:
        """Return the board as text (BOD), as Japanese programs print it."""
        return _rsshogi_board(self.sfen).to_bod()  # type: ignore[no-any-return]

    def svg(self) -> str:
        """Return the board as an SVG picture."""
        return str(_rsshogi_board(self.sfen).to_svg())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"Position.from_sfen('{self.sfen}')"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return bool(self.record.tobytes() == other.record.tobytes())

    def __hash__(self) -> int:
        return hash((int(self.record.board_key), int(self.record.hand_key)))


def perft(position: Position, depth: int) -> tuple[int, dict[str, int]]:
    """Count the leaves of the tree of legal moves, `depth` plies deep.

    Returns
    -------
    The total, and the count behind each root move.
    """
    if not 1 <= depth <= DEEPEST_PERFT:
        raise ValueError(f"depth {depth}: expected 1 to {DEEPEST_PERFT}")
    buffer = np.zeros(MAX_MOVES * (depth + 1), dtype=np.int32)
    counts = {}
    for usi in position.legal_moves():
        record = position.play(usi).record
        counts[usi] = int(perft_counting(record, buffer, 0, depth - 1)) if depth > 1 else 1
    return sum(counts.values()), counts


def warm() -> float:
    """Compile what positions themselves call, or load it from the cache; return the seconds that compiling took."""
    before = compile_log.compile_seconds
    position = Position.from_sfen(START_SFEN).play("7g7f")
    position.is_check()
    position.mate_in_one()
    perft(position, 2)
    return compile_log.compile_seconds - before


def _rsshogi_board(sfen: str) -> Any:
    from rsshogi.core import Board

    return Board(sfen)
