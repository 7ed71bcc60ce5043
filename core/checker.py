"""The proof checker for mates: replays a proof tree with the slow reference rules, and believes nothing else.

It shares no code with the searches or the compiled kernel. A proof tree is what JSON can hold: an attacker node is
``{"move": usi, "replies": {usi: attacker node, …}}``, and empty replies say that the move mates. The root is an
attacker node for the side to move. A node that has stood before may be ``{"same_as": number}``, the number being the
other's ``"id"``: see `hisshi.core.proof_form`.

Where a length leaves out useless interpositions, a node may also have ``"useless": {usi: answer, …}``, and an answer is
``{"capture": usi, "replies": …}``, again perhaps with ``"useless"``: how the attacker captures the interposed
piece with check, and how he goes on from there although the piece is the defender's again. That this proves the mate
rests on dominance, the one thing not replayed: in the real position the attacker has that piece, the defender has not.
"""

from collections import Counter
from collections.abc import Iterator

import attrs

from hisshi.core.errors import InvalidPositionError
from hisshi.core.kernel.pieces import EMPTY, KING, NO_SQUARE, PROMOTED, square_from_name
from hisshi.core.movement import attacked_squares, find_king, kind_of
from hisshi.core.proof_form import Line, follow_reference, list_moves, numbered_nodes, quote, read_node, say
from hisshi.core.reference import BoardKey, ReferenceBoard
from hisshi.core.sfen import Placement, parse_sfen, shorten

LONGEST_PROOF = 10_000  # plies; far beyond any composed mate, it stops a tree that contains itself
MOST_PROBLEMS = 50


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


def check_mate_proof(
    sfen: str, proof: object, *, plies: int | None = None, strict: bool = True, useless_left_out: bool = False
) -> CheckReport:
    """Replay a proof that the side to move mates, whatever the defender does.

    Each attacker move must be a legal check; each node must hold exactly the legal evasions; where there are none, the
    defender is mated. A position that occurs for the fourth time in a line is a fault too, since perpetual check loses.

    Parameters
    ----------
    sfen
        The root; `strict` as in `parse_sfen`.
    proof
        An attacker node as read from JSON. Any other object is a problem in the report, never an exception. Equal
        subtrees may be one object or references; each is replayed once.
    plies
        The claimed length; no line may be longer. None means that none is claimed.
    useless_left_out
        Accept interpositions that are shown to be useless: once captured by a piece that gives check itself, and given
        back to the defender, there is a mate no longer than the longest of the other replies. Else they are faults.

    Returns
    -------
    CheckReport
        Its `ok` is True only for a complete proof.
    """
    root = root_or_problem(sfen, strict)
    if isinstance(root, str):
        return CheckReport(0, 0, (root,))
    return replay_mate(root, proof, plies=plies, useless_left_out=useless_left_out)


def replay_mate(
    root: ReferenceBoard, proof: object, *, plies: int | None = None, useless_left_out: bool = False
) -> CheckReport:
    """Replay a proof from a board, whose defender has a king; see `check_mate_proof`."""
    try:
        nodes = numbered_nodes(proof)
    except ValueError as error:
        return CheckReport(0, 0, (str(error),))
    return _Replay(useless_left_out, nodes).run(root, proof, plies)


def check_line(sfen: str, moves: object, *, strict: bool = True) -> CheckReport:
    """Replay one line of moves: all legal, every move of the side that begins a check, the last one mate.

    `moves` is a list of USI moves; anything else is a problem in the report. A line shows that a mate is possible, not
    that the defender could do no better: see `check_mate_proof`.
    """
    if not isinstance(moves, list | tuple):
        return CheckReport(0, 0, (f"expected a list of USI moves, got {quote(moves)}",))
    board = root_or_problem(sfen, strict)
    if isinstance(board, str):
        return CheckReport(0, 0, (board,))
    line: Line = None
    for number, move in enumerate(moves):
        if not isinstance(move, str) or not board.is_legal(move):
            return CheckReport(number, number, (say(line, f"move {quote(move)} is not legal"),))
        board = board.after(move)
        if number % 2 == 0 and not board.in_check():
            return CheckReport(number + 1, number + 1, (say(line, f"attacker's move '{move}' is not a check"),))
        line = (line, move)
    problems = () if moves and board.is_mated() else (say(line, "the line does not end in mate"),)
    return CheckReport(len(moves), len(moves), problems)


