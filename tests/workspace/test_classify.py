"""Classification by path, by the conventions of each language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.workspace.classify import PathFlag, classify, is_test_path

TESTS = """
    tests/a.py pkg/test_a.py a_test.py conftest.py src/tests.py
    src/a.test.ts src/a.spec.tsx src/__tests__/a.js cypress/e2e/a.cy.js a.test.mjs packages/x/test/a.js jest.config.js
    pkg/a_test.go src/test/java/com/x/FooTest.java src/FooTests.java src/FooIT.java TestFoo.java
    src/test/kotlin/FooTest.kt FooSpec.scala src/test/scala/FooSuite.scala tests/integration.rs src/tests.rs
    src/parser_test.rs foo_test.cc foo_test.cpp tests/foo.c test_foo.c FooTest.cpp
    Foo.Tests/Bar.cs FooTests.cs MyProjectTests/Bar.swift FooTests.swift spec/models/user_spec.rb test/user_test.rb
    spec/spec_helper.rb tests/Unit/FooTest.php tests/a.bats a.t src/commonTest/kotlin/A.kt testdata/x.json
    __snapshots__/a.snap lib/src/foo_test.dart
""".split()  # noqa: SIM905

NOT_TESTS = """
    src/a.py latest.py contest.py attest.go src/testing_tools/../a.py protest.ts src/specification.ts inspect.rb
    Latest.java src/fastest.rs src/Contest.kt attestation.cs greatest/a.py src/testament.py manifest.json
    src/greatests.php my_spec_file.rb
""".split()  # noqa: SIM905


@pytest.mark.parametrize("path", TESTS)
def test_names_of_tests_are_recognised(path: str) -> None:
    assert is_test_path(path)
    assert classify(path) & PathFlag.TEST


@pytest.mark.parametrize("path", NOT_TESTS)
def test_words_that_merely_hold_test_are_not_tests(path: str) -> None:
    assert not is_test_path(path)


@pytest.mark.parametrize(
    ("path", "flag"),
    [
        ("a_pb2.py", PathFlag.GENERATED),
        ("api/x.pb.go", PathFlag.GENERATED),
        ("src/zz_generated.deepcopy.go", PathFlag.GENERATED),
        ("single_include/acme/acme.hpp", PathFlag.GENERATED),
        ("extras/acme_amalgamated.cpp", PathFlag.GENERATED),
        ("Form1.Designer.cs", PathFlag.GENERATED),
        ("static/app.min.js", PathFlag.GENERATED),
        ("dist/index.js", PathFlag.GENERATED),
        ("vendor/github.com/x/y.go", PathFlag.VENDORED),
        ("third_party/zlib/zlib.c", PathFlag.VENDORED),
        ("web/node_modules/x/index.js", PathFlag.VENDORED),
        ("static/jquery-3.7.1.min.js", PathFlag.VENDORED),
        ("package-lock.json", PathFlag.LOCK),
        ("sub/Cargo.lock", PathFlag.LOCK),
        ("go.sum", PathFlag.LOCK),
        ("uv.lock", PathFlag.LOCK),
        ("README.md", PathFlag.DOCS),
        ("LICENSE", PathFlag.DOCS),
        ("docs/guide/index.rst", PathFlag.DOCS),
        ("docs/images.txt", PathFlag.DOCS),
        ("pyproject.toml", PathFlag.CONFIG),
        (".github/workflows/ci.yml", PathFlag.CONFIG),
        ("Dockerfile", PathFlag.CONFIG),
        ("vite.config.ts", PathFlag.CONFIG),
        ("go.mod", PathFlag.CONFIG),
        ("CMakeLists.txt", PathFlag.CONFIG),
    ],
)
def test_other_kinds_are_recognised(path: str, flag: PathFlag) -> None:
    assert classify(path) & flag


@pytest.mark.parametrize("path", ["src/a.py", "lib/security.py", "src/history.ts", "cmd/build/main.rs", "docs/conf.py"])
def test_source_code_is_no_documentation(path: str) -> None:
    assert not classify(path) & (PathFlag.DOCS | PathFlag.LOCK)


def test_plain_source_has_no_flag() -> None:
    assert classify("src/pkg/module.py") is PathFlag.NONE


@given(st.text(max_size=80))
def test_any_path_is_classified(path: str) -> None:
    assert isinstance(classify(path), PathFlag)
