"""The fix loop: test, parse, build, ask, apply, test again."""
