"""numpy is loaded without threads for linear algebra, and commands of the user do not notice."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

LOADED = """
import os, sys
from lsp_server.session.load_numpy import load_numpy
assert "numpy" not in sys.modules
load_numpy()
threads = len(os.listdir("/proc/self/task"))
print(threads, os.environ.get("OPENBLAS_NUM_THREADS"), "numpy" in sys.modules)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
@pytest.mark.parametrize(("chosen", "loaded"), [(None, "True"), ("2", "False")])
def test_one_thread_and_the_environment_as_before(chosen: str | None, loaded: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {} if chosen is None else {"OPENBLAS_NUM_THREADS": chosen}
    done = subprocess.run((sys.executable, "-c", LOADED), env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["1", str(chosen), loaded]
