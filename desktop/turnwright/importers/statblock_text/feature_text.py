"""Reads numbers from the prose of a feature: its attack, its saving throw, their damage, areas and conditions.

Three styles are supported: 2014 (`Melee Weapon Attack: +9 to hit, reach 10 ft., one target. Hit: …`), A5E (the same
without some commas; `makes a DC 16 Constitution saving throw`), and 2024 (`Melee Attack Roll: +9, reach 15 ft. …`;
`Dexterity Saving Throw: DC 15, … Failure: … Success: Half damage.`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from turnwright.importers.statblock_text import damage
from turnwright.importers.vocabulary import Patterns

MAX_TEXT_LENGTH: Final = 20_000
_RE: Final = Patterns("prose_numbers")
_SAYS_ATTACK: Final = (" to hit", "ttack Roll", "ttack:", ", reach", ", range")
_HEAD: Final = 240  # number of characters in which an attack states its reach or range
FeatureNumbers = dict[str, Any]
UnreadText = list[tuple[str, str, str]]
_ALL: Final = frozenset({"each", "all", "every", "any"})
_THEY: Final = frozenset({"creature", "creatures", "humanoid", "humanoids", "enemy", "enemies", "foe"})
_ROUND: Final = frozenset({"sphere", "circle", "burst", "spread", "cylinder"})
_WINDOW = 50
_OWN_WINDOW = 120


class _Reading:
    """The state while reading a text. `parts` is the number of damage parts that were read or reported."""

    __slots__ = ("figures", "parts", "text", "told")

    def __init__(self, text: str) -> None:
        self.text = text
        self.figures: FeatureNumbers = {}
        self.told: UnreadText = []
        self.parts = 0

    def take(self, harm: damage.ProseDamage, field: str, start: int) -> None:
        """Store damage in a field, and also store its ongoing part."""
        if harm.damage:
            self.figures[field] = harm.damage
        if harm.ongoing:
            self.figures["ongoing"] = harm.ongoing
        if harm.others and field == "damage":
            self.figures["other_damage"] = harm.others
        self.parts += harm.parts
        self.told += [("damage", self.text[start : harm.end + 120].strip(), why) for why in harm.remarks]

    def tell_rest(self) -> None:
        """Report damage that wasn't stored in a field."""
        if self.text.count("amage") <= self.parts:
            return
        matches = list(_RE.some_part.finditer(self.text))
        if len(matches) > self.parts:
            read = " ".join(self.figures.get(field, "") for field in ("damage", "save_damage", "ongoing"))
            unread = [match for match in matches if not _holds(read, match)] or matches[self.parts :]
            self.told += [("damage", words, "kept as text only") for words in dict.fromkeys(one[0] for one in unread)]


def _holds(read: str, part: re.Match[str]) -> bool:
    dice = damage.normalised_dice_text(part["inner"] or f"{part['flat']}d{part['bare']}")
    return f" {dice} " in f" {read} "


class ReadProse(NamedTuple):
    """The result of reading prose: values by feature field, and unread parts (field, text, reason)."""

    numbers: FeatureNumbers
    unread: UnreadText


