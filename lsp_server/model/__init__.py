"""Frozen values and small protocols that every other floor speaks in. Standard library only."""
