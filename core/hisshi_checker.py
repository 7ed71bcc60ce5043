"""The proof checker for hisshi: replays a proof tree with the slow reference rules, and believes nothing else.

A proof is an attacker's node ``{"move": usi, "threat": mate, "replies": {usi: answer, …}}``. `threat` is a mate proof
(see `hisshi.core.checker`) of the position in which the defender has passed; a move that gives check has none. Replies
are all moves of the defender that count by the rule, and an answer is either ``{"mate": mate}`` or another attacker's
node. Where all answers are mates, the move was the last ply, and that is never a check. A position that is a mate from
the beginning has the proof ``{"mate": mate}`` and a length of 0 plies.

Where useless delays are left out, an answer may be an attacker's node with ``"delay": true``: the move answers a reply
that only delays, and neither is counted. By the rule `leaf` it takes the piece that has just moved, in a threatmate
that nothing but delays avoids, after a last ply. By the rule `general` it takes that piece, by check or threatmate, or
answers its check, and a hisshi no longer than without the reply must follow, without the piece that was taken: it is
back in the defender's hand there. A defender who is in check only delays by interposing.
"""

from hisshi.core.checker import MOST_PROBLEMS, CheckReport, replay_mate, root_or_problem
from hisshi.core.kernel.pieces import EMPTY, NO_SQUARE, square_from_name
from hisshi.core.movement import attacked_squares, find_king
from hisshi.core.proof_form import Line, list_moves, quote, say
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import Placement

RULES = ("strong", "weak", "kfend")
DELAYS = ("off", "leaf", "general")
LONGEST_PROOF = 300  # plies; far beyond any hisshi


def check_hisshi_proof(
    sfen: str,
    proof: object,
    *,
    rule: str,
    useless_delays: str = "off",
    plies: int | None = None,
    strict: bool = True,
) -> CheckReport:
    """Replay a proof that the side to move has a hisshi under `rule`, or a mate.

    Parameters
    ----------
    sfen
        The root; `strict` as in `parse_sfen`.
    proof
        As read from JSON. Any other object is a problem in the report, never an exception.
    rule
        One of RULES: which of the defender's moves count.
    useless_delays
        One of DELAYS: which of the moves that count do not count for the length.
    plies
        The claimed length, 0 for a mate; the proof may not be longer. None means that none is claimed.

    Returns
    -------
    CheckReport
        Its `ok` is True only for a complete proof; its `plies` is the hisshi's length, 0 for a mate.
    """
    if rule not in RULES:
        return CheckReport(0, 0, (f"no rule named {rule!r:.40}; there are: {', '.join(RULES)}",))
    if useless_delays not in DELAYS:
        return CheckReport(0, 0, (f"no rule for delays named {useless_delays!r:.40}; there are: {', '.join(DELAYS)}",))
    root = root_or_problem(sfen, strict)
    if isinstance(root, str):
        return CheckReport(0, 0, (root,))
    replay = _Replay(rule, useless_delays)
    length = replay.answer(root, proof, None, 0)
    if plies is not None and length > plies:
        replay.problems.append(f"the proof has {length} plies, {plies} are claimed")
    return CheckReport(replay.nodes, length, tuple(replay.problems[:MOST_PROBLEMS]))


def passed(board: ReferenceBoard) -> ReferenceBoard:
    """Return the position after a pass of the side to move."""
    return ReferenceBoard(Placement(board.board, board.hands, 1 - board.side, board.move_number + 1))


def without(board: ReferenceBoard, taken: int) -> ReferenceBoard:
    """Return the position in which the side not to move has given a piece that it took back to the other's hand."""
    hands = [list(hand) for hand in board.hands]
    hands[1 - board.side][taken & 7] -= 1
    hands[board.side][taken & 7] += 1
    return ReferenceBoard(Placement(board.board, (tuple(hands[0]), tuple(hands[1])), board.side, board.move_number))


def interposes(board: ReferenceBoard, move: str) -> bool:
    """Return whether the evasion `move` neither moves the king nor takes the piece that gives check."""
    king = find_king(board.board, board.side)
    target = square_from_name(move[2:4])
    return ("*" in move or square_from_name(move[:2]) != king) and board.board[target] == EMPTY


def counts(board: ReferenceBoard, move: str, rule: str) -> bool:
    """Return whether the defender's legal `move` counts by `rule`."""
    if rule == "strong" or not board.gives_check(move):
        return True
    if rule == "weak":
        return False
    target = square_from_name(move[2:4])
    if "*" not in move and board.board[target] != EMPTY:
        return True
    after = board.after(move)
    king = find_king(after.board, board.side)
    return king != NO_SQUARE and not set(attacked_squares(after.board, king)).isdisjoint(
        attacked_squares(after.board, target)
    )


