"""What a system calls its things, as word keys: `condition.prone`, `damage.fire`, `skill.stealth`, `check.dex:stealth`."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.rules.catalogue import Catalogue


def signed(value: int) -> str:
    """Return a number with its sign, a true minus."""
    return f"\N{MINUS SIGN}{-value}" if value < 0 else f"+{value}"


def terms_of(catalogue: Catalogue) -> dict[str, str]:
    """Return every word key that this system's data names, with its words."""
    return dict([*_named(catalogue), *catalogue.terms])


def _named(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    for kind, entries in (
        ("condition", catalogue.conditions),
        ("condition", catalogue.standing),
        ("cover", catalogue.cover),
        ("sense", catalogue.senses),
        ("terrain", catalogue.terrains),
        ("resource", catalogue.resources),
        ("action", catalogue.actions),
        ("size", catalogue.sizes),
        ("skill", catalogue.skills),
        ("speed", catalogue.speeds),
        ("ability", catalogue.abilities),
        ("round", catalogue.round_lengths),
    ):
        for entry in entries:
            yield f"{kind}.{entry.id}", entry.name
    for speed in catalogue.speeds:
        yield f"condition.speed:{speed.id}", speed.name
    for damage in catalogue.damage_types:
        yield f"damage.{damage.id}", damage.name.lower()
    terms = dict(catalogue.terms)
    for ability in catalogue.abilities:
        bare = terms.get(f"check.{ability.id}", ability.name)
        before, _, after = bare.partition(ability.name)  # the words around the ability, such as "… check"
        yield f"check.{ability.id}", bare
        yield f"save.{ability.id}", ability.name
        for skill in catalogue.skills:
            yield f"check.{ability.id}:{skill.id}", f"{before}{ability.name} ({skill.name}){after}"
