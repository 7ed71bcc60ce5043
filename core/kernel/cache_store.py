"""Where compiled code is kept on disk, and how it is read and written safely. No numba here.

One file per compiled function and signature, named after what it holds, replaced in one step: processes that save at
the same time need no lock, and one that is killed leaves at worst a temporary file. Each file starts with a hash of
the rest, so a truncated or damaged one counts as absent. What is read here is unpickled later, hence the checks of
ownership.
"""

import contextlib
import errno
import hashlib
import json
import logging
import os
import stat
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path

import platformdirs

MARKER = "hisshi-cache.json"  # in each version's folder: "this is ours"; its time tells when the folder was last used
USED = "used"  # the same for a unit's folder

_MAGIC = b"hisshi\x00\x01"
_POSIX = os.name == "posix"

log = logging.getLogger("hisshi.cache")


def cache_root() -> Path:
    """Return the folder below which compiled code is kept: HISSHI_CACHE_DIR or the user's cache folder."""
    chosen = os.environ.get("HISSHI_CACHE_DIR")
    return (
        Path(chosen).expanduser().absolute() if chosen else Path(platformdirs.user_cache_dir("hisshi", appauthor=False))
    )


def temporary_root() -> Path:
    """Return the folder that replaces `cache_root` when that cannot be written."""
    user = os.geteuid() if _POSIX else "user"  # on Windows the folder for temporary files is the user's own
    return Path(tempfile.gettempdir()) / f"hisshi-cache-{user}"


def is_ours(status: os.stat_result) -> bool:
    """Tell whether nobody but this user (and root) could have written the file or folder with that `status`."""
    return not _POSIX or (status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022)


def check_folder(folder: Path) -> None:
    """Raise PermissionError unless `folder` is a real folder that only this user can write."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or not is_ours(status):
        raise PermissionError(errno.EACCES, "refused: it belongs to another user or others can write there")


class Store:
    """The cache of one version of everything: folders to look in, and one to write to."""

    def __init__(self, version: str, description: Mapping[str, str]) -> None:
        self.version, self.description = version, description
        self.folders: list[Path] = []  # looked in, in this order
        self.home: Path | None = None  # written to
        self._warning = ""  # given once, when something is to be saved: a read-only cache that is complete is fine
        self._warned = False
        self._stamped: set[Path] = set()
        preferred = cache_root() / version
        try:
            self._open(preferred)
        except OSError as error:
            with contextlib.suppress(OSError):  # still good for reading, for example a read-only image
                check_folder(preferred)
                self.folders.append(preferred)
            self._use_temporary(preferred, error)

    def read(self, unit: str, name: str) -> bytes | None:
        """Return what was saved as `name` for `unit`; None if there is nothing, or nothing trustworthy."""
        for folder in self.folders:
            content = read_checked(folder / unit / name)
            if content is not None:
                self._stamp(folder / MARKER)
                self._stamp(folder / unit / USED)
                return content
        return None

    def _stamp(self, path: Path) -> None:
        """Note, once per process, that the folder of `path` is in use; failing to is harmless."""
        if path not in self._stamped:
            self._stamped.add(path)
            with contextlib.suppress(OSError):
                os.utime(path)

    def write(self, unit: str, name: str, content: bytes) -> bool:
        """Save `content`; return False, having warned once, if that is impossible. Never raises OSError."""
        for _ in range(3):  # where it belongs, among temporary files, nowhere
            if self._warning and not self._warned:
                self._warned = True
                log.warning(self._warning)
            if self.home is None:
                return False
            folder = self.home / unit
            try:
                if not folder.is_dir():
                    self._open(self.home)  # again, in case it was pruned meanwhile
                    folder.mkdir(mode=0o700, exist_ok=True)
                    (folder / USED).touch(mode=0o600)
                self._stamp(folder / USED)
                write_checked(folder / name, content)
                return True
            except OSError as error:
                if os.name == "nt" and isinstance(error, PermissionError) and (folder / name).exists():
                    return False  # another process has saved it and has it open
                self._use_temporary(self.home, error)
        return False

    def _open(self, folder: Path) -> None:
        """Make `folder` the one that is written to; raises OSError if it cannot be."""
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        check_folder(folder)
        marker = folder / MARKER
        if not marker.exists():
            replace(marker, json.dumps({"format": "hisshi-cache", **self.description}, indent=1).encode())
        elif not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only")
        self.home = folder
        if folder not in self.folders:
            self.folders.append(folder)

    def _use_temporary(self, failed: Path, error: OSError) -> None:
        """Replace the folder `failed` by one for temporary files, or by nothing."""
        self.home = None
        with contextlib.suppress(OSError):
            root = temporary_root()
            if failed.parent != root:
                root.mkdir(mode=0o700, exist_ok=True)
                check_folder(root)
                self._open(root / self.version)
        instead = f"it is kept in {self.home}" if self.home else "it is compiled again in each process"
        self._warning = f"compiled code cannot be saved in {failed} ({error.strerror or error}); {instead}"


def read_checked(path: Path) -> bytes | None:
    """Return what `write_checked` wrote to `path`; None if it is missing, damaged or another user's."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))
        with open(descriptor, "rb") as file:
            content = file.read() if is_ours(os.fstat(descriptor)) else b""
    except OSError:
        return None
    start = len(_MAGIC) + hashlib.sha256().digest_size
    magic, digest, body = content[: len(_MAGIC)], content[len(_MAGIC) : start], content[start:]
    return body if magic == _MAGIC and hashlib.sha256(body).digest() == digest else None


def write_checked(path: Path, body: bytes) -> None:
    """Write `body` with its hash to `path`."""
    replace(path, _MAGIC + hashlib.sha256(body).digest() + body)


def replace(path: Path, content: bytes) -> None:
    """Write `content` to `path` in one step: others see the whole old or the whole new file."""
    temporary = path.with_name(f"{uuid.uuid4().hex[:12]}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
