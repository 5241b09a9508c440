"""How one value is used: its parts, and what is done with it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Usage:
    """One value as it is used; `items`, `attributes`, `members` and `element` are the usages of its parts."""

    items: dict[str, Usage] = field(default_factory=dict)
    attributes: dict[str, Usage] = field(default_factory=dict)
    members: list[Usage] = field(default_factory=list)  # by unpacking
    element: Usage | None = None  # by iteration
    strings: list[str] = field(default_factory=list)
    called: bool = False
    results: int = 0  # a call's result is unpacked into so many
    scalar_result: bool = False
    integer: bool = False
    counted: bool = False
    tested: bool = False
    random_key: bool = False
    tree: bool = False
    rank: int | None = None
    least_rank: int = 0
    shape: tuple[int, ...] | None = None

    @property
    def has_structure(self) -> bool:
        """True for what is no single array."""
        return bool(self.items or self.attributes or self.members or self.element or self.called)
