"""What is told about agreement, a subject to a package: its figures, and its tables."""
