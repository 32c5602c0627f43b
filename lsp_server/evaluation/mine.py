"""`python -m lsp_server.evaluation.mine CLONE --repository OWNER/NAME > cases.jsonl`: bug fixes of a history as cases.

A fix is a commit whose title says so and that changes a few lines of one to three code files and of their tests. The
question is its title and the tests that it changes; the right answer is what it changes outside of them. Nothing is
run: whether those tests fail before the fix is not known, and some fixes cannot be found by any system.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from ..model.facts import CALLABLE_KINDS, FileFacts, Symbol, SymbolFlag
from ..model.lines import LineRange
from ..syntax.extract import extract
from ..syntax.languages import Content, language_for
from ..text.line_table import split_lines
from ..workspace.classify import is_test_path
from ..workspace.git import run_git

MAX_COMMITS = 20_000
MAX_FILES = 10
MAX_CODE_FILES = 3
MAX_CHANGED_LINES = 60
MAX_TESTS = 5
MAX_FUNCTIONS = 6
MAX_TEST_LINES = 200
"""Longer tests are suites: they say too little about what failed."""

AROUND_INSERTION = 3
"""Of a fix that only adds lines, so many lines on each side of the place are the right answer."""

_FIX = re.compile(
    r"\b(?:fix\w*|bugs?|issue|crash\w*|panic\w*|regression|incorrect\w*|wrong\w*|handle|avoid|prevent|correct\w*)\b",
    re.IGNORECASE,
)
_NO_FIX = re.compile(
    r"typo|lint|clippy|warning|style|format\b|doc|rename|refactor|bump|version|\bci\b|build|flaky|analyzer|spelling"
    r"|tests?\b.*fix|fix.* tests?\b",
    re.IGNORECASE,
)
_NOISE = re.compile(r"\(?#\d+\)?|^\w+(?:\([^)]*\))?!?:\s*|\b(?:fix(?:es|ed)?|close[sd]?)\b\s*(?:#\d+)?", re.IGNORECASE)
"""Parts of a title that name an issue or say only that this is a fix."""

_NO_CODE = ("//", "/*", "*", "#", "import ", "use ", "using ", "from ", "require")


class Fix(NamedTuple):
    """A commit that mends something; `tests` and `code` are the files that it changes."""

    commit: str
    parent: str
    title: str
    code: tuple[str, ...]
    tests: tuple[str, ...]


class _Change(NamedTuple):
    """Lines `first..last` of one text (1-based, closed) were replaced; `last < first` where lines were added only."""

    first: int
    last: int
    new: LineRange | None


def fixes(clone: Path) -> Iterator[Fix]:
    """The commits of a clone that look like bug fixes with tests, newest first."""
    arguments = ("log", "--no-merges", "--no-renames", f"-n{MAX_COMMITS}", "--format=@%H%x09%P%x09%s", "--name-status")
    log = run_git(clone, arguments) or b""
    for entry in log.decode("utf-8", "replace").split("\n@"):
        head, _, listed = entry.removeprefix("@").partition("\n")
        commit, parent, title = (*head.split("\t", 2), "", "")[:3]
        if " " in parent or not parent or not _FIX.search(title) or _NO_FIX.search(title):
            continue
        files = [line.split("\t", 1) for line in listed.splitlines() if "\t" in line]
        if len(files) > MAX_FILES:
            continue
        code = [(status, path) for status, path in files if _is_code(path) and not is_test_path(path)]
        tests = [(status, path) for status, path in files if _is_code(path) and is_test_path(path)]
        if not 1 <= len(code) <= MAX_CODE_FILES or not 1 <= len(tests) <= MAX_CODE_FILES:
            continue
        if all(status == "M" for status, _ in code) and all(status in "MA" for status, _ in tests):
            yield Fix(commit, parent, title, tuple(path for _, path in code), tuple(path for _, path in tests))


def case_of(clone: Path, repository: str, fix: Fix) -> dict[str, Any] | None:
    """The fix as a case of the benchmark; None when it is too large, or changes no function or no test."""
    gold: list[dict[str, Any]] = []
    functions: list[dict[str, Any]] = []
    changed = 0
    for path in fix.code:
        before, after = _text(clone, fix.parent, path), _text(clone, fix.commit, path)
        facts = _facts(path, before)
        for change in _changes(before, after):
            changed += max(change.last - change.first + 1, len(change.new) if change.new else 0)
            span = _answer(facts, change)
            if span is None:
                continue
            gold.append({"path": path, "start": span.start, "end": span.end})
            for symbol in _functions_in(facts, span):
                entry = {"path": path, "start": symbol.range.start, "end": symbol.range.end, "name": symbol.name}
                functions += [] if entry in functions else [entry]
    tests = _tests(clone, fix)
    if changed > MAX_CHANGED_LINES or not 1 <= len(functions) <= MAX_FUNCTIONS or not 1 <= len(tests) <= MAX_TESTS:
        return None
    title = _NOISE.sub("", fix.title).strip()
    return {
        "id": f"{repository.rpartition('/')[2]}-{fix.commit[:8]}",
        "repo": repository,
        "lang": getattr(language_for(fix.code[0], ""), "id", ""),
        "buggy_commit": fix.parent,
        "fixed_commit": fix.commit,
        "test_files": list(fix.tests),
        "diagnostics": tests,
        "query": " ".join([title, *(test["message"] for test in tests)]),
        "gold": gold,
        "gold_files": list(dict.fromkeys(entry["path"] for entry in gold)),
        "gold_functions": functions,
    }


def _is_code(path: str) -> bool:
    language = language_for(path, "")
    return language is not None and language.content in (Content.CODE, Content.SCRIPT)


def _text(clone: Path, commit: str, path: str) -> str:
    return (run_git(clone, ("show", f"{commit}:{path}")) or b"").decode("utf-8", "replace")


def _facts(path: str, text: str) -> FileFacts:
    return extract(language_for(path, ""), text)


def _changes(before: str, after: str) -> list[_Change]:
    """What changed, lines that are comments or imports on both sides left out."""
    old, new = split_lines(before)[0], split_lines(after)[0]
    found: list[_Change] = []
    for kind, first, last, from_, to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines = (*old[first:last], *new[from_:to])
        if kind != "equal" and any(line.strip() and not line.strip().startswith(_NO_CODE) for line in lines):
            found.append(_Change(first + 1, last, LineRange(from_ + 1, to) if to > from_ else None))
    return found


def _answer(facts: FileFacts, change: _Change) -> LineRange | None:
    """The right answer's lines; for added lines those around the place, within the function that it is in."""
    if change.last >= change.first:
        return LineRange(change.first, change.last)
    around = _innermost(facts, max(1, change.first - 1))
    if around is None or around.range.end < change.first:
        return None
    start = max(around.range.start, change.first - AROUND_INSERTION)
    return LineRange(start, min(around.range.end, change.first + AROUND_INSERTION - 1))


