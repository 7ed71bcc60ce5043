"""From a verdict to something to look at: the principal variation and the proof tree.

Both are asked from the search, position by position.
"""

from typing import Any

import attrs

from hisshi.core.composition import Run
from hisshi.core.errors import SearchFailedError
from hisshi.core.interpositions import interpositions, recaptures
from hisshi.core.kernel.control import STOP
from hisshi.core.kernel.table import PROVEN
from hisshi.core.position import Position, move_to_usi
from hisshi.core.shortest import Asked, Length, proven_length


@attrs.frozen
class Solution:
    """A proven result's line and, if wanted, its tree."""

    moves: tuple[str, ...]  # USI; shorter than the length if the search was stopped meanwhile
    proof: dict[str, Any] | None


class Unanswered(Exception):  # noqa: N818
    """A position was not proven within the plies asked for: the search was stopped, or that was the question."""


def build_solution(position: Position, run: Run, length: Length, want_proof: bool) -> Solution:
    """Return the line of longest defence and shortest attack, and the proof tree, of a position that `run` has proven.

    Each position of them is searched again, which its table mostly answers at once. The line of a shortest mate is as
    long as that: a defence counts as the longest when the search finds no shorter mate against it.
    """
    plies = length.plies
    builder = Builder(run)
    moves = tuple(builder.line(position, plies, length.is_shortest))  # first: it is short, a proof may be stopped
    try:
        return Solution(moves, builder.tree(position, plies) if want_proof else None)
    except Unanswered:
        return Solution(moves, None)


def answered_move(asked: Asked, position: Position) -> int:
    """Return the move that a search has just answered with for `position`.

    Raises
    ------
    SearchFailedError
        It is not legal there.
    """
    move = int(asked.root.context.answer_move)
    if not position.is_legal(move):
        raise SearchFailedError(
            f"run '{asked.name}': search '{asked.root.plugin.name}' says that it wins with {move_to_usi(move)}, "
            f"which is not legal; position {position.sfen}"
        )
    return move


@attrs.frozen
class _Defence:
    """A defender's evasions: those that count, with the lengths of the mates after them, and the useless ones.

    A useless one has the capture that shows it, and the position that is then looked at.
    """

    lengths: dict[str, Length]
    useless: dict[str, tuple[str, Position]]

    @property
    def longest(self) -> int:
        """Plies to the mate against the longest evasion that counts, itself included; 0 without one."""
        return max((length.plies + 1 for length in self.lengths.values()), default=0)


