"""The command line as a process: on a terminal, in a pipe, and when the user or the reader has had enough."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX terminal")

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
SLOW = "4k4/9/9/9/9/9/9/9/9 b S 1"

# hisshi with a search that answers MATE at once and never answers SLOW.
PROGRAM = f'''
import time
from types import SimpleNamespace
import hisshi.core, hisshi.core.errors
from hisshi.lab.cli import main

class Interrupted(KeyboardInterrupt):
    def __init__(self, result):
        self.result = result

def result(position, verdict, reason=""):
    return SimpleNamespace(run="mate", sfen=position, verdict=verdict, plies=1, length_is="shortest", moves=("G*5b",),
        nodes=12345, seconds=0.5, compile_seconds=0.0, reason=reason, proof=None, statistics={{}}, provenance={{}},
        score=None, confirmation=None, first_moves=None, profile=None,
        tree=None, tree_report=None, verified=None, verification=None)

def solve(position, run, *, on_progress, **_):
    nodes = 0
    try:
        while position == "{SLOW}":
            nodes += 54_000
            nodes += 321 if nodes == 54_000 else 0
            on_progress(SimpleNamespace(nodes=nodes, seconds=nodes / 1e6, iteration=1))
            time.sleep(0.05)
    except KeyboardInterrupt:
        raise Interrupted(result(position, "unknown", "stopped")) from None
    return result(position, "proven")

class Registry:
    load = classmethod(lambda cls, path=None: cls())
    compose = lambda self, name, overrides: SimpleNamespace(goal="mate", warm=lambda on_compile: 0.0)

hisshi.core.Registry, hisshi.core.solve = Registry, solve
hisshi.core.Position = SimpleNamespace(from_sfen=lambda sfen: sfen)
hisshi.core.errors.Interrupted = Interrupted
if __name__ == "__main__":
    main()
'''


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    return [sys.executable, str(tmp_path / "program.py")]


def read_until(terminal, wanted, seconds=10.0):
    seen = b""
    end = time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < end:
        seen += os.read(terminal, 4096)
    assert wanted in seen, seen
    return seen


def test_a_terminal_shows_live_node_counts_and_ctrl_c_ends_them_within_half_a_second(program, tmp_path):
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*program, "solve", MATE, SLOW, "--json", "out.jsonl"],
        cwd=tmp_path,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "120", "NUMBA_DISABLE_JIT": "0"},  # 1 would mean a debugger
        start_new_session=True,
    )
    os.close(theirs)
    read_until(ours, b",321 nodes")

    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=10)
    os.close(ours)
    assert time.monotonic() - start < 0.5
    assert process.returncode == 130
    assert "stopped; 2 problems: 1 proven, 1 unknown" in output
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2


def test_a_pipe_gets_plain_lines(program):
    ran = subprocess.run([*program, "solve", MATE], capture_output=True, text=True, check=True)
    assert "\x1b" not in ran.stdout + ran.stderr
    assert ran.stderr == "[1/1] position 1: proven in 1 ply, 12,345 nodes, 0.50 s\n"


def test_results_reach_the_file_line_by_line(program, tmp_path):
    process = subprocess.Popen(
        [*program, "solve", MATE, SLOW, "--json", "out.jsonl"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert b"proven" in process.stderr.readline()
    assert '"verdict": "proven"' in (tmp_path / "out.jsonl").read_text()
    process.kill()
    process.communicate()


@pytest.mark.parametrize("arguments", [["--json", "-"], []])
def test_a_reader_that_goes_away_is_no_error(program, arguments, tmp_path):
    (tmp_path / "x.sfen").write_text(f"{MATE}\n" * 400)
    process = subprocess.Popen(
        [*program, "solve", "x.sfen", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=20) != 2
    assert "Traceback" not in errors
    assert "Broken" not in errors
    assert "Exception ignored" not in errors


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", [["solve", MATE], ["show", MATE], ["solve", "-"], ["verify", "-"]])
def test_closed_streams_are_no_error(program, closed, arguments):
    command = shlex.join([*program, *arguments])
    ran = subprocess.run(
        ["sh", "-c", f"{command} {closed}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr
    assert ran.returncode == (2 if arguments[1] == "-" else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["solve", MATE], ["show", MATE], ["--help"]])
def test_a_full_disk_behind_standard_output_is_one_line(program, arguments):
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([*program, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1].startswith("error: standard output or standard error cannot be written: ")
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


def test_a_width_of_nothing_is_none(program):
    ran = subprocess.run(
        [*program, "solve", MATE], capture_output=True, text=True, check=True, env=os.environ | {"COLUMNS": "0"}
    )
    assert "1 problem: 1 proven" in ran.stdout


def test_an_error_holds_nothing_that_a_terminal_acts_on():
    ran = subprocess.run(
        [sys.executable, "-m", "hisshi.lab.cli", "runs", "--registry", "\x1b[31m"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: registry ?[31m")


def test_a_terminal_without_japanese_gets_question_marks(program):
    ran = subprocess.run(
        [*program, "show", MATE], capture_output=True, check=True, env=os.environ | {"PYTHONIOENCODING": "iso-8859-1"}
    )
    assert b"?" in ran.stdout
    assert b"in check: no" in ran.stdout


def test_a_locked_file_cannot_be_read_or_written(program, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("nothing is locked for root")
    path = Path(tmp_path, "locked.sfen")
    path.write_text(MATE)
    path.chmod(0)
    ran = subprocess.run([*program, "solve", str(path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "cannot be read: Permission denied" in ran.stderr
    ran = subprocess.run([*program, "solve", MATE, "--json", str(path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "cannot be written: Permission denied" in ran.stderr
