"""The one definition of the settings: name, type, default, bounds and meaning.

Everything else is derived from here by pure functions: the TOML tables and the LSP configuration are
checked against it (`settings_check`), `docs/settings.md`, the command line's help and the extension's
`contributes.configuration` are written from it (`settings_pages`).

A setting's public name is dotted camelCase (`index.maxFiles`), the same in every place. To add one, add
a field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

Value = bool | int | float | str | tuple[str, ...]

_KEY = "setting"


class Strictness(StrEnum):
    """How a value that an administrator enforces is combined with the user's."""

    REPLACE = "replace"
    """The enforced value holds."""
    UNION = "union"
    """Both lists hold together: the user may add, never take away."""
    AT_MOST = "at-most"
    """The smaller number holds: the user may tighten, never widen."""
    STAY_ON = "stay-on"
    """Once enforced on it stays on; enforced off the user may still switch it on."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `name` is public, `field` the attribute of `Settings`; bounds are inclusive."""

    name: str
    field: str
    default: Value
    doc: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    strictness: Strictness = Strictness.REPLACE

    @property
    def type_name(self) -> str:
        """The type in JSON Schema's words."""
        if isinstance(self.default, bool):
            return "boolean"
        if isinstance(self.default, int):
            return "integer"
        if isinstance(self.default, float):
            return "number"
        return "string" if isinstance(self.default, str) else "array"


def _setting(
    name: str,
    default: Any,
    doc: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] = (),
    strictness: Strictness = Strictness.REPLACE,
) -> Any:
    shape = (name, default, doc, minimum, maximum, choices, strictness)
    return field(default=default, metadata={_KEY: shape})


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their values; frozen. See `definitions()` for names, bounds and meaning."""

    budget_max_tokens: int = _setting(
        "budget.maxTokens", 8_000, "Budget of a context pack, in tokens, when the request names none.",
        minimum=0, maximum=10_000_000,
    )  # fmt: skip
    budget_stop: str = _setting(
        "budget.stop", "fill", "When packing ends: at a full budget, or when nothing left is likely to matter.",
        choices=("fill", "auto"),
    )  # fmt: skip
    policy: str = _setting("policy", "", "Named ranking policy; empty for the built-in default.")
    render_format: str = _setting(
        "render.format", "markdown", "Format of the rendered pack.", choices=("markdown", "xml", "json", "none")
    )
    render_line_numbers: bool = _setting("render.lineNumbers", False, "Number the lines of rendered code.")
    counter: str = _setting("counter", "estimate-1", "How tokens are counted.", choices=("estimate-1", "chars"))
    rules: bool = _setting(
        "rules", False, "Offer project rule files (AGENTS.md, CLAUDE.md, .cursor/rules) as part of a pack."
    )
    include_warnings: bool = _setting("includeWarnings", False, "Treat warnings among diagnostics as failures too.")

    failures_matchers: tuple[str, ...] = _setting(
        "failures.matchers", (),
        "Workspace files with problem matchers of your own, in VS Code's or GitHub Actions' JSON format.",
    )  # fmt: skip

    index_include: tuple[str, ...] = _setting(
        "index.include", (), "Globs; when given, only matching files are indexed."
    )
    index_exclude: tuple[str, ...] = _setting(
        "index.exclude", (), "Globs of files that are neither indexed nor packed.", strictness=Strictness.UNION
    )
    index_max_files: int = _setting(
        "index.maxFiles", 200_000, "Files to index at most; the rest is left out and said so.",
        minimum=1, maximum=2_000_000, strictness=Strictness.AT_MOST,
    )  # fmt: skip
    index_max_file_bytes: int = _setting(
        "index.maxFileBytes", 2_000_000, "Largest file that is parsed, in bytes.",
        minimum=1_000, maximum=100_000_000, strictness=Strictness.AT_MOST,
    )  # fmt: skip
    index_file_timeout: float = _setting(
        "index.fileTimeoutSeconds", 5.0, "Time one file may take to parse before it is set aside.",
        minimum=0.1, maximum=120.0, strictness=Strictness.AT_MOST,
    )  # fmt: skip
    index_workers: int = _setting(
        "index.workers", 0, "Worker processes for bulk indexing; 0 for as many as there are usable CPUs.",
        minimum=0, maximum=64,
    )  # fmt: skip
    cache: bool = _setting("cache.enabled", True, "Keep facts of saved files in the cache folder between runs.")
    cache_folder: str = _setting("cache.folder", "", "Cache folder; empty for the user's cache folder.")
    cache_max_bytes: int = _setting(
        "cache.maxBytes", 1_000_000_000, "Size of the facts store at most, in bytes.",
        minimum=1_000_000, maximum=1_000_000_000_000, strictness=Strictness.AT_MOST,
    )  # fmt: skip

    edit_debounce: int = _setting(
        "edit.debounceMilliseconds", 60, "Quiet time after a keystroke before the file is extracted again.",
        minimum=0, maximum=5_000,
    )  # fmt: skip
    privacy_deny: tuple[str, ...] = _setting(
        "privacy.deny", (), "Globs of further files that must never be shown.", strictness=Strictness.UNION
    )
    privacy_mask_secrets: bool = _setting(
        "privacy.maskSecrets", True, "Mask strings that look like secrets in admitted text.",
        strictness=Strictness.STAY_ON,
    )  # fmt: skip

    requests_queue: int = _setting(
        "requests.queue", 32, "Requests that may wait; beyond that the oldest is answered with an error.",
        minimum=1, maximum=10_000,
    )  # fmt: skip
    requests_threads: int = _setting("requests.threads", 2, "Requests worked on at once.", minimum=1, maximum=16)
    grep_timeout: float = _setting(
        "grep.timeoutSeconds", 2.0, "Time a text search may take in all.", minimum=0.05, maximum=60.0
    )
    resolve_definition_deadline: int = _setting(
        "resolveDefinition.deadlineMilliseconds", 80,
        "How long an answer of the editor's own language servers is waited for.", minimum=0, maximum=5_000,
    )  # fmt: skip

    document_symbol: bool = _setting("features.documentSymbol", True, "Outline of a document (syntactic).")
    workspace_symbol: bool = _setting("features.workspaceSymbol", True, "Symbols of the workspace (syntactic).")
    definition: bool = _setting("features.definition", True, "Go to definition (syntactic).")
    references: bool = _setting("features.references", True, "Find references (syntactic).")
    document_highlight: bool = _setting("features.documentHighlight", True, "Highlight uses in a file (syntactic).")
    call_hierarchy: bool = _setting("features.callHierarchy", True, "Incoming and outgoing calls (syntactic).")
    code_action: bool = _setting("features.codeAction", True, "Light bulb: build context for a problem.")
    code_lens: bool = _setting("features.codeLens", False, "Number of callers above each function (syntactic).")

    share: bool = _setting(
        "share", True, "Answer the user's other tools about this workspace, so that unsaved text counts for them too."
    )
    log_level: str = _setting(
        "log.level", "warning", "Least level that is logged.", choices=("debug", "info", "warning", "error")
    )


def _definitions() -> Iterator[Setting]:
    for one in fields(Settings):
        name, default, doc, minimum, maximum, choices, strictness = one.metadata[_KEY]
        yield Setting(name, one.name, default, doc, minimum, maximum, choices, strictness)


def definitions() -> tuple[Setting, ...]:
    """All settings in the order of the docs."""
    return tuple(_definitions())


def by_name() -> dict[str, Setting]:
    """The settings by public name."""
    return {one.name: one for one in _definitions()}
