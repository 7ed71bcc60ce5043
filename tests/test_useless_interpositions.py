"""Useless interpositions left out: lengths by the rule, proofs that show it, and nothing claimed that is no mate."""

import copy
from functools import cache
from pathlib import Path

import pytest
from kernel_calls import few_or_many, mate_problem_sfens, problem_rows

from hisshi.core import Position, Registry, solve
from hisshi.core.checker import check_line, check_line_of_proof, check_mate_proof
from hisshi.core.interpositions import interpositions, recaptures
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.table import OTHER_COUNT, PROVEN, UNKNOWN, question_key
from hisshi.core.results import SHORTEST, USELESS_LEFT_OUT

FAR_LANCE = "8l/7sk/7R1/6B2/9/8b/9/9/9 b Sr4g2s4n3l18p 1"  # after S*1c 2b1c 2c2e+ only drops on 2c are left
FAR_ROOK = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
LEFT_OUT = SHORTEST + USELESS_LEFT_OUT
SMALL_POSITIONS = Path(__file__).with_name("golden") / "small-positions.tsv"


def compose(**options):
    overrides = {"table.megabytes": "1", "oracle": "mate-depth-first", "stop": "depth", "ask": "0"}
    return Registry.load().compose("mate-published", {**overrides, **options})


@pytest.fixture(scope="module")
def published():
    return compose()


@pytest.fixture(scope="module")
def strict():
    return Registry.load().compose("mate", {"table.megabytes": "1"})


