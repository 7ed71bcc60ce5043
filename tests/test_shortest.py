"""``shortest = true``: any search goes on until the length is proven minimal, and says so if it cannot."""

import _thread
import time
from pathlib import Path

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.checker import check_line, check_mate_proof
from hisshi.core.errors import Interrupted, RegistryError, SearchFailedError
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_BUDGET, GAVE_UP_SCHEDULE, STOP
from hisshi.core.kernel.table import UNKNOWN

PROBLEMS = Path(__file__).parent.parent / "problems" / "tsume-derived.tsv"
# df-pn's first proof is longer than the shortest mate.
IN_THREE = "9/9/9/8n/6+R2/7pB/4+p1S1k/8g/5r2P b 2G2Sbgs3n4l15p 1"
IN_FIVE = "5+B1R1/5pP1k/8p/9/4+p1p2/7N1/9/8+R/9 b S3Nb4g3s4l13p 1"
WIDE = "9/9/k8/2G6/9/9/9/9/9 b GS 1"  # in five; its checks have several answers
FIRST = {IN_THREE: 5, IN_FIVE: 7}
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"


def compose(name="mate-df-pn", **overrides):
    return Registry.load().compose(name, {"table.megabytes": "1", "shortest": "true"} | overrides)


@pytest.fixture(scope="module")
def run():
    run = compose()
    run.warm()
    return run


@pytest.mark.parametrize("sfen", FIRST)
def test_df_pn_goes_on_after_a_proof_that_is_longer_than_the_shortest(run, sfen):
    first = solve(Position.from_sfen(sfen), compose(shortest="false"))
    assert (first.plies, first.length_is) == (FIRST[sfen], "upper bound")
    result = solve(Position.from_sfen(sfen), run, want_proof=True)
    assert (result.verdict, result.plies, result.length_is) == ("proven", FIRST[sfen] - 2, "shortest")
    assert result.reason == "" and result.nodes > first.nodes
    assert len(result.moves) == result.plies and check_line(sfen, list(result.moves)).problems == ()
    assert check_mate_proof(sfen, result.proof, plies=result.plies).problems == ()


@pytest.mark.parametrize(
    "overrides", [{}, {"stop": "count-budget"}, {"counter_checks": "unknown"}, {"search": "mate-pn-multi-id"}]
)
def test_a_mate_in_one_is_the_shortest_by_any_search(overrides):
    result = solve(Position.from_sfen(MATE_IN_ONE), compose("mate", **overrides))
    assert (result.plies, result.length_is, result.reason) == (1, "shortest", "")


