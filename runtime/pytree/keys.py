"""Key paths: how a leaf is reached from the root of its tree."""

from __future__ import annotations

from typing import Any, TypeAlias

KeyEntry = Any
KeyPath: TypeAlias = tuple[KeyEntry, ...]


class _Key:
    """A step of a key path. Equal and hashed by its type and value."""

    __slots__ = ("_value",)
    _field = "key"

    def __init__(self, value: Any) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and bool(self._value == other._value)

    def __hash__(self) -> int:
        return hash((type(self), self._value))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._field}={self._value!r})"


class SequenceKey(_Key):
    """Item `idx` of a list or tuple."""

    __slots__ = ()
    __match_args__ = ("idx",)
    _field = "idx"

    def __init__(self, idx: int) -> None:
        super().__init__(idx)

    @property
    def idx(self) -> int:
        return int(self._value)

    def __str__(self) -> str:
        return f"[{self._value!r}]"


class DictKey(_Key):
    """The entry `key` of a dictionary."""

    __slots__ = ()
    __match_args__ = ("key",)

    def __init__(self, key: Any) -> None:
        super().__init__(key)

    @property
    def key(self) -> Any:
        return self._value

    def __str__(self) -> str:
        return f"[{self._value!r}]"


class GetAttrKey(_Key):
    """The attribute `name` of a named tuple, a dataclass or a registered class."""

    __slots__ = ()
    __match_args__ = ("name",)
    _field = "name"

    def __init__(self, name: str) -> None:
        super().__init__(name)

    @property
    def name(self) -> str:
        return str(self._value)

    def __str__(self) -> str:
        return f".{self._value}"


class FlattenedIndexKey(_Key):
    """Child number `key` of a registered class that does not name its children."""

    __slots__ = ()
    __match_args__ = ("key",)

    def __init__(self, key: int) -> None:
        super().__init__(key)

    @property
    def key(self) -> int:
        return int(self._value)

    def __str__(self) -> str:
        return f"[<flat index {self._value}>]"


def keystr(keys: KeyPath, *, simple: bool = False, separator: str = "") -> str:
    """`keys` as text: ``['w'][0].bias``, or with `simple` the bare names joined by `separator`."""
    if not simple:
        return separator.join(map(str, keys))
    return separator.join(str(key._value) if isinstance(key, _Key) else str(key) for key in keys)
