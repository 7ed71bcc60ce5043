"""Every row of problems/rules.tsv, by the plain rules and by the kernel; plain perft and rsshogi's answers."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import rsshogi.core
from kernel_board import KernelBoard

from hisshi.core.errors import InvalidPositionError
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import START_SFEN, format_sfen, parse_sfen

Board = ReferenceBoard | KernelBoard

PROBLEMS = Path(__file__).resolve().parent.parent / "problems"


def rows(name: str) -> list[dict[str, str]]:
    head, *lines = (PROBLEMS / name).read_text(encoding="utf-8").splitlines()
    names = head.removeprefix("# ").split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines if line and not line.startswith("#")]


# The bundled rule file: every row.


def mates_within(position: Board, plies: int, known: dict[object, bool] | None = None) -> bool:
    """Whether the side to move mates by checks alone in at most `plies` plies, found by trying everything."""
    known = {} if known is None else known
    key = (position.key(), plies)
    if key not in known:
        afters = [position.after(move) for move in position.checks()]
        known[key] = any(not after.has_legal_move() for after in afters) or (
            plies > 1
            and any(all(mates_within(after.after(e), plies - 2, known) for e in after.evasions()) for after in afters)
        )
    return known[key]


def mate_length(position: Board, most: int) -> int | None:
    known: dict[object, bool] = {}
    return next((plies for plies in range(1, most + 1, 2) if mates_within(position, plies, known)), None)


def listed_line(position: Board, text: str) -> Iterator[Board]:
    """The positions after each move of a line, in which every second move has to be a check."""
    for number, move in enumerate(text.split()):
        position = position.play(move)
        assert position.in_check() or number % 2 == 1
        yield position


USI = r"(?:[1-9][a-i]){2}\+?|[PLNSBRG]\*[1-9][a-i]"
Row = dict[str, str]


def rule_illegal(position: Board, row: Row, match: re.Match[str]) -> None:
    forbidden = re.findall(USI, match[0])
    assert forbidden
    assert not [move for move in forbidden if position.is_legal(move)]


def rule_legal(position: Board, row: Row, match: re.Match[str]) -> None:
    assert position.is_legal(match[1])
    mates = "mate" in row["expectation"].replace("pawn-drop mate", "")
    assert position.play(match[1]).is_mated() == mates


def rule_mate_in(position: Board, row: Row, match: re.Match[str]) -> None:
    length = int(match[1])
    if length <= 7:
        assert mate_length(position, length) == length
    else:  # too long to try everything here
        assert mate_length(position, 5) is None


def rule_no_mate(position: Board, row: Row, match: re.Match[str]) -> None:
    assert mate_length(position, 3 if "within 3" in match[0] else 9) is None


def rule_last_defence_is_futile(position: Board, row: Row, match: re.Match[str]) -> None:
    *_, last = listed_line(position, row["line"])
    assert last.in_check()
    assert last.evasions()
    for evasion in last.evasions():
        assert evasion[1] == "*"
        square = evasion[2:]
        recaptures = [check for check in last.after(evasion).checks() if check[2:4] == square]
        assert any(last.after(evasion).after(check).is_mated() for check in recaptures)


def rule_countercheck(position: Board, row: Row, match: re.Match[str]) -> None:
    answered = [position.after(check) for check in position.checks()]
    assert any(after.is_legal(match[1]) and after.gives_check(match[1]) for after in answered)


def rule_threat(position: Board, row: Row, match: re.Match[str]) -> None:
    assert not position.in_check()
    board_text, side, rest = position.sfen().split(maxsplit=2)
    passed = type(position).from_sfen(f"{board_text} {'w' if side == 'b' else 'b'} {rest}", strict=False)
    assert passed.play(match[1]).is_mated()


def rule_count(position: Board, row: Row, match: re.Match[str]) -> None:
    assert len(position.legal_moves()) == int(match[1])


RULES: list[tuple[str, Callable[[Board, Row, re.Match[str]], None]]] = [
    (r"^illegal .*", rule_illegal),
    (rf"^{USI} illegal without .*", rule_illegal),
    (rf"^legal ({USI})", rule_legal),
    (r"P drops on file 9 illegal", lambda p, row, match: rule_no_pawn_drop_on_file_9(p)),
    (r"(\d+) legal moves", rule_count),
    (r"perft\(2\)=(\d+)", lambda p, row, match: rule_perft_2(p, int(match[1]))),
    (r"^mate in (\d+)", rule_mate_in),
    (r"strict ply count (\d+)", rule_mate_in),
    (r"^no mate.*", rule_no_mate),
    (r"^mate; labelled", lambda p, row, match: rule_mate_somewhere(p)),
    (r"^listed line: checks throughout, ends in mate", lambda p, row, match: rule_line(p, row["line"])),
    (r"^final position still has only interposing drops", rule_last_defence_is_futile),
    (rf"\(({USI}) is a counter-check\)", rule_countercheck),
    (rf"mates in 1 \(({USI})\)", rule_threat),
    (r"not in check", lambda p, row, match: rule_in_check(p, False)),
    (r"(?:^side to move is|white) in check", lambda p, row, match: rule_in_check(p, True)),
]


def rule_no_pawn_drop_on_file_9(position: Board) -> None:
    assert not [move for move in position.legal_moves() if move.startswith("P*9")]


def rule_perft_2(position: Board, count: int) -> None:
    assert position.perft(2) == count


def rule_mate_somewhere(position: Board) -> None:
    assert mate_length(position, 7) is not None


def rule_line(position: Board, text: str) -> None:
    *_, last = listed_line(position, text)
    assert last.is_mated()


def rule_in_check(position: Board, expected: bool) -> None:
    assert position.in_check() == expected


@pytest.mark.parametrize("board", [ReferenceBoard, KernelBoard], ids=["plain rules", "kernel"])
@pytest.mark.parametrize("row", rows("rules.tsv"), ids=lambda row: row["id"])
def test_every_row_of_the_rule_file_holds(row, board):
    position = board.from_sfen(row["sfen"], strict=False)
    applied = [(rule, match) for pattern, rule in RULES if (match := re.search(pattern, row["expectation"]))]
    assert applied, f"no test understands '{row['expectation']}'"
    for rule, match in applied:
        rule(position, row, match)
    if row["line"] and not row["expectation"].startswith("final"):
        rule_line(position, row["line"])


def test_only_the_two_threat_rows_of_the_rule_file_need_loose_reading():
    refused = []
    for row in rows("rules.tsv"):
        try:
            parse_sfen(row["sfen"])
        except InvalidPositionError:
            refused.append(row["id"])
    assert refused == ["threat-yes-pass", "threat-not-when-in-check"]


# Node counts and another library.


def test_perft_counts_up_to_3000_are_those_of_the_bundled_file():
    small = [row for row in rows("perft.tsv") if int(row["count"]) <= 3000]
    assert len(small) > 200
    for row in small:
        assert (row["id"], ReferenceBoard.from_sfen(row["sfen"]).perft(int(row["depth"]))) == (
            row["id"],
            int(row["count"]),
        )


def assert_rsshogi_agrees(position: ReferenceBoard) -> None:
    other = rsshogi.core.Board(position.sfen())
    legal = position.legal_moves()
    assert sorted(legal) == sorted(move.to_usi() for move in other.legal_moves()), position.sfen()
    assert position.in_check() == other.is_in_check(), position.sfen()
    checks = []
    for move in legal:
        after = other.copy()
        after.apply_usi(move)
        if after.is_in_check():
            checks.append(move)
    assert sorted(position.checks()) == sorted(checks), position.sfen()
    assert set(position.evasions()) == (set(legal) if other.is_in_check() else set())


@pytest.mark.parametrize("seed", range(4))
def test_random_games_have_the_moves_and_checks_that_rsshogi_finds(seed):
    chance = random.Random(seed)
    position = ReferenceBoard.from_sfen(START_SFEN)
    for _ in range(120):
        assert_rsshogi_agrees(position)
        legal = position.legal_moves()
        if not legal:
            break
        position = position.after(chance.choice(legal))
        assert format_sfen(parse_sfen(position.sfen())) == position.sfen()


def test_positions_with_one_king_have_the_moves_and_checks_that_rsshogi_finds():
    chance = random.Random(0)
    for row in rows("rules.tsv") + [row for row in rows("perft.tsv") if row["id"].startswith("pyshogi")]:
        position = ReferenceBoard.from_sfen(row["sfen"], strict=False)
        for _ in range(4):
            assert_rsshogi_agrees(position)
            preferred = position.checks() or position.legal_moves()
            if not preferred:
                break
            position = position.after(chance.choice(preferred))


# Declined promotions.


def test_a_mate_that_exists_only_with_a_rook_that_does_not_promote():
    position = ReferenceBoard.from_sfen(
        "nk7/4p4/G2RB4/9/pn+r1N4/5P3/3P5/9/9 b b3g4sn4l14p 1"
    )  # the end of Shogi Muso 7
    assert mate_length(position, 7) == 7
    declined = "6c6a"
    for move in position.checks():
        after = position.after(move)
        mates = all(mates_within(after.after(evasion), 5) for evasion in after.evasions())
        assert mates == (move == declined)
    assert position.is_legal(declined + "+")
