"""Several worker processes: outcomes in input order, a crash costs one problem, Ctrl-C keeps what is done."""

import importlib
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from hisshi.core.errors import HisshiError
from hisshi.lab.problem import BadProblem, Problem
from hisshi.lab.session import Settings, Stopped
from hisshi.lab.workers import solve_in_parallel

# A solver that the spawned processes can import; what it does is in the problem's sfen.
SOLVER = """
import os, signal, sys, time
from hisshi.lab.outcome import Outcome


class Solver:
    def __init__(self, settings):
        if settings.run == "no-start":
            raise ValueError("no such run")
        if settings.run == "dies-at-start":
            os._exit(3)

    def warm(self, on_compile=None):
        return 0.0

    def solve(self, problem, on_progress=None):
        what, _, value = problem.sfen.partition(" ")
        if what == "sleep":
            end = time.monotonic() + float(value)
            while time.monotonic() < end:
                time.sleep(0.02)
                on_progress(1, 0.1)
        if what == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if what == "exit":
            sys.exit(5)
        if what == "raise":
            raise RuntimeError("odd")
        return Outcome(problem.id, problem.sfen, "fake", "proven", nodes=os.getpid())
"""

PARALLEL_MAIN = """
import sys, signal
from hisshi.lab.problem import Problem
from hisshi.lab.session import Settings, Stopped
from hisshi.lab.workers import solve_in_parallel
from fake_solver import Solver

class Listener:
    def started(self, number, problem): print("started", number, flush=True)
    def searching(self, number, nodes, seconds): pass
    def ended(self, number): pass
    def finished(self, number, outcome): print("finished", number, outcome.verdict, outcome.reason, flush=True)

if __name__ == "__main__":
    items = [Problem(str(n), sfen) for n, sfen in enumerate(sys.argv[1:], 1)]
    try:
        solve_in_parallel(Solver, Settings("fake"), items, 2, Listener())
    except Stopped:
        sys.exit(130)
"""


class Listener:
    def __init__(self):
        self.outcomes = {}
        self.reports = []
        self.open = set()

    def started(self, number, problem):
        self.open.add(number)

    def searching(self, number, nodes, seconds):
        self.reports.append(number)

    def ended(self, number):
        self.open.remove(number)

    def finished(self, number, outcome):
        self.outcomes[number] = outcome


@pytest.fixture
def solver_folder(tmp_path, monkeypatch):
    (tmp_path / "fake_solver.py").write_text(SOLVER)
    monkeypatch.syspath_prepend(tmp_path)  # spawned processes get the same path
    sys.modules.pop("fake_solver", None)
    return tmp_path


@pytest.fixture
def run(solver_folder):
    def call(*sfens, jobs=2, run="fake"):
        items = [sfen if isinstance(sfen, BadProblem) else Problem(sfen, sfen) for sfen in sfens]
        listener = Listener()
        factory = importlib.import_module("fake_solver").Solver
        solve_in_parallel(factory, Settings(run), items, jobs, listener)
        return listener

    return call


def test_outcomes_come_in_input_order_from_several_processes(run):
    listener = run("sleep 0.6", "a", "b", BadProblem("line 4: odd"), "sleep 0.3", "c")
    assert list(listener.outcomes) == [1, 2, 3, 4, 5, 6]
    assert listener.outcomes[4].error == "line 4: odd"
    assert [listener.outcomes[n].id for n in (1, 2, 3, 5, 6)] == ["sleep 0.6", "a", "b", "sleep 0.3", "c"]
    assert len({outcome.nodes for outcome in listener.outcomes.values()} - {0, os.getpid()}) == 2
    assert 1 in listener.reports
    assert not listener.open


@pytest.mark.parametrize(("end", "how"), [("crash", "was ended by SIGSEGV"), ("exit", "ended with exit code 5")])
def test_a_dead_worker_costs_the_problem_it_had_and_no_other(run, end, how):
    listener = run("a", end, "b", "c", "d")
    assert [listener.outcomes[n].verdict for n in range(1, 6)] == ["proven", None, "proven", "proven", "proven"]
    assert f"the worker process {how} during this search" in listener.outcomes[2].error


def test_every_worker_may_die_and_all_problems_are_answered(run):
    listener = run("crash", "crash", "crash", "crash", "a")
    assert [outcome.verdict for outcome in listener.outcomes.values()] == [None] * 4 + ["proven"]


def test_an_exception_in_a_search_is_the_error_of_that_problem(run):
    listener = run("raise", "a")
    assert "RuntimeError: odd" in listener.outcomes[1].error
    assert listener.outcomes[2].verdict == "proven"


@pytest.mark.parametrize(
    ("name", "says"), [("no-start", "no such run"), ("dies-at-start", "exit code 3 before its first")]
)
def test_a_worker_that_cannot_start_ends_it_all(run, name, says):
    with pytest.raises(HisshiError, match=says):
        run("a", "b", run=name)


def test_more_workers_than_problems_do_no_harm(run):
    assert len(run("a", jobs=8).outcomes) == 1


def test_no_problems_need_no_worker(run):
    assert run().outcomes == {}


def test_ctrl_c_stops_at_once_and_tells_all_that_was_known(run):
    class Interrupting(Listener):
        def started(self, number, problem):
            super().started(number, problem)
            if number == 4:
                threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    listener = Interrupting()
    factory = importlib.import_module("fake_solver").Solver
    items = [Problem(sfen, sfen) for sfen in ("sleep 60", "a", "b", "sleep 60", "c")]
    with pytest.raises(Stopped) as stop:
        solve_in_parallel(factory, Settings("fake"), items, 2, listener)
    verdicts = [(number, outcome.verdict, outcome.reason) for number, outcome in listener.outcomes.items()]
    assert verdicts == [(1, "unknown", "stopped"), (2, "proven", ""), (3, "proven", ""), (4, "unknown", "stopped")]
    assert [outcome.id for outcome in stop.value.outcomes] == ["sleep 60", "sleep 60"]


def test_ctrl_c_reaches_the_whole_group_and_only_the_parent_answers(solver_folder):
    (solver_folder / "parallel_main.py").write_text(PARALLEL_MAIN)
    process = subprocess.Popen(
        [sys.executable, "parallel_main.py", "a", "sleep 60", "sleep 60"],
        cwd=solver_folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    lines = [process.stdout.readline() for _ in range(4)]
    assert "finished 1 proven \n" in lines
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    rest, errors = process.communicate(timeout=10)
    assert time.monotonic() - start < 0.8
    assert process.returncode == 130
    assert errors == ""
    assert "finished 2 unknown stopped" in rest
    assert "finished 3 unknown stopped" in rest


def test_workers_end_when_their_parent_is_killed(solver_folder):
    (solver_folder / "parallel_main.py").write_text(PARALLEL_MAIN)
    process = subprocess.Popen(
        [sys.executable, "parallel_main.py", "sleep 60", "sleep 60"],
        cwd=solver_folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout.readline().startswith("started")
    assert process.stdout.readline().startswith("started")
    time.sleep(1.0)
    process.kill()
    # The workers hold the same pipe: it ends when the last of them is gone.
    reader = threading.Thread(target=process.stdout.read, daemon=True)
    reader.start()
    reader.join(10)
    assert not reader.is_alive()
    process.stdout.close()
    process.wait()
