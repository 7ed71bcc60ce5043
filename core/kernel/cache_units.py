"""Units: which source files a compiled function depends on, and a hash of them as they were when it was imported.

numba's own cache looks at the one file that defines a function, so callers of an edited function stay silently stale.
Here the unit is what can be inlined into the function: all of core/kernel for core, one file for a bundled plugin (they
never import each other), the whole package for anybody else's. No numba here.
"""

import hashlib
import os
import re
import sys
import time
from types import FunctionType

KERNEL = "hisshi.core.kernel"
KERNEL_FOLDER = os.path.dirname(os.path.abspath(__file__))
NEVER_CACHED = ("__main__", "__mp_main__")  # defined anew by each process, possibly from different files

_STARTED = time.time()

Stamps = dict[str, tuple[int, int]]  # path -> time of the last change in ns, size


class Unit:
    """Source files that are hashed together, and whether this process still runs what they say."""

    def __init__(self, name: str, root: str) -> None:
        self.name, self.root = name, root
        self.retired = False  # True: sources and running code differ, so nothing may be loaded or saved
        self.stamps = stamps_below(root)  # before reading, so that an edit in between shows up as a change
        self.digest = hash_of(root, self.stamps)

    @property
    def folder(self) -> str:
        """Name of the unit's folder in the cache."""
        return f"{re.sub(r'[^A-Za-z0-9_.-]', '_', self.name)[-44:]}-{self.digest[:16]}"

    def is_current(self) -> bool:
        """Tell whether the sources still are what was hashed; once they are not, the unit is retired for good."""
        if not self.retired:
            stamps = stamps_below(self.root)
            if stamps != self.stamps:
                self.retired = hash_of(self.root, stamps) != self.digest  # touching a file is no edit
                self.stamps = stamps
        return not self.retired


_units: dict[str, Unit] = {}


def stamps_below(root: str) -> Stamps:
    """Return the stamp of the file `root`, or of each .py file below the folder `root`."""
    if not os.path.isdir(root):
        return _stamps_of([root])
    paths = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        paths += [os.path.join(folder, name) for name in names if name.endswith(".py")]
    return _stamps_of(sorted(paths))


def _stamps_of(paths: list[str]) -> Stamps:
    stamps = {}
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            continue
        stamps[path] = (status.st_mtime_ns, status.st_size)
    return stamps


def hash_of(root: str, paths: Stamps) -> str:
    """Return a hash of the names (below `root`) and contents of the files `paths`; "" when there are none."""
    if not paths:
        return ""
    whole = hashlib.sha256()
    for path in sorted(paths):
        try:
            with open(path, "rb") as file:
                content = hashlib.sha256(file.read()).hexdigest()
        except OSError:
            content = "unreadable"
        whole.update(f"{os.path.relpath(path, root)}\0{content}\n".encode())
    return whole.hexdigest()


def kernel_unit() -> Unit:
    """Return the unit of core/kernel, hashed once per process."""
    unit = _units.get(KERNEL_FOLDER)
    if unit is None:
        unit = _units[KERNEL_FOLDER] = Unit("core", KERNEL_FOLDER)
        # A kernel file saved while this process was starting may have been read before or after: trust neither.
        now = time.time()
        unit.retired = not unit.digest or any(_STARTED < changed / 1e9 <= now for changed, _ in unit.stamps.values())
    return unit


def unit_of(function: FunctionType) -> Unit | None:
    """Return the unit that `function`, which is just being defined, belongs to; None if it must not be cached.

    Raises
    ------
    TypeError
        The function is in hisshi.core but not below core/kernel, where nothing would notice an edit.
    """
    module, path = function.__module__ or "", os.path.abspath(function.__code__.co_filename)
    if module == KERNEL or module.startswith(KERNEL + "."):
        name, root = "core", KERNEL_FOLDER
    elif module == "hisshi.core" or module.startswith("hisshi.core."):
        raise TypeError(
            f"{module}.{function.__qualname__}: compiled functions of core belong below core/kernel; "
            "an edit in another file of core would not recompile what was built on it"
        )
    elif module in NEVER_CACHED:
        return None
    elif module.startswith("hisshi.plugins."):
        name, root = "plugin-" + module.removeprefix("hisshi.plugins."), path
    else:
        name, root = _package_or_file(module, path)
    if not os.path.isfile(path):  # typed in, run by exec, or inside an archive
        return None
    unit = _units.get(root) or (kernel_unit() if name == "core" else None)
    if unit is None:
        unit = _units[root] = Unit(name, root)
    elif root == path and not unit.is_current():
        unit = _units[root] = Unit(name, root)  # reloaded after an edit: consistent again, under its new hash
    return unit if unit.digest else None


def _package_or_file(module: str, path: str) -> tuple[str, str]:
    """Return name and folder of the outermost package around `module`; the file itself if there is none."""
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        name = ".".join(parts[:length])
        package = sys.modules.get(name)
        origin = getattr(package, "__file__", None)  # a namespace package has none
        if origin and hasattr(package, "__path__"):
            folder = os.path.dirname(os.path.abspath(origin))
            if path.startswith(folder + os.sep):
                return "package-" + name, folder
    return "file-" + module, path


def units() -> list[Unit]:
    """Return the units that this process has seen."""
    return list(_units.values())
