"""From diagnostics and raw tool output to failures with locations."""
