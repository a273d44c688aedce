"""Queries that leads write: text, sentences, aspects, and the pools of candidates."""
