"""A ranked outline of the workspace."""
