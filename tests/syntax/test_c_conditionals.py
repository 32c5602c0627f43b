"""Preprocessor conditionals that a grammar cannot read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.syntax.c_conditionals import Conditionals, without_conditionals
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID

IN_PARAMETERS = """\
namespace Db {
    public static class Mapper {
        public static int Query(
#if OLD
            object cnn, string sql, object param
#else
            object cnn, string sql, dynamic param = null
#endif
        )
        {
            return Inner(cnn);
        }

        private static int Inner(object cnn) { return 1; }
    }
}
"""


def test_a_conditional_inside_of_parameters_breaks_no_class() -> None:
    facts = extract(BY_ID["csharp"], IN_PARAMETERS)
    assert facts.problems == ()
    names = {facts.qualified_name(index) for index in range(len(facts.symbols))}
    assert {"Db.Mapper.Query", "Db.Mapper.Inner"} <= names


def test_members_of_both_branches_are_kept_where_the_grammar_can_read_them() -> None:
    text = "class A {\n#if OLD\n    void F() { }\n#else\n    void G() { }\n#endif\n}\n"
    facts = extract(BY_ID["csharp"], text)
    assert {facts.names[name] for name in facts.symbols.name} == {"A", "F", "G"}


def test_a_text_without_conditionals_is_the_same() -> None:
    source = b'class A {\n#region x\n    string s = "#if";\n#endregion\n}\n'
    assert without_conditionals(source, Conditionals.BROKEN) == source


PIECES = st.sampled_from(
    ["#if A\n", "#elif B\n", "#else\n", "#endif\n", "{", "}", "(", ")", "\n", "\r\n", "x ", ";", '"', "//", "é"]
)


@given(pieces=st.lists(PIECES, max_size=40), which=st.sampled_from(Conditionals))
def test_length_and_line_ends_are_kept(pieces: list[str], which: Conditionals) -> None:
    source = "".join(pieces).encode()
    result = without_conditionals(source, which)
    assert len(result) == len(source)
    assert [at for at, byte in enumerate(result) if byte in b"\r\n"] == [
        at for at, byte in enumerate(source) if byte in b"\r\n"
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_edit_in_such_a_text_gives_the_facts_of_the_whole(newline: str) -> None:
    from lsp_server.syntax.parse import ByteEdit, encode, parse, reparse

    language = BY_ID["csharp"]
    before = IN_PARAMETERS.replace("\n", newline)
    after = before.replace("#else", "#elif NEW")
    start = encode(before).index(b"#else") + 1
    parsed = reparse(parse(language, encode(before)), encode(after), [ByteEdit(start, start + 4, start + 8)])
    assert extract(language, after, parsed) == extract(language, after)
