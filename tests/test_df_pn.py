"""Mate search by df-pn: whatever its options, table and limit, a verdict is right and a proof holds."""

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from kernel_calls import problem_rows

from hisshi.core import Position, Registry, solve
from hisshi.core.checker import check_line, check_mate_proof
from hisshi.core.kernel.checks import check_moves
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_NODES, GAVE_UP_SCHEDULE, NODE_LIMIT, NODES
from hisshi.core.kernel.generation import MAX_MOVES, all_moves
from hisshi.core.kernel.moves import do_move
from hisshi.core.kernel.table import DISPROVEN, PROVEN, UNKNOWN

# Random positions and their shortest mates by brute force, see test_mate_search_random.py; None: none within LONGEST.
LINES = (Path(__file__).parent / "golden" / "small-positions.tsv").read_text(encoding="utf-8").splitlines()
POSITIONS = {
    sfen: None if length == "-" else int(length)
    for sfen, length in (line.split("\t") for line in LINES if not line.startswith("#"))
}
LONGEST = 5
MATES = {
    "4k4/9/4P4/9/9/9/9/9/9 b G 1": 1,
    "9/k8/9/+BK7/9/9/9/9/9 b S 1": 3,
    "9/9/k8/2G6/9/9/9/9/9 b GS 1": 5,
    "8k/9/6S2/9/7B1/9/9/9/9 b L 1": 5,
    "8k/7p1/5R3/5+N3/4+B4/9/9/9/9 b - 1": 7,
    "9/6k2/9/5+R1+S1/5G3/9/9/9/6K2 b - 1": 7,
}
NO_MATES = [
    "4k4/9/9/9/9/9/9/9/9 b P 1",  # no check
    "9/9/9/9/4k4/9/9/9/9 b N 1",
    "kn7/9/1G7/9/9/9/9/9/9 b P 1",  # the pawn drop would be mate, and is forbidden for that
    "8k/9/9/9/9/9/9/9/+R8 b - 1",  # a rook checks the bare king for ever
]

SWITCHES = ("dominance", "mate_in_one", "look_ahead", "delay", "estimate")
BARE = dict.fromkeys(SWITCHES, "false")
VARIANTS = {
    "all": {},
    "none": BARE,
    **{f"no {switch}": {switch: "false"} for switch in SWITCHES},
    **{f"only {switch}": BARE | {switch: "true"} for switch in SWITCHES},
    "weak": {"weak": "true", "epsilon": "0"},
    "only weak": BARE | {"weak": "true", "epsilon": "10"},
    "collect": {"collect": "true"},
}
TABLES = list(product(("effort", "two-level", "always-replace"), ("0.001", "0.1")))
KING_AND_PAWN = "k8/9/2K6/9/9/9/9/9/9 b P 1"
CYCLIC = [  # about 1,200 positions each can arise, again and again; some of them are mates
    KING_AND_PAWN,
    "8k/9/6K2/9/9/9/9/9/9 b Sp 1",
    "kS7/9/g1K6/9/9/9/9/9/9 b G 1",
    "6S1k/8p/6K2/9/9/9/9/9/9 b Np 1",
]


def compose(overrides):
    run = Registry.load().compose("mate-df-pn", {"table.megabytes": "1"} | overrides)
    run.warm()
    run.clear()
    return run


def ask(run, position, plies, nodes=3000):
    """Return verdict and length, having compared the position before and after."""
    run.control[[EXHAUSTED, NODES]] = 0
    run.control[NODE_LIMIT] = nodes if JIT else min(nodes, 400)
    record = position.copy_record()
    verdict = run.search(record, plies)
    assert str(record) == str(position.record), position.sfen  # not bytes: those between fields may differ
    return verdict, int(run.root.context.answer_plies)


