"""Reads lists of spells (at will, so many a day, by slots) into features with uses, and the caster's DC and bonus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.encounter.prepared import Feature, FeatureStep
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.system_data.actions import Spell
from turnwright.storage.ids import IdAllocator, slug
from turnwright.storage.statblock_text.feature_text import MAX_TEXT_LENGTH

_MOST: Final = 60  # spells of one list
_HEAD = re.compile(
    r"(?:(?P<will>at[ -]will)|(?P<uses>\d{1,2})\s*/\s*day(?P<each> each)?|(?P<cantrips>cantrips?(?: \(at[ -]will\))?)"
    r"|(?P<level>\d)(?:st|nd|rd|th)[ -]level \(\d{1,2} slots?\))\s*:",
    re.IGNORECASE,
)
_RANK = re.compile(
    r"^(?P<rank>\d{1,2})(?:st|nd|rd|th)(?: rank)?(?: \(\d{1,2} slots?\))?: (?P<list>.+)$", re.IGNORECASE | re.MULTILINE
)
_OFTEN = re.compile(r"(?:\N{MULTIPLICATION SIGN}|x)\s?(\d{1,2})|(\d{1,2})/day")
_ITEMS = re.compile(r",(?![^()]*\))")
_ITEM = re.compile(
    r"(?P<name>[a-z][a-z'/ -]{1,38}[a-z])(?: ?\((?P<note>[^()]{1,120})\))?(?: \([^()]{1,40}\))?", re.IGNORECASE
)
_VERSION = re.compile(r"level (?P<after>\d) version|(?P<before>\d)(?:st|nd|rd|th)[ -]level(?: version)?", re.IGNORECASE)
_CASTER_LEVEL = re.compile(r"\b(?P<level>\d{1,2})(?:st|nd|rd|th)[ -]level\s+spell-?caster", re.IGNORECASE)
_BULLETS: Final = " \t\N{BULLET}*_.;-"
_LITTLE: Final = frozenset({"and", "of", "the", "with", "from", "to", "or", "without", "in"})
_BONUS_OF_DC: Final = 8  # what the DC has more than the attack bonus


class _Listed(NamedTuple):
    """A spell of a list: its name and note, and how often it may be cast."""

    name: str
    note: str
    limits: Mapping[str, Any]


def with_spells(features: tuple[Feature, ...], spells: Mapping[str, Spell]) -> tuple[Feature, ...]:
    """Return features with those of the spells that their lists name, `spells` of the game by their names in small letters.

    A spell that stands among them already keeps its figures. The list itself names its spells as what it does.
    """
    found = list(features)
    ids = IdAllocator()
    for one in features:
        ids.allocate(one.id)
    for at, one in enumerate(features):
        if (
            "pellcasting" in one.name
            and one.cost in ("trait", "action")
            and len(one.text) <= MAX_TEXT_LENGTH
            and not one.does
        ):
            listed = list(_listed(one.text))[:_MOST]
            if listed:
                found[at] = _with_list(one, listed, found, ids, spells)
    return tuple(found)


def with_ranked_spells(features: tuple[Feature, ...], spells: Mapping[str, Spell]) -> tuple[Feature, ...]:
    """Return features with those of the spells in lists by ranks that the game has figures for, cast at their rank.

    How many actions any other spell takes isn't told, so that it stays in its list.
    """
    found = list(features)
    ids = IdAllocator()
    for one in features:
        ids.allocate(one.id)
    for one in features:
        if one.cost != "trait" or "spell" not in one.properties or not one.dc or len(one.text) > MAX_TEXT_LENGTH:
            continue
        times: Counter[tuple[str, int, str]] = Counter()
        for line in _RANK.finditer(one.text):
            for part in _ITEMS.split(line["list"]):
                said = _ITEM.fullmatch(part.strip(_BULLETS))
                if said and said["name"].lower() in spells:
                    times[said["name"].lower(), int(line["rank"]), (said["note"] or "").lower()] += 1
        for (name, rank, note), count in times.items():
            if "constant" not in note and (rank >= (spells[name].level or 0)):
                found.append(_ranked(spells[name], Caster(one.dc, one.attack), rank, note, count, ids, one.name))
    return tuple(found)


def _ranked(spell: Spell, caster: Caster, rank: int, note: str, count: int, ids: IdAllocator, casting: str) -> Feature:
    """Return a spell of a list by ranks: cast so many times a day, at will, or as often as its caster has slots."""
    feature = spell_feature(spell, caster, level=rank)
    often = _OFTEN.search(note)
    if "at will" in note:
        limits: dict[str, Any] = {}
    elif often:
        limits = {"uses": int(often[1] or often[2])}
    else:
        limits = {} if "Spontaneous" in casting or "Focus" in casting else {"uses": count}
    text = ", ".join(part for part in (f"rank {rank}", note) if part)
    feature = msgspec.structs.replace(feature, id=ids.allocate(slug(spell.name)), text=text, **limits)
    return msgspec.structs.replace(feature, read=_filled(feature))


def _listed(text: str) -> Iterator[_Listed]:
    heads = list(_HEAD.finditer(text))
    for n, head in enumerate(heads):
        after = heads[n + 1] if n + 1 < len(heads) else None
        body = text[head.end() : after.start() if after else len(text)].strip().split("\n\n")[0].split("\n")[0]
        parts = [part.strip(_BULLETS) for part in _ITEMS.split(body)]
        named = [found for part in parts if (found := _ITEM.fullmatch(part)) and _is_name(found["name"])]
        limits: dict[str, Any] = {}
        if head["cantrips"]:
            limits = {"level": 0}
        elif head["level"]:
            limits = {"level": int(head["level"])}
        elif head["uses"] and (head["each"] or len(parts) == 1):
            limits = {"uses": int(head["uses"])}
        for found in named:
            yield _Listed(" ".join(found["name"].split()), found["note"] or "", limits)


def _is_name(text: str) -> bool:
    return len(text.split()) <= 6


def _with_list(
    casting: Feature, listed: Sequence[_Listed], found: list[Feature], ids: IdAllocator, spells: Mapping[str, Spell]
) -> Feature:
    """Add the listed spells to the features found, and return their list with its steps."""
    caster, newer = _caster(casting), casting.cost == "action"
    steps: list[FeatureStep] = []
    for each in listed:
        spell = spells.get(each.name.lower())
        if spell is not None and spell.long:
            continue  # nobody casts it in a fight
        known = next((n for n, one in enumerate(found) if one.id == slug(each.name) and one is not casting), None)
        if known is not None:
            own = found[known]
            if not (own.uses or own.recharge or own.level is not None) and each.limits:
                read = tuple(dict.fromkeys((*own.read, *each.limits)))
                own = found[known] = msgspec.structs.replace(own, **each.limits, read=read)
        else:
            own = _spell(each, caster, ids, spell, newer=newer)
            found.append(own)
        if own.cost == "action" and all(step.use != own.id for step in steps):
            steps.append(FeatureStep(use=own.id, instead=bool(steps)))
    left = tuple(name for name in casting.read if name != "attack")
    return msgspec.structs.replace(casting, attack=None, does=tuple(steps), read=(*left, *(("does",) if steps else ())))


def _spell(each: _Listed, caster: Caster, ids: IdAllocator, spell: Spell | None, *, newer: bool) -> Feature:
    version = _VERSION.search(each.note)
    level = int(version["after"] or version["before"]) if version else 0
    if spell is None:
        feature = Feature("", _title(each.name), "action", properties=("spell",))
    else:
        feature = spell_feature(spell, caster, level=level, newer=newer)
    feature = msgspec.structs.replace(feature, id=ids.allocate(slug(each.name)), text=each.note, **each.limits)
    return msgspec.structs.replace(feature, read=_filled(feature))


def _filled(feature: Feature) -> tuple[str, ...]:
    """Return the fields of a spell that were read for it."""
    bare = Feature("", "")
    names = (name for name in Feature.__struct_fields__ if getattr(feature, name) != getattr(bare, name))
    return tuple(name for name in names if name not in ("id", "name", "cost", "text"))


def _caster(casting: Feature) -> Caster:
    attack = casting.attack if casting.attack is not None or not casting.dc else casting.dc - _BONUS_OF_DC
    level = _CASTER_LEVEL.search(casting.text)
    return Caster(casting.dc, attack, int(level["level"]) if level else 0)


def _title(name: str) -> str:
    words = name.split()
    return " ".join(word if n and word in _LITTLE else f"{word[:1].upper()}{word[1:]}" for n, word in enumerate(words))
