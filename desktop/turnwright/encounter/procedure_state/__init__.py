"""Records of procedures in progress and of declared actions, and the union of all procedure data."""

from typing import ClassVar

import msgspec

from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state import (
    actions,
    asks,
    attacks,
    damage,
    effects,
    environment,
    movement,
    spawning,
    turn_order,
    turns,
)
from turnwright.encounter.procedure_state.kinds import ProcedureKind, Stage

ProcedureData = (
    asks.Data | turn_order.Data | effects.Data | movement.Data | spawning.Data | damage.Data | environment.Data
    | attacks.Data | actions.Data | turns.Data
)  # fmt: skip
_MODULES = (asks, turn_order, effects, movement, spawning, damage, environment, attacks, actions, turns)
KINDS: tuple[ProcedureKind, ...] = tuple(
    one for module in _MODULES for one in vars(module).values() if isinstance(one, ProcedureKind)
)


class Declaration(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared action that can still be reacted to. Its `procedure` waits until the declaration is resolved.

    `name` is its label. `responds_to` is the declaration that it reacts to, or empty. `reserved` is its future cost by
    resource, which can't be spent on anything else in the meantime. `is_movement`: it resolves after all declarations
    of other actions. `rules_overridden`: it is carried out although a rule forbids it.
    """

    table: ClassVar[str] = "announcements"

    id: str
    who: str
    procedure: str
    name: str
    responds_to: str = ""
    reserved: NamedNumbers = ()
    targets: tuple[str, ...] = ()
    is_movement: bool = False
    rules_overridden: bool = False


class Procedure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A workflow in progress. `kind` and `stage` name the function that continues it. `parent` waits until it ends."""

    table: ClassVar[str] = "procedures"

    id: str
    kind: str
    stage: str
    data: ProcedureData
    parent: str = ""

    @property
    def at(self) -> Stage:
        """The stage that continues this procedure."""
        return Stage(self.kind, self.stage)
