"""The rules of shogi, slow and obvious: the measure for the compiled kernel and the ground of the proof checker.

It shares only `kernel.pieces` with the kernel. Every move is tried on a copy of the board and then judged, so pins,
discovered checks and double checks need no code of their own.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import Literal

from hisshi.core.errors import IllegalMoveError
from hisshi.core.kernel.pieces import (
    BLACK,
    EMPTY,
    GOLD,
    HAND_KINDS,
    KING,
    LETTERS,
    NO_SQUARE,
    PAWN,
    PROMOTED,
    piece_of,
    square_from_name,
    square_name,
)
from hisshi.core.movement import attacked_squares, colour_of, find_king, is_attacked, kind_of, never_moves
from hisshi.core.sfen import Placement, format_sfen, is_usi_move, parse_sfen, shorten

BoardKey = tuple[tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...]], int]


class ReferenceBoard:
    """A position that is never changed: `play` returns a new board. Moves are USI strings."""

    def __init__(self, placement: Placement) -> None:
        """Take over `placement`, which `parse_sfen` or `check_placement` has found to be valid."""
        self.board = placement.board
        self.hands = placement.hands
        self.side = placement.side
        self.move_number = placement.move_number

    @classmethod
    def from_sfen(cls, sfen: str, strict: bool = True) -> "ReferenceBoard":
        """Read `sfen`; raises InvalidPositionError as `parse_sfen` does."""
        return cls(parse_sfen(sfen, strict))

    def __repr__(self) -> str:
        return f"ReferenceBoard.from_sfen({self.sfen()!r})"

    def sfen(self) -> str:
        """Return the canonical SFEN."""
        return format_sfen(Placement(self.board, self.hands, self.side, self.move_number))

    def key(self) -> BoardKey:
        """Return what must be equal for two positions to be the same in the rule of repetition."""
        return self.board, self.hands, self.side

    def in_check(self) -> bool:
        """Return whether the king of the side to move is attacked; False if it has none."""
        return self._king_is_attacked(self.side)

    def legal_moves(self) -> list[str]:
        """Return every legal move, promotions and non-promotions alike, in a fixed order."""
        return [move for move in self._candidate_moves() if self._is_allowed(move)]

    def is_legal(self, move: str) -> bool:
        """Return whether `move`, any text, is a legal move here."""
        return move in self._candidate_moves() and self._is_allowed(move)

    def evasions(self) -> list[str]:
        """Return the legal moves of a side in check; nothing if it is not in check."""
        return self.legal_moves() if self.in_check() else []

    def checks(self) -> list[str]:
        """Return the legal moves that give check, directly or by discovery."""
        return [move for move in self._candidate_moves() if self.after(move).in_check() and self._is_allowed(move)]

    def gives_check(self, move: str) -> bool:
        """Return whether the legal `move` gives check; raises IllegalMoveError if it is not legal."""
        return self.play(move).in_check()

    def has_legal_move(self) -> bool:
        """Return whether the side to move has any legal move; if not, it has lost, in check or not."""
        return any(self._is_allowed(move) for move in self._candidate_moves())

    def is_mated(self) -> bool:
        """Return whether the side to move is in check and has no legal move."""
        return self.in_check() and not self.has_legal_move()

    def play(self, move: str) -> "ReferenceBoard":
        """Return the position after `move`; raises IllegalMoveError if it is not legal."""
        if not self.is_legal(move):
            form = "" if is_usi_move(move) else "; expected a USI move such as 7g7f, 8h2b+ or P*5e"
            raise IllegalMoveError(f"move '{shorten(move)}' is not legal in {self.sfen()}{form}")
        return self.after(move)

    def after(self, move: str) -> "ReferenceBoard":
        """Return the position after `move`, which must come from `legal_moves` or the like; not checked again."""
        board = list(self.board)
        hands = [list(hand) for hand in self.hands]
        target = square_from_name(move[2:4])
        if move[1] == "*":
            kind = LETTERS.index(move[0])
            hands[self.side][kind] -= 1
            board[target] = piece_of(self.side, kind)
        else:
            origin = square_from_name(move[:2])
            taken = kind_of(board[target])
            if taken != EMPTY:
                hands[self.side][_unpromoted(taken)] += 1
            board[target] = board[origin] + PROMOTED * move.endswith("+")
            board[origin] = EMPTY
        return ReferenceBoard(
            Placement(tuple(board), (tuple(hands[0]), tuple(hands[1])), 1 - self.side, self.move_number + 1)
        )

    def perft(self, depth: int) -> int:
        """Return the number of lines of `depth` legal moves, 1 for depth 0."""
        if depth <= 0:
            return 1
        moves = self.legal_moves()
        return len(moves) if depth == 1 else sum(self.after(move).perft(depth - 1) for move in moves)

    # -- how moves are found: everything the pieces can do, then what the rules forbid is taken out --

    def _candidate_moves(self) -> Iterator[str]:
        """Yield all moves that the board and the hand offer; they may still leave the own king in check."""
        for origin, piece in enumerate(self.board):
            if piece != EMPTY and colour_of(piece) == self.side:
                yield from self._moves_from(origin)
        if any(self.hands[self.side]):
            squares = self._drop_squares()
            for kind in range(PAWN, HAND_KINDS):
                if self.hands[self.side][kind]:
                    yield from self._drops_of(kind, squares)

    def _moves_from(self, origin: int) -> Iterator[str]:
        kind = kind_of(self.board[origin])
        for target in attacked_squares(self.board, origin):
            taken = self.board[target]
            if taken != EMPTY and colour_of(taken) == self.side:
                continue
            move = square_name(origin) + square_name(target)
            if kind < GOLD and (self._in_promotion_zone(origin) or self._in_promotion_zone(target)):
                yield move + "+"
            if not never_moves(self.side, kind, target):
                yield move

    def _drop_squares(self) -> list[int]:
        """Return the empty squares; in check only those where a piece, whichever it is, interposes."""
        empty = [square for square, occupant in enumerate(self.board) if occupant == EMPTY]
        if not self.in_check():
            return empty
        king, blocker = find_king(self.board, self.side), piece_of(self.side, PAWN)
        with_blocker = ((square, (*self.board[:square], blocker, *self.board[square + 1 :])) for square in empty)
        return [square for square, board in with_blocker if not is_attacked(board, king, by=1 - self.side)]

    def _drops_of(self, kind: int, squares: list[int]) -> Iterator[str]:
        for target in squares:
            if never_moves(self.side, kind, target):
                continue
            if kind == PAWN and self._has_pawn_on_file(target // 9):
                continue  # nifu
            yield f"{LETTERS[kind]}*{square_name(target)}"

    def _in_promotion_zone(self, square: int) -> bool:
        rank = square % 9
        return rank <= 2 if self.side == BLACK else rank >= 6

    def _has_pawn_on_file(self, file: int) -> bool:
        return piece_of(self.side, PAWN) in self.board[file * 9 : file * 9 + 9]

    def _is_allowed(self, move: str) -> bool:
        """Return whether a candidate move keeps the own king safe and is no mate by a pawn drop (uchifuzume)."""
        after = self.after(move)
        if after._king_is_attacked(self.side):
            return False
        return not (move.startswith("P*") and after.is_mated())

    def _king_is_attacked(self, colour: int) -> bool:
        king = find_king(self.board, colour)
        return king != NO_SQUARE and is_attacked(self.board, king, by=1 - colour)


def _unpromoted(kind: int) -> int:
    return kind - PROMOTED if kind > KING else kind


Repetition = Literal["draw", "win", "loss"]


def repetition_outcome(history: Sequence[tuple[Hashable, bool]]) -> Repetition | None:
    """Judge the last position of a game by the rule of fourfold repetition (sennichite).

    Parameters
    ----------
    history
        One pair for each position so far, the current one last: a key that is equal for equal positions (board,
        hands, side to move), and whether the side to move was in check.

    Returns
    -------
    str or None
        None if the last position has not occurred four times. Else the result for the side to move: "win" if the
        opponent gave check with every move since the first of the four (perpetual check loses), "loss" if the side
        to move did that itself, otherwise "draw". If both did, neither can be blamed: "draw".
    """
    if not history:
        return None
    last, _ = history[-1]
    occurrences = [index for index, (key, _) in enumerate(history) if key == last]
    if len(occurrences) < 4:
        return None
    since_first = history[occurrences[-4] + 1 :]
    # Sides alternate, and the stretch ends with the side to move: its own positions are every second one from the end.
    was_checked = all(in_check for _, in_check in since_first[::-2])
    gave_check = all(in_check for _, in_check in since_first[-2::-2])
    if was_checked == gave_check:
        return "draw"
    return "win" if was_checked else "loss"
