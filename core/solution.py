"""From a verdict to something to look at: the principal variation and the proof tree.

Both are asked from the search, position by position.
"""

from typing import Any

import attrs

from hisshi.core.composition import Run
from hisshi.core.kernel.control import STOP
from hisshi.core.kernel.table import PROVEN
from hisshi.core.position import Position, move_to_usi
from hisshi.core.shortest import Length, proven_length


@attrs.frozen
class Solution:
    """A proven result's line and, if wanted, its tree."""

    moves: tuple[str, ...]  # USI; shorter than the length if the search was stopped meanwhile
    proof: dict[str, Any] | None


class _Unanswered(Exception):  # noqa: N818
    """A position that lies in a proof was not proven again (stopped)."""


def build_solution(position: Position, run: Run, length: Length, want_proof: bool) -> Solution:
    """Return the line of longest defence and shortest attack, and the proof tree, of a position that `run` has proven.

    Each position of them is searched again, which its table mostly answers at once. The line of a shortest mate is as
    long as that: a defence counts as the longest when the search finds no shorter mate against it.
    """
    plies = length.plies
    builder = _Builder(run)
    proof = None
    try:
        if want_proof:
            proof = builder.tree(position, plies)
    except _Unanswered:
        proof = None
    return Solution(tuple(builder.line(position, plies, length.is_shortest)), proof)


class _Builder:
    def __init__(self, run: Run) -> None:
        self.run = run
        self.answers: dict[tuple[bytes, int], tuple[str, Length]] = {}
        self.trees: dict[tuple[bytes, int], dict[str, Any]] = {}

    def answer(self, position: Position, plies: int) -> tuple[str, Length]:
        """Return the winning move of an attacker who mates within `plies`, and the length that the search proves."""
        key = (position.record.tobytes(), plies)
        if key not in self.answers:
            if self.run.control[STOP] != 0 or self.run.search(position.copy_record(), plies) != PROVEN:
                raise _Unanswered
            self.answers[key] = (move_to_usi(self.run.root.context.answer_move), proven_length(self.run))
        return self.answers[key]

    def line(self, position: Position, plies: int, is_shortest: bool) -> list[str]:
        """Return the principal variation; it ends early when the search is stopped.

        `is_shortest`: there is no mate of fewer than `plies`; nor is there in what follows the line's moves.
        """
        moves: list[str] = []
        try:
            while True:
                move, length = self.answer(position, plies)
                moves.append(move)
                position = position.play(move)
                replies = position.legal_moves()
                if not replies:
                    return moves
                lengths = {reply: self.answer(position.play(reply), length.plies - 2)[1] for reply in replies}
                if is_shortest:
                    self.shorten_until(position, lengths, length.plies - 2)
                longest = max(lengths, key=lambda reply: lengths[reply].plies)
                moves.append(longest)
                position, plies = position.play(longest), lengths[longest].plies
        except _Unanswered:
            return moves

    def shorten_until(self, position: Position, lengths: dict[str, Length], most: int) -> None:
        """Look for shorter mates after each reply, until one is left with `most` plies: a shortest mate has one."""
        for reply, length in lengths.items():
            if length.plies == most:
                if length.is_shortest or most == 1:
                    return
                try:
                    lengths[reply] = self.answer(position.play(reply), most - 2)[1]
                except _Unanswered:
                    return

    def tree(self, position: Position, plies: int) -> dict[str, Any]:
        """Return the proof tree from an attacker's position; equal subtrees are one object."""
        key = (position.record.tobytes(), plies)
        if key not in self.trees:
            move, length = self.answer(position, plies)
            after = position.play(move)
            replies = {reply: self.tree(after.play(reply), length.plies - 2) for reply in after.legal_moves()}
            self.trees[key] = {"move": move, "replies": replies}
        return self.trees[key]
