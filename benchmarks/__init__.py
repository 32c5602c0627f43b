"""Benchmarks: one module a figure, one command for all. `python -m benchmarks all --quick` for a first look.

Everything is a ratio of two things measured in the same run on the same files, because absolute times say
more about the machine than about the program. Each figure's module has `measure(options) -> list[Row]`.
"""
