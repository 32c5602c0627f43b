"""Loading numpy without the threads that its linear algebra would start."""

from __future__ import annotations

import os
import sys

_THREADS = "OPENBLAS_NUM_THREADS"


def load_numpy() -> None:
    """Load it with one thread, unless that is done or its threads are chosen: nothing here multiplies matrices.

    Starting the others takes 0.05 to 0.09 s of processor time, as they wait in a loop, and what loads beside this
    process waits for them. The environment is as before afterwards, since commands of the user inherit it.
    """
    if "numpy" in sys.modules or _THREADS in os.environ:
        return
    os.environ[_THREADS] = "1"
    try:
        import numpy as _numpy

        del _numpy
    finally:
        os.environ.pop(_THREADS, None)
