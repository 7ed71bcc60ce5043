"""The distribution of plugins in examples/: found, checked and used like hisshi's own, and caught when it is wrong."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent
EXAMPLE = TOP / "examples" / "third-party"
NAMES = ("bit-budget", "decided-stay", "low-king")

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a copy of the example that is installed as far as Python can tell, and the environment for it.

    A real installation in an empty environment is .ci/run's.
    """
    folder = tmp_path_factory.mktemp("third-party")
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "build"))
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / "tsume_extras-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [f"{name} = {module}" for name, module in project["entry-points"]["hisshi.plugins"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[hisshi.plugins]", *lines, ""]))
    return folder, {**os.environ, "PYTHONPATH": str(folder)}


def run(*command, cwd, env=None):
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def hisshi(*arguments, cwd, env=None):
    return run("-c", "from hisshi.lab.cli import main; main()", *arguments, cwd=cwd, env=env)


def test_its_plugins_conform(installed):
    folder, environment = installed
    ran = hisshi("check", *NAMES, cwd=folder, env=environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "passed" in ran.stdout and "failed" not in ran.stdout


@pytest.mark.slow
def test_its_own_tests_pass(installed):
    folder, environment = installed
    ran = run("-m", "pytest", "-q", "-c", os.devnull, "--rootdir=.", "-p", "no:cacheprovider", "tests", cwd=folder,
              env=environment)  # fmt: skip
    assert ran.returncode == 0, ran.stdout


def test_what_is_broken_in_them_is_named_with_hook_check_and_position(tmp_path):
    for file, right, wrong in (
        ("low_king.py", "return min(free, MOST)", "return free"),
        ("decided_stay.py", "    return 1\n", "    return 0\n"),
        ("bit_budget.py", "if here.budget < 0:", "if here.budget < -9:"),
    ):
        text = (EXAMPLE / "tsume_extras" / file).read_text(encoding="utf-8")
        assert right in text
        (tmp_path / file).write_text(text.replace(right, wrong), encoding="utf-8")
    ran = hisshi("check", "low_king.py", "decided_stay.py", "bit_budget.py", cwd=tmp_path)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    for says in (
        "plugin 'low-king', hook hisshi_king_freedom, check 'is_zero_to_eight': "
        "white's king has freedom 11, expected 0 to 8; position 9/7k1/9/9/9/9/9/9/9 b - 1",
        "plugin 'decided-stay', hook hisshi_table, check 'counts_what_is_lost': "
        "returns 0, but 1 of the bucket's entries are lost",
        "plugin 'bit-budget', hook hisshi_stop, check 'stops_at_once_with_nothing_left': "
        "goes on at ply 0 with 1 moves with budget 0",
    ):
        assert says in ran.stdout, ran.stdout
