"""Instructions as text: a builder for straight-line LLVM IR on scalars and on vectors of one width."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from . import pairs
from .engine import host
from .types import BF16, BOOL, F16, F32, F64, I32, Element, NotLowered, integer_of


class Value(NamedTuple):
    """An SSA name or a constant, with its element type; a vector if ``width`` > 1."""

    name: str
    elem: Element
    width: int

    @property
    def type(self) -> str:
        return vector_type(self.elem.llvm, self.width)


@cache
def vector_type(scalar: str, width: int) -> str:
    return f"<{width} x {scalar}>" if width > 1 else scalar


class Module:
    """What the functions of one module share: names, declarations, mathematical functions called often."""

    def __init__(self) -> None:
        self.counter = 0
        self.declarations: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.known: dict[str, Any] = {}  # the integers that constants are, under how these are written
        self.entry: list[str] = []  # instructions for the start of the function
        self.uses: dict[str, int] = {}  # of mathematical functions, as far as they are known
        self.pairs: dict[tuple[int, str], pairs.Pair] = {}  # the parts of complex numbers, by size and name
        self.quick = False  # whether it matters more how soon the code is there than how fast it is
        self._short_splats = host().llvm >= 19

    def splat(self, elem: Element, text: str, width: int) -> str:
        """A constant in all lanes, in the shortest spelling that this LLVM reads."""
        if self._short_splats:
            return f"splat ({elem.llvm} {text})"
        return "<" + ", ".join([f"{elem.llvm} {text}"] * width) + ">"

    def fresh(self) -> str:
        self.counter += 1
        return f"%v{self.counter}"

    def label(self) -> str:
        self.counter += 1
        return f"L{self.counter}"

    def declare(self, name: str, text: str) -> None:
        self.declarations.setdefault(name, f"declare {text}")

    def expect(self, name: str, elem: Element, width: int) -> None:
        """Announces a use of a mathematical function."""
        full = _full_name(name, elem, width)
        self.uses[full] = self.uses.get(full, 0) + 1

    def often(self, full: str) -> bool:
        """Whether a function is used so often that sharing its code, which then compiles quickly, is better."""
        return full in self.functions or self.uses.get(full, 0) > 1

    def text(self, functions: list[str]) -> str:
        return "\n".join([*self.declarations.values(), *self.functions.values(), *functions, ""])


def _full_name(name: str, elem: Element, width: int) -> str:
    return f"tt_{name}_{elem.name}x{width}"


Rule: TypeAlias = Callable[..., Value]

#: So many registers of operands leave room for what an elementary function needs besides.
_REGISTERS_AT_ONCE = 4

_INTEGER_PREDICATES = {
    "eq": ("eq", "eq"),
    "ne": ("ne", "ne"),
    "lt": ("slt", "ult"),
    "le": ("sle", "ule"),
    "gt": ("sgt", "ugt"),
    "ge": ("sge", "uge"),
}
_FLOAT_PREDICATES = {
    "eq": "oeq",
    "ne": "une",
    "lt": "olt",
    "le": "ole",
    "gt": "ogt",
    "ge": "oge",
    "uno": "uno",
}


class Builder:
    """Appends instructions to ``lines``. Every operand has the builder's width, or is a constant."""

    def __init__(self, module: Module, lines: list[str], width: int = 1) -> None:
        self.module = module
        self.lines = lines
        self.width = width

    # Types and constants

    def type(self, elem: Element) -> str:
        return vector_type(elem.llvm, self.width)

    def const(self, elem: Element, value: Any) -> Value:
        text = elem.literal(value)
        if self.width > 1:
            text = self.module.splat(elem, text, self.width)
        if elem.kind in "iu":
            self.module.known[text] = int(value)
        elif elem.part is not None:
            parts = complex(value)
            self.module.pairs[elem.bits, text] = pairs.Pair(
                self.const(elem.part, parts.real), self.const(elem.part, parts.imag)
            )
        return Value(text, elem, self.width)

    def known(self, x: Value) -> int | None:
        """The integer that a constant is; None for what is computed."""
        return self.module.known.get(x.name)

    def like(self, x: Value, value: Any) -> Value:
        return self.const(x.elem, value)

    def lanes(self, elem: Element) -> Value:
        """0, 1, 2, ... in the lanes of a vector."""
        if self.width == 1:
            return self.const(elem, 0)
        text = "<" + ", ".join(f"{elem.llvm} {elem.literal(k)}" for k in range(self.width)) + ">"
        return Value(text, elem, self.width)

    # Emission

    def emit(self, text: str, elem: Element) -> Value:
        name = self.module.fresh()
        self.lines.append(f"  {name} = {text}")
        return Value(name, elem, self.width)

    def op(self, opcode: str, x: Value, y: Value) -> Value:
        return self.emit(f"{opcode} {x.type} {x.name}, {y.name}", x.elem)

    def cast(self, opcode: str, x: Value, elem: Element) -> Value:
        return self.emit(f"{opcode} {x.type} {x.name} to {self.type(elem)}", elem)

    def intrinsic(self, name: str, *args: Value, immediate: str = "") -> Value:
        """Calls ``llvm.NAME`` overloaded on the type of its first operand."""
        x = args[0]
        suffix = f"f{x.elem.bits}" if x.elem.is_float else f"i{x.elem.bits}"
        full = f"llvm.{name}.{f'v{self.width}' if self.width > 1 else ''}{suffix}"
        kinds = ", ".join([x.type] * len(args)) + (", i1" if immediate else "")
        self.module.declare(full, f"{x.type} @{full}({kinds})")
        operands = ", ".join(f"{a.type} {a.name}" for a in args) + (f", i1 {immediate}" if immediate else "")
        return self.emit(f"call {x.type} @{full}({operands})", x.elem)

    def splat(self, x: Value) -> Value:
        """A scalar in all lanes of a vector."""
        if self.width == 1 or x.width == self.width:
            return x
        first = self.emit(f"insertelement {self.type(x.elem)} undef, {x.elem.llvm} {x.name}, i32 0", x.elem)
        kind = self.type(x.elem)
        zeros = f"<{self.width} x i32> zeroinitializer"
        return self.emit(f"shufflevector {kind} {first.name}, {kind} undef, {zeros}", x.elem)

    # Arithmetic: floating point and complex, or integers that wrap

    def add(self, x: Value, y: Value) -> Value:
        if x.elem.part is not None:
            return pairs.add(self, x, y)
        return self.op("fadd" if x.elem.is_float else "or" if x.elem is BOOL else "add", x, y)

    def sub(self, x: Value, y: Value) -> Value:
        if x.elem.part is not None:
            return pairs.sub(self, x, y)
        return self.op("fsub" if x.elem.is_float else "sub", x, y)

    def mul(self, x: Value, y: Value) -> Value:
        if x.elem.part is not None:
            return pairs.mul(self, x, y)
        return self.op("fmul" if x.elem.is_float else "and" if x.elem is BOOL else "mul", x, y)

    def fdiv(self, x: Value, y: Value) -> Value:
        return self.op("fdiv", x, y)

    def neg(self, x: Value) -> Value:
        if x.elem.is_float:
            return self.emit(f"fneg {x.type} {x.name}", x.elem)
        return self.op("sub", self.like(x, 0), x)

    def fma(self, x: Value, y: Value, z: Value) -> Value:
        return self.intrinsic("fma", x, y, z)

    def ldexp(self, x: Value, n: Value) -> Value:
        """x * 2**n for integers n of at most 32 bits."""
        exponent = self.convert(n, I32)
        lanes = f"v{self.width}" if self.width > 1 else ""
        full = f"llvm.ldexp.{lanes}f{x.elem.bits}.{lanes}i32"
        self.module.declare(full, f"{x.type} @{full}({x.type}, {exponent.type})")
        return self.emit(f"call {x.type} @{full}({x.type} {x.name}, {exponent.type} {exponent.name})", x.elem)

    def abs(self, x: Value) -> Value:
        if x.elem.is_float:
            return self.intrinsic("fabs", x)
        return self.intrinsic("abs", x, immediate="false") if x.elem.is_signed else x

    def sqrt(self, x: Value) -> Value:
        return self.intrinsic("sqrt", x)

    def copysign(self, x: Value, sign: Value) -> Value:
        return self.intrinsic("copysign", x, sign)

    def min(self, x: Value, y: Value) -> Value:
        """The smaller; NaN if either is NaN; -0 below +0."""
        if x.elem is BOOL:
            return self.op("and", x, y)
        if x.elem.is_float:
            return self._extremum("lt", x, y, "or")
        return self.intrinsic("smin" if x.elem.is_signed else "umin", x, y)

    def max(self, x: Value, y: Value) -> Value:
        """The larger; NaN if either is NaN; +0 above -0."""
        if x.elem is BOOL:
            return self.op("or", x, y)
        if x.elem.is_float:
            return self._extremum("gt", x, y, "and")
        return self.intrinsic("smax" if x.elem.is_signed else "umax", x, y)

    def _extremum(self, predicate: str, x: Value, y: Value, zeros: str) -> Value:
        # Equal operands differ at most in the sign of zero, which the bitwise operation settles.
        ints = integer_of(x.elem)
        tied = self.op(zeros, self.bitcast(x, ints), self.bitcast(y, ints))
        chosen = self.select(self.cmp("eq", x, y), self.bitcast(tied, x.elem), self.extreme(predicate, x, y))
        return chosen

    def extreme(self, predicate: str, x: Value, y: Value) -> Value:
        """The smaller ("lt") or larger ("gt"); NaN if either is NaN; of two zeros, either."""
        return self.select(self.cmp("uno", x, x), x, self.select(self.cmp(predicate, x, y), x, y))

    # Bits

    def and_(self, x: Value, y: Value) -> Value:
        return self.op("and", x, y)

    def or_(self, x: Value, y: Value) -> Value:
        return self.op("or", x, y)

    def xor(self, x: Value, y: Value) -> Value:
        return self.op("xor", x, y)

    def not_(self, x: Value) -> Value:
        return self.op("xor", x, self.like(x, True if x.elem is BOOL else -1))

    def shl(self, x: Value, bits: int) -> Value:
        return self.op("shl", x, self.like(x, bits))

    def lshr(self, x: Value, bits: int) -> Value:
        return self.op("lshr", x, self.like(x, bits))

    def ashr(self, x: Value, bits: int) -> Value:
        return self.op("ashr", x, self.like(x, bits))

    def bitcast(self, x: Value, elem: Element) -> Value:
        return x if x.elem.llvm == elem.llvm and x.elem is elem else self._bitcast(x, elem)

    def _bitcast(self, x: Value, elem: Element) -> Value:
        if x.elem.llvm == elem.llvm:
            return Value(x.name, elem, x.width)
        return self.cast("bitcast", x, elem)

    # Choice

    def cmp(self, predicate: str, x: Value, y: Value) -> Value:
        if x.elem.is_float:
            return self.emit(f"fcmp {_FLOAT_PREDICATES[predicate]} {x.type} {x.name}, {y.name}", BOOL)
        code = _INTEGER_PREDICATES[predicate][0 if x.elem.is_signed else 1]
        return self.emit(f"icmp {code} {x.type} {x.name}, {y.name}", BOOL)

    def select(self, mask: Value, x: Value, y: Value) -> Value:
        return self.emit(f"select {mask.type} {mask.name}, {x.type} {x.name}, {y.type} {y.name}", x.elem)

    def is_nan(self, x: Value) -> Value:
        return self.cmp("uno", x, x)

    # Conversion

    def convert(self, x: Value, elem: Element) -> Value:
        """Converts a value as JAX does on CPU: floats to integers saturate, NaN becomes 0."""
        if x.elem is elem:
            return x
        if x.elem is BF16:
            return self.convert(Value(x.name, F32, x.width), elem)
        if elem is BF16:
            return self._to_bfloat16(self.convert(x, F32))
        if x.elem is BOOL:
            return self._from_bool(x, elem)
        if elem is BOOL:
            return self.cmp("ne", x, self.like(x, 0))
        if x.elem.is_float:
            return self._from_float(x, elem)
        if elem.is_float:
            if elem is F16:
                return self.cast("fptrunc", self.convert(x, F32), F16)
            return self.cast("sitofp" if x.elem.is_signed else "uitofp", x, elem)
        if elem.bits == x.elem.bits:
            return Value(x.name, elem, x.width)
        if elem.bits < x.elem.bits:
            return self.cast("trunc", x, elem)
        return self.cast("sext" if x.elem.is_signed else "zext", x, elem)

    def _to_bfloat16(self, x: Value) -> Value:
        """A float32 rounded to the nearest of those whose lower half is zero, ties to even."""
        bits = self.bitcast(x, I32)
        odd = self.and_(self.lshr(bits, 16), self.const(I32, 1))
        carried = self.add(self.add(bits, self.const(I32, 0x7FFF)), odd)
        rounded = self.bitcast(self.and_(carried, self.const(I32, -0x10000)), F32)
        return Value(self.select(self.is_nan(x), x, rounded).name, BF16, x.width)

    def _from_bool(self, x: Value, elem: Element) -> Value:
        if elem.is_float:
            return self.select(x, self.const(elem, 1), self.const(elem, 0))
        return self.cast("zext", x, elem)

    def _from_float(self, x: Value, elem: Element) -> Value:
        if elem.is_float:
            if {elem, x.elem} == {F16, F64}:  # by way of float: x86 converts half to and from float alone
                return self.convert(self.convert(x, F32), elem)
            return self.cast("fptrunc" if elem.bits < x.elem.bits else "fpext", x, elem)
        wide = self.convert(x, F32) if x.elem is F16 else x
        name = "fptosi" if elem.is_signed else "fptoui"
        lanes = f"v{self.width}" if self.width > 1 else ""
        full = f"llvm.{name}.sat.{lanes}i{elem.bits}.{lanes}f{wide.elem.bits}"
        self.module.declare(full, f"{self.type(elem)} @{full}({wide.type})")
        return self.emit(f"call {self.type(elem)} @{full}({wide.type} {wide.name})", elem)

    # Mathematical functions

    def function(self, name: str, rule: Rule, *args: Value, shared: bool = False) -> Value:
        """`call` for functions of floating point. Raises NotLowered on other operands."""
        if not args[0].elem.is_float:
            raise NotLowered(name, f"on {args[0].elem.name}")
        return self.call(name, rule, *args, shared=shared)

    def call(self, name: str, rule: Rule, *args: Value, shared: bool = False) -> Value:
        """Applies ``rule``, in place or, when it is used often, as a function of the module."""
        x = args[0]
        if x.elem is F16:
            wide = [self.convert(a, F32) for a in args]
            return self.convert(self.call(name, rule, *wide, shared=shared), F16)
        if self.is_split(x.elem):
            return self.in_halves(lambda half, *parts: half.call(name, rule, *parts, shared=True), *args)
        full = _full_name(name, x.elem, self.width)
        if not (shared or self.module.often(full)):
            return rule(self, *args)
        if full not in self.module.functions:
            self.module.functions[full] = ""  # keeps its place while its callees are written
            lines: list[str] = []
            inner = Builder(self.module, lines, self.width)
            parameters = [Value(f"%a{k}", a.elem, a.width) for k, a in enumerate(args)]
            result = rule(inner, *parameters)
            signature = ", ".join(f"{p.type} {p.name}" for p in parameters)
            body = "\n".join(lines)
            self.module.functions[full] = (
                f"define internal {result.type} @{full}({signature}) #1 {{\n{body}\n"
                f"  ret {result.type} {result.name}\n}}"
            )
        operands = ", ".join(f"{a.type} {a.name}" for a in args)
        return self.emit(f"call {x.type} @{full}({operands})", x.elem)

    def is_split(self, elem: Element) -> bool:
        """Whether vectors are so wide that long computations on them should take one half after the other."""
        return self.width * elem.bytes > _REGISTERS_AT_ONCE * host().vector_bytes

    def in_halves(self, rule: Rule, *args: Value) -> Value:
        """Applies ``rule`` to the halves of vectors. They do not depend on each other, so the processor overlaps them."""
        half = Builder(self.module, self.lines, self.width // 2)
        low, high = (
            rule(half, *(half.shuffled(a, a, range(start, start + half.width)) for a in args))
            for start in (0, half.width)
        )
        return self.shuffled(low, high, range(self.width))

    def shuffled(self, x: Value, y: Value, lanes: Iterable[int]) -> Value:
        """The given lanes of two vectors laid side by side."""
        order = ", ".join(f"i32 {k}" for k in lanes)
        text = f"shufflevector {x.type} {x.name}, {y.type} {y.name}, <{self.width} x i32> <{order}>"
        return self.emit(text, x.elem)
