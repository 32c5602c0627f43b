"""Our own methods, their command twins and the settings that switch standard features.

The advertised capability, the command list and the registration all come from these tables.
"""

from __future__ import annotations

from lsprotocol import types

from ..model.values import Value


class Method(Value):
    """A method of ours: `module` in `handlers`, `command` its twin for `workspace/executeCommand`."""

    name: str
    module: str
    command: str


METHODS = (
    Method("context/build", "build", "repoContext.build"),
    Method("context/show", "show", "repoContext.show"),
    Method("context/status", "status", "repoContext.status"),
    Method("context/reindex", "reindex", "repoContext.reindex"),
    Method("context/map", "map", "repoContext.map"),
    Method("context/search", "search", "repoContext.search"),
    Method("context/grep", "grep", "repoContext.grep"),
    Method("context/related", "related", "repoContext.related"),
    Method("context/expand", "expand", "repoContext.expand"),
    Method("context/verify", "verify", "repoContext.verify"),
    Method("context/explain", "explain", "repoContext.explain"),
    Method("context/parseFailure", "parse_failure", "repoContext.parseFailure"),
    Method("context/contribute", "contribute", "repoContext.contribute"),
    Method("context/applyEdits", "apply_edits", "repoContext.applyEdits"),
)


class Standard(Value):
    """A standard method: `module` in `handlers`, its function, and the settings field that switches it."""

    name: str
    module: str
    function: str = "handle"
    setting: str | None = None


SYNC = (
    Standard(types.INITIALIZED, "initialized"),
    Standard(types.TEXT_DOCUMENT_DID_OPEN, "sync", "did_open"),
    Standard(types.TEXT_DOCUMENT_DID_CHANGE, "sync", "did_change"),
    Standard(types.TEXT_DOCUMENT_DID_CLOSE, "sync", "did_close"),
    Standard(types.TEXT_DOCUMENT_DID_SAVE, "sync", "did_save"),
    Standard(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "watched_files"),
    Standard(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "workspace_folders"),
    Standard(types.WORKSPACE_DID_CHANGE_CONFIGURATION, "configuration"),
    Standard(types.WORKSPACE_DID_CREATE_FILES, "file_operations", "did_create"),
    Standard(types.WORKSPACE_DID_RENAME_FILES, "file_operations", "did_rename"),
    Standard(types.WORKSPACE_DID_DELETE_FILES, "file_operations", "did_delete"),
)

FEATURES = (
    Standard(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "document_symbol", setting="document_symbol"),
    Standard(types.WORKSPACE_SYMBOL, "workspace_symbol", setting="workspace_symbol"),
    Standard(types.TEXT_DOCUMENT_DEFINITION, "definition", setting="definition"),
    Standard(types.TEXT_DOCUMENT_REFERENCES, "references", setting="references"),
    Standard(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "document_highlight", setting="document_highlight"),
    Standard(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "call_hierarchy", "prepare", "call_hierarchy"),
    Standard(types.CALL_HIERARCHY_INCOMING_CALLS, "call_hierarchy", "incoming", "call_hierarchy"),
    Standard(types.CALL_HIERARCHY_OUTGOING_CALLS, "call_hierarchy", "outgoing", "call_hierarchy"),
    Standard(types.TEXT_DOCUMENT_CODE_ACTION, "code_action", setting="code_action"),
    Standard(types.TEXT_DOCUMENT_CODE_LENS, "code_lens", setting="code_lens"),
)
