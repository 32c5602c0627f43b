"""Several files as one text, and numpy columns over all of them cut into the columns of each.

One numpy call costs about as much for ten files as for one, so files are joined with a zero byte between
them: no name, word or white space goes over it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


def column_of(values: Ints) -> array[int]:
    """`values`, which fit in 32 bits, as a column of facts."""
    column = array("i")
    column.frombytes(values.astype(np.int32, copy=False).tobytes())
    return column


def bases_of(sources: Sequence[bytes]) -> Longs:
    """Where each of `sources` begins in the joined text."""
    bases = np.zeros(len(sources), dtype=np.int64)
    np.cumsum(np.array([len(source) + 1 for source in sources[:-1]], dtype=np.int64), out=bases[1:])
    return bases


def sliced(values: Longs, bounds: Longs) -> list[array[int]]:
    """`values[bounds[k]..bounds[k + 1]]` for each k, as columns of facts."""
    data = memoryview(values.astype(np.int32).tobytes())
    limits = (bounds * 4).tolist()
    columns: list[array[int]] = []
    for start, end in pairwise(limits):
        column = array("i")
        column.frombytes(data[start:end])
        columns.append(column)
    return columns
