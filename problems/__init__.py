"""Bundled problem sets; README.md beside this file says where each comes from."""
