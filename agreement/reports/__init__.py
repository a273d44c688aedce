"""What the agreement pages, files and the command tell, as plain values. A report to a module."""

from agreement.reports.table import (
    FURTHER_NAMES,
    GRADE_NAMES,
    MEASURE_NAMES,
    SHORT_NAMES,
    FacetFigures,
    Report,
    Row,
    TopicFigures,
    report_of,
    report_on,
)

__all__ = [
    "FURTHER_NAMES",
    "GRADE_NAMES",
    "MEASURE_NAMES",
    "SHORT_NAMES",
    "FacetFigures",
    "Report",
    "Row",
    "TopicFigures",
    "report_of",
    "report_on",
]
