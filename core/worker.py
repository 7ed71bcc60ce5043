"""A composed search in a thread of its own: watched, stoppable, and never an answer out of an error."""

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from hisshi.core.composition import Run
from hisshi.core.errors import RunInUseError, SearchFailedError
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import EXHAUSTED, NODE_LIMIT, STOP
from hisshi.core.large_stack import large_stack
from hisshi.core.position import Position

LINE_TIME = 0.3  # seconds that line and proof tree may take after Ctrl-C, and at least after a search with a time limit
MOST_NODES = 2**63 - 1  # that the control array can hold
UNCOMPILED_RECURSION = 50_000
WATCH_INTERVAL = 0.05  # seconds between two looks at a running search


class Worker(threading.Thread):
    """The thread that searches; compiled code runs without the interpreter lock. `_work` is the subclass's."""

    answer: ClassVar[str] = "verdict"  # what there is none of after an error

    def __init__(self, position: Position, run: Run) -> None:
        super().__init__(name=f"hisshi {run.name}", daemon=True)
        self.position, self.composed = position, run
        self.nodes, self.seconds, self.processor_seconds = 0, 0.0, 0.0
        self.exhausted = 0  # GAVE_UP bits
        self.statistics: dict[str, Any] = {}
        self.profile: dict[str, dict[str, Any]] | None = None
        self.error: BaseException | None = None
        self.turn = threading.Lock()  # held where the stop flag changes hands
        self.searched = threading.Event()
        self.finished = threading.Event()
        self.timed_out = False
        self.begun = time.perf_counter()
        self.ended = 0.0  # seconds from then until the search and what its limits hold for was over

    @property
    def runs(self) -> bool:
        """Whether the thread was started and has not come to its end."""
        return self.ident is not None and not self.finished.is_set()

    def run(self) -> None:
        """Do the work; what goes wrong is kept in `error`."""
        if sys.getrecursionlimit() < UNCOMPILED_RECURSION:
            sys.setrecursionlimit(UNCOMPILED_RECURSION)
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001  handed to the thread that asked
            self.error = error
        finally:
            self.searched.set()
            self.finished.set()

    def _work(self) -> None:
        """Search, by `_measure`, set `searched` while holding `turn`, and make what the result is to have beside."""
        raise NotImplementedError

    def _measure(self, search: Callable[[], None]) -> None:
        """Search, and note what that took."""
        run = self.composed
        self.begun, used = time.perf_counter(), time.thread_time()
        search()
        self.seconds, self.processor_seconds = time.perf_counter() - self.begun, time.thread_time() - used
        self.nodes, self.exhausted = run.nodes, int(run.control[EXHAUSTED])
        self.statistics, self.profile = run.statistics(), run.profile()

    def stop(self) -> None:
        """Have the search end soon, unless it has ended by itself."""
        with self.turn:
            if not self.searched.is_set():
                self.composed.control[STOP] = 1

    def keep_time(self, seconds: float, limit: float) -> None:
        """Have the search end soon if it has taken `limit`, or what follows a proof if that has; `seconds`: in all."""
        with self.turn:
            if not self.searched.is_set():
                if seconds >= limit:
                    self.timed_out = True
                    self.composed.control[STOP] = 1
            elif seconds - self.ended >= max(limit, LINE_TIME):
                self.composed.control[STOP] = 1


def check_limits(node_limit: int | None, time_limit: float | None) -> None:
    """Raise ValueError unless both are possible limits of a search; None is none."""
    if node_limit is not None and node_limit < 1:
        raise ValueError(f"node_limit is {node_limit}, expected 1 or more")
    if time_limit is not None and not time_limit > 0:
        raise ValueError(f"time_limit is {time_limit}, expected more than 0 seconds")


def watch(
    worker: Worker, node_limit: int | None, time_limit: float | None, tell: Callable[[float], None]
) -> tuple[float, bool]:
    """Compile, clear what earlier searches left, start the worker and wait until it has ended.

    `tell` is called in this thread about 20 times a second, with the seconds since the search has begun.

    Returns
    -------
    The seconds that compiling took, and whether the user interrupted with Ctrl-C.

    Raises
    ------
    RunInUseError
        The run is searching in another thread.
    SearchFailedError
        An exception was raised inside a kernel.
    """
    run = worker.composed
    if not run.in_use.acquire(blocking=False):
        raise RunInUseError(f"run '{run.name}' is searching another position; compose the run once more for this one")
    try:
        compile_seconds = run.warm()
        run.clear()
        run.control[NODE_LIMIT] = min(node_limit or 0, MOST_NODES)
        interrupted = _wait(worker, time_limit, tell)
    finally:
        if not worker.runs:  # else its tables must not be touched: a second Ctrl-C came before it had stopped
            run.in_use.release()
    _raise_error_of(worker)
    return compile_seconds, interrupted


def _wait(worker: Worker, time_limit: float | None, tell: Callable[[float], None]) -> bool:
    """Start the worker and wait for it; return True if the user interrupted.

    `Thread.join` is of no use: a Ctrl-C in it makes Python believe that the thread has ended.
    """
    try:
        with large_stack():
            worker.start()
        while not worker.finished.wait(WATCH_INTERVAL):
            seconds = time.perf_counter() - worker.begun
            if time_limit is not None:
                worker.keep_time(seconds, time_limit)
            tell(seconds)
    except KeyboardInterrupt:
        return True
    finally:
        worker.stop()
        if worker.ident is not None:
            worker.searched.wait()
            worker.finished.wait(LINE_TIME)
            worker.composed.control[STOP] = 1
            worker.finished.wait()
            worker.join()
    return False


def _raise_error_of(worker: Worker) -> None:
    """Raise what went wrong in the worker, as a SearchFailedError."""
    error, run = worker.error, worker.composed
    if error is None:
        return
    if isinstance(error, SearchFailedError):
        raise error
    if type(error).__name__ == "BdbQuit":  # nobody without a debugger should have to import it
        raise SearchFailedError(f"run '{run.name}': the debugger was left, there is no {worker.answer}") from error
    raise SearchFailedError(
        f"run '{run.name}': an exception was raised inside a kernel, there is no {worker.answer}: "
        f"{type(error).__name__}: {error}{_place(error)}; position {worker.position.sfen}"
        + ("; to step through it as plain Python, set NUMBA_DISABLE_JIT=1" if JIT else "")
    ) from error


def _place(error: BaseException) -> str:
    """Return the last line outside of core that an exception passed through: compiled code knows where it raises."""
    place = ""
    traceback = error.__traceback__
    while traceback is not None:
        file = Path(traceback.tb_frame.f_code.co_filename)
        if not file.is_relative_to(Path(__file__).parent):
            place = f" ({file.name}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return place
