"""Procedure kinds and the names of their stages, without the functions that carry the stages out."""

from __future__ import annotations

from typing import NamedTuple


class Stage(NamedTuple):
    """One stage of a procedure kind, as `Procedure.kind` and `Procedure.stage` name it."""

    kind: str
    name: str


class StageName:
    """Declares a stage in the class of a procedure kind; its name is the attribute's, with hyphens.

    The names stand in saved fights: renaming one needs a migration.
    """

    def __set_name__(self, owner: type[ProcedureKind], attribute: str) -> None:
        self._name = attribute.replace("_", "-")

    def __get__(self, kind: ProcedureKind, owner: type[ProcedureKind]) -> Stage:
        return Stage(kind.name, self._name)


class ProcedureKind:
    """Base of procedure kinds: a name, and the stages that the class declares, first to last."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages of this kind in the order in which its class declares them."""
        declared = (var for var in vars(type(self)).values() if isinstance(var, StageName))
        return tuple(one.__get__(self, type(self)) for one in declared)

    @property
    def first(self) -> Stage:
        """The stage at which a procedure of this kind begins, where nothing else is named."""
        return self.stages[0]
