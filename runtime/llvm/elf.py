"""ELF objects for x86-64, as LLVM writes them, linked to images: all that is relative is settled, once and for all.

What is told by the System V ABI (AMD64 supplement, "Relocation") and is not needed for such code is not linked.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from .image import Image

_MACHINE = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_X86_64 = 62
_PROGRAM, _SYMBOLS, _RELOCATIONS = 1, 2, 4  # types of sections
_WRITE, _ALLOCATED, _THREAD = 1, 2, 0x400  # flags of sections
_UNDEFINED, _RESERVED = 0, 0xFF00  # sections of symbols
_GLOBAL = 1
#: Relocations by what they hold, in 32 bits, relative to their own place: a symbol, or the slot of its address.
_TO_SYMBOL = frozenset((2, 4))
_TO_SLOT = frozenset((9, 41, 42))
_JUMP = b"\xff\x25"  # to the address in a slot, which is given relative to the next instruction
_JUMP_BYTES = 8


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Symbol(NamedTuple):
    name: str
    binding: int
    section: int
    value: int


def linked(data: bytes) -> Image | None:
    """The object as an image; None if it is of another kind, or needs more than code and constants."""
    if data[:6] != _MACHINE or struct.unpack_from("<H", data, 18) != (_X86_64,):
        return None
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [_Section(*struct.unpack_from("<IIQQQQIIQQ", data, table + k * size)) for k in range(count)]
    code = bytearray()
    places: dict[int, int] = {}
    for number, section in enumerate(sections):
        if not section.flags & _ALLOCATED:
            continue
        if section.kind != _PROGRAM or section.flags & (_WRITE | _THREAD):
            return None
        code.extend(bytes(-len(code) % section.alignment))
        places[number] = len(code)
        code.extend(data[section.offset : section.offset + section.size])
    return _Link(data, sections, code, places).run()


class _Link:
    """Code laid out, and what is needed to make it refer to itself."""

    def __init__(
        self, data: bytes, sections: list[_Section], code: bytearray, places: dict[int, int]
    ) -> None:
        self.data, self.sections, self.code, self.places = data, sections, code, places
        self.slots: dict[str, int] = {}
        self.jumps: dict[str, int] = {}

    def run(self) -> Image | None:
        tables = [section for section in self.sections if section.kind == _SYMBOLS]
        if len(tables) != 1:
            return None
        symbols = self._symbols(tables[0])
        for section in self.sections:
            if section.kind == _RELOCATIONS and section.info in self.places:
                for at in range(section.offset, section.offset + section.size, 24):
                    if not self._relocate(self.places[section.info], symbols, at):
                        return None
        exported = {
            s.name: self.places[s.section] + s.value
            for s in symbols
            if s.binding == _GLOBAL and s.section in self.places
        }
        return Image(bytes(self.code), exported, self.slots)

    def _symbols(self, table: _Section) -> list[_Symbol]:
        names = self.sections[table.link].offset
        found: list[_Symbol] = []
        for at in range(table.offset, table.offset + table.size, 24):
            name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.data, at)
            text = self.data[names + name : self.data.index(b"\0", names + name)].decode()
            found.append(_Symbol(text, info >> 4, section, value))
        return found

    def _relocate(self, base: int, symbols: list[_Symbol], at: int) -> bool:
        """Applies the relocation that stands at a place of the object; False if it is not known."""
        offset, info, addend = struct.unpack_from("<QQq", self.data, at)
        symbol, kind = symbols[info >> 32], info & 0xFFFFFFFF
        inside = symbol.section in self.places
        if not inside and symbol.section != _UNDEFINED:
            return False
        if kind in _TO_SYMBOL:
            target = self.places[symbol.section] + symbol.value if inside else self._jump(symbol.name)
        elif kind in _TO_SLOT and not inside:
            target = self._slot(symbol.name)
        else:
            return False
        struct.pack_into("<i", self.code, base + offset, target + addend - base - offset)
        return True

    def _slot(self, name: str) -> int:
        """Where the address of an outside function will be."""
        if name not in self.slots:
            self.code.extend(bytes(-len(self.code) % 8))
            self.slots[name] = len(self.code)
            self.code.extend(bytes(8))
        return self.slots[name]

    def _jump(self, name: str) -> int:
        """An instruction that goes on to an outside function."""
        if name not in self.jumps:
            slot = self._slot(name)
            self.code.extend(bytes(-len(self.code) % _JUMP_BYTES))
            here = self.jumps[name] = len(self.code)
            self.code.extend(_JUMP + struct.pack("<i", slot - here - 6) + bytes(2))
        return self.jumps[name]
