"""Macros and conditionals that a C or C++ grammar cannot read take nothing else with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.syntax.c_conditionals import Conditionals
from lsp_server.syntax.c_macros import blanked
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID


def symbols(text: str, language: str = "cpp") -> list[tuple[str, int, int]]:
    """Qualified name, first and last line of each callable and type."""
    facts = extract(BY_ID[language], text)
    columns = facts.symbols
    return [(facts.qualified_name(at), columns.start[at], columns.end[at]) for at in range(len(columns))]


def problems(text: str, language: str = "cpp") -> list[int]:
    return [each.line for each in extract(BY_ID[language], text).problems]


READABLE = {
    "a namespace that a macro opens": "BEGIN_NS_MACRO\nnamespace detail {\nint f() { return 1; }\n}\nEND_NS_MACRO\n",
    "a macro with arguments on a line": "IGNORE_WARNING(4251, 4275)\nint f() { return 1; }\n",
    "an exported function": "LIB_API void f(int x) { g(x); }\n",
    "two macros before a result": "LIB_API LIB_NOINLINE int f(int x) { return x; }\n",
    "a macro behind static": "static FORCE_INLINE int f(int x) { return x; }\n",
    "a macro before a constructor": "struct A {\n  CONSTEXPR_20 A(int x) : x_(x) {}\n  int x_;\n};\n",
    "a macro before a destructor": "struct A {\n  CONSTEXPR_20 ~A() { f(); }\n};\n",
    "an exported class": "class LIB_API A : public B {\n public:\n  int f() { return 1; }\n};\n",
    "a macro behind parameters": "struct A {\n  int f() const LIB_NOEXCEPT { return 1; }\n};\n",
    "a parameter marked as unused": "int f(int x MAYBE_UNUSED, char y MAYBE_UNUSED) { return 1; }\n",
    "an access label": "class A {\n LIB_PRIVATE_UNLESS_TESTED:\n  int f() { return 1; }\n};\n",
    "a constant condition": "namespace n {}\nint f(int x) {\n  if CONSTEXPR_IF (x) { return 1; }\n  return 2;\n}\n",
    "a condition on a template": "\n"
    "template <typename T, ENABLE_IF(is_int<T>::value && (sizeof(T) > 1))>\nT f(T x) { return x; }\n",
    "an empty default": "namespace n {}\nint f(const options& o = {}, int x = 1) { return x; }\n",
    "a cast to an unsigned": "namespace n {}\n"
    "int f(int x) {\n  if (unsigned(x) < unsigned(g())) return 1;\n  return 2;\n}\n",
    "a head in two branches": "#ifdef A\n"
    "int f(int a) {\n#else\nint f(long a) {\n#endif\n  return 1;\n}\nint g() { return 2; }\n",
    "half a statement in a branch": "int f(int a) {\n  return a +\n#ifdef A\n    1\n#else\n    2\n#endif\n  ;\n}\n",
    "an else in a branch": "int f(int a) {\n#ifdef A\n  if (a) {\n    g();\n  } else\n#endif\n  {\n    h();\n  }\n}\n",
    "a question for a header": "#if __has_include(<bit>)\nint f() { return 1; }\n#endif\n",
    "a comment in a macro": "#define CHECK(x) \\\n"
    "  ((x) /* not void() */ \\\n   ? 1 : fail(x))\nint f() { return 1; }\n",
}


@pytest.mark.parametrize("what", READABLE)
def test_what_a_grammar_cannot_read_is_no_problem_in_cpp(what: str) -> None:
    assert problems(READABLE[what]) == []


def test_c_linkage_in_branches_is_read_in_both_languages() -> None:
    text = '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void) { return 1; }\n#ifdef __cplusplus\n}\n#endif\n'
    for language in ("c", "cpp"):
        assert problems(text, language) == []
        assert symbols(text, language) == [("f", 4, 4)]


def test_a_function_whose_result_stands_in_a_macro_has_its_name_and_result() -> None:
    text = "PUBLIC_API(node *) make(int size);\nPUBLIC_API(int) count(void)\n{\n  return 1;\n}\n"
    for language in ("c", "cpp"):
        assert problems(text, language) == []
        assert symbols(text, language) == [("make", 1, 1), ("count", 2, 5)]


def test_one_unreadable_place_leaves_the_rest_of_a_guarded_header_in_its_namespaces() -> None:
    text = (
        "#ifndef A_H\n#define A_H\nBEGIN_NS_MACRO\nnamespace detail {\n#if HAS(x)\nint f() { return 1; }\n#endif\n"
        "class B { public: int g() { return 2; } @@ };\n}\nint h() { return 3; }\nEND_NS_MACRO\n#endif\n"
    )
    assert {("detail.f", 6, 6), ("detail.B.g", 8, 8), ("h", 10, 10)} <= set(symbols(text))


def test_of_a_conditional_that_is_never_met_the_other_branch_is_read() -> None:
    assert symbols("#if 0\nint f(int a) {\n#else\nint g(int a) {\n#endif\n  return 1;\n}\n") == [("g", 4, 7)]


KEPT = {
    "a test": "TEST(suite_name, CASE_ONE) { f(); }\n",
    "an enumerator": "enum kind {\n  KIND_A,\n  KIND_B\n};\n",
    "an argument": "int x = f(1,\n  SOME_VALUE\n  );\n",
    "a value": "int x =\n  SOME_VALUE\n  + 1;\n",
    "a type": "LARGE_INTEGER x;\nstatic SOME_TYPE y;\n",
    "a label of a choice": "int f() {\n  switch (x) {\n  case KIND_A:\n    return 1;\n  }\n}\n",
    "an alternative": "int f() {\n  return x ?\n    KIND_A :\n    KIND_B;\n}\n",
    "a call": "void f() {\n  DO_THIS(x);\n  DO_THAT(y);\n}\n",
}


@pytest.mark.parametrize("what", KEPT)
def test_code_in_capitals_is_left_alone(what: str) -> None:
    source = KEPT[what].encode()
    assert blanked(source, Conditionals.BROKEN) == source


WORDS = (
    "#if A\n|#else\n|#endif\n|{|}|(|)|A_B|A_B(x)\n|\n|/*|*/|'|\"|\\\n|é|<"
    "|#define X_Y |template <|, |// x|\r\n|int f() |class |;|:"
)
PIECES = st.sampled_from(WORDS.split("|"))


@given(pieces=st.lists(PIECES, max_size=40), which=st.sampled_from(Conditionals))
def test_blanking_keeps_length_and_line_ends(pieces: list[str], which: Conditionals) -> None:
    source = "".join(pieces).encode()
    result = blanked(source, which)
    assert len(result) == len(source)
    assert [at for at, byte in enumerate(result) if byte in b"\r\n"] == [
        at for at, byte in enumerate(source) if byte in b"\r\n"
    ]
