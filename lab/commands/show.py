"""``hisshi show``: a position as a board of text, and as an SVG file if wanted."""

from pathlib import Path
from typing import Any

import click


@click.command(name="show", short_help="Print a position as a board.")
@click.argument("position", metavar="POSITION")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Also write a picture.")
def command(position: str, svg: Path | None) -> None:
    """Print POSITION (SFEN, or a USI position with moves, in quotes) as a BOD diagram, with its SFEN and more."""
    from hisshi.core.errors import HisshiError
    from hisshi.core.reference import ReferenceBoard
    from hisshi.lab.positions import read_position

    sfen = read_position(position)
    board = ReferenceBoard.from_sfen(sfen)
    click.echo(_diagram(sfen).rstrip())
    _, side, hands, _ = sfen.split()
    click.echo(f"sfen:     {sfen}")
    click.echo(f"to move:  {'black' if side == 'b' else 'white'}")
    click.echo(f"hands:    black {_hand(hands, str.isupper)}, white {_hand(hands, str.islower)}")
    click.echo(f"in check: {'yes' if board.in_check() else 'no'}")
    if not board.has_legal_move():
        click.echo(f"no legal move: {'mated' if board.in_check() else 'lost all the same'}")
    if svg is not None:
        try:
            svg.write_text(str(_rsshogi_board(sfen).to_svg()), encoding="utf-8")
        except OSError as error:
            raise HisshiError(f"--svg {svg}: cannot be written: {error.strerror}; name another file") from error


def _rsshogi_board(sfen: str) -> Any:
    from rsshogi.core import Board

    return Board(sfen)


def _diagram(sfen: str) -> str:
    return str(_rsshogi_board(sfen).to_bod())


def _hand(hands: str, mine: Any) -> str:
    """Return one side's part of an SFEN's hands, in the form ``2P G``; ``-`` if it is empty."""
    items, count = [], ""
    for character in hands:
        if character.isdigit():
            count += character
        elif character != "-":
            if mine(character):
                items.append(count + character.upper())
            count = ""
    return " ".join(items) or "-"
