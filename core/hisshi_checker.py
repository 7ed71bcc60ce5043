"""The proof checker for hisshi: replays a proof tree with the slow reference rules, and believes nothing else.

A proof is an attacker's node ``{"move": usi, "threat": mate, "replies": {usi: answer, …}}``. `threat` is a mate proof
(see `hisshi.core.checker`) of the position in which the defender has passed; a move that gives check has none. Replies
are all moves of the defender that count by the rule, and an answer is either ``{"mate": mate}`` or another attacker's
node. Where all answers are mates, the move was the last ply, and that is never a check. A position that is a mate from
the beginning has the proof ``{"mate": mate}`` and a length of 0 plies.
"""

from typing import Any

from hisshi.core.checker import MOST_PROBLEMS, CheckReport, check_mate_proof
from hisshi.core.kernel.pieces import EMPTY, NO_SQUARE, square_from_name
from hisshi.core.movement import attacked_squares, find_king
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import Placement

RULES = ("strong", "weak", "kfend")
LONGEST_PROOF = 300  # plies; far beyond any hisshi

_SHOWN = 6


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
    first = check_mate_proof(sfen, None, strict=strict).problems[0]
    try:
        root = ReferenceBoard.from_sfen(sfen, strict)
    except Exception:  # noqa: BLE001  whatever is wrong with the text, the mate checker has said it
        return CheckReport(0, 0, (first,))
    if find_king(root.board, 1 - root.side) == NO_SQUARE:
        return CheckReport(0, 0, (first,))
    replay = _Replay(rule, strict)
    length = replay.answer(root, proof, ())
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
    king = find_king(board.board, board.side)
    if king == NO_SQUARE:
        return False
    after = board.after(move)
    around = set(attacked_squares(after.board, find_king(after.board, board.side)))
    return bool(around & set(attacked_squares(after.board, target)))


class _Replay:
    def __init__(self, rule: str, strict: bool) -> None:
        self.rule, self.strict = rule, strict
        self.nodes = 0
        self.problems: list[str] = []

    def answer(self, board: ReferenceBoard, node: object, line: tuple[str, ...]) -> int:
        """Replay a mate or an attacker's node; return its length, 0 for a mate."""
        if len(self.problems) >= MOST_PROBLEMS:
            return 0
        if isinstance(node, dict) and "mate" in node:
            self._mate(board, node["mate"], line, "mate")
            return 0
        return self._attack(board, node, line)

    def _attack(self, board: ReferenceBoard, node: object, line: tuple[str, ...]) -> int:
        # 1. The node must have the right form.
        if not isinstance(node, dict) or not isinstance(node.get("move"), str):
            return self._fault(line, f"expected an object with 'move' or 'mate', got {_quote(node)}")
        if len(line) > LONGEST_PROOF:
            return self._fault(line, f"the proof is deeper than {LONGEST_PROOF} plies")
        move, replies = node["move"], node.get("replies")
        if not isinstance(replies, dict):
            return self._fault(line, f"'replies' must be an object, got {_quote(replies)}")
        # 2. A legal check or threatmate.
        self.nodes += 1
        if not board.is_legal(move):
            return self._fault(line, f"attacker's move {_quote(move)} is not legal")
        after, line = board.after(move), (*line, move)
        checks = after.in_check()
        if not checks:
            self._mate(passed(after), node.get("threat"), line, "threat")
        elif "threat" in node:
            self._fault(line, "a check has a threat")
        # 3. Every move that counts must be answered.
        moves = [reply for reply in after.legal_moves() if counts(after, reply, self.rule)]
        if missing := [reply for reply in moves if reply not in replies]:
            self._fault(line, f"moves without an answer: {_list(missing)}")
        if extra := [str(reply)[:20] for reply in replies if reply not in moves]:
            self._fault(line, f"replies that are no legal moves, or do not count: {_list(extra)}")
        lengths = []
        for reply in moves:
            if reply in replies:
                self.nodes += 1
                below = self.answer(after.after(reply), replies[reply], (*line, reply))
                if below:
                    lengths.append(below + 1)
        if checks and not lengths:
            self._fault(line, "the check leads to mate whatever the answer, the last ply of a hisshi is a threatmate")
        return 1 + max(lengths, default=0)

    def _mate(self, board: ReferenceBoard, proof: object, line: tuple[str, ...], what: str) -> None:
        report = check_mate_proof(board.sfen(), proof, strict=self.strict)
        self.nodes += report.nodes
        self.problems += [_say(line, f"{what}: {problem}") for problem in report.problems]

    def _fault(self, line: tuple[str, ...], problem: str) -> int:
        self.problems.append(_say(line, problem))
        return 0


def _say(line: tuple[str, ...], problem: str) -> str:
    if not line:
        return problem
    shown = " ".join(("…", *line[-_SHOWN:]) if len(line) > _SHOWN else line)
    return f"after {shown}: {problem}"


def _quote(found: Any) -> str:
    text = repr(found) if isinstance(found, str | int | float | bool | None) else type(found).__name__
    return text if len(text) <= 40 else text[:40] + "…"


def _list(moves: list[str]) -> str:
    more = f" and {len(moves) - _SHOWN} more" if len(moves) > _SHOWN else ""
    return ", ".join(moves[:_SHOWN]) + more
