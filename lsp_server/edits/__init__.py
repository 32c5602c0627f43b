"""SEARCH/REPLACE blocks."""
