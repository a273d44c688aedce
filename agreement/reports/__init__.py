"""What the agreement pages, files and the command tell, as plain values. A report to a module."""

from agreement.reports.table import (
    MEASURE_NAMES,
    SHORT_NAMES,
    SUMMARY_NAMES,
    FacetFigures,
    Report,
    Row,
    TopicFigures,
    report_of,
    report_on,
)

__all__ = [
    "MEASURE_NAMES",
    "SHORT_NAMES",
    "SUMMARY_NAMES",
    "FacetFigures",
    "Report",
    "Row",
    "TopicFigures",
    "report_of",
    "report_on",
]
