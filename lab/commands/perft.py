"""``hisshi perft``: count the move sequences from a position, the usual test of a move generator."""

import contextlib
import json
import signal
import time
from collections.abc import Iterator

import click


@click.command(name="perft", short_help="Count legal move sequences.")
@click.argument("position", metavar="POSITION")
@click.option("--depth", type=click.IntRange(min=1), required=True, metavar="N", help="Plies to play.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def command(position: str, depth: int, as_json: bool) -> None:
    """Count the legal sequences of N moves from POSITION (in quotes), in total and below each first move."""
    from hisshi.core.errors import HisshiError
    from hisshi.core.position import Position, perft
    from hisshi.lab.positions import read_position

    sfen = read_position(position)
    start = time.perf_counter()
    try:
        with _ended_by_ctrl_c():
            total, counts = perft(Position.from_sfen(sfen), depth)
    except ValueError as error:
        raise HisshiError(str(error)) from error
    seconds = time.perf_counter() - start
    if as_json:
        moves = {move: int(count) for move, count in sorted(counts.items())}
        answer = {"sfen": sfen, "depth": depth, "total": int(total), "moves": moves, "seconds": round(seconds, 6)}
        click.echo(json.dumps(answer))
        return
    for move, count in sorted(counts.items()):
        click.echo(f"{move}: {count}")
    click.echo(f"total: {total}")
    click.echo(f"{total:,} sequences of {depth} moves in {seconds:.2f} s", err=True)


@contextlib.contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C end the process at once: compiled counting does not notice it, and there is nothing to keep."""
    old = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old)
