"""A stat block in words, before any drawing: which lines it has, what leads them, and what in them can be rolled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from turnwright.encounter.prepared import Creature, Figures
from turnwright.rules.catalogue import Catalogue
from turnwright.ui.say import say
from turnwright.ui.widgets.stat_features import features_of
from turnwright.ui.widgets.stat_pieces import Line, Names, Piece, d20, pieces_of_text
from turnwright.ui.widgets.why import signed

__all__ = ["AbilityCell", "Line", "Piece", "StatSections", "pieces_of_text", "stat_sections"]

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
BARE_REACH = Creature("", "").reach


class AbilityCell(msgspec.Struct, frozen=True):
    """One ability: short name, score, and its modifier as a roll."""

    name: str
    score: int
    modifier: Piece


class StatSections(msgspec.Struct, frozen=True):
    """All of a stat block. `features` pairs a heading (empty for traits) with its lines."""

    name: str
    kind: str
    rating: str
    vital: tuple[Line, ...]
    abilities: tuple[AbilityCell, ...]
    further: tuple[Line, ...]
    features: tuple[tuple[str, tuple[Line, ...]], ...]
    notes: str


def stat_sections(creature: Creature, catalogue: Catalogue | None = None) -> StatSections:
    """Return a creature's stat block as lines, in the words of the catalogue where it has them."""
    names = Names(catalogue)
    return StatSections(
        name=creature.name or say("ui.stat.unnamed"),
        kind=_kind(creature, names),
        rating=_rating(creature),
        vital=_vital(creature, names),
        abilities=tuple(_ability(creature, ability, names) for ability in ABILITIES),
        further=tuple(_further(creature, names)),
        features=tuple(features_of(creature, names)),
        notes=creature.notes,
    )


def _kind(creature: Creature, names: Names) -> str:
    size = names.sizes.get(creature.size, creature.size).capitalize()
    tags = f" ({', '.join(creature.tags)})" if creature.tags else ""
    space = f", {say('ui.stat.space', n=creature.space)}" if creature.space else ""
    return f"{size} {creature.type}{tags}{space}"


def _rating(creature: Creature) -> str:
    parts = [say("ui.stat.rating", rating=creature.rating)] if creature.rating else []
    if creature.level:
        parts.append(say("ui.roster.level", n=creature.level))
    return ", ".join(parts)


def _vital(creature: Creature, names: Names) -> tuple[Line, ...]:
    note = f" ({creature.ac_note})" if creature.ac_note else ""
    hp = [Piece(str(creature.hp))]
    if creature.hit_dice:
        label = say("ui.stat.hp")
        hp += [Piece(" ("), Piece(creature.hit_dice, creature.hit_dice, f"{creature.name}: {label}", "hp"), Piece(")")]
    lines = [
        Line(say("ui.stat.ac"), (Piece(f"{creature.ac}{note}"),)),
        Line(say("ui.stat.hp"), tuple(hp)),
        Line(say("ui.stat.speed"), (Piece(_speeds(creature, names)),)),
    ]
    if creature.initiative is not None:
        bonus = signed(creature.initiative)
        label = f"{creature.name}: {say('ui.stat.initiative')}"
        roll = Piece(bonus, d20(creature.initiative), label, "initiative")
        lines.append(Line(say("ui.stat.initiative"), (roll,)))
    return tuple(lines)


def _speeds(creature: Creature, names: Names) -> str:
    parts = []
    for id, feet in creature.speeds:
        distance = say("ui.stat.feet", n=feet)
        parts.append(distance if id == "walk" else f"{names.speeds.get(id, id).lower()} {distance}")
    if creature.hovers:
        parts.append(say("ui.stat.hovers"))
    return ", ".join(parts) or "—"


def _ability(creature: Creature, ability: str, names: Names) -> AbilityCell:
    score = getattr(creature.abilities, {"str": "str_", "int": "int_"}.get(ability, ability))
    modifier = (score - 10) // 2
    short = names.ability_shorts.get(ability) or ability
    label = f"{creature.name}: {names.abilities.get(ability, short.upper())}"
    return AbilityCell(short.upper(), score, Piece(signed(modifier), d20(modifier), label, f"ability:{ability}"))


