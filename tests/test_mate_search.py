"""Mate search depth first: verdicts, lengths, lines and proofs, under both stop rules and every table."""

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.checker import check_line, check_mate_proof
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.table import PROVEN, UNKNOWN

# Small mates with their shortest lengths, found and confirmed by trying every move.
MATES = {
    "4k4/9/4P4/9/9/9/9/9/9 b G 1": 1,
    "6k2/9/9/7+R1/9/9/9/9/9 b G 1": 3,
    "9/k1K6/2P6/9/9/9/9/9/9 b G 1": 3,
    "9/k8/9/+BK7/9/9/9/9/9 b S 1": 3,
    "8k/9/6S2/9/7B1/9/9/9/9 b L 1": 5,
    "9/9/k8/2G6/9/9/9/9/9 b GS 1": 5,
    "8k/7p1/5R3/5+N3/4+B4/9/9/9/9 b - 1": 7,
    "9/6k2/9/5+R1+S1/5G3/9/9/9/6K2 b - 1": 7,
}
SHORT = list(MATES)[1:6] if JIT else list(MATES)[2:4]  # for what is tried many times
NO_MATES = [
    "4k4/9/9/9/9/9/9/9/9 b P 1",  # no check
    "4k4/9/9/9/9/9/9/9/9 b G 1",  # checks, no mate
    "9/9/9/9/4k4/9/9/9/9 b N 1",
    "kn7/9/1G7/9/9/9/9/9/9 b P 1",  # the pawn drop would be mate, and is forbidden for that
    "8k/9/9/9/9/9/9/9/+R8 b - 1",  # a rook and a lone king: the checks go round in circles
    "4k4/9/9/9/9/9/9/9/+R3+B4 b - 1" if JIT else "4k4/9/9/9/9/9/9/9/9 b L 1",
]
RUNS = {
    "depth": {},
    "depth, tiny table": {"table.megabytes": "0.001"},
    "depth, always-replace": {"table": "always-replace", "table.megabytes": "0.001"},
    "depth, unordered": {"move_order": "generated", "table.megabytes": "1"},
    "depth, no mate in one": {"mate_in_one": "false", "table.megabytes": "1"},
    "count-budget": {"stop": "count-budget", "stop.last": "400", "table.megabytes": "1"},
    "count-budget, tiny table": {"stop": "count-budget", "stop.last": "400", "table.megabytes": "0.001"},
}
KOMIYA = "9/9/9/9/9/2+P2+L3/6+n2/2p6/1P1kP4 b G2S2r2b3g2s3n3l14p 1"


def compose(overrides, name="mate"):
    return Registry.load().compose(name, {"table.megabytes": "1"} | overrides)


@pytest.fixture(scope="module", params=RUNS)
def run(request):
    return compose(RUNS[request.param])


@pytest.fixture(scope="module")
def plain():
    return compose({})


@pytest.mark.parametrize("sfen", MATES)
def test_a_mate_is_proven_with_a_line_and_a_proof_that_the_checker_accepts(run, sfen):
    result = solve(Position.from_sfen(sfen), run, want_proof=True)
    assert result.verdict == "proven"
    assert result.plies >= MATES[sfen] and len(result.moves) == result.plies
    if run.root.parts["stop"].plugin.name == "depth":
        assert (result.plies, result.length_is) == (MATES[sfen], "shortest")
    else:
        assert result.length_is == "upper bound"
    assert check_line(sfen, list(result.moves)).problems == ()
    assert check_mate_proof(sfen, result.proof, plies=result.plies).problems == ()


@pytest.mark.parametrize("sfen", NO_MATES)
def test_what_is_no_mate_is_never_proven(run, sfen):
    result = solve(Position.from_sfen(sfen), run, node_limit=20_000 if JIT else 300)
    assert result.verdict in ("disproven", "unknown")
    assert result.moves == () and result.plies is None


@pytest.mark.parametrize("sfen", NO_MATES[:4])
def test_checks_that_run_out_are_disproven(run, sfen):
    assert solve(Position.from_sfen(sfen), run).verdict == "disproven"


