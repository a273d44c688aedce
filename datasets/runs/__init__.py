"""Runs and judgments that others made: reading files of them, storing them, and their pages."""
