"""The thread that searches a position, and makes what a result is to have beside the verdict."""

import contextlib
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import attrs

from hisshi.core.composition import Run
from hisshi.core.confirmation import confirm
from hisshi.core.countermate import Verification, verify_against_countermate
from hisshi.core.first_moves import find_first_moves
from hisshi.core.hisshi_solution import build_hisshi_solution
from hisshi.core.hisshi_walk import HisshiWalk, Node
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_NODES, GAVE_UP_STOP, NODE_LIMIT, STOP
from hisshi.core.kernel.table import PROVEN
from hisshi.core.position import Position
from hisshi.core.shortest import Length, proven_length, shorten
from hisshi.core.solution import Solution, Unanswered, build_solution
from hisshi.core.solution_tree import SolutionTree, build_solution_tree

if TYPE_CHECKING:
    from hisshi.core.results import Confirmation, FirstMoves

LINE_TIME = 0.3  # seconds that line and proof tree may take after Ctrl-C, and at least after a search with a time limit
UNCOMPILED_RECURSION = 50_000


@attrs.frozen
class Wanted:
    """What a result is to have beside the verdict."""

    proof: bool
    confirmation: bool
    first_moves: bool
    tree: bool
    tree_depth: int
    verification: bool


class SearchThread(threading.Thread):
    """The thread that searches; compiled code runs without the interpreter lock."""

    def __init__(self, position: Position, run: Run, wanted: Wanted) -> None:
        super().__init__(name=f"hisshi {run.name}", daemon=True)
        self.position, self.composed, self.wanted = position, run, wanted
        self.verification: Verification | None = None
        self.tree: SolutionTree | None = None
        self.verdict = 0
        self.length = Length(0, False)
        self.nodes, self.seconds, self.processor_seconds = 0, 0.0, 0.0
        self.exhausted = 0  # GAVE_UP bits
        self.score: int | None = None
        self.statistics: dict[str, Any] = {}
        self.profile: dict[str, dict[str, Any]] | None = None
        self.confirmation: Confirmation | None = None
        self.first_moves: FirstMoves | None = None
        self.stopped_by = ""  # what ended the confirmation, if it was stopped
        self.solution: Solution | None = None
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
        """Search, and make the rest; what goes wrong is kept in `error`."""
        run = self.composed
        if sys.getrecursionlimit() < UNCOMPILED_RECURSION:
            sys.setrecursionlimit(UNCOMPILED_RECURSION)
        try:
            self.begun, used = time.perf_counter(), time.thread_time()
            self._search()
            self.seconds, self.processor_seconds = time.perf_counter() - self.begun, time.thread_time() - used
            self.nodes, self.exhausted = run.nodes, int(run.control[EXHAUSTED])
            self.statistics, self.profile = run.statistics(), run.profile()
            walk = HisshiWalk(run) if self.verdict == PROVEN and run.goal == "hisshi" else None
            node = self._confirm(walk) if walk and self.wanted.confirmation else None
            if walk and self.wanted.first_moves and self.length.plies > 0 and not self.is_refuted:
                self.first_moves = find_first_moves(self.position, walk, self.length.plies)
            self.ended = time.perf_counter() - self.begun
            with self.turn:
                self.searched.set()
                if self.verdict == PROVEN:  # a proof that was there before the limit is worth its line
                    run.control[STOP] = run.control[NODE_LIMIT] = 0
            if self.is_refuted or self.verdict != PROVEN:
                return
            if walk:
                self.solution = build_hisshi_solution(self.position, walk, self.length, self.wanted.proof, node)
            else:
                self.solution = build_solution(self.position, run, self.length, self.wanted.proof)
            self._build_tree(walk)
        except BaseException as error:  # noqa: BLE001  handed to the thread that asked
            self.error = error
        finally:
            self.searched.set()
            self.finished.set()

    @property
    def needs_tree(self) -> bool:
        """Whether a solution tree is wanted, or needed for what is wanted."""
        return self.wanted.tree or self.wanted.verification

    def _build_tree(self, walk: HisshiWalk | None) -> None:
        if self.needs_tree:
            with contextlib.suppress(Unanswered):  # stopped before it had a move
                self.tree = build_solution_tree(self.position, self.composed, self.length, self.wanted.tree_depth, walk)
        if self.tree and self.wanted.verification:
            self.verification = verify_against_countermate(self.position, self.composed, self.tree)

    def _search(self) -> None:
        run = self.composed
        self.verdict = run.search(self.position.copy_record())
        if run.goal == "hisshi" and run.control[EXHAUSTED] & (GAVE_UP_STOP | GAVE_UP_NODES) == 0:
            self.score = int(run.root.context.answer_score)
        if self.verdict == PROVEN:
            self.length = proven_length(run)
            if run.shortest:
                self.length = shorten(self.position, run, self.length)

    def _confirm(self, walk: HisshiWalk) -> Node | None:
        self.confirmation, node = confirm(self.position, walk, self.length.plies)
        self.stopped_by = "stopped" if self.composed.control[STOP] != 0 else "node limit"
        if node is not None:
            self.length = Length(node.plies, False)
        return node

    @property
    def is_refuted(self) -> bool:
        """Whether what the search had found is not worth anything."""
        return self.confirmation is not None and self.confirmation.verdict == "unknown"

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
