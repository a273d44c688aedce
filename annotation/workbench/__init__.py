"""The annotator's workbench.

Everything here depends on the holder's own seat alone: no other rating, no state of a pair, no
count, id, source or time of anybody else enters a context.
"""
