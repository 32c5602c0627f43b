"""Project files: the few facts in them that name resolution needs, as key/value pairs.

Each reader takes a text and gives pairs in order of preference; a broken text gives none. Relative paths
stay as written, relative to the file's own folder. The key of a pattern or a name stands after a colon:
`("paths:@/*", "src/*")`. A reader also says what the file calls its project, so that the index finds the
file by that name (`FileFacts.package`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import cast

from ..model.values import Value

MAX_PAIRS = 2_000
"""More than any real project file says."""

MAX_DEPTH = 12
"""How deep conditions in `exports` may nest."""

Pair = tuple[str, str]


class ProjectFacts(Value):
    """The project's own name ("" without one) and its pairs."""

    name: str = ""
    pairs: tuple[Pair, ...] = ()


NO_FACTS = ProjectFacts()


def project_facts(language: str, text: str) -> ProjectFacts:
    """What a project file says; nothing for other languages and for broken texts."""
    reader = _READERS.get(language)
    if reader is None:
        return NO_FACTS
    try:
        name, pairs = reader(text)
        return ProjectFacts(name, tuple(dict.fromkeys(pairs))[:MAX_PAIRS])
    except (ValueError, RecursionError):
        return NO_FACTS


_JSON_PART = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*(?:(?://[^\n]*\n|/\*.*?\*/)\s*)*[}\]])', re.DOTALL
)


def loads_with_comments(text: str) -> object:
    """JSON that may have comments and trailing commas. Raises ValueError."""
    plain = _JSON_PART.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    return cast(object, json.loads(plain.lstrip("\ufeff")))


def _table(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else []


def _strings(value: object) -> list[str]:
    """A string, or the strings of a list."""
    if isinstance(value, list):
        return [each for each in cast(list[object], value) if isinstance(each, str)]
    return [value] if isinstance(value, str) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


_Said = tuple[str, list[Pair]]


def _tsconfig(text: str) -> _Said:
    root = _table(loads_with_comments(text))
    options = _table(root.get("compilerOptions"))
    pairs = [("extends", each) for each in _strings(root.get("extends"))]
    pairs += [(key, found) for key in ("baseUrl", "rootDir", "outDir") if (found := _text(options.get(key)))]
    for pattern, targets in _table(options.get("paths")).items():
        pairs += [(f"paths:{pattern}", target) for target in _strings(targets)]
    pairs += [("rootDirs", each) for each in _strings(options.get("rootDirs"))]
    pairs += [("reference", _text(_table(each).get("path"))) for each in _list(root.get("references"))]
    return "", pairs


_CONDITIONS = ("source", "development", "types", "typings", "import", "module", "browser", "node", "default", "require")
"""Which of several targets of one export is nearest to the source, best first; others come last."""


def _package_json(text: str) -> _Said:
    root = _table(loads_with_comments(text))
    name = _text(root.get("name"))
    pairs = [("name", name)] if name else []
    for key in ("source", "types", "typings", "module", "main", "browser"):
        pairs += [(key, each) for each in _strings(root.get(key))]
    exports = root.get("exports")
    table = _table(exports)
    if table and all(key.startswith(".") for key in table):
        for subpath, target in table.items():
            pairs += [(f"exports:{subpath}", each) for each in _targets(target, MAX_DEPTH)]
    elif exports is not None:
        pairs += [("exports:.", each) for each in _targets(exports, MAX_DEPTH)]
    for pattern, target in _table(root.get("imports")).items():
        pairs += [(f"imports:{pattern}", each) for each in _targets(target, MAX_DEPTH)]
    workspaces = root.get("workspaces")
    pairs += [("workspace", each) for each in _strings(_table(workspaces).get("packages", workspaces))]
    return name, pairs


def _targets(value: object, depth: int) -> Iterator[str]:
    """The files that an `exports` entry names, nearest to the source first."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, list):
        for each in cast(list[object], value):
            yield from _targets(each, depth - 1)
    elif depth:
        table = _table(value)
        ranked = sorted(table, key=lambda key: _CONDITIONS.index(key) if key in _CONDITIONS else len(_CONDITIONS))
        for key in ranked:
            yield from _targets(table[key], depth - 1)


def _deno_json(text: str) -> _Said:
    root = _table(loads_with_comments(text))
    name = _text(root.get("name"))
    pairs = [(f"imports:{key}", _text(target)) for key, target in _table(root.get("imports")).items()]
    return name, pairs + [("exports:.", each) for each in _targets(root.get("exports"), MAX_DEPTH)]


_GO_LINE = re.compile(r"^\s*(module|replace|use)?\s*(.*?)\s*(?://.*)?$")


def _go_mod(text: str) -> _Said:
    """Both `go.mod` and `go.work`."""
    name = ""
    pairs: list[Pair] = []
    block = ""
    for line in text.splitlines():
        match = _GO_LINE.match(line)
        verb, rest = (match[1] or "", match[2]) if match else ("", "")
        if rest == "(":
            block = verb or "other"
            continue
        if rest == ")":
            block = ""
            continue
        verb = verb or block
        if verb == "module" and rest:
            name = rest.strip("\"'`")
            pairs.append(("module", name))
        elif verb == "replace" and "=>" in rest:
            old, _, new = rest.partition("=>")
            target = new.split()[:1]
            if old.split() and target and target[0].startswith((".", "/")):
                pairs.append((f"replace:{old.split()[0]}", target[0]))
        elif verb == "use" and rest:
            pairs.append(("use", rest.strip("\"'`")))
    return name, pairs


def _cargo_toml(text: str) -> _Said:
    import tomllib  # most workspaces have no such file

    root: Mapping[str, object] = tomllib.loads(text)
    written = _text(_table(root.get("package")).get("name"))
    library = _table(root.get("lib"))
    name = (_text(library.get("name")) or written).replace("-", "_")
    pairs = [("name", written)] if written else []
    if _text(library.get("path")):
        pairs.append(("lib", _text(library.get("path"))))
    for kind in ("bin", "example", "test", "bench"):
        pairs += [(kind, _text(_table(each).get("path"))) for each in _list(root.get(kind))]
    workspace = _table(root.get("workspace"))
    pairs += [("member", each) for each in _strings(workspace.get("members"))]
    tables = [root, workspace, *(_table(each) for each in _table(root.get("target")).values())]
    for table in tables:
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for alias, wanted in _table(table.get(kind)).items():
                entry = _table(wanted)
                if _text(entry.get("path")):
                    pairs.append((f"path:{alias.replace('-', '_')}", _text(entry.get("path"))))
                elif _text(entry.get("package")):
                    pairs.append((f"package:{alias.replace('-', '_')}", _text(entry.get("package"))))
    return name, [pair for pair in pairs if pair[1]]


def _composer_json(text: str) -> _Said:
    root = _table(json.loads(text))
    pairs: list[Pair] = []
    for section in ("autoload", "autoload-dev"):
        for key in ("psr-4", "psr-0"):
            for prefix, folders in _table(_table(root.get(section)).get(key)).items():
                pairs += [(f"{key}:{prefix}", folder) for folder in _strings(folders)]
        pairs += [("file", each) for each in _strings(_table(root.get(section)).get("files"))]
    return _text(root.get("name")), pairs


_INCLUDE_FLAG = re.compile(r"""(?:^|\s)(?:-I|-isystem|-iquote|/I)\s*("[^"]+"|'[^']+'|[^\s"']+)""")


def _compile_commands(text: str) -> _Said:
    """Include folders of all commands, each once, in order: absolute, or relative to a build folder."""
    found: dict[str, None] = {}
    for each in _list(json.loads(text)):
        entry = _table(each)
        command = _text(entry.get("command")) or " ".join(_strings(entry.get("arguments")))
        folder = _text(entry.get("directory")).replace("\\", "/")
        for match in _INCLUDE_FLAG.finditer(command):
            path: str = match[1].strip("\"'").replace("\\", "/")
            found[path if path.startswith("/") or path[1:2] == ":" else f"{folder}/{path}"] = None
    return "", [("include", path) for path in found]


_CSPROJ_USING = re.compile(r"<Using\s+([^>]*?)/?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(\w+)\s*=\s*["']([^"']*)["']""")
_CSPROJ_VALUE = re.compile(r"<(RootNamespace|AssemblyName|ImplicitUsings)>\s*([^<]*?)\s*<", re.IGNORECASE)
_CSPROJ_REFERENCE = re.compile(r"""<ProjectReference\s+[^>]*?Include\s*=\s*["']([^"']+)["']""", re.IGNORECASE)


def _csproj(text: str) -> _Said:
    pairs: list[Pair] = []
    for match in _CSPROJ_USING.finditer(text):
        attributes = {key.lower(): value for key, value in _ATTRIBUTE.findall(match[1])}
        included = attributes.get("include", "")
        if included and "alias" not in attributes:
            static = attributes.get("static", "").lower() == "true"
            pairs.append(("using-static" if static else "using", included))
    pairs += [(match[1].lower(), match[2]) for match in _CSPROJ_VALUE.finditer(text)]
    pairs += [("reference", match[1].replace("\\", "/")) for match in _CSPROJ_REFERENCE.finditer(text)]
    return "", pairs


_READERS: Mapping[str, Callable[[str], _Said]] = MappingProxyType(
    {
        "tsconfig": _tsconfig,
        "package-json": _package_json,
        "deno-json": _deno_json,
        "go-mod": _go_mod,
        "cargo-toml": _cargo_toml,
        "composer-json": _composer_json,
        "compile-commands": _compile_commands,
        "csproj": _csproj,
    }
)
