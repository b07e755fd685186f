"""Reads Strikes and their damage, and damage in other texts."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import dice_problem
from turnwright.encounter.prepared import Feature, OtherDamage
from turnwright.importers.pf2e.markup import DAMAGE, OLDER_DAMAGE, damage_id, id_of, is_damage, split_list
from turnwright.importers.pf2e.stat_block import DamagePart, SourceStrike
from turnwright.importers.statblock_text.damage import TWO_HANDS
from turnwright.importers.vocabulary import Patterns
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

_ANGLES: Final = str.maketrans("", "", "<>")  # Pf2eTools writes `reach <10 feet>`
REACH: Final = 5
_LETTERS: Final = {"b": "bludgeoning", "p": "piercing", "s": "slashing"}
_ALSO_IN_TEXT: Final = ("splash", "precision")
_DASHES: Final = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "\N{EM DASH}": "-"})
_TYPES: Final = {*DAMAGE, *OLDER_DAMAGE, "negative", "positive", "electric"} - {"all", "energy"}
_RE: Final = Patterns("pf2e_strikes", names="|".join(sorted(_TYPES, key=len, reverse=True)))


def feature_of(strike: SourceStrike, ids: IdAllocator, weapons: tuple[str, ...], report: ConversionReport) -> Feature:
    """Convert a Strike to a feature, with the numbers from the source and with traits as properties."""
    name = name_of(strike)
    listed, properties, figures = _traits(strike)
    if any(_is_called(name.lower(), weapon) for weapon in weapons):
        properties = ["weapon", *properties]
    field = f"Strike {name}"
    parts, riders = parts_of(strike.damage)
    known = {rider.lower() for rider in riders}
    effects = (*riders, *(effect for effect in strike.extra_effects if effect and effect.lower() not in known))
    if strike.attack is None and parts:
        report.add_note(field, name, "no attack bonus given")
    if not parts and not effects:
        report.add_note(field, name, "no damage given")
    damage, ongoing = _damage(parts, field, report)
    beside = [f"{part.formula} {part.type} {part.category}" for part in parts if part.category in _ALSO_IN_TEXT]
    plus = " and ".join((*beside, *effects))
    head = " ".join(f"{words}." for words in (listed[:1].upper() + listed[1:], plus and f"Plus {plus}") if words)
    text, traits = "\n".join(filter(None, (head, strike.text))), tuple(dict.fromkeys(properties))
    figures |= {"attack": strike.attack, "damage": damage, "ongoing": ongoing, "properties": traits}
    strike_id = ids.allocate(name, "strike")
    figures |= {"other_damage": tuple(_other_damage(damage, traits)), "rules": _forceful(strike_id, damage, traits)}
    return Feature(strike_id, name, "action", text=text, **figures)


def _other_damage(damage: str, traits: Iterable[str]) -> Iterator[OtherDamage]:
    """Yield the damage of the other types and grips that the traits of a Strike allow."""
    for trait in traits:
        word, _, kind = trait.rpartition("-")
        kind = _LETTERS.get(kind, kind)
        if word == "versatile" and kind in DAMAGE:
            yield OtherDamage(kind, _RE.first_type.sub(rf"\g<before>{kind}", damage, count=1))
        elif word == "two-hand":
            yield OtherDamage(TWO_HANDS, _RE.first_die.sub(kind, damage, count=1))


def _forceful(strike_id: str, damage: str, traits: Iterable[str]) -> tuple[DataRule, ...]:
    """Return the rules for the damage of a forceful weapon's second and later attacks in a turn."""
    is_forceful = any(trait.startswith("forceful") for trait in traits)  # or `forceful +1`
    dice = int(damage.partition("d")[0] or "1") if is_forceful and "d" in damage else 0
    rule = partial(DataRule, "modifier", "damage", type="circumstance")
    times = {"second": dice, "later": 2 * dice} if dice else {}
    return tuple(rule(add=n, when=f"with:{strike_id}, {at}-with-it") for at, n in times.items())


def name_of(strike: SourceStrike) -> str:
    """Return the name of a Strike with a capital letter."""
    return f"{strike.name[:1].upper()}{strike.name[1:200]}" or "Strike"


