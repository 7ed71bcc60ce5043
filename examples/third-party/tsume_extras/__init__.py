"""Plugins for hisshi."""
