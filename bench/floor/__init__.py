"""The least that keeping a rating can cost: a bare Django view with one SELECT and one INSERT.

Served by the same gunicorn configuration, on the same database and with the same settings for it
as Facetwise; without sessions, people, rules, trail and page.
"""
