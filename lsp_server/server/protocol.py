"""pygls' protocol made strict: every request is answered once, with the right code, and nothing leaks.

What differs from pygls: our own methods keep their params as plain JSON; a malformed standard request is
answered `-32602` with the field's name; documents are not kept by pygls; core values are refused by the
serialiser; errors say what was wrong without any of the user's text.
"""

# pygls types its inside only in part, and its handlers are told by kind, not by type.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportIncompatibleVariableOverride=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import json
import logging
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, cast

import cattrs
from lsprotocol import converters, types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)

from ..model.errors import RequestError
from ..model.values import ValueType
from .errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    NOT_INITIALIZED,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    describe,
    error_answer,
)

if TYPE_CHECKING:
    from .app import ContextServer

log = logging.getLogger("lsp_server.protocol")

RAW_METHODS = frozenset({"workspace/executeCommand", "workspace/didChangeConfiguration"})
"""Standard methods whose params are wanted as plain JSON."""


MAX_DEPTH = 100
"""Levels of lists and objects in the params of a message; the protocol's own have about ten."""


def make_converter() -> cattrs.Converter:
    """lsprotocol's converter, with plain JSON for our own messages and a wall against core values."""
    converter = converters.get_converter()
    for message in (JsonRPCRequestMessage, JsonRPCNotification, JsonRPCResponseMessage):
        converter.register_structure_hook(message, _raw_message(message))
    converter.register_unstructure_hook_func(_is_core_value, _refuse_core_value)
    return converter


def _raw_message(message: type[Any]) -> Callable[[dict[str, Any], Any], Any]:
    names = [field.name for field in message.__attrs_attrs__]

    def structure(data: dict[str, Any], _: Any) -> Any:
        return message(**{name: data.get(name) for name in names})

    return structure


def _is_core_value(kind: Any) -> bool:
    return isinstance(kind, ValueType) or (isinstance(kind, type) and dataclasses.is_dataclass(kind))


def _refuse_core_value(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} is a core value and must be turned into JSON by context/json.py")


