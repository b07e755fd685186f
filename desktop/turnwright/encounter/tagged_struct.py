"""The base of records that are distinguished by a tag in files."""

import re

import msgspec


def kebab_case(class_name: str) -> str:
    """Return the name of a class in lower case with hyphens, such as `damage-roll` for `DamageRoll`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", class_name).lower()


class TaggedStruct(msgspec.Struct, frozen=True, omit_defaults=True, tag=kebab_case):
    """Base of records in unions. Files contain the class name as the tag, such as `damage-roll` for `DamageRoll`.

    To rename such a class, add its old tag to a migration (`resources/migrations/`).
    """


class CombatantData(TaggedStruct, frozen=True):
    """Base of the data of procedures that are first of all about a combatant, `who`."""

    who: str
