"""Parquet files as tables, a batch of rows in memory at a time."""

import datetime
import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from formats import strict
from formats.files import SourceFile
from formats.records import Place
from formats.strict import BadTextError
from formats.tables.rows import Row, Table, checked_columns

BATCH_ROWS = 1000
# One row group is unpacked at a time; what the file says of its size is checked before.
MAX_GROUP_BYTES = 2 << 30


class ParquetTable(Table):
    """A Parquet file; `line` counts its rows from 1."""

    def __init__(self, file: SourceFile):
        super().__init__(file)
        with self._reader() as reader:
            names = reader.schema_arrow.names
            self.columns = checked_columns(names, "the schema")
            self._column_of = dict(zip(names, self.columns, strict=True))
            self.row_count = reader.metadata.num_rows
            groups = range(reader.metadata.num_row_groups)
            largest = max((reader.metadata.row_group(n).total_byte_size for n in groups), default=0)
        if largest > MAX_GROUP_BYTES:
            raise BadTextError(
                f"a row group of {largest:,} bytes, unpacked.", "Write smaller row groups."
            )

    def place(self, line: int) -> Place:
        return Place(self.name, key=f"row {line:,}" if line else "")

    def rows(self, columns: list[str] | None = None) -> Iterator[Row]:
        import pyarrow

        line = 0
        wanted = set(self.columns if columns is None else columns)
        names = [name for name, column in self._column_of.items() if column in wanted]
        try:
            with self._reader() as reader:
                for batch in reader.iter_batches(BATCH_ROWS, columns=names):
                    for cells in batch.to_pylist():
                        line += 1
                        yield Row(line, self._checked(cells, line))
        except BadTextError:
            raise
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            raise self._broken(error, line + 1) from None

    def _checked(self, cells: dict[str, Any], line: int) -> dict[str, Any]:
        try:
            plain = {}
            for name, value in cells.items():
                column = self._column_of[name]
                place = f"row {line:,}, column {column}"
                plain[column] = _plain(value)
            place = f"row {line:,}"
            strict.check_storable(plain)
        except BadTextError as error:
            raise BadTextError(error.message, error.remedy, place) from None
        return plain

    def _reader(self) -> Any:
        import pyarrow
        from pyarrow.parquet import ParquetFile

        try:
            return ParquetFile(self.file.path)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            raise self._broken(error) from None

    @staticmethod
    def _broken(error: Exception, line: int = 0) -> BadTextError:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        reason = reason.rstrip(".")
        return BadTextError(
            f"the Parquet file is broken: {reason}.",
            "Write it again, or bring CSV or JSON lines.",
            f"row {line:,}" if line else "",
        )


def _plain(value: Any) -> Any:
    """A value as JSON would have it. NaN is how columns of decimals write a missing number."""
    if isinstance(value, float):
        if math.isinf(value):
            raise BadTextError("an infinite number.", "Write a number, or leave the cell empty.")
        return None if math.isnan(value) else value
    if value is None or isinstance(value, (str, int, bool)):
        return value
    if isinstance(value, (list, tuple)):  # of a map, each key with its value
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, bytes):
        raise BadTextError("a column of bytes.", "Leave it out, or write it as text.")
    return str(value)
