"""All lists that programs read. A new one is a line here, and rows in the tests' matrix."""

from api.resources import data, judged, work

LISTS = [
    data.MEMBERS,
    data.INVITATIONS,
    data.DOCUMENTS,
    data.QUERIES,
    data.TOPICS,
    data.POOLS,
    judged.PAIRS,
    work.BATCHES,
    work.SEATS,
    work.OWN_SEATS,
    work.OWN_RATINGS,
    judged.RATINGS,
    judged.DECISIONS,
    judged.GOLD,
]
