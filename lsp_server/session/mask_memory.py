"""Texts with their secrets hidden, remembered: one request after the other shows the same files, and looking for
secrets costs more than reading them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..workspace.secrets import Masked

REMEMBERED_CHARACTERS = 8_000_000


class MaskMemory:
    """The last texts of together at most `characters`. Safe for several threads.

    Of a small workspace no more is held than it has bytes (`room`): the rest would be texts as they were once.
    """

    def __init__(self, characters: int = REMEMBERED_CHARACTERS) -> None:
        self._limit = characters
        self._held = 0
        self._masked: OrderedDict[str, Masked] = OrderedDict()
        self._lock = threading.Lock()

    def masked(
        self,
        texts: Sequence[str],
        mask_all: Callable[[Sequence[str]], Sequence[Masked]],
        room: int = REMEMBERED_CHARACTERS,
    ) -> list[Masked]:
        """`mask_all(texts)`, asked only about those that are not remembered. What it gives depends on a text alone."""
        with self._lock:
            found = {text: self._masked[text] for text in texts if text in self._masked}
            for text in found:
                self._masked.move_to_end(text)
        new = [text for text in dict.fromkeys(texts) if text not in found]
        found.update(zip(new, mask_all(new), strict=True))
        with self._lock:
            for text in new:
                self._keep(text, found[text], min(self._limit, room))
        return [found[text] for text in texts]

    def _keep(self, text: str, masked: Masked, limit: int) -> None:
        if len(text) > limit or text in self._masked:
            return
        self._masked[text] = masked
        self._held += len(text)
        while self._held > limit:
            oldest, _ = self._masked.popitem(last=False)
            self._held -= len(oldest)
