"""``hisshi check``: one command for a plugin's author."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from hisshi.lab.cli import hisshi


def invoke(*arguments):
    return CliRunner().invoke(hisshi, ["check", *arguments])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("two-lvel", "(did you mean 'two-level'?)"),
        ("nowhere.py", "there is no plugin file nowhere.py"),
    ],
)
def test_a_plugin_that_is_not_there_is_one_line(name, says):
    ran = invoke(name)
    assert ran.exit_code == 2
    assert ran.stderr.startswith("error: ") and ran.stderr.count("\n") == 1
    assert says in ran.stderr


@pytest.mark.compiled
def test_a_conftest_and_settings_that_lie_about_are_nothing_to_it(tmp_path):
    (tmp_path / "conftest.py").write_text("raise RuntimeError")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    command = [sys.executable, "-c", "from hisshi.lab.cli import main; main()", "check", "modified"]
    ran = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " passed" in ran.stdout


RAISING = """
from hisshi.core import hookimpl, implements

@implements("king_freedom")
def raising(context, position, colour):
    return %s

@hookimpl
def hisshi_king_freedom():
    return raising
"""


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("result", "says"),
    [
        ("8 // (colour * 0)", "hook hisshi_king_freedom, check 'is_zero_to_eight': raised ZeroDivisionError: "),
        ("min(8, 'a')", "does not compile at line 6 of raising.py"),
    ],
)
def test_what_a_kernel_raises_has_hook_check_and_position_and_what_does_not_compile_is_told_once(
    tmp_path, result, says
):
    (tmp_path / "raising.py").write_text(RAISING % result)
    command = [sys.executable, "-c", "from hisshi.lab.cli import main; main()", "check", "raising.py"]
    ran = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ran.returncode == 1
    first = next(line for line in ran.stdout.splitlines() if says in line)
    assert "; position " in first or "does not compile" in first
    if "does not compile" in first:  # and is not told again by each of eight checks
        assert ran.stdout.count("cannot be checked, see its first failure") >= 7, ran.stdout