@pytest.mark.parametrize("sfen", SHORT)
def test_a_limit_in_plies_is_kept(run, sfen):
    """Within fewer plies than the mate needs the answer is unknown, and what is proven is never longer than allowed."""
    run.warm()
    for plies in (1, 2, 3, 4, 5, 6, 7, 2, 4):
        run.clear()
        value = run.search(Position.from_sfen(sfen).copy_record(), plies)
        if plies < MATES[sfen]:
            assert value == UNKNOWN
        elif value == PROVEN:
            assert MATES[sfen] <= run.root.context.answer_plies <= plies
        else:
            assert run.root.parts["stop"].plugin.name == "count-budget"


def test_a_table_from_one_limit_is_right_for_another(run):
    run.warm()
    for sfen in SHORT:
        run.clear()
        for plies in (9, 1, 3, 7, 2, 5, 4, 0):
            value = run.search(Position.from_sfen(sfen).copy_record(), plies)
            assert value == (UNKNOWN if 0 < plies < MATES[sfen] else PROVEN)
            if value == PROVEN and plies:
                assert run.root.context.answer_plies <= plies


def mirrored(sfen):
    board, *rest = sfen.split()
    return " ".join(["/".join("".join(reversed(cells)) for cells in rows_of(board)), *rest])


def flipped(sfen):
    board, side, hands, number = sfen.split()
    turned = "/".join("".join(reversed(cells)) for cells in reversed(rows_of(board)))
    return f"{turned.swapcase()} {'w' if side == 'b' else 'b'} {hands.swapcase()} {number}"


def rows_of(board):
    rows = []
    for row in board.split("/"):
        cells = []
        for letter in row:
            if cells and cells[-1] == "+":
                cells[-1] += letter
            else:
                cells.append(letter)
        rows.append(cells)
    return rows


@pytest.mark.parametrize("sfen", MATES)
@pytest.mark.parametrize("seen", [mirrored, flipped])
def test_a_mirrored_or_colour_flipped_position_has_the_same_answer(plain, sfen, seen):
    here, there = (solve(Position.from_sfen(each), plain) for each in (sfen, seen(sfen)))
    assert (here.verdict, here.plies, here.length_is) == (there.verdict, there.plies, there.length_is)


def test_a_generator_that_leaves_out_moves_is_not_believed():
    mate, none = "4k4/9/4P4/9/9/9/9/9/9 b G 1", "4k4/9/9/9/9/9/9/9/9 b G 1"
    checks = compose({"checks.skip_dominated": "true"})
    result = solve(Position.from_sfen(mate), checks)
    assert (result.verdict, result.length_is) == ("proven", "upper bound")  # a check left out might mate sooner
    assert solve(Position.from_sfen(none), checks, node_limit=2000).verdict == "unknown"
    evasions = compose({"evasions.skip_dominated": "true"})
    result = solve(Position.from_sfen(mate), evasions)
    assert (result.verdict, result.length_is) == ("found", "upper bound")
    assert result.reason == "the run's evasions leave out moves of the defender"
    assert solve(Position.from_sfen(none), evasions, node_limit=2000).verdict == "disproven"


@pytest.mark.parametrize("stop", [{"max_plies": "5"}, {"stop": "count-budget", "stop.last": "100"}])
def test_evasions_that_give_check_are_searched_or_make_the_node_unknown(stop):
    """The knight that interposes on 8c checks black's king."""
    sfen = "2nk5/3n5/4+R4/9/2K6/9/9/9/9 b B 1"
    searched, unknown = (
        solve(Position.from_sfen(sfen), compose(stop | {"counter_checks": each}), node_limit=2000)
        for each in ("search", "unknown")
    )
    assert (searched.verdict, unknown.verdict) == ("proven", "unknown")
    assert "7a8c" in searched.moves


def test_with_counter_checks_unknown_a_length_is_an_upper_bound_and_nothing_is_disproven_by_them():
    sfen = "9/9/k1G6/1g+L6/9/1K7/9/9/9 b L 1"
    result = solve(Position.from_sfen(sfen), compose({}))
    assert (result.verdict, result.plies, result.length_is) == ("proven", 3, "shortest")
    result = solve(Position.from_sfen(sfen), compose({"counter_checks": "unknown"}))
    assert (result.verdict, result.plies, result.length_is) == ("proven", 5, "upper bound")
    none = "k8/9/9/1K7/9/9/9/9/9 b Ln 1"  # a knight dropped before the lance checks in turn
    assert solve(Position.from_sfen(none), compose({})).verdict == "disproven"
    unknown = compose({"counter_checks": "unknown", "max_plies": "9"})
    assert solve(Position.from_sfen(none), unknown).verdict == "unknown"


