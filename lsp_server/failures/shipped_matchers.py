"""Matchers known by name (`$gcc`, `$tsc` …), as data in VS Code's own format, for `base` and `$name` references.

Source: the matchers that VS Code ships (Tasks documentation, "Processing task output with problem matchers").
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SHIPPED: Mapping[str, object] = MappingProxyType(
    {
        "$gcc": {
            "owner": "cpp",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": {
                "regexp": r"^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error|note):\s+(.*)$",
                "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5,
            },
        },
        "$msCompile": {
            "owner": "msCompile",
            "fileLocation": "absolute",
            "pattern": {
                "regexp": r"^(?:\s+\d+>)?(\S.*?)\((\d+(?:,\d+){0,3})\)\s*:\s+"
                r"((?:fatal +)?error|warning|info)\s+(\w+\d+)?\s*:\s*(.*)$",
                "kind": "location", "file": 1, "location": 2, "severity": 3, "code": 4, "message": 5,
            },
        },
        "$tsc": {
            "owner": "typescript",
            "source": "ts",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": {
                "regexp": r"^([^\s].*)[\(:](\d+)[,:](\d+)(?:\):\s+|\s+-\s+)(error|warning|info)\s+TS(\d+)\s*:\s*(.*)$",
                "file": 1, "line": 2, "column": 3, "severity": 4, "code": 5, "message": 6,
            },
        },
        "$eslint-compact": {
            "owner": "eslint",
            "fileLocation": "absolute",
            "pattern": {
                "regexp": r"^(.+):\sline\s(\d+),\scol\s(\d+),\s(Error|Warning|Info)\s-\s(.+)\s\((.+)\)$",
                "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5, "code": 6,
            },
        },
        "$eslint-stylish": {
            "owner": "eslint",
            "fileLocation": "absolute",
            "pattern": [
                {"regexp": r"^((?:[a-zA-Z]:)*[./\\]+.*?)$", "kind": "location", "file": 1},
                {
                    "regexp": r"^\s+(\d+):(\d+)\s+(error|warning|info)\s+(.+?)(?:\s\s+(.*))?$",
                    "line": 1, "column": 2, "severity": 3, "message": 4, "code": 5, "loop": True,
                },
            ],
        },
        "$jshint": {
            "owner": "jshint",
            "fileLocation": "absolute",
            "pattern": {
                "regexp": r"^(.*):\s+line\s+(\d+),\s+col\s+(\d+),\s(.+?)(?:\s+\((\w)(\d+)\))?$",
                "file": 1, "line": 2, "column": 3, "message": 4, "severity": 5, "code": 6,
            },
        },
        "$go": {
            "owner": "go",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": {
                "regexp": r"^([^:]*: )?((.:)?[^:]*):(\d+)(:(\d+))?: (.*)$",
                "file": 2, "line": 4, "column": 6, "message": 7,
            },
        },
        "$python": {
            "owner": "python",
            "fileLocation": ["autoDetect", "${workspaceFolder}"],
            "role": "frame",
            "pattern": {"regexp": r'^\s*File "(.*)", line (\d+)', "file": 1, "line": 2},
        },
        "$rustc": {
            "owner": "rust",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": [
                {"regexp": r"^(warning|error|note|help)(?:\[(.*)\])?: (.*)$", "severity": 1, "code": 2, "message": 3},
                {"regexp": r"^\s*-->\s(.*?):(\d+):(\d+)$", "file": 1, "line": 2, "column": 3},
            ],
        },
    }
)  # fmt: skip
