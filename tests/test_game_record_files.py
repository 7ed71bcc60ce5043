"""KIF, KI2, CSA, JKF and BOD: which position of a record is the problem, and in which encodings it may come."""

import json

import pytest
from rsshogi.core import Board
from rsshogi.record import Record

from hisshi.core.errors import ProblemFileError
from hisshi.lab.game_records import decode_record, read_record_problems
from hisshi.lab.problem import BadProblem, Problem
from hisshi.lab.problems import read_problems

DIAGRAM = "6gnl/4+P1sk1/4B1pp1/8p/9/9/9/9/9 b GS 1"
MOVES = ["5c3a+", "2b3a", "G*1b"]


def tsume(ending=""):
    return Record.from_usi_main_line(DIAGRAM, MOVES).to_kif() + ending


def read(text, suffix):
    return list(read_record_problems(text.encode(), f"x{suffix}", suffix, "x"))


@pytest.mark.parametrize("suffix", [".kif", ".ki2", ".csa", ".jkf"])
def test_a_record_that_starts_from_a_diagram_is_the_diagram_with_its_solution(suffix):
    record = Record.from_usi_main_line(DIAGRAM, MOVES)
    (problem,) = read(getattr(record, f"to_{suffix[1:]}")(), suffix)
    assert problem.id == "x"
    assert problem.sfen == DIAGRAM
    assert problem.extra == {"line": " ".join(MOVES)}
    assert problem.plies is None


def test_a_solution_that_ends_in_mate_claims_its_length():
    (problem,) = read(tsume("   4 詰み\n"), ".kif")
    assert problem.plies == 3


def test_a_diagram_alone_is_a_problem():
    sfen = "6gnl/4+P1sk1/4B1pp1/8p/9/9/9/9/9 w SG 1"
    (problem,) = read(Board(sfen).to_bod(), ".bod")
    assert problem.sfen.split()[:2] == sfen.split()[:2]


def test_a_game_from_the_opening_position_is_the_position_at_its_end():
    (problem,) = read("V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n", ".csa")
    assert problem.sfen == "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
    assert problem.extra == {"game": "7g7f 3c3d"}


def test_a_csa_file_may_hold_several_games():
    found = read("V2.2\nPI\n+\n+7776FU\n/\nV2.2\nPI\n+\n+2726FU\n", ".csa")
    assert [item.id for item in found] == ["x:1", "x:2"]


@pytest.mark.parametrize("suffix", [".kif", ".ki2", ".csa", ".bod"])
@pytest.mark.parametrize("text", ["hello", "\0\0\0", "手合割\uff1a平手\n"])
def test_a_record_with_neither_diagram_nor_moves_is_no_problem(text, suffix):
    try:
        (item,) = read(text, suffix)
    except ProblemFileError:
        return
    assert isinstance(item, BadProblem)
    assert "no diagram and no moves found" in item.error


def test_an_illegal_move_is_counted_from_one():
    with pytest.raises(ProblemFileError, match="move 2 is not legal"):
        read(tsume().replace("2 同　玉(22)", "2 同　玉(99)"), ".kif")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "shift_jis"])
def test_records_are_read_in_the_encodings_that_programs_write(tmp_path, encoding):
    path = tmp_path / "x.KIF"
    path.write_bytes(tsume().encode(encoding))
    (problem,) = read_problems([str(path)])
    assert problem.sfen == DIAGRAM


def test_another_encoding_is_named_as_the_reason():
    with pytest.raises(ProblemFileError, match="neither UTF-8 nor Shift_JIS"):
        decode_record(b"\xff\xfe\x81", "x.kif")


def test_a_position_that_breaks_the_rules_is_refused_though_the_record_can_be_read():
    record = json.loads(Record.from_usi_main_line(DIAGRAM, []).to_jkf())
    record["initial"]["data"]["board"][8][8] = {"color": 1, "kind": "OU"}
    with_two_kings = read_or_error(json.dumps(record), ".jkf")
    assert "king" in with_two_kings or "not a readable JKF record" in with_two_kings


def read_or_error(text, suffix):
    try:
        (item,) = read(text, suffix)
    except ProblemFileError as error:
        return str(error)
    return item.error


def test_a_panic_of_the_reader_is_an_error_of_the_file(monkeypatch):
    panic = type("PanicException", (BaseException,), {})

    def give_up(*_):
        raise panic("index out of bounds")

    monkeypatch.setattr("rsshogi.record.Record", type("Record", (), {"from_kif_str": staticmethod(give_up)}))
    with pytest.raises(ProblemFileError, match="the reader gave up on it"):
        read(tsume(), ".kif")


def test_ctrl_c_during_reading_is_no_error_of_the_file(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("rsshogi.record.Record", type("Record", (), {"from_kif_str": staticmethod(interrupt)}))
    with pytest.raises(KeyboardInterrupt):
        read(tsume(), ".kif")


@pytest.mark.parametrize("moves", ["▲７六歩打", "▲７六歩 打 ▲２二角成", "▲７六歩 △３四歩 ▲５五銀打", "▲５五角打"])
def test_a_drop_of_a_piece_that_is_not_in_hand_ends_the_file_and_not_the_program(tmp_path, moves):
    path = tmp_path / "x.ki2"
    path.write_text(moves, encoding="utf-8")
    (problem,) = read_problems([str(path)])
    assert isinstance(problem, BadProblem)
    assert "打" in problem.error


def test_a_drop_in_a_ki2_record_is_read(tmp_path):
    path = tmp_path / "x.ki2"
    path.write_text("▲７六歩 △３四歩 ▲２二角成 △同　銀 ▲５五角打", encoding="utf-8")
    (problem,) = read_problems([str(path)])
    assert isinstance(problem, Problem)
    assert "B*5e" in problem.extra["game"]
