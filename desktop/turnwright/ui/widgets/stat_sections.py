"""A stat block in words, before any drawing: which lines it has, what leads them, and what in them can be rolled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import floor

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.dice.terms import write
from turnwright.encounter.prepared import Creature, Feature, Figures
from turnwright.rules.catalogue import Catalogue
from turnwright.ui.say import say
from turnwright.ui.widgets.why import signed

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
COSTS = ("trait", "action", "bonus", "reaction", "legendary", "free")
_DICE_IN_TEXT = re.compile(r"\b[1-9]\d{0,2}d(?:4|6|8|10|12|20|100)(?:\s?[+\-−]\s?\d{1,3})?\b")


class Piece(msgspec.Struct, frozen=True):
    """A stretch of text; with `roll` it can be clicked, and `label` says what the roll is."""

    text: str
    roll: str = ""
    label: str = ""


class Line(msgspec.Struct, frozen=True):
    """A paragraph with its bold lead-in."""

    lead: str
    pieces: tuple[Piece, ...]


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


class _Names:
    """The table's words for ids, from the catalogue; an id that it lacks is written as it is."""

    def __init__(self, catalogue: Catalogue | None) -> None:
        self.abilities = {entry.id: entry.name for entry in catalogue.abilities} if catalogue else {}
        self.ability_shorts = {entry.id: entry.short for entry in catalogue.abilities} if catalogue else {}
        self.skills = {entry.id: entry.name for entry in catalogue.skills} if catalogue else {}
        self.sizes = {entry.id: entry.name for entry in catalogue.sizes} if catalogue else {}
        self.damage = {entry.id: entry.name for entry in catalogue.damage_types} if catalogue else {}
        self.conditions = {entry.id: entry.name for entry in catalogue.conditions} if catalogue else {}
        self.speeds = {entry.id: entry.name for entry in catalogue.speeds} if catalogue else {}


def stat_sections(creature: Creature, catalogue: Catalogue | None = None) -> StatSections:
    """Return a creature's stat block as lines, in the words of the catalogue where it has them."""
    names = _Names(catalogue)
    return StatSections(
        name=creature.name or say("ui.stat.unnamed"),
        kind=_kind(creature, names),
        rating=say("ui.stat.rating", rating=creature.rating) if creature.rating else "",
        vital=_vital(creature, names),
        abilities=tuple(_ability(creature, ability, names) for ability in ABILITIES),
        further=tuple(_further(creature, names)),
        features=tuple(_features(creature)),
        notes=creature.notes,
    )


def pieces_of_text(text: str, label: str) -> tuple[Piece, ...]:
    """Return running text with the dice in it as rolls."""
    pieces = []
    end = 0
    for found in _DICE_IN_TEXT.finditer(text):
        if found.start() > end:
            pieces.append(Piece(text[end : found.start()]))
        pieces.append(Piece(found.group(), found.group().replace("−", "-").replace(" ", ""), label))
        end = found.end()
    if end < len(text):
        pieces.append(Piece(text[end:]))
    return tuple(pieces)


def _kind(creature: Creature, names: _Names) -> str:
    size = names.sizes.get(creature.size, creature.size).capitalize()
    tags = f" ({', '.join(creature.tags)})" if creature.tags else ""
    return f"{size} {creature.type}{tags}"


def _vital(creature: Creature, names: _Names) -> tuple[Line, ...]:
    note = f" ({creature.ac_note})" if creature.ac_note else ""
    hp = [Piece(str(creature.hp))]
    if creature.hit_dice:
        label = say("ui.stat.hp")
        hp += [Piece(" ("), Piece(creature.hit_dice, creature.hit_dice, f"{creature.name}: {label}"), Piece(")")]
    lines = [
        Line(say("ui.stat.ac"), (Piece(f"{creature.ac}{note}"),)),
        Line(say("ui.stat.hp"), tuple(hp)),
        Line(say("ui.stat.speed"), (Piece(_speeds(creature, names)),)),
    ]
    if creature.initiative is not None:
        bonus = signed(creature.initiative)
        roll = Piece(bonus, _d20(creature.initiative), f"{creature.name}: {say('ui.stat.initiative')}")
        lines.append(Line(say("ui.stat.initiative"), (roll,)))
    return tuple(lines)


def _speeds(creature: Creature, names: _Names) -> str:
    parts = []
    for id, feet in creature.speeds:
        distance = say("ui.stat.feet", n=feet)
        parts.append(distance if id == "walk" else f"{names.speeds.get(id, id).lower()} {distance}")
    if creature.hovers:
        parts.append(say("ui.stat.hovers"))
    return ", ".join(parts) or "—"


def _ability(creature: Creature, ability: str, names: _Names) -> AbilityCell:
    score = getattr(creature.abilities, {"str": "str_", "int": "int_"}.get(ability, ability))
    modifier = (score - 10) // 2
    short = names.ability_shorts.get(ability) or ability
    label = f"{creature.name}: {names.abilities.get(ability, short.upper())}"
    return AbilityCell(short.upper(), score, Piece(signed(modifier), _d20(modifier), label))


