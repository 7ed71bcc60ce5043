"""Installed plugins that are broken are missed and nothing else: named where they are needed, in the way nowhere."""

import logging
import sys

import pytest
from click.testing import CliRunner

from hisshi.core import Registry, discovery
from hisshi.core.discovery import load_plugins
from hisshi.core.errors import PluginError
from hisshi.lab.cli import hisshi

HEAD = "from hisshi.core import hookimpl, implements\n"
CLASSICAL = """
@implements("king_freedom")
def classical(context, position, colour):
    return 0

@hookimpl
def hisshi_king_freedom():
    return classical
"""


@pytest.fixture
def install(monkeypatch, tmp_path):
    """Install a distribution, as far as Python can tell: files by module name, and its entry points."""
    monkeypatch.setattr(discovery, "_told", set())

    def installed(name, entry_points, **files):
        folder = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[hisshi.plugins]\n{entry_points}\n")
        for module, text in files.items():
            (tmp_path / f"{module}.py").write_text(text)
            monkeypatch.delitem(sys.modules, module, raising=False)
        monkeypatch.syspath_prepend(tmp_path)

    return installed


def problems():
    return [str(broken) for broken in load_plugins().broken]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module' (odd_plugin.py, line 1)"),
        ("x = 1\nraise SystemExit(2)", "SystemExit: 2 (odd_plugin.py, line 2)"),
        ("\n\nx = (1\n", "SyntaxError: '(' was never closed (odd_plugin.py, line 3)"),
        (
            HEAD + '@implements("table", bucket=0)\ndef x():\n    pass',
            "ValueError: kernel 'x': bucket is 0, expected 1 or more (odd_plugin.py, line 2)",
        ),
    ],
)
def test_one_that_raises_at_import_is_named_with_its_distribution_file_and_line(install, text, says):
    install("hisshi-odd", "odd = odd_plugin", odd_plugin=text)
    assert problems() == [
        f"plugin 'odd' of hisshi-odd 1.0 (odd_plugin) cannot be imported: {says}; mend it, or uninstall hisshi-odd"
    ]


def test_the_line_is_the_authors_own_not_that_of_a_library_which_he_called(install):
    install("hisshi-odd", "odd = odd_plugin", odd_plugin="import json\n\njson.loads('{')\n")
    assert "(odd_plugin.py, line 3)" in problems()[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + CLASSICAL.replace("return classical", "return 3"), "returns int, the hook wants a kernel"),
        (HEAD + CLASSICAL.replace("return classical", "return 1 // 0"), "raised ZeroDivisionError"),
        (HEAD + CLASSICAL.replace("freedom():", "fredom():"), "unknown hook 'hisshi_king_fredom'"),
        (HEAD + CLASSICAL.replace("@hookimpl", ""), "hisshi_king_freedom is not marked"),
        (HEAD + CLASSICAL.replace("position, colour", "position"), "takes (context, position), the contract wants"),
    ],
)
def test_one_whose_hook_is_wrong_is_left_out_alone(install, text, says):
    install("hisshi-odd", "odd = odd_plugin", odd_plugin=text)
    (problem,) = problems()
    assert "odd" in problem and says in problem
    assert "modified" in load_plugins().names("king_freedom")


def test_a_run_that_needs_nothing_of_it_goes_on_after_one_warning(install, caplog):
    install("hisshi-odd", "odd = odd_plugin", odd_plugin="import no_such_module")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert Registry.load().compose("mate").root.plugin.name == "mate-depth-first"
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == [
        "warning: left out: plugin 'odd' of hisshi-odd 1.0"
    ]


def test_a_run_that_asks_for_something_of_it_ends_with_its_name_and_reason(install):
    install("hisshi-odd", "odd = odd_plugin", odd_plugin="import no_such_module")
    with pytest.raises(PluginError) as caught:
        Registry.load().compose("mate", {"king_freedom": "odd-freedom"})
    text = str(caught.value)
    assert "no 'king_freedom' plugin named 'odd-freedom'; installed: classical, modified" in text
    assert "; not loaded: plugin 'odd' of hisshi-odd 1.0 (odd_plugin) cannot be imported: ModuleNotFoundError" in text


