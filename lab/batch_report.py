"""What ``hisshi solve`` tells while and after it works: progress, JSON lines, table, summary, exit status."""

from dataclasses import replace
from typing import TYPE_CHECKING

from hisshi.lab.console import make_console
from hisshi.lab.json_output import JsonOutput
from hisshi.lab.outcome import Outcome, json_line
from hisshi.lab.problem import Problem
from hisshi.lab.profile_table import print_profile
from hisshi.lab.table import print_first_moves, print_table, summary
from hisshi.lab.tree_text import print_tree
from hisshi.lab.verification_text import print_verifications

if TYPE_CHECKING:
    from hisshi.lab.progress import LiveProgress, PlainProgress

ALL_SOLVED, SOME_UNSOLVED, SOME_IN_ERROR, INTERRUPTED = 0, 1, 2, 130


class BatchReport:
    """The `Listener` of a batch: passes on to the display, writes JSON at once, keeps the outcomes for the end."""

    def __init__(
        self,
        display: "PlainProgress | LiveProgress",
        output: JsonOutput | None,
        with_proof: bool,
        with_tree: bool = False,
        with_verification: bool = False,
    ) -> None:
        self._display, self._output = display, output
        self._kept = (with_proof, with_tree, with_verification)
        self._places: dict[str, str] = {}  # where an id was first seen
        self.outcomes: list[Outcome] = []
        self.compile_seconds = 0.0

    def start(self) -> None:
        """Begin to write: all that could be refused has been checked."""
        if self._output is not None:
            self._output.start()

    def started(self, number: int, problem: Problem) -> None:
        """See `Listener`."""
        self._display.started(number, problem)

    def searching(self, number: int, nodes: int, seconds: float) -> None:
        """See `Listener`."""
        self._display.searching(number, nodes, seconds)

    def ended(self, number: int) -> None:
        """See `Listener`."""
        self._display.ended(number)

    def finished(self, number: int, outcome: Outcome) -> None:
        """See `Listener`."""
        if not self.outcomes and self.compile_seconds:
            # All was compiled before the first problem, which is where someone who reads the lines will look for it.
            outcome = replace(outcome, compile_seconds=outcome.compile_seconds + self.compile_seconds)
        if self._output is not None:
            self._output.write(json_line(outcome, *self._kept))
        # The trees are written and may be large; the rest of this process needs the row only, and one tree to print.
        self.outcomes.append(outcome.without_trees(but_solution=not self.outcomes))
        self._display.finished(number, outcome)
        self._note_duplicate(outcome)

    def _note_duplicate(self, outcome: Outcome) -> None:
        """Say that an id occurs again: allowed, each is solved, but whoever joins tables by id should know."""
        if outcome.id is None:
            return
        place = f"{outcome.file or 'command line'}, line {outcome.line}" if outcome.line else outcome.file or "?"
        first = self._places.setdefault(outcome.id, place)
        if first != place:
            self._display.note(f"note: {place}: id '{outcome.id}' was already used in {first}")

    def print_results(self, to_stderr: bool, stopped: bool) -> None:
        """Print the table and the summary."""
        console = make_console(to_stderr)
        print_table(self.outcomes, console)
        print_first_moves(self.outcomes, console)
        print_profile(self.outcomes, console)
        if len(self.outcomes) == 1:
            print_tree(self.outcomes[0], console)
        print_verifications(self.outcomes, console)
        text = summary(self.outcomes)
        if self.compile_seconds >= 0.05:
            text += f" (and {self.compile_seconds:.1f} s of compilation)"
        console.print(f"stopped; {text}" if stopped else text, soft_wrap=True)

    def exit_code(self, stopped: bool) -> int:
        """Return the exit status of the command."""
        if stopped:
            return INTERRUPTED
        if any(outcome.error is not None for outcome in self.outcomes):
            return SOME_IN_ERROR
        return ALL_SOLVED if all(outcome.is_solved for outcome in self.outcomes) else SOME_UNSOLVED
