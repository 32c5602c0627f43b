"""Contributions: the latest of a source counts, text is read again, nobody promotes its own to a failure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp_server.model.errors import PathError, RangeError, ReasonError, RequestError, ResourceLimitError, ScoreError
from lsp_server.session.contributions import MAX_ITEMS, MAX_SOURCES, Contributions, contribution_from
from lsp_server.session.session import Session
from lsp_server.session.tools import ask
from lsp_server.text.hashing import content_hash

CODE = "def alpha():\n    return 1\n\n\ndef beta():\n    return 2\n\n\ndef gamma():\n    return 3\n"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "code.py").write_text(CODE)
    (tmp_path / ".env").write_text("SECRET=1\n")
    with Session.open([tmp_path], ("cache.enabled=false", "index.workers=1", "share=false")) as opened:
        opened.wait_fresh()
        yield opened


def contribute(session: Session, source: str, *items: dict[str, Any]) -> int:
    return ask(session, "contribute", {"source": source, "items": list(items)})["held"]


def built(session: Session, **more: Any) -> dict[str, Any]:
    return ask(session, "build", {"task": "zzz", **more})


def item(start: int, end: int, **more: Any) -> dict[str, Any]:
    return {"path": "code.py", "lines": {"start": start, "end": end}, **more}


def shown(pack: dict[str, Any]) -> dict[str, str]:
    return {entry["id"]: entry["source"] for entry in pack["items"]}


def test_a_contribution_competes_with_its_source_named(session: Session) -> None:
    contribute(session, "planner", item(5, 6, why="the plan says so", score=0.9))
    pack = built(session)
    (entry,) = pack["items"]
    assert (entry["id"], entry["source"], entry["reason"]) == ("code.py:5-6", "contribution:planner", "search")
    assert entry["why"] == "the plan says so"
    assert entry["content"] == "def beta():\n    return 2\n"


def test_the_latest_contribution_of_a_source_replaces_its_earlier_one_and_no_other(session: Session) -> None:
    contribute(session, "a", item(1, 2), item(5, 6))
    contribute(session, "b", item(5, 6))
    contribute(session, "a", item(9, 10))
    assert shown(built(session)) == {"code.py:9-10": "contribution:a", "code.py:5-6": "contribution:b"}
    contribute(session, "a")
    assert shown(built(session)) == {"code.py:5-6": "contribution:b"}


def test_one_place_counts_once_required_first_then_score_then_the_earlier() -> None:
    _, items = contribution_from(
        {
            "source": "s",
            "items": [
                item(1, 2, score=0.9, why="high"),
                item(1, 2, score=0.1, required=True, why="must"),
                item(1, 2, score=0.1, required=True, why="later"),
            ],
        }
    )
    store = Contributions()
    assert store.put("s", items) == 1
    (kept,) = store._latest["s"]
    assert kept.why == "must"


def test_text_is_read_again_and_found_where_it_moved_to(session: Session, tmp_path: Path) -> None:
    beta = content_hash("def beta():\n    return 2\n")
    contribute(session, "s", item(5, 6, contentHash=beta, content="def evil(): pass"))
    (tmp_path / "code.py").write_text("# one line more\n" + CODE)
    (entry,) = built(session)["items"]
    assert entry["id"] == "code.py:6-7"
    assert "evil" not in entry["content"]


def test_what_is_no_longer_there_is_left_out_as_stale(session: Session, tmp_path: Path) -> None:
    contribute(session, "s", item(5, 6, contentHash=content_hash("def beta():\n    return 2\n")))
    (tmp_path / "code.py").write_text(CODE.replace("return 2", "return 22"))
    pack = built(session)
    assert pack["items"] == []
    (omission,) = pack["omitted"]
    assert (omission["cause"], omission["source"]) == ("stale", "contribution:s")
    assert pack["truncated"]
    assert pack["sources"]["contribution:s"] == {"found": 1, "admitted": 0, "omitted": 1, "cut": 0}


def test_a_denied_file_stays_denied(session: Session) -> None:
    contribute(session, "s", {"path": ".env", "lines": {"start": 1, "end": 1}, "required": True})
    pack = built(session)
    assert pack["items"] == []
    assert [omission["cause"] for omission in pack["omitted"]] == ["policy"]
    assert "SECRET" not in str(pack)


def test_a_session_with_contributions_has_its_own_default_budget(session: Session) -> None:
    assert built(session)["budget"] == 8_000
    contribute(session, "s", item(1, 2))
    assert built(session)["budget"] == 4_000
    assert built(session, budget={"maxTokens": 500})["budget"] == 500


@pytest.mark.parametrize("reason", ["failure", "mention", "rule"])
def test_a_contributor_cannot_claim_what_others_saw(reason: str) -> None:
    with pytest.raises(ReasonError, match=r"items\[1\]\.reason"):
        contribution_from({"source": "s", "items": [item(1, 2), item(3, 4, reason=reason)]})


@pytest.mark.parametrize(
    ("raw", "error", "named"),
    [
        ({"items": []}, ReasonError, "source"),
        ({"source": "a b", "items": []}, ReasonError, "source"),
        ({"source": "s", "items": [{"lines": {"start": 1, "end": 1}}]}, PathError, r"items\[0\]\.path"),
        ({"source": "s", "items": [{"path": "../x", "lines": {"start": 1, "end": 1}}]}, PathError, r"items\[0\]\.path"),
        ({"source": "s", "items": [item(3, 2)]}, RangeError, r"items\[0\]\.lines"),
        ({"source": "s", "items": [{"path": "a.py"}]}, RangeError, r"items\[0\]\.lines"),
        ({"source": "s", "items": [item(1, 2, score=2)]}, ScoreError, r"items\[0\]\.score"),
        ({"source": "s", "items": [item(1, 2)] * (MAX_ITEMS + 1)}, ResourceLimitError, "items"),
        ({"source": "s", "items": {}}, RequestError, "items"),
    ],
)
def test_wrong_contributions_name_the_field(raw: dict[str, Any], error: type[RequestError], named: str) -> None:
    with pytest.raises(error, match=named):
        contribution_from(raw)


def test_sources_are_limited() -> None:
    store = Contributions()
    _, items = contribution_from({"source": "s", "items": [item(1, 2)]})
    for number in range(MAX_SOURCES):
        store.put(f"s{number}", items)
    store.put("s0", items)
    with pytest.raises(ResourceLimitError):
        store.put("one-more", items)
