"""The least that keeping a signed-in person's rating can cost in Django: a view with one SELECT and
one INSERT behind the middleware that a new project starts with.

Served by the same gunicorn configuration, on the same database and with the same settings for it
as Facetwise; without rules, trail, routing and page.
"""
