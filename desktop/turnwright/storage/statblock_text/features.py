"""Features of the 5e family from a name and prose; numbers that a source states replace those of its prose."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.ids import IdAllocator, slug
from turnwright.storage.statblock_text.damage import dice_problem_in
from turnwright.storage.statblock_text.feature_names import read_feature_name
from turnwright.storage.statblock_text.feature_text import read_prose
from turnwright.storage.statblock_text.markup import plain_text
from turnwright.storage.statblock_text.multiattacks import read_multiattack

_REMEMBERED: Final = 2_000  # texts beyond this are read anew each time
_SPELL = re.compile(r"\(?(?:\d(?:st|nd|rd|th)-level|cantrip)\b", re.IGNORECASE)
_DICE: Final = frozenset({"damage", "save_damage", "ongoing"})
_NO_ROLL: Final = "is no roll that can be made; it stays as text only"
_Told = tuple[str, str, str]  # field, text, why


class _Drawn(NamedTuple):
    """The result of reading a name and a text, whichever creature has them; `figures` is shared and never changed."""

    name: str
    text: str
    figures: Mapping[str, Any]
    read: tuple[str, ...]
    told: tuple[_Told, ...]


class _Made(NamedTuple):
    """A feature made of a name, a text and known numbers, for any creature, and the notes on it."""

    feature: Feature
    told: tuple[_Told, ...]


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
    """Return a feature with the numbers of its name and its prose, replaced by those that are `known` by field.

    Where prose differs from a known number, that is reported. The feature's `read` names the fields found in prose only.
    `hit`: the feature is an attack although its prose doesn't say so.
    """
    hit = hit or (known is not None and "attack" in known)
    make = _remembered if len(text) < _REMEMBERED else _made
    feature, told = make(name, text, cost, hit, tuple(known.items()) if known else ())
    for field, words, why in told:
        report.add_note(field, words, why)
    id = ids.allocate(feature.name)
    return feature if id == feature.id else msgspec.structs.replace(feature, id=id)


def _made(name: str, text: str, cost: str, hit: bool, given: tuple[tuple[str, Any], ...]) -> _Made:
    """Return the feature of a name and a text with the numbers `given` by field, under the id of its name alone."""
    drawn = _drawn(name, text, hit)
    id = slug(drawn.name)
    if not given:
        return _Made(Feature(id, drawn.name, cost, text=drawn.text, read=drawn.read, **drawn.figures), drawn.told)  # type: ignore[arg-type]  # a cost by contract
    known: Mapping[str, Any] = dict(given)
    report = ConversionReport(name)
    text = drawn.text
    wrong: list[str] = []
    for field, value in given:
        said = drawn.figures.get(field, value)
        if field in _DICE and value and dice_problem_in(value):
            wrong.append(field)
        elif said != value and not (field in _DICE and _same_dice(said, value)):
            why = f"prose says {said}, the source's own figure is {value}"
            report.add_note(f"{name}: {field}", f"{said}", why)
    if wrong:
        known, text = _without(wrong, name, known, text, report)
    read = tuple(field for field in drawn.read if field not in known)
    figures = {**drawn.figures, **known}
    told = (*drawn.told, *((one.field, one.text, one.why) for one in report.notes))
    return _Made(Feature(id, drawn.name, cost, text=text, read=read, **figures), told)  # type: ignore[arg-type]  # a cost by contract


def _without(
    wrong: Collection[str], name: str, known: Mapping[str, Any], text: str, report: ConversionReport
) -> tuple[Mapping[str, Any], str]:
    """Return numbers without invalid dice, and the text with those added: they are reported."""
    for field in wrong:
        report.add_note(f"{name}: {field}", known[field], _NO_ROLL)
        text = f"{text}\n{field.replace('_', ' ').capitalize()}: {known[field]}.".strip()
    return {field: value for field, value in known.items() if field not in wrong}, text


def _drawn(name: str, text: str, hit: bool) -> _Drawn:
    named = read_feature_name(name)
    text = plain_text(text)
    figures, told = read_prose(text, hit=hit)
    for field in [field for field in figures if field in _DICE and dice_problem_in(figures[field])]:
        told.append((field, figures.pop(field), _NO_ROLL))
    if named.recharge:
        figures["recharge"] = named.recharge
    if named.uses:
        figures["uses"] = named.uses
    if named.price != 1:
        figures["price"] = named.price
    if text.startswith("(") or named.rest:
        _read_components(named.rest or text[:60], figures)
    if named.uses and named.name.startswith("Legendary Resistance") and "succeed" in text:
        figures["properties"] = ("legendary-resistance",)
    read = tuple(figures)
    if named.uses and named.per != "day":
        figures["per"] = named.per
    return _Drawn(
        named.name or "Nameless",
        text,
        figures,
        read,
        tuple((f"{name}: {field}", words, why) for field, words, why in told),
    )


def _read_components(text: str, figures: dict[str, Any]) -> None:
    """Read the brackets of a spell, `3rd-Level; V, S, Concentration`; its level is left to the text.

    A level asks for a slot, and a stat block that lists its spells as actions has none.
    """
    if _SPELL.match(text):
        figures["properties"] = ("spell",)
        if "oncentration" in text.partition(")")[0]:
            figures["concentration"] = True


_remembered = lru_cache(maxsize=4096)(_made)


def _same_dice(one: str, other: str) -> bool:
    return one.replace(" ", "").lower() == other.replace(" ", "").lower()


def with_multiattacks(features: tuple[Feature, ...], report: ConversionReport) -> tuple[Feature, ...]:
    """Return features in which each Multiattack lists the features it combines, and how often."""
    for at, feature in enumerate(features):
        if feature.name.startswith("Multiattack") and not feature.multiattack:
            found = read_multiattack(feature, features, report)
            if found is not feature:
                features = (*features[:at], found, *features[at + 1 :])
    return features
