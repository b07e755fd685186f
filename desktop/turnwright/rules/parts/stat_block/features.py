"""The traits and actions of a stat block in words: their rolls, their effects on a hit, and their limits."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor

import msgspec

from turnwright.dice.ast import format_terms
from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.rules.parts.attacks.weapon_kind import is_spell
from turnwright.rules.parts.stat_block.attack_bonus import calculated_bonus, damage_with
from turnwright.rules.parts.stat_block.prose import remaining_prose
from turnwright.rules.parts.stat_block.text_runs import Paragraph, StatBlockNames, TextRun, die_text, runs_of_text
from turnwright.rules.word_keys import signed_text

_BARE = Feature("", "")
# What a list of spells says of each, or what is known of a spell by its name.
_LISTED_FIELDS = (
    *(
        "id",
        "name",
        "cost",
        "price",
        "text",
        "properties",
        "uses",
        "per",
        "level",
        "concentration",
        "range",
        "area",
        "read",
    ),
)
COSTS = ("trait", "action", "bonus", "reaction", "legendary", "lair", "free")


def feature_paragraphs(creature: Creature, names: StatBlockNames) -> Iterable[tuple[str, tuple[Paragraph, ...]]]:
    """Yield a heading (empty for traits) with its lines for each kind of feature that a creature has."""
    shown = [one for one in creature.features if not _is_in_list(creature, one)]
    for cost in COSTS:
        lines = tuple(_feature(creature, feature, names) for feature in shown if feature.cost == cost)
        if lines:
            yield (_cost_heading(creature, cost, names), lines)


def _is_in_list(creature: Creature, feature: Feature) -> bool:
    """Return whether a spell has no figures of its own, so that the list which names it says all of it."""
    if not is_spell(feature) or feature.cost == "trait":
        return False
    bare = msgspec.structs.replace(feature, **{name: getattr(_BARE, name) for name in _LISTED_FIELDS})
    if bare != _BARE:
        return False
    lists = (one for one in creature.features if one.cost in ("trait", "action") and one.does)
    return any(feature.name.lower() in one.text.lower() for one in lists)


def _cost_heading(creature: Creature, cost: str, names: StatBlockNames) -> str:
    if cost == "trait":
        return ""
    heading = names.say(f"ui.stat.cost-{cost}")
    if cost == "legendary" and creature.legendary:
        return f"{heading} ({names.say('ui.stat.a-round', n=creature.legendary)})"
    return heading


def _feature(creature: Creature, feature: Feature, names: StatBlockNames) -> Paragraph:
    label = f"{creature.name}: {feature.name}"
    found = calculated_bonus(names.data, creature, feature)
    bonus = found.total if found is not None else feature.attack
    damage = damage_with(feature.damage, found.damage_modifier) if found is not None else feature.damage
    pieces: list[TextRun] = []
    if bonus is not None:
        pieces += _attack(feature, bonus, label, names)
    if feature.save:
        own = dict(names.data.presentation.saves).get(feature.save)
        text = names.say("ui.stat.save", ability=own or feature.save.upper(), dc=feature.dc)
        pieces += [TextRun(f"{text}. ")]
    if feature.area:
        pieces += [TextRun(f"{names.say('ui.stat.area', area=feature.area)}. ")]
    if damage:
        lead = names.say("ui.stat.hit") if bonus is not None else names.say("ui.stat.damage")
        share = "ui.stat.half-by-degrees" if names.data.checks.degrees else "ui.stat.half"
        half = f" ({names.say(share)})" if feature.half and not feature.save_damage else ""
        pieces += [TextRun(f"{lead} "), *_damage(damage, label, names), TextRun(half)]
        for other in feature.other_damage:
            dealt = other.damage if found is None else damage_with(other.damage, found.damage_modifier)
            pieces += [
                TextRun(f", {names.say('ui.stat.or')} "),
                *_damage(dealt, f"{label}, {other.name}", names),
                TextRun(f" {other.name}"),
            ]
        pieces += [TextRun(". ")]
    if feature.save_damage:
        half = f" ({names.say('ui.stat.half')})" if feature.half else ""
        pieces += [
            TextRun(f"{names.say('ui.stat.failed-save')} "),
            *_damage(feature.save_damage, label, names),
            TextRun(f"{half}. "),
        ]
    if feature.heals and not feature.trigger:
        pieces += [TextRun(f"{names.say('ui.stat.regains')} "), *_damage(feature.heals, label, names), TextRun(". ")]
    pieces += [TextRun(f"{text}. ") for text in _effects(feature, names)]
    called = {one.id: one.name for one in creature.features}
    pieces += runs_of_text(remaining_prose(feature, called, bonus, damage), label)
    about = f"feature:{feature.id}"
    runs = (msgspec.structs.replace(piece, about=about) if piece.roll else piece for piece in pieces)
    return Paragraph(f"{feature.name}{_price(feature, names)}{_limits(creature, feature, names)}.", tuple(runs), about)


def _price(feature: Feature, names: StatBlockNames) -> str:
    """Return a feature's cost as the game writes it behind a name."""
    shown = names.data.presentation
    costs = [shown.price(feature.cost, feature.price), *(shown.price(pool, price) for pool, price in feature.spends)]
    text = ", ".join(cost for cost in costs if cost)
    return f" ({text})" if any(letter.isalnum() for letter in text) else f" {text}" if text else ""


