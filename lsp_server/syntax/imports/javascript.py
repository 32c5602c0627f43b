"""JavaScript and TypeScript: `import`, `export`, `require()`, `import()`, `module.exports`.

What a module exports under another name, or by a list, is an import without a module that is re-exported:
`export { a as b }` is `Import("", "a", "b", reexport=True)`, `export default Foo` has alias `default`.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text, text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What one import or export statement, `require`, dynamic import or `module.exports` brings in."""
    match node.type:
        case "import_statement":
            return list(_import(node, source))
        case "export_statement":
            return list(_export(node, source))
        case "variable_declarator":
            return list(_declarator(node, source))
        case "assignment_expression":
            return list(_assignment(node, source))
        case _:
            module = _first_string(node, source)
            return [Import(module, "", "", _line(node))] if module else []


def _line(node: tree_sitter.Node) -> int:
    return node.start_point.row + 1


def _module(node: tree_sitter.Node, source: bytes) -> str:
    return field_text(node, "source", source).strip("\"'`")


def _import(node: tree_sitter.Node, source: bytes) -> Iterator[Import]:
    module = _module(node, source)
    clauses = [child for child in node.named_children if child.type in ("import_clause", "import_require_clause")]
    if not clauses:
        yield Import(module, "", "", _line(node))
    for clause in clauses:
        if clause.type == "import_require_clause":
            names = [child for child in clause.named_children if child.type == "identifier"]
            yield Import(_module(clause, source), "", text_of(names[0], source) if names else "", _line(clause))
            continue
        for child in clause.named_children:
            if child.type == "identifier":
                yield Import(module, "default", text_of(child, source), _line(child))
            elif child.type == "namespace_import":
                alias = text_of(child.named_children[0], source) if child.named_children else ""
                yield Import(module, "", alias, _line(child))
            elif child.type == "named_imports":
                yield from _specifiers(child, "import_specifier", module, source)


def _specifiers(
    node: tree_sitter.Node, kind: str, module: str, source: bytes, *, reexport: bool = False
) -> Iterator[Import]:
    for child in node.named_children:
        if child.type == kind:
            name = field_text(child, "name", source).strip("\"'")
            alias = field_text(child, "alias", source).strip("\"'") or name
            if name:
                yield Import(module, name, alias, _line(child), reexport)


def _export(node: tree_sitter.Node, source: bytes) -> Iterator[Import]:
    module = _module(node, source)
    declared = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    if declared is not None or value is not None:
        name = field_text(declared, "name", source) if declared is not None else ""
        if value is not None and value.type == "identifier":
            name = text_of(value, source)
        if name:
            yield Import("", name, "default", _line(node), reexport=True)
        return
    listed = False
    for child in node.named_children:
        if child.type == "export_clause":
            listed = True
            yield from _specifiers(child, "export_specifier", module, source, reexport=True)
        elif child.type == "namespace_export":
            listed = True
            alias = text_of(child.named_children[0], source) if child.named_children else ""
            yield Import(module, "", alias.strip("\"'"), _line(child), reexport=True)
    if not listed and module:
        yield Import(module, "*", "", _line(node), reexport=True)


def _first_string(node: tree_sitter.Node, source: bytes) -> str:
    """The first string argument of the first call in `node`, at most three levels down."""
    level = [node]
    for _ in range(4):
        for each in level:
            if each.type == "call_expression":
                arguments = each.child_by_field_name("arguments")
                first = arguments.named_children[:1] if arguments is not None else []
                if first and first[0].type in ("string", "template_string"):
                    return text_of(first[0], source).strip("\"'`")
        level = [child for each in level for child in each.named_children]
    return ""


def _declarator(node: tree_sitter.Node, source: bytes) -> Iterator[Import]:
    value = node.child_by_field_name("value")
    pattern = node.child_by_field_name("name")
    if value is None or pattern is None:
        return
    module = _first_string(value, source)
    picked = field_text(value, "property", source) if value.type == "member_expression" else ""
    if pattern.type != "object_pattern":
        yield Import(module, picked, text_of(pattern, source), _line(node))
        return
    for child in pattern.named_children:
        match child.type:
            case "shorthand_property_identifier_pattern":
                name = alias = text_of(child, source)
            case "object_assignment_pattern":
                name = alias = field_text(child, "left", source)
            case "pair_pattern":
                name, alias = field_text(child, "key", source), field_text(child, "value", source)
            case _:
                continue
        yield Import(module, name, alias, _line(child))


def _assignment(node: tree_sitter.Node, source: bytes) -> Iterator[Import]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    exported = field_text(left, "property", source)
    target = field_text(left, "object", source)
    if right.type == "identifier":
        alias = "default" if target == "module" else exported
        yield Import("", text_of(right, source), alias, _line(node), reexport=True)
    elif right.type == "call_expression" and field_text(right, "function", source) == "require":
        yield Import(_first_string(right, source), "*", "", _line(node), reexport=True)
    elif right.type == "object":
        yield from _object(right, source)


def _object(node: tree_sitter.Node, source: bytes) -> Iterator[Import]:
    for child in node.named_children:
        match child.type:
            case "shorthand_property_identifier":
                name = alias = text_of(child, source)
            case "method_definition":
                name = alias = field_text(child, "name", source)
            case "pair":
                value = child.child_by_field_name("value")
                alias = field_text(child, "key", source).strip("\"'")
                name = text_of(value, source) if value is not None and value.type == "identifier" else alias
            case _:
                continue
        yield Import("", name, alias, _line(child), reexport=True)
