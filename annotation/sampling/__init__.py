"""Batches of chosen pairs: samples drawn at random, and samples that others drew."""