def mates(plies):
    rows = [line.split("\t") for line in PROBLEMS.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return [row[1] for row in rows if int(row[2]) == plies]


@pytest.mark.compiled
@pytest.mark.parametrize("plies", [3, 5, 7])
@pytest.mark.parametrize("name", ["mate", "mate-df-pn", "mate-pn-multi-id", "mate-count-budget"])
def test_every_mate_search_finds_the_listed_length_of_the_derived_mates(name, plies):
    run = compose(name, **{"table.megabytes": "16"})
    is_sure = name != "mate-count-budget"  # what its budget cuts off is unknown, also as to length
    for sfen in mates(plies):
        result = solve(Position.from_sfen(sfen), run)
        if is_sure or result.verdict != "unknown":
            expected = ("proven", plies, "shortest" if is_sure else "upper bound")
            assert (result.verdict, result.plies, result.length_is) == expected, sfen
            assert len(result.moves) == plies and not check_line(sfen, list(result.moves)).problems, sfen


BRUTE_FORCE = Path(__file__).with_name("golden") / "small-positions.tsv"  # random positions, mates up to 5 plies
BY_ALL = {
    "df-pn": ("mate-df-pn", {}),
    "df-pn, tiny table": ("mate-df-pn", {"table.megabytes": "0.001"}),
    "df-pn, plain": ("mate-df-pn", {"dominance": "false", "look_ahead": "false", "mate_in_one": "false"}),
    "pn": ("mate-pn-multi-id", {}),
    "pn, static, tiny table": ("mate-pn-multi-id", {"static": "true", "table.megabytes": "0.001"}),
    "pn, at the defender": ("mate-pn-multi-id", {"iterate": "defender", "mate_in_one": "false"}),
    "count budget": ("mate-count-budget", {}),
    "counter-checks unknown": ("mate", {"counter_checks": "unknown"}),
}


@pytest.mark.parametrize("variant", BY_ALL)
def test_what_is_called_the_shortest_is_what_brute_force_finds(variant):
    name, overrides = BY_ALL[variant]
    run = compose(name, **overrides)
    rows = [line.split("\t") for line in BRUTE_FORCE.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    for sfen, length in rows if JIT else rows[::20]:
        result = solve(Position.from_sfen(sfen), run, node_limit=5000 if JIT else 100)
        if result.length_is == "shortest":
            assert (str(result.plies) == length and len(result.moves) == result.plies) or length == "-", sfen
            assert length != "-" or result.plies > 5, sfen
        elif result.plies is not None and name not in ("mate-count-budget", "mate"):
            assert result.reason == "not shown to be the shortest: node limit", sfen


def test_a_node_limit_met_after_the_proof_leaves_the_proof(run):
    first = solve(Position.from_sfen(IN_FIVE), compose(shortest="false"), want_proof=True)
    whole = solve(Position.from_sfen(IN_FIVE), run).nodes
    result = solve(Position.from_sfen(IN_FIVE), run, node_limit=first.nodes + 1, want_proof=True)
    assert (result.verdict, result.plies, result.length_is) == ("proven", FIRST[IN_FIVE], "upper bound")
    assert (result.reason, result.nodes) == ("not shown to be the shortest: node limit", first.nodes + 1)
    assert (result.moves, result.proof) == (first.moves, first.proof)
    assert solve(Position.from_sfen(IN_FIVE), run, node_limit=first.nodes - 1).verdict == "unknown"
    assert solve(Position.from_sfen(IN_FIVE), run, node_limit=whole).length_is == "shortest"
    assert solve(Position.from_sfen(IN_FIVE), run, node_limit=whole - 1).length_is == "upper bound"


def waiting(run, monkeypatch, meanwhile):
    """Let the second search of `run`, the first for a shorter mate, call `meanwhile` and begin when told to stop."""
    search, asked = run.search, []

    def search_or_wait(record, plies=0):
        asked.append(plies)
        if len(asked) == 2:
            meanwhile()
            deadline = time.monotonic() + 20
            while run.control[STOP] == 0 and time.monotonic() < deadline:
                time.sleep(0.01)
        return search(record, plies)

    monkeypatch.setattr(run, "search", search_or_wait)


def test_a_time_limit_met_after_the_proof_leaves_the_proof_with_its_line(run, monkeypatch):
    waiting(run, monkeypatch, lambda: None)
    result = solve(Position.from_sfen(IN_THREE), run, time_limit=0.3, want_proof=True)
    assert (result.verdict, result.plies, result.length_is) == ("proven", 5, "upper bound")
    assert result.reason == "not shown to be the shortest: time limit"
    assert len(result.moves) == 5 and check_mate_proof(IN_THREE, result.proof, plies=5).problems == ()


def test_ctrl_c_after_the_proof_leaves_the_proof_with_its_line(run, monkeypatch):
    waiting(run, monkeypatch, _thread.interrupt_main)
    begun = time.monotonic()
    with pytest.raises(Interrupted) as caught:
        solve(Position.from_sfen(IN_THREE), run, time_limit=20)
    assert time.monotonic() - begun < 10
    result = caught.value.result
    assert (result.verdict, result.plies, result.length_is) == ("proven", 5, "upper bound")
    assert result.reason == "not shown to be the shortest: stopped"
    assert 1 <= len(result.moves) <= 5 and (len(result.moves) == 5 or not JIT)


@pytest.mark.parametrize(
    ("name", "overrides", "why"),
    [
        ("mate-count-budget", {}, "the stop rule's largest budget was not enough"),
        ("mate", {"counter_checks": "unknown"}, "the stop rule's largest budget was not enough"),
        ("mate-df-pn", {"checks.skip_dominated": "true"}, "the run's checks leave out moves"),
    ],
)
def test_a_search_that_gave_up_does_not_show_that_a_length_is_the_shortest(name, overrides, why):
    result = solve(Position.from_sfen(IN_THREE), compose(name, **overrides))
    assert (result.verdict, result.plies, result.length_is) == ("proven", 3, "upper bound")
    assert result.reason == f"not shown to be the shortest: {why}"


def test_without_all_evasions_a_length_is_no_shortest_one():
    result = solve(Position.from_sfen(IN_THREE), compose(**{"evasions.skip_dominated": "true"}))
    assert (result.verdict, result.plies, result.length_is) == ("found", 3, "upper bound")


def test_no_mate_stays_no_mate(run):
    assert solve(Position.from_sfen("4k4/9/9/9/9/9/9/9/9 b G 1"), run).verdict == "disproven"


@pytest.mark.parametrize(
    ("overrides", "plies", "bit"),
    [
        ({}, 3, GAVE_UP_SCHEDULE),
        ({"most": "2"}, 3, GAVE_UP_BUDGET),
        ({"max_plies": "1"}, 3, GAVE_UP_BUDGET),  # its own limit, not the caller's
        ({"max_plies": "3"}, 3, GAVE_UP_SCHEDULE),
        ({"max_plies": "3"}, 0, GAVE_UP_BUDGET),
    ],
)
def test_a_threshold_and_a_limit_of_its_own_are_no_limit_in_plies(overrides, plies, bit):
    run = compose("mate-pn-multi-id", **overrides)
    run.warm()
    assert run.search(Position.from_sfen(WIDE).copy_record(), plies) == UNKNOWN
    assert run.control[EXHAUSTED] == bit


LIARS = """
from hisshi.core import hookimpl, implements
from hisshi.core.kernel.control import GAVE_UP_SCHEDULE, NODES, control_of, give_up

@implements("search")
def denies(context, position, plies):
    context.answer_plies = 5
    return 1 if plies == 0 else -1

@implements("search")
def exceeds(context, position, plies):
    context.answer_plies = 5
    return 1

@hookimpl
def hisshi_search():
    return [denies, exceeds]
"""


@pytest.fixture
def liar(tmp_path):
    def compose_liar(name):
        (tmp_path / "liars.py").write_text(LIARS)
        part = f"{{ path = 'liars.py', use = '{name}' }}"
        (tmp_path / "mine.toml").write_text(f"[run.x]\nsearch = {part}\nshortest = true\n")
        return Registry.load(tmp_path / "mine.toml").compose("x")

    return compose_liar


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("denies", "search 'denies' has proven a mate in 5 plies and disproves it"),
        ("exceeds", "search 'exceeds' asked for a mate within 3 plies gives 5"),
    ],
)
def test_a_search_that_contradicts_itself_is_an_error(liar, name, says):
    with pytest.raises(SearchFailedError, match=f"^run 'x': {says}"):
        solve(Position.from_sfen(IN_THREE), liar(name))


