"""Searches that play out the captures of a position."""
