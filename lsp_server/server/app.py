"""The language server: one object a connection, made by `create_server`; nothing at module level.

`ContextServer` holds what belongs to the connection (encoding, token, client capabilities) and the
session; handlers are small functions in `handlers/`, loaded when they are first called.
"""

# pygls types its registration functions only in part.
# pyright: reportUnknownMemberType=false, reportIncompatibleVariableOverride=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from ..context.raw_fields import Fields, shown
from ..model.errors import RequestError
from ..model.pack import SCHEMA_VERSION
from ..text.positions import PositionEncoding
from .errors import INVALID_REQUEST
from .methods import FEATURES, METHODS, SYNC, Standard
from .params import ClientPlaces, fields_of, required_text
from .progress import IndexProgressReporter, notify
from .protocol import ContextProtocol, make_converter

if TYPE_CHECKING:
    from ..context.json import Edge
    from ..session.session import Session
    from ..session.settings import Settings

log = logging.getLogger("lsp_server.server")

T = TypeVar("T")

NAME = "repo-context-lsp"

PARTIAL = 100
"""Entries of one partial result."""

_FILES = types.FileOperationRegistrationOptions([types.FileOperationFilter(types.FileOperationPattern("**/*"))])
_OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_DID_SAVE: types.SaveOptions(include_text=True),
    types.WORKSPACE_DID_CREATE_FILES: _FILES,
    types.WORKSPACE_DID_RENAME_FILES: _FILES,
    types.WORKSPACE_DID_DELETE_FILES: _FILES,
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
}


class ContextServer(LanguageServer):
    """One connection. `token` is what a TCP client must present; None on stdio."""

    protocol: ContextProtocol

    def __init__(self, version: str, token: str | None = None) -> None:
        super().__init__(NAME, version, protocol_cls=ContextProtocol, converter_factory=make_converter)
        self.initialized = False
        self.position_encoding = PositionEncoding.UTF16
        self.exit_code: int | None = None
        self.opted_in: frozenset[str] = frozenset()
        self.last_error: str | None = None
        self.done = asyncio.Event()
        self.running_progress: dict[Any, Callable[[], object]] = {}
        self._token = token
        self._session: Session | None = None
        self._tasks: set[asyncio.Future[object]] = set()
        self._warming: asyncio.Future[None] | None = None
        self.index_progress = IndexProgressReporter(self)

    # Life cycle

    def begin(self, params: types.InitializeParams, encoding: str) -> None:
        """The `initialize` request: roots, settings, session, and the features that are switched on."""
        from .opening import open_session

        options = Fields(params.initialization_options or {}, "initializationOptions")
        if self._token is not None and options.get("token") != self._token:
            raise JsonRpcException("initializationOptions.token is missing or wrong", INVALID_REQUEST)
        self.position_encoding = PositionEncoding(encoding)
        self.opted_in = _opted_in(params.capabilities.experimental)
        self._session = open_session(params, self)
        for feature in (*SYNC, *FEATURES):
            if feature.setting is None or getattr(self._session.settings, feature.setting):
                self._register(feature)
        for method in METHODS:
            self._register(Standard(method.name, method.module))
            self.protocol.fm.command(method.command)(_mirrored)

    def _register(self, feature: Standard) -> None:
        async def handle(params: Any) -> Any:
            await self.warm()
            module = import_module(f"{__package__}.handlers.{feature.module}")
            return await getattr(module, feature.function)(self, params)

        def handle_now(params: Any) -> Any:
            module = import_module(f"{__package__}.handlers.{feature.module}")
            return getattr(module, feature.function)(self, params)

        in_order = feature in SYNC
        self.protocol.fm.feature(feature.name, _OPTIONS.get(feature.name))(handle_now if in_order else handle)

    def experimental(self) -> dict[str, Any]:
        """What `capabilities.experimental` says of us."""
        return {
            "context": {
                "schema": SCHEMA_VERSION,
                "methods": [method.name for method in METHODS],
                "commands": {method.name: method.command for method in METHODS},
            }
        }

    def command_call(self, params: Any) -> tuple[str, Any]:
        """(method, its params) of a `workspace/executeCommand`; raises RequestError naming the field."""
        fields = fields_of(params)
        command = required_text(fields, "command")
        arguments = [entry for entry, _ in fields.list("arguments")]
        method = next((method.name for method in METHODS if method.command == command), None)
        if method is None:
            known = ", ".join(method.command for method in METHODS)
            raise RequestError("command", f"unknown command; known: {known}")
        if len(arguments) > 1:
            raise RequestError("arguments", f"must hold one object, got {len(arguments)} entries")
        argument: object = {} if not arguments or arguments[0] is None else arguments[0]
        if not isinstance(argument, dict):
            raise RequestError("arguments[0]", f"must be an object, got {shown(argument)}")
        token = fields.get("workDoneToken")
        return method, cast(dict[str, Any], argument) | ({} if token is None else {"workDoneToken": token})

    def leave(self, code: int) -> None:
        """End the message loop."""
        if self.exit_code is None:
            self.exit_code = code
        self.done.set()

    @property
    def final_code(self) -> int:
        """The exit code; 1 when the client left without a word."""
        return 1 if self.exit_code is None else self.exit_code

    def close_session(self) -> None:
        """Stop workers and threads of the session."""
        if self._session is not None:
            self._session.close()

    # What handlers use

    @property
    def session(self) -> Session:
        """The session; there is one as soon as `initialize` was answered."""
        if self._session is None:
            raise RequestError("", "the server is not initialized")
        return self._session

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.session.settings

    def places(self) -> ClientPlaces:
        """How URIs and positions of a request are read."""
        return ClientPlaces(self.session, self.position_encoding)

    def edge(self) -> Edge:
        """How the plain JSON forms name documents and count columns for this client."""
        from ..context.json import Edge

        return Edge(self.session.uri_of, self.places().columns)

    def capability(self, dotted: str) -> bool:
        """True when the client has the capability at `dotted` (`window.work_done_progress`)."""
        value: Any = self.client_capabilities
        for name in dotted.split("."):
            value = getattr(value, name, None)
        return bool(value)

    def note_error(self, error: BaseException) -> None:
        """Keep an unexpected error for the log and `context/status`; never the user's text."""
        self.last_error = type(error).__name__
        log.error("unexpected %s", type(error).__name__, exc_info=error if log.isEnabledFor(logging.DEBUG) else None)

    async def ask_client(self, method: str, params: Any) -> Any:
        """The client's answer, None when it refuses. Shielded: a cancelled wait would break its reply."""
        try:
            return await asyncio.shield(self.protocol.send_request_async(method, params))
        except JsonRpcException as error:
            log.info("the client refused %s (%s)", method, error.code)
            return None

    async def warm(self) -> None:
        """Load what requests need, once and off the loop, so that no import ever holds the loop up."""
        if self._warming is None:
            self._warming = asyncio.ensure_future(asyncio.to_thread(_load_engine))
        if not self._warming.done():
            await asyncio.shield(self._warming)

    def background(self, work: Coroutine[Any, Any, object]) -> None:
        """Run `work` beside the message loop; what goes wrong is noted."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Future[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.note_error(error)

    def cancel_progress(self, token: Any) -> None:
        """The user cancelled the work shown under `token`."""
        cancel = self.running_progress.get(token) if isinstance(token, (str, int)) else None
        if cancel is not None:
            cancel()

    def plain(self, value: Any) -> Any:
        """A wire object as plain JSON."""
        return self.protocol.plain(value)

    def partial(self, token: Any, found: list[T]) -> list[T]:
        """Send `found` as a partial result when the client gave a token; what is left for the answer."""
        if token is None or not found:
            return found
        for start in range(0, len(found), PARTIAL):
            notify(self, token, self.plain(found[start : start + PARTIAL]))
        return []

    def tell(self, kind: types.MessageType, message: str) -> None:
        """Show the user a message."""
        self.window_show_message(types.ShowMessageParams(kind, message))

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002 - pygls' own signature
        """Unexpected errors go to the log and the status, not into the user's face."""
        self.note_error(error)


def _opted_in(experimental: Any) -> frozenset[str]:
    """What of `capabilities.experimental.context` the client set to true."""
    wishes = cast(dict[str, Any], experimental).get("context") if isinstance(experimental, dict) else None
    if not isinstance(wishes, dict):
        return frozenset()
    return frozenset(name for name, wish in cast(dict[str, Any], wishes).items() if wish is True)


def _load_engine() -> None:
    """Import every handler and what they call."""
    import_module("lsp_server.session.building")
    for name in ("search", "grep", "related", "expand", "verify", "explain", "map", "raw_request"):
        import_module(f"lsp_server.context.{name}")
    for module in {method.module for method in METHODS} | {feature.module for feature in FEATURES}:
        import_module(f"{__package__}.handlers.{module}")


def _mirrored(ls: Any, argument: Any) -> Any:
    """Stands for a command in the list of capabilities; the protocol class runs commands."""


def create_server(token: str | None = None) -> ContextServer:
    """A fresh server for one connection. Must be called inside a running event loop."""
    return ContextServer(version(), token)


def version() -> str:
    """The installed version of the distribution."""
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return "0"
