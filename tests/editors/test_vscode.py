"""The extension in the real workbench: code-server, Chromium, the real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [pytest.mark.editor, pytest.mark.workbench, pytest.mark.timeout(600)]

LONELY = ("no_server",)
"""Scenarios of a machine without the server."""

WARY = ("trust",)
"""Scenarios of a workspace that is not trusted."""

OTHERS = ("workbench", *LONELY, *WARY)

SCENARIOS = sorted(
    path.stem for path in (Path(__file__).parent / "vscode").glob("*.mjs") if path.stem not in OTHERS
)  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_in_the_workbench(name: str, scenario: Callable[[str], None]) -> None:
    scenario(name)


@pytest.mark.parametrize("name", LONELY)
def test_scenario_without_a_server(name: str, lonely_scenario: Callable[[str], None]) -> None:
    lonely_scenario(name)


@pytest.mark.parametrize("name", WARY)
def test_scenario_without_trust(name: str, wary_scenario: Callable[[str], None]) -> None:
    wary_scenario(name)
