"""Step 3: lines through the grammars. Most of a log is skipped without ever becoming a line.

Each piece of text is searched for the triggers of all grammars (substring searches); only lines with a hit, and
the lines after them while a block is open, are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .decode import MAX_LINE, clean
from .drafts import Draft
from .grammar import Block, Context, Grammar, Opened
from .prefixes import find_prefix

KEEP = 4_096
"""Characters of the last piece kept so that looking back works across pieces."""
MAX_SOURCES = 64
"""Interleaved outputs told apart by their line prefix; further ones share one stream."""

LineMatcher = Callable[[str, Context], bool]
"""User patterns: looks at every line, True when it took it."""


PLACE_HUB = r"\.\w{1,10}(?: ?\(|: ?\(?)\d"
"""Most lines that name a place match this; triggers that begin with an extension are looked for there only."""
HUBS = (
    "rror", "ERROR", "FAIL", "Fail", "arning", "WARN", " at ", "->", "ine", ") ", "--", "tion",
    "ile", " directory", "In ", " from", "==", "##", "panic", "::", "@", "#0", ":in ",
)  # fmt: skip
"""Words looked for once; a trigger that contains one is only looked for in the lines that have the word."""


@dataclass(slots=True)
class _Hub:
    """A word (or the place pattern) and the triggers that only lines with it can contain."""

    word: str
    literals: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    patterns: list[tuple[re.Pattern[str], int]] = field(default_factory=list[tuple[re.Pattern[str], int]])

    def mask(self, line: str) -> int:
        found = 0
        for literal, mask in self.literals:
            if literal in line:
                found |= mask
        for pattern, mask in self.patterns:
            if pattern.search(line):
                found |= mask
        return found


class Triggers:
    """The literals and patterns of all grammars, and which grammars each belongs to."""

    def __init__(self, grammars: Sequence[Grammar]) -> None:
        self.grammars = tuple(grammars)
        owners: dict[str, int] = {}
        for number, grammar in enumerate(self.grammars):
            for trigger in grammar.triggers:
                owners[trigger] = owners.get(trigger, 0) | (1 << number)
        self._place = _Hub(PLACE_HUB)
        self._find_place = re.compile(PLACE_HUB)
        hubs = {word: _Hub(word) for word in HUBS}
        for text, mask in owners.items():
            if text.startswith("/"):
                word = next((word for word in HUBS if word in text), None) if not text[1:].startswith("\\.") else None
                hub = hubs[word] if word else self._place
                hub.patterns.append((re.compile(text[1:-1]), mask))
            elif re.match(r"\.\w+: ?$", text):
                self._place.literals.append((text, mask))
            else:
                word = next((word for word in HUBS if word in text), text)
                hubs.setdefault(word, _Hub(word)).literals.append((text, mask))
        self._hubs = [hub for hub in hubs.values() if hub.literals or hub.patterns]
        self._openers: dict[int, tuple[Grammar, ...]] = {}

    def hot(self, text: str, start: int) -> dict[int, int]:
        """Line start → bits of the grammars with a trigger in that line, from offset `start` on."""
        hits: dict[int, int] = {}
        match = self._find_place.search(text, start)
        while match:
            end = _note(hits, text, match.start(), self._place)
            match = self._find_place.search(text, end) if end >= 0 else None
        for hub in self._hubs:
            at = text.find(hub.word, start)
            while at >= 0:
                end = _note(hits, text, at, hub)
                at = text.find(hub.word, end) if end >= 0 else -1
        return hits

    def of(self, bits: int) -> tuple[Grammar, ...]:
        """The grammars that `bits` stand for, in order of registration."""
        found = self._openers.get(bits)
        if found is None:
            found = tuple(grammar for number, grammar in enumerate(self.grammars) if bits >> number & 1)
            self._openers[bits] = found
        return found


def _note(hits: dict[int, int], text: str, at: int, hub: _Hub) -> int:
    """Adds the triggers in the line around offset `at`; returns the line's end, -1 at the end of `text`."""
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    mask = hub.mask(text[begin : end if end >= 0 else len(text)])
    if mask:
        hits[begin] = hits.get(begin, 0) | mask
    return end


