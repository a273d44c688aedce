"""Batches of pairs that were chosen elsewhere."""
