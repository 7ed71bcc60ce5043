"""``--set``: a part's plugin, a part's option, an option that only one part has; and options never compile anything."""

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.errors import HisshiError
from hisshi.core.kernel.compiling import compile_log

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"


def compose(overrides, name="mate"):
    return Registry.load().compose(name, overrides)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_an_option_is_set_by_its_place_or_by_its_name_alone():
    for name in ("stop.max_plies", "max_plies"):
        stop = compose({name: "9"}).root.parts["stop"]
        assert stop.options == {"max_plies": 9, "step": 2} and stop.context.options[0] == 9
    assert compose({"table.megabytes": "0.5"}).root.parts["table"].options == {"megabytes": 0.5}
    assert compose({"mate_in_one": "off"}).root.options["mate_in_one"] is False


def test_a_part_is_set_to_another_plugin():
    assert compose({"table": "always-replace"}).root.parts["table"].plugin.name == "always-replace"


def test_a_plugin_and_its_options_are_set_in_any_order():
    for overrides in ({"stop": "count-budget", "stop.last": "70"}, {"last": "70", "stop": "count-budget"}):
        stop = compose(overrides).root.parts["stop"]
        assert (stop.plugin.name, stop.options["last"]) == ("count-budget", 70)


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"skip_dominated": "true"}, "several parts have such an option; say which: checks.skip_dominated, evasions."),
        ({"max_plys": "9"}, "no part of run 'mate' has such an option; there are: checks.skip_dominated"),
        ({"stop.max_plys": "9"}, "--set stop.max_plys=9: no part of run 'mate' has such an option"),
        ({"stpo.max_plies": "9"}, "run 'mate' has no part 'stpo'; it has: checks"),
        ({"table": "two-levle"}, "two-level, two-level-effort (did you mean 'two-level'?)"),
        ({"max_plies": "9.5"}, "--set max_plies=9.5: stop.max_plies is '9.5', expected a whole number 1 to 1999"),
        ({"max_plies": ""}, "stop.max_plies is '', expected a whole number"),
        ({"max_plies": "9" * 5000}, "expected a whole number 1 to 1999"),
        ({"max_plies": "0"}, "stop.max_plies is 0, out of range: expected 1 to 1999"),
        ({"megabytes": "nan"}, "table.megabytes is nan, expected a number 0.001 to"),
        ({"mate_in_one": "maybe"}, "search.mate_in_one is 'maybe', expected true or false"),
        ({"": "1"}, "no part of run 'mate' has such an option"),
        ({".": "1"}, "has such an option"),
        ({"last": "70"}, "no part of run 'mate' has such an option"),  # count-budget's, which is not in the run
    ],
)
def test_a_wrong_override_says_what_there_is(overrides, says):
    with pytest.raises(HisshiError) as caught:
        compose(overrides)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.compiled
def test_a_sweep_over_options_compiles_nothing():
    solve(Position.from_sfen(MATE_IN_ONE), compose({}))
    before, loaded = compile_log.compiled, compile_log.loaded
    for plies in ("1", "9", "1999"):
        for megabytes in ("0.001", "7"):
            for skip in ("true", "false"):
                run = compose({"max_plies": plies, "megabytes": megabytes, "checks.skip_dominated": skip})
                assert solve(Position.from_sfen(MATE_IN_ONE), run).verdict == "proven"
    assert (compile_log.compiled, compile_log.loaded) == (before, loaded)


TWO_COUNTS = """
from hisshi.core import Option, hookimpl, implements

@implements("king_freedom", options=[Option("value", 1)])
def constant(context, position, colour):
    return context.options[0]

@implements("move_order", parts={"near": "king_freedom", "far": "king_freedom"})
def both(context, position, moves, keys, start, end):
    return 0

@hookimpl
def hisshi_king_freedom():
    return constant

@hookimpl
def hisshi_move_order():
    return both
"""


def test_parts_with_names_of_their_own_are_composed_and_set_like_others(tmp_path):
    (tmp_path / "two.py").write_text(TWO_COUNTS)
    (tmp_path / "hisshi.toml").write_text(
        "[run.x]\nextends = 'mate'\nmove_order = { path = 'two.py' }\n"
        "near = { path = 'two.py', value = 3 }\nfar = { path = 'two.py' }\n"
    )
    order = compose({"far.value": "7"}, "x").root.parts["move_order"]
    assert {name: part.options["value"] for name, part in order.parts.items()} == {"near": 3, "far": 7}
    with pytest.raises(HisshiError, match=r"say which: far\.value, near\.value"):
        compose({"value": "7"}, "x")
    (tmp_path / "hisshi.toml").write_text("[run.x]\nextends = 'mate'\nmove_order = { path = 'two.py' }\n")
    order = compose({}, "x").root.parts["move_order"]  # what is not named is the run's part of that role
    assert order.parts["near"] is order.parts["far"] and order.parts["near"].plugin.name == "modified"


def test_a_part_cannot_contain_itself(tmp_path):
    (tmp_path / "self.py").write_text(
        "from hisshi.core import hookimpl, implements\n@implements('king_freedom', parts=['king_freedom'])\n"
        "def inside(context, position, colour):\n    return 0\n"
        "@hookimpl\ndef hisshi_king_freedom():\n    return inside\n"
    )
    for own, says in (
        ("", "would contain itself: search -> move_order -> king_freedom"),
        (", king_freedom = {}", "deep"),
    ):
        (tmp_path / "hisshi.toml").write_text(
            f"[run.x]\nextends = 'mate'\nking_freedom = {{ path = 'self.py'{own} }}\n"
        )
        with pytest.raises(HisshiError, match=says):
            compose({}, "x")
    (tmp_path / "hisshi.toml").write_text(
        "[run.x]\nextends = 'mate'\nking_freedom = { path = 'self.py', king_freedom = 'classical' }\n"
    )
    assert compose({}, "x").root.parts["move_order"].parts["king_freedom"].parts["king_freedom"].parts == {}
