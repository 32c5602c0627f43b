"""The packs built last, for `verify` by fingerprint and for `explain`."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..model.pack import ContextPack

KEPT = 8


class RecentPacks:
    """The last few packs by fingerprint. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._packs: OrderedDict[str, ContextPack] = OrderedDict()

    def keep(self, pack: ContextPack) -> None:
        """Remember `pack` as the last one."""
        with self._lock:
            self._packs[pack.selection.fingerprint] = pack
            self._packs.move_to_end(pack.selection.fingerprint)
            while len(self._packs) > KEPT:
                self._packs.popitem(last=False)

    def last(self) -> ContextPack | None:
        """The pack built last."""
        with self._lock:
            return next(reversed(self._packs.values()), None)

    def by_fingerprint(self, fingerprint: str) -> ContextPack | None:
        """A pack that is still remembered."""
        with self._lock:
            return self._packs.get(fingerprint)
