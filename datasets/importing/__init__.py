"""Bringing data into a collection: whole or not at all."""
