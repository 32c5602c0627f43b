"""Repo Context: a language server that packs exactly the code needed to fix what is failing now."""
