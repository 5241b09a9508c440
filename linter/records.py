"""Records: dataclasses whose fields nothing assigns to again, and which cost no more than others to make."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    import dataclasses

    def record(*, frozen, eq=True, **options):
        """As `dataclasses.dataclass(frozen=True)`, compared and hashed by value unless `eq` is false.

        The type checker sees to it that no field is assigned to.  A class that is frozen at run time as well takes
        twice as long to make an instance of, and an analysis makes hundreds of thousands.
        """

        def make(cls):
            hashed = eq and "__hash__" not in cls.__dict__
            return dataclasses.dataclass(eq=eq, unsafe_hash=hashed, **options)(cls)

        return make
