"""What all commands that look at a workspace share: options, the session, progress on a terminal, JSON out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..model.errors import PathError, RequestError
from ..session.progress import IndexProgress
from ..session.session import Session
from ..session.settings_load import load_settings

PROGRESS_AFTER_SECONDS = 0.3
"""Indexing that is over sooner shows no bar."""

SAVE_SECONDS = 30.0
"""After a first look at a workspace the command waits so long for the index to be written down."""


def add_workspace_arguments(parser: argparse.ArgumentParser) -> None:
    """`--root`, `--set`, `--json`, `--quiet`."""
    parser.add_argument(
        "--root",
        action="append",
        type=Path,
        metavar="FOLDER",
        help="workspace folder (default: the current folder); may be given several times",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting for this run, e.g. index.workers=1 (see docs/settings.md)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quiet", action="store_true", help="no progress and no notes on stderr")


def roots_of(options: argparse.Namespace) -> list[Path]:
    """The workspace folders; raises PathError for one that is no folder."""
    given: list[Path] = options.root or [Path.cwd()]
    for folder in given:
        if not folder.is_dir():
            raise PathError("--root", f"{folder} is not a folder")
    return [folder.resolve() for folder in given]


@contextmanager
def opened(options: argparse.Namespace) -> Generator[Session, None, None]:
    """A session whose index is complete. Progress goes to stderr, and only when that is a terminal."""
    paths = roots_of(options)
    resolved = load_settings(paths, assignments=options.set)
    if not options.quiet:
        for problem in resolved.problems:
            note(f"setting: {problem}")
    with progress_bar(show=sys.stderr.isatty() and not options.quiet) as on_progress:
        session = Session(paths, resolved, on_progress)
        session.start()
        try:
            session.wait_fresh()
        except BaseException:
            session.close()
            raise
    try:
        if not options.quiet:
            for sentence in session.degraded:
                note(sentence)
        yield session
        session.wait_saved(SAVE_SECONDS)
    finally:
        session.close()


@contextmanager
def progress_bar(show: bool) -> Generator[Callable[[IndexProgress], None], None, None]:
    """A callback that draws a bar on stderr, or does nothing."""
    if not show:
        yield lambda _progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("looking for files", total=None)

        def on_progress(progress: IndexProgress) -> None:
            total = progress.total or None
            bar.update(task, description=progress.phase, completed=progress.done, total=total)

        yield on_progress


def note(message: str) -> None:
    """One line for a person, on stderr."""
    print(f"repo-context-lsp: {message}", file=sys.stderr)


def print_json(plain: Mapping[str, Any] | list[Any]) -> None:
    """Indented JSON on stdout."""
    print(json.dumps(plain, ensure_ascii=False, indent=2))


def read_input(name: str, option: str) -> bytes:
    """The bytes of file `name`, or of stdin for `-`. Raises RequestError naming the option."""
    if name == "-":
        if sys.stdin.isatty():
            note("reading from the keyboard; end with Ctrl-D")
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise RequestError(option, f"cannot read {name}: {error.strerror or error}") from None


def read_json(name: str, option: str) -> Any:
    """Parsed JSON of a file or stdin. Raises RequestError naming the option and the place of the mistake."""
    try:
        return json.loads(read_input(name, option).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RequestError(option, f"{name} is not UTF-8 text ({error.reason} at byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise RequestError(option, f"{name} is not JSON: {error.msg} (line {error.lineno})") from None
    except RecursionError:
        raise RequestError(option, f"{name} is nested too deeply") from None


def whole_number(text: str) -> int:
    """argparse type: a whole number >= 0."""
    value = int(text) if text.strip().lstrip("+-").isdigit() else -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be a whole number >= 0, got {text!r}")
    return value
