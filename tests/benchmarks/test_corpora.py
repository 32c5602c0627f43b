"""Tiled trees and edited files are real code, told apart copy by copy."""

from __future__ import annotations

from pathlib import Path

from benchmarks.corpora import code_files, code_patterns, tiled
from benchmarks.edit_latency import long_file
from lsp_server.syntax.languages import language_for
from lsp_server.syntax.parse import parse

FUNCTION = 'def {name}(value):\n    """Doc of {name}."""\n    return value\n\n\n'


def _corpus(folder: Path) -> Path:
    for number in range(6):
        text = "".join(FUNCTION.format(name=f"function_{number}_{index}") for index in range(40))
        (folder / f"module{number}.py").write_text(text)
    (folder / "notes.txt").write_text("words " * 200)
    return folder


def test_a_tiled_tree_has_the_size_asked_for_and_no_two_equal_files(tmp_path: Path) -> None:
    corpus = _corpus(tmp_path)
    tree = tiled(corpus, tmp_path / "tiled", 20)
    files = [path for path in tree.rglob("*") if path.is_file()]
    assert len(files) == 20
    assert len({path.read_bytes() for path in files}) == 20


def test_only_files_that_a_grammar_reads_are_compared_with_a_parse(tmp_path: Path) -> None:
    corpus = _corpus(tmp_path)
    assert code_files(corpus) == [f"module{number}.py" for number in range(6)]
    assert code_patterns(corpus) == ("**/*.py",)


def test_the_long_file_parses_without_an_error(tmp_path: Path) -> None:
    name, text = long_file(_corpus(tmp_path), 500)
    language = language_for(name)
    assert language is not None
    assert text.count("\n") >= 500
    assert not parse(language, text.encode()).tree.root_node.has_error
