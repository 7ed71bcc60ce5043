"""What quiescence SKELETON says.

That it keeps its contract is for ``hisshi check skeleton.py``.
"""

from pathlib import Path

import numpy as np
import pytest

from hisshi.core import Position, Registry
from hisshi.core.composition import compose_part
from hisshi.core.kernel.values import INFINITE


@pytest.fixture(scope="module")
def run():
    registry = Registry.load(Path(__file__).with_name("skeleton.toml"))
    run = compose_part(registry.find("SKELETON"), "quiescence")
    run.warm()
    return run


def value(run, sfen):
    record = Position.from_sfen(sfen).copy_record()
    return run.root.plugin.kernel(run.root.context, record, np.int64(-INFINITE), np.int64(INFINITE))


def test_nothing_hangs_at_the_start_of_a_game(run):
    assert value(run, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1") == 0


def test_a_rook_that_hangs_is_worth_more_than_one_that_stands_aside(run):
    hanging, aside = "4k4/9/9/2r6/2R6/9/9/9/4K4 b - 1", "4k4/9/9/r8/2R6/9/9/9/4K4 b - 1"
    assert value(run, hanging) > value(run, aside)
