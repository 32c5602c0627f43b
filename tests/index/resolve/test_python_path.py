"""The folders that Python modules are imported from: nearest first, however many there are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.index.resolve.python_path import MAX_ROOTS, PROJECT_FILES, SOURCE_ROOTS, roots_on_path
from lsp_server.index.resolve.resolver import Resolver
from lsp_server.index.snapshot import Snapshot
from lsp_server.index.writer import IndexWriter, Put
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for
from lsp_server.workspace.classify import classify

FOLDERS = st.lists(st.sampled_from(["a", "b", "src", "shop"]), max_size=3).map("/".join)
NAMES = st.sampled_from(
    ["shop.py", "shop/__init__.py", "__init__.py", "setup.py", "shop/plain.py", "other.py", "json.py"]
)


def indexed(paths: set[str]) -> Snapshot:
    def put(path: str) -> Put:
        return Put(path, extract(language_for(path), "x = 1\n"), classify(path))

    return IndexWriter().apply([put(path) for path in sorted(paths)])


def _folders(paths: set[str]) -> set[str]:
    found = {""}
    for path in paths:
        parts = path.split("/")[:-1]
        found.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
    return found


def _expected(paths: set[str], own: str, first: str) -> tuple[str, ...]:
    """Every folder looked at, as one would by hand."""

    def inside(root: str, name: str) -> str:
        return f"{root}/{name}" if root else name

    def holds(root: str) -> bool:
        module = {inside(root, first + ".py"), inside(root, f"{first}/__init__.py")} & paths
        above = root == own or own.startswith(root + "/") or not root
        near = above or root in ("src", "lib")
        return bool(module) or (near and any(path.startswith(inside(root, first) + "/") for path in paths))

    def good(root: str) -> bool:
        above = root == own or own.startswith(root + "/")
        shared = root.rpartition("/")[2] in SOURCE_ROOTS or any(inside(root, name) in paths for name in PROJECT_FILES)
        return inside(root, "__init__.py") not in paths and holds(root) and (above or shared)

    def depth(root: str) -> int:
        pairs = zip(root.split("/"), own.split("/"), strict=False)
        count = 0
        for left, right in pairs:
            if left != right or not left:
                break
            count += 1
        return count

    roots = sorted(filter(good, _folders(paths)), key=lambda root: (-depth(root), root.count("/"), root))
    return tuple(roots[:MAX_ROOTS])


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}".lstrip("/")


@given(st.sets(st.builds(_joined, FOLDERS, NAMES), max_size=10), FOLDERS)
def test_roots_are_those_found_by_looking_at_every_folder(paths: set[str], own: str) -> None:
    assert roots_on_path(Resolver(indexed(paths)), own, "shop") == _expected(paths, own, "shop")


def test_a_module_called_like_one_of_the_library_counts_only_beside_the_file_and_at_the_top() -> None:
    resolver = Resolver(indexed({"a/json.py", "a/use.py", "tools/setup.py", "tools/json.py", "b/use.py"}))
    assert roots_on_path(resolver, "a", "json") == ("a",)
    assert roots_on_path(resolver, "b", "json") == ()
    assert roots_on_path(Resolver(indexed({"json.py", "b/use.py"})), "b", "json") == ("",)
