"""Which of the defender's moves count in a hisshi."""
