"""What the log says when something breaks: that it broke, never whose text it was about."""

from __future__ import annotations

import sys
from pathlib import Path

from .conftest import make_workspace
from .raw_server import RawServer

BROKEN = """
import sys
from lsp_server.session.session import Session
def build(*_, **__):
    raise ValueError("text of the user: def very_private(): pass")
Session.build = build
from lsp_server.__main__ import main
main()
"""


def test_an_unexpected_error_is_logged_without_the_users_text(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    folder, log = make_workspace(tmp_path / "work"), tmp_path / "log"
    for options, level in (([], "warning"), (["--log-level", "info"], "info")):
        server = RawServer([sys.executable, "-c", BROKEN, "serve", "--log-file", str(log), *options], folder)
        server.initialize(folder)
        server.send(id=1, method="context/build", params={"task": "very_private task"})
        error = server.answer(1)["error"]
        assert error["code"] == -32603
        assert "very_private" not in str(error)
        server.send(id=2, method="context/status")
        assert server.answer(2)["result"]["schema"] == 1
        assert server.shut_down() == 0
        assert server.stderr() == ""
        text = log.read_text()
        assert "unexpected ValueError" in text, level
        assert "very_private" not in text, level
