"""Creates features of the 5e family from names and prose. Numbers in structured data take precedence.

The brackets after a feature's name are its recharge, number of uses, or cost. Other text in them (`Bear Form Only`,
`While Bloodied`) stays in the name and is also returned as `rest`. A spell's level and components begin its text. A creature's phases are read from
its traits: new hit points when it falls to 0, and changes while it is bloodied.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from turnwright.encounter.field_specs import dice_problem
from turnwright.encounter.prepared import Creature, CreaturePhase, Feature, UsesPeriod
from turnwright.importers.statblock_text import feature_text, markup, multiattacks
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage import atomic, fights

_LONGEST: Final = 300  # longer texts are not names, and are not read
_RE: Final = Patterns("prose_features")


class FeatureName(msgspec.Struct, frozen=True):
    """A feature's name without the numbers in brackets. Missing numbers are 0, except `price`, which is 1.

    `rest` is other text in brackets, which also stays in the name.
    """

    name: str
    recharge: int = 0
    uses: int = 0
    per: UsesPeriod = "day"
    price: int = 1
    rest: str = ""


def read_feature_name(name: str) -> FeatureName:
    """Return a feature's name and the numbers in the brackets after it."""
    name = name.strip().rstrip(":.").rstrip()
    if ("(" not in name and "[" not in name) or len(name) > _LONGEST:
        return FeatureName(name)
    return _read(name)


def read_usage(text: str) -> FeatureName:
    """Return the numbers in a separate usage text (`Recharge 5-6`, `(2/Day)`). The name only contains other text."""
    text = text.strip()
    return read_feature_name(text if text[:1] in "([" else f"({text})") if text else FeatureName("")


@lru_cache(maxsize=2048)
def _read(name: str) -> FeatureName:
    parts: list[str] = []
    figures: dict[str, object] = {}
    rest: list[str] = []
    at = 0
    for group in _RE.group.finditer(name):
        parts.append(name[at : group.start()])
        at = group.end()
        remaining = _left_of(group[1], figures)
        if remaining:
            rest.append(remaining)
            parts.append(f" ({remaining})")
    parts.append(name[at:])
    whole = " ".join("".join(parts).split())
    return FeatureName(whole, rest="; ".join(rest), **figures)  # type: ignore[arg-type]  # as _figures has read them


def _left_of(text: str, figures: dict[str, object]) -> str:
    """Read the numbers in brackets, and return the remaining text."""
    numbers = _figures(text.strip())
    if numbers:
        figures.update(numbers)
        return ""
    remaining: list[str] = []
    for part in _RE.clause.split(text):
        read = _figures(part.strip())
        if read and not read.keys() & figures.keys():
            figures.update(read)
        else:
            remaining.append(part)
    return re.sub(r"^[\s,;]++|[\s,;]++$", "", "".join(remaining)) if remaining else ""


def _figures(text: str) -> dict[str, object]:
    """Return the numbers in a phrase, or an empty dict if the phrase as a whole isn't understood."""
    if not text:
        return {}
    if match := _RE.recharge.fullmatch(text):
        return {"recharge": int(match["face"])}
    if match := _RE.uses.fullmatch(text):
        per = match["per"].lower()
        return {"uses": int(match["uses"]), "per": terms("prose_uses", "periods").get(per, per)}
    if match := _RE.costs.fullmatch(text):
        return {"price": int(match["price"] or match["count"])}
    if match := _RE.rested.fullmatch(text):
        return {"uses": 1, "per": "long-rest" if match["rest"].lower().startswith("long") else "rest"}
    return {}


_REMEMBERED: Final = 2_000  # longer texts are not cached
_DICE: Final = frozenset({"damage", "save_damage", "ongoing"})
_PRINTED: Final = frozenset({"attack", "save", "dc", "area", "range"})  # the text takes precedence
_NO_ROLL: Final = "not a possible roll; kept as text only"
_Told = tuple[str, str, str]  # field, text, why


