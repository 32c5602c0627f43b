"""The page that says what is read of which language, made from the registry and the queries."""

from __future__ import annotations

import re
from importlib.resources import files

from .languages import LANGUAGES, Content, Language

_CAPTURE = re.compile(r"@([a-z][\w.]*)")
_COMMENT = re.compile(r"^\s*;.*$", re.MULTILINE)

_READS = {
    Content.TEXT: "search only, in windows of lines",
    Content.SECTIONS: "search only, by headings",
    Content.SCRIPT: "its script blocks, as JavaScript or TypeScript",
    Content.NOTEBOOK: "its code cells, in the notebook's language",
    Content.PROJECT: "what imports need of it; else search only",
}

_HEAD = ("Language", "Files", "Definitions", "Uses", "Imports", "Types of variables", "Tests", "Declared package")


def language_table() -> str:
    """A Markdown table with one row a language, in the registry's order. Ends with a line end."""
    rows = [_HEAD, ("---",) * len(_HEAD), *(_row(language) for language in LANGUAGES)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def captures_of(language: Language) -> frozenset[str]:
    """The names of all captures in the queries of `language` that the engine reads."""
    folder = files("lsp_server.syntax") / "queries"
    names = [name for name in (*language.queries, language.identifiers) if name]
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    return frozenset(_CAPTURE.findall(_COMMENT.sub("", text)))


def _row(language: Language) -> tuple[str, ...]:
    named = " ".join(f"`{each}`" for each in (*language.extensions, *language.filenames))
    if language.content is not Content.CODE:
        return (language.title, named, _READS[language.content], "", "", "", "", "")
    captures = captures_of(language)
    kinds = sorted(each.removeprefix("def.").replace("_", " ") for each in captures if each.startswith("def."))
    uses = sorted(each.removeprefix("ref.") for each in captures if each.startswith("ref."))
    return (
        language.title,
        named,
        ", ".join(kinds),
        ", ".join(uses),
        _mark("import" in captures),
        _mark("bind" in captures),
        _mark("test" in captures or bool(language.test_function)),
        _mark("package" in captures),
    )


def _mark(given: bool) -> str:
    return "yes" if given else "–"