def confirm(run, position, plies, shortest, *, known=None):
    """Ask for a mate within `plies`, and compare; `shortest` is None where there is none of `known` plies or fewer."""
    verdict, length = ask(run, position, plies)
    place = f"{position.sfen} within {plies}, {run.root.describe()}"
    if verdict == PROVEN:
        assert length % 2 == 1 and (plies == 0 or length <= plies), place
        assert length >= shortest if shortest is not None else (known is not None and length > known), place
    elif verdict == DISPROVEN:
        assert shortest is None, place
    elif not run.control[EXHAUSTED] & GAVE_UP_NODES:  # all was searched that there is within `plies`
        assert run.control[EXHAUSTED] & GAVE_UP_SCHEDULE, place
        assert plies > 0 and (shortest is None or shortest > plies), place
    return verdict


@pytest.mark.parametrize("variant", VARIANTS)
def test_verdicts_agree_with_brute_force(variant):
    place = list(VARIANTS).index(variant)
    policy, megabytes = TABLES[place % len(TABLES)]
    run = compose(VARIANTS[variant] | {"table": policy, "table.megabytes": megabytes})
    chance = np.random.default_rng(place)
    for sfen, length in list(POSITIONS.items())[:: 2 if JIT else 60]:
        position = Position.from_sfen(sfen)
        run.clear()
        for plies in (0, int(chance.integers(1, LONGEST + 2)), 0):
            confirm(run, position, plies, length, known=LONGEST)


def positions_below(sfen):
    """Return, by key, all positions that checks and evasions lead to: record, attacker's turn, keys that follow."""
    root = Position.from_sfen(sfen).copy_record()
    attacker, buffer = root.side, np.zeros(MAX_MOVES, np.int32)
    found, left = {}, [root]
    while left:
        record = left.pop()
        if key_of(record) in found:
            continue
        attacking = bool(record.side == attacker)
        count = (check_moves if attacking else all_moves)(record, buffer, 0, False)
        after = [record.copy() for _ in range(count)]
        for move, following in zip(buffer[:count].tolist(), after, strict=True):
            do_move(following, move)
        found[key_of(record)] = record, attacking, [key_of(following) for following in after]
        left += after
    return found


def key_of(record):
    return int(record.board_key), int(record.hand_key)


def shortest_mates(positions):
    """Return the plies to the mate, by key, of all that are mates, going backwards from the mated ones."""
    lengths, plies, before = {}, 0, -1
    while len(lengths) != before or plies < 2:
        if plies % 2 == 0:
            before = len(lengths)
        for here, (_, attacking, after) in positions.items():
            if attacking == (plies % 2 == 1) and here not in lengths:
                known = [lengths[following] for following in after if following in lengths]
                if (plies - 1 in known) if attacking else len(known) == len(after):
                    lengths[here] = plies
        plies += 1
    return lengths


@pytest.mark.compiled
@pytest.mark.parametrize("sfen", CYCLIC)
def test_what_repeats_on_one_path_is_no_disproof_for_another(sfen):
    """One table, and every position that can arise as its root in turn: the verdict is that of the whole graph."""
    positions = positions_below(sfen)
    lengths = shortest_mates(positions)
    attackers = [here for here, (_, attacking, _) in positions.items() if attacking]
    mates = [here for here in attackers if here in lengths]
    assert mates and len(mates) < len(attackers)
    for place, (name, overrides) in enumerate(VARIANTS.items()):
        policy, megabytes = TABLES[place % len(TABLES)]
        run = compose(overrides | {"table": policy, "table.megabytes": megabytes})
        chance = np.random.default_rng(place)
        asked = [*mates, *(attackers[i] for i in chance.choice(len(attackers), 20, replace=False))]
        counts = Counter()
        for i in chance.permutation(len(asked)):
            position = Position(positions[asked[i]][0])
            for plies in (0, int(chance.integers(1, 8)), 0):
                counts[confirm(run, position, plies, lengths.get(asked[i]))] += 1
        assert counts[PROVEN] and (counts[DISPROVEN] or name != "all"), (name, counts)


