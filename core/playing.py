"""Searching a position for a move to play."""

from collections.abc import Callable
from typing import ClassVar

from hisshi.core.composition import Run
from hisshi.core.errors import Interrupted
from hisshi.core.goals import check_plays
from hisshi.core.kernel.control import GAVE_UP_BUDGET, GAVE_UP_NODES, GAVE_UP_STOP
from hisshi.core.kernel.play_search import DEEPEST, ITERATIONS
from hisshi.core.kernel.values import INFINITE, MATE
from hisshi.core.play_memory import allowing_moves, best_line, play_count, threatmates
from hisshi.core.position import Position, move_to_usi
from hisshi.core.results import MoveProgress, MoveResult, hisshi_in, mate_in
from hisshi.core.worker import Worker, check_limits, watch

NO_LEGAL_MOVE = "no legal move"  # the reason where the side to move has lost

OnMoveProgress = Callable[[MoveProgress], None]


def choose_move(
    position: Position,
    run: Run,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    on_progress: OnMoveProgress | None = None,
) -> MoveResult:
    """Search `position` for the best move, with the algorithms that `run` composes.

    Without a limit the search goes on until the run's stop rule has no larger budget, which may be never.

    Parameters
    ----------
    position
        Not modified. Neither side needs a king; who has no legal move has lost.
    run
        From ``Registry.compose(name)``, of goal "play". What earlier searches left in its tables is cleared first.
    node_limit
        Nodes entered, quiescence included, at least 1; None means no limit.
    time_limit
        Seconds of search, more than 0; None means no limit.
    on_progress
        Called in this thread about 20 times a second.

    Returns
    -------
    MoveResult
        Move, score, line, depth, statistics (seconds, compilation excluded). A limit that is met leaves the best
        move so far, whose `score` is None if there was no time for one; `move` is None if not even a legal move was
        looked for, or if there is none.

    Raises
    ------
    WrongGoalError
        The run looks for mates or hisshi: `hisshi.core.solving.solve` is for those.
    RunInUseError
        `run` is searching in another thread.
    SearchFailedError
        An exception was raised inside a kernel.
    Interrupted
        Ctrl-C; its `result` has the best move so far. It is a KeyboardInterrupt.
    """
    check_limits(node_limit, time_limit)
    check_plays(run)
    worker = _MoveThread(position, run)

    def tell(seconds: float) -> None:
        if on_progress is not None:
            on_progress(_progress(position, run, seconds))

    compile_seconds, interrupted = watch(worker, node_limit, time_limit, tell)
    result = _result(position, run, worker, compile_seconds)
    if interrupted:
        raise Interrupted(result)
    return result


class _MoveThread(Worker):
    """Searches, and keeps what the search knew when it ended."""

    answer: ClassVar[str] = "move"

    def __init__(self, position: Position, run: Run) -> None:
        super().__init__(position, run)
        self.known = MoveProgress()
        self.allowing: list[int] = []
        self.threatmates: list[int] = []

    def _work(self) -> None:
        self._measure(self._search)
        self.known = _progress(self.position, self.composed, self.seconds)
        self.allowing, self.threatmates = allowing_moves(self.composed.root), threatmates(self.composed.root)
        with self.turn:
            self.searched.set()

    def _search(self) -> None:
        self.composed.search(self.position.copy_record())


def _progress(position: Position, run: Run, seconds: float) -> MoveProgress:
    search = run.root
    moves = _legal_part(position, best_line(search))
    score = int(search.context.answer_score)
    return MoveProgress(
        nodes=run.nodes,
        seconds=seconds,
        depth=play_count(search, ITERATIONS),
        deepest=play_count(search, DEEPEST),
        score=score if moves and score > -INFINITE else None,  # there is a move before it has a value
        moves=moves,
    )


def _legal_part(position: Position, line: list[int]) -> tuple[str, ...]:
    """Return the moves of `line`, in USI, before the first that is not legal: it may just be being written."""
    moves = []
    for move in line:
        if not position.is_legal(move):
            break
        moves.append(move_to_usi(move))
        position = position.after(move)
    return tuple(moves)


def _result(position: Position, run: Run, worker: _MoveThread, compile_seconds: float) -> MoveResult:
    known = worker.known
    has_lost = not position.usi_moves()
    return MoveResult(
        run=run.name,
        sfen=position.sfen,
        move=known.moves[0] if known.moves else None,
        score=-MATE if has_lost else known.score,
        moves=known.moves,
        depth=known.depth,
        deepest=known.deepest,
        nodes=worker.nodes,
        seconds=worker.seconds,
        processor_seconds=worker.processor_seconds,
        compile_seconds=compile_seconds,
        reason=NO_LEGAL_MOVE if has_lost else _reason(worker),
        allowing=tuple(map(move_to_usi, worker.allowing)),
        threatmates=tuple(map(move_to_usi, worker.threatmates)),
        statistics=worker.statistics,
        profile=worker.profile,
        provenance=run.provenance(),
    )


def _reason(worker: _MoveThread) -> str:
    """Say why a search ended."""
    if worker.exhausted & GAVE_UP_NODES:
        return "node limit"
    if worker.exhausted & GAVE_UP_STOP:
        return "time limit" if worker.timed_out else "stopped"
    if worker.exhausted & GAVE_UP_BUDGET and hisshi_in(worker.known.score):
        return "a hisshi"
    if worker.exhausted & GAVE_UP_BUDGET and mate_in(worker.known.score):
        return "a mate"
    if worker.exhausted & GAVE_UP_BUDGET:
        return "the stop rule has no larger budget"
    return "the search gives no reason"