def _functions_in(facts: FileFacts, span: LineRange) -> list[Symbol]:
    found = [_innermost(facts, line) for line in range(span.start, span.end + 1)]
    return [symbol for symbol in found if symbol is not None]


def _innermost(facts: FileFacts, line: int) -> Symbol | None:
    around = [each for each in _symbols(facts, line) if each.kind in CALLABLE_KINDS]
    return min(around, key=lambda each: len(each.range), default=None)


def _symbols(facts: FileFacts, line: int) -> list[Symbol]:
    return [each for each in map(facts.symbol, range(len(facts.symbols))) if each.range.contains(line)]


def _tests(clone: Path, fix: Fix) -> list[dict[str, Any]]:
    """The tests that the fix adds or changes, as failing ones."""
    found: list[dict[str, Any]] = []
    for path in fix.tests:
        after = _text(clone, fix.commit, path)
        facts = _facts(path, after)
        lines = split_lines(after)[0]
        for change in _changes(_text(clone, fix.parent, path), after):
            for line in range(change.new.start, change.new.end + 1) if change.new else ():
                test = _test_at(facts, line) if lines[line - 1].strip() else None
                if test is None or len(test.range) > MAX_TEST_LINES:
                    continue
                entry = {
                    "path": path,
                    "start_line": test.range.start,
                    "end_line": test.range.end,
                    "message": f"{test.name} failed",
                    "kind": "test",
                }
                found += [] if entry in found else [entry]
    return found


def _test_at(facts: FileFacts, line: int) -> Symbol | None:
    around = [each for each in _symbols(facts, line) if each.kind in CALLABLE_KINDS]
    tests = [each for each in around if each.flags & SymbolFlag.TEST]
    if tests:
        return min(tests, key=lambda each: len(each.range))
    return max(around, key=lambda each: len(each.range), default=None)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the cases."""
    parser = argparse.ArgumentParser(prog="python -m lsp_server.evaluation.mine", description=__doc__)
    parser.add_argument("clone", type=Path, help="a local clone with its history")
    parser.add_argument("--repository", required=True, help="OWNER/NAME, as the folder of clones names it")
    parser.add_argument("--most", type=int, default=15, help="cases, spread over the history")
    options = parser.parse_args(argv)
    cases: list[dict[str, Any]] = []
    for fix in fixes(options.clone):
        case = case_of(options.clone, options.repository, fix)
        cases += [] if case is None else [case]
        if len(cases) == 3 * options.most:
            break
    if not cases:
        print(
            f"no bug fix that comes with tests was found in {options.clone}; is it a clone with its history?",
            file=sys.stderr,
        )
    for case in cases[:: max(1, len(cases) // options.most)][: options.most]:
        sys.stdout.write(json.dumps(case) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
