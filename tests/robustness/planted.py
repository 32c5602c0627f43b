"""A workspace with a canary in every place where a secret may lie, and a search for canaries in what comes out.

Two kinds: tokens of a shape that is masked wherever it stands, and plain words in files that are denied or
ignored, which nothing but the file's name protects.
"""

from __future__ import annotations

import hashlib
import string
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

_LETTERS = string.ascii_letters + string.digits


def _random(name: str, size: int) -> str:
    """Letters that look random and depend on `name` alone."""
    found = ""
    while len(found) < size:
        digest = hashlib.sha256(f"{name}:{len(found)}".encode()).digest()
        found += "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest)
    return found[:size]


def token(place: str) -> str:
    """A token in the shape of a forge's, one of its own a place."""
    return "ghp_" + _random(place, 36)


def word(place: str) -> str:
    """A plain word that no pattern knows."""
    return "plain" + _random(place, 14)


def key_block(place: str) -> str:
    """A private key of six lines."""
    body = "\n".join("MII" + _random(f"{place}{line}", 61) for line in range(6))
    return f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"


@dataclass(frozen=True, slots=True)
class Planted:
    """The workspace and every string that must never come out, by the place where it was planted."""

    folder: Path
    canaries: dict[str, str] = field(default_factory=dict[str, str])

    def token(self, place: str) -> str:
        """A new token canary."""
        return self.canaries.setdefault(place, token(place))

    def word(self, place: str) -> str:
        """A new plain canary."""
        return self.canaries.setdefault(place, word(place))

    def key(self, place: str) -> str:
        """A new private key; each line of its body is a canary."""
        block = key_block(place)
        for number, line in enumerate(block.split("\n")[1:-1]):
            self.canaries[f"{place}, line {number}"] = line
        return block

    def found_in(self, data: str | bytes) -> list[str]:
        """The places whose canary is in `data`, in any case and with JSON's or a URI's escapes undone."""
        text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
        lowered = text.lower()
        return [place for place, canary in self.canaries.items() if canary.lower() in lowered]


def plant(folder: Path) -> Planted:
    """Make the workspace."""
    planted = Planted(folder)
    for name, text in _files(planted).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    outside = folder.parent / f"{folder.name}-outside"
    outside.mkdir()
    (outside / planted.token("name of a link's target")).write_text(f"x = '{planted.word('outside file')}'\n")
    (folder / "linked.py").symlink_to(outside / planted.token("name of a link's target"))
    (folder / "settings_link.py").symlink_to(folder / ".env")
    (folder / ".envrc").symlink_to(folder / "target_of_denied_link.py")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return planted


def _files(planted: Planted) -> dict[str, str]:
    return {
        ".gitignore": "ignored.py\n",
        ".repocontextignore": "hidden.py\n",
        ".env": f"PAYMENT={planted.word('.env')}\nTOKEN={planted.token('token in .env')}\n",
        "deploy/id_rsa": planted.key("key file"),
        "deploy/secrets.yml": f"charge: {planted.word('secrets.yml')}\n",
        ".aws/credentials": f"[default]\nkey = {planted.word('aws credentials')}\n",
        "ignored.py": f"def charge(): return '{planted.word('ignored file')}'\n",
        "hidden.py": f"def charge(): return '{planted.word('own ignore file')}'\n",
        "target_of_denied_link.py": f"def charge(): return '{planted.word('target of a denied link')}'\n",
        "src/payments.py": _payments(planted),
        "src/ledger.ts": (
            f"// rotate {planted.token('comment')}\nexport class Ledger {{\n"
            f"  charge(key: string = '{planted.token('default argument')}'): number {{ return key.length }}\n}}\n"
        ),
        "docs/notes.md": f"# charge\n\nThe old token was {planted.token('prose')}.\n",
        "data/run.ipynb": (
            '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": ["charge()"], '
            f'"outputs": [{{"text": ["{planted.token("notebook output")}"]}}]}}]}}\n'
        ),
        f"src/{planted.token('file name')}.py": "def charge(): return 1\n",
        "tests/test_payments.py": (
            "from src.payments import charge\n\n\ndef test_charge():\n"
            f"    assert charge('{planted.token('test argument')}') == 1\n"
        ),
    }


def _payments(planted: Planted) -> str:
    return (
        '"""Payments."""\n\n'
        f"TOKEN = '{planted.token('string in code')}'\n"
        f"DATABASE = 'postgres://app:{planted.canaries.setdefault('password in URL', _random('url', 18))}@db.local/x'\n"
        f"KEY = '''{planted.key('key in code')}'''\n\n\n"
        "def charge(card: str) -> int:\n"
        f'    """Charge with {planted.token("docstring")}."""\n'
        f"    api_key = '{planted.canaries.setdefault('telling name', _random('api', 32))}'\n"
        "    return len(card) + len(api_key)\n\n\n"
        "def refund(card: str) -> int:\n    return -charge(card)\n"
    )
