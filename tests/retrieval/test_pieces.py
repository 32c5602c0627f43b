"""Functions that are several chunks of the index."""

from __future__ import annotations

from lsp_server.retrieval.pieces import MAX_BYTES

from .workspace_of_texts import Workspace, assertion

TEST = "from shop.report import report\n\n\ndef test_report():\n    assert report([1]) == 'one'\n"


def long_function(lines: int) -> str:
    """A function with a named function inside, long enough to be indexed in pieces."""
    rows = "\n".join(f"    total = total + {number}" for number in range(lines))
    return (
        "def report(items):\n    def spelled(item):\n        return str(item)\n\n    total = 0\n"
        f"{rows}\n    return spelled(total)\n"
    )


def leads_of_report(lines: int) -> list[tuple[str, int]]:
    workspace = Workspace({"shop/report.py": long_function(lines), "tests/test_report.py": TEST})
    pack = workspace.pack(assertion(("tests/test_report.py", 5), test="test_report"), limit=40_000)
    return [(item.path, len(item.range)) for item in pack.selection.items if item.path == "shop/report.py"]


def test_a_function_in_pieces_is_shown_whole_when_it_fits() -> None:
    assert leads_of_report(130) == [("shop/report.py", 136)]


def test_a_larger_function_stays_in_pieces() -> None:
    lines = MAX_BYTES // 20
    shown = leads_of_report(lines)
    assert len(shown) > 1
    assert all(length < lines for _, length in shown)
