"""The table of results and the line below it."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hisshi.lab.outcome import Outcome
from hisshi.lab.problem import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

LONGEST_TABLE = 500  # rows; of more only those that need a look are shown
_SHOWN_MOVES = 12
_WIDEST_ID, _NARROWEST_MOVES = 32, 10

_STYLES = {"proven": "green", "disproven": "cyan", "found": "yellow", "unknown": "yellow", "error": "red"}


def print_table(outcomes: Sequence[Outcome], console: "Console") -> None:
    """Print `outcomes` as a table: all of them, or the remarkable ones if there are very many."""
    from rich.text import Text

    shown = [outcome for outcome in outcomes if len(outcomes) <= LONGEST_TABLE or _is_remarkable(outcome)]
    if not shown:
        return
    with_listed = any(outcome.expected_plies is not None for outcome in shown)
    headers = ["problem", "verdict", "plies", *(["listed"] if with_listed else []), "nodes", "seconds", "moves"]
    rows = [_cells(outcome, with_listed) for outcome in shown]
    title = None if len(shown) == len(outcomes) else "unsolved, in error, or of another length than listed"
    table = fitted_table(headers, rows, ("plies", "listed", "nodes", "seconds"), console.width, title)
    for outcome, row in zip(shown, rows, strict=True):
        cells = [Text(cell) for cell in row]
        cells[1].stylize(_STYLES.get(row[1], ""))
        if outcome.differs:
            cells[2].stylize("bold magenta")
        table.add_row(*cells)
    console.print(table)


def fitted_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[str],
    room: int,
    title: str | None = None,
) -> "Table":
    """Return a table for `rows`, which are not added yet; the columns `numbers` stand to the right.

    The last column, of moves, gets what is left of `room`, and is cut off there; everything else is shown whole.
    """
    from rich.cells import cell_len
    from rich.table import Table

    widths = [
        max(cell_len(header), *(cell_len(row[column]) for row in rows)) for column, header in enumerate(headers[:-1])
    ]
    widths[0] = min(widths[0], _WIDEST_ID)
    left = room - sum(widths) - 3 * len(headers) - 1  # a frame and two blanks for each column
    table = Table(title=title)
    for column, (header, width) in enumerate(zip(headers, [*widths, max(left, _NARROWEST_MOVES)], strict=True)):
        table.add_column(
            header,
            justify="right" if header in numbers else "left",
            overflow="fold" if column == 0 else "ellipsis",
            no_wrap=column > 0,
            min_width=None if column == len(widths) else width,
            max_width=width,
        )
    return table


def print_first_moves(outcomes: Sequence[Outcome], console: "Console") -> None:
    """Print a line for each problem whose first moves were asked for."""
    for outcome in outcomes:
        if (found := outcome.first_moves) is not None:
            moves = " ".join(found["moves"]) or "none proven"
            more = "" if found["complete"] else "; perhaps more"
            text = f"{outcome.id}: first moves of a hisshi within {found['plies']}: {moves}{more}"
            console.print(printable(text), soft_wrap=True, markup=False, highlight=False)


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return the line below the table, for example ``3 problems: 2 proven, 1 unknown; 1,234 nodes in 0.56 s``."""
    counts = Counter(outcome.verdict or "error" for outcome in outcomes)
    order = ("proven", "disproven", "found", "unknown", "error")
    parts = [f"{counts[kind]} {'in error' if kind == 'error' else kind}" for kind in order if counts[kind]]
    nodes, seconds = sum(outcome.nodes for outcome in outcomes), sum(outcome.seconds for outcome in outcomes)
    noun = "problem" if len(outcomes) == 1 else "problems"
    text = f"{len(outcomes)} {noun}: {', '.join(parts) or 'nothing done'}; {nodes:,} nodes in {seconds:.2f} s"
    if differing := sum(outcome.differs for outcome in outcomes):
        text += f"; {differing} not as listed"
    for what in sorted({outcome.left_out for outcome in outcomes} - {""}):
        text += f"; lengths leave out {what}"
    return text


def _is_remarkable(outcome: Outcome) -> bool:
    return not outcome.is_solved or outcome.differs


def _cells(outcome: Outcome, with_listed: bool) -> list[str]:
    listed = "" if outcome.expected_plies is None else str(outcome.expected_plies)
    return [
        printable(outcome.id or outcome.file or "-"),
        outcome.verdict or "error",
        _length(outcome),
        *([listed] if with_listed else []),
        f"{outcome.nodes:,}",
        f"{outcome.seconds:.2f}",
        _moves(outcome),
    ]


def _length(outcome: Outcome) -> str:
    if outcome.plies is None:
        return ""
    return f"≤ {outcome.plies}" if outcome.is_upper_bound else str(outcome.plies)


def _moves(outcome: Outcome) -> str:
    if outcome.error is not None:
        return printable(outcome.error)
    return shown_moves(outcome.moves) or outcome.reason


def shown_moves(moves: Sequence[str]) -> str:
    """Return the first of `moves`, and how many more there are."""
    rest = len(moves) - _SHOWN_MOVES
    return " ".join(moves[:_SHOWN_MOVES]) + (f" … ({rest} more)" if rest > 0 else "")
