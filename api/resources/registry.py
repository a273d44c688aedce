"""All lists that programs read. A new one is a line here, and rows in the tests' matrix."""

from api.resources import course, data, judged, runs, work
from api.writes.deciding import QUEUE

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
    QUEUE,
    runs.SYSTEMS,
    runs.RUNS,
    runs.JUDGMENT_SETS,
    runs.MACHINE_RUNS,
    runs.MACHINE_SCORES,
    runs.SOURCES,
    course.PROGRESS,
    course.JOBS,
    course.IMPORTS,
    course.EXPORTS,
    course.TRAIL,
]