class ContextProtocol(LanguageServerProtocol):
    """See the module's text. One instance a connection."""

    _server: ContextServer

    def _register_builtin_features(self) -> None:
        kept = ("lsp_exit", "lsp_initialize", "lsp_initialized", "lsp_shutdown", "lsp_set_trace")
        for name in (*kept, "lsp_workspace__execute_command", "lsp_work_done_progress_cancel"):
            method = getattr(self, name)
            self.fm.add_builtin_feature(method.method_name, method)

    def get_message_type(self, method: str) -> type[Any] | None:
        """Typed messages for the standard's methods, plain JSON for ours."""
        return None if method in RAW_METHODS else super().get_message_type(method)

    # Incoming

    def handle_bytes(self, body: bytes) -> None:
        """One message as it came over the wire. Never raises; answers whatever has an id."""
        try:
            data: Any = json.loads(body)
        except (ValueError, RecursionError):
            self._send_error(None, PARSE_ERROR, "the message is not valid JSON")
            return
        if not isinstance(data, dict) or data.get("jsonrpc") != "2.0":
            self._send_error(None, INVALID_REQUEST, "the message is not a JSON-RPC 2.0 object")
            return
        message = cast(dict[str, Any], data)
        method, msg_id = message.get("method"), message.get("id")
        is_request = method is not None and msg_id is not None
        if not is_request and not _is_notification_or_response(message):
            self._send_error(None, INVALID_REQUEST, "the message is neither request, notification nor response")
            return
        if is_request and (not isinstance(method, str) or isinstance(msg_id, (bool, float, dict, list))):
            self._send_error(None, INVALID_REQUEST, "method must be a string and id a string or whole number")
            return
        if is_request and self._refused(str(method), msg_id):
            return
        if _is_deep(message.get("params")):
            self._refuse_params(msg_id if is_request else None, method, "", f"nested deeper than {MAX_DEPTH} levels")
            return
        try:
            message.setdefault("params", None)
            if method == types.CANCEL_REQUEST and not _names_a_request(message["params"]):
                return
            structured = self.structure_message(message)
        except Exception as error:
            self._malformed(msg_id if is_request else None, method, error)
            return
        try:
            self.handle_message(cast(Any, structured))
        except Exception:
            log.exception("message %s failed", method)

    def _refused(self, method: str, msg_id: Any) -> bool:
        if self._shutdown:
            self._send_error(msg_id, INVALID_REQUEST, "the server is shutting down")
            return True
        if not self._server.initialized and method != types.INITIALIZE:
            self._send_error(msg_id, NOT_INITIALIZED, "the server is not initialized")
            return True
        if self._server.initialized and method == types.INITIALIZE:
            self._send_error(msg_id, INVALID_REQUEST, "initialize was already sent")
            return True
        return False

    def _malformed(self, msg_id: Any, method: Any, error: Exception) -> None:
        self._refuse_params(msg_id, method, *describe(error.__cause__ or error))

    def _refuse_params(self, msg_id: Any, method: Any, path: str, problem: str) -> None:
        log.info("malformed %s at %s", method, path)
        if msg_id is not None:
            said = f"{path or 'params'}: {problem}"
            self._send_error(msg_id, INVALID_PARAMS, said, {"path": path, "problem": problem})

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        try:
            handler = self._get_handler(method_name)
        except JsonRpcMethodNotFound as error:
            self._send_error(msg_id, error.code, f"unknown method {method_name}")
            return
        self._ctx_msg_id.set(msg_id)

        def answer(future: Future[Any]) -> None:
            self._send_handler_result(future, msg_id=msg_id)

        self._execute_handler(msg_id=msg_id, handler=handler, args=(params,), callback=answer)

    # Outgoing

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self._send_error(msg_id, REQUEST_CANCELLED, "the request was cancelled")
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, future.result())
        else:
            code, message, data = error_answer(error)
            if code == INTERNAL_ERROR:
                self._server.note_error(error)
            self._send_error(msg_id, code, message, data)

    def _check_handler_result(self, future: Future[Any]) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            if isinstance(error, RequestError):
                log.warning("notification refused: %s", error)
            else:
                self._server.note_error(error)

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if error is not None:
            self._send_error(msg_id, error.code, error.message, error.data)
            return
        try:
            plain = self._converter.unstructure(result) if _has_wire_types(result) else result
            body = json.dumps({"jsonrpc": "2.0", "id": msg_id, "result": plain}, separators=(",", ":"))
        except Exception as problem:
            self._server.note_error(problem)
            self._send_error(msg_id, INTERNAL_ERROR, "the answer could not be written")
            return
        self._send_body(body)

    def plain(self, value: Any) -> Any:
        """A wire object, or a list of them, as plain JSON."""
        return self._converter.unstructure(value)

    def _send_error(self, msg_id: Any, code: int, message: str, data: Any = None) -> None:
        error: dict[str, Any] = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        self._send_body(json.dumps({"jsonrpc": "2.0", "id": msg_id, "error": error}))

    def _send_data(self, data: Any) -> None:
        if data:
            plain = self._converter.unstructure(data)
            self._send_body(json.dumps(plain, separators=(",", ":")))

    def _send_body(self, body: str) -> None:
        writer = cast(Any, self.writer)
        if writer is not None:
            payload = body.encode("ascii")
            writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(payload), payload))

    def _handle_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        future = self._request_futures.pop(msg_id, None)
        if future is None or future.done():
            return
        if error is not None:
            future.set_exception(JsonRpcException.from_error(error))
        else:
            future.set_result(result)

    # Life cycle

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Capabilities from the features that the settings leave on."""
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        self._server.begin(params, str(getattr(encoding, "value", encoding)))
        self.server_capabilities = ServerCapabilitiesBuilder(
            params.capabilities,
            {*self.fm.features, *self.fm.builtin_features},
            self.fm.feature_options,
            list(self.fm.commands),
            self._server._text_document_sync_kind,  # pyright: ignore[reportPrivateUsage]
            None,
            encoding,
        ).build()
        self.server_capabilities.experimental = self._server.experimental()
        self._server.initialized = True
        return types.InitializeResult(capabilities=self.server_capabilities, server_info=self.server_info)
        yield  # a generator, as pygls wants its builtin handlers

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> Generator[Any, Any, None]:
        """Ends what is running; the session closes in the background until `exit`."""
        current = self.msg_id
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != current and not future.done():
                future.cancel()
        self._shutdown = True
        self._server.background(asyncio.to_thread(self._server.close_session))
        return None
        yield

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> Generator[Any, Any, None]:
        """Leaves the message loop: code 0 after `shutdown`, else 1."""
        self._server.leave(0 if self._shutdown else 1)
        return None
        yield

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: Any) -> Any:
        """A command runs the method it mirrors, with its first argument as the params."""
        method, argument = self._server.command_call(params)
        result: Any = self._get_handler(method)(argument)
        return await result if inspect.isawaitable(result) else result

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """The user pressed cancel on a progress bar."""
        self._server.cancel_progress(params.token)


def _is_notification_or_response(message: dict[str, Any]) -> bool:
    if message.get("method") is None:
        return "result" in message or "error" in message
    return isinstance(message["method"], str)


def _is_deep(params: Any) -> bool:
    """True when lists and objects are nested deeper than MAX_DEPTH: what walks them recurses."""
    level: list[Any] = [params]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += cast(dict[str, Any], value).values()
            elif isinstance(value, list):
                below += cast(list[Any], value)
        if not below:
            return False
        level = below
    return True


def _names_a_request(params: Any) -> bool:
    """True for the params of a cancellation that can name a request."""
    return isinstance(params, dict) and isinstance(cast(dict[str, Any], params).get("id"), (str, int))


def _has_wire_types(result: Any) -> bool:
    if isinstance(result, (list, tuple)):
        return any(_has_wire_types(entry) for entry in cast(list[Any], result)[:1])
    return not isinstance(result, (dict, str, int, float, bool, type(None)))
