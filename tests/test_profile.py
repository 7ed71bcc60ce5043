"""``--profile``: calls and time of each part, in a flavour of the kernels that never mixes with the plain one."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from hisshi.core import Position, Registry, solve
from hisshi.core.errors import HisshiError
from hisshi.core.kernel.compiling import PROFILED
from hisshi.core.profiling import switch_on
from hisshi.lab.cli import hisshi as cli
from hisshi.lab.outcome import Outcome
from hisshi.lab.profile_table import profile_rows

MATE_IN_THREE = "6k2/9/9/7+R1/9/9/9/9/9 b G 1"
HISSHI = [sys.executable, "-c", "from hisshi.lab.cli import main; main()"]
PARTS = {"search", "checks", "evasions", "move_order", "king_freedom", "stop", "table"}

FLAVOURS = [
    pytest.param({}, marks=pytest.mark.compiled, id="compiled"),
    pytest.param({"NUMBA_DISABLE_JIT": "1"}, id="uncompiled"),
]


def hisshi(folder, *arguments, environment):
    return subprocess.run(
        [*HISSHI, "solve", MATE_IN_THREE, "--json", "out.jsonl", *arguments],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def row(folder):
    (line,) = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    return json.loads(line)


@pytest.mark.parametrize("environment", FLAVOURS)
def test_each_part_has_its_calls_and_its_share_and_nodes_are_as_ever(tmp_path, environment):
    ran = hisshi(tmp_path, environment=environment)
    assert ran.returncode == 0, ran.stderr
    plain = row(tmp_path)
    assert "profile" not in plain and "time by part" not in ran.stdout
    ran = hisshi(tmp_path, "--profile", environment=environment)
    assert ran.returncode == 0, ran.stderr
    profiled = row(tmp_path)
    for key in ("verdict", "plies", "moves", "nodes", "statistics"):
        assert profiled[key] == plain[key]
    profile = profiled["profile"]
    assert profile.keys() == PARTS and next(iter(profile)) == "search"
    assert profile["search"]["plugin"] == "mate-depth-first" and profile["search"]["calls"] == 1
    assert sum(part["share"] for part in profile.values()) == pytest.approx(1, abs=1e-4)
    assert all(part["share"] > 0 and part["calls"] > 0 for part in profile.values())
    table = plain["statistics"]["table.two-level"]
    assert profile["table"]["calls"] >= table["probes"] + table["stores"]
    assert profile["move_order"]["calls"] < profile["king_freedom"]["calls"]
    assert "time by part" in ran.stdout and "king_freedom" in ran.stdout


@pytest.mark.parametrize("environment", FLAVOURS)
def test_a_run_that_shares_no_part_shows_each_by_its_place(tmp_path, environment):
    (tmp_path / "hisshi.toml").write_text(
        "[run.x]\nextends = 'mate'\nmove_order = { use = 'king-freedom', king_freedom = 'classical' }\n"
    )
    ran = hisshi(tmp_path, "--profile", "--run", "x", environment=environment)
    assert ran.returncode == 0, ran.stderr
    profile = row(tmp_path)["profile"]
    assert profile["move_order.king_freedom"]["plugin"] == "classical" and "king_freedom" not in profile


@pytest.mark.parametrize("environment", FLAVOURS)
def test_look_ups_with_dominance_are_the_tables(tmp_path, environment):
    ran = hisshi(tmp_path, "--profile", "--run", "mate-df-pn", environment=environment)
    assert ran.returncode == 0, ran.stderr
    profiled = row(tmp_path)
    table, profile = profiled["statistics"]["table.effort"], profiled["profile"]["table"]
    assert table["probes"] > 0 and profile["share"] > 0
    # Find, keep, and the policy once for each entry that comes in.
    assert profile["calls"] == table["probes"] + 2 * table["stores"]


FLAVOUR = """
from hisshi.core.caching import current_folder
from hisshi.core.kernel.compiling import PROFILED
print(PROFILED, current_folder())
"""


@pytest.mark.compiled
def test_the_two_flavours_have_different_caches():
    said = [
        subprocess.run(
            [sys.executable, "-c", FLAVOUR], env=os.environ | {"HISSHI_PROFILE": value}, capture_output=True, text=True
        ).stdout.split()
        for value in ("0", "1")
    ]
    assert [words[0] for words in said] == ["False", "True"] and said[0][1] != said[1][1]


@pytest.mark.skipif(PROFILED, reason="this process is to be a plain one")
def test_the_plain_flavour_counts_nothing():
    run = Registry.load().compose("mate", {"table.megabytes": "1"})
    result = solve(Position.from_sfen(MATE_IN_THREE), run)
    assert result.profile is None
    assert all(each.context.profile_calls == each.context.profile_time == 0 for each in run.instances)


@pytest.mark.skipif(PROFILED, reason="this process is to be a plain one")
def test_too_late_is_said(monkeypatch):
    monkeypatch.delenv("HISSHI_PROFILE", raising=False)
    with pytest.raises(HisshiError, match="has imported the kernels without it; start one with HISSHI_PROFILE=1"):
        switch_on()
    assert "HISSHI_PROFILE" not in os.environ
    ran = CliRunner().invoke(cli, ["solve", MATE_IN_THREE, "--profile"])
    assert ran.exit_code == 2 and "no profile" in ran.stderr


def test_a_processor_without_a_clock_is_said(monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    with pytest.raises(HisshiError, match=r"cannot read a clock on this processor \(aarch64\); with NUMBA_"):
        switch_on()


def test_the_table_adds_up_the_searches_of_all_problems():
    outcomes = [
        Outcome("a", None, "x", seconds=1.0, profile={"search": {"plugin": "s", "calls": 1, "share": 1.0}}),
        Outcome(
            "b",
            None,
            "x",
            seconds=3.0,
            profile={
                "search": {"plugin": "s", "calls": 1, "share": 0.25},
                "checks": {"plugin": "all", "calls": 9, "share": 0.75},
            },
        ),
        Outcome("c", None, "x", error="broken"),
    ]
    assert profile_rows(outcomes) == [("checks", "all", 9, 2.25), ("search", "s", 2, 1.75)]
