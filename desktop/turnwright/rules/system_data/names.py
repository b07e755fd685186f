"""Ids with the names that a table uses for them: abilities, skills, damage types, ways of moving."""

from __future__ import annotations

import msgspec


class NamedId(msgspec.Struct, frozen=True, omit_defaults=True):
    """An id with the name the table uses for it."""

    id: str
    name: str
    short: str = ""


class AbilityScale(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an ability adds to rolls: so much less than its score, by so many. `usual` is the score of who has none given.

    `maximum` is the highest score that an editor offers, `least` the lowest.
    """

    usual: int = 10
    less: int = 10
    over: int = 2
    least: int = 0
    most: int = 30

    def modifier(self, score: int) -> int:
        """Return what a score adds."""
        return (score - self.less) // self.over

    @property
    def is_modifier(self) -> bool:
        """Whether what stands in a stat block is the modifier itself."""
        return (self.less, self.over) == (0, 1)


class Skill(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill or tool with its usual ability."""

    id: str
    name: str
    ability: str


class DamageType(msgspec.Struct, frozen=True, omit_defaults=True):
    """A damage type. `group` is what several are together, where somebody may resist them all at once (`physical`)."""

    id: str
    name: str
    icon: str = ""
    group: str = ""
