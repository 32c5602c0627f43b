"""What a request names is made fresh first."""

from __future__ import annotations

import pytest

from lsp_server.index.writer import IndexWriter, Put
from lsp_server.model.lines import LineRange
from lsp_server.model.request import BuildRequest, DiagnosticInput, FailureOutput
from lsp_server.session.extraction import facts_of_text
from lsp_server.session.first_files import (
    files_imported,
    files_known,
    files_named,
    files_passed_on,
    languages_said,
    said_in,
)

PENDING = tuple(f"app{number}/tests/test_views.py" for number in range(300))


def test_a_file_that_is_written_out_in_full_comes_before_those_that_share_its_name() -> None:
    output = FailureOutput("app250/tests/test_views.py:3: AssertionError\n")
    named = files_named(said_in(BuildRequest(failure_output=(output,))), PENDING)
    assert named[0] == "app250/tests/test_views.py"
    assert set(named) < set(PENDING)


def test_a_worker_gets_ready_for_the_language_that_most_is_said_of() -> None:
    output = FailureOutput("a.ts:1:1 error\nb.ts:2:1 error\nhelp.py:1: error\nnotes.md package.json main.unknown\n")
    assert languages_said(said_in(BuildRequest(failure_output=(output,)))) == ["typescript", "python"]


def test_a_file_under_another_root_is_found_by_its_name() -> None:
    output = FailureOutput("/builds/x/tests/test_views.py:3: AssertionError\n")
    assert "app0/tests/test_views.py" in files_named(said_in(BuildRequest(failure_output=(output,))), PENDING)


def indexed(texts: dict[str, str]) -> IndexWriter:
    writer = IndexWriter()
    writer.apply([Put(path, facts_of_text(path, text)) for path, text in texts.items()])
    return writer


def test_a_named_file_that_is_indexed_already_is_known_so_that_its_imports_come_next() -> None:
    snapshot = indexed(
        {"shop/cart.py": "from shop.prices import price_of\n", "other/cart.py": "", "open.py": ""}
    ).snapshot
    said = DiagnosticInput(path="open.py", message="wrong", range=LineRange(1, 1))
    output = FailureOutput("/builds/x/shop/cart.py:3: AssertionError\n")
    request = said_in(BuildRequest(diagnostics=(said,), failure_output=(output,)))
    assert files_known(request, snapshot) == ["open.py", "shop/cart.py"]
    assert files_imported(snapshot, files_known(request, snapshot), ["shop/prices.py"]) == ["shop/prices.py"]


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        ("tests/test_a.py", "from shop.cart import total\n", "src/shop/cart.py"),
        ("tests/test_a.py", "from shop import cart\n", "src/shop/cart.py"),
        ("tests/test_a.py", "from .models import Author\n", "tests/models.py"),
        ("tests/deep/test_a.py", "from ..models import Author\n", "tests/models.py"),
        ("tests/test_a.py", "import shop\n", "shop/__init__.py"),
        ("web/a.test.ts", "import { b } from './lib/b'\n", "web/lib/b.ts"),
        ("web/a.test.ts", "import { b } from './lib'\n", "web/lib/index.ts"),
        ("cmd/main.go", 'package main\n\nimport "example.org/x/pkg/store"\n', "pkg/store/store.go"),
    ],
)
def test_what_the_failing_file_imports_is_found_by_name_alone(path: str, text: str, wanted: str) -> None:
    pending = ["other/models.py", "other/cart_test.py", "zzz/lib/c.ts", wanted]
    assert files_imported(indexed({path: text}).snapshot, [path], pending) == [wanted]


def test_what_a_package_passes_on_is_found_behind_it() -> None:
    texts = {
        "test_a.py": "from shop import Cart\n",
        "shop/__init__.py": "from .cart import Cart\nfrom .till import *\nfrom .door import Door\n",
    }
    pending = ["shop/cart.py", "shop/till.py", "shop/door.py"]
    found = files_passed_on(indexed(texts).snapshot, ["test_a.py"], ["shop/__init__.py"], pending)
    assert found == ["shop/cart.py", "shop/till.py"]


def test_a_name_that_many_files_share_does_not_bring_in_all_of_them() -> None:
    output = FailureOutput("tests/test_views.py:3: AssertionError\n")
    assert len(files_named(said_in(BuildRequest(failure_output=(output,))), PENDING)) < len(PENDING) / 4
