"""Pairs as they are read: texts, aspects, the order of a seat, and what is fixed of them."""
