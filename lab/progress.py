"""How far a batch is: a live display on a terminal, plain lines where standard error is a pipe or a file."""

import os
import threading
import time
from collections.abc import Callable
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
_COMPILE_INTERVAL = 3.0  # seconds between two plain lines about compilation


def make_progress(total: int | None) -> "PlainProgress | LiveProgress":
    """Return the display that suits standard error; `total` is the number of problems, None if not known yet.

    Uncompiled, somebody may be at work with a debugger, and a live display would write over it.
    """
    console = make_console(to_stderr=True)
    uncompiled = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return LiveProgress(console, total) if console.is_terminal and not uncompiled else PlainProgress(console, total)


def describe(outcome: Outcome) -> str:
    """Return one line that says what became of a problem."""
    if outcome.error is not None:
        return f"error: {outcome.error}"
    at_most = "at most " if outcome.is_upper_bound else ""
    plies = "ply" if outcome.plies == 1 else "plies"
    length = "" if outcome.plies is None else f" in {at_most}{outcome.plies} {plies}"
    length += f", {outcome.left_out} left out" if outcome.left_out else ""
    reason = f" ({outcome.reason})" if outcome.reason else ""
    return f"{outcome.id}: {outcome.verdict}{length}{reason}, {outcome.nodes:,} nodes, {outcome.seconds:.2f} s"


class CompileNotice:
    """Tells how far compilation is, from half a second on.

    What comes from the cache is there sooner, and nothing was compiled then. A timer, since the first part alone may
    take many seconds, during which nobody calls.
    """

    def __init__(self, show: Callable[[int, int, str], None]) -> None:
        self._show = show
        self._state: tuple[int, int, str] | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._is_shown = False

    def update(self, done: int, total: int, name: str) -> None:
        """Take note that `done` of `total` parts are compiled, and that `name` is next."""
        with self._lock:
            self._state = (done, total, name)
            if self._is_shown:
                self._show(done, total, name)
            elif self._timer is None:
                self._timer = threading.Timer(_COMPILE_NOTICE, self._begin)
                self._timer.daemon = True
                self._timer.start()
        if done >= total:
            self.end()

    def _begin(self) -> None:
        with self._lock:
            if self._timer is not None and self._state is not None:
                self._is_shown = True
                self._show(*self._state)

    def end(self) -> None:
        """Say nothing from now on."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer, self._is_shown = None, False


class PlainProgress:
    """One line for each problem that is done, a sign of life for those that take long."""

    def __init__(self, console: "Console", total: int | None) -> None:
        self._console, self._total = console, total
        self._names: dict[int, str] = {}
        self._life = Throttle(_SIGN_OF_LIFE)
        self._compile = CompileNotice(self._show_compiling)
        self._next_compile_line = 0.0

    def __enter__(self) -> "PlainProgress":
        return self

    def __exit__(self, *_: object) -> None:
        self._compile.end()

    def compiling(self, done: int, total: int, name: str) -> None:
        """Tell how far compilation is; every few seconds."""
        self._compile.update(done, total, name)

    def _show_compiling(self, done: int, total: int, name: str) -> None:
        if time.monotonic() >= self._next_compile_line:
            self._next_compile_line = time.monotonic() + _COMPILE_INTERVAL
            self.note(f"compiling for first use: {done} of {total}, {name}")

    def note(self, text: str) -> None:
        """Print a line of its own."""
        self._console.print(printable(text), soft_wrap=True)

    def started(self, number: int, problem: Problem) -> None:
        """See `Listener`."""
        self._names[number] = problem.id

    def searching(self, number: int, nodes: int, seconds: float) -> None:
        """See `Listener`."""
        self.show(number, f"{nodes:,} nodes, {seconds:.0f} s so far")

    def show(self, number: int, state: str) -> None:
        """Tell how far a search is, in words; from time to time."""
        if self._life.is_due():
            self.note(f"{self._place(number)} {self._names.get(number, '')}: {state}")

    def ended(self, number: int) -> None:
        """See `Listener`."""
        self._names.pop(number, None)

    def finished(self, number: int, outcome: Outcome) -> None:
        """See `Listener`."""
        self.done(number, describe(outcome), is_error=outcome.error is not None)

    def done(self, number: int, text: str, is_error: bool) -> None:  # noqa: ARG002  the other display's concern
        """Tell in words what became of a problem."""
        self.note(f"{self._place(number)} {text}")

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
        self._compile = CompileNotice(self._show_compiling)
        self._compile_task: TaskID | None = None

    def __enter__(self) -> "LiveProgress":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._compile.end()
        self._progress.stop()

    def compiling(self, done: int, total: int, name: str) -> None:
        """Tell how far compilation is."""
        self._compile.update(done, total, name)
        if done >= total and self._compile_task is not None:
            self._progress.remove_task(self._compile_task)
            self._compile_task = None

    def _show_compiling(self, done: int, total: int, name: str) -> None:
        if self._compile_task is None:
            self._compile_task = self._progress.add_task("compiling for first use", total=total, state="")
        self._progress.update(self._compile_task, completed=done, total=total, state=printable(name))

    def note(self, text: str) -> None:
        """Print a line above the display."""
        self._progress.console.print(printable(text), soft_wrap=True)

    def started(self, number: int, problem: Problem) -> None:
        """See `Listener`."""
        self._overall()
        self._tasks[number] = self._progress.add_task(f"  {printable(problem.id)}", total=None, state="")

    def searching(self, number: int, nodes: int, seconds: float) -> None:
        """See `Listener`."""
        rate = f", {nodes / seconds / 1000:,.0f} k/s" if seconds > 0 else ""
        self.show(number, f"{nodes:,} nodes{rate}")

    def show(self, number: int, state: str) -> None:
        """Tell how far a search is, in words."""
        if (task := self._tasks.get(number)) is not None:
            self._progress.update(task, state=printable(state))

    def ended(self, number: int) -> None:
        """See `Listener`."""
        if (task := self._tasks.pop(number, None)) is not None:
            self._progress.remove_task(task)

    def finished(self, number: int, outcome: Outcome) -> None:
        """See `Listener`."""
        self.done(number, describe(outcome), is_error=outcome.error is not None)

    def done(self, number: int, text: str, is_error: bool) -> None:
        """Tell that a problem is done, in words if it is an error: results are printed when the display is gone."""
        self._progress.update(self._overall(), completed=number)
        if is_error:
            self.note(text)

    def _overall(self) -> Any:
        if self._all is None:
            self._all = self._progress.add_task("problems", total=self._total, state="")
        return self._all
