"""Links: what a definition uses, weighed."""

from __future__ import annotations

from lsp_server.index.snapshot import Snapshot, SymbolId

from .workspace_of_texts import Workspace

APP = {
    "app/shapes.py": (
        "class Shape:\n"
        "    def area(self):\n"
        "        raise NotImplementedError\n"
        "\n"
        "\n"
        "class Square(Shape):\n"
        "    def __init__(self, side):\n"
        "        self.side = positive(side)\n"
        "\n"
        "    def area(self):\n"
        "        return self.side**2\n"
        "\n"
        "\n"
        "def positive(number):\n"
        "    return abs(number)\n"
    ),
    "app/report.py": (
        "from app.shapes import Shape, positive\n"
        "\n"
        "\n"
        "def total(shapes: list[Shape]):\n"
        "    shape: Shape = shapes[0]\n"
        "    return shape.area()\n"
        "\n"
        "\n"
        "def handed_on(numbers):\n"
        "    return map(positive, numbers)\n"
    ),
}


def named(snapshot: Snapshot, name: str) -> SymbolId:
    return next(iter(snapshot.definitions(name)))


def links_of(workspace: Workspace, name: str) -> dict[str, float]:
    scene = workspace.scene()
    links = scene.links.of_symbol(named(workspace.snapshot, name))
    return {workspace.snapshot.symbol(link.target).qualified_name: link.weight for link in links}


def test_a_call_links_to_the_method_and_more_weakly_to_its_overrides() -> None:
    links = links_of(Workspace(APP), "total")
    assert links["Shape.area"] > links["Square.area"] > 0


def test_a_type_links_to_what_its_constructor_uses_and_weakly_to_its_methods() -> None:
    links = links_of(Workspace(APP), "Square")
    assert links["positive"] > links["Square.area"] > 0
    assert links["Shape"] > links["Square.area"]


def test_a_function_that_is_handed_on_counts_nearly_as_a_call() -> None:
    links = links_of(Workspace(APP), "handed_on")
    assert links["positive"] > 0.5


def test_what_is_done_to_a_module_object_elsewhere_belongs_to_it() -> None:
    files = {
        "web.py": "class App:\n    def route(self, handler):\n        return handler\n",
        "main.py": "from web import App\n\napp = App()\n\n\ndef hello():\n    return 1\n\n\napp.route(hello)\n",
    }
    assert "App.route" in links_of(Workspace(files), "app")


def test_nothing_links_to_itself() -> None:
    files = {"loop.py": "def again(n):\n    return again(n - 1)\n"}
    assert links_of(Workspace(files), "again") == {}


def test_a_dispatcher_leads_to_the_methods_that_it_finds_by_name() -> None:
    workspace = Workspace(
        {
            "visitor.py": (
                "class Visitor:\n    def visit(self, node):\n        return getattr(self, f'visit_{node.kind}')(node)\n"
            ),
            "lines.py": (
                "from visitor import Visitor\n"
                "\n"
                "\n"
                "class Lines(Visitor):\n"
                "    def visit_stmt(self, node):\n"
                "        return node\n"
                "\n"
                "    def other(self, node):\n"
                "        return node\n"
            ),
        }
    )
    scene = workspace.scene()
    (visit,) = workspace.snapshot.definitions("visit")
    names = {link.name: link.verb for link in scene.links.of_symbol(visit)}
    assert names.get("visit_stmt") == "may run by name"
    assert "other" not in names


OVERLOADS = {
    "include/a.h": (
        "#pragma once\nint work(int x);\nnamespace n {\n"
        + "".join(f"inline int write(type{number} x) {{ return {number}; }}\n" for number in range(8))
        + "inline int one(int x) { return x; }\n"
        "inline int all(int x) { return write(x) + one(x); }\n"
        "struct visitor { int operator()(int x) { return x; } int other(int x) { return x; } };\n"
        "inline int visit(int x) { return work(n::all(x)); }\n}\n"
    ),
    "src/a.cc": '#include "a.h"\nint work(int x) { return x; }\n',
}


def test_overloads_share_the_weight_of_a_call() -> None:
    links = Workspace(OVERLOADS).scene().links
    snapshot = Workspace(OVERLOADS).snapshot
    found = links.of_symbol(named(snapshot, "all"))
    writes = [link.weight for link in found if link.name == "write"]
    (one,) = [link.weight for link in found if link.name == "one"]
    assert len(writes) == 8
    assert max(writes) < one


def test_what_makes_a_function_object_hands_on_its_call_operator() -> None:
    links = links_of(Workspace(OVERLOADS), "visitor")
    assert links["n.visitor.operator()"] > links["n.visitor.other"]


def test_a_prototype_counts_less_than_its_body_and_a_namespace_nothing() -> None:
    workspace = Workspace(OVERLOADS)
    found = workspace.scene().links.of_symbol(named(workspace.snapshot, "visit"))
    weights = {link.target.path: link.weight for link in found if link.name == "work"}
    assert weights["src/a.cc"] > 2 * weights["include/a.h"]
    assert "n" not in {link.name for link in found}
