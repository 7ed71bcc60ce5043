"""What a distribution of hisshi contains and where an installed one finds its data."""

import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

from hisshi.core.resources import bundled_problems, bundled_registry

TOP = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE_DIRS = PROJECT["tool"]["setuptools"]["package-dir"]
LISTED = PROJECT["tool"]["setuptools"]["packages"]


def packages_in_tree() -> list[str]:
    """Every folder with Python files below the folders that are packaged, by import name."""
    found = set()
    for package, folder in PACKAGE_DIRS.items():
        for file in (TOP / folder).rglob("*.py"):
            inner = file.parent.relative_to(TOP / folder).parts
            found.add(".".join((package, *inner)))
    return sorted(found)


def wheel_from(source: Path, folder: Path) -> zipfile.ZipFile:
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", folder, source]
    subprocess.run(build, check=True, stdin=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    return zipfile.ZipFile(wheel)


def test_every_folder_with_python_files_is_listed_as_a_package():
    assert sorted(LISTED) == packages_in_tree()


@pytest.mark.parametrize("package", LISTED)
def test_every_package_says_in_its_docstring_what_it_holds(package):
    top = ".".join(package.split(".")[:2])
    folder = TOP.joinpath(PACKAGE_DIRS[top], *package.split(".")[2:])
    first = (folder / "__init__.py").read_text(encoding="utf-8")
    assert first.startswith('"""')


def test_every_bundled_plugin_file_has_its_own_entry_point():
    lines = PROJECT["project"]["entry-points"]["hisshi.plugins"]
    folder = TOP / PACKAGE_DIRS["hisshi.plugins"]
    files = [file.relative_to(folder) for file in folder.rglob("*.py") if file.name != "__init__.py"]
    modules = {".".join(("hisshi.plugins", *file.with_suffix("").parts)) for file in files}
    assert sorted(line.partition(":")[0] for line in lines.values()) == sorted(modules)


def test_every_bundled_plugin_is_visible_through_the_installed_entry_points():
    lines = PROJECT["project"]["entry-points"]["hisshi.plugins"]
    installed = {point.name: point.value for point in entry_points(group="hisshi.plugins")}
    assert {name: installed.get(name) for name in lines} == lines, "reinstall: pip install -e ."


def test_the_registry_is_read_from_the_top_of_the_tree_in_a_checkout():
    spec = find_spec("hisshi.core")
    assert spec is not None
    assert spec.origin is not None
    if not Path(spec.origin).is_relative_to(TOP):
        pytest.skip("hisshi is installed from a wheel")
    assert Path(str(bundled_registry())) == TOP / "registry.toml"


def test_the_registry_exists_once_in_the_tree():
    assert not (TOP / "core" / "registry.toml").exists()


def test_bundled_problem_files_are_found_and_name_their_columns():
    files = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in bundled_problems().iterdir()
        if entry.name.endswith(".tsv")
    }
    assert "mate-sample.tsv" in files
    for name, text in files.items():
        assert text.startswith("# id\tsfen\t"), name


def test_every_bundled_problem_file_states_its_provenance():
    provenance = (bundled_problems() / "README.md").read_text(encoding="utf-8")
    for entry in bundled_problems().iterdir():
        if entry.name.endswith(".tsv"):
            assert f"| {entry.name} |" in provenance


@pytest.mark.slow
@pytest.mark.parametrize("by_way_of", ["tree", "source distribution"])
def test_a_wheel_holds_every_package_the_registry_and_the_problems(by_way_of, tmp_path):
    source = TOP
    if by_way_of == "source distribution":
        pytest.importorskip("build", reason="build comes with the extra 'dev'")
        subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path / "sdist", TOP], check=True)
        (source,) = (tmp_path / "sdist").glob("*.tar.gz")
    with wheel_from(source, tmp_path / "wheel") as wheel:
        names = set(wheel.namelist())
        assert wheel.read("hisshi/core/registry.toml") == (TOP / "registry.toml").read_bytes()
    assert {f"{package.replace('.', '/')}/__init__.py" for package in LISTED} <= names
    assert {f"hisshi/problems/{file.name}" for file in (TOP / "problems").glob("*.tsv")} <= names
    assert "hisshi/__init__.py" not in names
    assert not [name for name in names if name.startswith(("core/", "lab/", "plugins/", "tests/"))]
