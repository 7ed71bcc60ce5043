"""What generator SKELETON writes.

That it keeps its contract is for ``hisshi check skeleton.py``.
"""

from pathlib import Path

import numpy as np
import pytest

from hisshi.core import Position, Registry
from hisshi.core.composition import compose_part
from hisshi.core.kernel.generation import MAX_MOVES
from hisshi.core.position import move_to_usi


@pytest.fixture(scope="module")
def run():
    registry = Registry.load(Path(__file__).with_name("skeleton.toml"))
    run = compose_part(registry.find("SKELETON"), "captures")
    run.warm()
    return run


def captures(run, sfen):
    moves = np.zeros(MAX_MOVES, np.int32)
    end = run.root.plugin.kernel(run.root.context, Position.from_sfen(sfen).copy_record(), moves, 0)
    return [move_to_usi(move) for move in moves[:end]]


def test_a_pawn_takes_and_promotes_first(run):
    assert captures(run, "4k4/9/2p6/2P6/9/9/9/9/4K4 b - 1") == ["7d7c+", "7d7c"]


def test_there_is_none_at_the_start_of_a_game(run):
    assert captures(run, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1") == []
