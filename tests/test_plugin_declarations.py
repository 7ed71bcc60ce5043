"""What `implements` and `Option` refuse at once, with a text that says why."""

import pytest

from hisshi.core import Option, implements
from hisshi.core.discovery import load_plugins
from hisshi.core.errors import PluginError
from hisshi.core.kernel.role import KernelInfo
from hisshi.core.kernel.roles import all_roles


def declare(**more):
    @implements("king_freedom", **more)
    def mine(context, position, colour):
        """First line.

        More.
        """
        return 3

    return mine.hisshi_kernel


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"default": 3, "low": 4}, "default 3 is out of its range, 4 to"),
        ({"default": 3, "high": 2}, "default 3 is out of its range"),
        ({"default": float("nan")}, "default nan is out of its range"),
        ({"default": 10**400}, "is out of its range"),
        ({"default": "near"}, "'near' is a text; expected choices"),
        ({"default": "near", "choices": ("far",)}, "default 'near' is not among its choices 'far'"),
        ({"default": "far", "choices": ("far", "far")}, "a choice is listed twice"),
        ({"default": None}, "default None is a NoneType, expected int, float, bool or str"),
        ({"default": 3, "name": "max plies"}, "option 'max plies': expected a name of letters"),
        ({"default": 3, "name": "use"}, "option 'use': a registry needs that name itself"),
        ({"default": 3, "name": "path"}, "a registry needs that name itself"),
    ],
)
def test_an_option_that_cannot_be_is_refused_where_it_is_declared(more, says):
    with pytest.raises(ValueError, match="option '") as caught:
        Option(**{"name": "x"} | more)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"options": [Option("x", 1), Option("x", 2)]}, "'x' is declared twice"),
        ({"options": [Option("checks", 1)], "parts": ["checks"]}, "'checks' is declared twice"),
        ({"options": [Option(f"x{n}", 1) for n in range(17)]}, "17 options, a context has room for 16"),
        ({"parts": {f"x{n}": "checks" for n in range(9)}}, "9 parts with names of their own, a context has room for 8"),
        ({"parts": ["a.b"]}, "part 'a.b': expected a name of letters"),
        ({"parts": {"use": "checks"}}, "part 'use': expected a name"),
        ({"traits": ["completely"]}, "no trait named 'completely'; there are: complete, budget-is-plies"),
        ({"bucket": 0}, "bucket is 0, expected 1 or more"),
    ],
)
def test_a_kernel_that_cannot_be_is_refused_where_it_is_declared(more, says):
    with pytest.raises(ValueError, match="kernel 'mine': ") as caught:
        declare(**more)
    assert says in str(caught.value)


@pytest.mark.parametrize("argument", ["parts", "traits"])
def test_a_text_in_the_place_of_a_list_is_no_list_of_letters(argument):
    with pytest.raises(TypeError, match=rf"{argument} is the text 'checks', expected a list: \['checks'\]"):
        declare(**{argument: "checks"})


def test_as_many_options_and_parts_as_a_context_holds_are_accepted():
    info = declare(options=[Option(f"x{n}", n) for n in range(16)], parts={f"y{n}": "checks" for n in range(8)})
    assert isinstance(info, KernelInfo)
    assert (info.name, info.summary, len(info.options), len(info.parts)) == ("mine", "First line.", 16, 8)


def test_an_option_that_its_role_already_has_is_refused(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from hisshi.core import Option, hookimpl, implements\n"
        "@implements('table', options=[Option('megabytes', 1.0)])\n"
        "def mine(context, bucket, entry):\n    return 0\n@hookimpl\ndef hisshi_table():\n    return mine\n"
    )
    with pytest.raises(PluginError, match="kernel 'mine' declares 'megabytes', which every 'table' plugin has"):
        load_plugins().from_file(tmp_path / "mine.py", "table", None, "here")


@pytest.mark.parametrize("line", ["raise SystemExit(0)", "raise ValueError('one\\ntwo')"])
def test_a_hook_that_raises_is_an_error_of_one_line(tmp_path, line):
    (tmp_path / "mine.py").write_text(
        f"from hisshi.core import hookimpl\n@hookimpl\ndef hisshi_king_freedom():\n    {line}\n"
    )
    with pytest.raises(PluginError, match="hook hisshi_king_freedom: raised ") as caught:
        load_plugins().from_file(tmp_path / "mine.py", "king_freedom", None, "here")
    assert "\n" not in str(caught.value)


def test_traits_computed_from_options_are_checked_when_a_run_is_composed(tmp_path):
    from hisshi.core import Registry

    (tmp_path / "mine.py").write_text(
        "from hisshi.core import hookimpl, implements\n@implements('stop', traits=lambda options: {'by-plies'})\n"
        "def mine(context, stack, ply, moves, keys, limits, point):\n    return 0\n"
        "@hookimpl\ndef hisshi_stop():\n    return mine\n"
    )
    (tmp_path / "mine.toml").write_text("[run.x]\nextends = 'mate'\nstop = { path = 'mine.py' }\n")
    with pytest.raises(PluginError, match="plugin 'mine', hook hisshi_stop: no trait named 'by-plies'; there are: "):
        Registry.load(tmp_path / "mine.toml").compose("x")


def test_every_role_has_a_slot_of_its_own_and_says_what_its_kernel_gets():
    roles = all_roles()
    assert list(roles) == [
        "legal_moves", "checks", "evasions", "move_order", "king_freedom", "stop", "table", "search",
            "hisshi_rule", "attack_candidates", "defence_candidates", "evaluation", "captures", "quiescence",
    ]  # fmt: skip
    assert roles["move_order"].contract == (
        "(context: context record, position: position record, moves: array of int32, keys: array of int64, "
        "start: int64, end: int64) -> int64"
    )


def test_every_bundled_plugin_says_what_it_is_and_where_it_comes_from():
    for plugin in load_plugins().plugins:
        assert plugin.summary and plugin.source and plugin.distribution == "hisshi", plugin.name
        assert plugin.status in ("stable", "experimental")
        assert all(option.help for option in plugin.options), plugin.name
