"""Gives each check of this folder its subjects: the selected plugins of its roles, with their options."""

from collections.abc import Generator

import pytest

from hisshi.conformance.checks import all_checks, check_of
from hisshi.conformance.plugin import group_of
from hisshi.conformance.positions import position_looked_at
from hisshi.conformance.subjects import Subject, select
from hisshi.core.errors import HisshiError, PluginError
from hisshi.core.kernel.context import JIT
from hisshi.core.nearest import listed, suggest

_SUBJECTS = pytest.StashKey[list[Subject]]()


def _subjects(config: pytest.Config) -> list[Subject]:
    """Return what the command line selects.

    A mistake in it, or in a plugin, is reported without a traceback, and once: the files after the first have nothing.
    """
    if _SUBJECTS not in config.stash:
        config.stash[_SUBJECTS] = []
        try:
            subjects = select(config.getoption("--hisshi-plugin"))
        except HisshiError as error:
            raise pytest.Collector.CollectError(str(error)) from None
        for subject in subjects:
            known = [check.name for check in all_checks() if check.is_about(subject.plugin)]
            for name, reason in subject.plugin.declared.deviations.items():
                if name not in known:
                    raise pytest.Collector.CollectError(
                        f"{subject.where}: declares that it fails the check '{name}', which is none of its role's; "
                        f"they are: {listed(known)}{suggest(name, known)}"
                    )
                if not isinstance(reason, str) or not reason.strip():
                    raise pytest.Collector.CollectError(
                        f"{subject.where}: declares that it fails the check '{name}', but not why; "
                        "expected a reason as text"
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
        marks = [pytest.mark.xdist_group(group_of(subject.name))]  # one worker compiles it, and only one
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


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Have what a plugin raises reported with hook, check and position; what it cannot be composed for, only once."""
    subject = pyfuncitem.funcargs.get("subject")
    if isinstance(subject, Subject) and subject.is_unusable:
        pytest.fail(f"{subject.where}: cannot be checked, see its first failure", pytrace=False)
    try:
        return (yield)
    except AssertionError:
        raise
    except Exception as error:
        if not isinstance(subject, Subject):
            raise
        if isinstance(error, PluginError):
            subject.is_unusable = True
            text = str(error)
        else:
            text = f"{subject.where}, check '{subject.check}': raised {type(error).__name__}: {error}; position "
            text += f"{position_looked_at()}; with NUMBA_DISABLE_JIT=1 the traceback leads into the plugin"
        if JIT or isinstance(error, PluginError):
            pytest.fail(text, pytrace=False)
        error.add_note(text)
        raise


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Subject:
    """Return the plugin to check, which knows the check's name for the text of a failure."""
    found: Subject = request.param
    found.check = request.function.__name__.removeprefix("test_")
    return found
