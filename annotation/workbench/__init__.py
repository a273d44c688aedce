"""What the annotator's workbench shows.

Everything here depends on the holder's own seat alone: no other rating, no state of a pair, no
count, id, source or time of anybody else enters a context.
"""
