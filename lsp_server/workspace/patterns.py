"""Gitignore patterns as byte regular expressions, with Git's own semantics.

Source: `gitignore(5)` and Git's `wildmatch.c` and `dir.c` (2.39). A pattern is matched against one entry
only, never against its parents: whoever walks decides folders first, as Git does. Matching is on bytes,
so `?` is one byte there as it is for Git, and names that are not UTF-8 need no special care.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable

from ..model.values import Value

_IGNORE_CASE = re.IGNORECASE if sys.platform in ("win32", "darwin") else 0

_POSIX_CLASSES = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"\x21-\x7e",
    b"lower": rb"a-z",
    b"print": rb"\x20-\x7e",
    b"punct": rb"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    b"space": rb"\t-\r ",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}

_STAR = b"*"


class Pattern(Value):
    """One line of an ignore file. `negated` re-includes; `folders_only` had a trailing slash."""

    text: str
    line: int
    negated: bool
    folders_only: bool
    base_name: bool
    regex: re.Pattern[bytes]

    def matches(self, path: bytes, name: bytes, is_folder: bool) -> bool:
        """True when it speaks of this entry: `path` relative to the pattern's folder, `name` its last part."""
        if self.folders_only and not is_folder:
            return False
        return self.regex.fullmatch(name if self.base_name else path) is not None


