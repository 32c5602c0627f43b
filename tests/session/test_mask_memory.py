from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.model.request import BuildRequest
from lsp_server.session.mask_memory import MaskMemory
from lsp_server.session.session import Session
from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.secrets import Masked, mask_secrets

TOKEN = "ghp_" + "aB3dE5fG7h" * 4
TEXTS = st.lists(st.sampled_from(["", "x = 1\n" * 9, f"token = '{TOKEN}'\n", f"# {TOKEN}", "y" * 30]), max_size=8)


class Looking:
    """Finds no secret, and notes the texts that it is asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[Masked]:
        self.asked.extend(texts)
        return [Masked(text, 0) for text in texts]


@given(st.lists(TEXTS, max_size=5), st.integers(0, 120))
def test_what_is_remembered_is_what_looking_gives(requests: list[list[str]], characters: int) -> None:
    memory, policy = MaskMemory(characters), PrivacyPolicy()
    for texts in requests:
        assert memory.masked(texts, policy.mask_all) == [mask_secrets(text) for text in texts]


def test_a_text_is_looked_at_once_while_there_is_room() -> None:
    looked = Looking()
    memory = MaskMemory(10)
    for texts in (["aaaa", "bbbb", "aaaa"], ["aaaa"], ["cccc"], ["aaaa", "bbbb"], ["much too long", "much too long"]):
        memory.masked(texts, looked)
    assert looked.asked == ["aaaa", "bbbb", "cccc", "bbbb", "much too long"]


def test_of_a_small_workspace_no_more_is_held_than_it_has() -> None:
    looked = Looking()
    memory = MaskMemory(100)
    for text in ("one", "two", "two", "new", "two", "one"):
        memory.masked([text], looked, 6)
    assert looked.asked == ["one", "two", "new", "one"]


def test_what_was_shown_open_is_hidden_once_secrets_are_to_be_hidden(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(f"def charge():\n    return '{TOKEN}'\n")
    with Session.open([tmp_path], ["cache.enabled=false", "privacy.maskSecrets=false"]) as session:
        session.wait_fresh()
        request = BuildRequest(task="charge")
        assert TOKEN in (session.build(request).rendered or "")
        session.change_settings({"cache": {"enabled": False}, "privacy": {"maskSecrets": True}})
        session.wait_fresh()
        assert TOKEN not in (session.build(request).rendered or "")