def test_a_search_that_gives_no_reason_shows_nothing(run, monkeypatch):
    search, asked = run.search, []

    def search_once(record, plies=0):
        asked.append(plies)
        return UNKNOWN if len(asked) == 2 else search(record, plies)

    monkeypatch.setattr(run, "search", search_once)
    result = solve(Position.from_sfen(IN_THREE), run)
    assert (result.verdict, result.plies, result.length_is, asked[1]) == ("proven", 5, "upper bound", 3)
    assert result.reason == "not shown to be the shortest: the search gives no reason"


# Where it is set.


def test_a_run_has_it_extends_it_and_overrides_it(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        "[run.a]\nextends = 'mate-df-pn'\nshortest = true\n[run.b]\nextends = 'a'\n"
        "[run.c]\nextends = 'b'\nshortest = false\n"
    )
    registry = Registry.load(file)
    assert [registry.compose(name).shortest for name in ("mate-df-pn", "a", "b", "c")] == [False, True, True, False]
    assert registry.compose("c", {"shortest": "yes"}).shortest and not registry.compose("a", {"shortest": "0"}).shortest
    result = solve(Position.from_sfen(MATE_IN_ONE), registry.compose("b"))
    assert result.provenance["shortest"] is True


@pytest.mark.parametrize(
    ("text", "overrides", "says"),
    [
        ("shortest = 'yes'", {}, "expected true or false, got 'yes'"),
        ("shortest = 1", {}, "expected true or false, got 1"),
        ("shortst = true", {}, "'shortst'"),
        ("", {"shortest": "perhaps"}, "--set shortest=perhaps is 'perhaps', expected true or false"),
        ("", {"shortst": "true"}, "did you mean 'shortest'"),
    ],
)
def test_another_value_than_true_or_false_is_refused(tmp_path, text, overrides, says):
    (tmp_path / "mine.toml").write_text(f"[run.x]\nextends = 'mate'\n{text}\n")
    with pytest.raises(RegistryError) as caught:
        Registry.load(tmp_path / "mine.toml").compose("x", overrides)
    assert says in str(caught.value)
