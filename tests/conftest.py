"""Options and fixtures that all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

# Promises are not about time: a busy machine must not fail a property.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite golden files from what the code gives now")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True when golden files are to be rewritten."""
    return bool(request.config.getoption("--update"))