def read_prose(text: str, *, hit: bool = False) -> ReadProse:
    """Return the numbers in plain prose, and parts that couldn't be read.

    `hit`: the text begins with the effect of a hit, because the attack's bonus and reach are elsewhere.
    """
    saving = "DC " in text
    if not hit and not saving and "ttack" not in text and "amage" not in text:
        return ReadProse({}, [])
    if len(text) > MAX_TEXT_LENGTH:
        why = f"longer than {MAX_TEXT_LENGTH:,} characters; no numbers were read from it"
        return ReadProse({}, [("text", text, why)])
    reading = _Reading(text)
    attack = _attack_in(text)
    at = _read_attack(reading, attack) if attack else 0
    hit = hit or attack is not None
    save = _first_asked(text, attack.end() if attack else 0) if saving else None
    if attack is None and (odd := _RE.to_hit.search(text)):
        reading.told.append(("attack", odd[0], "attack roll in an unknown sentence; kept as text only"))
    if save:
        _read_save(reading, save, after_hit=hit)
    elif saving and not attack and (listed := _RE.spells_dc.search(text)):
        reading.figures["dc"] = int(listed[1])
        if cast := _RE.spells_hit.search(text):
            reading.figures["attack"] = damage.as_int(cast[1])
    if save or (hit and at < len(text)):
        imposed = damage.afflictions_in(text, at, (save.start, save.end) if save else None, hit=hit)
        if imposed.afflictions:
            reading.figures["afflictions"] = imposed.afflictions
        if imposed.push:
            reading.figures["push"] = imposed.push
        why = "conditional effect; kept as text only"
        reading.told += [("afflictions", sentence, why) for sentence in imposed.unread]
    if save and (stages := damage.stages_in(text)):
        reading.figures["stages"] = stages
        reading.figures["afflictions"] = damage.at_once_in(text, stages[-1].afflictions)
    if swallowing := damage.swallowing_in(text):
        kept = reading.figures.get("afflictions", ())
        names = {affliction.condition for affliction in swallowing["afflictions"]}
        others = tuple(affliction for affliction in kept if affliction.condition not in names)
        reading.figures |= {**swallowing, "afflictions": (*others, *swallowing["afflictions"])}
    if (hit or save) and _RE.regains.search(text):
        drained = (affliction.value_of for affliction in reading.figures.get("afflictions", ()) if affliction.value_of)
        reading.figures["regains"] = next(drained, "damage")
    if "save" in reading.figures and (immune := _RE.immune_after.search(text)):
        reading.figures["immune_after"] = "save" if immune["any"] else "success"
    worn, parts = damage.worn_by_conditions(text, reading.figures.get("afflictions", ()))
    ran, more = damage.after_run(text, reading.figures) if "attack" in reading.figures or hit else ({}, 0)
    reading.figures |= worn | ran
    reading.parts += parts + more
    reading.tell_rest()
    return ReadProse(reading.figures, reading.told)


def _first_asked(text: str, start: int) -> SaveMention | None:
    """Return the first saving throw after a position. Saves against listed spells don't count."""
    if "pellcasting ability" in text:
        return next((save for save in saves_in(text, start) if not _RE.casts.search(text, 0, save.start)), None)
    return first_save(text, start)


def _attack_in(text: str, start: int = 0) -> re.Match[str] | None:
    if not any(text.find(words, start) >= 0 for words in _SAYS_ATTACK):
        return None
    return _RE.attack.match(text, start) or _RE.attack.search(text, start)


def _read_attack(reading: _Reading, attack: re.Match[str]) -> int:
    """Read an attack. Return the position after which further effects can begin."""
    text, figures = reading.text, reading.figures
    end = attack.end()
    figures["attack"] = damage.as_int(attack["bonus"])
    if attack["how"] in ("Spell", "spell") or attack["short"] in ("Spell", "spell"):
        figures["properties"] = ("spell",)
    hit = text.find("Hit:", end, end + _HEAD * 2)
    stop = hit if hit >= 0 else end + _HEAD
    reach = _RE.reach.search(text, end, stop)
    far = _RE.range.search(text, end, stop) if text.find("rang", end, stop) >= 0 else None
    if reach:
        figures["reach"] = int(reach[1])
    if far:
        figures["range"] = f"{far[1]}/{far[2]}" if far[2] else far[1]
    second = _attack_in(text, end)
    start = hit + 4 if hit >= 0 else max((match.end() for match in (reach, far) if match), default=end)
    harm = _harm_of_hit(text, start, exact=hit >= 0)
    if second is not None and not _is_same(reading, second, harm):
        reading.told.append(("attack", text[end:], "second attack; only the first was read"))
    if harm is None and hit >= 0 and (dealt := _RE.dice_at.match(text, start)) and "amage" not in text[start:]:
        reading.told.append(("damage", dealt[0].strip(), "kept as text only"))
    if harm is not None:
        reading.take(harm, "damage", start)
        if not harm.ongoing and (ongoing := _ongoing_of_hit(text, harm.end)):
            reading.take(ongoing, "", start)
        if harm.end + 1 >= len(text) and text[start : start + 2].strip()[:1].isdecimal():
            return len(text)  # the hit only deals damage
    return start


