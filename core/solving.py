"""Running a composed search: in a worker thread, watched, stoppable, and never a verdict out of an error."""

import time
from collections.abc import Callable
from pathlib import Path

from hisshi.core.composition import Run, versions
from hisshi.core.confirmation import can_be_confirmed
from hisshi.core.errors import Interrupted, InvalidPositionError, RunInUseError, SearchFailedError
from hisshi.core.kernel.cache_units import kernel_unit
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import (
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
from hisshi.core.results import DELAYS_LEFT_OUT, SHORTEST, UPPER_BOUND, USELESS_LEFT_OUT, Progress, SearchResult
from hisshi.core.search_thread import LINE_TIME, SearchThread, Wanted
from hisshi.core.solution_tree import TREE_DEPTH

MOST_NODES = 2**63 - 1  # that the control array can hold
WATCH_INTERVAL = 0.05  # seconds between two looks at a running search

OnProgress = Callable[[Progress], None]


def solve(
    position: Position,
    run: Run,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    on_progress: OnProgress | None = None,
    want_proof: bool = False,
    confirm: bool = True,
    all_first_moves: bool = False,
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
        Nodes entered, at least 1; None means no limit. Confirmation is included.
    time_limit
        Seconds of search and confirmation, more than 0; None means no limit. Line and trees may then take as long
        again; what is not done by then is left out of the result, whose verdict stays.
    on_progress
        Called in this thread about 20 times a second.
    want_proof
        Add the proof tree to a proven result.
    confirm
        Where the run leaves out replies of the defender, and so only finds a hisshi: answer those too. It is then
        "proven", or it is "unknown" and the result's `confirmation` has the reply. Stopped meanwhile it stays "found".
    all_first_moves
        Also look for every first move that makes a hisshi as short as the one proven or found: `first_moves` of the
        result. For runs of goal "hisshi". The limits hold for this too; what it takes is not in `nodes` and `seconds`.
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
    if all_first_moves and run.goal != "hisshi":
        raise ValueError(f"all_first_moves is for runs of goal 'hisshi'; run '{run.name}' has goal '{run.goal}'")
    defender = "white" if position.side == "black" else "black"
    if not position.has_king(defender):
        raise InvalidPositionError(f"{defender} has no king to mate; {position.side} is to move in {position.sfen}")
    if not run.in_use.acquire(blocking=False):
        raise RunInUseError(f"run '{run.name}' is searching another position; compose the run once more for this one")
    wanted = Wanted(
        proof=want_proof,
        confirmation=confirm and can_be_confirmed(run),
        first_moves=all_first_moves,
        tree=want_tree,
        tree_depth=tree_depth,
        verification=verify_against_countermate,
    )
    worker = SearchThread(position, run, wanted)
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


def _watch(worker: SearchThread, run: Run, time_limit: float | None, on_progress: OnProgress | None) -> bool:
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


def _result(position: Position, run: Run, worker: SearchThread, compile_seconds: float) -> SearchResult:
    verdict, reason = "unknown", ""
    plies: int | None = None
    confirmation = worker.confirmation
    if confirmation is not None and worker.is_refuted:
        reason = confirmation.reason
    elif worker.verdict == PROVEN:
        unseen = run.unseen_answers()
        verdict = confirmation.verdict if confirmation is not None else "found" if unseen else "proven"
        plies = worker.length.plies
        if verdict == "found":
            reason = f"the run's {unseen.replace('_', ' ')} leave out moves of the defender"
            if confirmation is not None:
                reason += f"; confirmation: {'time limit' if worker.timed_out else worker.stopped_by}"
        elif run.goal == "hisshi" and plies == 0:
            reason = "a mate"
        elif run.shortest and not worker.length.is_shortest:
            reason = f"not shown to be the shortest: {_reason(run, worker)}"
    elif worker.verdict == DISPROVEN:
        verdict = "disproven"
    else:
        reason = _reason(run, worker)
    solution = worker.solution
    if solution is not None and solution.proof is None and worker.wanted.proof and not reason:
        reason = "the proof tree was stopped"
    elif worker.needs_tree and worker.tree is None and worker.verdict == PROVEN and not reason:
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
        tree=worker.tree.root if worker.tree and worker.wanted.tree else None,
        tree_report=worker.tree.report if worker.tree and worker.wanted.tree else None,
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
        score=worker.score,
        confirmation=confirmation,
        first_moves=worker.first_moves,
    )


def _length_is(run: Run, is_shortest: bool) -> str:
    count = USELESS_LEFT_OUT if "useless-left-out" in run.root.traits else ""
    if run.root.options.get("useless_delays", "off") != "off":
        count = DELAYS_LEFT_OUT
    return (SHORTEST if is_shortest else UPPER_BOUND) + count


def _reason(run: Run, worker: SearchThread) -> str:
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
