"""Facetwise for programs: read and build a test collection."""

from facetwise.client import Client
from facetwise.collection import Collection
from facetwise.connection import Refused
from facetwise.deciding import Case, Desk
from facetwise.jobs import Job, JobFailed
from facetwise.rating import Pair, Seat
from facetwise.signatures import is_signed

__all__ = [
    "Case",
    "Client",
    "Collection",
    "Desk",
    "Job",
    "JobFailed",
    "Pair",
    "Refused",
    "Seat",
    "is_signed",
]
__version__ = "0.1.0"
