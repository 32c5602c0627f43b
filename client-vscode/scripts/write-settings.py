#!/usr/bin/env python3
"""Writes the server's settings into package.json (second entry of `contributes.configuration`).

The server's definition is the only source; `--check` only says whether package.json is up to date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from lsp_server.session.settings_pages import extension_configuration

PACKAGE = Path(__file__).resolve().parent.parent / "package.json"

OFF_BY_DEFAULT = (
    "documentSymbol",
    "workspaceSymbol",
    "definition",
    "references",
    "documentHighlight",
    "callHierarchy",
)
"""Features that VS Code's own language extensions give better; here a user switches them on."""


def section() -> dict[str, Any]:
    """The configuration entry of the server's settings, with this client's defaults."""
    entry: dict[str, Any] = {"title": "Server", "order": 2, "properties": extension_configuration()["properties"]}
    for order, (name, schema) in enumerate(entry["properties"].items(), start=1):
        schema["order"] = order
        if name.removeprefix("repoContext.features.") in OFF_BY_DEFAULT:
            schema["default"] = False
    return entry


def written(text: str) -> str:
    """`text` of package.json with the server's section replaced."""
    package = json.loads(text)
    own = package["contributes"]["configuration"][:1]
    package["contributes"]["configuration"] = [*own, section()]
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """0 when package.json is (now) up to date, 1 when `--check` finds it is not."""
    before = PACKAGE.read_text(encoding="utf-8")
    after = written(before)
    if "--check" in sys.argv[1:]:
        if before != after:
            print("package.json: settings differ from the server's; run scripts/write-settings.py", file=sys.stderr)
        return int(before != after)
    PACKAGE.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
