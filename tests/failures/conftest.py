"""The fixtures hold test files of their own; they are data."""

collect_ignore = ["fixtures"]
