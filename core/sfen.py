"""Positions as text: SFEN and the USI ``position`` command, read with care and written in one canonical way.

What is accepted beyond the letter of the format: hands in any order, ``1p`` for a single pawn, several digits in a row
on a rank (``45`` is nine empty squares), fewer pieces than a set holds, a missing move number (it is 1). One king
may be missing, or both: a search that needs one says so itself.

`strict=False` also keeps what is odd but playable: doubled pawns, pieces that can never move, and more pieces than a
set holds, up to `LOOSE_LIMIT` of one kind on the board and in the hands together. Never accepted: two kings of one
colour, a king in hand, a side not to move that is in check (its king would be taken).
"""

import re
from typing import NoReturn

import attrs

from hisshi.core.errors import InvalidPositionError
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
    SET_SIZES,
    WHITE,
    piece_of,
    square_name,
)
from hisshi.core.movement import colour_of, find_king, is_attacked, kind_of, never_moves

START_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

# Captures keep the number of pieces of a kind, so a hand never grows beyond this either.
LOOSE_LIMIT = 40
LARGEST_MOVE_NUMBER = 99_999

_LONGEST_SFEN = 400
_LONGEST_POSITION = 200_000  # room for any recorded game after "moves"
_ECHOED = 40

_HAND_ORDER = (6, 5, 7, 4, 3, 2, 1)  # rook, bishop, gold, silver, knight, lance, pawn: the order that USI asks for
_KIND_NAMES = ("", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king")
_COLOUR_NAMES = ("black", "white")
_PIECE_OF_LETTER = {
    letter if colour == BLACK else letter.lower(): piece_of(colour, kind)
    for colour in (BLACK, WHITE)
    for kind, letter in enumerate(LETTERS)
    if kind != EMPTY
}
_LETTER_OF_PIECE = {piece: letter for letter, piece in _PIECE_OF_LETTER.items()}

_HAND_ITEM = re.compile(r"([0-9]*)(.?)", re.DOTALL)
_USI_MOVE = re.compile(r"(?:[1-9][a-i][1-9][a-i]\+?|[PLNSBRG]\*[1-9][a-i])")
_UNPRINTABLE = re.compile(r"[^ -~\t\r\n]")


@attrs.frozen
class Placement:
    """Where the pieces are and whose turn it is: everything that an SFEN says.

    `board` holds 81 pieces as in `kernel.pieces`; `hands` a count per kind for black and for white, indexed 1 (pawn)
    to 7 (gold), index 0 unused; `move_number` is the number of the next move, from 1.
    """

    board: tuple[int, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    side: int
    move_number: int = 1

    def king_square(self, colour: int) -> int:
        """Return the square of the king of `colour`, NO_SQUARE if it has none."""
        return find_king(self.board, colour)


def parse_sfen(text: str, strict: bool = True) -> Placement:
    """Read an SFEN such as ``4k4/9/4P4/9/9/9/9/9/9 b G 1``.

    Parameters
    ----------
    text
        Board, side, hands and (optionally) move number, separated by blanks.
    strict
        False keeps odd but playable positions, see the top of this module.

    Raises
    ------
    InvalidPositionError
        The text is no SFEN, or the position breaks a rule; says which field and rank, what was found and expected.
    """
    where = f"sfen {shorten(text)}"
    _check_characters(text, where, _LONGEST_SFEN)
    return _placement_of_fields(text.split(), where, strict)


def format_sfen(placement: Placement) -> str:
    """Return the canonical SFEN of `placement`; `parse_sfen` gives the same placement back."""
    ranks = "/".join(_format_rank(placement, rank) for rank in range(9))
    hands = "".join(
        (str(count) if count > 1 else "") + _LETTER_OF_PIECE[piece_of(colour, kind)]
        for colour in (BLACK, WHITE)
        for kind in _HAND_ORDER
        if (count := placement.hands[colour][kind])
    )
    return f"{ranks} {'bw'[placement.side]} {hands or '-'} {placement.move_number}"


def parse_usi_position(text: str, strict: bool = True) -> tuple[Placement, list[str]]:
    """Read ``[position] startpos|sfen SFEN|SFEN [moves M1 M2 …]``.

    Returns
    -------
    tuple
        The placement before the moves, and the moves as USI strings, correct in form but not yet known to be legal.

    Raises
    ------
    InvalidPositionError
        As `parse_sfen`; also for a word that is not a USI move.
    """
    where = f"position {shorten(text.removeprefix('position '))}"
    _check_characters(text, where, _LONGEST_POSITION)
    words = text.split()
    if words and words[0] == "position":
        del words[0]
    if not words:
        _refuse(where, "empty, expected 'startpos', 'sfen …' or an SFEN")
    moves: list[str] = []
    if "moves" in words:
        at = words.index("moves")
        words, moves = words[:at], words[at + 1 :]
    if words and words[0] == "startpos":
        if len(words) > 1:
            _refuse(where, f"'{shorten(words[1])}' after startpos, expected 'moves' or nothing")
        placement = _placement_of_fields(START_SFEN.split(), where, strict)
    else:
        if words and words[0] == "sfen":
            del words[0]
        placement = _placement_of_fields(words, f"sfen {shorten(' '.join(words))}", strict)
    for number, move in enumerate(moves, start=1):
        if not is_usi_move(move):
            _refuse(where, f"move {number} is '{shorten(move)}', expected a USI move such as 7g7f, 8h2b+ or P*5e")
    return placement, moves


def is_usi_move(text: str) -> bool:
    """Return whether `text` has the form of a USI move, such as ``7g7f``, ``8h2b+`` or ``P*5e``."""
    return _USI_MOVE.fullmatch(text) is not None


def check_placement(placement: Placement, strict: bool = True, where: str = "position") -> None:
    """Raise InvalidPositionError if `placement`, which came from any source, breaks a rule.

    `where` begins the message; `strict` as in `parse_sfen`.
    """
    _check_kings(placement, where)
    _check_piece_counts(placement, where, strict)
    if strict:
        _check_pawns_and_dead_pieces(placement, where)
    waiting = 1 - placement.side
    king = placement.king_square(waiting)
    if king != NO_SQUARE and is_attacked(placement.board, king, placement.side):
        _refuse(
            where,
            f"{_COLOUR_NAMES[waiting]}'s king on {square_name(king)} is in check, "
            f"but it is {_COLOUR_NAMES[placement.side]}'s turn",
        )


def shorten(text: str, length: int = _ECHOED) -> str:
    """Return `text` fit for a one-line message: unprintable characters escaped, the rest cut off after `length`."""
    shown = "".join(
        character if " " <= character <= "~" else ascii(character)[1:-1] for character in text[: length + 1]
    )
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def _refuse(where: str, problem: str) -> NoReturn:
    raise InvalidPositionError(f"{where}: {problem}")


def _check_characters(text: str, where: str, longest: int) -> None:
    if len(text) > longest:
        _refuse(where, f"{len(text)} characters long, expected at most {longest}")
    if found := _UNPRINTABLE.search(text):
        _refuse(where, f"character {found[0]!a} at column {found.start() + 1}, expected plain ASCII text")


def _placement_of_fields(fields: list[str], where: str, strict: bool) -> Placement:
    if len(fields) not in (3, 4):
        _refuse(where, f"{len(fields)} fields, expected board, side, hands and move number, for example {START_SFEN}")
    board = _parse_board(fields[0], where)
    if fields[1] not in ("b", "w"):
        _refuse(where, f"side to move is '{shorten(fields[1])}', expected b or w")
    hands = _parse_hands(fields[2], where)
    move_number = _parse_move_number(fields[3], where) if len(fields) == 4 else 1
    placement = Placement(board, hands, "bw".index(fields[1]), move_number)
    check_placement(placement, strict, where)
    return placement


def _parse_board(field: str, where: str) -> tuple[int, ...]:
    ranks = field.split("/")
    if len(ranks) != 9:
        _refuse(where, f"board has {len(ranks)} rank{'s' * (len(ranks) != 1)}, expected 9")
    rows = [_parse_rank(text, f"rank {number}", where) for number, text in enumerate(ranks, start=1)]
    # An SFEN rank runs from file 9 down to file 1; squares are numbered file by file from file 1.
    return tuple(rows[rank][8 - file] for file in range(9) for rank in range(9))


def _parse_rank(text: str, name: str, where: str) -> list[int]:
    row: list[int] = []
    promoted = False
    for character in text:
        if character == "+" and not promoted:
            promoted = True
            continue
        piece = _PIECE_OF_LETTER.get(character)
        if promoted and (piece is None or kind_of(piece) in (GOLD, KING)):
            _refuse(where, f"{name} has '+{character}', but only P, L, N, S, B and R promote")
        if piece is not None:
            row.append(piece + PROMOTED * promoted)
            promoted = False
        elif character in "123456789":
            row.extend([EMPTY] * int(character))
        else:
            expected = "expected pieces PLNSBRGK or plnsbrgk, '+' and digits 1-9"
            _refuse(where, f"{name} has '{character}', {expected}")
    if promoted:
        _refuse(where, f"{name} ends with '+', expected a piece after it")
    if len(row) != 9:
        _refuse(where, f"{name} has {len(row)} square{'s' * (len(row) != 1)}, expected 9")
    return row


def _parse_hands(field: str, where: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    counts = ([0] * HAND_KINDS, [0] * HAND_KINDS)
    rest = "" if field == "-" else field
    while rest:
        item = _HAND_ITEM.match(rest)
        assert item is not None  # both parts may be empty
        digits, letter = item.groups()
        rest = rest[item.end() :]
        piece = _PIECE_OF_LETTER.get(letter)
        if piece is None:
            found = f"'{letter}'" if letter else f"'{shorten(digits)}' at the end"
            _refuse(where, f"hands have {found}, expected '-' or counts and letters such as 2Pb")
        colour, kind = colour_of(piece), kind_of(piece)
        if kind == KING:
            _refuse(where, f"hands have a king ('{letter}'), which is never in hand")
        if digits.startswith("0") or len(digits) > 2:
            _refuse(
                where, f"hands have '{shorten(digits)}{letter}', expected a count from 1 to 99 without leading zeros"
            )
        if counts[colour][kind]:
            _refuse(where, f"hands name '{letter}' twice, expected one count for each piece")
        counts[colour][kind] = int(digits or 1)
    return tuple(counts[BLACK]), tuple(counts[WHITE])


def _parse_move_number(field: str, where: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", field) or not 1 <= int(field) <= LARGEST_MOVE_NUMBER:
        _refuse(where, f"move number is '{shorten(field)}', expected a whole number from 1 to {LARGEST_MOVE_NUMBER}")
    return int(field)


def _check_kings(placement: Placement, where: str) -> None:
    for colour, name in enumerate(_COLOUR_NAMES):
        count = placement.board.count(piece_of(colour, KING))
        if count > 1:
            _refuse(where, f"{name} has {count} kings, expected at most 1")


def _check_piece_counts(placement: Placement, where: str, strict: bool) -> None:
    kinds = [kind_of(piece) for piece in placement.board]
    for kind in range(PAWN, HAND_KINDS):
        count = kinds.count(kind) + placement.hands[BLACK][kind] + placement.hands[WHITE][kind]
        if kind != GOLD:
            count += kinds.count(kind + PROMOTED)
        limit = SET_SIZES[kind] if strict else LOOSE_LIMIT
        if count > limit:
            holds = "a set holds" if strict else "the limit is"
            _refuse(where, f"{count} {_KIND_NAMES[kind]}s on the board and in hand, {holds} {limit}")


def _check_pawns_and_dead_pieces(placement: Placement, where: str) -> None:
    files_with_pawn: set[tuple[int, int]] = set()
    for square, piece in enumerate(placement.board):
        if piece == EMPTY:
            continue
        colour, kind = colour_of(piece), kind_of(piece)
        name = f"{_COLOUR_NAMES[colour]}'s {_KIND_NAMES[kind % PROMOTED or kind]}"
        if never_moves(colour, kind, square):
            _refuse(where, f"rank {square % 9 + 1}: {name} on {square_name(square)} can never move")
        if kind == PAWN:
            if (colour, square // 9) in files_with_pawn:
                _refuse(
                    where, f"file {square // 9 + 1} has two unpromoted pawns of {_COLOUR_NAMES[colour]}, expected 1"
                )
            files_with_pawn.add((colour, square // 9))


def _format_rank(placement: Placement, rank: int) -> str:
    text, empty = "", 0
    for file in reversed(range(9)):
        piece = placement.board[file * 9 + rank]
        if piece == EMPTY:
            empty += 1
            continue
        text += str(empty) if empty else ""
        empty = 0
        kind = kind_of(piece)
        promoted = kind > KING
        text += "+" * promoted + _LETTER_OF_PIECE[piece - PROMOTED * promoted]
    return text + (str(empty) if empty else "")
