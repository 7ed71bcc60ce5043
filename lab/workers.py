"""Several problems at once, each in a worker process; outcomes are still told in input order.

A process, since one crashed search must not take the others with it: the problem that a dead worker had is reported as
an error and a fresh worker takes its place. Workers are spawned, never forked: forking copies threads and locks badly.
"""

import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from hisshi.core.errors import HisshiError, SearchFailedError
from hisshi.lab.batch import Listener
from hisshi.lab.outcome import Outcome, outcome_of_error, outcome_of_stop
from hisshi.lab.problem import BadProblem, Item, Problem
from hisshi.lab.session import Settings, Solver, Stopped, Throttle

SolverFactory = Callable[[Settings], Solver]

_SPAWN = multiprocessing.get_context("spawn")
_REPORT_INTERVAL = 0.2  # seconds between two reports of a search under way
_PATIENCE = 5.0  # seconds for a worker that closed its end to leave its exit code


def solve_in_parallel(
    factory: SolverFactory, settings: Settings, items: Iterable[Item], jobs: int, listener: Listener
) -> None:
    """Solve all `items` with up to `jobs` worker processes, telling `listener`.

    `factory` and `settings` must be picklable; each worker calls the factory once.

    Raises
    ------
    Stopped
        The user interrupted; all that was done has been told, and then the searches under way, as stopped.
    HisshiError
        A worker could not be set up.
    """
    solve_rounds_in_parallel(factory, settings, [items], jobs, listener)


def solve_rounds_in_parallel(
    factory: SolverFactory, settings: Settings, rounds: Iterable[Iterable[Item]], jobs: int, listener: Listener
) -> None:
    """Do the same with one round of items after the other, by the same workers.

    A round is asked for when all outcomes of the one before have been told, and may depend on them.
    """
    pool = _Pool(factory, settings, jobs, listener)
    try:
        for items in rounds:
            pool.solve(iter(items))
    except KeyboardInterrupt:
        pool.end_workers()
        outcomes = pool.tell_what_is_left()
        raise Stopped(outcomes) from None
    finally:
        pool.end_workers()


class _Worker:
    def __init__(self, factory: SolverFactory, settings: Settings) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(theirs, factory, settings), daemon=True)
        with _no_interrupts():
            self.process.start()
        theirs.close()  # so that a dead worker means the end of the stream
        self.is_ready = False
        self.number: int | None = None


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back while a process is started, which inherits that: the parent alone decides what to do."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it would lift the block when it starts
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


class _Pool:
    def __init__(self, factory: SolverFactory, settings: Settings, jobs: int, listener: Listener) -> None:
        self.factory, self.settings, self.jobs, self.listener = factory, settings, jobs, listener
        self.workers: list[_Worker] = []
        self.searching: dict[int, Problem] = {}
        self.waiting: dict[int, Outcome] = {}  # outcomes whose predecessors are not known yet
        self.told = 0

    def solve(self, items: Iterator[Item]) -> None:
        number, exhausted = self.told, False
        while True:
            while not exhausted and (worker := self._free_worker()) is not None:
                item = next(items, None)
                if item is None:
                    exhausted = True
                    break
                number += 1
                if isinstance(item, BadProblem):
                    self._keep(number, outcome_of_error(item, self.settings.run, item.error))
                else:
                    self._hand_over(worker, number, item)
            busy = [worker for worker in self.workers if worker.number is not None]
            if not busy:
                return
            ready = wait([worker.connection for worker in busy])
            for worker in busy:
                if worker.connection in ready:
                    self._receive(worker)

    def _free_worker(self) -> _Worker | None:
        for worker in self.workers:
            if worker.number is None:
                return worker
        if len(self.workers) < self.jobs:
            self.workers.append(_Worker(self.factory, self.settings))
            return self.workers[-1]
        return None

    def _hand_over(self, worker: _Worker, number: int, problem: Problem) -> None:
        worker.number = number
        self.searching[number] = problem
        self.listener.started(number, problem)
        with contextlib.suppress(OSError):  # died between two problems: found out when its answer is read
            worker.connection.send((number, problem))

    def _receive(self, worker: _Worker) -> None:
        try:
            kind, value = worker.connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self._bury(worker)
            return
        number = worker.number
        if kind == "ready":
            worker.is_ready = True
        elif kind == "failed":
            raise HisshiError(f"a worker process could not be set up: {value}")
        elif kind == "progress" and number is not None:
            self.listener.searching(number, *value)
        elif kind == "outcome" and number is not None:
            worker.number = None
            self._end(number, value)

    def _bury(self, worker: _Worker) -> None:
        worker.process.join(_PATIENCE)
        worker.process.kill()
        worker.connection.close()
        self.workers.remove(worker)
        how = _describe_exit(worker.process.exitcode)
        if not worker.is_ready:
            raise SearchFailedError(f"a worker process {how} before its first problem; try again with --jobs 1")
        if (number := worker.number) is not None:
            problem = self.searching[number]
            text = f"{problem.id}: the worker process {how} during this search; try it alone with --jobs 1"
            self._end(number, outcome_of_error(problem, self.settings.run, text))

    def _end(self, number: int, outcome: Outcome) -> None:
        del self.searching[number]
        self.listener.ended(number)
        self._keep(number, outcome)

    def _keep(self, number: int, outcome: Outcome) -> None:
        self.waiting[number] = outcome
        while self.told + 1 in self.waiting:
            self.told += 1
            self.listener.finished(self.told, self.waiting.pop(self.told))

    def tell_what_is_left(self) -> list[Outcome]:
        """Tell outcomes that still waited for earlier ones, and those of the stopped searches; return the latter."""
        stopped = {number: outcome_of_stop(problem, self.settings.run) for number, problem in self.searching.items()}
        self.waiting.update(stopped)
        for number in sorted(self.waiting):
            self.listener.finished(number, self.waiting[number])
        self.waiting.clear()
        return list(stopped.values())

    def end_workers(self) -> None:
        for worker in self.workers:
            worker.process.terminate()
        deadline = time.monotonic() + 0.3
        for worker in self.workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
            worker.connection.close()
        self.workers.clear()


def _describe_exit(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"
    return f"ended with exit code {code}"


def _work(connection: Connection, factory: SolverFactory, settings: Settings) -> None:
    """Run in a worker process: set up once, then answer one problem after the other until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers itself
    logging.getLogger("hisshi.plugins").disabled = True  # it has warned of broken ones, too
    try:
        solver = factory(settings)
        solver.warm()
    except Exception as error:  # noqa: BLE001  told to the parent, which stops everything
        _send(connection, "failed", str(error) or type(error).__name__)
        return
    _send(connection, "ready", None)
    throttle = Throttle(_REPORT_INTERVAL)

    def report(nodes: int, seconds: float) -> None:
        if throttle.is_due():
            _send(connection, "progress", (nodes, seconds))

    while True:
        try:
            _, problem = connection.recv()
        except (EOFError, OSError):
            return
        try:
            outcome = solver.solve(problem, report)
        except Exception as error:  # noqa: BLE001  one broken search must not end the others
            text = f"{problem.id}: the search failed: {type(error).__name__}: {error}"
            outcome = outcome_of_error(problem, settings.run, text)
        _send(connection, "outcome", outcome)


def _send(connection: Connection, kind: str, value: Any) -> None:
    try:
        connection.send((kind, value))
    except OSError:
        os._exit(1)  # the parent is gone; a search that nobody waits for must not go on
