"""Walking a hisshi that a search claims: each reply that the rule allows is answered by a mate or a further hisshi.

A search may look at some of the defender's moves alone, and then only finds. The walk asks it about each position after
any reply that counts, those that it left out included, down to the mates, and so makes a proof of its claim or meets a
reply that has no answer. On the skeleton that it returns `hisshi.core.hisshi_solution` hangs the mates of a proof tree.
"""

from typing import Any

import attrs

from hisshi.core.composition import Run
from hisshi.core.hisshi_delays import LEAF, OFF, answers_to, may_delay, passed
from hisshi.core.instance import Instance
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_SCHEDULE, NODE_LIMIT, NODES, STOP
from hisshi.core.kernel.hisshi_search import MOST_DELAYS
from hisshi.core.kernel.roles.hisshi_rule import call_hisshi_rule
from hisshi.core.kernel.roles.search import call_search_at
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN
from hisshi.core.position import Position, move_to_usi
from hisshi.core.shortest import leaves_out_nothing
from hisshi.core.solution import Unanswered, answered_move

MATE_NODES = 100_000  # for a mate of any length, where the run's own limits find no answer


class PartSearch:
    """A search that is part of a run, asked from Python: what a mate's `Builder` needs of a run."""

    def __init__(self, run: Run, root: Instance) -> None:
        self.name, self.root, self.control = run.name, root, run.control
        self._code = root.code()

    def search(self, record: Any, plies: int = 0) -> int:
        """Enter the search; see `Run.search`."""
        return int(call_search_at(self._code, self.root.address, record, plies))

    def search_within(self, record: Any, most_nodes: int) -> int:
        """Enter the search without a limit of plies, for at most `most_nodes` nodes; the run's own limit holds too."""
        control = self.control
        limit, most = int(control[NODE_LIMIT]), self.nodes + most_nodes
        control[NODE_LIMIT] = most if limit == 0 else min(most, limit)
        value = self.search(record)
        control[NODE_LIMIT] = limit
        return value

    @property
    def nodes(self) -> int:
        """Nodes entered by all searches of the run."""
        return int(self.control[NODES])


class Refuted(Unanswered):
    """A reply has no answer. `line`: the moves to it, it included; empty if the position asked about is what has none.

    `is_shown`: there is no mate after it, nor a hisshi of as many plies as the search claimed; else none was found.
    """

    def __init__(self, line: tuple[str, ...] = (), is_shown: bool = False) -> None:
        super().__init__(" ".join(line))
        self.line, self.is_shown = line, is_shown

    def behind(self, move: str) -> "Refuted":
        """Return the same with a move in front of the line."""
        return Refuted((move, *self.line), self.is_shown)


@attrs.frozen
class Node:
    """An attacker's position that is proven: by a mate, or by a move with an answer to each reply that counts."""

    move: str
    plies: int  # of the hisshi; 0 for a mate
    below: dict[str, "Node"]  # answers that are no mates, by reply; to all others the answer is a mate
    delays: dict[str, "Delay"] = attrs.field(factory=dict)  # but these replies are useless delays

    @property
    def longest(self) -> int:
        """Plies from after the move to the last threatmate."""
        return max(self.plies - 1, 0)


@attrs.frozen
class Delay:
    """The answer to a reply that only delays: its node, and the position after it that is looked at."""

    node: Node
    then: Position


MATE = Node("", 0, {})  # for a position that is known to be one


