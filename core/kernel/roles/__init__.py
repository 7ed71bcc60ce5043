"""Roles: what a plugin can be plugged in as; one file a role."""
