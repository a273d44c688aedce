"""Everything that programs change. A new write is an entry in one of these lists, an example in
docs/api.md, and rows in the tests' matrix."""

from api.writes import (
    audits,
    authoring,
    data,
    deciding,
    definitions,
    drawing,
    hooks,
    people,
    rating,
    schemes,
    settings,
    work,
)

WRITES = [
    *people.WRITES,
    *settings.WRITES,
    *schemes.WRITES,
    *data.WRITES,
    *authoring.WRITES,
    *drawing.WRITES,
    *work.WRITES,
    *rating.WRITES,
    *deciding.WRITES,
    *audits.WRITES,
    *definitions.WRITES,
    *hooks.WRITES,
]
