"""``hisshi compose`` as a user runs it: the same seed makes the same problems, and what is stopped goes on."""

import json
import signal
import subprocess
import sys
import time

import pytest

from hisshi.core.checker import check_mate_proof
from hisshi.core.hisshi_checker import check_hisshi_proof

pytestmark = pytest.mark.compiled

HISSHI = [sys.executable, "-m", "hisshi.lab.cli"]
SMALL = ["compose", "hisshi", "--nodes", "100000"]
COLUMNS = ["id", "sfen", "plies", "length is", "first moves", "unique", "kings", "origin", "line"]


def compose(folder, *arguments, status=0, small=SMALL):
    ran = subprocess.run(
        [*HISSHI, *small, *arguments], cwd=folder, capture_output=True, text=True, timeout=500, check=False
    )
    assert ran.returncode == status, ran.stderr
    return ran


def rows(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# " + "\t".join(COLUMNS)
    return [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines[1:]]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    compose(folder, "--plies", "3", "--number", "3", "--out", "all.tsv", "--proofs", "all.jsonl")
    return folder


def test_problems_have_the_wanted_length_and_proofs_that_the_checker_accepts(undisturbed):
    found = rows(undisturbed / "all.tsv")
    proofs = [json.loads(line) for line in (undisturbed / "all.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in found] == [proof["id"] for proof in proofs] and len(found) == 3
    for row, proof in zip(found, proofs, strict=True):
        assert (row["plies"], row["length is"], row["sfen"]) == ("3", "proven", proof["sfen"])
        assert row["unique"] == ("yes" if len(row["first moves"].split(",")) == 1 else "no")
        assert row["line"].split()[0] in row["first moves"].split(",")
        assert row["kings"] == str(proof["sfen"].split()[0].lower().count("k"))
        report = check_hisshi_proof(row["sfen"], proof["proof"], rule="strong", plies=3)
        assert report.ok and report.plies == 3
    verified = subprocess.run([*HISSHI, "verify", "all.jsonl"], cwd=undisturbed, capture_output=True, check=False)
    assert verified.returncode == 0, verified.stdout


def test_the_same_seed_makes_the_same_problems_whatever_the_number_of_jobs(undisturbed, tmp_path):
    compose(tmp_path, "--plies", "3", "--number", "3", "--out", "two.tsv", "--proofs", "two.jsonl", "--jobs", "2")
    assert (tmp_path / "two.tsv").read_bytes() == (undisturbed / "all.tsv").read_bytes()
    assert (tmp_path / "two.jsonl").read_bytes() == (undisturbed / "all.jsonl").read_bytes()


def test_another_seed_makes_other_problems(undisturbed, tmp_path):
    compose(tmp_path, "--plies", "3", "--number", "1", "--out", "other.tsv", "--seed", "4")
    (other,) = rows(tmp_path / "other.tsv")
    assert other["sfen"] not in [row["sfen"] for row in rows(undisturbed / "all.tsv")]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_and_started_again_it_ends_with_the_same_files(undisturbed, tmp_path, how):
    arguments = ["--plies", "3", "--number", "3", "--out", "all.tsv", "--proofs", "all.jsonl"]
    process = subprocess.Popen(
        [*HISSHI, *SMALL, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    table, deadline = tmp_path / "all.tsv", time.monotonic() + 300
    while not (table.exists() and table.read_text(encoding="utf-8").count("\n") >= 2) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(how)
    output, _ = process.communicate(timeout=60)
    if how == signal.SIGINT and process.returncode != 0:
        assert process.returncode == 130 and "goes on from here" in output, output
    with table.open("a", encoding="utf-8") as file:  # as if it had been cut off in the middle of a line
        file.write("composed-000")
    compose(tmp_path, *arguments)
    assert table.read_bytes() == (undisturbed / "all.tsv").read_bytes()
    assert (tmp_path / "all.jsonl").read_bytes() == (undisturbed / "all.jsonl").read_bytes()


def test_what_a_candidate_wrote_before_it_was_done_is_not_kept_twice(undisturbed, tmp_path):
    arguments = ["--plies", "3", "--out", "all.tsv"]
    compose(tmp_path, *arguments, "--number", "2")
    progress = tmp_path / "all.tsv.progress"
    state = json.loads(progress.read_text(encoding="utf-8"))
    progress.write_text(json.dumps({**state, "candidates": state["candidates"] - 1}), encoding="utf-8")
    compose(tmp_path, *arguments, "--number", "3")
    assert (tmp_path / "all.tsv").read_bytes() == (undisturbed / "all.tsv").read_bytes()


def test_with_other_options_it_does_not_go_on(tmp_path):
    compose(tmp_path, "--plies", "1", "--number", "1", "--out", "one.tsv")
    ran = compose(tmp_path, "--plies", "3", "--number", "1", "--out", "one.tsv", status=2)
    assert "was composed with plies 1, not 3" in ran.stderr and "--out" in ran.stderr
    again = compose(tmp_path, "--plies", "1", "--number", "1", "--out", "one.tsv")
    assert "0 of them new" in again.stdout


def test_a_file_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "mine.tsv").write_text("# id\tsfen\n", encoding="utf-8")
    ran = compose(tmp_path, "--plies", "1", "--number", "1", "--out", "mine.tsv", status=2)
    assert "mine.tsv: exists" in ran.stderr
    assert (tmp_path / "mine.tsv").read_text(encoding="utf-8") == "# id\tsfen\n"


def test_an_even_length_is_refused(tmp_path):
    assert "odd" in compose(tmp_path, "--plies", "2", status=2).stderr


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    ran = compose(tmp_path, "--plies", "1", "--out", "no-folder/out.tsv", status=2)
    assert "no-folder" in ran.stderr and "Traceback" not in ran.stderr


def test_mates_are_composed_too(tmp_path):
    compose(
        tmp_path, "--goal", "mate", "--plies", "3", "--number", "2", "--unique", "--out", "mates.tsv", "--proofs",
        "mates.jsonl", small=["compose", "mate-sample"],
    )  # fmt: skip
    proofs = [json.loads(line) for line in (tmp_path / "mates.jsonl").read_text(encoding="utf-8").splitlines()]
    for row, proof in zip(rows(tmp_path / "mates.tsv"), proofs, strict=True):
        assert (row["plies"], row["unique"]) == ("3", "yes")
        assert check_mate_proof(row["sfen"], proof["proof"], plies=3).ok


def test_the_time_is_kept(tmp_path):
    ran = compose(tmp_path, "--plies", "9", "--number", "9", "--out", "few.tsv", "--time", "1", status=1)
    assert "few.tsv: " in ran.stdout


def test_seeds_that_are_no_problems_are_a_mistake(tmp_path):
    ran = compose(tmp_path, "--number", "1", small=["compose", "not-a-set"], status=2)
    assert "not-a-set" in ran.stderr and "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == []
