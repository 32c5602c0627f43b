"""The command line: one command a file, loaded only when it is called."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from ..model.errors import RepoContextError, RequestError, ResourceLimitError

DONE = 0
NOTHING = 1
USAGE = 2
NOT_WRITTEN = 1
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Of all errors of the system those that only the output's place can be the cause of."""

COMMANDS = {
    "serve": "run the language server (default on a pipe)",
    "build": "failure output or diagnostics in, context pack out",
    "parse": "show the failures that an output contains",
    "map": "ranked outline of the workspace",
    "search": "rank code chunks by words",
    "grep": "literal or regex search",
    "related": "definitions, callers, tests of a symbol or line",
    "expand": "the whole unit around a range",
    "verify": "is a pack still valid?",
    "explain": "why is a symbol or line in a pack, or not",
    "apply": "apply SEARCH/REPLACE blocks",
    "fix": "test, build context, ask a model command, apply, test again",
    "eval": "measure retrieval on a file of cases",
    "index": "bring the index up to date",
    "status": "what is indexed, how fresh, what is wrong",
    "doctor": "check this installation",
    "mcp": "run the MCP server for agent panels",
}


class Command(Protocol):
    """What a command's module offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        ...

    def run(self, options: argparse.Namespace) -> int:
        """Do the work; returns the exit code. RequestError is a usage error."""
        ...


EXAMPLES = """\
examples:
  pytest 2>&1 | repo-context-lsp build --failure - --budget 8000
  repo-context-lsp build --task "fix the token refresh" --format json
  repo-context-lsp doctor

exit codes: 0 done; 1 nothing found (its JSON is still printed); 2 usage or input error
"""


def parser_for(argv: Sequence[str]) -> argparse.ArgumentParser:
    """The parser; only the options of the command that is called are built."""
    parser = argparse.ArgumentParser(
        prog="repo-context-lsp",
        description="Packs exactly the code needed to fix what is failing now.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    called = next((word for word in argv if not word.startswith("-")), None)
    # One parser takes a millisecond to make: those of other commands are only there to be listed.
    for name in [called] if called in COMMANDS else COMMANDS:
        title = COMMANDS[name]
        below = commands.add_parser(name, help=title, description=title[0].upper() + title[1:] + ".")
        if name == called:
            _module(name).add_arguments(below)
    return parser


def _module(name: str) -> Command:
    return cast(Command, import_module(f".{name}", __package__))


class _ShowVersion(argparse.Action):
    """Looks the version up only when it is asked for: that costs as much as a small command."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(_version())
        parser.exit()


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("repo-context-lsp")
    except PackageNotFoundError:
        return "unknown (not installed)"


def _prepare_streams() -> None:
    """A name of any bytes can be printed: what the encoding lacks is escaped, in JSON as JSON does.

    A stream that the caller closed (`>&-`) is one that nobody reads.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def run(argv: Sequence[str]) -> int:
    """Run one command; returns the process's exit code when all that was printed has been written."""
    _prepare_streams()
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away (`| head`): nobody is left to tell.
        _drop_output()
        return DONE
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        _drop_output()
        print(f"repo-context-lsp: the output could not be written: {error}", file=sys.stderr)
        return NOT_WRITTEN
    return code


def _run(argv: Sequence[str]) -> int:
    if not argv:
        if sys.stdin.isatty():
            parser_for(argv).print_help()
            return DONE
        argv = ["serve"]
    elif argv[0] in ("--stdio", "--tcp"):
        argv = ["serve", *argv]
    options = parser_for(argv).parse_args(argv)
    if options.command is None:
        parser_for(argv).print_help()
        return USAGE
    try:
        return _module(options.command).run(options)
    except ResourceLimitError as error:
        return _refuse(f"{error} (ceiling: {error.ceiling})")
    except (RequestError, RepoContextError) as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return 130


def _drop_output() -> None:
    """What is still to be printed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(message: str) -> int:
    print(f"repo-context-lsp: {message}", file=sys.stderr)
    return USAGE
