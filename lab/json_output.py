"""The file of ``--json``: opened before any work is done, one complete line written at a time."""

import contextlib
import os
import stat
import sys
from pathlib import Path
from typing import TextIO

from hisshi.core.errors import HisshiError

STDOUT = "-"

_LEAST_FREE = 64 * 1024  # bytes on the disk, below which there is no point in starting


class JsonOutput:
    """Lines to a file, or to standard output if `target` is ``-``.

    An existing file is kept until `start`, so that a mistyped run does not cost earlier results.

    Raises
    ------
    HisshiError
        The file cannot be written, or is one of `inputs`.
    """

    def __init__(self, target: str, inputs: tuple[str, ...] = ()) -> None:
        self.target = target
        self._stream: TextIO = sys.stdout if target == STDOUT else self._open(inputs)

    def _open(self, inputs: tuple[str, ...]) -> TextIO:
        path = Path(self.target)
        try:
            for name in inputs:
                with contextlib.suppress(OSError, ValueError):
                    if path.exists() and path.samefile(name):
                        raise HisshiError(f"--json {self.target}: is also read as problems; name another file")
            stream = path.open("a", encoding="utf-8", errors="backslashreplace")
            if hasattr(os, "fstatvfs") and stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                disk = os.fstatvfs(stream.fileno())
                if disk.f_bavail * disk.f_frsize < _LEAST_FREE:
                    stream.close()
                    raise HisshiError(f"--json {self.target}: the disk is full; free some space or name another file")
        except (OSError, ValueError) as error:
            raise self._failure(error) from error
        return stream

    def start(self) -> None:
        """Forget what an existing file held."""
        with contextlib.suppress(OSError):  # a pipe or a device has nothing to forget
            if self.target != STDOUT and self._stream.seekable():
                self._stream.truncate(0)

    def write(self, line: str) -> None:
        """Write one line and hand it to the system; HisshiError if that fails."""
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except BrokenPipeError:
            raise  # whoever read us has had enough: no error
        except (OSError, ValueError) as error:
            raise self._failure(error) from error

    def close(self) -> None:
        """Close the file; lines that cannot be written any more have been reported by `write`."""
        if self.target != STDOUT:
            with contextlib.suppress(OSError):
                self._stream.close()

    def _failure(self, error: Exception) -> HisshiError:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return HisshiError(f"--json {self.target}: cannot be written: {reason}; name another file")
