"""The check of what a kernel gets as its first argument, for all roles that a run has."""

from typing import Any

from hisshi.conformance.asking import ask
from hisshi.conformance.mates import mates
from hisshi.conformance.subjects import Subject

ROLES = ("checks", "evasions", "move_order", "king_freedom", "stop", "table", "search")

GIVEN = ("options", "reals", "code", "env", "memory", "sizes")  # fields that are there to be read


def _given(context: Any) -> dict[str, bytes]:
    return {name: getattr(context, name).tobytes() for name in GIVEN}


def test_writes_no_option(subject: Subject) -> None:
    """Options and parts are the run's: a kernel reads them, and its answers and counters are all that it writes."""
    run = subject.search_run()
    before = [_given(instance.context) for instance in run.instances]
    for sfen in mates():
        ask(run, sfen)
        for instance, given in zip(run.instances, before, strict=True):
            now = _given(instance.context)
            if written := [name for name in GIVEN if now[name] != given[name]]:
                subject.fail(f"context.{written[0]} of '{instance.place}' is not as the run set it", sfen)
