"""Nothing that is registered lacks what belongs to it: a hook its text, a check and a wrong plugin, a plugin its door.

That every bundled plugin names its source, and has a line in docs/references.md, is in test_documentation.py; that it
has golden node counts in test_golden_nodes.py; that every check has a wrong plugin in test_wrong_plugins.py.
"""

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from hisshi.conformance.checks import all_checks
from hisshi.conformance.subjects import select
from hisshi.core.discovery import ENTRY_POINTS
from hisshi.core.kernel.context import TRAITS
from hisshi.core.kernel.roles import role_modules

TOP = Path(__file__).resolve().parents[2]
WRONG = sorted((Path(__file__).parent / "wrong").glob("*.py"))


@pytest.mark.parametrize("module", role_modules(), ids=lambda module: module.ROLE.name)
def test_every_hook_has_a_text_a_contract_documentation_a_check_and_a_wrong_plugin(module):
    role = module.ROLE
    assert module.__doc__.startswith(f"Role `{role.name}`")
    assert all(f"``{name}``" in module.__doc__ or name in module.__doc__ for name in role.arguments)
    hook = getattr(module, role.hook).__doc__
    assert f"`{role.name}`" in hook and "Called once" in hook and ":returns:" in hook
    for document in ("write-a-plugin.md", "conformance.md"):
        assert f"`{role.name}`" in (TOP / "docs" / document).read_text(encoding="utf-8"), document
    assert any(role.name in check.roles for check in all_checks())
    assert any(subject.plugin.role == role.name for file in WRONG for subject in select([str(file)]))


def test_every_trait_is_explained_in_the_contract_of_a_role():
    texts = "\n".join(module.__doc__ for module in role_modules())
    assert [trait for trait in TRAITS if f"``{trait}``" not in texts] == []


def test_every_check_is_in_the_documentation():
    text = (TOP / "docs" / "conformance.md").read_text(encoding="utf-8")
    assert sorted({check.name for check in all_checks() if f"`{check.name}`" not in text}) == []


def test_every_file_with_a_plugin_is_an_entry_point():
    files = [file for file in (TOP / "plugins").rglob("*.py") if "@hookimpl" in file.read_text(encoding="utf-8")]
    modules = {"hisshi.plugins." + ".".join(file.relative_to(TOP / "plugins").with_suffix("").parts) for file in files}
    named = {point.value for point in entry_points(group=ENTRY_POINTS) if point.dist.name == "hisshi"}
    assert named == modules
