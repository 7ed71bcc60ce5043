"""Who may import whom: the contracts in pyproject.toml, and what a start of the command line may load."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent


def test_every_import_contract_is_kept(tmp_path):
    pytest.importorskip("importlinter", reason="import-linter comes with the extra 'dev'")
    command = (
        "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(sys.argv[1], no_cache=True))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", command, TOP / "pyproject.toml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("folder", ["core", "plugins", "lab", "problems", "conformance"])
def test_a_folder_of_the_tree_is_importable_only_as_part_of_hisshi(folder):
    assert find_spec(folder) is None


def test_hisshi_is_a_namespace_that_other_distributions_may_join():
    spec = find_spec("hisshi")
    assert spec is not None
    assert spec.origin is None


@pytest.mark.parametrize("module", ["hisshi.core", "hisshi.core.resources", "hisshi.core.errors", "hisshi.lab.cli"])
def test_a_start_loads_no_compiler(module):
    command = f"import sys, {module}; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", command], check=True)
