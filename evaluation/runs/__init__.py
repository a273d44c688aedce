"""Runs of a collection measured for a lead: what is asked for, and what comes of it."""
