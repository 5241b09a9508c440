"""Bytes to text as Python reads them, and back without losing one."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from dataclasses import dataclass

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class DecodingError(ValueError):
    """The bytes are no text in the encoding that they declare; the message says where."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file is stored: codec, and whether it begins with a byte order mark."""

    name: str = "utf-8"
    mark: bool = False

    def encode(self, text: str) -> bytes:
        """The bytes of a text; raises UnicodeEncodeError for characters that the codec lacks."""
        data = text.encode(self.name)
        return codecs.BOM_UTF8 + data if self.mark else data


def decode(data: bytes) -> tuple[str, Encoding]:
    """The text of a Python file, its line ends as they are, without the byte order mark.

    Follows the coding cookie or the mark as Python does (PEP 263).  Raises DecodingError.
    """
    mark = data.startswith(codecs.BOM_UTF8)
    try:
        name, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        raise DecodingError(_reason(error, data)) from None
    name = "utf-8" if name == "utf-8-sig" else name
    try:
        text = (data[len(codecs.BOM_UTF8) :] if mark else data).decode(name)
    except UnicodeDecodeError as error:
        raise DecodingError(_bad_byte(error, name)) from None
    return text, Encoding(name, mark)


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; only what ends a line in Python does so here."""
    if "\r" in text:
        return _LINE.findall(text)
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _reason(error: SyntaxError, data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as undecodable:
        if "unknown encoding" not in str(error):
            return _bad_byte(undecodable, "utf-8")
    return str(error.msg)


def _bad_byte(error: UnicodeDecodeError, name: str) -> str:
    row = error.object.count(b"\n", 0, error.start) + 1
    return f"byte 0x{error.object[error.start]:02x} on line {row} is no {name}"
