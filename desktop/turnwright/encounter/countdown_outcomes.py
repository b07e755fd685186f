"""Outcomes of an expired countdown, as data that can be saved in files and applied by a procedure."""

import msgspec

from turnwright.encounter.field_specs import CountdownId, DiceText, EntryId, EnvironmentId, Side, WaveId


class Announce(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="announce"):
    """Show a text to the group."""

    text: str


class AddWave(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="wave"):
    """Add all roster entries of a wave to the fight. They roll initiative immediately."""

    wave: WaveId


class StartCountdown(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="countdown"):
    """Start another prepared countdown, which first rolls at the top of the next round."""

    countdown: CountdownId


class TriggerEntry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="environment"):
    """Trigger an environment feature or world action, such as a cave-in."""

    environment: EnvironmentId
    entry: EntryId


class DealDamage(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="damage"):
    """Deal damage to every combatant in the encounter, or to one side. It is an expression such as `2d6 cold`."""

    damage: DiceText
    side: Side = ""


Outcome = Announce | AddWave | StartCountdown | TriggerEntry | DealDamage