def check_line_of_proof(moves: object, proof: object) -> str:
    """Return what is wrong with `moves` as a line of `proof` from its root to its end, "" if nothing is.

    For lines that end where only useless interpositions are left, which is no mate on the board.
    """
    if not isinstance(moves, list | tuple):
        return f"expected a list of USI moves, got {quote(moves)}"
    node = proof
    try:
        nodes = numbered_nodes(proof)
    except ValueError as error:
        return str(error)
    for number, move in enumerate(moves):
        attacking = number % 2 == 0
        try:
            known, replies, _ = read_node(node, True)
        except ValueError as error:
            return str(error)
        if not isinstance(move, str) or (move != known if attacking else move not in replies):
            return f"move {number + 1}, {quote(move)}, is not the proof's"
        if attacking and number == len(moves) - 1:
            return "" if not replies else "the line ends before the proof does"
        if not attacking:
            node = follow_reference(replies[move], nodes)
    return "the line ends with a defender's move" if moves else "the line is empty"


class _Replay:
    """One walk through a proof tree.

    A node that is met again as the same object, in the same position, is not replayed again: its length counts. A node
    with a number must be met in one position only, or a short file could ask for a replay without end. So a
    tree whose equal subtrees are shared takes as long as it has different nodes. What may be missed in it is a position
    that occurs for the fourth time, half of the times before the subtree and half inside; but then the position occurs
    in a subtree of its own proof, which is a shorter proof of the same. A tree that ends proves the mate all the same.

    A proof may be deeper than Python's recursion limit, so the walk keeps a stack of its own: of generators, each of
    which replays one node and yields the generators of the nodes below it.
    """

    def __init__(self, useless_left_out: bool, numbered: dict[int, object]) -> None:
        self.useless_left_out = useless_left_out
        self.numbered = numbered
        self.nodes = 0
        self.plies = 0
        self.problems: list[str] = []
        self.on_line: Counter[BoardKey] = Counter()  # how often each position occurs in the current line
        self.lengths: dict[tuple[int, BoardKey], int] = {}  # of the nodes replayed without a fault, by identity
        self.places: dict[int, BoardKey] = {}  # of the nodes with a number

    def run(self, root: ReferenceBoard, proof: object, claimed: int | None) -> CheckReport:
        stack: list[_Walk] = [self._replay(root, proof, None, 1, [])]
        while stack and len(self.problems) < MOST_PROBLEMS:
            below = next(stack[-1], None)
            if below is None:
                stack.pop()
            else:
                stack.append(below)
        if claimed is not None and self.plies > claimed:
            self.problems.append(f"the longest line has {self.plies} plies, {claimed} are claimed")
        return CheckReport(self.nodes, self.plies, tuple(self.problems[:MOST_PROBLEMS]))

    def _replay(self, board: ReferenceBoard, node: object, line: Line, ply: int, lengths: list[int]) -> "_Walk":
        """Replay the attacker node `node` on `board`, which was reached by `line`; add its length to `lengths`."""
        # 1. The node must have the right form.
        if ply > LONGEST_PROOF:
            self.problems.append(say(line, f"the proof is deeper than {LONGEST_PROOF} plies"))
            return
        node = follow_reference(node, self.numbered)
        try:
            move, replies, useless = read_node(node, self.useless_left_out)
        except ValueError as error:
            self.problems.append(say(line, str(error)))
            return
        here = (id(node), board.key())
        if isinstance(node, dict) and "id" in node and self.places.setdefault(node["id"], here[1]) != here[1]:
            self.problems.append(say(line, f"node {node['id']} stands for two positions"))
            return
        if here in self.lengths:
            lengths.append(self.lengths[here])
            self.plies = max(self.plies, ply + lengths[-1] - 1)
            return
        # 2. The attacker's move must be a legal check, and no forbidden repetition.
        faults = len(self.problems)
        self.nodes += 1
        self.plies = max(self.plies, ply)
        if not board.is_legal(move):
            self.problems.append(say(line, f"attacker's move {quote(move)} is not legal"))
            return
        after = board.after(move)
        if not after.in_check():
            self.problems.append(say(line, f"attacker's move '{move}' is not a check"))
            return
        positions = (here[1], after.key())
        if any(self.on_line[position] == 3 for position in positions):
            self.problems.append(say(line, f"'{move}' repeats a position for the fourth time: perpetual check loses"))
            return
        # 3. What the defender can do.
        self.on_line.update(positions)
        below: list[int] = []
        yield from self._replay_replies(after, replies, useless, (line, move), ply, below)
        self.on_line.subtract(positions)
        lengths.append(1 + max(below, default=0))
        if len(self.problems) == faults:
            self.lengths[here] = lengths[-1]

    def _replay_replies(
        self,
        board: ReferenceBoard,
        replies: dict[str, object],
        useless: dict[str, object],
        line: Line,
        ply: int,
        lengths: list[int],
    ) -> "_Walk":
        """Replay all evasions on `board`, which stands after `ply` plies; add the longest one's length to `lengths`."""
        # 1. They must be all the evasions and nothing else.
        evasions = board.evasions()
        known = {**replies, **useless}
        if missing := [evasion for evasion in evasions if evasion not in known]:
            end = "" if known else "; the move does not mate"
            self.problems.append(say(line, f"evasions without an answer: {list_moves(missing)}{end}"))
        if extra := [reply for reply in known if reply not in evasions]:
            end = "" if evasions else "; the move mates"
            self.problems.append(say(line, f"replies that are not legal evasions: {list_moves(extra)}{end}"))
        if twice := [reply for reply in useless if reply in replies]:
            self.problems.append(say(line, f"replies that are answered and called useless: {list_moves(twice)}"))
        # 2. Each of them must be answered.
        below: list[int] = []
        for evasion in evasions:
            if evasion in replies:
                self.nodes += 1
                yield self._replay(board.after(evasion), replies[evasion], (line, evasion), ply + 2, below)
        longest = 1 + max(below) if below else 0
        lengths.append(longest)
        # 3. The useless ones must be useless by the longest of the others.
        for evasion in evasions:
            if evasion in useless:
                self.nodes += 1
                yield from self._replay_useless(board, evasion, useless[evasion], line, ply, longest)

    def _replay_useless(
        self, board: ReferenceBoard, evasion: str, answer: object, line: Line, ply: int, longest: int
    ) -> "_Walk":
        """Replay `answer`, which is to show that `evasion` on `board` is useless where others last `longest` plies."""
        line = (line, evasion)
        square = square_from_name(evasion[2:4])
        moves_king = "*" not in evasion and kind_of(board.board[square_from_name(evasion[:2])]) == KING
        if moves_king or board.board[square] != EMPTY:
            self.problems.append(say(line, "it is called useless, but it does not interpose"))
            return
        try:
            capture, replies, useless = read_node(answer, True, "capture")
        except ValueError as error:
            self.problems.append(say(line, str(error)))
            return
        after = board.after(evasion)
        if not after.is_legal(capture) or "*" in capture or capture[2:4] != evasion[2:4]:
            self.problems.append(say(line, f"{quote(capture)} is no legal capture of the interposed piece"))
            return
        taken = after.after(capture)
        if find_king(taken.board, taken.side) not in attacked_squares(taken.board, square):
            self.problems.append(say(line, f"the capture '{capture}' does not give check with its own piece"))
            return
        below: list[int] = []
        returned = _with_piece_returned(taken, kind_of(after.board[square]))
        yield from self._replay_replies(returned, replies, useless, (line, capture), ply, below)
        if max(below, default=0) > longest:
            text = f"not useless: without the piece it is mate in {max(below)}, the other replies last {longest}"
            self.problems.append(say(line, text))


_Walk = Iterator["_Walk"]


def root_or_problem(sfen: str, strict: bool) -> ReferenceBoard | str:
    """Return the board of `sfen`, or what is wrong with it; `strict` as in `parse_sfen`."""
    try:
        placement = parse_sfen(sfen, strict)
    except InvalidPositionError as error:
        return str(error)
    if placement.king_square(1 - placement.side) == NO_SQUARE:
        return f"sfen {shorten(sfen)}: the defender has no king, so there is nothing to mate"
    return ReferenceBoard(placement)


def _with_piece_returned(board: ReferenceBoard, kind: int) -> ReferenceBoard:
    """Return `board`, the defender's to move, with a piece that was captured as `kind` back in his hand."""
    unpromoted = kind - PROMOTED if kind > KING else kind
    hands = [list(hand) for hand in board.hands]
    hands[1 - board.side][unpromoted] -= 1
    hands[board.side][unpromoted] += 1
    first, second = (tuple(hand) for hand in hands)
    return ReferenceBoard(Placement(board.board, (first, second), board.side, board.move_number))
