"""Creates features of the 5e family from names and prose. Numbers in structured data take precedence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, OtherDamage
from turnwright.importers.statblock_text.damage import dice_problem_in
from turnwright.importers.statblock_text.feature_names import read_feature_name
from turnwright.importers.statblock_text.feature_text import read_prose
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.statblock_text.multiattacks import read_multiattack
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator, slug

_REMEMBERED: Final = 2_000  # longer texts are not cached
_SPELL = re.compile(r"\(?(?:\d(?:st|nd|rd|th)-level|cantrip)\b", re.IGNORECASE)
_DICE: Final = frozenset({"damage", "save_damage", "ongoing"})
_NO_ROLL: Final = "not a possible roll; kept as text only"
_Told = tuple[str, str, str]  # field, text, why


def feature_of(
    ids: IdAllocator,
    name: str,
    text: str,
    cost: str,
    report: ConversionReport,
    known: Mapping[str, Any] | None = None,
    *,
    hit: bool = False,
) -> Feature:
    """Create a feature from its name and prose. The `known` numbers, keyed by field, take precedence.

    Differences between the prose and a known number are reported. The feature's `read` lists the fields that are only
    in the prose. `hit`: the feature is an attack, even if its prose doesn't say so.
    """
    hit = hit or (known is not None and "attack" in known)
    make = _remembered if len(text) < _REMEMBERED else _made
    feature, notes = make(name, text, cost, hit, tuple(known.items()) if known else ())
    for field, words, why in notes:
        report.add_note(field, words, why)
    id = ids.allocate(feature.name)
    return feature if id == feature.id else msgspec.structs.replace(feature, id=id)


def _made(
    name: str, text: str, cost: str, hit: bool, given: tuple[tuple[str, Any], ...]
) -> tuple[Feature, tuple[_Told, ...]]:
    """Create a feature from a name, a text and the numbers `given` by field. Also return notes on it.

    The result doesn't depend on the creature: the id is only based on the name. Invalid dice expressions are reported,
    and added to the text if they were given.
    """
    named = read_feature_name(name)
    text = plain_text(text)
    figures, notes = read_prose(text, hit=hit)
    for field in [field for field in figures if field in _DICE and dice_problem_in(figures[field])]:
        notes.append((field, figures.pop(field), _NO_ROLL))
    if named.recharge:
        figures["recharge"] = named.recharge
    if named.uses:
        figures["uses"] = named.uses
    if named.price != 1:
        figures["price"] = named.price
    components = named.rest or (text[:60] if text.startswith("(") else "")
    if _SPELL.match(components):  # not `level`, which requires slots; stat blocks that list spells as actions have none
        figures["properties"] = ("spell",)
        if "oncentration" in components.partition(")")[0]:
            figures["concentration"] = True
    limited = named.uses or any(field == "uses" and value for field, value in given)
    if limited and named.name.startswith("Legendary Resistance") and "succeed" in text:
        figures["properties"] = ("legendary-resistance",)
    read = dict.fromkeys(figures)
    if named.uses and named.per != "day":
        figures["per"] = named.per
    for field, stated in given:
        value = stated
        if field == "other_damage":
            value, lost = _sound(stated)
            notes += [(field, other.damage, _NO_ROLL) for other in lost]
            text = "\n".join((text, *(f"Damage {other.name}: {other.damage}." for other in lost))).strip()
            if not value:
                continue
        in_prose = figures.get(field, value)
        if field in _DICE and value and dice_problem_in(value):
            notes.append((field, value, _NO_ROLL))
            text = f"{text}\n{field.replace('_', ' ').capitalize()}: {value}.".strip()
            continue
        if in_prose != value and not (field in _DICE and _same_dice(in_prose, value)):
            notes.append((field, f"{in_prose}", f"data value {value} used; the text says {in_prose}"))
        figures[field] = value
        read.pop(field, None)
    called = named.name or "Nameless"
    feature = Feature(slug(called), called, cost, text=text, read=tuple(read), **figures)  # type: ignore[arg-type]  # a cost by contract
    return feature, tuple((f"{name}: {field}", words, why) for field, words, why in notes)


def _sound(others: Sequence[OtherDamage]) -> tuple[tuple[OtherDamage, ...], tuple[OtherDamage, ...]]:
    """Split alternatives into those with valid dice expressions and those without."""
    lost = tuple(other for other in others if dice_problem_in(other.damage))
    return tuple(other for other in others if other not in lost), lost


_remembered = lru_cache(maxsize=4096)(_made)


def _same_dice(one: str, other: str) -> bool:
    return one.replace(" ", "").lower() == other.replace(" ", "").lower()


def with_multiattacks(features: tuple[Feature, ...], report: ConversionReport) -> tuple[Feature, ...]:
    """Return the features after adding to each Multiattack the features that it combines, with counts."""
    for at, feature in enumerate(features):
        if feature.name.startswith("Multiattack") and not feature.multiattack:
            multiattack = read_multiattack(feature, features, report)
            if multiattack is not feature:
                features = (*features[:at], multiattack, *features[at + 1 :])
    return features