def test_a_name_of_hisshis_own_stays_hisshis(install):
    install("hisshi-twin", "twin = twin_plugin", twin_plugin=HEAD + CLASSICAL)
    (problem,) = problems()
    assert problem.startswith("two 'king_freedom' plugins are named 'classical': ")
    assert "hisshi-twin 1.0 (twin_plugin, line 3)" in problem and "hisshi.plugins.freedom.classical, line" in problem
    assert load_plugins().find("king_freedom", "classical", "here").distribution == "hisshi"


def test_of_two_others_under_one_name_neither_is_used(install):
    install("hisshi-one", "one = one_plugin", one_plugin=HEAD + CLASSICAL.replace("classical", "mine"))
    install("hisshi-two", "two = two_plugin", two_plugin=HEAD + CLASSICAL.replace("classical", "mine"))
    assert len(problems()) == 2
    with pytest.raises(PluginError, match=r"no 'king_freedom' plugin named 'mine'; .*; not loaded: two 'king_freedom'"):
        load_plugins().find("king_freedom", "mine", "here")


def test_one_module_behind_two_entry_points_is_named(install):
    install("hisshi-both", "a = both_plugin\nb = both_plugin", both_plugin="")
    (problem,) = problems()
    assert problem.startswith("plugin 'b' of hisshi-both 1.0: both_plugin is behind another entry point too")


def test_an_entry_point_is_a_module(install):
    install("hisshi-odd", "odd = odd_plugin:x", odd_plugin="x = 3")
    (problem,) = problems()
    assert problem.endswith("(odd_plugin:x) is of type int, expected a module: leave out what is behind the colon")


def test_whatever_is_wrong_with_one_it_alone_is_left_out(install):
    text = HEAD + CLASSICAL.replace("return classical", "classical.py_func = 3\n    return classical")
    install("hisshi-odd", "odd = odd_plugin", odd_plugin=text)
    (problem,) = problems()
    assert "odd" in problem
    assert "modified" in load_plugins().names("king_freedom")


def test_plugins_lists_what_is_broken_with_the_reason(install, tmp_path):
    install("hisshi-odd", "odd = odd_plugin", odd_plugin="import no_such_module")
    (tmp_path / "mine.py").write_text("x = (\n")
    registry = tmp_path / "mine.toml"
    registry.write_text('[run.x]\nextends = "mate"\nking_freedom = { path = "mine.py" }\n')
    ran = CliRunner().invoke(hisshi, ["plugins", "--registry", str(registry)])
    assert ran.exit_code == 0
    assert "not loaded: plugin 'odd' of hisshi-odd 1.0 (odd_plugin) cannot be imported: ModuleNotFound" in ran.stdout
    assert "[run.x]: plugin file mine.py cannot be imported: SyntaxError: '(' was never closed" in ran.stdout
    ran = CliRunner().invoke(hisshi, ["plugins", "odd", "--registry", str(registry)])
    assert ran.exit_code == 2 and ran.stderr.splitlines()[-1].startswith("error: plugin 'odd' of hisshi-odd 1.0")


def test_plugins_of_files_that_a_registry_names_are_listed(tmp_path):
    (tmp_path / "mine.py").write_text(HEAD + CLASSICAL.replace("classical", "mine"))
    registry = tmp_path / "mine.toml"
    registry.write_text(
        '[run.x]\nextends = "mate"\nmove_order = { use = "king-freedom", king_freedom = { path = "mine.py" } }\n'
    )
    ran = CliRunner().invoke(hisshi, ["plugins", "mine", "--registry", str(registry)])
    assert ran.exit_code == 0, ran.stderr
    assert f"from: {tmp_path / 'mine.py'}" in ran.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("lambda options: {}['x']", "raised KeyError: 'x'; it gets a dict of all options and returns a set of traits"),
        ("lambda options: 3", "raised TypeError: 'int' object is not iterable"),
    ],
)
def test_traits_that_cannot_be_computed_are_named_with_file_and_line(tmp_path, text, says):
    declared = f'@implements("king_freedom", traits={text})'
    (tmp_path / "mine.py").write_text(HEAD + CLASSICAL.replace('@implements("king_freedom")', declared))
    (tmp_path / "mine.toml").write_text('[run.x]\nextends = "mate"\nking_freedom = { path = "mine.py" }\n')
    with pytest.raises(PluginError, match="the function that computes its traits") as caught:
        Registry.load(tmp_path / "mine.toml").compose("x")
    assert "mine.py, line 3)" in str(caught.value) and says in str(caught.value)
