"""Termination rules: when a line is given up."""
