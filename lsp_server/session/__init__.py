"""All mutable state: documents, index lifecycle, scheduling, settings."""