def small_positions(count):
    """Return random positions and their strict lengths; None if there is no mate within 5 plies."""
    lines = [line.split("\t") for line in SMALL_POSITIONS.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    step = max(1, len(lines) // count)
    return [(line[0], None if line[1] == "-" else int(line[1])) for line in lines[::step]]


# -- the rule a second time, with nothing but legal moves --


@cache
def plain_length(position, most):
    """Return an attacker's length by trying everything, None if it is more than `most`."""
    if most < 1:
        return None
    checks = [after for after in map(position.play, position.legal_moves()) if after.is_check()]
    for plies in range(1, most + 1, 2):
        if any(plain_defence(after, plies - 1) is not None for after in checks):
            return plies
    return None


@cache
def plain_defence(position, most):
    """Return a defender's length by trying everything, None if it is more than `most`."""
    waiting = interpositions(position)
    longest = 0
    for reply in position.legal_moves():
        if reply not in waiting:
            length = plain_length(position.play(reply), most - 1)
            if length is None:
                return None
            longest = max(longest, length + 1)
    for plies in range(longest, most + 1, 2):
        waiting = useful(position, waiting, longest)
        rest = [reply for reply in waiting if plain_length(position.play(reply), plies - 1) is None]
        if len(rest) < len(waiting):
            longest = max(longest, plies)
        waiting = useful(position, rest, longest)
        if not waiting:
            return longest
    return None


def useful(position, replies, longest):
    """Return those of the interpositions `replies` that no capture shows to be useless."""
    return [
        reply
        for reply in replies
        if all(plain_defence(after, longest) is None for _, after in recaptures(position, reply))
    ]


# -- lengths --


@pytest.mark.parametrize(("sfen", "plies", "strict_plies"), [(FAR_LANCE, 3, 5), (FAR_ROOK, 5, 7)])
def test_futile_interpositions_do_not_count(published, strict, sfen, plies, strict_plies):
    result = solve(Position.from_sfen(sfen), published)
    assert (result.verdict, result.plies, result.length_is) == ("proven", plies, LEFT_OUT)
    assert len(result.moves) == plies
    if JIT:
        assert solve(Position.from_sfen(sfen), strict).plies == strict_plies


def test_counted_lengths_are_strict(strict):
    counted = compose(useless_interpositions="counted")
    for sfen, plies in small_positions(few_or_many(6, 60)):
        if plies is not None:
            result = solve(Position.from_sfen(sfen), counted)
            assert (result.verdict, result.plies, result.length_is) == ("proven", plies, SHORTEST)


@pytest.mark.parametrize(("longest", "count"), [(3, few_or_many(5, 200)), *([(5, 20)] if JIT else [])])
def test_lengths_are_those_of_the_rule_tried_plainly(published, longest, count):
    published.warm()
    shorter = 0
    for sfen, strict_plies in [(FAR_LANCE, 5), *small_positions(count)]:
        position = Position.from_sfen(sfen)
        if longest > 3 and sfen == FAR_LANCE:
            continue  # all the pieces in hand take too long
        length = plain_length(position, longest)
        published.clear()
        value = published.search(position.copy_record(), longest)
        assert (value == PROVEN) == (length is not None), sfen
        if length is not None:
            assert published.root.context.answer_plies == length, sfen
            assert strict_plies is None or length <= strict_plies
            shorter += length != strict_plies
    assert shorter or longest > 3  # else the rule was not tried at all


@pytest.mark.compiled
def test_derived_problems_are_never_longer_than_strictly_and_their_proofs_hold(published):
    shorter = 0
    for row in problem_rows("tsume-derived.tsv")[::3]:
        if int(row["plies"]) > 7:
            continue
        result = solve(Position.from_sfen(row["sfen"]), published, want_proof=True)
        assert result.verdict == "proven" and result.plies <= int(row["plies"]), row["id"]
        assert result.length_is == LEFT_OUT and len(result.moves) == result.plies
        report = check_mate_proof(row["sfen"], result.proof, plies=result.plies, useless_left_out=True)
        assert report.problems == () and report.plies == result.plies, row["id"]
        assert check_line_of_proof(result.moves, result.proof) == ""
        shorter += result.plies < int(row["plies"])
    assert shorter > 0


@pytest.mark.compiled
def test_what_is_proven_is_a_mate_by_strict_rules(published):
    """Random positions and their neighbours: df-pn, which knows no such rule, proves each, if only with more plies."""
    df_pn = Registry.load().compose("mate-df-pn", {"table.megabytes": "16"})
    published.warm()
    for sfen in [*(sfen for sfen, _ in small_positions(300)), *mate_problem_sfens(60)]:
        position = Position.from_sfen(sfen)
        published.clear()
        if published.search(position.copy_record(), 7) == PROVEN:
            assert solve(position, df_pn).verdict == "proven", sfen


@pytest.mark.compiled
def test_what_it_disproves_has_no_mate(strict):
    asking = Registry.load().compose("mate-published", {"ask": "200", "ask_from": "3", "table.megabytes": "1"})
    disproven = 0
    for sfen, plies in small_positions(200):
        result = solve(Position.from_sfen(sfen), asking, node_limit=20_000)
        assert result.verdict != "disproven" or plies is None, sfen
        assert plies is None or (result.verdict == "proven" and result.plies <= plies), sfen
        disproven += result.verdict == "disproven"
    assert disproven > 0


@pytest.mark.compiled
def test_a_tiny_table_and_questions_to_the_oracle_change_no_length(published):
    tiny = compose(**{"table.megabytes": "0.001"})
    asking = Registry.load().compose("mate-published", {"ask": "100", "ask_from": "1", "table.megabytes": "1"})
    for row in problem_rows("mate-sample.tsv"):
        lengths = {solve(Position.from_sfen(row["sfen"]), run).plies for run in (published, tiny, asking)}
        assert len(lengths) == 1, row["id"]


def test_a_limit_in_plies_is_kept(published):
    published.warm()
    published.clear()
    for plies, value in ((1, UNKNOWN), (2, UNKNOWN), (3, PROVEN), (4, PROVEN), (0, PROVEN), (1, UNKNOWN)):
        assert published.search(Position.from_sfen(FAR_LANCE).copy_record(), plies) == value


def test_a_table_keeps_lengths_of_the_two_counts_apart():
    record = Position.from_sfen(FAR_LANCE).copy_record()
    assert len({int(question_key(record, side + count)) for side in (0, 1) for count in (0, OTHER_COUNT)}) == 4


# -- what interposes and how it is taken --


def test_moves_between_interpose_and_captures_and_king_moves_do_not():
    position = Position.from_sfen("4k4/9/3g5/9/9/9/9/9/4R4 w p 1")
    between = [f"P*5{rank}" for rank in "bcdefgh"]
    assert set(interpositions(position)) == {*between, "6c5c", "6c5d"}


UNCOVERING = "4R4/9/9/9/4k4/5N3/9/7B1/9 w p 1"  # the knight takes on 5d and uncovers the bishop's check


def test_the_capturing_piece_must_give_check_itself():
    after = Position.from_sfen(UNCOVERING).play("P*5d")
    assert after.play("4f5d").is_check()
    found = dict(recaptures(Position.from_sfen(UNCOVERING), "P*5d"))
    assert set(found) == {"5a5d", "5a5d+"}


def test_the_captured_piece_is_the_defenders_again():
    after = dict(recaptures(Position.from_sfen(UNCOVERING), "P*5d"))["5a5d"]
    assert after.sfen.split()[:3] == ["9/9/9/4R4/4k4/5N3/9/7B1/9", "w", "p"]


# -- proofs --

PROOF = {
    "move": "S*1c",
    "replies": {
        "1b2a": {"move": "1c2b+", "replies": {}},
        "2b1c": {
            "move": "2c2e+",
            "replies": {},
            "useless": {f"{kind}*2c": {"capture": "2e2c", "replies": {}} for kind in "PLNSRG"},
        },
    },
}


def faults(change, left_out=True, plies=3):
    proof = copy.deepcopy(PROOF)
    change(proof["replies"]["2b1c"])
    return "; ".join(check_mate_proof(FAR_LANCE, proof, plies=plies, useless_left_out=left_out).problems)


def test_a_proof_with_useless_interpositions_holds_where_they_are_left_out_and_nowhere_else():
    report = check_mate_proof(FAR_LANCE, PROOF, plies=3, useless_left_out=True)
    assert report.ok and report.plies == 3
    assert "the node has a key 'useless'" in faults(lambda node: None, left_out=False)
    assert check_line(FAR_LANCE, ["S*1c", "2b1c", "2c2e+"]).ok is False
    assert check_line_of_proof(["S*1c", "2b1c", "2c2e+"], PROOF) == ""


def test_an_interposition_that_is_left_out_without_a_word_is_a_fault():
    assert "evasions without an answer: P*2c" in faults(lambda node: node["useless"].pop("P*2c"))


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"capture": "3d2c", "replies": {}}, "evasions without an answer"),
        ({"capture": "S*2c", "replies": {}}, "is no legal capture"),
        ({"capture": "2e2d", "replies": {}}, "is no legal capture"),
        ({"capture": 7, "replies": {}}, "expected a USI move"),
        ({"move": "2e2c", "replies": {}}, "no 'capture'"),
        ({"capture": "2e2c", "replies": {"1c1d": PROOF}}, "not legal evasions"),
        ("yes", "expected an object"),
    ],
)
def test_a_capture_that_shows_nothing_is_a_fault(answer, fault):
    assert fault in faults(lambda node: node["useless"].update({"P*2c": answer}))


