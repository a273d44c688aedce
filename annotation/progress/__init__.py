"""The progress of a collection for its lead, in a fixed number of statements.

A batch that the lead rates, or ever rated, counts with the lead's own ratings alone until all its
seats are handed in. Figures that need the others' ratings leave the batch out.
"""
