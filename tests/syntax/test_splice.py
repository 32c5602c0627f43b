"""An edit in one place of a long text reads that place again, and what it says of the whole is true."""

from __future__ import annotations

import pytest

from lsp_server.session.extraction import single_edit
from lsp_server.syntax.extract import draft, extract
from lsp_server.syntax.languages import BY_ID
from lsp_server.syntax.parse import parse, reparse_changes
from lsp_server.syntax.splice import Known, known_of, spliced
from tests.fuzz.splices import rows

FUNCTION = "def function_{n}(value):\n    # what it does\n    return value.field_{n} + helper(value, {n})\n\n\n"
PYTHON = '"""Long."""\n\nimport os\n\n' + "# " + "x" * 1_200 + "\n\n" + "".join(FUNCTION.format(n=n) for n in range(40))
METHOD = "    int method{n}(Thing thing) {{\n        return thing.size({n});\n    }}\n\n"
HEAD = "/* " + "x" * 1_200 + " */\nclass Long<T> extends Base {\n    int field;\n\n"
JAVA = HEAD + "".join(METHOD.format(n=n) for n in range(40)) + "}\n"
DEFINITIONS = "def inner(): pass\n\n\n@decorated\nclass New(Base):\n    def new(self): pass\n\n\n"


def known(language: str, text: str) -> Known:
    parsed = parse(BY_ID[language], text.encode())
    return known_of(parsed, draft(BY_ID[language], text, parsed))


def after(before: Known, text: str) -> Known | None:
    edit = single_edit(before.parsed.source, text.encode())
    assert edit is not None
    parsed, changed = reparse_changes(before.parsed, text.encode(), (edit,))
    return None if changed is None else spliced(before, parsed, edit, changed)


@pytest.mark.parametrize(
    ("language", "text", "old", "new"),
    [
        ("python", PYTHON, "field_20 +", "other_20 +"),
        ("python", PYTHON, "    # what it does\n    return value.field_7", "    return value.field_7"),
        ("python", PYTHON, "def function_9(value):\n", "def function_9(value):\n    local = value\n    del local\n"),
        ("python", PYTHON, "def function_12(", DEFINITIONS + "def function_12("),
        ("python", PYTHON, FUNCTION.format(n=30), ""),
        ("python", PYTHON, "function_39(value)", "function_39(value, more)"),
        ("java", JAVA, "thing.size(20)", "other.weight(20, field)"),
        ("java", JAVA, "    int method5(Thing thing) {", "    /** Said. */\n    T method5(T thing) {"),
        ("java", JAVA, METHOD.format(n=11), METHOD.format(n=11) + METHOD.format(n=111)),
    ],
)  # fmt: skip
def test_an_edit_inside_a_definition_is_spliced(language: str, text: str, old: str, new: str) -> None:
    edited = text.replace(old, new, 1)
    found = after(known(language, text), edited)
    assert found is not None
    whole = extract(BY_ID[language], edited)
    assert rows(found.facts)[2:] == rows(whole)[2:]
    again = after(found, text)
    assert again is not None
    assert rows(again.facts)[2:] == rows(extract(BY_ID[language], text))[2:]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def function_3(value)", "def function_3(value"),
        ('"""Long."""', '"""Long. @generated"""'),
    ],
)
def test_what_may_reach_farther_is_left_to_a_whole_extraction(old: str, new: str) -> None:
    assert after(known("python", PYTHON), PYTHON.replace(old, new, 1)) is None


def test_a_new_import_counts_for_the_whole_file() -> None:
    edited = PYTHON.replace("def function_5(", "from a import (\n    b,\n    c as d,\n)\n\n\ndef function_5(", 1)
    found = after(known("python", PYTHON), edited)
    assert found is not None
    assert rows(found.facts)[2:] == rows(extract(BY_ID["python"], edited))[2:]


def test_names_that_came_and_went_do_not_pile_up() -> None:
    state, spliced_edits = known("python", PYTHON), 0
    text = PYTHON
    for number in range(2_000):
        edited = text.replace("def function_20", f"def brand_new_{number}", 1)
        found = after(state, edited)
        spliced_edits += found is not None
        state = found or known("python", edited)
        text = edited.replace(f"def brand_new_{number}", "def function_20", 1)
        state = after(state, text) or known("python", text)
    assert spliced_edits > 1_900
    assert len(state.facts.names) < 2_500