def test_a_reply_can_not_be_answered_and_useless():
    answered = {"move": "2e2c", "replies": {}}
    assert "answered and called useless" in faults(lambda node: node["replies"].update({"P*2c": answered}), plies=5)


def test_only_interpositions_can_be_useless():
    proof = copy.deepcopy(PROOF)
    proof["useless"] = {"2b1c": proof["replies"].pop("2b1c")}
    assert "does not interpose" in check_mate_proof(FAR_LANCE, proof, useless_left_out=True).problems[0]


def test_a_capture_that_only_uncovers_a_check_is_a_fault():
    sfen = "9/R8/9/9/4k4/5N3/9/7B1/9 b p 1"
    proof = {"move": "9b5b", "replies": {}, "useless": {"P*5d": {"capture": "4f5d", "replies": {}}}}
    problems = check_mate_proof(sfen, proof, useless_left_out=True).problems
    assert any("does not give check with its own piece" in problem for problem in problems)


@pytest.mark.compiled
def test_a_mate_that_takes_longer_without_the_piece_than_the_others_last_is_a_fault(published):
    """Each useful interposition of true proofs is claimed to be useless, by all the captures there are."""
    tried = 0
    for row in problem_rows("tsume-derived.tsv")[:60]:
        proof = solve(Position.from_sfen(row["sfen"]), published, want_proof=True).proof
        position = Position.from_sfen(row["sfen"]).play(proof["move"])
        for reply in [reply for reply in interpositions(position) if reply in proof["replies"]]:
            for capture, after in recaptures(position, reply):
                left = proof_without(published, after)
                if left is None:
                    continue
                wrong = copy.deepcopy(proof)
                del wrong["replies"][reply]
                wrong.setdefault("useless", {})[reply] = {"capture": capture, **left}
                problems = check_mate_proof(row["sfen"], wrong, useless_left_out=True).problems
                rest = max((len_of(node) for node in wrong["replies"].values()), default=-1) + 1
                if len_of_defence(left) > rest:
                    assert any("not useless" in problem for problem in problems), (row["id"], reply)
                    tried += 1
    assert tried > 0


def proof_without(run, position):
    """Return a defender's part of a proof, made of proofs of all its replies; None if one is not proven."""
    replies = {}
    for reply in position.legal_moves():
        result = solve(position.play(reply), run, want_proof=True, node_limit=5_000)
        if result.proof is None:
            return None
        replies[reply] = result.proof
    return {"replies": replies}


def len_of(node):
    return 1 + len_of_defence(node)


def len_of_defence(node):
    return max((1 + len_of(reply) for reply in node["replies"].values()), default=0)
