"""King freedom, classical and modified: which of the squares round a king its enemy leaves free."""

import pytest

from hisshi.core import Position, Registry
from hisshi.core.kernel.pieces import BLACK, WHITE


@pytest.fixture(scope="module")
def kernels():
    runs = {
        name: Registry.load().compose("mate", {"king_freedom": name, "table.megabytes": "0.001"})
        for name in ("classical", "modified")
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


@pytest.mark.parametrize("sfen", [row[0] for row in COUNTS])
def test_both_colours_are_counted_alike(count, sfen):
    for name in ("classical", "modified"):
        assert count(name, sfen, WHITE) == count(name, flipped(sfen), BLACK)


def test_the_modified_count_is_the_classical_one_less_the_edge_squares_beyond_the_first(count):
    from hisshi.core.movement import is_attacked
    from hisshi.core.sfen import parse_sfen

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
