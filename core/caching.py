"""The cache of compiled code as people see it: where it is, how large, and what may go.

Automatic pruning removes only what nothing has used for a month, so that two checkouts or environments in use at the
same time never undo each other's work; ``hisshi warm --prune`` removes all but the present version.
"""

import contextlib
import json
import os
import shutil
import time
import uuid
from pathlib import Path

import attrs

from hisshi.core.kernel.cache_store import MARKER, USED, cache_root, check_folder, temporary_root

__all__ = ["Pruned", "cache_root", "current_folder", "prune", "prune_daily", "size_of"]

KEEP_DAYS = 30.0
DAY = 86400.0

REMOVED = ".removed"

_LAST_PRUNED = "last-pruned"


@attrs.frozen
class Pruned:
    """What `prune` did."""

    removed: tuple[Path, ...]
    bytes_freed: int


def current_folder() -> Path | None:
    """Return the folder of the present version, sources and settings; None if nothing can be saved anywhere.

    Imports numba. The folder is below `cache_root`, or below the folder for temporary files if that cannot be written.
    """
    from hisshi.core.kernel.compiling import store

    return store().home or next(iter(store().folders), None)


def prune(keep_days: float = KEEP_DAYS) -> Pruned:
    """Remove compiled code that is no longer of use.

    Parameters
    ----------
    keep_days
        What was used within so many days stays, whatever it belongs to. With 0 only the present version stays, and in
        it, of each plugin, only the code that was used last.

    Returns
    -------
    Pruned
        Folders removed and bytes freed. What is in use or cannot be removed is left; folders without our marker, and
        links, are never touched.
    """
    current = current_folder()
    removed: list[Path] = []
    freed = 0
    for root in (cache_root(), temporary_root()):
        for folder in _subfolders(root):
            if not _is_cache(folder):
                continue
            if current is None or folder.name != current.name:
                doomed = [folder] if _days_unused(folder / MARKER) >= keep_days else []
            else:
                _remove_leftovers(folder)
                doomed = _stale_units(folder, keep_days)
            for path in doomed:
                size = size_of(path)
                if _remove(path):
                    removed.append(path)
                    freed += size
    return Pruned(tuple(removed), freed)


def prune_daily(keep_days: float = KEEP_DAYS) -> Pruned:
    """Call `prune`, unless that was done within a day; cheap enough to call whenever something was compiled."""
    stamp = cache_root() / _LAST_PRUNED
    try:
        if _days_unused(stamp) < 1:
            return Pruned((), 0)
        stamp.touch()
    except OSError:
        return Pruned((), 0)
    return prune(keep_days)


def size_of(folder: Path) -> int:
    """Return the bytes that the files below `folder` take."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:  # gone meanwhile
                continue
    return total


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    except OSError:
        return []


def _is_cache(folder: Path) -> bool:
    try:
        check_folder(folder)
        return bool(json.loads((folder / MARKER).read_bytes())["format"] == "hisshi-cache")
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _days_unused(stamp: Path) -> float:
    try:
        return max(0.0, time.time() - stamp.stat().st_mtime) / DAY
    except OSError:
        return float("inf")


def _stale_units(folder: Path, keep_days: float) -> list[Path]:
    """Return the units' folders in `folder` that a newer one of the same name replaces and nobody has used lately."""
    newest: dict[str, Path] = {}
    units = [
        unit
        for unit in _subfolders(folder)
        if (unit / USED).is_file() and unit.name != "core" and unit.suffix != REMOVED
    ]
    for unit in sorted(units, key=lambda unit: (_days_unused(unit / USED), unit.name), reverse=True):
        newest[unit.name.rpartition("-")[0]] = unit
    kept = set(newest.values())
    doomed = [unit for unit in units if unit not in kept and _days_unused(unit / USED) >= keep_days]
    return doomed + [path for path in _subfolders(folder) if path.suffix == REMOVED]  # an interrupted removal


def _remove_leftovers(folder: Path) -> None:
    """Remove temporary files of processes that were killed while saving."""
    for path in folder.rglob("*.tmp"):
        with contextlib.suppress(OSError):
            if _days_unused(path) * DAY > 3600:
                path.unlink()


def _remove(folder: Path) -> bool:
    """Remove `folder`; another process that saves there meanwhile starts a new one."""
    doomed = folder.with_name(f"{uuid.uuid4().hex[:12]}{REMOVED}")
    try:
        folder.rename(doomed)
    except OSError:
        return False
    for path in doomed.iterdir():  # the marker last: if interrupted, the rest is still recognised as ours
        if path.name not in (MARKER, USED):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    shutil.rmtree(doomed, ignore_errors=True)
    return True
