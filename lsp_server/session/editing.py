"""SEARCH/REPLACE edits on the session's side: plan over open text and disk, write to disk, tell the index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..model.candidate import Origin
from ..model.errors import SourceError, SourceStale
from ..model.source import Checkpoint, no_checkpoint

if TYPE_CHECKING:
    from ..edits.plan import EditPlan, Expected
    from .session import Session


def plan(
    session: Session,
    text: str,
    expected: Mapping[str, Expected] | None = None,
    checkpoint: Checkpoint = no_checkpoint,
) -> EditPlan:
    """What the blocks in `text` make of the files, unsaved text first. Raises the first block's EditError."""
    from ..edits.parse import parse_blocks
    from ..edits.plan import plan_edits

    checkpoint()
    return plan_edits(parse_blocks(text), session.reader(), session.roots, expected, session.policy)


def write(session: Session, edits: EditPlan) -> tuple[str, ...]:
    """Write all files of a plan or none; returns their paths.

    Raises ChangedSince for a file that is not on disk as it was planned (unsaved changes in the editor, or
    somebody else wrote it), UnreadableFile for one that cannot be written.
    """
    from ..edits.errors import ChangedSince, UnreadableFile
    from ..workspace.reader import DiskReader
    from ..workspace.writer import FileWrite, write_files

    writes = [
        FileWrite(file.path, file.new_text, None if file.original is None else file.original.content_hash)
        for file in edits.files
    ]
    try:
        paths = write_files(DiskReader(session.roots, session.policy), writes)
    except SourceStale as error:
        file = next((file for file in edits.files if file.path == error.path), edits.files[0])
        if file.original is not None and file.original.origin is Origin.BUFFER:
            raise UnreadableFile(
                file.blocks[0], file.path, "has unsaved changes in the editor; save it first"
            ) from None
        raise ChangedSince(file.blocks[0], file.path) from None
    except SourceError as error:
        file = next((file for file in edits.files if file.path == error.path), edits.files[0])
        raise UnreadableFile(file.blocks[0], error.path, error.problem) from None
    session.files_changed(paths)
    return paths


def plan_to_dict(edits: EditPlan, applied: bool) -> dict[str, Any]:
    """The plain form."""
    return {
        "applied": applied,
        "files": [
            {"path": file.path, "created": file.creates, "blocks": list(file.blocks), "diff": file.diff}
            for file in edits.files
        ],
    }
