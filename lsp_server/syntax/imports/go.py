"""Go: `import "x/y"`, `import a "x/y"`, `import . "x/y"`, and lists of them."""

from __future__ import annotations

import re

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text

_VERSION = re.compile(r"v[0-9]+$|\.v[0-9]+$")


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What an `import_declaration` brings in; a dot import is `*`, a blank one has alias `_`."""
    specs: list[tree_sitter.Node] = []
    for child in node.named_children:
        if child.type == "import_spec":
            specs.append(child)
        elif child.type == "import_spec_list":
            specs += [each for each in child.named_children if each.type == "import_spec"]
    return [_spec(spec, source) for spec in specs]


def _spec(spec: tree_sitter.Node, source: bytes) -> Import:
    module = field_text(spec, "path", source).strip('"`')
    alias = field_text(spec, "name", source)
    line = spec.start_point.row + 1
    if alias == ".":
        return Import(module, "*", "", line)
    return Import(module, "", alias or package_name(module), line)


def package_name(module: str) -> str:
    """The package's usual name: the last part of its path without a version (`x/y/v2`, `gopkg.in/yaml.v3`)."""
    parts = module.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    return _VERSION.sub("", parts[-1])
