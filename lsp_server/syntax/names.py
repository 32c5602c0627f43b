"""Names of one file, each kept once."""

from __future__ import annotations


class Names(dict[bytes, int]):
    """UTF-8 names to their index in order of first use; index 0 is the empty name. Looking up adds."""

    def __init__(self) -> None:
        super().__init__()
        self[b""] = 0

    def __missing__(self, name: bytes) -> int:
        index = len(self)
        self[name] = index
        return index

    def texts(self) -> tuple[str, ...]:
        """All names in order of index."""
        return tuple([name.decode("utf-8", "replace") for name in self])
