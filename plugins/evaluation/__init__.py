"""Ways to say what a position is worth without looking ahead."""
