"""``hisshi verify``: what holds, what does not, and what can't be read."""

import json
import lzma

import pytest
from click.testing import CliRunner

from hisshi.lab import deep_json
from hisshi.lab.cli import hisshi as cli

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
PROOF = {"move": "G*5b", "replies": {}}


@pytest.fixture
def verify(tmp_path):
    def call(*lines):
        path = tmp_path / "out.jsonl"
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        return CliRunner().invoke(cli, ["verify", str(path)], catch_exceptions=False)

    return call


def row(**changes):
    return {"id": "x", "sfen": MATE_IN_ONE, "verdict": "proven", "plies": 1, "proof": PROOF} | changes


def test_a_complete_proof_is_ok(verify):
    ran = verify(row())
    assert ran.exit_code == 0
    assert "line 1: x: ok, mate in 1 plies, 1 moves replayed" in ran.stdout


@pytest.mark.parametrize(
    "changes",
    [
        {"proof": {"move": "G*4a", "replies": {}}},  # a check, but not mate
        {"proof": {"move": "G*9i", "replies": {}}},
        {"proof": {"move": "7g7f", "replies": {}}},
        {"proof": {"move": "G*5b", "replies": {"5a4a": PROOF}}},
        {"proof": {"replies": {}}},
        {"proof": "yes"},
        {"proof": [1, 2]},
        {"proof": {"same_as": 1}},
        {"proof": {"move": "G*5b", "replies": {}, "id": "x"}},
        {"plies": 0},
        {"sfen": "nonsense"},
        {"proof": None},
        {"plies": 3, "length_is": "shortest"},
        {"moves": ["G*4b"]},
        {"moves": ["7g7f"]},
        {"moves": ["G*5b", "5a5b"]},
        {"moves": "G*5b"},
    ],
)
def test_a_proof_that_does_not_hold_is_named_and_sets_the_exit_status(verify, changes):
    ran = verify(row(**changes), row(id="good"))
    assert ran.exit_code == 1
    assert "line 2: good: ok" in ran.stdout
    assert "x: WRONG" in ran.stdout or "no proof is stored" in ran.stdout


@pytest.mark.parametrize("verdict", ["disproven", "unknown", None])
def test_lines_that_claim_nothing_need_no_proof(verify, verdict):
    assert verify(row(verdict=verdict, proof=None), row()).exit_code == 0
    assert verify(row(verdict=verdict, proof=None)).exit_code == 2


@pytest.mark.parametrize(
    "line", ["{", "[]", "3", '{"id": 1}', "\x00", '{"verdict": "proven", "proof": 1}', "[" * 100_000]
)
def test_a_line_that_is_no_result_is_an_error_and_the_next_is_still_checked(verify, line):
    ran = verify(line, row())
    assert ran.exit_code == 2
    assert "error: " in ran.stderr
    assert "line 2: x: ok" in ran.stdout


def test_files_that_cannot_be_read_are_errors(tmp_path):
    (tmp_path / "empty").write_text("")
    for name in ("missing", "empty", ""):
        ran = CliRunner().invoke(cli, ["verify", str(tmp_path / name)], catch_exceptions=False)
        assert ran.exit_code == 2
        assert "error: " in ran.stderr


def test_a_proof_of_thousands_of_plies_can_be_written_and_read():
    tree = PROOF
    for _ in range(4000):
        tree = {"move": "G*5b", "replies": {"5a4a": tree}}
    text = deep_json.dumps(tree)
    again = deep_json.loads(text)
    for _ in range(4000):
        again = again["replies"]["5a4a"]
    assert again == PROOF


def test_a_proof_without_end_is_an_error_not_a_crash():
    tree = {"move": "G*5b", "replies": {}}
    tree["replies"]["5a4a"] = tree
    with pytest.raises(RecursionError):
        deep_json.dumps(tree)


USELESS = {f"{kind}*2c": {"capture": "2e2c", "replies": {}} for kind in "PLNSRG"}
WITH_USELESS = {
    "id": "x",
    "sfen": "8l/7sk/7R1/6B2/9/8b/9/9/9 b Sr4g2s4n3l18p 1",
    "verdict": "proven",
    "plies": 3,
    "length_is": "shortest, useless interpositions left out",
    "moves": ["S*1c", "2b1c", "2c2e+"],  # no mate on the board: drops on 2c are left
    "proof": {
        "move": "S*1c",
        "replies": {
            "1b2a": {"move": "1c2b+", "replies": {}},
            "2b1c": {"move": "2c2e+", "replies": {}, "useless": USELESS},
        },
    },
}


def test_a_length_that_leaves_out_useless_interpositions_is_verified_as_such(verify):
    ran = verify(WITH_USELESS)
    assert ran.exit_code == 0
    assert "ok, mate in 3 plies, useless interpositions left out, 11 moves replayed" in ran.stdout


@pytest.mark.parametrize(
    "changes",
    [
        {"length_is": "shortest"},
        {"length_is": "upper bound"},
        {"length_is": None},
        {"plies": 1},
        {"plies": 5},
        {"moves": ["S*1c", "2b1c"]},
        {"moves": ["S*1c"]},
        {"moves": ["S*1c", "1b2a", "2c2e+"]},
        {"moves": "S*1c"},
    ],
)
def test_such_a_proof_holds_for_nothing_else(verify, changes):
    ran = verify(WITH_USELESS | changes)
    assert ran.exit_code == 1 and "x: WRONG" in ran.stdout


def test_a_packed_file_is_unpacked(tmp_path):
    path = tmp_path / "out.jsonl.xz"
    path.write_bytes(lzma.compress(json.dumps(row()).encode()))
    ran = CliRunner().invoke(cli, ["verify", str(path)], catch_exceptions=False)
    assert ran.exit_code == 0 and "line 1: x: ok" in ran.stdout


@pytest.mark.parametrize("content", [b"{}", b"", lzma.compress(b"x" * 1000)[:50]])
def test_a_file_called_packed_that_is_not_is_an_error(tmp_path, content):
    path = tmp_path / "out.xz"
    path.write_bytes(content)
    ran = CliRunner().invoke(cli, ["verify", str(path)], catch_exceptions=False)
    assert ran.exit_code == 2 and "out.xz" in ran.stderr
