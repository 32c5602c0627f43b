"""A throw-away repository for tests, independent of the user's own configuration."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@b.example",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@b.example",
    "GIT_ALLOW_PROTOCOL": "file",
}


class Repository:
    """`git init` in a folder, and short forms for what tests do there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, data: bytes = b"", ok: tuple[int, ...] = (0,)) -> bytes:
        home = self.path.parent / "home"
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.path,
            input=data,
            capture_output=True,
            env={**ENVIRONMENT, "HOME": str(home)},
            check=False,
        )
        assert done.returncode in ok, done.stderr.decode()
        return done.stdout

    def write(self, name: str, content: str | bytes = "x = 1\n") -> Path:
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    def commit(self, message: str = "change") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").decode().strip()
