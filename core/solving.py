"""Searching a position for a mate or a hisshi: the verdict, and all that belongs to it."""

from collections.abc import Callable

from hisshi.core.composition import Run
from hisshi.core.confirmation import can_be_confirmed
from hisshi.core.errors import Interrupted, InvalidPositionError
from hisshi.core.goals import check_solves
from hisshi.core.kernel.control import (
    GAVE_UP_DEPTH,
    GAVE_UP_NODES,
    GAVE_UP_SCHEDULE,
    GAVE_UP_STOP,
    ITERATION,
)
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.position import Position
from hisshi.core.results import DELAYS_LEFT_OUT, SHORTEST, UPPER_BOUND, USELESS_LEFT_OUT, Progress, SearchResult
from hisshi.core.search_thread import SearchThread, Wanted
from hisshi.core.solution_tree import TREE_DEPTH
from hisshi.core.worker import check_limits, watch

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
    WrongGoalError
        The run looks for a move to play: `hisshi.core.playing.choose_move` is for those.
    InvalidPositionError
        The defender has no king.
    RunInUseError
        `run` is searching in another thread.
    SearchFailedError
        An exception was raised inside a kernel.
    Interrupted
        Ctrl-C; its `result` says how far the search was. It is a KeyboardInterrupt.
    """
    check_limits(node_limit, time_limit)
    if tree_depth < 1:
        raise ValueError(f"tree_depth is {tree_depth}, expected 1 or more")
    check_solves(run)
    if all_first_moves and run.goal != "hisshi":
        raise ValueError(f"all_first_moves is for runs of goal 'hisshi'; run '{run.name}' has goal '{run.goal}'")
    defender = "white" if position.side == "black" else "black"
    if not position.has_king(defender):
        raise InvalidPositionError(f"{defender} has no king to mate; {position.side} is to move in {position.sfen}")
    wanted = Wanted(
        proof=want_proof,
        confirmation=confirm and can_be_confirmed(run),
        first_moves=all_first_moves,
        tree=want_tree,
        tree_depth=tree_depth,
        verification=verify_against_countermate,
    )
    worker = SearchThread(position, run, wanted)

    def tell(seconds: float) -> None:
        if on_progress is not None:
            on_progress(Progress(run.nodes, seconds, int(run.control[ITERATION])))

    compile_seconds, interrupted = watch(worker, node_limit, time_limit, tell)
    result = _result(position, run, worker, compile_seconds)
    if interrupted:
        raise Interrupted(result)
    return result


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
        provenance=run.provenance(),
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
