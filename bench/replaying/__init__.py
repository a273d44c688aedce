"""Recorded studies, played through a running server as its own people."""
