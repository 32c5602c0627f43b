"""SEARCH/REPLACE blocks out of a model's answer.

Understood: `<<<<<<< SEARCH` / `=======` / `>>>>>>> REPLACE` with five or more marker characters, with the
path on a line before the block or before its fence, inside the fence, in the fence's info string, or
after `SEARCH`; fences of any length and kind; no fence at all; several blocks under one path; Windows line
ends; indented blocks; the older words `ORIGINAL`/`UPDATED` and the `------- SEARCH` / `+++++++ REPLACE`
form. A text that holds a marker line itself can be edited by using longer markers around it.
"""

from __future__ import annotations

import re

from lsp_server.model.values import Value
from lsp_server.text.line_table import split_lines

from .errors import MalformedBlock, MissingPath, NoBlocks

_OPEN = re.compile(r"^([ \t]*)(<{5,}|-{5,})[ \t]*(?:SEARCH|ORIGINAL)\b[ \t>]*:?[ \t]*(.*?)[ \t]*$")
_DIVIDE = re.compile(r"^[ \t]*(={5,})[ \t]*$")
_CLOSE = re.compile(r"^[ \t]*(>{5,}|\+{5,})[ \t]*(?:REPLACE|UPDATED)\b[ \t]*$")
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*(.*?)[ \t]*$")

_LABEL = re.compile(
    r"^(?:(?:file(?:[ _-]?(?:name|path))?|path|edit|editing|update|create|modify|new file|new)\s*[:=]\s*"
    r"|(?:file(?:name|path)?|path)\s+)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(?:[-*+]|\d+[.)])\s+")
_COMMENT = re.compile(r"^(?://|--|<!--|/\*)\s*|\s*(?:-->|\*/)$")
_QUOTED = re.compile(r"`([^`]+)`")
_INFO_PATH = re.compile(r"(?:^|[\s{:,])(?:path|file|filename|title)\s*=\s*[\"']?([^\s\"'}]+)")
_LANGUAGE = re.compile(r"^[A-Za-z0-9+#._-]*$")
_DECORATION = "`*_#>\"' \t"

MAX_PATH_DISTANCE = 3
"""Non-blank lines between a path and its block: the path itself, a fence, a remark."""


class EditBlock(Value):
    """One edit. `search` and `replace` use `\\n`; both end with one unless empty when they were whole lines.

    `line` is where the block starts in the text it was parsed from (1-based), 0 when it was given as such.
    """

    path: str
    search: str
    replace: str
    line: int = 0


def parse_blocks(text: str) -> tuple[EditBlock, ...]:
    """All blocks in order. Raises NoBlocks, MalformedBlock or MissingPath; then nothing is returned."""
    lines = split_lines(text.removeprefix("\ufeff"))[0]
    blocks: list[EditBlock] = []
    at = 0
    path = ""
    floor = 0
    while at < len(lines):
        opening = _OPEN.match(lines[at])
        if opening is None:
            _refuse_stray(lines[at], len(blocks) + 1, at)
            at += 1
            continue
        number = len(blocks) + 1
        path = _clean_path(opening.group(3)) or _path_before(lines, at, floor) or path
        block, at = _block(lines, at, opening, number, path)
        if not path:
            raise MissingPath(number, "", "no file path before this block", block.line)
        blocks.append(block)
        floor = at
    if not blocks:
        raise NoBlocks(0, "", "no SEARCH/REPLACE block in the text")
    return tuple(blocks)


def _refuse_stray(line: str, number: int, at: int) -> None:
    if _CLOSE.match(line):
        raise MalformedBlock(number, "", "a REPLACE marker without a SEARCH marker before it", at + 1)


def _block(lines: tuple[str, ...], start: int, opening: re.Match[str], number: int, path: str) -> tuple[EditBlock, int]:
    """The block that opens at `start`, and the index after it."""
    size = len(opening.group(2))
    end = _find_close(lines, start, size, number, path)
    divider = _find_divider(lines, start, end, size, number, path)
    indent = opening.group(1)
    search = _dedent(lines[start + 1 : divider], indent)
    replace = _dedent(lines[divider + 1 : end], indent)
    return EditBlock(path, _joined(search), _joined(replace), start + 1), end + 1


