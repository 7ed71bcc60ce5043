"""What generator SKELETON writes.

That it keeps its contract is for ``hisshi check skeleton.py``.
"""

from pathlib import Path

import numpy as np
import pytest

from hisshi.core import Position, Registry
from hisshi.core.composition import compose_part
from hisshi.core.kernel.generation import MAX_MOVES


@pytest.fixture(scope="module")
def run():
    registry = Registry.load(Path(__file__).with_name("skeleton.toml"))
    run = compose_part(registry.find("SKELETON"), "legal_moves")
    run.warm()
    return run


def test_thirty_moves_at_the_start_of_a_game(run):
    position = Position.from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    moves = np.zeros(MAX_MOVES, np.int32)
    assert run.root.plugin.kernel(run.root.context, position.copy_record(), moves, 0) == 30
