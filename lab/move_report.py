"""What ``hisshi move`` tells while and after it works: progress, JSON lines, table, exit status."""

from typing import TYPE_CHECKING

from hisshi.lab.console import make_console
from hisshi.lab.json_output import JsonOutput
from hisshi.lab.move_outcome import MoveOutcome, describe_move, move_cells, move_json_line
from hisshi.lab.problem import printable
from hisshi.lab.profile_table import print_profile
from hisshi.lab.table import fitted_table

if TYPE_CHECKING:
    from rich.console import Console

    from hisshi.lab.progress import LiveProgress, PlainProgress

ALL_HAVE_MOVES, SOME_HAVE_NONE, SOME_IN_ERROR, INTERRUPTED = 0, 1, 2, 130

HEADERS = ("position", "move", "score", "depth", "deepest", "nodes", "nodes/s", "seconds", "line")
_NUMBERS = ("score", "depth", "deepest", "nodes", "nodes/s", "seconds")


class MoveReport:
    """Passes on to the display, writes JSON at once, keeps the outcomes for the end."""

    def __init__(self, display: "PlainProgress | LiveProgress", output: JsonOutput | None) -> None:
        self._display, self._output = display, output
        self.outcomes: list[MoveOutcome] = []

    def finished(self, outcome: MoveOutcome) -> None:
        """Tell the outcome of the next position."""
        self.outcomes.append(outcome)
        if self._output is not None:
            self._output.write(move_json_line(outcome))
        self._display.done(len(self.outcomes), describe_move(outcome), is_error=outcome.error is not None)

    def print_results(self, to_stderr: bool, stopped: bool) -> None:
        """Print the table, what was found out about mates, and a summary."""
        console = make_console(to_stderr)
        if self.outcomes:
            self._print_table(console)
        if len(self.outcomes) == 1 and (line := self.outcomes[0].moves):
            console.print(f"line: {' '.join(line)}", soft_wrap=True)  # whole: in the table it may be cut off
        for outcome in self.outcomes:
            for moves, what in ((outcome.allowing, "allow a mate"), (outcome.threatmates, "threaten a mate")):
                if moves:
                    console.print(printable(f"{outcome.id}: moves that {what}: {' '.join(moves)}"), soft_wrap=True)
        print_profile(self.outcomes, console)
        text = self._summary()
        console.print(f"stopped; {text}" if stopped else text, soft_wrap=True)

    def _print_table(self, console: "Console") -> None:
        from rich.text import Text

        rows = [[printable(cell) for cell in move_cells(outcome)] for outcome in self.outcomes]
        table = fitted_table(HEADERS, rows, _NUMBERS, console.width)
        for row in rows:
            table.add_row(*map(Text, row))
        console.print(table)

    def _summary(self) -> str:
        count = len(self.outcomes)
        nodes, seconds = sum(row.nodes for row in self.outcomes), sum(row.seconds for row in self.outcomes)
        reasons = ", ".join(dict.fromkeys(row.reason for row in self.outcomes if row.reason))
        text = f"{count} {'position' if count == 1 else 'positions'}: {nodes:,} nodes in {seconds:.2f} s"
        if (compiling := sum(row.compile_seconds for row in self.outcomes)) >= 0.05:
            text += f" (and {compiling:.1f} s of compilation)"
        return f"{text}; ended by: {reasons}" if reasons else text

    def exit_code(self, stopped: bool) -> int:
        """Return the exit status of the command."""
        if stopped:
            return INTERRUPTED
        if any(outcome.error is not None for outcome in self.outcomes):
            return SOME_IN_ERROR
        return ALL_HAVE_MOVES if all(outcome.move for outcome in self.outcomes) else SOME_HAVE_NONE
