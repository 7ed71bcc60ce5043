"""The kit as people run it: which checks are run on which plugins, and what a mistake in asking looks like."""

import os
import re
import subprocess
import sys

import pytest

from hisshi.conformance.checks import all_checks
from hisshi.conformance.subjects import option_choices, select
from hisshi.core.discovery import load_plugins
from hisshi.core.errors import PluginError
from hisshi.core.kernel.roles import all_roles

DEVIATING = """
from hisshi.core import hookimpl, implements

@implements("move_order", deviations={%r: "an example"})
def deviating(context, position, moves, keys, start, end):
    for i in range(start, end):
        keys[i] = 0
    return 1

@hookimpl
def hisshi_move_order():
    return deviating
"""

ONLY_COMPILED = """
from hisshi.core import hookimpl, implements
from hisshi.core.kernel.context import JIT

@implements("search", parts=[])
def only_compiled(context, position, plies):
    if not JIT:
        raise ZeroDivisionError("as plain Python")
    return 0

@hookimpl
def hisshi_search():
    return only_compiled
"""


def run_kit(*arguments, folder):
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir=.", "-p", "no:cacheprovider", "-rA"]
    return subprocess.run(
        [*command, "--import-mode=importlib", "--pyargs", "hisshi.conformance", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_pytest_plugin_loads_no_compiler():
    command = (
        "import sys, hisshi.conformance.plugin; "
        "sys.exit('numba' in sys.modules or any(name.startswith('hisshi.core') for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", command], check=True)


def test_checks_have_names_of_their_own_in_each_role_and_goal():
    for plugin in load_plugins().plugins:
        names = [check.name for check in all_checks() if check.is_about(plugin)]
        assert sorted(set(names)) == sorted(names), plugin.name
    assert {role for check in all_checks() for role in check.roles} <= set(all_roles())


def test_subjects_are_sorted_and_each_has_a_name_of_its_own():
    names = [subject.name for subject in select([])]
    assert len(set(names)) == len(names)
    roles = [subject.plugin.role for subject in select([])]
    assert roles == sorted(roles)


def test_options_with_few_values_are_varied_one_at_a_time():
    (subject, *_) = select(["mate-pn-multi-id"])
    assert list(option_choices(subject.plugin)) == [
        {},
        {"mate_in_one": False},
        {"static": True},
        {"iterate": "defender"},
        {"iterate": "both"},
    ]


def test_a_plugin_that_is_not_there_is_named_with_the_nearest():
    with pytest.raises(PluginError, match=r"no plugin named 'two-lvel'; installed: .*\(did you mean 'two-level'\?\)"):
        select(["two-lvel"])


def test_only_the_checks_of_the_selected_plugins_roles_are_run_and_nothing_is_skipped(tmp_path):
    ran = run_kit("--hisshi-plugin=generated", "--collect-only", "-q", folder=tmp_path)
    assert ran.returncode == 0, ran.stdout
    collected = [line for line in ran.stdout.splitlines() if "::" in line]
    wanted = [check.name for check in all_checks() if "move_order" in check.roles and not check.traits]
    assert [line.partition("::test_")[2] for line in collected] == [f"{name}[move_order generated]" for name in wanted]
    assert "deselected" in ran.stdout and "skipped" not in ran.stdout


def test_an_unknown_check_among_the_deviations_is_an_error(tmp_path):
    (tmp_path / "mine.py").write_text(DEVIATING % "return_zero", encoding="utf-8")
    ran = run_kit("--hisshi-plugin=mine.py", folder=tmp_path)
    assert ran.returncode == 2
    assert "declares that it fails the check 'return_zero', which is none of its role's" in ran.stdout
    assert "(did you mean 'returns_zero'?)" in ran.stdout


def test_a_deviation_without_a_reason_is_an_error_and_told_once(tmp_path):
    (tmp_path / "mine.py").write_text((DEVIATING % "returns_zero").replace('"an example"', '" "'), encoding="utf-8")
    ran = run_kit("--hisshi-plugin=mine.py", folder=tmp_path)
    assert ran.returncode == 2
    assert ran.stdout.count("declares that it fails the check 'returns_zero', but not why") == 1
    assert "1 error" in ran.stdout


@pytest.mark.compiled
def test_a_declared_deviation_must_be_one(tmp_path):
    (tmp_path / "mine.py").write_text(DEVIATING % "returns_zero", encoding="utf-8")
    ran = run_kit("--hisshi-plugin=mine.py", folder=tmp_path)
    assert ran.returncode == 0, ran.stdout
    others = sum("move_order" in check.roles and not check.traits for check in all_checks()) - 1
    assert f"{others} passed" in ran.stdout and "1 xfailed" in ran.stdout
    (tmp_path / "mine.py").write_text(DEVIATING.replace("return 1", "return 0") % "returns_zero", encoding="utf-8")
    ran = run_kit("--hisshi-plugin=mine.py", folder=tmp_path)
    assert ran.returncode == 1
    assert "[XPASS(strict)] an example" in ran.stdout


@pytest.mark.compiled
def test_an_exception_is_no_declared_deviation(tmp_path):
    text = DEVIATING.replace("    return 1", "    if start >= 0:\n        raise ValueError('no')\n    return 1")
    (tmp_path / "mine.py").write_text(text % "returns_zero", encoding="utf-8")
    ran = run_kit("--hisshi-plugin=mine.py", "-k", "returns_zero", folder=tmp_path)
    assert ran.returncode == 1
    assert "1 failed" in ran.stdout and "xfailed" not in ran.stdout
    assert "ValueError: no" in ran.stdout


@pytest.mark.compiled
def test_each_plugin_with_its_options_is_checked_in_one_process(tmp_path):
    chosen = ("--hisshi-plugin=depth", "--hisshi-plugin=count-budget", "--hisshi-plugin=modified")
    ran = run_kit("-n", "2", "--dist", "loadgroup", "-v", *chosen, folder=tmp_path)
    assert ran.returncode == 0, ran.stdout
    ran_in = set(re.findall(r"^\[(gw\d)\].* PASSED .*\[([^\]\n]*)\]", ran.stdout, re.M))
    assert {subject for _, subject in ran_in} == {"stop depth", "stop count-budget", "king_freedom modified"}
    assert len(ran_in) == 3, ran.stdout


@pytest.mark.compiled
def test_an_error_uncompiled_only_is_an_error(tmp_path):
    (tmp_path / "mine.py").write_text(ONLY_COMPILED, encoding="utf-8")
    ran = run_kit("--hisshi-plugin=mine.py", "-k", "uncompiled", folder=tmp_path)
    assert ran.returncode == 1
    assert "plugin 'only-compiled', hook hisshi_search" in ran.stdout
    assert "uncompiled (NUMBA_DISABLE_JIT=1): SearchFailedError" in ran.stdout or "ZeroDivisionError" in ran.stdout
