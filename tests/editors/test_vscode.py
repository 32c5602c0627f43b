"""The extension in the real workbench: code-server, Chromium, the real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [pytest.mark.editor, pytest.mark.workbench, pytest.mark.timeout(300)]

SCENARIOS = sorted(
    path.stem
    for path in (Path(__file__).parent / "vscode").glob("*.mjs")
    if path.stem not in ("workbench", "no_server")
)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_in_the_workbench(name: str, scenario: Callable[[str], None]) -> None:
    scenario(name)


def test_no_server_is_said_once_with_what_to_do(lonely_scenario: Callable[[str], None]) -> None:
    lonely_scenario("no_server")
