"""The subjects of agreement, a package each: its figures, and its tables."""
