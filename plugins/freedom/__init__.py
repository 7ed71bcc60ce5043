"""Ways to count a king's freedom."""