def _further(creature: Creature, names: _Names) -> Iterable[Line]:
    saves = _bonuses(creature, creature.saves, names.ability_shorts, "ui.stat.save-of")
    skills = _bonuses(creature, creature.skills, names.skills, "ui.stat.check-of")
    rows: list[tuple[str, tuple[Piece, ...]]] = [
        ("saves", saves),
        ("skills", skills),
        ("vulnerabilities", _listed(creature.vulnerabilities, names.damage)),
        ("resistances", _listed(creature.resistances, names.damage)),
        ("immunities", _immunities(creature, names)),
        ("condition-immunities", _listed(creature.condition_immunities, names.conditions)),
        ("senses", _senses(creature.senses)),
        ("languages", (Piece(creature.languages),) if creature.languages else ()),
        ("gear", _listed(creature.gear, {})),
    ]
    for key, pieces in rows:
        if pieces:
            yield Line(say(f"ui.stat.{key}"), pieces)


def _bonuses(creature: Creature, figures: Figures, names: Mapping[str, str], key: str) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for id, bonus in figures:
        name = (names.get(id) or id).capitalize()
        if pieces:
            pieces.append(Piece(", "))
        pieces.append(Piece(f"{name} "))
        pieces.append(Piece(signed(bonus), _d20(bonus), f"{creature.name}: {say(key, name=name)}"))
    return tuple(pieces)


def _listed(ids: Iterable[str], names: Mapping[str, str]) -> tuple[Piece, ...]:
    text = ", ".join((names.get(id) or id.replace("-", " ")).lower() for id in ids)
    return (Piece(text),) if text else ()


def _immunities(creature: Creature, names: _Names) -> tuple[Piece, ...]:
    listed = _listed(creature.immunities, names.damage)
    if not creature.mundane_immunity:
        return listed
    text = say("ui.stat.mundane")
    return (Piece(f"{listed[0].text}; {text}" if listed else text),)


def _senses(senses: Figures) -> tuple[Piece, ...]:
    text = ", ".join(f"{id.replace('-', ' ')} {say('ui.stat.feet', n=feet)}" for id, feet in senses)
    return (Piece(text),) if text else ()


def _features(creature: Creature) -> Iterable[tuple[str, tuple[Line, ...]]]:
    for cost in COSTS:
        lines = tuple(_feature(creature, feature) for feature in creature.features if feature.cost == cost)
        if lines:
            yield ("" if cost == "trait" else say(f"ui.stat.cost-{cost}"), lines)


def _feature(creature: Creature, feature: Feature) -> Line:
    label = f"{creature.name}: {feature.name}"
    pieces: list[Piece] = []
    if feature.attack is not None:
        pieces += _attack(feature, feature.attack, label)
    if feature.save:
        text = say("ui.stat.save", ability=feature.save.upper(), dc=feature.dc)
        pieces += [Piece(f"{text}. " if feature.attack is None else f" {text}. ")]
    if feature.damage:
        lead = say("ui.stat.hit") if feature.attack is not None else say("ui.stat.damage")
        pieces += [Piece(f"{lead} "), *_damage(feature.damage, label), Piece(". ")]
    pieces += pieces_of_text(feature.text, label)
    return Line(f"{feature.name}{_limits(feature)}.", tuple(pieces))


def _attack(feature: Feature, bonus: int, label: str) -> list[Piece]:
    pieces = [Piece(say("ui.stat.to-hit", bonus=signed(bonus)), _d20(bonus), label)]
    if feature.reach:
        pieces.append(Piece(f", {say('ui.stat.reach', n=feature.reach)}"))
    if feature.range:
        pieces.append(Piece(f", {say('ui.stat.range', range=feature.range)}"))
    return [*pieces, Piece(". ")]


def _damage(text: str, label: str) -> list[Piece]:
    try:
        expression = parse(text)
    except DiceError:
        return [Piece(text)]
    shown = []
    for part in expression.parts:
        kind = f" {part.kind}" if part.kind else ""
        dice = write(part.terms).removesuffix(kind)
        shown.append(f"{floor(part.mean)} ({dice}){kind}" if part.dice else f"{dice}{kind}")
    return [Piece(f" {say('ui.stat.plus')} ".join(shown), text, label)]


def _limits(feature: Feature) -> str:
    parts = []
    if feature.recharge:
        face = str(feature.recharge) if feature.recharge >= 6 else f"{feature.recharge}–6"
        parts.append(say("ui.stat.recharge", faces=face))
    if feature.uses:
        parts.append(say("ui.stat.uses", n=feature.uses))
    return f" ({', '.join(parts)})" if parts else ""


def _d20(bonus: int) -> str:
    return f"1d20{bonus:+d}" if bonus else "1d20"
