"""Mate, hisshi and play searches."""
