"""Keep the top folder off sys.path, and Ctrl-C alive.

``python -m pytest`` puts it there, and then ``import core`` would work here and nowhere else. A shell's background job
ignores SIGINT, and so does what it starts: tests that send it would wait for ever.
"""

import signal
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent

sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != TOP]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
