"""A serving process lets its message loop in soon."""

from __future__ import annotations

import subprocess
import sys

SERVED = """
import gc, sys
from lsp_server.server.responsive import COLLECT_AFTER, SWITCH_SECONDS
from lsp_server.server.serve import serve_stream
from lsp_server.server.app import create_server
import asyncio
asyncio.run(serve_stream(create_server, lambda size: b"", lambda data: None))
print(sys.getswitchinterval() == SWITCH_SECONDS, gc.get_threshold() == COLLECT_AFTER, gc.get_freeze_count() > 1_000)
"""


def test_threads_give_way_soon_and_collections_stay_short_once_a_connection_is_served() -> None:
    told = subprocess.run([sys.executable, "-c", SERVED], capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout.split() == ["True", "True", "True"]
