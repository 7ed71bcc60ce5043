"""A pytest plugin for conformance.py: each process notes at its end how much processor time it has taken.

Where, is in the environment variable PROCESS_TIMES, a folder. A worker's own children, the process that runs kernels
uncompiled, are counted with it; the children of the process that starts the workers are not.
"""

import atexit
import os
import time
from pathlib import Path

import pytest


def note(name: str) -> None:
    times = os.times()
    children = 0.0 if name == "main" else times.children_user + times.children_system
    folder = Path(os.environ["PROCESS_TIMES"])
    (folder / name).write_text(f"{time.process_time() + children:.3f}\n", encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    starts_workers = config.getoption("numprocesses", None)
    name = os.environ.get("PYTEST_XDIST_WORKER") or ("main" if starts_workers else "alone")
    atexit.register(note, name)  # before the kit registers the end of its second process: called after that, counts it
