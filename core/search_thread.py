"""The thread that searches for a mate or a hisshi, and makes what a result is to have beside the verdict."""

import contextlib
import time
from typing import TYPE_CHECKING

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
from hisshi.core.worker import Worker

if TYPE_CHECKING:
    from hisshi.core.results import Confirmation, FirstMoves


@attrs.frozen
class Wanted:
    """What a result is to have beside the verdict."""

    proof: bool
    confirmation: bool
    first_moves: bool
    tree: bool
    tree_depth: int
    verification: bool


class SearchThread(Worker):
    """Searches, confirms, and builds line and trees."""

    def __init__(self, position: Position, run: Run, wanted: Wanted) -> None:
        super().__init__(position, run)
        self.wanted = wanted
        self.verification: Verification | None = None
        self.tree: SolutionTree | None = None
        self.verdict = 0
        self.length = Length(0, False)
        self.score: int | None = None
        self.confirmation: Confirmation | None = None
        self.first_moves: FirstMoves | None = None
        self.stopped_by = ""  # what ended the confirmation, if it was stopped
        self.solution: Solution | None = None

    def _work(self) -> None:
        run = self.composed
        self._measure(self._search)
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
