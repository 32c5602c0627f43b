"""Texts derived from the settings' definition: the docs page, VS Code's configuration, command line help.

Pure functions: a test compares the checked-in files with what these return.
"""

from __future__ import annotations

from typing import Any

from .settings import Setting, Value, definitions

SECTION = "repoContext"
"""The configuration section on the LSP side: `repoContext.index.maxFiles`."""


def docs_page() -> str:
    """The whole text of `docs/settings.md`."""
    rows = [_row(setting) for setting in definitions()]
    return "\n".join(
        [
            "# Settings",
            "",
            "Written from `lsp_server/session/settings.py`; do not edit by hand.",
            "",
            "Where settings come from, later places win:",
            "",
            "1. `[tool.repo-context]` in the workspace's `pyproject.toml`",
            "2. `.repo-context.toml` in the workspace (the same names, at top level)",
            "3. the editor: `initializationOptions` and the configuration section `repoContext`",
            "4. the command line: `--set name=value`",
            "",
            "An administrator's `/etc/repo-context/settings.toml` wins over all of them and cannot be loosened:",
            "lists are joined with the user's, limits hold at the smaller number, protections stay on.",
            "",
            "Dots are tables in TOML: `index.maxFiles` is `maxFiles` in `[tool.repo-context.index]`.",
            "An unknown name or a value of the wrong type is reported and the setting keeps its other value.",
            "",
            "| setting | type | default | meaning |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _row(setting: Setting) -> str:
    meaning = setting.doc
    if setting.choices:
        meaning += " One of " + ", ".join(f"`{choice}`" for choice in setting.choices) + "."
    if setting.minimum is not None and setting.maximum is not None:
        meaning += f" From {setting.minimum:,g} to {_plain(setting.maximum)}."
    return f"| `{setting.name}` | {setting.type_name} | {_default(setting.default)} | {meaning} |"


def _plain(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else f"{number:g}"


def _default(value: Value) -> str:
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, tuple):
        return "empty" if not value else ", ".join(f"`{entry}`" for entry in value)
    if isinstance(value, str):
        return f"`{value}`" if value else "empty"
    return _plain(value)


def extension_configuration() -> dict[str, Any]:
    """The `contributes.configuration` object of the VS Code extension's package.json."""
    properties = {f"{SECTION}.{setting.name}": _schema(setting) for setting in definitions()}
    return {"title": "Repo Context", "properties": properties}


def _schema(setting: Setting) -> dict[str, Any]:
    default = list(setting.default) if isinstance(setting.default, tuple) else setting.default
    schema: dict[str, Any] = {
        "type": setting.type_name,
        "default": default,
        "description": setting.doc,
        "scope": "machine-overridable" if setting.name.startswith("cache.") else "resource",
    }
    if setting.type_name == "array":
        schema["items"] = {"type": "string"}
    if setting.choices:
        schema["enum"] = list(setting.choices)
    if setting.minimum is not None:
        schema["minimum"] = _number(setting, setting.minimum)
    if setting.maximum is not None:
        schema["maximum"] = _number(setting, setting.maximum)
    return schema


def _number(setting: Setting, bound: float) -> float:
    return int(bound) if setting.type_name == "integer" else bound


def help_lines(width: int = 34) -> list[str]:
    """One line a setting for the command line's help: name, default, meaning."""
    return [f"{setting.name:<{width}} {setting.doc} (default {_bare(setting.default)})" for setting in definitions()]


def _bare(value: Value) -> str:
    return _default(value).replace("`", "")
