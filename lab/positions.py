"""One position from a text that a person typed or a file holds: SFEN, or a USI position with its moves played."""

from hisshi.core.errors import IllegalMoveError
from hisshi.core.sfen import format_sfen, parse_usi_position


def read_position(text: str) -> str:
    """Return the canonical SFEN of the position that `text` describes, the one after its moves if it has any.

    The moves are played by the slow reference rules, so that reading a file needs no compiled code. What happened
    before the last position is not kept: repetitions count from there.

    Raises
    ------
    InvalidPositionError
        `text` is no position.
    IllegalMoveError
        One of its moves is not legal.
    """
    placement, moves = parse_usi_position(text)
    return play_line(format_sfen(placement), moves)


def play_line(sfen: str, moves: list[str]) -> str:
    """Return the SFEN after `moves` from `sfen`; IllegalMoveError names the first move that is not legal."""
    if not moves:
        return sfen
    from hisshi.core.reference import ReferenceBoard  # only positions with moves need the rules

    board = ReferenceBoard.from_sfen(sfen)
    for number, move in enumerate(moves, start=1):
        if not board.is_legal(move):
            raise IllegalMoveError(f"move '{move}' is not legal in this position (move {number} of {len(moves)})")
        board = board.after(move)
    return board.sfen()