def test_a_non_promotion_mates_where_a_promotion_does_not():
    """The promoted pawn would leave black no pawn drop; found by the complete generator only."""
    sfen, plies = "7ll/6+P1k/6+S2/7pp/7N1/9/9/9/9 b P 1", 5
    result = solve(Position.from_sfen(sfen), compose({}))
    assert (result.verdict, result.plies) == ("proven", plies)


@pytest.mark.parametrize("name", ["mate", "mate-count-budget"])
@pytest.mark.compiled
def test_komiyas_example_is_proven_by_both_stop_rules_with_the_silver_drop(name):
    result = solve(Position.from_sfen(KOMIYA), Registry.load().compose(name), want_proof=True)
    assert result.verdict == "proven" and result.moves[0] == "S*5h"
    assert check_mate_proof(KOMIYA, result.proof, plies=result.plies).ok


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("sfen", "plies"),
    [
        ("7+P1/5R1s1/6ks1/9/5L1p1/9/9/9/9 b R2b4g2s4n3l16p 1", 3),  # ghi-1
        ("3Bp2n1/5+R2+B/p2p1GSp1/8p/Pn5l1/1n2SNP2/2pPPS1Pk/1P1SK1G2/L1G1G4 b RL3Pl3p 131", 7),  # ghi-2
    ],
)
def test_mates_beside_repetitions_are_found(run, sfen, plies):
    result = solve(Position.from_sfen(sfen), run, node_limit=2_000_000)
    if run.root.parts["stop"].plugin.name == "depth":
        assert (result.verdict, result.plies) == ("proven", plies)
    assert result.verdict != "disproven"


@pytest.mark.compiled
def test_a_perpetual_check_is_no_mate(run):
    """A dragon can check the bare king for ever."""
    for sfen in ("8k/9/9/9/9/9/9/9/+R8 b - 1", "9/9/9/4k4/9/9/9/9/+R8 b - 1"):
        assert solve(Position.from_sfen(sfen), run, node_limit=100_000).verdict != "proven"


@pytest.mark.parametrize("sfen", list(MATES)[1:6])
def test_a_larger_budget_never_loses_what_a_smaller_one_proves(sfen):
    proven = []
    for last in ("1", "5", "20", "60", "200"):
        run = compose({"stop": "count-budget", "stop.first": "1", "stop.step": "4", "stop.last": last})
        result = solve(Position.from_sfen(sfen), run)
        assert result.verdict in ("proven", "unknown")
        proven.append(result.verdict == "proven")
    assert proven == sorted(proven) and proven[-1]
    lengths = []
    for plies in range(1, 10):
        result = solve(Position.from_sfen(sfen), compose({"max_plies": str(plies)}))
        lengths.append(result.plies)
    assert lengths == [MATES[sfen] if plies >= MATES[sfen] else None for plies in range(1, 10)]


def test_a_budget_that_the_first_node_overspends_is_unknown_and_a_mate_on_the_board_needs_none():
    smallest = {"stop": "count-budget", "stop.first": "1", "stop.last": "1"}
    assert solve(Position.from_sfen("6k2/9/9/7+R1/9/9/9/9/9 b G 1"), compose(smallest)).verdict == "unknown"
    result = solve(Position.from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1"), compose(smallest))
    assert (result.verdict, result.plies) == ("proven", 1)  # seen before any stop rule
    without = compose(smallest | {"mate_in_one": "false"})
    assert solve(Position.from_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2G 1"), without).verdict == "unknown"


def test_what_one_attacker_has_found_says_nothing_of_the_other():
    run = Registry.load().compose("mate")
    run.warm()
    run.clear()
    black = Position.from_sfen("1k7/R1rg5/1K7/9/9/9/9/9/9 b LPpbg 1")
    run.search(black.copy_record(), 5)
    white = Position.from_sfen("1k7/RPrg5/1K7/9/9/9/9/9/9 w Lbgp 2")
    kept = run.search(white.copy_record(), 5)
    run.clear()
    assert kept == run.search(white.copy_record(), 5)
