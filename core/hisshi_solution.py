"""From a proven hisshi to something to look at: the line of longest defence, and the proof tree.

Both are asked from the search, position by position; mates from its part `mate`. The tree is the one that
`hisshi.core.hisshi_checker` replays.
"""

from contextlib import suppress
from typing import Any

from hisshi.core.hisshi_delays import passed
from hisshi.core.hisshi_walk import MATE, HisshiWalk, Node, Refuted
from hisshi.core.position import Position
from hisshi.core.proof_form import with_references
from hisshi.core.shortest import Length
from hisshi.core.solution import Builder, Solution, Unanswered


def build_hisshi_solution(
    position: Position, walk: HisshiWalk, length: Length, want_proof: bool, proven: Node | None = None
) -> Solution:
    """Return the line and, if wanted, the proof tree of a position in which a run has proven a hisshi, or a mate.

    `proven`: what `walk` has proven of it, if it has; the line is then the longest in there.
    """
    builder = _HisshiBuilder(walk)
    # First the line: it is short, a proof may be stopped.
    moves = tuple(builder.longest(position, proven) if proven else builder.line(position, length.plies))
    try:
        if not want_proof:
            return Solution(moves, None)
        return Solution(moves, builder.tree(position, proven or walk.prove(position, length.plies)))
    except Unanswered:
        return Solution(moves, None)


class _HisshiBuilder:
    def __init__(self, walk: HisshiWalk) -> None:
        self.walk = walk
        self.mates = Builder(walk.mates)

    def line(self, position: Position, plies: int) -> list[str]:
        """Return the attacker's moves against the longest defence, up to the last threatmate; a mate's whole line."""
        moves: list[str] = []
        try:
            move, plies = self.walk.claim(position, plies)
            if plies == 0:
                return self.mate_line(position)
            while True:
                moves.append(move)
                replies = self.walk.replies(position.follow(move))
                lengths = {}
                for reply, after in replies.items():
                    with suppress(Refuted):  # the search has left it out
                        lengths[reply] = self.walk.claim(after, max(plies - 2, 0))[1]
                longest = max(lengths, key=lambda reply: lengths[reply], default="")
                if not longest or lengths[longest] == 0:
                    return moves
                moves.append(longest)
                position = replies[longest]
                move, plies = self.walk.claim(position, lengths[longest])
        except Unanswered:
            return moves

    def longest(self, position: Position, node: Node) -> list[str]:
        """Return the same of what is proven already."""
        if node.plies == 0:
            return self.mate_line(position)
        moves = [node.move]
        while node.below:
            reply = max(node.below, key=lambda reply: node.below[reply].plies)
            node = node.below[reply]
            moves += [reply, node.move]
        return moves

    def mate_line(self, position: Position) -> list[str]:
        """Return the line of a mate; as far as it is known when the run is stopped."""
        try:
            return self.mates.line(position, self.mates.length(position).plies, is_shortest=False)
        except Unanswered:
            return []

    def mate(self, position: Position) -> dict[str, Any]:
        """Return the proof tree of a mate, its equal subtrees once: it is checked alone."""
        return with_references(self.mates.tree(position, self.mates.length(position).plies))

    def tree(self, position: Position, node: Node) -> dict[str, Any]:
        """Return the proof tree of a hisshi that is proven, or of a mate."""
        if node.plies == 0:
            return {"mate": self.mate(position)}
        return self.branches(position.follow(node.move), node)

    def branches(self, after: Position, node: Node) -> dict[str, Any]:
        """Return the same from the position after the node's move."""
        found: dict[str, Any] = {"move": node.move}
        if not after.is_check():
            found["threat"] = self.mate(passed(after))
        found["replies"] = {}
        for reply, there in self.walk.replies(after).items():
            if reply in node.delays:
                delay = node.delays[reply]
                found["replies"][reply] = {"delay": True, **self.branches(delay.then, delay.node)}
            else:
                found["replies"][reply] = self.tree(there, node.below.get(reply, MATE))
        return found
