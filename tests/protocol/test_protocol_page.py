"""The protocol page names every method and every field, and its examples are valid requests."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lsp_server.context import json as shapes
from lsp_server.context.json import request_from
from lsp_server.model.candidate import Cause, Reason
from lsp_server.model.failure import Role
from lsp_server.server.methods import METHODS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
PACK = json.loads((Path(__file__).parent / "examples/pack.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("method", [method.name for method in METHODS])
def test_every_method_of_the_server_has_a_section(method: str) -> None:
    assert f"\n## {method}\n" in PAGE


def test_no_section_describes_a_method_that_is_not_there() -> None:
    assert set(re.findall(r"^## (context/\w+)$", PAGE, re.M)) == {method.name for method in METHODS}


def field_names(value: object) -> set[str]:
    """Names of all fields of our own shapes; free-form tables (by source, by step) are left out."""
    if isinstance(value, dict):
        below = [field_names(inner) for name, inner in value.items() if name not in ("sources", "timings", "parts")]
        return set(value).union(*below) - {"start", "end", "character"}
    if isinstance(value, list):
        return set().union(*(field_names(inner) for inner in value))
    return set()


def test_every_field_of_a_pack_is_on_the_page() -> None:
    missing = sorted(name for name in field_names(PACK) if not re.search(rf"\b{name}\b", PAGE))
    assert missing == []


@pytest.mark.parametrize("word", [*map(str, Reason), *map(str, Cause), *map(str, Role)])
def test_every_reason_cause_and_role_is_on_the_page(word: str) -> None:
    assert f"`{word}`" in PAGE


class Places:
    """Reads the page's URIs and ranges the plain way."""

    def path(self, uri: str) -> str:
        return uri.removeprefix("file:///work/")

    def spot(self, path: str, range: object) -> object:
        from lsp_server.context.raw_request import Spot
        from lsp_server.model.lines import LineRange

        assert isinstance(range, dict)
        return Spot(LineRange(range["start"]["line"] + 1, range["end"]["line"] + 1))


def test_the_request_on_the_page_is_valid() -> None:
    examples = re.findall(r"```json request\n(.*?)```", PAGE, re.S)
    assert examples
    for example in examples:
        request = request_from(json.loads(example), Places())  # type: ignore[arg-type]
        assert request.diagnostics[0].range.start == 12
        assert request.budget.limit == 4000


def test_the_pack_example_has_the_fields_of_the_code() -> None:
    source = Path(shapes.__file__).read_text(encoding="utf-8")
    written = set(re.findall(r'^        "(\w+)": ', source, re.M))
    assert written >= set(PACK) - {"rendered"}
