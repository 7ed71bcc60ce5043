"""How far a batch is: a live display on a terminal, plain lines where standard error is a pipe or a file."""

import time
from typing import TYPE_CHECKING, Any

from hisshi.lab.console import make_console
from hisshi.lab.outcome import Outcome
from hisshi.lab.problem import Problem, printable
from hisshi.lab.session import Throttle

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

_SIGN_OF_LIFE = 30.0  # seconds between two plain lines about one long search
_COMPILE_NOTICE = 0.5  # seconds; what is read from the cache is faster and needs no notice


def make_progress(total: int | None) -> "PlainProgress | LiveProgress":
    """Return the display that suits standard error; `total` is the number of problems, None if not known yet."""
    console = make_console(to_stderr=True)
    return LiveProgress(console, total) if console.is_terminal else PlainProgress(console, total)


def describe(outcome: Outcome) -> str:
    """Return one line that says what became of a problem."""
    if outcome.error is not None:
        return f"error: {outcome.error}"
    length = "" if outcome.plies is None else f" in {outcome.plies} plies"
    at_most = " at most" if outcome.length_is == "upper bound" else ""
    reason = f" ({outcome.reason})" if outcome.reason else ""
    return f"{outcome.id}: {outcome.verdict}{length}{at_most}{reason}, {outcome.nodes:,} nodes, {outcome.seconds:.2f} s"


class PlainProgress:
    """One line for each problem that is done, a sign of life for those that take long."""

    def __init__(self, console: "Console", total: int | None) -> None:
        self._console, self._total = console, total
        self._names: dict[int, str] = {}
        self._life = Throttle(_SIGN_OF_LIFE)
        self._compiling_since: float | None = None
        self._compile_line = Throttle(_COMPILE_NOTICE)

    def __enter__(self) -> "PlainProgress":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def compiling(self, done: int, total: int, name: str) -> None:
        """Tell how far compilation is; every few seconds."""
        if self._compiling_since is None:
            self._compiling_since = time.monotonic()
        if self._compile_line.is_due():
            self._compile_line.interval = 5.0
            self.note(f"compiling for first use: {done} of {total}, {name}")

    def note(self, text: str) -> None:
        """Print a line of its own."""
        self._console.print(printable(text), soft_wrap=True)

    def started(self, number: int, problem: Problem) -> None:
        """See `Listener`."""
        self._names[number] = problem.id

    def searching(self, number: int, nodes: int, seconds: float) -> None:
        """See `Listener`."""
        if self._life.is_due():
            self.note(f"{self._place(number)} {self._names.get(number, '')}: {nodes:,} nodes, {seconds:.0f} s so far")

    def ended(self, number: int) -> None:
        """See `Listener`."""
        self._names.pop(number, None)

    def finished(self, number: int, outcome: Outcome) -> None:
        """See `Listener`."""
        self.note(f"{self._place(number)} {describe(outcome)}")

    def _place(self, number: int) -> str:
        return f"[{number}]" if self._total is None else f"[{number}/{self._total}]"


class LiveProgress:
    """A bar for the batch and a line with live node counts for each search under way; gone when all is done."""

    def __init__(self, console: "Console", total: int | None) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[state]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            refresh_per_second=8,
        )
        self._total = total
        self._all: TaskID | None = None
        self._tasks: dict[int, TaskID] = {}
        self._compile: TaskID | None = None
        self._compile_notice = Throttle(_COMPILE_NOTICE)

    def __enter__(self) -> "LiveProgress":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def compiling(self, done: int, total: int, name: str) -> None:
        """Tell how far compilation is."""
        if self._compile is None:
            if not self._compile_notice.is_due():
                return
            self._compile = self._progress.add_task("compiling for first use", total=total, state="")
        self._progress.update(self._compile, completed=done, total=total, state=printable(name))
        if done >= total:
            self._progress.remove_task(self._compile)
            self._compile = None

    def note(self, text: str) -> None:
        """Print a line above the display."""
        self._progress.console.print(printable(text), soft_wrap=True)

    def started(self, number: int, problem: Problem) -> None:
        """See `Listener`."""
        self._overall()
        self._tasks[number] = self._progress.add_task(f"  {printable(problem.id)}", total=None, state="")

    def searching(self, number: int, nodes: int, seconds: float) -> None:
        """See `Listener`."""
        if (task := self._tasks.get(number)) is not None:
            rate = f", {nodes / seconds / 1000:,.0f} k/s" if seconds > 0 else ""
            self._progress.update(task, state=f"{nodes:,} nodes{rate}")

    def ended(self, number: int) -> None:
        """See `Listener`."""
        if (task := self._tasks.pop(number, None)) is not None:
            self._progress.remove_task(task)

    def finished(self, number: int, outcome: Outcome) -> None:
        """See `Listener`."""
        self._progress.update(self._overall(), completed=number)
        if outcome.error is not None:
            self.note(describe(outcome))

    def _overall(self) -> Any:
        if self._all is None:
            self._all = self._progress.add_task("problems", total=self._total, state="")
        return self._all
