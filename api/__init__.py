"""REST for programs: the pages' loaders, querysets, reports and actions, behind tokens.

Nothing of Django REST framework is imported before the first request to an address under
`/api/v1/`: pages and commands do without it.
"""
