"""A test's id alone leads to its definition."""

from __future__ import annotations

import pytest

from lsp_server.failures.resolve import Resolver
from lsp_server.failures.testid import locate_test

from .folder_view import Folder

FOLDER = Folder(
    {
        "tests/test_a.py": "def test_x():\n    pass\n\n\nclass TestB:\n    def test_x(self):\n        pass\n",
        "tests/test_b.py": "def test_y():\n    pass\n\n\ndef test_x():\n    pass\n",
        "pkg/x_test.go": 'package pkg\n\nimport "testing"\n\nfunc TestDrain(t *testing.T) {\n}\n',
        "hull/src/lib.rs": "mod tests {\n    #[test]\n    fn parses() {}\n}\n",
        "deck/src/lib.rs": "mod tests {\n    #[test]\n    fn parses() {}\n}\n",
        "test/a.test.js": "describe('Dock', () => {\n  it('frees berths', () => {});\n  it(`loads`, () => {});\n});\n",
    }
)


@pytest.mark.parametrize(
    ("test", "suite", "bases", "place"),
    [
        ("tests/test_a.py::test_x", None, (), ("tests/test_a.py", 1)),
        ("tests/test_a.py::TestB::test_x", None, (), ("tests/test_a.py", 6)),
        ("tests/test_b.py::test_x[src/x.py:7]", None, (), ("tests/test_b.py", 5)),
        ("tests.test_a.TestB.test_x", None, (), ("tests/test_a.py", 6)),
        ("test_y", None, (), ("tests/test_b.py", 1)),
        ("TestDrain", None, ("example.org/m/pkg",), ("pkg/x_test.go", 5)),
        ("TestDrain/one", None, (), ("pkg/x_test.go", 5)),
        ("tests::parses", None, ("deck",), ("deck/src/lib.rs", 3)),
        ("tests::parses", None, (), None),
        ("Dock frees berths", "test/a.test.js", (), ("test/a.test.js", 2)),
        ("Dock loads", "/ci/test/a.test.js", (), ("test/a.test.js", 3)),
        ("no_such_test", None, (), None),
    ],
)
def test_an_id_leads_to(test: str, suite: str | None, bases: tuple[str, ...], place: tuple[str, int] | None) -> None:
    found = locate_test(test, suite, bases, FOLDER, Resolver(FOLDER), FOLDER)
    assert (None if found is None else (found.path, found.line)) == place
    assert found is None or found.confidence < 1.0
