"""``hisshi new-plugin``: what it writes works as it is, for every role, and nothing is ever overwritten."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from hisshi.core.kernel.roles import all_roles
from hisshi.lab.cli import hisshi
from hisshi.lab.new_plugin import roles

ROLES = sorted(all_roles())
QUIET = ["-c", os.devnull, "--rootdir=.", "-p", "no:cacheprovider", "-q"]  # nobody's settings but pytest's own


def invoke(*arguments):
    return CliRunner().invoke(hisshi, ["new-plugin", *arguments])


def run(*command, folder):
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a folder with a new plugin ``my-ROLE`` for every role."""
    folder = tmp_path_factory.mktemp("new")
    for role in ROLES:
        ran = invoke(role, f"my-{role}", "--directory", str(folder))
        assert ran.exit_code == 0, ran.stderr
    return folder


def test_there_is_a_skeleton_for_every_role():
    assert roles() == ROLES


@pytest.mark.parametrize("role", ROLES)
def test_a_plugin_is_written_with_a_run_and_tests_under_the_new_name(written, role):
    plugin, registry, tests = (written / name for name in (f"my_{role}.py", f"my_{role}.toml", f"test_my_{role}.py"))
    assert f"\ndef my_{role}(" in plugin.read_text()
    assert registry.read_text().startswith(f"[run.my-{role.replace('_', '-')}]\n")
    for file in (plugin, registry, tests):
        assert "skeleton" not in file.read_text().lower()


SOME_OR_ALL = pytest.mark.parametrize(
    "chosen", [("king_freedom", "table"), pytest.param(ROLES, marks=pytest.mark.slow)], ids=["some", "all"]
)


@pytest.mark.parametrize(
    ("role", "command"), [("evaluation", "move startpos --nodes 20000"), ("stop", "solve mate-sample")]
)
def test_what_is_told_to_be_tried_fits_the_goal_of_the_run(tmp_path, role, command):
    ran = invoke(role, "mine", "--directory", str(tmp_path))
    assert f"  hisshi {command} --registry {tmp_path / 'mine.toml'} --run mine" in ran.output.splitlines()


@pytest.mark.compiled
@SOME_OR_ALL
def test_a_new_plugin_passes_its_tests(written, chosen):
    ran = run("-m", "pytest", *QUIET, *(f"test_my_{role}.py" for role in chosen), folder=written)
    assert ran.returncode == 0, ran.stdout
    assert f"{sum(1 if role == 'legal_moves' else 2 for role in chosen)} passed" in ran.stdout


@pytest.mark.compiled
@SOME_OR_ALL
def test_a_new_plugin_conforms(written, chosen):
    kit = ["--import-mode=importlib", "--pyargs", "hisshi.conformance"]
    ran = run("-m", "pytest", *QUIET, *kit, *(f"--hisshi-plugin=my_{role}.py" for role in chosen), folder=written)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.compiled
@pytest.mark.slow
def test_a_new_search_finds_the_mates_of_the_sample_with_their_lengths(written):
    main = "from hisshi.lab.cli import main; main()"
    options = ["--registry=my_search.toml", "--run=my-search"]
    ran = run("-c", main, "solve", "mate-sample", *options, folder=written)
    assert "\n20 problems: 20 proven" in ran.stdout and "not as listed" not in ran.stdout, ran.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["king_fredom", "mine"], "no role named 'king_fredom'; there are: attack_candidates, captures, checks, "),
        (["king_fredom", "mine"], "(did you mean 'king_freedom'?)"),
        (["table", "Mine!"], "'Mine!' cannot be a plugin's name; expected small letters, digits, dashes: my-freedom"),
        (["table", ""], "'' cannot be a plugin's name"),
        (["table", "a" * 61], "cannot be a plugin's name; expected"),
        (["table", "class"], "'class' cannot be a plugin's name here: Python or the skeleton uses it; try 'my-class'"),
        (["table", "copy-entry"], "'copy-entry' cannot be a plugin's name here"),
        (["table", "bucket"], "'bucket' cannot be a plugin's name here"),
        (["table", "len"], "'len' cannot be a plugin's name here"),
        (["table", "mine", "--directory", "file.txt"], "file.txt cannot be written: "),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(tmp_path, monkeypatch, arguments, says):
    (tmp_path / "file.txt").touch()
    monkeypatch.chdir(tmp_path)
    ran = invoke(*arguments)
    assert ran.exit_code == 2
    assert ran.stderr.startswith("error: ") and ran.stderr.count("\n") == 1
    assert says in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.parametrize("there", ["mine.py", "mine.toml", "test_mine.py"])
def test_nothing_is_overwritten(tmp_path, there):
    (tmp_path / there).write_text("mine")
    ran = invoke("table", "mine", "--directory", str(tmp_path))
    assert ran.exit_code == 2
    assert f"{there} is there already; nothing was written: choose another name or --directory" in ran.stderr
    assert (tmp_path / there).read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


def test_dashes_and_underscores_are_alike(tmp_path):
    ran = invoke("king-freedom", "my_count", "--directory", str(tmp_path / "new"))
    assert ran.exit_code == 0
    assert '"""King freedom my-count: ' in (tmp_path / "new" / "my_count.py").read_text()
    assert ran.stdout.endswith("my_count.toml --run my-count\n")
