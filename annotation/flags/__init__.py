"""Flags of annotators and what leads answer to them."""
