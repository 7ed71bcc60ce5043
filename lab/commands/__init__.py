"""The commands of ``hisshi``, one a file."""
