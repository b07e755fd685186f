"""What happens when a countdown runs out, as data that a file can hold and a procedure can carry out."""

from __future__ import annotations

import msgspec


class Announce(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="announce"):
    """Say something to the table."""

    text: str


class AddWave(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="wave"):
    """Bring in every roster entry of the named wave; they roll initiative now."""

    wave: str


class StartCountdown(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="countdown"):
    """Start another prepared countdown, by id; it first rolls at the next top of round."""

    countdown: str


class TriggerEntry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="environment"):
    """Set off one row of an environment, such as a cave that collapses."""

    environment: str
    entry: str


class DealDamage(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="damage"):
    """Damage to everyone in the encounter, or to one side: an expression such as `2d6 cold`."""

    damage: str
    side: str = ""


Outcome = Announce | AddWave | StartCountdown | TriggerEntry | DealDamage