def _traits(strike: SourceStrike) -> tuple[str, list[str], dict[str, Any]]:
    """Return a Strike's traits as text, its properties, and its reach and range."""
    listed: list[str] = []
    properties: list[str] = []
    reach, ranges = REACH, []
    is_near = False
    for trait in (trait.translate(_ANGLES).strip().lower() for trait in strike.traits if trait.strip()):
        own = [trait]
        if match := _RE.reach.match(trait):
            reach, is_near = int(match["feet"]) if match["feet"] else 2 * REACH, True
            own, word = ([], ["reach"]) if reach else (["reach 0"], ["reach-0"])
        elif match := _RE.range.match(trait):
            ranges.append(f"{match['feet']}/{match['feet']}" if match["kind"] == "range" else match["feet"])
            own = word = ["thrown"] if match["kind"] == "thrown" else []
        elif match := _RE.die.match(trait):
            count = "" if match["count"] in ("", "1") else match["count"]
            word = [f"{match['word']}-{count}d{match['sides']}"]
        else:
            match = _RE.letter.match(trait)
            word = [f"{match['word']}-{match['kind']}" if match else id_of(_RE.feet.sub("", trait))]
        listed += own
        properties += word
    if strike.increment or strike.max_range:
        ranges.insert(0, str(strike.increment) if strike.increment else f"{strike.max_range}/{strike.max_range}")
    far = ranges[0] if ranges else ""
    is_ranged = strike.ranged if strike.ranged is not None else bool(far) and not is_near
    if is_ranged and not far:
        properties.append("ranged")
    return ", ".join(listed), properties, {"reach": 0 if is_ranged else reach, "range": far}


