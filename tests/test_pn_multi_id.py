"""Mate search by proof number, deepened at every attacker's node: verdicts, lengths, limits, options."""

from pathlib import Path

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.checker import check_line, check_mate_proof
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_SCHEDULE
from hisshi.core.kernel.table import PROVEN, UNKNOWN

PROBLEMS = Path(__file__).parent.parent / "problems" / "tsume-derived.tsv"
KOMIYA = "9/9/9/9/9/2+P2+L3/6+n2/2p6/1P1kP4 b G2S2r2b3g2s3n3l14p 1"
# Small mates with their shortest lengths.
MATES = {
    "4k4/9/4P4/9/9/9/9/9/9 b G 1": 1,
    "6k2/9/9/7+R1/9/9/9/9/9 b G 1": 3,
    "9/k1K6/2P6/9/9/9/9/9/9 b G 1": 3,
    "8k/9/6S2/9/7B1/9/9/9/9 b L 1": 5,
    "9/9/k8/2G6/9/9/9/9/9 b GS 1": 5,
}
NO_MATES = [
    "4k4/9/9/9/9/9/9/9/9 b P 1",  # no check
    "4k4/9/9/9/9/9/9/9/9 b G 1",  # checks, no mate
    "9/9/9/9/4k4/9/9/9/9 b N 1",
    "kn7/9/1G7/9/9/9/9/9/9 b P 1",  # the pawn drop would be mate, and is forbidden for that
]
CIRCLES = ["8k/9/9/9/9/9/9/9/+R8 b - 1", "4k4/9/9/9/9/9/9/9/+R3+B4 b - 1"]  # checks without an end
VARIANTS = {
    "plain": {},
    "static": {"static": "true"},
    "at the defender": {"iterate": "defender"},
    "at both": {"iterate": "both"},
    "no mate in one": {"mate_in_one": "false"},
    "tiny table": {"table.megabytes": "0.001"},
    "static, at the defender, tiny table": {"static": "true", "iterate": "defender", "table.megabytes": "0.001"},
}


def compose(overrides):
    return Registry.load().compose("mate-pn-multi-id", {"table.megabytes": "1"} | overrides)


@pytest.fixture(scope="module", params=VARIANTS)
def run(request):
    return compose(VARIANTS[request.param])


@pytest.mark.parametrize("sfen", MATES)
def test_a_mate_is_proven_with_a_line_and_a_proof_that_the_checker_accepts(run, sfen):
    result = solve(Position.from_sfen(sfen), run, want_proof=True)
    assert (result.verdict, result.length_is) == ("proven", "upper bound")
    assert result.plies >= MATES[sfen] and len(result.moves) == result.plies
    assert check_line(sfen, list(result.moves)).problems == ()
    assert check_mate_proof(sfen, result.proof, plies=result.plies).problems == ()


@pytest.mark.parametrize("sfen", NO_MATES)
def test_checks_that_run_out_are_disproven(run, sfen):
    assert solve(Position.from_sfen(sfen), run).verdict == "disproven"


@pytest.mark.parametrize("sfen", CIRCLES)
def test_checks_that_go_round_in_circles_are_no_mate(run, sfen):
    result = solve(Position.from_sfen(sfen), run, node_limit=50_000 if JIT else 300)
    assert result.verdict in ("disproven", "unknown")


@pytest.mark.parametrize("sfen", list(MATES)[1 : None if JIT else 3])
def test_a_limit_in_plies_is_kept_whatever_other_limits_left_in_the_table(run, sfen):
    run.warm()
    run.clear()
    for plies in (1, 2, 3, 9, 4, 5, 6, 0, 2, 4, 7):
        run.control[EXHAUSTED] = 0
        value = run.search(Position.from_sfen(sfen).copy_record(), plies)
        assert value == (UNKNOWN if 0 < plies < MATES[sfen] else PROVEN)
        if value == PROVEN:
            assert MATES[sfen] <= run.root.context.answer_plies
            assert plies == 0 or run.root.context.answer_plies <= plies
        else:
            assert run.control[EXHAUSTED] == GAVE_UP_SCHEDULE


@pytest.mark.parametrize("sfen", NO_MATES[1:3])
def test_a_limit_in_plies_disproves_nothing(sfen):
    result = solve(Position.from_sfen(sfen), compose({"max_plies": "1"}))
    assert result.verdict == "unknown"


