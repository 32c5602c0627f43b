"""The content hash: one definition for facts, packs, fingerprints and freshness checks."""

from __future__ import annotations

import hashlib


def content_hash(text: str) -> str:
    """SHA-256 of the text's UTF-8 bytes, in hex; lone surrogates count too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
