"""King freedom: which squares its enemy leaves a king, round him (classical, modified) or within two steps."""

import pytest

from hisshi.core import Position, Registry
from hisshi.core.kernel.pieces import BLACK, WHITE
from hisshi.core.movement import is_attacked
from hisshi.core.sfen import parse_sfen


@pytest.fixture(scope="module")
def kernels():
    runs = {
        name: Registry.load().compose("mate", {"king_freedom": name, "table.megabytes": "0.001"})
        for name in ("classical", "modified", "reachable")
    }
    parts = {name: run.root.parts["move_order"].parts["king_freedom"] for name, run in runs.items()}
    return {name: (part.plugin.kernel, part.context, runs[name]) for name, part in parts.items()}


@pytest.fixture
def count(kernels):
    def counted(name, sfen, colour=WHITE):
        kernel, context, _ = kernels[name]
        position = Position.from_sfen(sfen)
        before = position.record.tobytes()
        free = kernel(context, position.record, colour)
        assert position.record.tobytes() == before
        return int(free)

    return counted


def flipped(sfen):
    """The same position seen from the other side, colours exchanged."""
    board, side, hands, number = sfen.split()
    cells = [[]]
    for letter in board:
        if letter == "/":
            cells.append([])
        elif cells[-1] and cells[-1][-1] == "+":
            cells[-1][-1] += letter
        else:
            cells[-1].append(letter)
    turned = "/".join("".join(reversed(row)) for row in reversed(cells)).swapcase()
    return f"{turned} {'w' if side == 'b' else 'b'} {hands.swapcase()} {number}"


# Positions with white's king, and the classical and the modified count.
COUNTS = [
    ("9/9/9/9/4k4/9/9/9/9 b - 1", 8, 8),  # 5e
    ("9/4k4/9/9/9/9/9/9/9 b - 1", 8, 6),  # 5b: three edge squares count once
    ("9/7k1/9/9/9/9/9/9/9 b - 1", 8, 4),  # 2b: five edge squares count once
    ("4k4/9/9/9/9/9/9/9/9 b - 1", 5, 4),  # 5a: two on the edge, three below
    ("8k/9/9/9/9/9/9/9/9 b - 1", 3, 2),  # 1a
    ("9/9/9/9/9/9/9/9/9 b - 1", 8, 8),  # no king
    ("9/4k4/9/9/4R4/9/9/9/9 w - 1", 6, 5),  # the file is attacked through the king, which is lifted: 5c and 5a
    (
        "9/4k4/4G4/9/9/9/9/9/9 w - 1",
        4,
        2,
    ),  # the gold on 5c attacks two beside and two behind the king, not its own square
    ("9/4k4/4G4/4G4/9/9/9/9/9 w - 1", 3, 1),  # backed up by the gold on 5d: 5c, too
    ("9/3gsg3/3sks3/3gng3/9/9/9/9/9 b - 1", 8, 8),  # own pieces do not matter
    ("9/4k4/9/9/B8/B8/9/9/9 w - 1", 4, 4),  # two bishops, one of them through the king
    ("R8/4k4/9/9/9/9/9/9/9 b - 1", 5, 5),  # the whole edge is attacked
]


@pytest.mark.parametrize(("sfen", "classical", "modified"), COUNTS)
def test_free_squares_are_counted_as_the_text_says(count, sfen, classical, modified):
    assert (count("classical", sfen), count("modified", sfen)) == (classical, modified)


def test_the_three_kings_of_the_texts_first_figure_have_freedoms_8_6_and_4(count):
    figure = [f"{rows} b - 1" for rows in ("9/9/9/9/4k4/9/9/9/9", "9/4k4/9/9/9/9/9/9/9", "9/7k1/9/9/9/9/9/9/9")]
    assert [count("classical", sfen) for sfen in figure] == [8, 8, 8]
    assert [count("modified", sfen) for sfen in figure] == [8, 6, 4]


