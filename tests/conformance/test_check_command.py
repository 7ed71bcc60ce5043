"""``hisshi check``: one command for a plugin's author."""

import pytest
from click.testing import CliRunner

from hisshi.lab.cli import hisshi


def invoke(*arguments):
    return CliRunner().invoke(hisshi, ["check", *arguments])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("two-lvel", "(did you mean 'two-level'?)"),
        ("nowhere.py", "there is no plugin file nowhere.py"),
    ],
)
def test_a_plugin_that_is_not_there_is_one_line(name, says):
    ran = invoke(name)
    assert ran.exit_code == 2
    assert ran.stderr.startswith("error: ") and ran.stderr.count("\n") == 1
    assert says in ran.stderr
