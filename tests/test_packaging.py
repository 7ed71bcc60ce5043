"""What a distribution of hisshi contains and where an installed one finds its data."""

import shutil
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


def copy_of_tree(folder: Path) -> Path:
    """Copy what a distribution is built from, so that building leaves nothing behind in the tree."""
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "registry.toml"):
        folder.mkdir(exist_ok=True)
        shutil.copy(TOP / name, folder)
    for part in PACKAGE_DIRS.values():
        shutil.copytree(TOP / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


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
def test_a_wheel_holds_exactly_the_packages_the_registry_and_the_problems(by_way_of, tmp_path):
    source = copy_of_tree(tmp_path / "tree")
    if by_way_of == "source distribution":
        pytest.importorskip("build", reason="build comes with the extra 'dev'")
        subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path / "sdist", source], check=True)
        (source,) = (tmp_path / "sdist").glob("*.tar.gz")
    with wheel_from(source, tmp_path / "wheel") as wheel:
        assert wheel.read("hisshi/core/registry.toml") == (TOP / "registry.toml").read_bytes()
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    expected = {"hisshi/core/registry.toml"}
    for package, folder in PACKAGE_DIRS.items():
        for pattern in ("*.py", "py.typed", "*.tsv", "*.md"):
            files = (file.relative_to(TOP / folder).as_posix() for file in (TOP / folder).rglob(pattern))
            expected |= {f"{package.replace('.', '/')}/{file}" for file in files}
    assert names == expected


@pytest.mark.slow
def test_a_file_removed_since_the_last_build_is_not_in_the_wheel(tmp_path):
    source = copy_of_tree(tmp_path / "tree")
    removed = source / "core" / "removed.py"
    removed.write_text("", encoding="utf-8")
    with wheel_from(source, tmp_path / "before") as wheel:
        assert "hisshi/core/removed.py" in wheel.namelist()
    removed.unlink()
    with wheel_from(source, tmp_path / "after") as wheel:
        assert "hisshi/core/removed.py" not in wheel.namelist()