def _is_called(name: str, item: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", item) is not None


def _damage(parts: list[DamagePart], field: str, report: ConversionReport) -> list[str]:
    """Return the damage and the persistent damage of a hit. Other damage is reported."""
    for part in parts:
        text = f"{part.formula} {part.type} {part.category}"
        if part.category == "splash":
            report.add_note(field, text, "splash damage; kept as text only")
        elif part.type == "untyped":
            report.add_note(field, text, "unclear damage type; imported as untyped damage")
        elif part.category not in ("", "persistent"):
            report.add_note(field, text, f"counted as {part.type} damage")
    lasting = [part for part in parts if part.category == "persistent"]
    others = [part for part in parts if part.category not in ("persistent", "splash")]
    for some in (others, lasting):
        if some and not expression(some):
            words = " + ".join(f"{part.formula} {part.type}" for part in some)
            report.add_note(field, words, "not a dice expression; ignored")
    return [expression(others), expression(lasting)]


def strike_in(line: str, *, ranged: bool | None = None) -> SourceStrike | None:
    """Return the Strike of a line: `jaws +12 [+7/+2] (reach 10 feet), Damage 2d8 piercing plus Grab`.

    Return None if the line has no attack bonus. If `ranged` is None, the line must also name its damage.
    """
    match = _RE.line.match(line)
    head, *dealt = _RE.dealt.split(match["rest"], maxsplit=1) if match else ("",)
    if match is None or (ranged is None and not dealt):
        return None
    traits, text = traits_and_text(f"{match['before'] or ''}{head}")
    bonus = int(match["bonus"].replace(" ", ""))
    return SourceStrike(match["name"], bonus, traits, " ".join(dealt), ranged=ranged, text=text)


def traits_and_text(text: str) -> tuple[tuple[str, ...], str]:
    """Return the traits in the brackets of a Strike's text, and the rest of the text."""
    traits = tuple(trait for listed in _RE.brackets.findall(text) for trait in split_list(listed))
    return traits, _RE.brackets.sub("", text).strip(" ,;:.")


def _worded(text: str) -> Iterator[DamagePart]:
    """Yield the parts of a damage text, and its other effects as parts without a formula."""
    for words in _RE.joined.split(text.strip(" ,;:.")):
        part = " ".join(words.split()).strip(" ,;.")
        match = _RE.counted.fullmatch(part)
        if match and (
            "d" in match["formula"] or any(is_damage(damage_id(word)) for word in (match["type"] or "").split())
        ):
            yield DamagePart("".join(match["formula"].split()), match["type"] or "")
        elif part:
            yield DamagePart("", part)


def parts_of(damage: str | Iterable[DamagePart]) -> tuple[list[DamagePart], list[str]]:
    """Return the damage in a source's formulas and types, or in a text, and the parts that aren't damage.

    A type may be a whole phrase (`chaotic and 1d4 good`), contain a sign that belongs to the formula (`-1 piercing`),
    include another effect (`bleed and Knockdown`), or not be damage at all (`Grab`).
    """
    parts: list[DamagePart] = []
    riders: list[str] = []
    for part in _worded(damage) if isinstance(damage, str) else damage:
        formula, type = (text.translate(_DASHES).strip() for text in (part.formula, part.type))
        _take(formula, type, part.category, parts, riders)
    return parts, riders


def _take(formula: str, type: str, category: str, parts: list[DamagePart], riders: list[str]) -> None:
    if less := _RE.less.match(type) if formula else None:
        formula, type = f"{formula}-{less['less']}", less["rest"]
    more = _RE.more.match(type) if formula else None
    inner = _RE.formula.match(more["rest"]) if more and is_damage(damage_id(more["type"])) else None
    if more and inner:
        _take(formula, more["type"], category, parts, riders)
        _take(inner[0], more["rest"][inner.end() :].strip(), "", parts, riders)
        return
    if alone := _RE.alone.match(type) if not formula else None:
        formula, type = alone["formula"], alone["type"]
    with_rider = _RE.with_rider.match(type) if formula else None
    rider, type = (with_rider["rider"], with_rider["type"]) if with_rider else ("", type)
    named = _RE.glued.match(type.lower())
    if not formula or (_RE.whole.fullmatch(formula) is None and dice_problem(formula)):
        rider = f"{formula} {type}".strip()
    elif named:
        parts.append(DamagePart(formula, damage_id(named["type"]), category or named["category"] or ""))
    else:
        parts.append(DamagePart(formula, "untyped" if type else "", category))
        rider = type
    riders += [rider] if rider else []


def expression(parts: Iterable[DamagePart]) -> str:
    """Return parts as one dice expression with types. If only some parts have a type, the others are `untyped`."""
    listed = [(part.formula.replace(" ", ""), part.type) for part in parts]
    typed = any(type for _, type in listed)
    joined = " + ".join(f"{formula} {type or 'untyped'}" if typed else formula for formula, type in listed)
    return "" if dice_problem(joined) else joined


def damage_in(text: str) -> tuple[list[str], list[str], list[str]]:
    """Return a text's damage, its persistent damage, and the damage that fits no field.

    Joined parts (`4d6 fire and 2d6 cold`) are one expression; each other part is a separate one.
    """
    amounts: list[str] = []
    lasting: list[str] = []
    remaining: list[str] = []
    joined: list[DamagePart] = []
    for match in _RE.said.finditer(text):
        if not _is_damage(match, text):
            _close(joined, amounts)
            continue
        type = damage_id(match["type"] or "")
        formula = match["formula"].translate(_DASHES).replace(" ", "")
        category = (match["category"] or "").lower()
        if category == "persistent":
            if not type:
                after = _RE.persistent.match(text, match.end() + 1)
                type = damage_id(after["type"]) if after else "untyped"
            lasting.append(f"{formula} {type}")
        elif category == "splash":
            remaining.append(match[0].strip())
        else:
            joined.append(DamagePart(formula, "precision" if match["category"] else type))
            choice = _RE.choice.match(text, match.end()) if not match["word"] else None
            if choice:
                remaining.append(f"{match[0].strip()}{choice[0]}")
        if not match["again"] or category == "persistent":
            _close(joined, amounts)
    _close(joined, amounts)
    return list(dict.fromkeys(amounts)), list(dict.fromkeys(lasting)), remaining


def _close(joined: list[DamagePart], amounts: list[str]) -> None:
    if joined:
        amounts.append(expression(joined))
        joined.clear()


def _is_damage(match: re.Match[str], text: str) -> bool:
    """Return whether a number and the words after it are damage: `2d6 fire`, `10 fire damage`, `2d6 damage`."""
    before = text[max(0, match.start() - 24) : match.start()].lower()
    is_other = before.endswith(("resistance ", "weakness ", "immunity to ", "stage ", "level ", "dc ", "page "))
    named = match["type"] or match["category"] or match["word"]
    return bool(named) and not is_other and ("d" in match["formula"] or _is_dealt(match, text))


def _is_dealt(match: re.Match[str], text: str) -> bool:
    """Return whether a flat number is damage that is dealt, rather than a threshold (`at least 3 slashing damage`)."""
    if not match.start():
        return bool(match["type"])
    if not (match["word"] or match["category"]) or _RE.at_times.match(text, match.end()):
        return False
    return _RE.is_dealt.search(text[: match.start()][-60:]) is not None
