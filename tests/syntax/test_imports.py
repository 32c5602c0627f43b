"""What import statements bring in, language by language: module, name, what it is called here."""

from __future__ import annotations

import pytest

from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID

CASES = [
    ("rust", "use foo;", [("foo", "", "foo")]),
    ("rust", "use a::{b::{self, c as d}, *};", [("a::b", "", "b"), ("a::b", "c", "d"), ("a", "*", "")]),
    ("rust", "use crate::a::B as _;", [("crate::a", "B", "")]),
    ("rust", "mod inner;", [("self::inner", "", "inner")]),
    ("rust", "mod inner { }", []),
    ("rust", "extern crate log as l;", [("log", "", "l")]),
    ("rust", "use " + "a::{" * 60 + "b" + "}" * 60 + ";", []),
    ("java", "import a.b.C;", [("a.b", "C", "C")]),
    ("java", "import static a.b.C.*;", [("a.b.C", "*", "")]),
    ("java", "import ;", []),
    ("c", '#include "a/b.h"\n', [('"a/b.h"', "*", "")]),
    ("c", "#include <a.h>\n", [("<a.h>", "*", "")]),
    ("c", "#include CONFIG_H\n", []),
    ("cpp", "using a::b::C;", [("a::b", "C", "C")]),
    ("cpp", "using namespace a::b;", [("a::b", "*", "")]),
    ("csharp", "using A.B;", [("A.B", "*", "")]),
    ("csharp", "using static A.B.C;", [("A.B.C", "*", "")]),
    ("csharp", "using X = A.B.C;", [("A.B", "C", "X")]),
    ("ruby", "require 'a/b'", [("a/b", "*", "")]),
    ("ruby", "require_relative 'b'", [("./b", "*", "")]),
    ("ruby", "require_relative '../b'", [("../b", "*", "")]),
    ("ruby", 'require "#{root}/b"', []),
    ("ruby", "autoload :Thing, 'a/thing'", [("a/thing", "Thing", "Thing")]),
    ("php", "<?php use A\\B as C;", [("A", "B", "C")]),
    ("php", "<?php use A\\{B, C\\D as E};", [("A", "B", "B"), ("A\\C", "D", "E")]),
    ("php", "<?php use function A\\f;", [("A", "f", "f")]),
    ("php", "<?php require __DIR__ . '/a.php';", [("./a.php", "*", "")]),
    ("php", "<?php require 'a.php';", [("a.php", "*", "")]),
    ("php", "<?php require $path . '/a.php';", [("./a.php", "*", "")]),
    ("php", "<?php require '/lib/' . $name;", []),
    ("kotlin", "import a.b.C as D", [("a.b", "C", "D")]),
    ("kotlin", "import a.b.*", [("a.b", "*", "")]),
    ("swift", "import Kit", [("Kit", "*", "")]),
    ("swift", "import class Kit.Thing", [("Kit", "Thing", "Thing")]),
    (
        "scala",
        "import a.b.{C, D => E, F as G, *}",
        [("a.b", "C", "C"), ("a.b", "D", "E"), ("a.b", "F", "G"), ("a.b", "*", "")],
    ),
    ("scala", "import a.b._", [("a.b", "*", "")]),
    ("scala", "import a.B, c.D", [("a", "B", "B"), ("c", "D", "D")]),
    ("scala", "import a.{B => _, C}", [("a", "C", "C")]),
    ("bash", "source lib/a.sh", [("lib/a.sh", "*", "")]),
    ("bash", '. "$(dirname "$0")/a.sh"', [("./a.sh", "*", "")]),
    ("bash", 'source "$FILE"', []),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES, ids=[f"{each[0]}: {each[1][:40]}" for each in CASES])
def test_a_statement_brings_in(language: str, text: str, expected: list[tuple[str, str, str]]) -> None:
    found = extract(BY_ID[language], text + "\n").imports
    assert [(each.module, each.name, each.alias) for each in found] == expected


PASSED_ON = [
    ("rust", "pub use a::B;"),
    ("c", '#include "a.h"\n'),
    ("csharp", "global using A.B;"),
    ("ruby", "require 'a'"),
    ("php", "<?php include 'a.php';"),
    ("swift", "@_exported import Kit"),
    ("scala", "export a.b"),
    ("bash", "source a.sh"),
]


@pytest.mark.parametrize(("language", "text"), PASSED_ON)
def test_importers_of_the_file_see_what_it_passes_on(language: str, text: str) -> None:
    assert [each.reexport for each in extract(BY_ID[language], text + "\n").imports] == [True]


@pytest.mark.parametrize(("language", "text"), [("rust", "use a::B;"), ("java", "import a.B;"), ("cpp", "using a::B;")])
def test_other_imports_stay_in_their_file(language: str, text: str) -> None:
    assert [each.reexport for each in extract(BY_ID[language], text + "\n").imports] == [False]
