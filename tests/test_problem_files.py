"""Problem files with one problem a line: what is a problem, what is a bad line, what is a bad file."""

from io import BytesIO

import pytest
from click.testing import CliRunner

from hisshi.core.errors import ProblemFileError
from hisshi.lab import bundled, problems
from hisshi.lab.problem import BadProblem, Problem
from hisshi.lab.problem_lines import LONGEST_LINE, read_line_problems

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def read(text, form=None):
    data = text if isinstance(text, bytes) else text.encode()
    return list(read_line_problems(BytesIO(data), "problems.txt", form))


def test_a_line_is_an_sfen_or_a_usi_position_and_comments_are_left_out():
    found = read(f"# easy\n{MATE_IN_ONE}\n\n  # more\nsfen {MATE_IN_ONE}\nposition startpos moves 7g7f 3c3d\n")
    assert [item.line for item in found] == [2, 5, 6]
    assert found[0] == Problem("problems:2", MATE_IN_ONE, file="problems.txt", line=2)
    assert found[1].sfen == MATE_IN_ONE
    assert found[2].sfen.endswith(" b - 3")


def test_a_position_with_moves_is_the_position_after_them():
    (item,) = read("position startpos moves 7g7f 3c3d 8h2b+ 3a2b")
    assert item.sfen == "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5"


def test_an_illegal_move_is_reported_with_its_line_and_stops_nothing():
    bad, good = read(f"# id\tsfen\na\tstartpos moves 7g7f+\nb\t{MATE_IN_ONE}\n")
    assert isinstance(bad, BadProblem)
    assert bad.id == "a"
    assert bad.error.startswith("problems.txt, line 2: move '7g7f+' is not legal in this position")
    assert good.id == "b"


def test_table_columns_go_by_the_names_in_the_first_line():
    (item,) = read(f"# plies (strict)\torigin\tsfen\tid\n1\tby hand\t{MATE_IN_ONE}\tx\n")
    assert item == Problem("x", MATE_IN_ONE, 1, "problems.txt", 2, {"origin": "by hand"})


@pytest.mark.parametrize("cell", ["", "-", " "])
def test_a_table_need_not_know_the_length(cell):
    assert read(f"# id\tsfen\tplies\nx\t{MATE_IN_ONE}\t{cell}\n")[0].plies is None


@pytest.mark.parametrize("cell", ["three", "-3", "3.5", "\uff13", "9" * 30])
def test_a_length_is_a_whole_number(cell):
    (item,) = read(f"# id\tsfen\tplies\nx\t{MATE_IN_ONE}\t{cell}\n")
    assert "plies is" in item.error


def test_a_row_may_be_shorter_than_the_header_but_not_longer():
    short, long = read(f"# id\tsfen\tplies\nx\t{MATE_IN_ONE}\ny\t{MATE_IN_ONE}\t1\tmore\n")
    assert short.plies is None
    assert long.error == "problems.txt, line 3: 4 columns, expected at most 3: id, sfen, plies"


def test_a_table_without_a_header_is_refused_with_an_example_of_one():
    with pytest.raises(
        ProblemFileError, match=r"line 2: no header before it; expected a first line such as '# id<TAB>"
    ):
        read(f"# just a comment\nx\t{MATE_IN_ONE}\n", form="tsv")


def test_the_first_line_tells_a_table_from_plain_lines():
    assert read(f"# id\tsfen\nx\t{MATE_IN_ONE}\n")[0].id == "x"
    assert read(f"{MATE_IN_ONE}\n")[0].id == "problems:1"


def test_rows_with_equal_ids_are_all_kept():
    assert [item.id for item in read(f"# id\tsfen\nx\t{MATE_IN_ONE}\nx\t{MATE_IN_ONE}\n")] == ["x", "x"]


@pytest.mark.parametrize("text", ["", "\n\n \n", "# only\n# comments\n", "\ufeff", "# id\tsfen\n"])
def test_a_file_without_problems_is_refused(text):
    with pytest.raises(ProblemFileError, match=r"empty|only comments"):
        read(text)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm():
    assert read(b"\xef\xbb\xbf" + f"# id\tsfen\r\nx\t{MATE_IN_ONE}\r\n".encode())[0].sfen == MATE_IN_ONE


