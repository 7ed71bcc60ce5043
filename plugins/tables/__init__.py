"""Replacement policies: which entry of a bucket an incoming entry overwrites."""
