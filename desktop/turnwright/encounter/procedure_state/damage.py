"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.roll import Modifier


class DamageRoll(msgspec.Struct, frozen=True, omit_defaults=True, tag="harm"):
    """Damage that is still to be rolled: an expression, whom it strikes, and by how many halves each takes it."""

    targets: tuple[str, ...]
    damage: str
    source: str = ""
    mundane: bool = False
    share: Literal["full", "half", "double"] = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: str = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False


class TempHpChoice(msgspec.Struct, frozen=True, omit_defaults=True, tag="temporary"):
    """A choice between the temporary hit points one has and those one is given."""

    target: str
    amount: int
    source: str = ""


class DamageConsequences(msgspec.Struct, frozen=True, omit_defaults=True, tag="aftermath"):
    """What damage brings after it was taken: falling, dying, massive damage, concentration.

    `cause` is `start_attack_action` or `other`; `by` whoever dealt it, `melee` how; `taken` after all adjustment, `lost` what of it
    temporary hit points left (more than hit points there were, perhaps); `before` the hit points it found.
    """

    target: str
    damage: int
    hp_damage: int
    hp_before: int
    cause: Literal["attack", "other"] = "other"
    by: str = ""
    melee: bool = False
    critical: bool = False
    source: str = ""
