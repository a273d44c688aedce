"""Definitions by leads: mappings from options to grades, and protocols."""
