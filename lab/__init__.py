"""What people run: command line, problem files, reports."""
