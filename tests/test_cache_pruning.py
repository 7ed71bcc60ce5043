"""Pruning the cache of compiled code removes what it must and nothing else; shown on made-up folders."""

import contextlib
import os
import time
from pathlib import Path

import pytest

from hisshi.core import caching
from hisshi.core.kernel.cache_store import MARKER, USED


def make_cache(root: Path, name: str, days: float, *units: tuple[str, float]) -> Path:
    folder = root / name
    folder.mkdir(mode=0o700)
    (folder / MARKER).write_text('{"format": "hisshi-cache"}')
    for unit, unit_days in units:
        (folder / unit).mkdir(mode=0o700)
        (folder / unit / "f-0.nbc").write_bytes(b"x" * 1000)
        age(folder / unit / USED, unit_days)
    age(folder / MARKER, days)
    return folder


def age(path: Path, days: float) -> None:
    path.touch()
    os.utime(path, (time.time() - days * 86400,) * 2)


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "cache"
    root.mkdir()
    monkeypatch.setenv("HISSHI_CACHE_DIR", str(root))
    monkeypatch.setattr(caching, "temporary_root", lambda: tmp_path / "none")
    monkeypatch.setattr(caching, "current_folder", lambda: root / "now")
    make_cache(
        root, "now", 0, ("core", 99), ("plugin-a-1", 99), ("plugin-a-2", 2), ("plugin-a-3", 0), ("plugin-b-1", 99)
    )
    make_cache(root, "other-in-use", 3, ("core", 3))
    make_cache(root, "forgotten", 40, ("core", 40))
    (root / "not-ours").mkdir()
    (root / "not-ours" / "thesis.txt").write_text("years of work")
    with contextlib.suppress(OSError):  # links need a privilege on Windows
        (root / "link").symlink_to(make_cache(tmp_path, "elsewhere", 99), target_is_directory=True)
    return root


def names_below(root: Path) -> set[str]:
    return {path.name for path in [*root.iterdir(), *(root / "now").iterdir()] if path.is_dir()} - {"link", "now"}


def test_automatic_pruning_removes_only_what_was_not_used_for_long(cache_dir: Path) -> None:
    done = caching.prune()
    kept = {"core", "plugin-a-2", "plugin-a-3", "plugin-b-1", "other-in-use", "not-ours"}
    assert (
        names_below(cache_dir) == kept
        and (cache_dir / "link").exists()
        and (cache_dir / "not-ours/thesis.txt").exists()
    )
    assert {path.name for path in done.removed} == {"forgotten", "plugin-a-1"} and done.bytes_freed >= 2000


def test_pruning_everything_keeps_the_present_version_with_each_plugins_last_code(cache_dir: Path) -> None:
    caching.prune(keep_days=0)
    assert names_below(cache_dir) == {"core", "plugin-a-3", "plugin-b-1", "not-ours"}


def test_leftovers_of_killed_processes_are_removed_once_they_are_old(cache_dir: Path) -> None:
    age(cache_dir / "now/core/old.tmp", 1)
    age(cache_dir / "now/core/new.tmp", 0)
    caching.prune()
    assert [path.name for path in (cache_dir / "now/core").glob("*.tmp")] == ["new.tmp"]


def test_daily_pruning_happens_once_a_day(cache_dir: Path) -> None:
    assert caching.prune_daily().removed
    make_cache(cache_dir, "forgotten", 40)
    assert not caching.prune_daily().removed
    age(cache_dir / "last-pruned", 2)
    assert caching.prune_daily().removed
