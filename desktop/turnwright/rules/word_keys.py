"""Word keys for a system's ids: `condition.prone`, `damage.fire`, `skill.stealth`, `check.dex:stealth`."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.rules.system_data import SystemData


def signed_text(value: int) -> str:
    """Return a number with its sign, using a typographic minus."""
    return f"\N{MINUS SIGN}{-value}" if value < 0 else f"+{value}"


def system_words(data: SystemData) -> dict[str, str]:
    """Return the texts of a system's data, keyed by word key."""
    return dict([*_named(data), *data.terms])


def keys_of_ids(data: SystemData) -> frozenset[str]:
    """Return the word keys of a game's ids."""
    return frozenset(key for key, _ in _named(data))


def _named(data: SystemData) -> Iterator[tuple[str, str]]:
    for kind, entries in (
        ("condition", data.conditions),
        ("condition", data.standing),
        ("cover", data.cover),
        ("sense", data.senses),
        ("terrain", data.terrains),
        ("resource", data.resources),
        ("resource-one", data.resources),  # the singular, as in "1 Action", which a game's terms may override
        ("action", data.actions),
        ("size", data.sizes),
        ("skill", data.skills),
        ("speed", data.speeds),
        ("ability", data.abilities),
        ("round", data.round_lengths),
    ):
        for entry in entries:
            yield f"{kind}.{entry.id}", entry.name
    for speed in data.speeds:
        yield f"condition.speed:{speed.id}", speed.name
    for damage in data.damage_types:
        yield f"damage.{damage.id}", damage.name.lower()
    terms = dict(data.terms)
    for ability in data.abilities:
        bare = terms.get(f"check.{ability.id}", ability.name)
        before, _, after = bare.partition(ability.name)  # the words around the ability, such as "… check"
        yield f"check.{ability.id}", bare
        yield f"save.{ability.id}", ability.name
        for skill in data.skills:
            yield f"check.{ability.id}:{skill.id}", f"{before}{ability.name} ({skill.name}){after}"