def test_a_line_in_another_encoding_is_one_bad_line():
    bad, good = read(b"# id\tsfen\n" + "詰\t4k4\n".encode("cp932") + f"詰\t{MATE_IN_ONE}\n".encode())
    assert "line 2: byte 1 of the line is not UTF-8" in bad.error
    assert good.id == "詰"


def test_a_line_longer_than_any_problem_is_skipped_without_being_held():
    bad, good = read(b"4k4" + b"9" * (3 * LONGEST_LINE) + b"\n" + MATE_IN_ONE.encode())
    assert "line 1: longer than" in bad.error
    assert good.line == 2


def test_lines_are_read_only_as_they_are_asked_for():
    class Endless(BytesIO):
        def readline(self, *_):
            return MATE_IN_ONE.encode() + b"\n"

    found = read_line_problems(Endless(), "pipe")
    assert next(found).line == 1
    assert next(found).line == 2


def read_arguments(*arguments):
    return list(problems.read_problems(arguments))


def test_an_argument_that_is_no_file_is_a_position():
    assert read_arguments(MATE_IN_ONE) == [Problem("position 1", MATE_IN_ONE)]


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("nowhere.tsv", "no such file"),
        ("nowhere.kif", "no such file"),
        ("4k4/9/4P4/9/9/9/9/9/9", "put the whole SFEN in quotes"),
        ("mate-sampel", "neither a file, nor a position in quotes, nor a bundled set"),
        ("bundled:nothing", "no such bundled set"),
        ("", "neither a file"),
        ("\0", "neither a file"),
        ("a" * 5000, "neither a file"),
        ("9/9/9 b - 1", "3 ranks"),
    ],
)
def test_an_argument_that_is_nothing_is_an_error_with_a_next_step(argument, says):
    (item,) = read_arguments(argument)
    assert isinstance(item, BadProblem)
    assert says in item.error


def test_a_bad_argument_does_not_stop_the_next_one(tmp_path):
    good = tmp_path / "good.sfen"
    good.write_text(MATE_IN_ONE)
    kinds = [type(item) for item in read_arguments("nowhere.sfen", str(tmp_path), str(good))]
    assert kinds == [BadProblem, BadProblem, Problem]


def test_a_folder_is_refused_with_a_pattern_for_its_files(tmp_path):
    assert "a folder; name the files in it" in read_arguments(str(tmp_path))[0].error


@pytest.mark.parametrize("name", ["x.sfen", "x.tsv", "x.txt", "x"])
def test_a_binary_file_is_refused_at_once(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"\x7fELF\0\0\1" * 100)
    (item,) = read_arguments(str(path))
    assert "a binary file" in item.error


def test_an_unreadable_file_says_why(tmp_path, monkeypatch):
    path = tmp_path / "locked.sfen"
    path.write_text(MATE_IN_ONE)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    assert read_arguments(str(path))[0].error.endswith("cannot be read: Permission denied")


def test_standard_input_is_read_as_a_table_or_as_lines(monkeypatch):
    for text, identity in ((f"# id\tsfen\nx\t{MATE_IN_ONE}\n", "x"), (MATE_IN_ONE, "standard input:1")):
        with CliRunner().isolation(input=text):
            assert read_arguments("-")[0].id == identity


def test_bundled_sets_are_found_by_name_with_or_without_prefix_and_suffix(tmp_path, monkeypatch):
    (tmp_path / "easy.tsv").write_text(f"# id\tsfen\nx\t{MATE_IN_ONE}\n")
    (tmp_path / "README.md").write_text("about")
    monkeypatch.setattr(bundled, "bundled_problems", lambda: tmp_path)
    assert list(bundled.bundled_sets()) == ["easy"]
    for name in ("easy", "easy.tsv", "bundled:easy", "bundled:easy.tsv"):
        assert read_arguments(name)[0].id == "x"
    assert "did you mean 'easy'?" in read_arguments("bundled:esy")[0].error


def test_every_bundled_mate_can_be_read():
    sets = [path for name, path in bundled.bundled_sets().items() if name.startswith(("mate-", "tsume-"))]
    assert sets
    for path in sets:
        assert all(isinstance(item, Problem) and item.plies for item in problems.read_file(path))