def _is_same(reading: _Reading, second: re.Match[str], harm: damage.ProseDamage | None) -> bool:
    """Whether the second attack of a text is the first one at another distance, which is then stored."""
    other = _Reading(reading.text)
    _read_attack(other, second)
    figures, dealt = reading.figures, harm.damage if harm else ""
    place = "reach" if "reach" in other.figures else "range"
    same = (other.figures["attack"], other.figures.get("damage", "")) == (figures["attack"], dealt)
    if not same or place not in other.figures or not _RE.second.search(reading.text, 0, second.start()):
        return False
    if place not in figures:
        figures[place] = other.figures[place]
        reading.parts += other.parts
    return bool(figures[place] == other.figures[place])


def _harm_of_hit(text: str, start: int, *, exact: bool) -> damage.ProseDamage | None:
    """Return the damage of a hit, at `start` or in the text after it.

    `exact`: later damage must be in the same sentence, after a word such as `takes` or `and`.
    """
    while text[start : start + 1].isspace():
        start += 1
    harm = damage.damage_at(text, start)
    if harm is None:
        end = text.find(". ", start) if exact else start + _HEAD
        save = first_save(text, start)
        end = min(len(text) if end < 0 else end + 1, save.start if save else len(text))
        match = (damage.TAKEN if exact else damage.PART).search(text, start, end)
        if match and not _RE.times.search(text, start, match.start()):
            harm = damage.damage_from(text, match)
    return harm


def _ongoing_of_hit(text: str, start: int) -> damage.ProseDamage | None:
    """Return unconditional ongoing damage of a hit in the same sentence."""
    if "ongoing" not in text:
        return None
    if burns := _RE.burns.search(text, start):
        start = burns.end()
    end = text.find(". ", start)
    match = damage.TAKEN.search(text, start, end if end > 0 else len(text))
    if not match or _RE.times.search(text, start, match.start()):
        return None
    save = first_save(text, start)
    harm = damage.damage_from(text, match)
    return None if harm.damage or (save and save.start < match.start()) else harm


def _read_save(reading: _Reading, save: SaveMention, *, after_hit: bool) -> None:
    text, figures = reading.text, reading.figures
    figures["save"], figures["dc"] = save.ability, save.dc
    if text[: save.end].endswith("check"):
        figures["properties"] = (*figures.get("properties", ()), "by-check")
    if after_hit and damage.is_conditional(text, save.start):
        reading.told.append(
            ("save", damage.sentence_at(text, save.start)[0], "conditional saving throw; kept as text only")
        )
    is_aimed = _RE.at_one.search(text, 0, save.start) is not None  # an area that follows is only left by it
    if not after_hit and (area := area_in(text[: save.start] if is_aimed else text)):
        figures["area"] = area
        figures |= {"range": point["feet"]} if (point := _RE.point.search(text)) else {}
    elif not after_hit and (one := _RE.at_one.search(text)):
        figures |= {"range": one["feet"], "targets": 1}
    elif not after_hit and (near := _RE.near.search(text, 0, save.start)):
        figures["range"] = near["feet"]
    # Newer texts describe the targets after the DC.
    aim = text.find(".", save.end) if ":" in text[save.start : save.end] else save.start
    if not after_hit and (left := _RE.left_out.search(text, 0, aim)):
        kinds = _RE.left_kind.findall((left["only"] or left["non"] or left["other"]).lower())
        figures["when"] = " | ".join(f"{'' if left['only'] else 'not '}other.type:{kind}" for kind in kinds)
    if not after_hit and _RE.hears.search(text, 0, aim):
        figures["when"] = ", ".join((*([f"({figures['when']})"] if "when" in figures else ()), "not other.deafened"))
    for harm in _harms_of_save(text, save.end):
        reading.take(harm, "save_damage" if after_hit else "damage", save.start)
        if harm.damage and "alf" in text and _RE.half.search(text, save.end):
            figures["half"] = True
    reading.told += [
        ("save", text[other.start : other.end], "further saving throw; only the first was read")
        for other in saves_in(text, save.end)
        if (other.ability, other.dc) != (save.ability, save.dc)
    ]


