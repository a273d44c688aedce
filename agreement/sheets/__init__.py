"""The tables of the agreement pages as plain data, for everything that leaves the screen: CSV, JSON
and LaTeX files, the pictures drawn from them, and the report for printing.

`registry.py` has the sheets of every page, each built from the same report as the page itself.
People appear under their pseudonyms alone.
"""
