"""From a proven hisshi to something to look at: the line of longest defence, and the proof tree.

Both are asked from the search, position by position; mates from its part `mate`. The tree is the one that
`hisshi.core.hisshi_checker` replays.
"""

from typing import Any

from hisshi.core.composition import Run
from hisshi.core.instance import Instance
from hisshi.core.kernel.control import STOP
from hisshi.core.kernel.moves import do_pass
from hisshi.core.kernel.roles.hisshi_rule import call_hisshi_rule
from hisshi.core.kernel.roles.search import call_search_at
from hisshi.core.kernel.table import PROVEN
from hisshi.core.position import Position, move_to_usi
from hisshi.core.proof_form import with_references
from hisshi.core.shortest import Length
from hisshi.core.solution import Builder, Solution, Unanswered


class PartSearch:
    """A search that is part of a run, asked from Python: what a mate's `Builder` needs of a run."""

    def __init__(self, run: Run, root: Instance) -> None:
        self.name, self.root, self.control = run.name, root, run.control
        self._code = root.code()

    def search(self, record: Any, plies: int = 0) -> int:
        """Enter the search; see `Run.search`."""
        return int(call_search_at(self._code, self.root.address, record, plies))


def build_hisshi_solution(position: Position, run: Run, length: Length, want_proof: bool) -> Solution:
    """Return the line and, if wanted, the proof tree of a position in which `run` has proven a hisshi, or a mate."""
    builder = _HisshiBuilder(run)
    moves = tuple(builder.line(position, length.plies))  # first: it is short, a proof may be stopped
    try:
        return Solution(moves, builder.tree(position, length.plies) if want_proof else None)
    except Unanswered:
        return Solution(moves, None)


class _HisshiBuilder:
    def __init__(self, run: Run) -> None:
        self.run = run
        self.mates = Builder(PartSearch(run, run.root.parts["mate"]))
        self.answers: dict[tuple[bytes, int], tuple[str, int]] = {}

    def answer(self, position: Position, plies: int) -> tuple[str, int]:
        """Return the winning move and the number of plies that the search proves: at most `plies`, 0 for a mate."""
        key = (position.record.tobytes(), plies)
        if key not in self.answers:
            if self.run.control[STOP] != 0 or self.run.search(position.copy_record(), max(plies, 1)) != PROVEN:
                raise Unanswered
            context = self.run.root.context
            self.answers[key] = (move_to_usi(context.answer_move), int(context.answer_plies))
        move, found = self.answers[key]
        if found > plies:
            raise Unanswered
        return move, found

    def replies(self, position: Position) -> list[str]:
        """Return the defender's moves that count by the run's rule."""
        context, record = self.run.root.context, position.copy_record()
        return [usi for usi, move in position.usi_moves().items() if call_hisshi_rule(context, record, move) != 0]

    def line(self, position: Position, plies: int) -> list[str]:
        """Return the attacker's moves against the longest defence, up to the last threatmate; a mate's whole line."""
        moves: list[str] = []
        try:
            move, plies = self.answer(position, plies)
            if plies == 0:
                return self.mates.line(position, self.mates.length(position).plies, is_shortest=False)
            while True:
                moves.append(move)
                position = position.play(move)
                lengths = {
                    reply: self.answer(position.play(reply), max(plies - 2, 0))[1] for reply in self.replies(position)
                }
                longest = max(lengths, key=lambda reply: lengths[reply], default="")
                if not longest or lengths[longest] == 0:
                    return moves
                moves.append(longest)
                position = position.play(longest)
                move, plies = self.answer(position, lengths[longest])
        except Unanswered:
            return moves

    def mate(self, position: Position) -> dict[str, Any]:
        """Return the proof tree of a mate, its equal subtrees once: it is checked alone."""
        return with_references(self.mates.tree(position, self.mates.length(position).plies))

    def tree(self, position: Position, plies: int) -> dict[str, Any]:
        """Return the proof tree from an attacker's position with a hisshi within `plies`, or a mate."""
        move, found = self.answer(position, plies)
        if found == 0:
            return {"mate": self.mate(position)}
        after = position.play(move)
        node: dict[str, Any] = {"move": move}
        if not after.is_check():
            record = after.copy_record()
            do_pass(record)
            node["threat"] = self.mate(Position(record, after.move_number + 1))
        node["replies"] = {reply: self.tree(after.play(reply), max(found - 2, 0)) for reply in self.replies(after)}
        return node
