"""Whatever a file holds, reading it ends, in problems and errors with a text, never in a traceback."""

import random

import pytest
from rsshogi.record import Record

from hisshi.lab.problem import BadProblem, Problem
from hisshi.lab.problems import read_problems

DIAGRAM = "6gnl/4+P1sk1/4B1pp1/8p/9/9/9/9/9 b GS 1"
RECORD = Record.from_usi_main_line(DIAGRAM, ["5c3a+", "2b3a", "G*1b"])
SAMPLES = {
    ".kif": RECORD.to_kif(),
    ".ki2": RECORD.to_ki2(),
    ".csa": RECORD.to_csa(),
    ".jkf": RECORD.to_jkf(),
    ".bod": RECORD.to_kif().split("手数")[0],
    ".sfen": f"# one\n{DIAGRAM}\nposition startpos moves 7g7f 3c3d\n",
    ".tsv": f"# id\tsfen\tplies\nx\t{DIAGRAM}\t3\ny\t{DIAGRAM}\t\n",
}
PIECES = (
    "",
    "同",
    "金",
    "打",
    "\n",
    "\t",
    "\uff19",
    "\0",
    "(",
    "+",
    "/",
    "k",
    "99",
    "\x1b[31m",
    "\ud800",
    "{",
    '"',
    "%",
)


def assert_readable_or_explained(path):
    items = list(read_problems([str(path)]))
    assert items
    for item in items:
        assert isinstance(item, Problem | BadProblem)
        if isinstance(item, BadProblem):
            assert item.error.strip()
            assert "\n" not in item.error


@pytest.mark.parametrize("suffix", SAMPLES)
def test_a_file_with_changed_characters_is_read_or_explained(tmp_path, suffix):
    dice = random.Random(suffix)
    path = tmp_path / f"broken{suffix}"
    for _ in range(150):
        characters = list(SAMPLES[suffix])
        for _ in range(dice.randint(1, 10)):
            characters[dice.randrange(len(characters))] = dice.choice(PIECES)
        encoding = dice.choice(("utf-8", "cp932", "utf-16"))
        path.write_bytes("".join(characters).encode(encoding, errors="replace"))
        assert_readable_or_explained(path)


@pytest.mark.parametrize("suffix", SAMPLES)
def test_a_file_that_ends_early_is_read_or_explained(tmp_path, suffix):
    data = SAMPLES[suffix].encode("cp932")
    path = tmp_path / f"short{suffix}"
    for length in range(0, len(data), max(1, len(data) // 60)):
        path.write_bytes(data[:length])
        assert_readable_or_explained(path)


@pytest.mark.parametrize("suffix", [*SAMPLES, ".txt", ""])
def test_random_bytes_are_explained(tmp_path, suffix):
    dice = random.Random(suffix)
    path = tmp_path / f"noise{suffix}"
    for size in (1, 2, 3, 50, 1000, 20_000):
        path.write_bytes(dice.randbytes(size))
        assert_readable_or_explained(path)
        path.write_bytes(bytes(dice.choice(b"k9/ bw-1\tG\n#") for _ in range(size)))
        assert_readable_or_explained(path)


@pytest.mark.parametrize("suffix", SAMPLES)
@pytest.mark.parametrize("unit", ["9", "/", "金", "[", '{"a":', "変化\uff1a1手\n", "+7776FU\n", "7g7f "])
def test_a_huge_monotonous_file_is_explained(tmp_path, suffix, unit):
    path = tmp_path / f"huge{suffix}"
    path.write_text(unit * (2_000_000 // len(unit)), encoding="utf-8")
    items = read_problems([str(path)])
    for _, item in zip(range(20), items, strict=False):
        assert isinstance(item, Problem | BadProblem)
