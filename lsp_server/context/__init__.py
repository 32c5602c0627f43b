"""The pipeline that builds a context pack. Read `build` first."""
