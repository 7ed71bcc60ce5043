"""The compiled rules of the game: plain functions on numbers and records, nothing about searches."""
