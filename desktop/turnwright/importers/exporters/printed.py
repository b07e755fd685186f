"""The lines of a printed stat block: type, speeds, defences, and features whose text states each of their numbers."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.importers.statblock_text.feature_text import read_prose
from turnwright.importers.statblock_text.multiattacks import read_multiattack
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionNote, ConversionReport

_NONMAGICAL: Final = "bludgeoning, piercing, and slashing from nonmagical attacks"
Modifier = Callable[[int], int]
STATED_FIELDS: Final[tuple[str, ...]] = terms("improved_initiative_export", "stated_fields")
ABILITIES: Final[Mapping[str, str]] = terms("abilities", "titles")
_SIGN = re.compile(r"[+-]")
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six")


class ExportedText(msgspec.Struct, frozen=True):
    """The text of a file, and notes on content that it can't represent."""

    text: str
    reports: tuple[ConversionNote, ...] = ()


def default_modifier(score: int) -> int:
    """Return the 5e modifier of an ability score."""
    return (score - 10) // 2


def score_there(value: int, modifier: Modifier) -> int:
    """Return the ability score with the same 5e modifier as the value has in its own rule system."""
    adds = modifier(value)
    return value if default_modifier(value) == adds else 10 + 2 * adds


def nonmagical(creature: Creature, *, given: bool) -> list[str]:
    """Return the clause about nonmagical weapons if `given`, or an empty list."""
    materials = " or ".join(creature.mundane_except).replace("-", " ")
    return [f"{_NONMAGICAL} that aren't {materials}" if materials else _NONMAGICAL] if given else []


def type_line(creature: Creature) -> str:
    """Return the line with size, type, tags and alignment."""
    kind = creature.type
    tags = [tag for tag in creature.tags if tag not in ("player", "swarm")]
    if "swarm" in creature.tags:
        kind = next((each.text for each in creature.remarks if each.about == "type"), f"swarm of Tiny {kind}s")
    elif kind == "swarm" and len(tags) == 1:  # the members' type is shown
        kind, tags = f"swarm of {tags[0]}", []
    line = f"{creature.size.title()} {kind}"
    if tags and "swarm" not in creature.tags:
        line += f" ({', '.join(tags)})"
    return f"{line}, {creature.alignment}" if creature.alignment else line


def speed_lines(creature: Creature) -> list[str]:
    """Return the speeds as printed, with the remarks on them."""
    after = {"fly": " (hover)"} if creature.hovers else {}
    feet = ((f"{kind} " if kind != "walk" else "", feet, after.get(kind, "")) for kind, feet in creature.speeds)
    speeds = [f"{kind}{number} ft.{hover}" for kind, number, hover in feet]
    return speeds + [each.text for each in creature.remarks if each.about == "speeds"]


def worded(value: Any) -> str:
    """Convert a value to readable text: `shield, cord`, `1: 4, 2: 3`; `yes` for True."""
    if value is True:
        return "yes"
    if isinstance(value, tuple):
        return ", ".join(": ".join(map(str, item)) if isinstance(item, tuple) else worded(item) for item in value)
    return str(value) if isinstance(value, str | int) else msgspec.json.encode(value).decode()


def usage_words(feature: Feature) -> str:
    """Return the limit of a feature's uses as printed after its name: `(Recharge 5-6)`, `(3/Day)`, or an empty string."""
    if feature.recharge:
        return "(Recharge 6)" if feature.recharge == 6 else f"(Recharge {feature.recharge}-6)"
    per = {"rest": "Short or Long Rest", "long-rest": "Long Rest"}.get(feature.per, feature.per.title())
    return f"({feature.uses}/{per})" if feature.uses else ""


def feature_text(feature: Feature, creature: Creature) -> str:
    """Return a feature's text with each of its numbers stated once."""
    own = feature.text.strip()
    if feature.multiattack:
        said = _multiattack(feature, creature)
        return next((text for text in (own, f"{said} {own}".strip(), said) if _states(text, feature, creature)), own)
    numbers = _figures(feature)
    if not (own or numbers) and feature.does:
        used = [each.name for step in feature.does for each in creature.features if each.id == step.use]
        own = f"The {creature.name.lower()} uses its {' and its '.join(used)}." if used else ""
    return f"{numbers} {own}".strip() if numbers and missing_in(own, feature) else own


def _states(text: str, feature: Feature, creature: Creature) -> bool:
    """Return whether a text states the options of a multiattack."""
    bare = msgspec.structs.replace(feature, text=text, multiattack=(), attacks=0)
    read = read_multiattack(bare, creature.features, ConversionReport(creature.name))
    return set(map(frozenset, read.multiattack)) == set(map(frozenset, feature.multiattack))


