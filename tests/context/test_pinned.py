"""Pinned goal, state and failure: above the pack, whole or named as missing, inside the budget."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.context.json import pack_to_dict, request_from
from lsp_server.context.pinned import fit_pinned, with_pinned
from lsp_server.model.errors import RequestError
from lsp_server.model.request import Budget, BuildRequest, Mention, Pinned, RenderFormat, RenderOptions
from lsp_server.model.values import replace
from lsp_server.session.session import Session
from lsp_server.text.tokens import EstimateCounter

COUNTER = EstimateCounter()
GOAL = "Make the discount right; keep ``` fences whole"


def request(limit: int, **pinned: str) -> BuildRequest:
    mentions = (Mention(path="shop.py"),)
    return BuildRequest(mentions=mentions, budget=Budget(limit=limit), pinned=Pinned(**pinned))


@given(st.integers(0, 400), st.text(max_size=300), st.text(max_size=300), st.text(max_size=300))
def test_each_part_is_whole_or_missing_and_the_cost_is_within_the_budget(
    limit: int, goal: str, state: str, failure: str
) -> None:
    fitted = fit_pinned(request(limit, goal=goal, state=state, failure=failure), COUNTER)
    assert fitted.cost == COUNTER.count(fitted.text) <= limit
    given_parts = {name for name, text in (("goal", goal), ("state", state), ("failure", failure)) if text.strip()}
    shown = {name for name, _ in fitted.parts}
    assert shown | {name.removeprefix("pinned:") for name in fitted.left_out} == given_parts
    assert all(text in fitted.text for _, text in fitted.parts)


def test_the_goal_comes_first_when_not_all_fits() -> None:
    fitted = fit_pinned(request(60, goal="a goal", state="s" * 300, failure="f" * 300), COUNTER)
    assert [name for name, _ in fitted.parts] == ["goal"]
    assert fitted.left_out == ("pinned:failure", "pinned:state")


def test_a_fence_inside_cannot_end_the_quotation() -> None:
    assert "````text\n" in fit_pinned(request(500, goal=GOAL), COUNTER).text


@pytest.mark.parametrize("format", list(RenderFormat))
def test_a_pack_shows_and_counts_what_is_pinned(tmp_path: Path, format: RenderFormat) -> None:
    (tmp_path / "shop.py").write_text("def discount():\n    return 1\n")
    (tmp_path / "token.txt").write_text("x\n")
    asked = replace(
        request(400, goal=GOAL, state="read shop.py", failure="boom ghp_" + "a1B2" * 9), render=RenderOptions(format)
    )
    with Session.open([tmp_path], ("cache.enabled=false", "index.workers=1")) as session:
        session.wait_fresh()
        pack = session.build(asked)
        plain_pack = session.build(replace(asked, pinned=Pinned()))
    selection = pack.selection
    assert selection.budget == 400
    assert selection.used <= 400
    assert selection.overhead > plain_pack.selection.overhead
    assert [item.path for item in selection.items] == ["shop.py"]
    assert pack.pinned.goal == GOAL
    assert "ghp_a1B2" not in str(pack), "secrets of an output stay masked"
    assert pack_to_dict(pack)["pinned"]["state"] == "read shop.py"  # type: ignore[index]
    if format is RenderFormat.NONE:
        assert pack.rendered is None
    elif format is RenderFormat.JSON:
        assert json.loads(pack.rendered or "")["pinned"]["goal"] == GOAL
    else:
        assert "Make the discount right" in (pack.rendered or "")
        assert COUNTER.count(pack.rendered or "") <= selection.used


def test_what_does_not_fit_is_named(tmp_path: Path) -> None:
    with Session.open([tmp_path], ("cache.enabled=false", "index.workers=1")) as session:
        pack = session.build(request(30, goal="g" * 500))
    assert pack.selection.missing_required == ("pinned:goal",)
    assert with_pinned(pack, fit_pinned(request(30), COUNTER), request(30)) == pack


def test_pinned_text_is_read_from_json() -> None:
    asked = request_from({"task": "x", "pinned": {"goal": "g", "state": None}})
    assert asked.pinned == Pinned(goal="g")
    with pytest.raises(RequestError, match=r"pinned\.goal"):
        request_from({"task": "x", "pinned": {"goal": 1}})
