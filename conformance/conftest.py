"""Gives each check of this folder its subjects: the selected plugins of its roles, with their options."""

import pytest

from hisshi.conformance.checks import all_checks, check_of
from hisshi.conformance.subjects import Subject, select
from hisshi.core.errors import HisshiError
from hisshi.core.kernel.context import JIT
from hisshi.core.nearest import listed, suggest

_SUBJECTS = pytest.StashKey[list[Subject]]()


def _subjects(config: pytest.Config) -> list[Subject]:
    """Return what the command line selects; a mistake in it, or in a plugin, is reported without a traceback."""
    if _SUBJECTS not in config.stash:
        try:
            subjects = select(config.getoption("--hisshi-plugin"))
        except HisshiError as error:
            raise pytest.Collector.CollectError(str(error)) from None
        for subject in subjects:
            known = [check.name for check in all_checks() if check.is_about(subject.plugin)]
            for name in subject.plugin.declared.deviations:
                if name not in known:
                    raise pytest.Collector.CollectError(
                        f"{subject.where}: declares that it fails the check '{name}', which is none of its role's; "
                        f"they are: {listed(known)}{suggest(name, known)}"
                    )
        config.stash[_SUBJECTS] = subjects
    return config.stash[_SUBJECTS]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a check once for each selected plugin of its roles and goal that has the traits it is about."""
    if "subject" not in metafunc.fixturenames or not hasattr(metafunc.module, "ROLES"):
        return
    check = check_of(metafunc.module, metafunc.function)
    parameters = []
    for subject in _subjects(metafunc.config):
        if not check.is_for(subject):
            continue
        marks = [pytest.mark.xdist_group(subject.name)]  # one worker compiles it, and only one
        reason = subject.plugin.declared.deviations.get(check.name)
        if reason is not None:
            marks.append(pytest.mark.xfail(reason=reason, raises=AssertionError, strict=True))
        parameters.append(pytest.param(subject, id=subject.name, marks=marks))
    metafunc.parametrize("subject", parameters or [pytest.param(None, id="none selected")], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the checks for which no plugin was selected, or, uncompiled, there is nothing to compare with."""
    idle = [
        item
        for item in items
        if item.name.endswith("[none selected]") or (not JIT and item.get_closest_marker("hisshi_compiled"))
    ]
    if idle:
        config.hook.pytest_deselected(items=idle)
        items[:] = [item for item in items if item not in idle]


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Subject:
    """Return the plugin to check, which knows the check's name for the text of a failure."""
    found: Subject = request.param
    found.check = request.function.__name__.removeprefix("test_")
    return found
