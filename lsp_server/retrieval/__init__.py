"""Candidate sources, one a file."""
