"""What evaluation SKELETON says.

That it keeps its contract is for ``hisshi check skeleton.py``.
"""

from pathlib import Path

import pytest

from hisshi.core import Position, Registry
from hisshi.core.composition import compose_part


@pytest.fixture(scope="module")
def run():
    registry = Registry.load(Path(__file__).with_name("skeleton.toml"))
    run = compose_part(registry.find("SKELETON"), "evaluation")
    run.warm()
    return run


def value(run, sfen):
    return run.root.plugin.kernel(run.root.context, Position.from_sfen(sfen).copy_record(), 0)


def test_nobody_is_ahead_at_the_start_of_a_game(run):
    assert value(run, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1") == 0


def test_a_rook_more_is_good(run):
    assert value(run, "4k4/9/9/9/9/9/9/9/4K4 b R 1") > 0
