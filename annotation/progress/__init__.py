"""How far a collection is, for its lead, in a fixed number of statements.

A batch that the lead rates, or ever rated, counts with the lead's own ratings alone until all its
seats are handed in; figures that cannot be told without the others' leave it out.
"""
