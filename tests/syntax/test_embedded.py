"""Code inside other files keeps the lines of the file."""

from __future__ import annotations

import json

from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID


def test_script_blocks_keep_lines_and_columns() -> None:
    text = "<template>\n  <a>é</a>\n</template>\n<p>é</p><script lang='ts'>function f(x: T) { g(x) }</script>\n"
    facts = extract(BY_ID["vue"], text)
    assert [(each.name, each.range.start) for each in facts.iter_symbols()] == [("f", 4)]
    call = next(each for each in facts.iter_references() if each.name == "g")
    line = text.split("\n")[3].encode()
    assert line[call.column : call.column + 1] == b"g"
    assert facts.language == "vue"


def test_a_component_without_script_is_still_searchable() -> None:
    facts = extract(BY_ID["svelte"], "<h1>Welcome</h1>\n")
    assert len(facts.symbols) == 0
    assert "welcome" in facts.terms


def notebook(*sources: list[str]) -> str:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": each} for each in sources]
    return json.dumps({"cells": cells, "nbformat": 4}, indent=1)


def test_cells_keep_the_lines_of_the_notebook_file() -> None:
    text = notebook(["def f(x):\n", "    return g(x)\n"], ["f(1)"])
    facts = extract(BY_ID["notebook"], text)
    lines = text.split("\n")
    assert [each.name for each in facts.iter_symbols()] == ["f"]
    for use in facts.iter_references():
        assert f"{use.name}(" in lines[use.line - 1]
    assert facts.lines == len(lines)


def test_magic_lines_are_not_python() -> None:
    facts = extract(BY_ID["notebook"], notebook(["%matplotlib inline\n", "!ls\n", "x = 1"], ["%%bash\n", "echo $x"]))
    assert facts.problems == ()
    assert [each.name for each in facts.iter_symbols()] == ["x"]


def test_an_output_line_that_looks_like_code_is_not_taken_for_it() -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [{"text": ["x = 1"]}], "source": ["x = 1"]}
    text = json.dumps({"cells": [cell]}, indent=1)
    facts = extract(BY_ID["notebook"], text)
    assert text.split("\n")[facts.symbol(0).range.start - 2].strip() == '"source": ['


def test_a_notebook_on_one_line_or_broken_is_searchable_text() -> None:
    for text in (json.dumps({"cells": [{"cell_type": "code", "source": ["total = 1"]}]}), '{"cells": [total'):
        facts = extract(BY_ID["notebook"], text)
        assert "total" in facts.terms
