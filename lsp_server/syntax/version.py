"""The version of what extraction gives, apart from the extraction so that looking it up imports nothing."""

from __future__ import annotations

EXTRACTOR_VERSION = 12
"""Raised whenever the same text would give other facts."""