class _Replay:
    def __init__(self, rule: str, useless_delays: str) -> None:
        self.rule, self.useless_delays = rule, useless_delays
        self.nodes = 0
        self.problems: list[str] = []

    def answer(self, board: ReferenceBoard, node: object, line: Line, ply: int) -> int:
        """Replay a mate or an attacker's node; return its length, 0 for a mate."""
        if len(self.problems) >= MOST_PROBLEMS:
            return 0
        if isinstance(node, dict) and "mate" in node:
            self._mate(board, node["mate"], line, "mate")
            return 0
        if (move := self._move(board, node, line, ply)) is None:
            return 0
        assert isinstance(node, dict)
        return 1 + self._defence(board.after(move), node, (line, move), ply)

    def _move(self, board: ReferenceBoard, node: object, line: Line, ply: int) -> str | None:
        """Return the move of an attacker's node that has the right form; None, and a problem, for any other."""
        if not isinstance(node, dict) or not isinstance(node.get("move"), str):
            problem = f"expected an object with 'move' or 'mate', got {quote(node)}"
        elif ply > LONGEST_PROOF:
            problem = f"the proof is deeper than {LONGEST_PROOF} plies"
        elif not isinstance(node.get("replies"), dict):
            problem = f"'replies' must be an object, got {quote(node.get('replies'))}"
        elif not board.is_legal(node["move"]):
            problem = f"attacker's move {quote(node['move'])} is not legal"
        else:
            return str(node["move"])
        self._fault(line, problem)
        return None

    def _defence(self, board: ReferenceBoard, node: dict[str, object], line: Line, ply: int) -> int:
        """Replay what follows the move of `node`; return the plies from here to the last threatmate."""
        self.nodes += 1
        replies = node["replies"]
        assert isinstance(replies, dict)
        # 1. The move was a check or a threatmate.
        checks = board.in_check()
        if not checks:
            self._mate(passed(board), node.get("threat"), line, "threat")
        elif "threat" in node:
            self._fault(line, "a check has a threat")
        # 2. Every reply that counts must be answered; first those that are no delays.
        moves = [reply for reply in board.legal_moves() if counts(board, reply, self.rule)]
        if missing := [reply for reply in moves if reply not in replies]:
            self._fault(line, f"moves without an answer: {list_moves(missing)}")
        if extra := [str(reply) for reply in replies if reply not in moves]:
            self._fault(line, f"replies that are no legal moves, or do not count: {list_moves(extra)}")
        answered = [reply for reply in moves if reply in replies]
        delays = [reply for reply in answered if isinstance(replies[reply], dict) and "delay" in replies[reply]]
        lengths = []
        for reply in answered:
            if reply not in delays:
                self.nodes += 1
                below = self.answer(board.after(reply), replies[reply], (line, reply), ply + 2)
                if below:
                    lengths.append(below + 1)
        if checks and not lengths:
            self._fault(line, "the check leads to mate whatever the answer, the last ply of a hisshi is a threatmate")
        # 3. A delay is useless if no more plies follow the answer to it than follow without it.
        longest = max(lengths, default=0)
        for reply in delays:
            self._delay(board, reply, replies[reply], line, longest, ply + 2)
        return longest

    def _delay(
        self, board: ReferenceBoard, reply: str, node: dict[str, object], line: Line, longest: int, ply: int
    ) -> None:
        self.nodes += 1
        after, line = board.after(reply), (line, reply)
        if self.useless_delays == "off":
            self._fault(line, "the proof calls a move a useless delay, and such moves are not left out")
        if (move := self._move(after, node, line, ply)) is None:
            return
        takes = "*" not in move and move[2:4] == reply[2:4]
        then, line = after.after(move), (line, move)
        if self.useless_delays == "leaf":
            if not takes or longest or then.in_check():
                self._fault(line, "a delay at the end of a line must be taken in a threatmate")
        else:
            if not takes and not after.in_check():
                self._fault(line, "a delay must be taken, or be a check")
            if board.in_check() and not interposes(board, reply):
                self._fault(line, "a delay in check must be an interposition")
            if taken := after.board[square_from_name(move[2:4])] if "*" not in move else EMPTY:
                then = without(then, taken)
        length = self._defence(then, node, line, ply)
        if length > longest:
            self._fault(line, f"{length} plies follow the answer to a delay, {longest} without it")

    def _mate(self, board: ReferenceBoard, proof: object, line: Line, what: str) -> None:
        report = replay_mate(board, proof)
        self.nodes += report.nodes
        self.problems += [say(line, f"{what}: {problem}") for problem in report.problems]

    def _fault(self, line: Line, problem: str) -> None:
        self.problems.append(say(line, problem))
