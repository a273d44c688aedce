"""The bytes of a Parquet file's cells, counted without unpacking them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

PARQUET = b"PAR1"
ROWS_AT_ONCE = 10_000


def unpacked_bytes(path: Path) -> Iterator[int]:
    """Yield how many bytes the cells have, as far as it is known: at first at least by what the
    file says of itself, then as they are counted.

    A text that stands in many cells is stored once, so that a small file may have far more of them
    than there is room for. Nothing more is yielded of a file that is broken, which its reader says.
    """
    import pyarrow
    from pyarrow.parquet import ParquetFile

    try:
        # As they are stored, texts take no more room than the file says.
        texts = []
        with ParquetFile(path) as file:
            groups = [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
            columns = [group.column(n) for group in groups for n in range(group.num_columns)]
            # A cell has a byte, be it the comma that divides it from the next one.
            yield sum(max(column.total_uncompressed_size, column.num_values) for column in columns)
            for n in range(file.metadata.num_columns):
                column = file.schema.column(n)
                if column.physical_type == "BYTE_ARRAY" and column.logical_type.type != "DECIMAL":
                    texts.append(column.path)
        total = 0
        with ParquetFile(path, read_dictionary=texts) as file:
            for batch in file.iter_batches(ROWS_AT_ONCE):
                total += sum(map(_bytes_of, batch.columns))
                yield total
    except (pyarrow.ArrowException, OSError, ValueError):
        return


def _bytes_of(array: Any) -> int:
    import pyarrow.compute
    from pyarrow import types

    kind = array.type
    if types.is_dictionary(kind):
        lengths = pyarrow.compute.binary_length(array.dictionary).take(array.indices)
        return int(pyarrow.compute.sum(lengths).as_py() or 0)
    if types.is_map(kind):
        return _bytes_of(array.keys) + _bytes_of(array.items)
    if types.is_nested(kind):
        parts = array.flatten()
        return sum(map(_bytes_of, parts)) if types.is_struct(kind) else _bytes_of(parts)
    return int(array.nbytes)
