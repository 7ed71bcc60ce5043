"""The kit is tested by plugins that are wrong on purpose: each is caught by the check that it is called after alone."""

from pathlib import Path

import pytest

from hisshi.conformance.checks import all_checks
from hisshi.conformance.subjects import select

FILES = sorted((Path(__file__).parent / "wrong").glob("*.py"))
SUBJECTS = [subject for file in FILES for subject in select([str(file)])]


def failures(subject):
    """Run every check that is for the subject; return the text of each that fails, by the check's name."""
    failed = {}
    for check in all_checks():
        if check.is_for(subject):
            subject.check = check.name
            try:
                check.function(subject)
            except AssertionError as error:
                failed[check.name] = str(error)
    return failed


@pytest.mark.compiled
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_wrong_plugin_is_caught_by_exactly_the_check_it_is_called_after(subject):
    failed = failures(subject)
    assert list(failed) == [subject.plugin.name.replace("-", "_")], failed
    (name, text), *_ = failed.items()
    assert text.startswith(f"plugin '{subject.plugin.name}', hook hisshi_{subject.plugin.role}, ")  # options follow
    assert f", check '{name}': " in text


def test_every_check_has_a_wrong_plugin():
    plugins = [(subject.plugin, subject.plugin.name.replace("-", "_")) for subject in SUBJECTS]
    caught = [any(check.is_about(plugin) and check.name == name for plugin, name in plugins) for check in all_checks()]
    assert [check for check, is_caught in zip(all_checks(), caught, strict=True) if not is_caught] == []
