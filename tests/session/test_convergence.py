"""Whatever happens to a workspace, the index ends equal to a fresh one.

Random sequences of edits, renames, deletions, creations, undo, closing without saving, external changes,
ignore files and branch switches; events come twice, late, or not at all (then a look at the disk follows).
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lsp_server.model.errors import SourceUnreadable
from lsp_server.session.documents import TextChange
from lsp_server.session.session import Session
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange

from .workspaces import answers, contents, fresh, git, session_of, write

NAMES = ("a.py", "b.py", "pkg/a.py", "pkg/c.ts", "pkg/deep/d.go")
TEXTS = (
    "",
    "def alpha():\n    return beta()\n",
    "class Beta:\n    def alpha(self):\n        return alpha\n",
    "export function alpha() { return beta() }\n",
    "package p\n\nfunc Alpha() int { return beta() }\n",
    "x = (\n",
    "def beta(é): pass  # 😀\r\n",
)
OTHER = "from a import alpha\n\n\ndef other_{n}():\n    return alpha()\n"
ASKED = ["alpha", "beta", "Beta", "Alpha", "inserted"]
NAME = st.sampled_from(NAMES)
TEXT = st.sampled_from(TEXTS)


class Workspace(RuleBasedStateMachine):
    """One session kept going, compared with a new one at checkpoints and at the end."""

    others = 0
    """Further files: with some dozens of them worker processes are needed."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="converge"))
        self.session: Session | None = None
        self.open: dict[str, tuple[int, list[str]]] = {}

    @initialize(texts=st.lists(TEXT, min_size=len(NAMES), max_size=len(NAMES)))
    def begin(self, texts: list[str]) -> None:
        git(self.folder, "init", "-q", "-b", "main")
        write(self.folder, dict(zip(NAMES, texts, strict=True)))
        write(self.folder, {f"pkg/other_{number}.py": OTHER.format(n=number) for number in range(self.others)})
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-qm", "start")
        git(self.folder, "branch", "other")
        self.session = session_of(self.folder, edit__debounceMilliseconds=0, index__workers=2)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def tell(self, events: int, *names: str) -> None:
        """Events of the watcher: none (then somebody looks), one, or two."""
        assert self.session is not None
        for _ in range(events):
            self.session.uris_changed([self.uri(name) for name in names])
        if not events:
            self.session.reindex()

    @rule(name=NAME, text=TEXT, events=st.integers(0, 2))
    def write_outside(self, name: str, text: str, events: int) -> None:
        write(self.folder, {name: text})
        self.tell(events, name)

    @rule(name=NAME, events=st.integers(0, 2))
    def delete(self, name: str, events: int) -> None:
        (self.folder / name).unlink(missing_ok=True)
        self.tell(events, name)

    @rule(old=NAME, new=NAME, events=st.integers(0, 2))
    def rename(self, old: str, new: str, events: int) -> None:
        if (self.folder / old).exists() and old != new:
            (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / old).replace(self.folder / new)
            self.tell(events, new, old)

    @rule(name=NAME, text=TEXT)
    def open_document(self, name: str, text: str) -> None:
        assert self.session is not None
        if name not in self.open:
            self.session.document_opened(self.uri(name), "python", 1, text)
            self.open[name] = (1, [text])

    @precondition(lambda self: self.open)
    @rule(
        data=st.data(),
        at=st.integers(0, 30),
        size=st.integers(0, 5),
        text=st.sampled_from(["", "inserted", "\n", "é("]),
    )
    def edit(self, data: st.DataObject, at: int, size: int, text: str) -> None:
        assert self.session is not None
        name = data.draw(st.sampled_from(sorted(self.open)))
        version, history = self.open[name]
        here = WireRange(WirePosition(0, at), WirePosition(0, at + size))
        document = self.session.document_changed(
            self.uri(name), version + 1, [TextChange(here, text)], PositionEncoding.UTF16
        )
        self.open[name] = (version + 1, [*history, document.text])

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        assert self.session is not None
        name = data.draw(st.sampled_from(sorted(self.open)))
        version, history = self.open[name]
        if len(history) > 1:
            change = TextChange(None, history[-2])
            self.session.document_changed(self.uri(name), version + 1, [change], PositionEncoding.UTF16)
            self.open[name] = (version + 1, history[:-1])

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def save(self, data: st.DataObject) -> None:
        assert self.session is not None
        name = data.draw(st.sampled_from(sorted(self.open)))
        write(self.folder, {name: self.open[name][1][-1]})
        self.session.document_saved(self.uri(name))

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        assert self.session is not None
        name = data.draw(st.sampled_from(sorted(self.open)))
        self.session.document_closed(self.uri(name))
        del self.open[name]

    @rule(patterns=st.sampled_from(["", "a.py\n", "pkg/\n", "*.ts\n!pkg/c.ts\n", "deep\n"]), own=st.booleans())
    def ignore(self, patterns: str, own: bool) -> None:
        name = ".repocontextignore" if own else ".gitignore"
        if patterns:
            write(self.folder, {name: patterns})
        else:
            (self.folder / name).unlink(missing_ok=True)
        self.tell(1, name)

    @precondition(lambda self: self.others)
    @rule(added=st.integers(0, 9), events=st.integers(0, 2))
    def change_all_others(self, added: int, events: int) -> None:
        """All at once, while the workers may still be busy with what was there before."""
        names = [f"pkg/other_{number}.py" for number in range(self.others)]
        write(self.folder, {name: f"# {added}\n" + OTHER.format(n=at) for at, name in enumerate(names)})
        self.tell(events, *names)

    @rule(branch=st.sampled_from(["main", "other"]))
    def switch(self, branch: str) -> None:
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-qm", "state", "--allow-empty")
        git(self.folder, "checkout", "-qf", branch)
        self.tell(0)

    @rule()
    def compare(self) -> None:
        """The index equals that of a session that has just begun, with the same documents open."""
        assert self.session is not None
        here = fresh(self.session)
        with session_of(self.folder, index__workers=2) as other:
            fresh(other)
            for name, (version, history) in self.open.items():
                other.document_opened(self.uri(name), "python", version, history[-1])
            there = fresh(other)
            assert contents(here) == contents(there)
            assert answers(here, ASKED) == answers(there, ASKED)

    @invariant()
    def open_text_shows(self) -> None:
        if self.session is not None:
            for name, (_, history) in self.open.items():
                try:
                    shown = self.session.reader().read(name).text
                except SourceUnreadable:  # an ignore rule keeps it out by now
                    continue
                assert shown == history[-1]

    def teardown(self) -> None:
        if self.session is not None:
            self.compare()
            assert self.session.status().last_error is None
            self.session.close()
        shutil.rmtree(self.folder, ignore_errors=True)


TestConvergence = Workspace.TestCase
TestConvergence.settings = settings(
    max_examples=8,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
