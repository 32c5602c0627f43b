"""Structured formats, most telling first; `plain_json` takes what no other claims."""

from . import compiled_json, javascript_json, lsp, plain_json, python_json, sarif
from .reading import Structure

STRUCTURES: tuple[Structure, ...] = (
    sarif.STRUCTURE,
    lsp.STRUCTURE,
    *python_json.STRUCTURES,
    *javascript_json.STRUCTURES,
    *compiled_json.STRUCTURES,
    plain_json.STRUCTURE,
)