class Builder:
    """Asks a search for mates, position by position."""

    def __init__(self, run: Asked) -> None:
        self.run = run
        self.answers: dict[tuple[bytes, int], tuple[int, Length]] = {}
        self.leaves_out = "useless-left-out" in run.root.traits
        self.defences: dict[tuple[bytes, int], _Defence] = {}
        self.trees: dict[tuple[bytes, int], dict[str, Any]] = {}

    def answer(self, position: Position, plies: int) -> tuple[int, Length]:
        """Return the winning move of an attacker who mates within `plies`, and the length that the search proves."""
        key = (position.record.tobytes(), plies)
        if key not in self.answers:
            if plies < 1:
                raise Unanswered
            if self.run.control[STOP] != 0 or self.run.search(position.copy_record(), plies) != PROVEN:
                raise Unanswered
            move = answered_move(self.run, position)
            self.answers[key] = (move, proven_length(self.run))
        return self.answers[key]

    def length(self, position: Position) -> Length:
        """Return the length of an attacker's mate, whatever it is."""
        if self.run.control[STOP] != 0 or self.run.search(position.copy_record(), 0) != PROVEN:
            raise Unanswered
        return proven_length(self.run)

    def line(self, position: Position, plies: int, is_shortest: bool) -> list[str]:
        """Return the principal variation; it ends early when the search is stopped.

        `is_shortest`: there is no mate of fewer than `plies`; nor is there in what follows the line's moves.
        """
        moves: list[str] = []
        try:
            while True:
                move, length = self.answer(position, plies)
                moves.append(move_to_usi(move))
                position = position.after(move)
                lengths = dict(self.defence(position, length.plies - 1).lengths)
                if not lengths:
                    return moves
                if is_shortest:
                    self.shorten_until(position, lengths, length.plies - 2)
                longest = max(lengths, key=lambda reply: lengths[reply].plies)
                moves.append(longest)
                position, plies = position.follow(longest), lengths[longest].plies
        except Unanswered:
            return moves

    def shorten_until(self, position: Position, lengths: dict[str, Length], most: int) -> None:
        """Look for shorter mates after each reply, until one is left with `most` plies: a shortest mate has one."""
        for reply, length in lengths.items():
            if length.plies == most:
                if length.is_shortest or most == 1:
                    return
                try:
                    lengths[reply] = self.answer(position.follow(reply), most - 2)[1]
                except Unanswered:
                    return

    def tree(self, position: Position, plies: int) -> dict[str, Any]:
        """Return the proof tree from an attacker's position; equal subtrees are one object."""
        key = (position.record.tobytes(), plies)
        if key not in self.trees:
            if self.run.control[STOP] != 0:  # asked here too: the answers may all be known
                raise Unanswered
            move, length = self.answer(position, plies)
            self.trees[key] = {"move": move_to_usi(move), **self.branches(position.after(move), length.plies - 1)}
        return self.trees[key]

    def branches(self, position: Position, plies: int) -> dict[str, Any]:
        """Return the proof tree from a defender's position, without the move that led there."""
        defence = self.defence(position, plies)
        found: dict[str, Any] = {
            "replies": {
                reply: self.tree(position.follow(reply), length.plies) for reply, length in defence.lengths.items()
            }
        }
        if defence.useless:
            longest = defence.longest
            found["useless"] = {
                reply: {"capture": capture, **self.branches(after, longest)}
                for reply, (capture, after) in defence.useless.items()
            }
        return found

    def defence(self, position: Position, plies: int) -> _Defence:
        """Return what becomes of each evasion of a defender who is mated within `plies`."""
        key = (position.record.tobytes(), plies)
        if key not in self.defences:
            replies = position.legal_moves()
            waiting = interpositions(position) if self.leaves_out else []
            lengths = {
                reply: self.answer(position.follow(reply), plies - 1)[1] for reply in replies if reply not in waiting
            }
            self.defences[key] = self._sort_out(position, plies, _Defence(lengths, {}), waiting)
        return self.defences[key]

    def _sort_out(self, position: Position, plies: int, defence: _Defence, waiting: list[str]) -> _Defence:
        """Add the interpositions `waiting` to `defence`, each as useless or with its length."""
        longest = defence.longest
        while True:
            # 1. What is useless by the longest of the others so far.
            for reply in waiting:
                if found := self._useless(position, reply, longest):
                    defence.useless[reply] = found
            waiting = [reply for reply in waiting if reply not in defence.useless]
            if not waiting:
                return defence
            # 2. The shortest of the rest are lengths like others.
            for length in range(max(longest, 2), plies + 1, 2):
                for reply in waiting:
                    try:
                        defence.lengths[reply] = self.answer(position.follow(reply), length - 1)[1]
                    except Unanswered:
                        continue
                if any(reply in defence.lengths for reply in waiting):
                    break
            else:
                raise Unanswered
            waiting = [reply for reply in waiting if reply not in defence.lengths]
            longest = defence.longest

    def _useless(self, position: Position, reply: str, longest: int) -> tuple[str, Position] | None:
        """Return a capture of `reply`, and the position looked at, that mates within `longest` without its piece."""
        for capture, after in recaptures(position, reply):
            try:
                self.defence(after, longest)
            except Unanswered:
                continue
            return capture, after
        return None