def missing_in(text: str, feature: Feature) -> tuple[str, ...]:
    """Return the names of the feature fields that the text doesn't state, or states differently."""
    if feature.multiattack:
        return () if text else ("multiattack",)
    numbers = read_prose(text).numbers if text else {}
    usual = Feature("", "")
    stated = {name: numbers.get(name, getattr(usual, name)) for name in STATED_FIELDS}
    return tuple(name for name, value in stated.items() if _unspaced(value) != _unspaced(getattr(feature, name)))


def _unspaced(value: Any) -> Any:
    return value.replace(" ", "") if isinstance(value, str) else value


def _figures(feature: Feature) -> str:
    """Return the sentences for a feature's attack and saving throw."""
    if feature.attack is not None:
        return _attack(feature, feature.attack)
    if feature.save and feature.dc:
        return _save(feature)
    if feature.damage:
        return f"The target takes {damage_words(feature.damage)} damage."
    return ""


def _attack(feature: Feature, bonus: int) -> str:
    ways = [way for way, distance in (("Melee", feature.reach), ("Ranged", feature.range)) if distance] or ["Melee"]
    kind = "Spell" if "spell" in feature.properties else "Weapon"
    far = [f"reach {feature.reach} ft."] if feature.reach else []
    far += [f"range {feature.range} ft."] if feature.range else []
    head = f"{' or '.join(ways)} {kind} Attack: {bonus:+d} to hit, {' or '.join([*far, ''])[:-4] or 'reach 5 ft.'}, one target."
    befalls = _afflictions(feature.afflictions)
    hit = f"{damage_words(feature.damage)} damage" if feature.damage else ""
    hit += "".join(f", or {damage_words(other.damage)} damage {other.name}" for other in feature.other_damage)
    if feature.save and feature.dc:
        harm = feature.save_damage and f"take {damage_words(feature.save_damage)} damage"
        worse = " and ".join(filter(None, (harm, befalls and f"be {befalls}")))
        throw = f"the target must succeed on a DC {feature.dc} {_ability(feature.save)} saving throw or {worse or 'be affected'}"
        hit = f"{hit}. {throw[0].upper()}{throw[1:]}" if hit else throw
    elif befalls:
        hit = f"{hit}, and the target is {befalls}" if hit else f"the target is {befalls}"
    return f"{head} Hit: {hit}." if hit else head


def _save(feature: Feature) -> str:
    who = f"Each creature in a {feature.area}" if feature.area else "The target"
    throw = f"{who} must make a DC {feature.dc} {_ability(feature.save)} saving throw"
    befalls = _afflictions(feature.afflictions)
    if not feature.damage:
        return f"{throw.replace('must make a', 'must succeed on a')} or be {befalls}." if befalls else f"{throw}."
    words = f"{throw}, taking {damage_words(feature.damage)} damage on a failed save"
    words += ", or half as much damage on a successful one." if feature.half else "."
    return f"{words} On a failed save, the target is also {befalls}." if befalls else words


def _ability(id: str) -> str:
    return ABILITIES.get(id, id.title())


def _afflictions(afflictions: tuple[InflictedCondition, ...]) -> str:
    escapes = (f" (escape DC {one.escape_dc})" if one.escape_dc else "" for one in afflictions)
    ends = (terms("improved_initiative_export", "ends").get(one.ends, "") for one in afflictions)
    return " and ".join(map("".join, zip((one.condition for one in afflictions), ends, escapes, strict=True)))


def damage_words(damage: str) -> str:
    """Return damage as worded in stat blocks: `7 (1d8 + 3) slashing plus 3 (1d6) fire`."""
    parts = (part.partition(" ") for part in re.split(r" \+ (?=\d)", damage))
    return " plus ".join(f"{_average(dice)} {kind}".strip() for dice, _, kind in parts)


def _average(dice: str) -> str:
    """Return the average of dice, followed by the dice in brackets. A plain number stays unchanged."""
    spaced = _SIGN.sub(r" \g<0> ", dice)
    with suppress(DiceError):
        return dice if dice.isdecimal() else f"{int(parse(dice).mean)} ({spaced})"
    return dice


def _multiattack(feature: Feature, creature: Creature) -> str:
    """Return a sentence that lists all options of a multiattack: what it uses, then its attacks."""
    known = {each.id: each for each in creature.features}
    ways = []
    for way in feature.multiattack:
        named = [
            (n, known[id].name if id in known else id, id not in known or known[id].attack is not None) for id, n in way
        ]
        parts = [f"{_count(n)} with its {name.lower()}" for n, name, strikes in named if strikes]
        total = sum(n for n, _, strikes in named if strikes)
        said = [f"uses its {name}" for _, name, strikes in named if not strikes]
        said += [f"makes {_count(total)} attack{'s' if total != 1 else ''}: {' and '.join(parts)}"] if parts else []
        ways.append(" and ".join(said))
    return f"The {creature.name.lower()} {', or it '.join(ways)}." if ways else ""


def _count(number: int) -> str:
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)