@pytest.mark.parametrize("sfen", [row[0] for row in COUNTS])
def test_both_colours_are_counted_alike(count, sfen):
    for name in ("classical", "modified", "reachable"):
        assert count(name, sfen, WHITE) == count(name, flipped(sfen), BLACK)


def test_the_modified_count_is_the_classical_one_less_the_edge_squares_beyond_the_first(count):
    for sfen, *_ in COUNTS[:5] + COUNTS[6:]:
        placement = parse_sfen(sfen)
        king = placement.king_square(WHITE)
        lifted = [*placement.board]
        lifted[king] = 0
        free = [
            (file, rank)
            for file in range(king // 9 - 1, king // 9 + 2)
            for rank in range(king % 9 - 1, king % 9 + 2)
            if 0 <= file < 9 and 0 <= rank < 9 and file * 9 + rank != king
            and not is_attacked(tuple(lifted), file * 9 + rank, by=BLACK)
        ]  # fmt: skip
        edge = sum(file in (0, 8) or rank in (0, 8) for file, rank in free)
        assert count("classical", sfen) == len(free)
        assert count("modified", sfen) == len(free) - max(0, edge - 1)


# Positions with white's king, the squares that he could come to within two steps, and a third of that, rounded up.
REACHABLE = [
    ("9/9/9/9/4k4/9/9/9/9 b - 1", 24, 8),  # 5e, the middle of an open board
    ("9/4k4/9/9/9/9/9/9/9 b - 1", 19, 7),  # 5b: one rank less
    ("9/7k1/9/9/9/9/9/9/9 b - 1", 15, 5),  # 2b: one file less, too
    ("8k/9/9/9/9/9/9/9/9 b - 1", 8, 3),  # 1a
    ("9/3gsg3/3sks3/3gng3/9/9/9/9/9 b - 1", 0, 0),  # his own pieces are in the way, unlike in the other counts
    ("9/9/9/9/8k/9/9/9/7R1 b - 1", 4, 2),  # file 2 is the rook's: 1d and 1f, 1c and 1g
    ("8k/6G2/9/9/9/9/9/9/9 b - 1", 3, 1),  # 1b, and from there 1c and 2c; 2a and 2b are the gold's
    ("8k/7P1/9/9/9/9/9/9/9 b - 1", 7, 3),  # 1b, and 2b by taking the pawn; 2a stays the pawn's; five beyond
    ("8k/7P1/7L1/9/9/9/9/9/9 b - 1", 3, 1),  # the pawn is backed up: 1b, and from there 1c, and 2c by taking the lance
    ("9/9/9/9/9/9/9/9/9 b - 1", None, 8),  # no king
]


@pytest.mark.parametrize(("sfen", "squares", "free"), REACHABLE)
def test_a_third_of_the_squares_within_two_steps_is_counted(count, sfen, squares, free):
    assert count("reachable", sfen) == free
    if squares is not None:
        assert len(within_two_steps(sfen)) == squares


@pytest.mark.parametrize("sfen", [row[0] for row in COUNTS if "k" in row[0]])
def test_the_count_within_two_steps_is_that_of_a_plain_walk(count, sfen):
    assert count("reachable", sfen) == -(-len(within_two_steps(sfen)) // 3)


def within_two_steps(sfen):
    """Walk white's king two steps by the slow rules; return the squares that he comes to, without his own."""
    placement = parse_sfen(sfen)
    king = placement.king_square(WHITE)
    lifted = [*placement.board]
    lifted[king] = 0
    squares = {king}
    for _ in range(2):
        squares |= {
            file * 9 + rank
            for square in squares
            for file in range(max(square // 9 - 1, 0), min(square // 9 + 2, 9))
            for rank in range(max(square % 9 - 1, 0), min(square % 9 + 2, 9))
            if lifted[file * 9 + rank] < 16 and not is_attacked(tuple(lifted), file * 9 + rank, by=BLACK)
        }
    return squares - {king}
