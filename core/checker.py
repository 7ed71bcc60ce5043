"""The proof checker for mates: replays a proof tree with the slow reference rules, and believes nothing else.

It shares no code with the searches or the compiled kernel. A proof tree is what JSON can hold: an attacker node is
``{"move": usi, "replies": {usi: attacker node, …}}``, and empty replies say that the move mates. The root is an
attacker node for the side to move.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from hisshi.core.errors import InvalidPositionError
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.reference import BoardKey, ReferenceBoard
from hisshi.core.sfen import parse_sfen, shorten

LONGEST_PROOF = 10_000  # plies; far beyond any composed mate, it stops a tree that contains itself
MOST_PROBLEMS = 50

_NODE_KEYS = ("move", "replies")
_MOVES_SHOWN = 6

_Line = tuple["_Line", str] | None  # a line of moves as a chain, last move first, so that long lines share their start


@attrs.frozen
class CheckReport:
    """What a check found.

    `nodes` counts the moves replayed, `plies` is the longest line replayed. `problems` holds one sentence for each
    fault, at most `MOST_PROBLEMS`; below a fault the tree is not followed further.
    """

    nodes: int
    plies: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong: the mate is proven."""
        return not self.problems


def check_mate_proof(sfen: str, proof: object, *, plies: int | None = None, strict: bool = True) -> CheckReport:
    """Replay a proof that the side to move mates, whatever the defender does.

    Each attacker move must be a legal check; each node must hold exactly the legal evasions; where there are none, the
    defender is mated. A position that occurs for the fourth time in a line is a fault too, since perpetual check loses.

    Parameters
    ----------
    sfen
        The root; `strict` as in `parse_sfen`.
    proof
        An attacker node as read from JSON. Any other object is a problem in the report, never an exception.
    plies
        The claimed length; no line may be longer. None means that none is claimed.

    Returns
    -------
    CheckReport
        Its `ok` is True only for a complete proof.
    """
    root = _root_or_problem(sfen, strict)
    if isinstance(root, str):
        return CheckReport(0, 0, (root,))
    return _Replay().run(root, proof, plies)


def check_line(sfen: str, moves: object, *, strict: bool = True) -> CheckReport:
    """Replay one line of moves: all legal, every move of the side that begins a check, the last one mate.

    `moves` is a list of USI moves; anything else is a problem in the report. A line shows that a mate is possible, not
    that the defender could do no better: see `check_mate_proof`.
    """
    if not isinstance(moves, list | tuple):
        return CheckReport(0, 0, (f"expected a list of USI moves, got {_quote(moves)}",))
    board = _root_or_problem(sfen, strict)
    if isinstance(board, str):
        return CheckReport(0, 0, (board,))
    line: _Line = None
    for number, move in enumerate(moves):
        if not isinstance(move, str) or not board.is_legal(move):
            return CheckReport(number, number, (_say(line, f"move {_quote(move)} is not legal"),))
        board = board.after(move)
        if number % 2 == 0 and not board.in_check():
            return CheckReport(number + 1, number + 1, (_say(line, f"attacker's move '{move}' is not a check"),))
        line = (line, move)
    problems = () if moves and board.is_mated() else (_say(line, "the line does not end in mate"),)
    return CheckReport(len(moves), len(moves), problems)


