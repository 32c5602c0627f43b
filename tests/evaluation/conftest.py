"""The small workspaces hold failing tests of their own."""

collect_ignore = ["mini"]
