"""Generators of legal moves, checks, evasions and candidates."""