def _find_close(lines: tuple[str, ...], start: int, size: int, number: int, path: str) -> int:
    """Index of the closing marker: the first of the opening's own length, else the first of any length."""
    other = -1
    for at in range(start + 1, len(lines)):
        close = _CLOSE.match(lines[at])
        if close is not None:
            if len(close.group(1)) == size:
                return at
            if other < 0:
                other = at
        opening = _OPEN.match(lines[at])
        if opening is not None and len(opening.group(2)) == size:
            break
    if other >= 0:
        return other
    problem = "the block has no '>>>>>>> REPLACE' marker before the next block or the end of the text"
    raise MalformedBlock(number, path, problem, start + 1)


def _find_divider(lines: tuple[str, ...], start: int, end: int, size: int, number: int, path: str) -> int:
    """Index of the one dividing line; lines of another length count only when none has the right one."""
    found = [(at, len(match.group(1))) for at in range(start + 1, end) if (match := _DIVIDE.match(lines[at]))]
    exact = [at for at, length in found if length == size]
    chosen = exact or [at for at, _ in found]
    if not chosen:
        raise MalformedBlock(number, path, "no '=======' line between SEARCH and REPLACE", start + 1)
    if len(chosen) > 1:
        where = ", ".join(str(at + 1) for at in chosen)
        problem = f"several '=======' lines ({where}), so it is unclear where REPLACE begins; use longer markers"
        raise MalformedBlock(number, path, problem, chosen[1] + 1)
    return chosen[0]


def _dedent(lines: tuple[str, ...], indent: str) -> tuple[str, ...]:
    """Without the markers' own indentation, when every line has it."""
    if not indent or not all(line.startswith(indent) or not line.strip() for line in lines):
        return lines
    return tuple(line.removeprefix(indent) if line.strip() else "" for line in lines)


def _joined(lines: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _path_before(lines: tuple[str, ...], start: int, floor: int) -> str:
    """The path in the lines just above a block (none of them part of an earlier block); "" without one."""
    seen = 0
    for at in range(start - 1, floor - 1, -1):
        line = lines[at]
        if not line.strip():
            continue
        seen += 1
        if seen > MAX_PATH_DISTANCE:
            break
        fence = _FENCE.match(line)
        path = _path_in_info(fence.group(1)) if fence else _clean_path(line)
        if path:
            return path
    return ""


def _path_in_info(info: str) -> str:
    """The path in a fence's info string: `python path=a.py`, `python:a/b.py`, `a/b.py`, `python a/b.py`."""
    named = _INFO_PATH.search(info)
    if named:
        return named.group(1)
    language, colon, rest = info.partition(":")
    if colon and _LANGUAGE.match(language) and rest and " " not in rest:
        return rest if _looks_like_path(rest) else ""
    for word in reversed(info.split()):
        if _looks_like_path(word):
            return word.strip("{}\"'")
    return ""


def _clean_path(line: str) -> str:
    """The path that a line names, less what people put around one; "" when it is prose."""
    text = line.strip()
    for prefix in ("+++ b/", "--- a/", "+++ ", "--- "):
        if text.startswith(prefix):
            return text[len(prefix) :].strip()
    text = _COMMENT.sub("", text)
    quoted = [word for word in _QUOTED.findall(text) if _looks_like_path(word.replace(" ", ""))]
    if quoted:
        return quoted[-1]
    labelled = _LABEL.sub("", _BULLET.sub("", text).strip(_DECORATION))
    bare = labelled.strip(_DECORATION).rstrip(":").strip(_DECORATION)
    is_labelled = labelled != text.strip(_DECORATION) or text.startswith("**")
    if " " in bare:
        return bare if is_labelled and _looks_like_path(bare.replace(" ", "")) else ""
    return bare if _looks_like_path(bare) else ""


def _looks_like_path(text: str) -> bool:
    """A word with a slash, a dot inside or a well-known bare name; no sentence end."""
    if not text or " " in text or text.endswith((".", ",", ";", "!", "?", "(", ")")) or "://" in text:
        return False
    name = re.split(r"[/\\]", text)[-1]
    return "/" in text or "." in name or name in _BARE_NAMES


_BARE_NAMES = frozenset(
    """
    Makefile Dockerfile Containerfile Jenkinsfile Vagrantfile Procfile Justfile justfile Gemfile Rakefile Podfile
    BUILD WORKSPACE LICENSE README CHANGELOG
    """.split()  # noqa: SIM905 - a table of words
)
