"""What ``hisshi new-plugin`` copies: a small plugin that works for each role, and tests of it.

Each file is a plugin of the role that the file is called after; in the copy the new plugin's name stands for SKELETON,
with underscores for skeleton. Its tests are in `ROLE_tests.py`, or else in `skeleton_tests.py`. Nothing imports them
from here.
"""
