"""Facetwise for programs: read and build a test collection."""

from facetwise.client import Client
from facetwise.collection import Collection
from facetwise.connection import Refused
from facetwise.jobs import Job, JobFailed
from facetwise.signatures import is_signed

__all__ = ["Client", "Collection", "Job", "JobFailed", "Refused", "is_signed"]
__version__ = "0.1.0"
