"""Running a composed search: in a worker thread, watched, stoppable, and never a verdict out of an error."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hisshi.core.composition import Run, versions
from hisshi.core.countermate import Verification
from hisshi.core.countermate import verify_against_countermate as verify_tree
from hisshi.core.errors import Interrupted, InvalidPositionError, RunInUseError, SearchFailedError
from hisshi.core.hisshi_solution import build_hisshi_solution
from hisshi.core.kernel.cache_units import kernel_unit
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import (
    EXHAUSTED,
    GAVE_UP_DEPTH,
    GAVE_UP_NODES,
    GAVE_UP_SCHEDULE,
    GAVE_UP_STOP,
    ITERATION,
    NODE_LIMIT,
    STOP,
)
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.large_stack import large_stack
from hisshi.core.position import Position
from hisshi.core.results import SHORTEST, UPPER_BOUND, USELESS_LEFT_OUT, Progress, SearchResult
from hisshi.core.shortest import Length, proven_length, shorten
from hisshi.core.solution import Solution, Unanswered, build_solution
from hisshi.core.solution_tree import TREE_DEPTH, SolutionTree, build_solution_tree

MOST_NODES = 2**63 - 1  # that the control array can hold
WATCH_INTERVAL = 0.05  # seconds between two looks at a running search
LINE_TIME = 0.3  # seconds that line and proof tree may take after Ctrl-C, and at least after a search with a time limit
UNCOMPILED_RECURSION = 50_000

OnProgress = Callable[[Progress], None]


def solve(
    position: Position,
    run: Run,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    on_progress: OnProgress | None = None,
    want_proof: bool = False,
    want_tree: bool = False,
    tree_depth: int = TREE_DEPTH,
    verify_against_countermate: bool = False,
) -> SearchResult:
    """Search `position` with the algorithms that `run` composes.

    Parameters
    ----------
    position
        Not modified. Side to move is the attacker.
    run
        From ``Registry.compose(name)``. What earlier searches left in its tables is cleared first. With ``shortest``
        it is searched on after a proof until none is shorter; the limits hold for all of it, and when one is met the
        best proof stays, its length an upper bound.
    node_limit
        Nodes entered, at least 1; None means no limit.
    time_limit
        Seconds of search, more than 0; None means no limit. Line and trees may then take as long again; what is
        not done by then is left out of the result, whose verdict stays.
    on_progress
        Called in this thread about 20 times a second.
    want_proof
        Add the proof tree to a proven result.
    want_tree
        Add the solution tree to a proven result; see `hisshi.core.solution_tree`.
    tree_depth
        Plies that its first stage goes down, at least 1; the second hangs on what is missing. The tree is the same,
        but with fewer plies less is worked out that falls away again.
    verify_against_countermate
        Look whether the attacker's king can be mated at any of the defender's nodes of the solution tree, which is then
        made, wanted or not: `verified` of the result; see `hisshi.core.countermate`.

    Returns
    -------
    SearchResult
        Verdict, length in plies, principal variation, statistics (seconds, compilation excluded).

    Raises
    ------
    InvalidPositionError
        The defender has no king.
    RunInUseError
        `run` is searching in another thread.
    SearchFailedError
        An exception was raised inside a kernel.
    Interrupted
        Ctrl-C; its `result` says how far the search was. It is a KeyboardInterrupt.
    """
    if node_limit is not None and node_limit < 1:
        raise ValueError(f"node_limit is {node_limit}, expected 1 or more")
    if tree_depth < 1:
        raise ValueError(f"tree_depth is {tree_depth}, expected 1 or more")
    if time_limit is not None and not time_limit > 0:
        raise ValueError(f"time_limit is {time_limit}, expected more than 0 seconds")
    defender = "white" if position.side == "black" else "black"
    if not position.has_king(defender):
        raise InvalidPositionError(f"{defender} has no king to mate; {position.side} is to move in {position.sfen}")
    if not run.in_use.acquire(blocking=False):
        raise RunInUseError(f"run '{run.name}' is searching another position; compose the run once more for this one")
    worker = _Worker(position, run, want_proof, tree_depth if want_tree or verify_against_countermate else 0)
    worker.wants_tree, worker.verifies = want_tree, verify_against_countermate
    try:
        compile_seconds = run.warm()
        run.clear()
        run.control[NODE_LIMIT] = min(node_limit or 0, MOST_NODES)
        interrupted = _watch(worker, run, time_limit, on_progress)
    finally:
        if not worker.runs:  # else its tables must not be touched: a second Ctrl-C came before it had stopped
            run.in_use.release()
    if isinstance(worker.error, SearchFailedError):
        raise worker.error
    if type(worker.error).__name__ == "BdbQuit":  # nobody without a debugger should have to import it
        raise SearchFailedError(f"run '{run.name}': the debugger was left, there is no verdict") from worker.error
    if worker.error is not None:
        raise SearchFailedError(
            f"run '{run.name}': an exception was raised inside a kernel, there is no verdict: "
            f"{type(worker.error).__name__}: {worker.error}{_place(worker.error)}; position {position.sfen}"
            + ("; to step through it as plain Python, set NUMBA_DISABLE_JIT=1" if JIT else "")
        ) from worker.error
    result = _result(position, run, worker, compile_seconds)
    if interrupted:
        raise Interrupted(result)
    return result


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


class _Worker(threading.Thread):
    """The thread that searches; compiled code runs without the interpreter lock."""

    def __init__(self, position: Position, run: Run, want_proof: bool, tree_depth: int) -> None:
        super().__init__(name=f"hisshi {run.name}", daemon=True)
        self.tree_depth = tree_depth  # 0: no solution tree is needed
        self.wants_tree = self.verifies = False
        self.verification: Verification | None = None
        self.tree: SolutionTree | None = None
        self.position, self.composed, self.want_proof = position, run, want_proof
        self.verdict = 0
        self.length = Length(0, False)
        self.nodes, self.seconds, self.processor_seconds = 0, 0.0, 0.0
        self.exhausted = 0  # GAVE_UP bits
        self.statistics: dict[str, Any] = {}
        self.profile: dict[str, dict[str, Any]] | None = None
        self.solution: Solution | None = None
        self.error: BaseException | None = None
        self.turn = threading.Lock()  # held where the stop flag changes hands
        self.searched = threading.Event()
        self.finished = threading.Event()
        self.timed_out = False
        self.begun = time.perf_counter()

    @property
    def runs(self) -> bool:
        """Whether the thread was started and has not come to its end."""
        return self.ident is not None and not self.finished.is_set()

    def run(self) -> None:
        run = self.composed
        if sys.getrecursionlimit() < UNCOMPILED_RECURSION:
            sys.setrecursionlimit(UNCOMPILED_RECURSION)
        try:
            self.begun, used = time.perf_counter(), time.thread_time()
            self._search()
            self.seconds, self.processor_seconds = time.perf_counter() - self.begun, time.thread_time() - used
            self.nodes, self.exhausted = run.nodes, int(run.control[EXHAUSTED])
            self.statistics, self.profile = run.statistics(), run.profile()
            with self.turn:
                self.searched.set()
                if self.verdict == PROVEN:  # a proof that was there before the limit is worth its line
                    run.control[STOP] = run.control[NODE_LIMIT] = 0
            if self.verdict == PROVEN:
                build = build_hisshi_solution if run.goal == "hisshi" else build_solution
                self.solution = build(self.position, run, self.length, self.want_proof)
                if self.tree_depth:
                    with contextlib.suppress(Unanswered):  # stopped before it had a move
                        self.tree = build_solution_tree(self.position, run, self.length, self.tree_depth)
                if self.tree and self.verifies:
                    self.verification = verify_tree(self.position, run, self.tree)
        except BaseException as error:  # noqa: BLE001  handed to the thread that asked
            self.error = error
        finally:
            self.searched.set()
            self.finished.set()

    def _search(self) -> None:
        run = self.composed
        self.verdict = run.search(self.position.copy_record())
        if self.verdict == PROVEN:
            self.length = proven_length(run)
            if run.shortest:
                self.length = shorten(self.position, run, self.length)

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
            elif seconds - self.seconds >= max(limit, LINE_TIME):
                self.composed.control[STOP] = 1


def _watch(worker: _Worker, run: Run, time_limit: float | None, on_progress: OnProgress | None) -> bool:
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
            if on_progress is not None:
                on_progress(Progress(run.nodes, seconds, int(run.control[ITERATION])))
    except KeyboardInterrupt:
        return True
    finally:
        worker.stop()
        if worker.ident is not None:
            worker.searched.wait()
            worker.finished.wait(LINE_TIME)
            run.control[STOP] = 1
            worker.finished.wait()
            worker.join()
    return False


def _result(position: Position, run: Run, worker: _Worker, compile_seconds: float) -> SearchResult:
    verdict, reason = "unknown", ""
    plies: int | None = None
    if worker.verdict == PROVEN:
        unseen = run.unseen_answers()
        verdict = "found" if unseen else "proven"
        plies = worker.length.plies
        if unseen:
            reason = f"the run's {unseen.replace('_', ' ')} leave out moves of the defender"
        elif run.goal == "hisshi" and plies == 0:
            reason = "a mate"
        elif run.shortest and not worker.length.is_shortest:
            reason = f"not shown to be the shortest: {_reason(run, worker)}"
    elif worker.verdict == DISPROVEN:
        verdict = "disproven"
    else:
        reason = _reason(run, worker)
    solution = worker.solution
    if solution is not None and solution.proof is None and worker.want_proof and not reason:
        reason = "the proof tree was stopped"
    elif worker.tree_depth and worker.tree is None and worker.verdict == PROVEN and not reason:
        reason = "the solution tree was stopped"
    return SearchResult(
        run=run.name,
        sfen=position.sfen,
        verdict=verdict,
        plies=plies,
        length_is=None if plies is None else _length_is(run, worker.length.is_shortest),
        moves=solution.moves if solution else (),
        nodes=worker.nodes,
        seconds=worker.seconds,
        compile_seconds=compile_seconds,
        reason=reason,
        proof=solution.proof if solution else None,
        tree=worker.tree.root if worker.tree and worker.wants_tree else None,
        tree_report=worker.tree.report if worker.tree and worker.wants_tree else None,
        verified=worker.verification.verified if worker.verification else None,
        verification=worker.verification.report if worker.verification else None,
        statistics=worker.statistics,
        profile=worker.profile,
        provenance={
            "run": run.name,
            "goal": run.goal,
            "shortest": run.shortest,
            "search": run.root.describe(),
            "kernel": kernel_unit().digest,
            **versions(),
        },
        processor_seconds=worker.processor_seconds,
    )


def _length_is(run: Run, is_shortest: bool) -> str:
    count = USELESS_LEFT_OUT if "useless-left-out" in run.root.traits else ""
    return (SHORTEST if is_shortest else UPPER_BOUND) + count


def _reason(run: Run, worker: _Worker) -> str:
    """Say why a search gave up."""
    if worker.exhausted & GAVE_UP_NODES:
        return "node limit"
    if worker.exhausted & GAVE_UP_STOP:
        return "time limit" if worker.timed_out else "stopped"
    if worker.exhausted & GAVE_UP_DEPTH:
        return "deeper than the search stack"
    if worker.exhausted == GAVE_UP_SCHEDULE and not run.has_only("checks", "complete"):
        return "the run's checks leave out moves"
    if worker.exhausted == 0:
        return "the search gives no reason"
    if run.goal == "hisshi":
        most = run.root.options.get("max_plies", "so many")
        sure = worker.exhausted == GAVE_UP_SCHEDULE
        return f"no hisshi within {most} plies" if sure else f"none found within {most} plies"
    return "the stop rule's largest budget was not enough"