@pytest.mark.parametrize("variant", list(VARIANTS) if JIT else ["all", "none"])
def test_a_proof_is_one_to_the_checker_and_as_long_as_claimed(variant):
    run = compose(VARIANTS[variant])
    for sfen, plies in list(MATES.items())[:: 1 if JIT else 3]:
        result = solve(Position.from_sfen(sfen), run, node_limit=20_000 if JIT else 300, want_proof=True)
        if result.verdict == "unknown" and (variant == "none" or "only" in variant or not JIT):
            continue  # slow without its knowledge
        assert result.verdict == "proven" and result.length_is == "upper bound" and result.plies >= plies, sfen
        assert len(result.moves) == result.plies
        assert check_line(sfen, list(result.moves)).problems == ()
        assert check_mate_proof(sfen, result.proof, plies=result.plies).problems == (), sfen


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_no_mate_is_never_proven(variant):
    run = compose(VARIANTS[variant])
    for sfen in NO_MATES:
        assert solve(Position.from_sfen(sfen), run, node_limit=2000 if JIT else 100).verdict != "proven", sfen


@pytest.mark.parametrize("variant", ["all", "only delay", "none"])
def test_the_same_question_takes_the_same_nodes(variant):
    """Children that wait have no numbers yet; what is left there from another node must not count."""
    run = compose(VARIANTS[variant] | {"table": "always-replace"})
    sfens = ["9/7k1/5R3/5G3/9/9/9/9/9 b R 1", *list(MATES)[-3 if JIT else 1 : None if JIT else 3]]
    first, second = ([solve(Position.from_sfen(sfen), run, node_limit=2000).nodes for sfen in sfens] for _ in range(2))
    assert first == second == [solve(Position.from_sfen(sfen), run, node_limit=2000).nodes for sfen in sfens]


def test_one_table_serves_both_attackers():
    """White is to move, and black mates: that is no mate by white."""
    sfen = "7k1/9/7K1/8B/9/9/9/9/9 b NRp 1"
    run = compose({})
    assert ask(run, Position.from_sfen(sfen), 0)[0] == PROVEN
    after = Position.from_sfen("R6k1/9/7K1/8B/9/9/9/9/9 w Np 2")
    assert ask(run, after, 0)[0] == DISPROVEN


def test_a_generator_that_leaves_out_checks_is_not_believed_when_asked_again():
    run = compose({"checks.skip_dominated": "true"})
    for _ in range(3):
        assert ask(run, Position.from_sfen("4k4/9/9/9/9/9/9/9/9 b L 1"), 0)[0] == UNKNOWN


def test_a_limit_that_was_too_small_says_so_when_asked_again():
    run = compose({})
    for _ in range(2):
        assert ask(run, Position.from_sfen("4k4/9/9/9/9/9/9/9/9 b G 1"), 1)[0] == UNKNOWN
        assert run.control[EXHAUSTED] & GAVE_UP_SCHEDULE


@pytest.mark.parametrize(
    ("board", "hand", "piece"),
    [
        pytest.param("6l1k/6l2/7s1/6+L2/9/9/9/9/9", "LR", "S", marks=pytest.mark.compiled),  # 598 nodes
        ("8k/9/6G2/9/9/9/9/9/9", "R", "P"),
        ("2k6/4s4/R8/9/9/9/9/9/9", "S", "G"),
        ("k8/9/2S6/B8/9/9/9/9/9", "L", "P"),
    ],
)
def test_a_mate_while_the_defender_has_nothing_to_drop_between_is_none_when_he_has(board, hand, piece):
    """The attacker holds the piece, or the defender: one table, either first."""
    mine, his = (Position.from_sfen(f"{board} b {hand}{held} 1") for held in (piece, piece.lower()))
    for order in ((mine, his), (his, mine)):
        run = compose({})
        found = {position.sfen: ask(run, position, 0)[0] for position in order}
        assert found[mine.sfen] == PROVEN and (found[his.sfen] == DISPROVEN or not JIT)