def feature_of(
    ids: atomic.IdAllocator,
    name: str,
    text: str,
    cost: str,
    report: fights.ConversionReport,
    known: Mapping[str, Any] | None = None,
    *,
    hit: bool = False,
) -> Feature:
    """Create a feature from its name and prose. The `known` numbers, keyed by field, take precedence over most fields.

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
    text = markup.plain_text(text)
    figures, notes = feature_text.read_prose(text, hit=hit)
    for field in [field for field in figures if field in _DICE and dice_problem(figures[field])]:
        notes.append((field, figures.pop(field), _NO_ROLL))
    stated_in_name = {"recharge": named.recharge, "uses": named.uses, "price": named.price if named.price != 1 else 0}
    figures |= {field: value for field, value in stated_in_name.items() if value}
    components = named.rest or (text[:60] if text.startswith("(") else "")
    # not `level`, which requires slots; stat blocks that list spells as actions have none
    if _RE.spell.match(components):
        figures["properties"] = ("spell",)
        if "oncentration" in components.partition(")")[0]:
            figures["concentration"] = True
    bracket = f" ({named.rest})"
    if _RE.spell.match(named.rest) and bracket in named.name:
        named = msgspec.structs.replace(named, name=named.name.replace(bracket, ""))
        text = f"{bracket[1:]} {text}".strip()
    limited = named.uses or any(field == "uses" and value for field, value in given)
    if limited and named.name.startswith("Legendary Resistance") and "succeed" in text:
        figures["properties"], cost = ("legendary-resistance",), "trait"
    read = dict.fromkeys(figures)
    if named.uses and named.per != "day":
        figures["per"] = named.per
    for field, stated in given:
        value = stated
        if field == "save_damage" and value == figures.get("ongoing"):
            continue
        if field == "other_damage":
            lost = [other for other in stated if dice_problem(other.damage)]
            value = tuple(other for other in stated if other not in lost)
            notes += [(field, other.damage, _NO_ROLL) for other in lost]
            text = "\n".join((text, *(f"Damage {other.name}: {other.damage}." for other in lost))).strip()
            if not value:
                continue
        in_prose = figures.get(field, value)
        if field in _DICE and value and dice_problem(value):
            notes.append((field, value, _NO_ROLL))
            text = f"{text}\n{field.replace('_', ' ').capitalize()}: {value}.".strip()
            continue
        same_dice = field in _DICE and in_prose.replace(" ", "").lower() == value.replace(" ", "").lower()
        if in_prose != value and not same_dice:
            if field in _PRINTED or (field == "damage" and _RE.typed_dice.fullmatch(in_prose)):
                notes.append((field, f"{value}", f"text value {in_prose} used; the data says {value}"))
                continue
            notes.append((field, f"{in_prose}", f"data value {value} used; the text says {in_prose}"))
        figures[field] = value
        read.pop(field, None)
    called = named.name or "Nameless"
    feature = Feature(atomic.slug(called), called, cost, text=text, read=tuple(read), **figures)  # type: ignore[arg-type]  # a cost by contract
    return feature, tuple((f"{name}: {field}", words, why) for field, words, why in notes)


_remembered = lru_cache(maxsize=4096)(_made)


def with_options(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """Return the features, with those that offer several breath weapons split. The parts share a recharge and uses."""
    split = {feature.id: _options(feature) for feature in features if "one of the following" in feature.text[:120]}
    if not any(split.values()):
        return features
    return tuple(part for feature in features for part in split.get(feature.id) or (feature,))


def _options(feature: Feature) -> tuple[Feature, ...]:
    """Return a feature for each option of a feature, or none if its lines aren't all options with a save."""
    lines = [line.strip() for line in _RE.option_start.split(feature.text) if line.strip()]
    found = [_RE.option.fullmatch(line) for line in lines[1:]]
    parts = [_made(each["name"], each["text"], feature.cost, False, ())[0] for each in found if each]
    if not _RE.offers.fullmatch(lines[0]) or len(parts) < max(2, len(found)) or not all(part.save for part in parts):
        return ()
    same = {name: getattr(feature, name) for name in ("recharge", "uses", "per", "rests", "only")}
    shared = bool(feature.recharge or feature.uses or feature.rests)
    return tuple(
        msgspec.structs.replace(part, **same, shares=parts[0].id if shared and at else "")
        for at, part in enumerate(parts)
    )


def with_multiattacks(features: tuple[Feature, ...], report: fights.ConversionReport) -> tuple[Feature, ...]:
    """Return the features after adding to each Multiattack the features that it combines, with counts."""
    for at, feature in enumerate(features):
        if feature.name.startswith("Multiattack") and not feature.multiattack:
            features = (*features[:at], multiattacks.read_multiattack(feature, features, report), *features[at + 1 :])
    return features


MYTHIC: Final = "mythic"
ONLY_MYTHIC: Final = f"phase:{MYTHIC}"  # set by importers for actions in a section of mythic actions
_MAX_LENGTH: Final = 3_000


def with_phases(creature: Creature) -> Creature:
    """Return a creature with the phases described in its traits.

    If there is no mythic phase, mythic actions become ordinary ones.
    """
    if creature.phases:
        return creature
    unsorted = [phase for feature in creature.features if (phase := _phase(feature, creature)) is not None]
    phases = tuple({phase.id: phase for phase in sorted(unsorted, key=lambda candidate: -candidate.at)}.values())
    changes: dict[str, Any] = {"phases": phases, "read": (*creature.read, "phases")} if phases else {}
    if all(phase.id != MYTHIC for phase in phases):
        mythic = {
            each.id: msgspec.structs.replace(each, only="") for each in creature.features if each.only == ONLY_MYTHIC
        }
        features = tuple(mythic.get(each.id, each) for each in creature.features)
        changes |= {"features": features} if mythic else {}
    return msgspec.structs.replace(creature, **changes) if changes else creature


def _phase(feature: Feature, creature: Creature) -> CreaturePhase | None:
    """Return the phase described in a trait, or None for other features."""
    text = feature.text.replace("’", "'").strip()
    if feature.cost != "trait" or len(text) > _MAX_LENGTH:
        return None
    name = _RE.brackets.sub("", feature.name).strip()
    at_zero = _RE.at_zero.search(text)
    if at_zero is not None and _RE.instead.search(at_zero[0]) and (at_zero["all"] or int(at_zero["hp"]) > 1):
        own = int(at_zero["hp"] or 0)
        return CreaturePhase(MYTHIC, name, at=0, hp=own, recharges=_ready(text[at_zero.end() :], creature))
    more = _RE.more_legendary.match(text)
    if more is not None:
        return CreaturePhase("bloodied-frenzy", name, legendary=int(more[1]), reverts=True)
    breaths = [other.id for other in creature.features if other.recharge and "breath" in other.name.lower()]
    if breaths and _RE.first_bloodied.match(text):
        return CreaturePhase("bloodied", name, recharges=tuple(breaths))
    return None


def _ready(text: str, creature: Creature) -> tuple[str, ...]:
    """Return the ids of the limited features that a text restores."""
    restored = " ".join(match[1] or match[2] for match in _RE.anew.finditer(text)).lower()
    limited = (feature for feature in creature.features if feature.uses or feature.recharge)
    return tuple(
        candidate.id for candidate in limited if _RE.brackets.sub("", candidate.name).strip().lower() in restored
    )
