"""Pools drawn from runs: which documents of each topic are judged, and what that costs."""
