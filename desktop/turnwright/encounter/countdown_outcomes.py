"""Outcomes of an expired countdown, as data that can be saved in files and applied by a procedure."""

from turnwright.encounter.field_specs import CountdownId, DiceText, EntryId, EnvironmentId, Side, WaveId
from turnwright.encounter.tagged_struct import TaggedStruct


class _Outcome(TaggedStruct, frozen=True, tag_field="kind"):
    """Base of the outcomes."""


class Announce(_Outcome, frozen=True):
    """Show a text to the group."""

    text: str
    """The text that is shown. Example: `The ice gives way.`"""


class AddWave(_Outcome, frozen=True):
    """Add all roster entries of a wave to the fight. They roll initiative immediately."""

    wave: WaveId
    """The id of the wave. Example: `second-boat`."""


class StartCountdown(_Outcome, frozen=True):
    """Start another prepared countdown, which first rolls at the top of the next round."""

    countdown: CountdownId
    """The id of the countdown. Example: `flood`."""


class TriggerEntry(_Outcome, frozen=True):
    """Trigger an environment feature or world action, such as a cave-in."""

    environment: EnvironmentId
    """The id of the environment. Example: `lair`."""
    entry: EntryId
    """The id of its feature or world action. Example: `cave-in`."""


class DealDamage(_Outcome, frozen=True):
    """Deal damage to every combatant in the encounter, or to one side. It is an expression such as `2d6 cold`."""

    damage: DiceText
    """The damage as dice with a type. Example: `2d6 cold`."""
    side: Side = ""
    """The side that takes the damage. Empty means every combatant."""


Outcome = Announce | AddWave | StartCountdown | TriggerEntry | DealDamage