def parse_patterns(data: bytes) -> tuple[Pattern, ...]:
    """The patterns of an ignore file, in order. Lines that can never match are left out."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    found = (_parse_line(line.removesuffix(b"\r"), number) for number, line in enumerate(lines, 1))
    return tuple(pattern for pattern in found if pattern is not None)


def patterns_of(globs: Iterable[str]) -> tuple[Pattern, ...]:
    """Patterns from settings: one glob each, in gitignore syntax."""
    return parse_patterns(b"\n".join(_bytes(glob) for glob in globs))


def last_match(patterns: tuple[Pattern, ...], path: bytes, is_folder: bool) -> Pattern | None:
    """The last pattern that speaks of the entry; it decides."""
    name = path.rpartition(b"/")[2]
    for pattern in reversed(patterns):
        if pattern.matches(path, name, is_folder):
            return pattern
    return None


def path_matches(patterns: tuple[Pattern, ...], path: str) -> bool:
    """True when the file `path`, or one of its parents, is matched and not re-included.

    As in an ignore file, nothing below a matched folder can be re-included.
    """
    if not patterns:
        return False
    parts = _bytes(path).split(b"/")
    for depth in range(1, len(parts) + 1):
        match = last_match(patterns, b"/".join(parts[:depth]), depth < len(parts))
        if match is not None and not match.negated:
            return True
    return False


def _bytes(name: str) -> bytes:
    try:
        return os.fsencode(name)
    except UnicodeEncodeError:  # half a character, from JSON: no file has such a name, and none is matched
        return name.encode("utf-8", "surrogatepass")


def _parse_line(line: bytes, number: int) -> Pattern | None:
    text = _strip_spaces(line)
    if not text or text.startswith(b"#"):
        return None
    body = text
    negated = body.startswith(b"!")
    if negated:
        body = body[1:]
    folders_only = body.endswith(b"/")
    if folders_only:
        body = body[:-1]
    base_name = b"/" not in body
    body = body.removeprefix(b"/")
    tokens = _tokens(body) if body else None
    if tokens is None:
        return None
    regex = re.compile(_regex(tokens), re.DOTALL | _IGNORE_CASE)
    return Pattern(text.decode("utf-8", "replace"), number, negated, folders_only, base_name, regex)


def _strip_spaces(line: bytes) -> bytes:
    """Without trailing spaces, unless a backslash keeps them."""
    end = len(line)
    at = 0
    last_kept = 0
    while at < end:
        if line[at : at + 1] == b"\\":
            at += 2
            last_kept = min(at, end)
        else:
            if line[at : at + 1] != b" ":
                last_kept = at + 1
            at += 1
    return line[:last_kept]


def _tokens(glob: bytes) -> list[bytes] | None:
    """Regex pieces, with `*` and `**/`-like wildcards left as tokens; None when it can never match."""
    tokens: list[bytes] = []
    at = 0
    while at < len(glob):
        char = glob[at : at + 1]
        if char == b"*":
            end = at
            while glob[end : end + 1] == b"*":
                end += 1
            at = _star(glob, at, end, tokens)
        elif char == b"?":
            tokens.append(b"[^/]")
            at += 1
        elif char == b"[":
            bracket = _bracket(glob, at)
            if bracket is None:
                return None
            piece, at = bracket
            tokens.append(piece)
        else:
            if char == b"\\":
                at += 1
                char = glob[at : at + 1]
                if not char:
                    return None
            tokens.append(re.escape(char))
            at += 1
    return tokens


def _star(glob: bytes, start: int, end: int, tokens: list[bytes]) -> int:
    """Adds the wildcard for the stars `start..end` and returns where to go on."""
    opens = start == 0 or glob[start - 1 : start] == b"/"
    if end - start == 2 and opens and glob[end : end + 1] == b"/":
        tokens.append(rb"(?:.*/)?")
        return end + 1
    if end - start == 2 and opens and end == len(glob):
        tokens.append(rb".*")
        return end
    if tokens[-1:] != [_STAR]:
        tokens.append(_STAR)
    return end


def _bracket(glob: bytes, start: int) -> tuple[bytes, int] | None:
    """The regex of a bracket expression and the offset after it; None when it is not closed or not legal."""
    at = start + 1
    negated = glob[at : at + 1] in (b"!", b"^")
    at += negated
    members: list[bytes] = []
    first = True
    while True:
        char = glob[at : at + 1]
        if not char:
            return None
        if char == b"]" and not first:
            break
        first = False
        if glob[at : at + 2] == b"[:":
            close = glob.find(b":]", at + 2)
            name = glob[at + 2 : close]
            if close < 0 or name not in _POSIX_CLASSES:
                return None
            members.append(_POSIX_CLASSES[name])
            at = close + 2
            continue
        low, at = _bracket_char(glob, at)
        if low is None:
            return None
        if glob[at : at + 1] == b"-" and glob[at + 1 : at + 2] not in (b"", b"]"):
            high, at = _bracket_char(glob, at + 1)
            if high is None:
                return None
            if low <= high:
                members.append(b"\\x%02x-\\x%02x" % (low[0], high[0]))
        else:
            members.append(b"\\x%02x" % low[0])
    body = b"".join(members)
    if not body:
        return (rb"[^/]" if negated else rb"(?!)"), at + 1
    return (b"[^/" + body + b"]" if negated else b"(?!/)[" + body + b"]"), at + 1


def _bracket_char(glob: bytes, at: int) -> tuple[bytes | None, int]:
    if glob[at : at + 1] == b"\\":
        at += 1
    char = glob[at : at + 1]
    return (char or None), at + 1


def _regex(tokens: list[bytes]) -> bytes:
    """Joins the pieces. A fixed run between two stars is matched once, at its first place, for good:
    that is enough for globs and keeps hostile patterns linear."""
    out: list[bytes] = []
    at = 0
    while at < len(tokens):
        if tokens[at] != _STAR:
            out.append(tokens[at])
            at += 1
            continue
        end = at + 1
        while end < len(tokens) and tokens[end] != _STAR and not tokens[end].startswith((b".*", b"(?:.*")):
            end += 1
        fixed = b"".join(tokens[at + 1 : end])
        if end < len(tokens) and tokens[end] == _STAR:
            out.append(b"(?>[^/]*?" + fixed + b")")
        else:
            out.append(b"[^/]*" + fixed)
        at = end
    return b"".join(out)
