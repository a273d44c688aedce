"""From what the server sends to a DataFrame."""

import io
import json
from typing import Any

import pandas as pd

NDJSON = "application/x-ndjson"
CSV = "text/csv"


def frame_of(lines: str, columns: list[str]) -> pd.DataFrame:
    """A DataFrame from lines of JSON; `columns` name its columns where there is no line.

    Columns of times are times; null is missing.
    """
    rows = [json.loads(line) for line in lines.split("\n") if line]
    frame = _with_whole_numbers(rows, columns)
    for name in frame.columns:
        if str(name).endswith("_at"):
            frame[name] = pd.to_datetime(frame[name], utc=True, format="ISO8601")
    return frame


def _with_whole_numbers(rows: list[dict[str, Any]], columns: list[str]) -> pd.DataFrame:
    """A DataFrame in which whole numbers stay whole, also in a column where some are missing."""
    frame = pd.DataFrame(rows, columns=columns or None)
    for name, kind in frame.dtypes.items():
        values = [row.get(name) for row in rows]
        are_whole = all(value is None or type(value) is int for value in values)
        if pd.api.types.is_float_dtype(kind) and are_whole:
            frame[name] = pd.array(values, dtype="Int64")
    return frame


def with_options(frame: pd.DataFrame, scheme: dict[str, Any]) -> pd.DataFrame:
    """The column `option` as categories in the order of the scheme, also those nobody chose.

    Where facets have scales of their own, the categories are those of all, without an order.
    """
    definition = scheme["definition"]
    scales = [definition] if "options" in definition else []
    scales += [facet["scale"] for facet in definition["facets"] if "scale" in facet]
    keys = dict.fromkeys(option["key"] for scale in scales for option in scale["options"])
    has_order = len(scales) == 1 and scales[0].get("order", "ordinal") == "ordinal"
    kind = pd.CategoricalDtype(list(keys), ordered=has_order)
    return frame.assign(option=frame["option"].astype(kind))


def frame_of_table(table: dict[str, Any]) -> pd.DataFrame:
    """A table of the pages. Its title and notes are in `attrs`, the titles of its columns, and
    `chosen`: what the figures are of, such as one facet where facets have scales of their own."""
    frame = _with_whole_numbers(table["rows"], list(table["columns"]))
    frame.attrs["title"] = table["title"]
    frame.attrs["notes"] = table["notes"]
    frame.attrs["columns"] = {key: column["title"] for key, column in table["columns"].items()}
    frame.attrs["chosen"] = table.get("chosen", {})
    return frame


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """The table for files without lists and mappings: cells that hold some as JSON."""
    frame = frame.copy(deep=False)
    for name, kind in frame.dtypes.items():
        if pd.api.types.is_object_dtype(kind):
            frame[name] = frame[name].map(_flat)
    return frame


def _flat(cell: Any) -> Any:
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, (list, dict)) else cell


def as_csv(frame: pd.DataFrame) -> bytes:
    """A table as the bytes of a file."""
    out = io.StringIO()
    # With LF alone as the end of a line, Python before 3.13 does not quote a cell that holds a CR.
    flat(frame).to_csv(out, index=False, lineterminator="\r\n")
    return out.getvalue().encode()
