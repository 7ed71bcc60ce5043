"""What a batch says while it works."""

import io
import time

import pytest
from rich.console import Console

from hisshi.lab.outcome import Outcome
from hisshi.lab.problem import Problem
from hisshi.lab.progress import LiveProgress, PlainProgress, describe
from hisshi.lab.table import summary


@pytest.fixture
def console():
    return Console(file=io.StringIO(), width=120, highlight=False, markup=False)


def wait_for(console, text):
    end = time.monotonic() + 10
    while text not in console.file.getvalue() and time.monotonic() < end:
        time.sleep(0.02)
    assert text in console.file.getvalue()


def test_what_comes_from_the_cache_is_not_called_compiling(console):
    with PlainProgress(console, 1) as display:
        display.compiling(0, 2, "checks")
        display.compiling(1, 2, "evasions")
        display.compiling(2, 2, "")
        time.sleep(0.7)
    assert console.file.getvalue() == ""


def test_a_first_part_that_takes_long_is_announced_while_it_is_compiled(console):
    with PlainProgress(console, 1) as display:
        display.compiling(0, 2, "checks")
        wait_for(console, "\n")
        assert console.file.getvalue() == "compiling for first use: 0 of 2, checks\n"
        display.compiling(1, 2, "evasions")
    assert console.file.getvalue().count("\n") == 1  # the next line is due only seconds later


def test_the_live_display_shows_compilation_only_while_it_lasts():
    console = Console(file=io.StringIO(), width=120, force_terminal=True, color_system=None)
    with LiveProgress(console, 1) as display:
        display.compiling(0, 2, "checks")
        wait_for(console, "compiling for first use")
        wait_for(console, "0/2 checks")
        display.compiling(2, 2, "")
        console.file.truncate(0)
        display.started(1, Problem("x", "sfen"))
        display.searching(1, 2_000_000, 2.0)
        wait_for(console, "2,000,000 nodes, 1,000 k/s")
        assert "compiling" not in console.file.getvalue()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"verdict": "proven", "plies": 3, "length_is": "shortest"}, "x: proven in 3 plies, 7 nodes, 0.50 s"),
        (
            {"verdict": "proven", "plies": 3, "length_is": "upper bound"},
            "x: proven in at most 3 plies, 7 nodes, 0.50 s",
        ),
        (
            {"verdict": "proven", "plies": 3, "length_is": "upper bound, useless interpositions left out"},
            "x: proven in at most 3 plies, useless interpositions left out, 7 nodes, 0.50 s",
        ),
        ({"verdict": "proven", "plies": 1}, "x: proven in 1 ply, 7 nodes, 0.50 s"),
        ({"verdict": "unknown", "reason": "time limit"}, "x: unknown (time limit), 7 nodes, 0.50 s"),
        ({"error": "f, line 3: bad"}, "error: f, line 3: bad"),
    ],
)
def test_one_line_says_what_became_of_a_problem(fields, says):
    assert describe(Outcome("x", "sfen", "mate", nodes=7, seconds=0.5, **fields)) == says


def test_the_summary_says_how_lengths_are_counted():
    strict = Outcome("x", "sfen", "mate", "proven", plies=3, length_is="shortest")
    left_out = Outcome("x", "sfen", "mate", "proven", plies=3, length_is="shortest, useless interpositions left out")
    assert "useless" not in summary([strict])
    assert summary([strict, left_out]).endswith("; lengths leave out useless interpositions")
