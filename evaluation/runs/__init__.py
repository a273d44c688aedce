"""Runs of a collection measured for a lead: the request, and its results."""
