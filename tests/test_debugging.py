"""A plugin's author at work with a debugger: uncompiled, kernels are plain Python that stops where it is told to."""

import os
import subprocess
import sys

import pytest

from hisshi.lab import progress

MATE_IN_THREE = "6k2/9/9/7+R1/9/9/9/9/9 b G 1"
PLUGIN = """
from hisshi.core import hookimpl, implements

@implements("king_freedom")
def looked_at(context, position, colour):
    free = 3 + colour
    return free  # line 7

@hookimpl
def hisshi_king_freedom():
    return looked_at
"""
REGISTRY = '[run.looked-at]\nextends = "mate"\nking_freedom = { path = "looked_at.py" }\n'


@pytest.fixture
def debug(tmp_path):
    """Solve uncompiled, with a breakpoint before the plugin's line 7, and type these lines into the debugger."""

    def debugged(*lines):
        text = PLUGIN.replace("    return free", "    breakpoint()\n    return free")
        (tmp_path / "looked_at.py").write_text(text)
        (tmp_path / "looked_at.toml").write_text(REGISTRY)
        main = "from hisshi.lab.cli import main; main()"
        return subprocess.run(
            [sys.executable, "-c", main, "solve", "--registry=looked_at.toml", "--run=looked-at", MATE_IN_THREE],
            input="".join(f"{line}\n" for line in lines),
            cwd=tmp_path,
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return debugged


def test_a_search_stops_in_the_plugins_line_and_goes_on(debug):
    ran = debug("p free", "n", "c", "import os; os.environ['PYTHONBREAKPOINT'] = '0'", "c")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("looked_at.py(8)looked_at()") == 3  # once, after `n`, and at the next call
    assert "-> return free  # line 7" in ran.stdout and "np.int64(4)" in ran.stdout
    assert "1 problem: 1 proven" in ran.stdout


def test_leaving_the_debugger_ends_the_search_without_a_verdict(debug):
    ran = debug("q")
    assert ran.returncode == 2
    assert "the debugger was left, there is no verdict" in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.parametrize(("value", "kind"), [("1", progress.PlainProgress), ("0", progress.LiveProgress)])
def test_no_live_display_writes_over_a_debugger(monkeypatch, value, kind):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, for rich
    assert isinstance(progress.make_progress(1), kind)