@pytest.mark.parametrize("sfen", list(MATES)[1:])
def test_a_larger_threshold_never_loses_what_a_smaller_one_proves(sfen):
    thresholds = (2, 3, 4, 6, 10, 40, 1000) if JIT else (2, 1000)
    verdicts = [solve(Position.from_sfen(sfen), compose({"most": str(most)})).verdict for most in thresholds]
    assert set(verdicts) <= {"proven", "unknown"}
    assert verdicts == sorted(verdicts, reverse=True) and verdicts[-1] == "proven"


def test_forced_sequences_need_only_the_first_threshold():
    """One evasion at each node: whatever the length, no more than one leaf is to be proven at a time."""
    smallest = compose({"most": "2"})
    for sfen, plies in (
        ("2+P6/3pg2R1/pl3+PB2/1B1+rk4/3l5/1p7/9/2L6/9 b 3g4s4nl13p 1", 3),
        ("r+Bp1l4/s2P5/p1N1gS3/1B1p1N3/P2kp4/5p3/6p2/3S3p1/2+R3+p+p+n b 3gsn3l7p 1", 7),
    ):
        result = solve(Position.from_sfen(sfen), smallest)
        assert (result.verdict, result.plies, result.nodes) == ("proven", plies, plies)
    assert solve(Position.from_sfen("6k2/9/9/7+R1/9/9/9/9/9 b G 1"), smallest).verdict == "unknown"  # more evasions


def test_a_generator_that_leaves_out_moves_is_not_believed():
    mate, none = "4k4/9/4P4/9/9/9/9/9/9 b G 1", "4k4/9/9/9/9/9/9/9/9 b G 1"
    checks = compose({"checks.skip_dominated": "true"})
    assert solve(Position.from_sfen(mate), checks).verdict == "proven"
    assert solve(Position.from_sfen(none), checks, node_limit=2000).verdict == "unknown"
    assert solve(Position.from_sfen(NO_MATES[0]), checks).verdict == "unknown"
    evasions = compose({"evasions.skip_dominated": "true"})
    assert solve(Position.from_sfen(mate), evasions).verdict == "found"
    assert solve(Position.from_sfen(none), evasions).verdict == "disproven"


@pytest.mark.parametrize("limit", [1, 2, 10, 30])
def test_a_search_that_is_cut_off_is_unknown_for_that_reason(run, limit):
    result = solve(Position.from_sfen("4k4/9/9/9/9/9/9/9/9 b GS 1"), run, node_limit=limit)
    assert (result.verdict, result.reason, result.nodes) == ("unknown", "node limit", limit)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("sfen", "plies"),
    [
        ("7+P1/5R1s1/6ks1/9/5L1p1/9/9/9/9 b R2b4g2s4n3l16p 1", 3),  # ghi-1
        ("3Bp2n1/5+R2+B/p2p1GSp1/8p/Pn5l1/1n2SNP2/2pPPS1Pk/1P1SK1G2/L1G1G4 b RL3Pl3p 131", 7),  # ghi-2
    ],
)
def test_mates_beside_repetitions_are_found(run, sfen, plies):
    result = solve(Position.from_sfen(sfen), run, node_limit=300_000)
    assert result.verdict in ("proven", "unknown")
    assert result.plies is None or result.plies >= plies


@pytest.mark.compiled
def test_komiyas_example_is_proven_with_the_silver_drop(run):
    result = solve(Position.from_sfen(KOMIYA), run, want_proof=True)
    assert result.verdict == "proven" and result.moves[0] == "S*5h"
    assert check_mate_proof(KOMIYA, result.proof, plies=result.plies).ok


@pytest.mark.compiled
def test_every_derived_mate_of_up_to_seven_plies_is_proven():
    rows = [line.split("\t") for line in PROBLEMS.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    problems = [(row[1], int(row[2])) for row in rows if int(row[2]) <= 7]
    run = Registry.load().compose("mate-pn-multi-id")
    for sfen, plies in problems:
        result = solve(Position.from_sfen(sfen), run)
        assert result.verdict == "proven" and plies <= result.plies == len(result.moves), sfen
    assert len(problems) > 200