class Stream:
    """One output, or one of several interleaved ones, being read."""

    def __init__(self, triggers: Triggers, user: LineMatcher | None = None) -> None:
        self.context = Context()
        self._triggers = triggers
        self._user = user
        self._block: Block | None = None
        self._tail = ""

    def feed(self, text: str) -> None:
        """Reads `text`, whole lines that `clean` has been through."""
        start = len(self._tail)
        whole = self._tail + text
        if self._user is not None:
            self._feed_every_line(whole, start)
        else:
            self._feed_hot_lines(whole, start)
        keep = whole.rfind("\n", 0, max(0, len(whole) - KEEP)) + 1
        self._tail = whole[keep:] if len(whole) > KEEP else whole
        if self._tail and not self._tail.endswith("\n"):
            self._tail += "\n"

    def finish(self) -> Context:
        """Ends the open block and returns what was found."""
        self._close()
        return self.context

    def _feed_hot_lines(self, text: str, start: int) -> None:
        hits = self._triggers.hot(text, start)
        hot = sorted(line for line in hits if line >= start)
        number, at, size = 0, start, len(text)
        while at < size:
            if self._block is None:
                while number < len(hot) and hot[number] < at:
                    number += 1
                if number == len(hot):
                    return
                at = hot[number]
            end = text.find("\n", at)
            end = size if end < 0 else end
            self._line(text, at, end, hits.get(at, 0))
            at = end + 1

    def _feed_every_line(self, text: str, start: int) -> None:
        hits = self._triggers.hot(text, start)
        at, size = start, len(text)
        while at < size:
            end = text.find("\n", at)
            end = size if end < 0 else end
            line = text[at : min(end, at + MAX_LINE)]
            if self._block is None and self._user is not None and line and self._user(line, self.context):
                at = end + 1
                continue
            if self._block is not None or at in hits:
                self._line(text, at, end, hits.get(at, 0))
            at = end + 1

    def _line(self, text: str, at: int, end: int, bits: int) -> None:
        line = text[at : min(end, at + MAX_LINE)]
        if self._block is not None:
            if self._block.feed(line, self.context):
                return
            self._close()
        if not bits:
            return
        self.context.look_from(text, at)
        for grammar in self._triggers.of(bits):
            opened = grammar.open(line, self.context)
            if opened is None:
                continue
            if not isinstance(opened, Opened):
                self._block = opened
            return

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is not None:
            block.close(self.context)


class Demultiplexer:
    """Cleans pieces, strips the line prefix and keeps interleaved outputs apart by it."""

    def __init__(self, sample: str, triggers: Triggers, user: LineMatcher | None = None) -> None:
        self._triggers = triggers
        self._user = user
        self._strip = _prefixes(sample)
        self._streams: dict[str, Stream] = {}

    def feed(self, text: str) -> None:
        """Reads one raw piece."""
        text = clean(text)
        named: re.Pattern[str] | None = None
        for pattern in self._strip:
            if "name" in pattern.groupindex:
                named = pattern
                break
            text = re.sub(f"^(?:{pattern.pattern})", "", text, flags=re.MULTILINE)
        if named is None:
            self._stream("").feed(text)
            return
        parts: dict[str, list[str]] = {}
        last = ""
        for line in text.split("\n"):
            match = named.match(line)
            last = match["name"] if match else last
            parts.setdefault(last, []).append(line[match.end() :] if match else line)
        for name, lines in parts.items():
            self._stream(name).feed("\n".join(lines) + "\n")

    def finish(self) -> tuple[list[Draft], int, dict[str, str]]:
        """Drafts in order of output, the number left out, and the failed tests of summaries."""
        drafts: list[Draft] = []
        left_out = 0
        failed: dict[str, str] = {}
        for stream in self._streams.values():
            context = stream.finish()
            drafts.extend(context.drafts)
            left_out += context.left_out
            failed.update(context.failed_tests)
        return drafts, left_out, failed

    def _stream(self, name: str) -> Stream:
        if name not in self._streams:
            if len(self._streams) >= MAX_SOURCES:
                name = next(iter(self._streams))
            else:
                self._streams[name] = Stream(self._triggers, self._user)
        return self._streams[name]


def _prefixes(sample: str) -> list[re.Pattern[str]]:
    """At most two prefixes, outermost first (a time stamp, then a service's name)."""
    lines = clean(sample).split("\n")
    found: list[re.Pattern[str]] = []
    for _ in range(2):
        pattern = find_prefix(lines)
        if pattern is None or pattern in found:
            break
        found.append(pattern)
        lines = [line[match.end() :] if (match := pattern.match(line)) else line for line in lines]
    return found
