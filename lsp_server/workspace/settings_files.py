"""Reading the files that settings come from."""

from __future__ import annotations

import os
import stat
from pathlib import Path

PYPROJECT_FILE = "pyproject.toml"
PROJECT_FILE = ".repo-context.toml"
ADMINISTRATOR_FILE = Path(
    os.environ.get("PROGRAMDATA", "C:\\ProgramData") if os.name == "nt" else "/etc", "repo-context", "settings.toml"
)
"""Written by an administrator; its values win over everyone else's."""

MAX_BYTES = 1_000_000


def read_settings_file(path: Path) -> str | None:
    """The text of a settings file; None when there is no such regular file, or it is over `MAX_BYTES`."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a FIFO must not block
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return None
        return os.read(descriptor, MAX_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return None
    finally:
        os.close(descriptor)
