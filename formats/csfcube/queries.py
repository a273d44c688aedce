"""queries-release.csv: a row for each query paper under a facet."""

import csv
import io

from formats import csfcube, strict
from formats.csfcube.reading import FETCH_AGAIN, MAX_LINE_BYTES, Reading
from formats.csfcube.records import QueryRow
from formats.records import MAX_TOPIC_ID_LENGTH, Place
from formats.strict import BadTextError, shown


def read_queries(reading: Reading) -> None:
    name = csfcube.QUERIES
    text = reading.text_of(name, reading.sources.queries)
    if text is None:
        return
    reading.raw[name] = text
    csv.field_size_limit(MAX_LINE_BYTES)
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    release = reading.release
    release.line_end = "\r\n" if "\r\n" in text else "\n"
    line_of: dict[str, int] = {}
    try:
        release.columns = next(lines, [])
        if not _check_columns(reading, release.columns):
            return
        for values in lines:
            if values:
                _read_query(reading, values, lines.line_num, line_of)
    except csv.Error as error:
        reading.refuse(
            Place(name, key=f"line {lines.line_num}"),
            f"broken CSV: {error}.",
            "Quotation marks inside a quoted field are doubled.",
        )
    if not release.rows and not reading.problems.total:
        reading.refuse(Place(name), "there is no query in the file.", FETCH_AGAIN)


def _check_columns(reading: Reading, columns: list[str]) -> bool:
    at = Place(csfcube.QUERIES, key="line 1")
    try:
        strict.check_storable(columns)
    except BadTextError as error:
        reading.refuse(at, error.message, error.remedy)
        return False
    if {"pid", "facet"} <= set(columns) and len(set(columns)) == len(columns):
        return True
    reading.refuse(
        at,
        f"the columns are {shown(','.join(columns))}.",
        f"The first line must be {','.join(csfcube.QUERY_COLUMNS)}.",
    )
    return False


def _read_query(reading: Reading, values: list[str], line: int, line_of: dict[str, int]) -> None:
    at, columns = Place(csfcube.QUERIES, key=f"line {line}"), reading.release.columns
    if len(values) != len(columns):
        reading.refuse(
            at,
            f"{len(values)} fields; expected {len(columns)}.",
            "Put a field that contains a comma in quotation marks.",
        )
        return
    fields = dict(zip(columns, values, strict=True))
    row = QueryRow(fields.pop("pid"), fields.pop("facet"), fields, line)
    try:
        strict.check_storable(values)
        strict.check_identifier(row.paper_id)
    except BadTextError as error:
        reading.refuse(at, error.message, error.remedy)
        return
    if row.facet not in reading.scales:
        reading.refuse(
            at,
            f"the facet {shown(row.facet)} is not in the scheme.",
            f"The scheme has {', '.join(reading.scales)}.",
        )
    elif row.topic_id in line_of:
        reading.refuse(
            at,
            f"the query {row.topic_id} stands in line {line_of[row.topic_id]} already.",
            "Keep one of the two lines.",
        )
    elif len(row.topic_id) > MAX_TOPIC_ID_LENGTH:
        reading.refuse(at, f"the identifier {shown(row.topic_id)} is too long.")
    else:
        line_of[row.topic_id] = line
        reading.release.rows.append(row)