def _further(creature: Creature, names: Names) -> Iterable[Line]:
    saves = _bonuses(creature, creature.saves, names.ability_shorts, "save")
    skills = _bonuses(creature, creature.skills, names.skills, "skill")
    rows: list[tuple[str, tuple[Piece, ...]]] = [
        ("saves", saves),
        ("skills", skills),
        ("vulnerabilities", _listed(creature.vulnerabilities, names.damage)),
        ("resistances", _listed(creature.resistances, names.damage)),
        ("immunities", _immunities(creature, names)),
        ("condition-immunities", _listed(creature.condition_immunities, names.conditions)),
        ("senses", _senses(creature, names)),
        ("languages", _plain(creature.languages)),
        ("gear", _listed(creature.gear, _gear_names(creature))),
        ("specialties", _listed(creature.specialties, {})),
        ("proficiency", _plain(signed(creature.proficiency) if creature.proficiency else "")),
        ("maneuver-dc", _plain(str(creature.maneuver_dc or ""))),
        ("attacking", _attacking(creature)),
        ("spellcasting", _plain(names.abilities.get(creature.spellcasting, creature.spellcasting))),
        ("slots", _slots(creature.slots)),
    ]
    for key, pieces in rows:
        if pieces:
            yield Line(say(f"ui.stat.{key}"), pieces)


def _bonuses(creature: Creature, figures: Figures, names: Mapping[str, str], kind: str) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    key = "ui.stat.save-of" if kind == "save" else "ui.stat.check-of"
    for id, bonus in figures:
        name = (names.get(id) or id).capitalize()
        if pieces:
            pieces.append(Piece(", "))
        pieces.append(Piece(f"{name} "))
        pieces.append(Piece(signed(bonus), d20(bonus), f"{creature.name}: {say(key, name=name)}", f"{kind}:{id}"))
    return tuple(pieces)


def _gear_names(creature: Creature) -> dict[str, str]:
    """Return the table's words for what somebody wears, those that there are."""
    said = {id: (f"statement.{id}", say(f"statement.{id}")) for id in creature.gear}
    return {id: words for id, (key, words) in said.items() if words != key}


def _listed(ids: Iterable[str], names: Mapping[str, str]) -> tuple[Piece, ...]:
    text = ", ".join((names.get(id) or id.replace("-", " ")).lower() for id in ids)
    return (Piece(text),) if text else ()


def _immunities(creature: Creature, names: Names) -> tuple[Piece, ...]:
    listed = _listed(creature.immunities, names.damage)
    if not creature.mundane_immunity:
        return listed
    text = say("ui.stat.mundane")
    return (Piece(f"{listed[0].text}; {text}" if listed else text),)


def _plain(text: str) -> tuple[Piece, ...]:
    return (Piece(text),) if text else ()


def _senses(creature: Creature, names: Names) -> tuple[Piece, ...]:
    parts = [f"{id.replace('-', ' ')} {say('ui.stat.feet', n=feet)}" for id, feet in creature.senses]
    for skill, score in creature.passives:
        parts.append(say("ui.stat.passive", skill=names.skills.get(skill) or skill.capitalize(), n=score))
    return _plain(", ".join(parts))


def _attacking(creature: Creature) -> tuple[Piece, ...]:
    parts = [say("ui.stat.attacks", n=creature.attacks)] if creature.attacks > 1 else []
    parts += [say("ui.stat.extra-attack")] if creature.extra_attack else []
    parts += [say("ui.stat.bare-reach", n=creature.reach)] if creature.reach != BARE_REACH else []
    return _plain(", ".join(parts))


def _slots(slots: Figures) -> tuple[Piece, ...]:
    return _plain(", ".join(say("ui.stat.slots-of", level=level, n=count) for level, count in slots if count))
