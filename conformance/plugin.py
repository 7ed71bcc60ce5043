"""The pytest plugin of the conformance kit: its option and its markers, nothing else.

Every pytest imports this where hisshi is installed, so it imports neither numba nor anything of hisshi.core. What
needs them is in conftest.py beside the checks.
"""

import pytest


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
