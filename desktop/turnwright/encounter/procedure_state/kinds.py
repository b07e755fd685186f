"""Kinds of procedures and the names of their stages, without the functions that implement the stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

Answered = Literal["", "asked", "disrupted", "countered"]  # whether enemies have reacted to an action, and ended it


class Stage(NamedTuple):
    """A stage of a procedure kind. `Procedure.kind` and `Procedure.stage` contain its two names."""

    kind: str
    name: str


class ProcedureKind:
    """A kind of procedure with its name and its stages, in order. Each stage is an attribute, such as `FALL.land`.

    `stages` are the names of the functions that implement them. Saved fights contain these names, with hyphens, so
    renaming a stage requires a migration.
    """

    def __init__(self, name: str, stages: str) -> None:
        self.name = name
        self.stages = tuple(Stage(name, function.replace("_", "-")) for function in stages.split())
        vars(self).update(zip(stages.split(), self.stages, strict=True))

    if TYPE_CHECKING:

        def __getattr__(self, function: str) -> Stage: ...

    @property
    def first(self) -> Stage:
        """The stage at which procedures of this kind begin by default."""
        return self.stages[0]
