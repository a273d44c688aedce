"""The values of one source for one query, as arrays of whole numbers.

Values are decimals with three places at most. They are held as thousandths, so that sums and
comparisons are exact; what is printed is divided once, at the end.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

SCALE = 1000


def scaled(value: Decimal | int) -> int:
    """A value in thousandths. ValueError if it has more than three decimal places."""
    thousandths = Decimal(value) * SCALE
    rounded = int(thousandths)
    if rounded != thousandths:
        raise ValueError(f"The value {value} has more than three decimal places.")
    return rounded


@dataclass(frozen=True)
class ValueTable:
    """Rows are the ids of a query, columns the documents of its pool.

    `thousandths` (int64) is 0 where `is_known` (bool) is false. All values come from one source:
    gold, or one machine run.
    """

    ids: tuple[str, ...]
    documents: tuple[str, ...]
    thousandths: npt.NDArray[np.int64]
    is_known: npt.NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        ids: Iterable[str],
        documents: Iterable[str],
        values: Mapping[str, Mapping[str, int]],
    ) -> "ValueTable":
        """From {id: {document: value in thousandths}}; what is not there has no value."""
        rows, columns = tuple(ids), tuple(documents)
        rows_of_values = [[values.get(row, {}).get(column) for column in columns] for row in rows]
        is_known = np.array(
            [[value is not None for value in row] for row in rows_of_values], dtype=bool
        )
        thousandths = np.array(
            [[value or 0 for value in row] for row in rows_of_values], dtype=np.int64
        )
        shape = (len(rows), len(columns))
        return cls(rows, columns, thousandths.reshape(shape), is_known.reshape(shape))
