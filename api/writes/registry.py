"""Everything that programs change. A new write is an entry in one of these lists, an example in
docs/api.md, and rows in the tests' matrix."""

from api.writes import data, deciding, people, rating, schemes, work

WRITES = [
    *people.WRITES,
    *schemes.WRITES,
    *data.WRITES,
    *work.WRITES,
    *rating.WRITES,
    *deciding.WRITES,
]
