"""The small commands: show, perft, runs, plugins, warm, and how fast help answers."""

import json
import subprocess
import sys
import time
from types import ModuleType, SimpleNamespace

import pytest
from click.testing import CliRunner

import hisshi.core
from hisshi.lab.cli import COMMANDS
from hisshi.lab.cli import hisshi as cli

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"


def invoke(*arguments):
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def test_show_prints_the_board_the_side_the_hands_and_check():
    ran = invoke("show", MATE_IN_ONE)
    assert ran.exit_code == 0
    assert "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一" in ran.stdout
    assert f"sfen:     {MATE_IN_ONE}" in ran.stdout
    assert "to move:  black" in ran.stdout
    assert "hands:    black G, white -" in ran.stdout
    assert "in check: no" in ran.stdout


def test_show_plays_the_moves_and_recognises_mate():
    ran = invoke("show", f"sfen {MATE_IN_ONE} moves G*5b")
    assert "in check: yes" in ran.stdout
    assert "mated" in ran.stdout


def test_show_counts_both_hands():
    ran = invoke("show", "4k4/9/9/9/9/9/9/9/4K4 w 2RG10Pb3p 7")
    assert "hands:    black 2R G 10P, white B 3P" in ran.stdout


def test_show_writes_a_picture(tmp_path):
    path = tmp_path / "board.svg"
    assert invoke("show", MATE_IN_ONE, "--svg", str(path)).exit_code == 0
    assert path.read_text(encoding="utf-8").lstrip().startswith("<")
    ran = invoke("show", MATE_IN_ONE, "--svg", str(tmp_path / "no" / "board.svg"))
    assert ran.exit_code == 2
    assert "cannot be written" in ran.stderr


@pytest.mark.parametrize("command", [["show"], ["perft", "--depth", "1"]])
def test_a_bad_position_is_one_line_of_error(command, fake_position):
    ran = invoke(*command, "4k4/9 b - 1")
    assert ran.exit_code == 2
    assert ran.stderr.startswith("error: sfen 4k4/9 b - 1: ")
    assert ran.stderr.count("\n") == 1


@pytest.fixture
def fake_position(monkeypatch):
    module = ModuleType("hisshi.core.position")
    module.Position = SimpleNamespace(from_sfen=lambda sfen: sfen)
    module.perft = lambda position, depth: (5, {"5a4a": 3, "5a6a": 2})
    monkeypatch.setitem(sys.modules, "hisshi.core.position", module)
    monkeypatch.setitem(vars(hisshi.core), "position", module)


def test_perft_prints_each_root_move_and_the_total(fake_position):
    assert invoke("perft", MATE_IN_ONE, "--depth", "2").stdout == "5a4a: 3\n5a6a: 2\ntotal: 5\n"
    answer = json.loads(invoke("perft", MATE_IN_ONE, "--depth", "2", "--json").stdout)
    assert (answer["total"], answer["depth"], answer["moves"]) == (5, 2, {"5a4a": 3, "5a6a": 2})


@pytest.fixture
def fake_registry(monkeypatch):
    class Registry:
        runs = {
            "mate": SimpleNamespace(goal="mate", extends=None, summary="plain"),
            "fast": SimpleNamespace(goal="mate", extends="mate", summary=None),
        }

        @classmethod
        def load(cls, path=None):
            return cls()

        def compose(self, name, overrides):
            return SimpleNamespace(warm=lambda on_compile: 2.5 if name == "mate" else 0.0)

    monkeypatch.setitem(vars(hisshi.core), "Registry", Registry)


def test_runs_lists_the_registry(fake_registry):
    ran = invoke("runs")
    assert ran.exit_code == 0
    for text in ("mate", "fast", "plain"):
        assert text in ran.stdout


def test_warm_compiles_every_run_or_the_one_that_is_named(fake_registry, monkeypatch):
    monkeypatch.setattr("hisshi.core.position.warm", lambda: 0.0)
    assert invoke("warm").stdout == "fast: was compiled already\nmate: compiled in 2.5 s\n"
    assert invoke("warm", "--run", "mate").stdout == "mate: compiled in 2.5 s\n"


def test_warm_compiles_what_positions_are_made_of(fake_registry, monkeypatch):
    monkeypatch.setattr("hisshi.core.position.warm", lambda: 0.5)
    assert invoke("warm").stdout.endswith("\npositions: compiled in 0.5 s\n")


def test_warm_prune_names_the_folders_that_it_removed(monkeypatch):
    module = ModuleType("hisshi.core.caching")
    module.prune = lambda keep_days: SimpleNamespace(removed=("/cache/old",), bytes_freed=1_500_000)
    monkeypatch.setitem(sys.modules, "hisshi.core.caching", module)
    monkeypatch.setitem(vars(hisshi.core), "caching", module)
    assert invoke("warm", "--prune").stdout == "removed /cache/old\n1 stale cache removed, 1.5 MB freed\n"


@pytest.fixture
def fake_plugins(monkeypatch):
    limits = {"choices": None, "help": "how deep"}
    option = SimpleNamespace(name="max_plies", kind="int", default=9, low=1, high=99, **limits)
    least = SimpleNamespace(name="least", kind="int", default=1, low=0, high=None, **limits)
    depth = SimpleNamespace(
        name="depth",
        role="stop",
        summary="Stop at a depth",
        source="KFEnd",
        status="stable",
        options=[option, least],
        distribution="hisshi",
        version="1",
    )
    plain = SimpleNamespace(
        name="plain",
        role="table",
        summary="Always [replace]",
        source="",
        status="",
        options=[],
        distribution="",
        version="",
    )
    module = ModuleType("hisshi.core.discovery")
    module.load_plugins = lambda: SimpleNamespace(plugins=[plain, depth], broken=[], not_loaded=lambda: "")
    monkeypatch.setitem(sys.modules, "hisshi.core.discovery", module)
    monkeypatch.setitem(vars(hisshi.core), "discovery", module)


def test_plugins_are_listed_by_role(fake_plugins):
    ran = invoke("plugins")
    assert ran.stdout.index("depth") < ran.stdout.index("plain")
    assert "Always [replace]" in ran.stdout


@pytest.mark.parametrize("name", ["depth", "stop"])
def test_a_plugin_is_described_with_options_defaults_ranges_source_and_status(fake_plugins, name):
    ran = invoke("plugins", name)
    for text in ("max_plies", "9", "1 to 99", "at least 0", "how deep", "KFEnd", "stable", "hisshi 1"):
        assert text in ran.stdout


def test_an_unknown_plugin_is_guessed(fake_plugins):
    ran = invoke("plugins", "dept")
    assert ran.exit_code == 2
    assert "did you mean 'depth'?" in ran.stderr


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_every_command_explains_itself(command):
    ran = invoke(*command, "--help")
    assert ran.exit_code == 0
    assert ran.stdout.startswith("Usage: ")


HELP = (
    "import sys\nfrom hisshi.lab.cli import main\n"
    "try:\n    main()\nfinally:\n    print({'numba', 'numpy', 'rich', 'rsshogi'} & set(sys.modules))"
)


def ask_for_help():
    return subprocess.run([sys.executable, "-c", HELP, "--help"], capture_output=True, text=True, check=True).stdout


def test_help_loads_no_heavy_module():
    assert ask_for_help().endswith("set()\n")


@pytest.mark.timing
def test_help_answers_at_once():
    seconds = []
    for _ in range(3):  # the best of three: another process may be busy
        start = time.perf_counter()
        ask_for_help()
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.4


def test_version_is_printed():
    ran = invoke("--version")
    assert ran.exit_code == 0
    assert ran.stdout.startswith("hisshi ")
