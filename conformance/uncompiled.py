"""A second process in which nothing is compiled: to ask a search there what it says here.

It is started once and asked again and again, since starting takes longer than most answers. Questions and answers are
lines of JSON.
"""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from typing import IO, Any

from hisshi.conformance.asking import ask
from hisshi.conformance.subjects import Subject, select
from hisshi.core.errors import HisshiError

FEW = 20  # positions of a kind that are tried: a node takes milliseconds there
NODES = 60  # what a search may enter for one of them


def answers(subject: Subject, sfens: Iterable[str]) -> list[str]:
    """Return what the subject says of each position, with a few nodes only."""
    said = [ask(subject.run, sfen, NODES) for sfen in sfens]
    return [f"{answer} with {answer.nodes} nodes" for answer in said]


def answers_uncompiled(subject: Subject, sfens: Iterable[str]) -> list[str]:
    """Return what the subject says as plain Python.

    Raises
    ------
    HisshiError
        It raised an error there.
    """
    question = {
        "plugin": str(subject.path) if subject.path else subject.plugin.name,
        "subject": subject.name,
        "sfens": list(sfens),
    }
    process = _second_process()
    _pipe(process.stdin).write(json.dumps(question) + "\n")
    _pipe(process.stdin).flush()
    reply: Any = json.loads(_pipe(process.stdout).readline() or '"the process without compiling has ended"')
    if isinstance(reply, str):
        raise HisshiError(f"{subject.where}: uncompiled (NUMBA_DISABLE_JIT=1): {reply}")
    return list(reply)


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


@cache
def _second_process() -> subprocess.Popen[str]:
    """Start the process; it ends with this one, whose end it sees as that of its input."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "hisshi.conformance.uncompiled"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    atexit.register(process.communicate)
    return process


def _serve() -> None:
    subjects: dict[str, dict[str, Subject]] = {}
    for line in sys.stdin:
        question = json.loads(line)
        name = question["plugin"]
        try:
            if name not in subjects:
                subjects[name] = {subject.name: subject for subject in select([name])}
            reply: object = answers(subjects[name][question["subject"]], question["sfens"])
        except Exception as error:  # noqa: BLE001  whatever it is, the other process reports it
            reply = f"{type(error).__name__}: {error}"
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
