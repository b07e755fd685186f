"""Events about surprise and initiative."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CombatantIds
from turnwright.play.kernel.events import Event, journal


@journal("journal.surprised", kind="warn")
class Surprised(Event, frozen=True):
    """A combatant starts the encounter surprised."""

    who: CombatantId


@journal("journal.nobody_surprised")
class NoSurprise(Event, frozen=True, tag="NobodySurprised"):
    """No combatant is surprised."""


@journal("journal.initiative_{how}", when={"before": "journal.initiative_shifted_before"}, joins=("who",))
class InitiativeSet(Event, frozen=True):
    """An initiative total was set.

    `how` is `rolled`, `kept`, `entered`, `fixed`, `mounted`, `shifted`, `delayed` or `moved`. If it was shifted,
    `before` is the combatant just after the new place.
    """

    who: CombatantId
    total: int
    how: str
    before: CombatantId = ""


@journal("journal.order_settled")
class InitiativeOrderSet(Event, frozen=True, tag="OrderSettled"):
    """The turn order was settled, with the highest total first."""

    who: CombatantIds