def _harms_of_save(text: str, start: int) -> list[damage.ProseDamage]:
    """Return unconditional damage of a failed save: the first immediate and the first ongoing damage."""
    harms: list[damage.ProseDamage] = []
    if text.find("amage", start) < 0:
        return harms
    for taken in damage.TAKEN.finditer(text, start):
        has_damage, has_ongoing = any(one.damage for one in harms), any(one.ongoing for one in harms)
        if has_damage and "ongoing" not in text:
            break
        sentence = max(text.rfind(". ", start, taken.start()) + 1 or start, taken.start() - _HEAD)
        if not _RE.times.search(text, sentence, taken.start()):
            harm = damage.damage_from(text, taken)
            if (harm.damage and not has_damage) or (harm.ongoing and not has_ongoing):
                harms.append(harm)
    return harms


def area_in(text: str) -> str:
    """Return the first area in a text that isn't an area of light, or an empty string."""
    for match in _RE.area.finditer(text):
        if not _RE.light.search(text, max(0, match.start() - 40), match.start()):
            return _written(match)
    if "line" in text and "wide" in text and (line := _RE.line.search(text)):
        return area_of("line", int(line["long"]), int(line["wide"]))
    for around in _RE.within.finditer(text):
        words = text[max(0, around.start() - 50) : around.start()].lower().split()
        words = words[:-2] if words[-2:-1] == ["that"] else words  # as in `each other creature that is`
        if words and words[-1] in _THEY and _ALL.intersection(words[-3:-1]):
            return area_of("radius", int(around[1]))
    return ""


def _written(match: re.Match[str]) -> str:
    size = int(match["size"])
    if match["long"]:
        return area_of("line", int(match["long"]), size)
    if match["wide"] or match["high"]:
        return area_of("line" if match["wide"] else "cylinder", size, int(match["wide"] or match["high"]))
    return area_of(match["shape"].lower(), size)


def area_of(shape: str, size: int, other: int = 0) -> str:
    """Describe an area of `size` feet.

    `other` is the width of a line or the height of a cylinder in feet, or 0 if unknown.
    """
    word = "radius" if shape in _ROUND else shape
    if not other:
        return f"{size}-foot {word}"
    return f"{size}-foot {word}, {other} feet {'wide' if shape == 'line' else 'high'}"


class SaveMention(NamedTuple):
    """The ability, DC and text position of a saving throw."""

    ability: str
    dc: int
    start: int
    end: int


def saves_in(text: str, start: int = 0) -> Iterator[SaveMention]:
    """Yield the saving throws after `start` that a text requires of other creatures."""
    at = text.find("DC ", start)
    while at >= 0:
        if match := _RE.after.match(text, at):
            if not _RE.own.search(text[max(0, at - _OWN_WINDOW) : at]):  # the feature's own creature makes that save
                yield SaveMention(match[2][:3].lower(), int(match[1]), at, match.end())
        elif "av" in text[max(0, at - 30) : at]:
            number = _RE.number.match(text, at)
            before = _RE.before.search(text, max(0, at - _WINDOW), at) if number else None
            if before and number:
                yield SaveMention(before[1][:3].lower(), int(number[1]), before.start(), number.end())
        at = text.find("DC ", at + 3)


def first_save(text: str, start: int = 0) -> SaveMention | None:
    """Return the first saving throw after `start` that a text requires of other creatures, or None."""
    return next(saves_in(text, start), None)
