"""Keep the top folder off sys.path.

``python -m pytest`` puts it there, and then ``import core`` would work here and nowhere else.
"""

import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent

sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != TOP]
