"""The pytest plugin of the conformance kit: its option, its markers, and how xdist shares its checks out.

Every pytest imports this where hisshi is installed, so it imports neither numba nor anything of hisshi.core. What
needs them is in conftest.py beside the checks.
"""

from typing import Any

import pytest

CHECKS = "hisshi.conformance"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that chooses plugins."""
    parser.getgroup("hisshi", "conformance of hisshi plugins (--pyargs hisshi.conformance)").addoption(
        "--hisshi-plugin",
        action="append",
        default=[],
        metavar="NAME",
        help="check this plugin, in all roles where there is one of the name; or the plugins of a file, NAME.py. "
        "Repeatable; without it all installed plugins are checked",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known; the last is xdist's, which may be missing."""
    for line in (
        "hisshi_trait(name): a check of hisshi.conformance for plugins that declare this trait",
        "hisshi_compiled: a check of hisshi.conformance that compares with compiled kernels; left out without them",
        "xdist_group(name): tests that --dist loadgroup gives to one worker",
    ):
        config.addinivalue_line("markers", line)


def group_of(subject: str) -> str:
    """Return the group of the subject of that name, all of whose checks are run in one process.

    A search is a group of its own: its checks take seconds. Those of a whole other role take no longer together, and
    much of that is spent once a process, on what the slow rules say of the positions.
    """
    role = subject.partition(" ")[0]
    return subject if role == "search" else role


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadgroup``, and where nothing but the kit is run, give all checks of a group to one process."""
    if config.getvalue("dist") != "loadgroup" or config.args != [CHECKS]:
        return None
    from hisshi.conformance.groups import SubjectScheduling

    return SubjectScheduling(config, log)