class _Replay:
    """One walk through a proof tree.

    A proof may be deeper than Python's recursion limit, so the walk keeps a stack of its own: of generators, each of
    which replays one node and yields the generators of the nodes below it.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self.plies = 0
        self.problems: list[str] = []
        self.on_line: Counter[BoardKey] = Counter()  # how often each position occurs in the current line

    def run(self, root: ReferenceBoard, proof: object, claimed: int | None) -> CheckReport:
        stack: list[_Walk] = [self._replay(root, proof, None, 1)]
        while stack and len(self.problems) < MOST_PROBLEMS:
            below = next(stack[-1], None)
            if below is None:
                stack.pop()
            else:
                stack.append(below)
        if claimed is not None and self.plies > claimed:
            self.problems.append(f"the longest line has {self.plies} plies, {claimed} are claimed")
        return CheckReport(self.nodes, self.plies, tuple(self.problems[:MOST_PROBLEMS]))

    def _replay(self, board: ReferenceBoard, node: object, line: _Line, ply: int) -> "_Walk":
        """Replay the attacker node `node` on `board`, which was reached by `line`."""
        # 1. The node must have the right form.
        if ply > LONGEST_PROOF:
            self.problems.append(_say(line, f"the proof is deeper than {LONGEST_PROOF} plies"))
            return
        try:
            move, replies = _read_node(node)
        except ValueError as error:
            self.problems.append(_say(line, str(error)))
            return
        # 2. The attacker's move must be a legal check, and no forbidden repetition.
        self.nodes += 1
        self.plies = max(self.plies, ply)
        if not board.is_legal(move):
            self.problems.append(_say(line, f"attacker's move {_quote(move)} is not legal"))
            return
        after = board.after(move)
        if not after.in_check():
            self.problems.append(_say(line, f"attacker's move '{move}' is not a check"))
            return
        positions = (board.key(), after.key())
        if any(self.on_line[position] == 3 for position in positions):
            self.problems.append(_say(line, f"'{move}' repeats a position for the fourth time: perpetual check loses"))
            return
        # 3. The replies must be all the evasions and nothing else.
        evasions = after.evasions()
        line = (line, move)
        if missing := [evasion for evasion in evasions if evasion not in replies]:
            end = "" if replies else "; the move does not mate"
            self.problems.append(_say(line, f"evasions without an answer: {_list(missing)}{end}"))
        if extra := [reply for reply in replies if reply not in evasions]:
            end = "" if evasions else "; the move mates"
            self.problems.append(_say(line, f"replies that are not legal evasions: {_list(extra)}{end}"))
        # 4. Each of them must be answered.
        self.on_line.update(positions)
        for evasion in evasions:
            if evasion in replies:
                self.nodes += 1
                yield self._replay(after.after(evasion), replies[evasion], (line, evasion), ply + 2)
        self.on_line.subtract(positions)


_Walk = Iterator["_Walk"]


def _root_or_problem(sfen: str, strict: bool) -> ReferenceBoard | str:
    try:
        placement = parse_sfen(sfen, strict)
    except InvalidPositionError as error:
        return str(error)
    if placement.king_square(1 - placement.side) == NO_SQUARE:
        return f"sfen {shorten(sfen)}: the defender has no king, so there is nothing to mate"
    return ReferenceBoard(placement)


def _read_node(node: object) -> tuple[str, dict[str, object]]:
    """Return move and replies of an attacker node; raises ValueError if `node` is none."""
    if not isinstance(node, dict):
        raise ValueError(f"expected an object with 'move' and 'replies', got {_quote(node)}")
    if absent := [key for key in _NODE_KEYS if key not in node]:
        raise ValueError(f"the node has no {absent[0]!r}, expected 'move' and 'replies'")
    if unknown := [key for key in node if key not in _NODE_KEYS]:
        raise ValueError(f"the node has a key {_quote(unknown[0])}, expected only 'move' and 'replies'")
    move, replies = node["move"], node["replies"]
    if not isinstance(move, str):
        raise ValueError(f"'move' is {_quote(move)}, expected a USI move as text")
    if not isinstance(replies, dict):
        raise ValueError(f"'replies' is {_quote(replies)}, expected an object of USI moves and nodes")
    if odd := [key for key in replies if not isinstance(key, str)]:
        raise ValueError(f"a reply is {_quote(odd[0])}, expected a USI move as text")
    return move, replies


def _quote(found: object) -> str:
    """Return `found` for a message: a text or number as it is, of anything else the type, which is short for sure."""
    if isinstance(found, str):
        return f"'{shorten(found)}'"
    return repr(found) if found is None or isinstance(found, bool | float) else f"of type {type(found).__name__}"


def _list(moves: Sequence[str]) -> str:
    """Return the first few of `moves`, and how many more there are."""
    shown = ", ".join(shorten(move) for move in moves[:_MOVES_SHOWN])
    return shown + (f" and {len(moves) - _MOVES_SHOWN} more" if len(moves) > _MOVES_SHOWN else "")


def _say(line: _Line, problem: str) -> str:
    """Return `problem` with the place where it was found: the last moves of `line`."""
    moves: list[str] = []
    while line is not None:
        line, move = line
        moves.append(move)
    if not moves:
        return f"at the root: {problem}"
    start = f"ply {len(moves)}, after {'… ' if len(moves) > _MOVES_SHOWN else ''}"
    return f"{start}{' '.join(reversed(moves[:_MOVES_SHOWN]))}: {problem}"
