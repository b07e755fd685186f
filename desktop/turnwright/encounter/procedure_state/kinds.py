"""Kinds of procedures and the names of their stages, without the functions that implement the stages."""

from __future__ import annotations

from typing import Literal, NamedTuple

Answered = Literal["", "asked", "disrupted", "countered"]  # whether enemies have reacted to an action, and ended it


class Stage(NamedTuple):
    """A stage of a procedure kind. `Procedure.kind` and `Procedure.stage` contain its two names."""

    kind: str
    name: str


class StageName:
    """Declares a stage of a procedure kind. Its name is the attribute's name, with hyphens.

    Saved fights contain the names, so renaming a stage requires a migration.
    """

    def __set_name__(self, owner: type[ProcedureKind], attribute: str) -> None:
        self._name = attribute.replace("_", "-")

    def __get__(self, kind: ProcedureKind, owner: type[ProcedureKind]) -> Stage:
        return Stage(kind.name, self._name)


class ProcedureKind:
    """Base class of procedure kinds. A kind has a name, and declares its stages in order."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages of this kind, in order of declaration."""
        declared = (var for var in vars(type(self)).values() if isinstance(var, StageName))
        return tuple(one.__get__(self, type(self)) for one in declared)

    @property
    def first(self) -> Stage:
        """The stage at which procedures of this kind begin by default."""
        return self.stages[0]
