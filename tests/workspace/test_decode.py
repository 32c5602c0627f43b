"""Decoding: every text is read, and written back, byte for byte; binary data is told apart first."""

from __future__ import annotations

import codecs
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.workspace.decode import decode, is_binary
from lsp_server.workspace.shape import is_minified
from lsp_server.workspace.skip import SkipReason, SourceRefused

PYTHON = "def grüße(name):\n    return f'Grüß dich, {name} — schön, daß du da bist'\n" * 3
RUSSIAN = "# Эта функция возвращает имя пользователя и проверяет пароль\ndef f():\n    return 'Привет'\n" * 3
JAPANESE = "# この関数はユーザーの名前を返します。\nname = '日本語のテキスト'\n" * 3


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"", "utf-8", ""),
        (b"x = 1\n", "utf-8", "x = 1\n"),
        ("é\u2028\f".encode(), "utf-8", "é\u2028\f"),
        (codecs.BOM_UTF8 + b"x", "utf-8", "x"),
        (codecs.BOM_UTF16_LE + "xé".encode("utf-16-le"), "utf-16-le", "xé"),
        (codecs.BOM_UTF16_BE + "xé".encode("utf-16-be"), "utf-16-be", "xé"),
        (codecs.BOM_UTF32_LE + "x😀".encode("utf-32-le"), "utf-32-le", "x😀"),
        (codecs.BOM_UTF32_BE + "x😀".encode("utf-32-be"), "utf-32-be", "x😀"),
        (PYTHON.encode("utf-16-le"), "utf-16-le", PYTHON),
        (PYTHON.encode("utf-16-be"), "utf-16-be", PYTHON),
        (PYTHON.encode("utf-32-le"), "utf-32-le", PYTHON),
    ],
)
def test_unicode_encodings_with_and_without_a_mark(data: bytes, encoding: str, text: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.lossy) == (text, encoding, False)
    assert decoded.encode(decoded.text) == data


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(PYTHON, "latin-1"), (PYTHON, "cp1252"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"), (JAPANESE, "shift_jis"),
     (JAPANESE, "euc_jp"), ("naïve café\n", "latin-1")],
)  # fmt: skip
def test_legacy_encodings_are_read_and_written_back(text: str, encoding: str) -> None:
    text = text.replace("—", "-") if encoding == "latin-1" else text
    data = text.encode(encoding)
    decoded = decode(data)
    assert decoded.text == text
    assert decoded.encode(decoded.text) == data


def test_a_declared_encoding_wins_over_a_guess() -> None:
    data = "# -*- coding: iso-8859-15 -*-\nprice = '5 €'\n".encode("iso-8859-15")
    assert decode(data).text.endswith("'5 €'\n")


def test_a_declared_codec_that_is_no_text_encoding_is_not_run() -> None:
    assert decode(b"# coding: zlib_codec\nx = '\xe9'\n").text.endswith("x = 'é'\n")


def test_a_few_broken_bytes_leave_the_rest_readable_and_are_told() -> None:
    data = ("# " + "ü" * 50 + "\n").encode() + b"x = '\xff'\n"
    decoded = decode(data)
    assert decoded.lossy
    assert decoded.text == "# " + "ü" * 50 + "\nx = '\ufffd'\n"


def test_a_stray_zero_byte_in_a_text_stays_text() -> None:
    data = b"line = 'a\0b'\n" + b"x = 1\n" * 300
    assert decode(data).text == data.decode()


@pytest.mark.parametrize(
    "data",
    [b"\x89PNG\r\n\x1a\n" + bytes(50), b"\x7fELF\x02\x01\x01", b"PK\x03\x04rest", b"%PDF-1.7\n", bytes(range(256)) * 4,
     b"\0" * 100, b"a\0b\0\x01\x02\x03" * 50, b"SQLite format 3\0" + bytes(20)],
)  # fmt: skip
def test_binary_data_is_refused_by_name_and_reason(data: bytes) -> None:
    with pytest.raises(SourceRefused) as caught:
        decode(data, "a/b.bin")
    assert (caught.value.path, caught.value.reason) == ("a/b.bin", SkipReason.BINARY)
    assert is_binary(data)


def test_random_bytes_are_binary() -> None:
    assert is_binary(os.urandom(4096))


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused_never_a_crash(data: bytes) -> None:
    try:
        decoded = decode(data)
    except SourceRefused:
        return
    assert decoded.lossy or decoded.encode(decoded.text) == data


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_any_text_with_a_mark_is_read_exactly(text: str, encoding: str) -> None:
    data = (codecs.BOM_UTF8 if encoding == "utf-8" else b"") + text.encode(encoding)
    assert decode(data).text == text


def test_minified_is_decided_by_the_shape_of_the_whole_text() -> None:
    assert is_minified("var a=1;" * 200_000)
    assert is_minified("/* licence */\n" * 20 + "a()," * 5_000)
    assert not is_minified("x = 1\n" * 100_000)
    assert not is_minified("short")
    assert not is_minified("def f():\n    return 1\n" * 1_000 + "DATA = '" + "A" * 4_000 + "'\n")
