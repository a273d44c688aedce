"""Runs and judgments that others made: their lists, what files tell of them, and their storing."""
