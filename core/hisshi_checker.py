"""The proof checker for hisshi: replays a proof tree with the slow reference rules, and believes nothing else.

A proof is an attacker's node ``{"move": usi, "threat": mate, "replies": {usi: answer, …}}``. `threat` is a mate proof
(see `hisshi.core.checker`) of the position in which the defender has passed; a move that gives check has none. Replies
are all moves of the defender that count by the rule, and an answer is either ``{"mate": mate}`` or another attacker's
node. Where all answers are mates, the move was the last ply, and that is never a check. A position that is a mate from
the beginning has the proof ``{"mate": mate}`` and a length of 0 plies.
"""

from hisshi.core.checker import MOST_PROBLEMS, CheckReport, replay_mate, root_or_problem
from hisshi.core.kernel.pieces import EMPTY, NO_SQUARE, square_from_name
from hisshi.core.movement import attacked_squares, find_king
from hisshi.core.proof_form import Line, list_moves, quote, say
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import Placement

RULES = ("strong", "weak", "kfend")
LONGEST_PROOF = 300  # plies; far beyond any hisshi


def check_hisshi_proof(
    sfen: str, proof: object, *, rule: str, plies: int | None = None, strict: bool = True
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
    plies
        The claimed length, 0 for a mate; the proof may not be longer. None means that none is claimed.

    Returns
    -------
    CheckReport
        Its `ok` is True only for a complete proof; its `plies` is the hisshi's length, 0 for a mate.
    """
    if rule not in RULES:
        return CheckReport(0, 0, (f"no rule named {rule!r:.40}; there are: {', '.join(RULES)}",))
    root = root_or_problem(sfen, strict)
    if isinstance(root, str):
        return CheckReport(0, 0, (root,))
    replay = _Replay(rule)
    length = replay.answer(root, proof, None, 0)
    if plies is not None and length > plies:
        replay.problems.append(f"the proof has {length} plies, {plies} are claimed")
    return CheckReport(replay.nodes, length, tuple(replay.problems[:MOST_PROBLEMS]))


def passed(board: ReferenceBoard) -> ReferenceBoard:
    """Return the position after a pass of the side to move."""
    return ReferenceBoard(Placement(board.board, board.hands, 1 - board.side, board.move_number + 1))


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
    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.nodes = 0
        self.problems: list[str] = []

    def answer(self, board: ReferenceBoard, node: object, line: Line, ply: int) -> int:
        """Replay a mate or an attacker's node; return its length, 0 for a mate."""
        if len(self.problems) >= MOST_PROBLEMS:
            return 0
        if isinstance(node, dict) and "mate" in node:
            self._mate(board, node["mate"], line, "mate")
            return 0
        return self._attack(board, node, line, ply)

    def _attack(self, board: ReferenceBoard, node: object, line: Line, ply: int) -> int:
        # 1. The node must have the right form.
        if not isinstance(node, dict) or not isinstance(node.get("move"), str):
            return self._fault(line, f"expected an object with 'move' or 'mate', got {quote(node)}")
        if ply > LONGEST_PROOF:
            return self._fault(line, f"the proof is deeper than {LONGEST_PROOF} plies")
        move, replies = node["move"], node.get("replies")
        if not isinstance(replies, dict):
            return self._fault(line, f"'replies' must be an object, got {quote(replies)}")
        # 2. A legal check or threatmate.
        self.nodes += 1
        if not board.is_legal(move):
            return self._fault(line, f"attacker's move {quote(move)} is not legal")
        after, line = board.after(move), (line, move)
        checks = after.in_check()
        if not checks:
            self._mate(passed(after), node.get("threat"), line, "threat")
        elif "threat" in node:
            self._fault(line, "a check has a threat")
        # 3. Every move that counts must be answered.
        moves = [reply for reply in after.legal_moves() if counts(after, reply, self.rule)]
        if missing := [reply for reply in moves if reply not in replies]:
            self._fault(line, f"moves without an answer: {list_moves(missing)}")
        if extra := [str(reply) for reply in replies if reply not in moves]:
            self._fault(line, f"replies that are no legal moves, or do not count: {list_moves(extra)}")
        lengths = []
        for reply in moves:
            if reply in replies:
                self.nodes += 1
                below = self.answer(after.after(reply), replies[reply], (line, reply), ply + 2)
                if below:
                    lengths.append(below + 1)
        if checks and not lengths:
            self._fault(line, "the check leads to mate whatever the answer, the last ply of a hisshi is a threatmate")
        return 1 + max(lengths, default=0)

    def _mate(self, board: ReferenceBoard, proof: object, line: Line, what: str) -> None:
        report = replay_mate(board, proof)
        self.nodes += report.nodes
        self.problems += [say(line, f"{what}: {problem}") for problem in report.problems]

    def _fault(self, line: Line, problem: str) -> int:
        self.problems.append(say(line, problem))
        return 0
