"""Ids with their names: abilities, skills, damage types, modes of movement."""

import msgspec

from turnwright.encounter.field_specs import AbilityId


class NamedId(msgspec.Struct, frozen=True, omit_defaults=True):
    """An id with its name."""

    id: str
    name: str
    short: str = ""


class AbilityScale(msgspec.Struct, frozen=True, omit_defaults=True):
    """The scale of ability scores: the modifier is the score minus `less`, divided by `over`.

    `usual` is the default score. `most` is the highest score that an editor offers, `least` the lowest.
    """

    usual: int = 10
    less: int = 10
    over: int = 2
    least: int = 0
    most: int = 30

    def modifier(self, score: int) -> int:
        """Return the modifier for a score."""
        return (score - self.less) // self.over

    @property
    def is_modifier(self) -> bool:
        """Return whether stat blocks give the modifier itself."""
        return (self.less, self.over) == (0, 1)


class Skill(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill or tool with its default ability. `of_subjects`: each subject has its own, such as `lore-mining`."""

    id: str
    name: str
    ability: AbilityId
    of_subjects: bool = False


class DamageType(msgspec.Struct, frozen=True, omit_defaults=True):
    """A damage type. `group` is a group of types, which a creature may resist all at once (`physical`)."""

    id: str
    name: str
    icon: str = ""
    group: str = ""
