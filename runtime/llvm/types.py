"""How NumPy's dtypes look in LLVM: the type in a register, the type in memory, the kind of arithmetic."""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import Any, Literal

import numpy as np

Kind = Literal["f", "i", "u", "b", "c"]


class NotLowered(Exception):
    """A primitive, or a dtype of its operands, that this backend does not compile."""

    def __init__(self, primitive: str, reason: str = "") -> None:
        super().__init__(f"{primitive} is not compiled{': ' + reason if reason else ''}")
        self.primitive = primitive


class Element:
    """An element type: ``llvm`` is its type in registers, ``memory`` in arrays (``bool`` takes a byte there).

    A complex number is one word, in whose halves its parts are, of type ``part``: it moves like an integer of that size.
    Each exists once, so they are compared by identity.
    """

    __slots__ = ("bits", "kind", "llvm", "name", "part")

    def __init__(self, name: str, kind: Kind, bits: int, llvm: str, part: Element | None = None) -> None:
        self.name, self.kind, self.bits, self.llvm, self.part = name, kind, bits, llvm, part

    @property
    def memory(self) -> str:
        return "i8" if self.kind == "b" else self.llvm

    @property
    def bytes(self) -> int:
        return max(1, self.bits // 8)

    @property
    def alignment(self) -> int:
        """What the address of an element in an array is a multiple of, in bytes."""
        return min(self.bytes, 8)

    @property
    def is_float(self) -> bool:
        return self.kind == "f"

    @property
    def is_half(self) -> bool:
        """Whether it is a float of 16 bits, which is computed with as float32 and then rounded."""
        return self is F16 or self is BF16

    @property
    def is_signed(self) -> bool:
        return self.kind == "i"

    def literal(self, value: Any) -> str:
        """The LLVM spelling of one constant; floating point is spelled by its bits, so nothing is lost."""
        if self.kind == "b":
            return "true" if value else "false"
        if self.kind == "c":
            word = np.array([value], self.name).view(f"u{self.bytes // 2}").tolist()
            return str(word[0] | word[1] << (self.bits // 2))
        if self.kind != "f":
            wrapped = int(value) & ((1 << self.bits) - 1)
            return str(
                wrapped - (1 << self.bits) if wrapped >> (self.bits - 1) and self.is_signed else wrapped
            )
        if self.bits == 16:
            return f"0xH{int(np.float16(value).view(np.uint16)):04X}"
        exact = float(value)
        if self.bits == 32:
            try:
                (exact,) = struct.unpack("f", struct.pack("f", exact))
            except OverflowError:
                exact = math.copysign(math.inf, exact)
        return f"0x{struct.unpack('>Q', struct.pack('>d', exact))[0]:016X}"


BOOL = Element("bool", "b", 1, "i1")
I8, I16, I32, I64 = (Element(f"int{n}", "i", n, f"i{n}") for n in (8, 16, 32, 64))
U8, U16, U32, U64 = (Element(f"uint{n}", "u", n, f"i{n}") for n in (8, 16, 32, 64))
F16 = Element("float16", "f", 16, "half")
#: Held as float32 everywhere, in memory too; what is computed is rounded.
BF16 = Element("bfloat16", "f", 32, "float")
F32 = Element("float32", "f", 32, "float")
F64 = Element("float64", "f", 64, "double")
C64, C128 = (
    Element(f"complex{part.bits * 2}", "c", part.bits * 2, f"i{part.bits * 2}", part) for part in (F32, F64)
)

ELEMENTS = {e.name: e for e in (BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, C64, C128)}
ELEMENTS["key<fry>"] = U64  # a random key is held as one word


@cache
def _by_name(name: str) -> Element:
    if name not in ELEMENTS:
        raise NotLowered(name, f"no native code for arrays of {name}")
    return ELEMENTS[name]


def element(dtype: Any) -> Element:
    """The element type of a NumPy dtype (or of anything that prints as one); NotLowered if there is none."""
    return _by_name(str(dtype))


def integer_of(elem: Element, signed: bool = True) -> Element:
    """The integer type with as many bits as ``elem``."""
    return ELEMENTS[f"{'' if signed else 'u'}int{elem.bits}"]
