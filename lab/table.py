"""The table of results and the line below it."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hisshi.lab.outcome import Outcome
from hisshi.lab.problem import printable

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_TABLE = 500  # rows; of more only those that need a look are shown
_SHOWN_MOVES = 12

_STYLES = {"proven": "green", "disproven": "cyan", "found": "yellow", "unknown": "yellow", "error": "red"}


def print_table(outcomes: Sequence[Outcome], console: "Console") -> None:
    """Print `outcomes` as a table: all of them, or the remarkable ones if there are very many."""
    from rich.table import Table
    from rich.text import Text

    shown = [outcome for outcome in outcomes if len(outcomes) <= LONGEST_TABLE or _is_remarkable(outcome)]
    if not shown:
        return
    table = Table(title=None if len(shown) == len(outcomes) else "unsolved, in error, or of another length than listed")
    table.add_column("problem", overflow="fold", min_width=8)
    table.add_column("verdict", no_wrap=True)
    table.add_column("plies", justify="right", no_wrap=True)
    with_listed = any(outcome.expected_plies is not None for outcome in shown)
    if with_listed:
        table.add_column("listed", justify="right", no_wrap=True)
    table.add_column("nodes", justify="right", no_wrap=True)
    table.add_column("seconds", justify="right", no_wrap=True)
    table.add_column("moves", overflow="ellipsis", no_wrap=True, ratio=1)
    for outcome in shown:
        verdict = outcome.verdict or "error"
        row = [Text(printable(outcome.id or outcome.file or "-")), Text(verdict, style=_STYLES.get(verdict, ""))]
        row.append(Text(_length(outcome)))
        if with_listed:
            listed = "" if outcome.expected_plies is None else str(outcome.expected_plies)
            row.append(Text(listed, style="bold magenta" if outcome.differs else ""))
        row += [Text(f"{outcome.nodes:,}"), Text(f"{outcome.seconds:.2f}"), Text(_moves(outcome))]
        table.add_row(*row)
    console.print(table)


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
    return text


def _is_remarkable(outcome: Outcome) -> bool:
    return not outcome.is_solved or outcome.differs


def _length(outcome: Outcome) -> str:
    if outcome.plies is None:
        return ""
    return f"≤ {outcome.plies}" if outcome.length_is == "upper bound" else str(outcome.plies)


def _moves(outcome: Outcome) -> str:
    if outcome.error is not None:
        return printable(outcome.error)
    if not outcome.moves:
        return outcome.reason
    rest = len(outcome.moves) - _SHOWN_MOVES
    return " ".join(outcome.moves[:_SHOWN_MOVES]) + (f" … ({rest} more)" if rest > 0 else "")