class HisshiWalk:
    """Asks a run for hisshi, position by position, each once; it is to be left alone meanwhile."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.mates = PartSearch(run, run.root.parts["mate"])
        self._claims: dict[bytes, tuple[str, int]] = {}
        self._nothing: dict[bytes, int] = {}  # most plies within which the search finds nothing
        self._mates: dict[bytes, tuple[int, str]] = {}
        self._nodes: dict[bytes, Node] = {}
        self._refuted: dict[bytes, tuple[int, Refuted]] = {}  # with the plies that were asked for
        self._saved_last = ""  # a reply that saved once may save again
        self._delays = str(run.root.options.get("useless_delays", OFF))
        self._sees_all = leaves_out_nothing(run) and run.has_only("attack_candidates", "complete")

    def claim(self, position: Position, plies: int) -> tuple[str, int]:
        """Return the attacker's move and the number of plies that the search claims: at most `plies`, 0 for a mate.

        Raises
        ------
        Refuted
            The search finds neither.
        Unanswered
            The run was stopped, or its limit of nodes is met.
        """
        key, asked = position.record.tobytes(), max(plies, 1)
        move, found = self._claims.get(key, ("", 0))
        if (not move or found > plies) and asked > self._nothing.get(key, 0):
            self._go_on()
            if self.run.search(position.copy_record(), asked) == PROVEN:
                move, found = move_to_usi(answered_move(self.run, position)), int(self.run.root.context.answer_plies)
                self._claims[key] = (move, found)
            else:
                self._go_on()
                self._nothing[key] = asked
        if not move or found > plies:
            raise Refuted
        return move, found

    def answer(self, position: Position, plies: int) -> tuple[str, int]:
        """Return the same, or a mate that only a search of `MATE_NODES` finds."""
        try:
            return self.claim(position, plies)
        except Refuted:
            verdict, move = self.mate(position)
            if verdict != PROVEN:
                raise
            return move, 0

    def mate(self, position: Position) -> tuple[int, str]:
        """Return what a mate search of `MATE_NODES` says of the side to move, and the mating move."""
        key = position.record.tobytes()
        if key not in self._mates:
            self._go_on()
            verdict = self.mates.search_within(position.copy_record(), MATE_NODES)
            if verdict == UNKNOWN:
                self._go_on()
            self._mates[key] = (verdict, move_to_usi(self.mates.root.context.answer_move) if verdict == PROVEN else "")
        return self._mates[key]

    def prove(self, position: Position, plies: int) -> Node:
        """Return a whole proof of a mate, or of a hisshi of at most `plies`; raises as `claim` does.

        The attacker's move is the one that the search finds first. Where that fails no other is tried, but a mate is.
        """
        key = position.record.tobytes()
        node = self._nodes.get(key)
        if node is not None and node.plies <= plies:
            return node
        asked, refuted = self._refuted.get(key, (-1, Refuted()))
        if plies <= asked:
            raise refuted
        try:
            move, found = self.answer(position, plies)
            node = Node(move, 0, {})
            if found:
                try:
                    node = self.prove_move(position, move, plies, found)
                except Refuted as why:
                    verdict, mating = self.mate(position)
                    if verdict != PROVEN:
                        raise why.behind(move) from None
                    node = Node(mating, 0, {})
        except Refuted as why:
            self._refuted[key] = (plies, why)
            raise
        self._nodes[key] = node
        return node

    def prove_move(self, position: Position, move: str, plies: int, claimed: int) -> Node:
        """Return a whole proof that `move`, a check or a threatmate, is a hisshi of at most `plies`.

        `claimed`: the plies that the search has said, which are what a reply is shown to save from. Raises as `claim`.
        """
        after = position.follow(move)
        node = self._defend(after, move, max(plies - 2, 0), claimed)
        if not node.below and after.is_check():  # a mate then, and the last ply of a hisshi is no check
            raise Refuted
        return node

    def _defend(self, position: Position, move: str, left: int, claimed: int, delayed: int = 0) -> Node:
        """Return the node of `move`, which has led to the defender's `position`: an answer to each of his replies.

        `delayed`: how many replies on the line are taken for useless delays already.
        """
        replies = self.replies(position)
        waiting = {
            reply: there
            for reply, there in replies.items()
            if delayed < MOST_DELAYS and self.may_delay(position, reply, there)
        }
        # 1. The mates, and whatever has no answer at all.
        others: dict[str, Position] = {}
        for reply in sorted(replies.keys() - waiting.keys(), key=lambda reply: (reply != self._saved_last, reply)):
            there = replies[reply]
            try:
                if self.answer(there, left)[1]:
                    others[reply] = there
            except Refuted:
                self._saved_last = reply
                raise Refuted((reply,), self._is_saved(there, claimed - 2)) from None
        # 2. What is left is a hisshi as the search sees it.
        below = {}
        for reply, there in others.items():
            try:
                node = self.prove(there, left)
            except Refuted as why:
                raise why.behind(reply) from None
            if node.plies:
                below[reply] = node
        # 3. What may be a delay is one, or is answered like the others.
        found = Node(move, _plies(below), below)
        return self._sort_out(found, waiting, left, claimed, delayed) if waiting else found

    def _sort_out(self, node: Node, waiting: dict[str, Position], left: int, claimed: int, delayed: int) -> Node:
        """Return `node` with answers to the replies in `waiting`, each as a useless delay or as one that counts."""
        below, delays = dict(node.below), dict[str, Delay]()
        waiting = {reply: there for reply, there in waiting.items() if not self._is_mate(there)}
        while True:
            # 1. What is useless by the longest of the others so far.
            longest = _plies(below) - 1
            unsure = set()
            for reply, there in waiting.items():
                delay, is_sure = self._delay(there, reply, longest, delayed)
                if delay:
                    delays[reply] = delay
                elif not is_sure:
                    unsure.add(reply)
            if self._delays == LEAF and delays.keys() != waiting.keys():  # then the line does not end here
                delays = {}
            waiting = {reply: there for reply, there in waiting.items() if reply not in delays}
            if not waiting:
                return Node(node.move, _plies(below), below, delays)
            # 2. The shortest of the rest count.
            for plies in range(max(longest - 1, 1), left + 1, 2):
                for reply, there in waiting.items():
                    try:
                        below[reply] = self.prove(there, plies)
                    except Refuted:
                        continue
                if any(reply in below for reply in waiting):
                    break
            else:
                self._saved_last = reply = next(iter(waiting))
                raise Refuted((reply,), reply not in unsure and self._is_saved(waiting[reply], claimed - 2))
            waiting = {reply: there for reply, there in waiting.items() if reply not in below}

    def _is_mate(self, position: Position) -> bool:
        try:
            return self.answer(position, 0)[1] == 0
        except Refuted:
            return False

    def _delay(self, after: Position, reply: str, longest: int, delayed: int) -> tuple[Delay | None, bool]:
        """Return what shows `reply` to be a useless delay where `longest` plies follow without it, or None.

        With None also whether it is sure that there is no such thing.
        """
        if self._delays == LEAF and longest > 0:
            return None, True
        is_sure = delayed + 1 < MOST_DELAYS
        for move, then in answers_to(after, reply, self._delays):
            if not then.is_check():
                threat, _ = self.mate(passed(then))
                if threat != PROVEN:
                    is_sure &= threat == DISPROVEN
                    continue
            try:
                node = self._defend(then, move, longest, longest + 1, delayed + 1)
            except Refuted as why:
                is_sure &= why.is_shown and len(why.line) == 1
                continue
            if not node.below and then.is_check():  # as in `prove_move`: a mate, that the search for mates has not seen
                is_sure = False
                continue
            if node.longest <= longest:
                return Delay(node, then), True
        return None, is_sure

    def replies(self, position: Position) -> dict[str, Position]:
        """Return the positions after the defender's moves that count by the run's rule."""
        context, record = self.run.root.context, position.copy_record()
        moves = position.usi_moves().items()
        return {usi: position.after(move) for usi, move in moves if call_hisshi_rule(context, record, move) != 0}

    def may_delay(self, position: Position, reply: str, after: Position) -> bool:
        """Tell whether `reply`, which leads to `after`, may be a useless delay by the run's rule."""
        return may_delay(position, reply, after, self._delays)

    def _is_saved(self, position: Position, plies: int) -> bool:
        """Tell whether the attacker, to move, is shown to have neither a mate nor a hisshi of at most `plies`."""
        if plies <= 0:
            return self.mate(position)[0] == DISPROVEN
        if not self._sees_all:
            return False
        self._go_on()
        self.run.control[EXHAUSTED] = 0
        verdict = self.run.search(position.copy_record(), plies)
        return verdict == DISPROVEN or (verdict == UNKNOWN and int(self.run.control[EXHAUSTED]) == GAVE_UP_SCHEDULE)

    def _go_on(self) -> None:
        """Raise Unanswered if the run was stopped, or has no nodes left."""
        limit = self.run.control[NODE_LIMIT]
        if self.run.control[STOP] != 0 or (limit != 0 and self.run.nodes >= limit):
            raise Unanswered


def _plies(below: dict[str, Node]) -> int:
    """Return the plies of a hisshi whose first move leads to these replies, all others being answered by mates."""
    return 1 + max((node.plies + 1 for node in below.values()), default=0)