def test_one_table_serves_positions_with_other_sets_of_pieces():
    """The defender has a pawn to drop between, or has none because the set has none: the attacker holds the same."""
    without, with_pawn = (Position.from_sfen(f"8k/9/6G2/9/9/9/9/9/9 b {hand} 1") for hand in ("R", "Rp"))
    for order in ((without, with_pawn), (with_pawn, without)):
        run = compose({})
        found = {position.sfen: ask(run, position, 0)[0] for position in order}
        assert found[without.sfen] == PROVEN and (found[with_pawn.sfen] == DISPROVEN or not JIT)


@pytest.mark.compiled
def test_bundled_mates_are_proven_in_any_table():
    rows = [row for row in problem_rows("tsume-derived.tsv") if int(row["plies"]) <= 9][::9]
    for policy, megabytes in (("effort", "16"), ("two-level", "0.1"), ("always-replace", "1")):
        run = compose({"table": policy, "table.megabytes": megabytes})
        for row in rows:
            result = solve(Position.from_sfen(row["sfen"]), run, node_limit=300_000)
            assert result.verdict == "proven", row["id"]
            assert result.plies >= int(row["plies"]) and len(result.moves) == result.plies, row["id"]


@pytest.mark.compiled
@pytest.mark.parametrize("problem", ["zukou-043", "zukou-057", "zukou-083"])
def test_going_on_beyond_thresholds_ends_with_the_leaf_that_it_is_for(problem):
    # 170,000, 120,000 and 270,000 nodes. Where it goes on at each leaf, tens of millions are spent in one subtree.
    sfen = next(row["sfen"] for row in problem_rows("tsume-classic.tsv") if row["id"] == problem)
    assert solve(Position.from_sfen(sfen), compose({}), node_limit=600_000).verdict == "proven"


@pytest.mark.compiled
def test_a_proof_of_77_plies_is_checked_node_by_node_and_not_line_by_line():
    sfen = next(row["sfen"] for row in problem_rows("tsume-classic.tsv") if row["id"] == "zukou-097")
    result = solve(Position.from_sfen(sfen), compose({}), node_limit=300_000, want_proof=True)
    nodes, lines = {}, [result.proof]  # the tree as it would be without what it shares
    while lines:
        node = lines.pop()
        nodes[id(node)] = nodes.get(id(node), 0) + 1
        lines += node["replies"].values()
    report = check_mate_proof(sfen, result.proof, plies=result.plies)
    assert report.problems == () and report.plies == result.plies
    assert len(nodes) < report.nodes < 2 * sum(nodes.values()) - 1  # moves of both sides


@pytest.mark.compiled
def test_a_table_that_overflows_and_is_collected_proves_the_same_and_its_proofs_hold():
    rows = [row for row in problem_rows("tsume-derived.tsv") if int(row["plies"]) in (7, 9)][::30]
    for policy, megabytes in (("effort", "0.01"), ("two-level-effort", "0.03"), ("keep-oldest", "0.02")):
        run = compose({"table": policy, "table.megabytes": megabytes, "collect": "true"})
        collections = 0
        for row in rows:
            result = solve(Position.from_sfen(row["sfen"]), run, node_limit=100_000, want_proof=True)
            collections += result.statistics[f"table.{policy}"]["collections"]
            assert result.verdict == "proven", (row["id"], policy)
            assert check_mate_proof(row["sfen"], result.proof, plies=result.plies).problems == (), row["id"]
        assert collections > len(rows), policy


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        ("ghi-1", "proven"),
        ("ghi-2", "proven"),
        ("uchifuzume-avoid-5", "proven"),
        ("uchifuzume-nomate", "disproven"),
        ("two-kings-countercheck-13", "proven"),
        ("two-kings-7", "proven"),
        ("nomate-a", "disproven"),
        ("nomate-b", "disproven"),
    ],
)
def test_the_rules_cases_have_their_verdicts(problem, expected):
    sfen = next(row["sfen"] for row in problem_rows("rules.tsv") if row["id"] == problem)
    for variant in ("all", "no dominance", "only dominance"):
        result = solve(Position.from_sfen(sfen), compose(VARIANTS[variant]), node_limit=200_000)
        assert result.verdict == expected or (variant != "all" and result.verdict == "unknown"), variant
