"""The mined hisshi: each has a proof that the checker accepts, and none is a near relative of another."""

import itertools
import json
import lzma
from collections import Counter
from pathlib import Path

import pytest
from kernel_calls import problem_rows

from hisshi.core.hisshi_checker import check_hisshi_proof
from hisshi.lab.mining.likeness import likeness
from hisshi.lab.proof_files import verify_file

PROOFS = Path(__file__).resolve().parent.parent / "problems" / "hisshi-mined-proofs.jsonl.xz"


@pytest.fixture(scope="module")
def mined():
    return problem_rows("hisshi-mined.tsv")


@pytest.fixture(scope="module")
def proofs():
    with lzma.open(PROOFS, "rt", encoding="utf-8") as file:
        return {row["id"]: row for row in map(json.loads, file)}


def test_the_columns_agree_with_each_other(mined):
    for row in mined:
        first = row["first moves"].split(",")
        assert int(row["plies"]) % 2 == 1 and len(row["line"].split()) == int(row["plies"]), row["id"]
        assert row["length is"] in (["proven"] if int(row["plies"]) <= 5 else ["proven", "upper bound"]), row["id"]
        assert row["line"].split()[0] in first, row["id"]
        assert row["unique"] == "no" if len(first) > 1 else row["unique"] in ("yes", "unknown"), row["id"]
        assert int(row["kings"]) == row["sfen"].split()[0].lower().count("k"), row["id"]
    assert max(Counter(row["id"] for row in mined).values()) == 1


def test_no_two_of_a_length_are_alike(mined):
    for _, rows in itertools.groupby(mined, key=lambda row: row["plies"]):
        known = [(row["id"], likeness(row["sfen"], tuple(row["line"].split()))) for row in rows]
        assert [(a, b) for (a, one), (b, other) in itertools.combinations(known, 2) if other.is_like(one)] == []


def test_each_row_has_a_proof_of_its_length(mined, proofs):
    assert [row["id"] for row in mined] == list(proofs)
    for row in mined:
        proof = proofs[row["id"]]
        assert (proof["sfen"], proof["plies"], proof["verdict"]) == (row["sfen"], int(row["plies"]), "proven")


def test_proofs_of_the_shortest_hold(mined, proofs):
    for row in [row for row in mined if row["plies"] in ("1", "3")][::10]:
        report = check_hisshi_proof(row["sfen"], proofs[row["id"]]["proof"], rule="strong", plies=int(row["plies"]))
        assert report.ok and report.plies == int(row["plies"]), row["id"]


@pytest.mark.slow
def test_every_proof_holds(mined):
    verdicts = list(verify_file(str(PROOFS)))
    assert [verdict.text for verdict in verdicts if not verdict.holds] == []
    assert len(verdicts) == len(mined)