def _effects(feature: Feature, names: StatBlockNames) -> Iterable[str]:
    """Yield the effects on targets that are hit or fail the save."""
    grouped: dict[tuple[str, str], list[InflictedCondition]] = {}
    for one in feature.afflictions:
        name = (names.conditions.get(one.condition) or one.condition.replace("-", " ")).capitalize()
        parts = [names.say(f"ui.inflicted-condition.ends-{one.ends}")] if one.ends != "never" else []
        parts += [names.say("ui.stat.escape", dc=one.escape_dc)] if one.escape_dc else []
        grouped.setdefault((name, ", ".join(parts)), []).append(one)
    for (name, limits), several in grouped.items():
        levels = dict.fromkeys(
            " ".join(part for part in (str(one.value or ""), _on_degree(one, names)) if part) for one in several
        )
        said = f"{name} {', '.join(levels)}".strip()
        yield f"{said} ({limits})" if limits else said
    if feature.ongoing:
        yield names.say("ui.stat.ongoing", damage=feature.ongoing)
    if feature.push:
        yield names.say("ui.stat.push", n=feature.push)


def _on_degree(one: InflictedCondition, names: StatBlockNames) -> str:
    """Return the degree of success that inflicts a condition, in brackets; empty where any failure does."""
    return f"({names.say(f'degree.{one.degree}')})" if one.degree else ""


def _attack(feature: Feature, bonus: int, label: str, names: StatBlockNames) -> list[TextRun]:
    pieces = [
        TextRun(names.say("ui.stat.to-hit", bonus=signed_text(bonus)), die_text(names.data.checks.die, bonus), label)
    ]
    if feature.reach:
        pieces.append(TextRun(f", {names.say('ui.stat.reach', n=feature.reach)}"))
    if feature.range:
        pieces.append(TextRun(f", {names.say('ui.stat.range', range=feature.range)}"))
    return [*pieces, TextRun(". ")]


def _damage(text: str, label: str, names: StatBlockNames) -> list[TextRun]:
    shown = damage_with_average(text, f" {names.say('ui.stat.plus')} ")
    return [TextRun(text) if shown is None else TextRun(shown, text, label)]


def damage_with_average(damage: str, plus: str = " + ") -> str | None:
    """Return damage with the average of each part before its dice, None for an unreadable text."""
    try:
        expression = parse(damage)
    except DiceError:
        return None
    shown = []
    for part in expression.parts:
        kind = f" {part.kind}" if part.kind else ""
        dice = format_terms(part.terms).removesuffix(kind)
        shown.append(f"{floor(part.mean)} ({dice}){kind}" if part.dice else f"{dice}{kind}")
    return plus.join(shown)


def _limits(creature: Creature, feature: Feature, names: StatBlockNames) -> str:
    parts = []
    if feature.level is not None:
        parts.append(names.say("ui.stat.spell", level=feature.level) if feature.level else names.say("ui.stat.cantrip"))
    if feature.concentration:
        parts.append(names.say("ui.stat.concentration"))
    if feature.multiattack:
        parts.append(_multiattack_text(creature, feature, names))
    elif feature.attacks:
        parts.append(names.say("ui.stat.multiattack", n=feature.attacks))
    if feature.recharge:
        parts.append(names.say("ui.stat.recharge", faces=recharge_faces(feature)))
    if feature.uses:
        parts.append(names.say("ui.stat.uses", n=feature.uses, per=names.say(f"ui.feature.per-{feature.per}")))
    if feature.cost == "legendary" and feature.price != 1:
        parts.append(names.say("ui.stat.price", n=feature.price))
    return f" ({', '.join(parts)})" if parts else ""


def _multiattack_text(creature: Creature, feature: Feature, names: StatBlockNames) -> str:
    """Return the attacks of a multiattack, each variant of it."""
    called = {one.id: one.name for one in creature.features}
    ways = [
        ", ".join(names.say("ui.stat.one-of-many", n=count, name=called.get(id, id)) for id, count in way)
        for way in feature.multiattack
    ]
    return f" {names.say('ui.stat.or')} ".join(ways)


def recharge_faces(feature: Feature) -> str:
    """Return the faces that recharge a feature, as they are written (`5–6`)."""
    return str(feature.recharge) if feature.recharge >= 6 else f"{feature.recharge}–6"
