"""Replaces enrichers in D&D 5e texts: `[[/attack extended]]`, `[[lookup @save.dc.value activity=…]]`.

All values are computed from the actor's own data. If a value isn't available (a class scale, a missing item), its
label or the end of its path is used instead, and reported. Other marks in double brackets are left to the plain text
reader.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.foundry import dnd5e_actions
from turnwright.importers.foundry.reading import (
    SKILLS,
    ActorReading,
    item_name,
    system_of,
    text_at,
    value_at,
    values_of,
    with_link_names,
)
from turnwright.importers.statblock_text.damage import NUMBERS, as_int
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.vocabulary import Patterns, terms

Record = Mapping[str, Any]
_RE: Final = Patterns("foundry_enrichers")
_FULL: Final[Mapping[str, str]] = terms("abilities", "titles")
_DAMAGE_MODES: Final = frozenset({"twoHanded", "oneHanded", "offhand", "thrown", "thrown-offhand"})
_TYPES: Final[frozenset[str]] = frozenset(terms("foundry_enrichers", "types"))
_UNITS: Final = {"ft": "feet", "mi": "miles", "m": "metres"}
_RESOURCES: Final[Mapping[str, str]] = terms("foundry_enrichers", "resources")
ELSEWHERE: Final = "[text of another document]"
_WORDS: Final = frozenset({"extended", "average", "capitalize", "lowercase", "uppercase"})
_NOT_THERE: Final = "value not in the file"


def expand_enrichers(html: str, item: Record, numbers: dnd5e_actions.ItemNumbers, reading: ActorReading) -> str:
    """Replace the enrichers in a text. Enrichers that can't be replaced are reported."""
    if "[[" not in html and "@" not in html and "{" not in html:
        return html
    expander = _Expander(item, numbers, reading)
    html = _RE.lookup.sub(expander.looked_up, html)
    html = _RE.enricher.sub(expander.shown, html)
    html = _RE.embed.sub(expander.embedded, html)
    html = _RE.reference.sub(r"&Reference[\g<rule>]", html)  # corrects a common typing mistake
    html = _RE.blank.sub(expander.blank, html)
    return with_link_names(html, reading.names_by_link, item_name(item), reading.report)


class _Expander:
    """Replaces the enrichers in the text of one item."""

    def __init__(self, item: Record, doing: dnd5e_actions.ItemNumbers, reading: ActorReading) -> None:
        self.item, self.doing, self.reading = item, doing, reading
        self.name = item_name(item)
        self.system = system_of(item)
        self.activities = values_of(self.system.get("activities"))
        self.is_of_2024 = text_at(self.system, "source.rules") == "2024"

    def lost(self, mark: str, replacement: str) -> str:
        """Return the replacement for a mark that can't be evaluated, and report it."""
        self.reading.report.add_note(f"{self.name}: text", mark, f"{_NOT_THERE}; the text shows {replacement!r}")
        return replacement

    def embedded(self, match: re.Match[str]) -> str:
        """Return the label of a text embedded from another document."""
        return self.lost(match[0], match["label"] or ELSEWHERE)

    def blank(self, match: re.Match[str]) -> str:
        """Return an ellipsis for a placeholder that its author never filled in, and report it."""
        why = "unfilled placeholder in the source; the text shows '…'"
        self.reading.report.add_note(f"{self.name}: text", match[0], why)
        return "…"

    def looked_up(self, match: re.Match[str]) -> str:
        """Return the value that a lookup refers to."""
        words, pairs = _config(match["config"])
        path = pairs.get("path") or next((word for word in words if word.startswith("@")), "")
        value = self._value(path.removeprefix("@"), pairs)
        if not value:
            return self.lost(match[0], match["label"] or f"[{path.rpartition('.')[2].replace('-', ' ')}]")
        styles = {"capitalize": value[:1].upper() + value[1:], "lowercase": value.lower(), "uppercase": value.upper()}
        return next((styles[word] for word in (pairs.get("style", ""), *words) if word in styles), value)

    def _value(self, path: str, pairs: Mapping[str, str]) -> str:
        reading = self.reading
        if path == "name":
            return reading.name
        if "activity" in pairs:
            activity = self._activity(pairs["activity"])
            return self._of_activity(activity, path) if activity else ""
        if path.startswith("labels."):
            return self._of_activity(self.activities[0] if self.activities else {}, path)
        if path.startswith("item."):
            return self._of_item(path.removeprefix("item."), pairs.get("item", ""))
        if path in _RESOURCES:
            count = as_int(value_at(reading.system, path.replace(".label", ".max")))
            return _RESOURCES[path].format(name=reading.name.lower(), count=count) if count else ""
        number = reading.formulas.number(f"@{path}") if path else None
        if number is not None:
            return str(number)
        raw = value_at(reading.system, path)
        return as_text(raw) if not isinstance(raw, list) else ", ".join(map(as_text, raw))

    def _of_activity(self, activity: Record, path: str) -> str:
        """Return a value of an activity, including values inherited from its item and computed DCs."""
        if path in ("save.dc.value", "check.dc.value"):
            return str(dnd5e_actions.activity_dc(activity, path.partition(".")[0], self.reading) or "")
        merged = dnd5e_actions.own_and_item_data(activity, self.system)
        if path.startswith("labels."):
            part = path.rpartition(".")[2]
            if part in ("affects", "template"):
                area = as_mapping(value_at(merged, "target.template"))
                return _affected(merged) if part == "affects" else _template(area)
            data = as_mapping(merged.get(part))
            number, unit = as_text(data.get("value")), as_text(data.get("units"))
            return f"{number} {_UNITS.get(unit, f'{unit}s' if number != '1' else unit)}" if number and unit else ""
        if path.endswith(".formula"):
            dealt = as_mapping(value_at(merged, path.removesuffix(".formula")))
            return dnd5e_actions.damage_text(
                {"parts": [{**dealt, "types": []}]}, self.name, self.reading, self.doing.modifier
            )
        value = value_at(merged, path)
        if value in (None, "") and path == "range.value":
            value = self.doing.known.get("reach")
        if isinstance(value, list):
            return " or ".join(map(as_text, value))
        text = as_text(value)
        amount = self.reading.formulas.amount(text, mod=self.doing.modifier) if re.search(r"[@*/]", text) else None
        return amount.text if amount else text

    def _of_item(self, path: str, id: str) -> str:
        item = self._item(id) if id else self.item
        if path == "name" and item:
            return item_name(item)
        system = system_of(item) if item else {}
        value = value_at(system, path)
        if path == "range.reach" and item is self.item and not value:
            value = self.doing.known.get("reach")
        return as_text(value)

    def _activity(self, id: str) -> Record | None:
        by_id = as_mapping(self.system.get("activities")).get(id)
        if isinstance(by_id, dict):
            return by_id
        known = ((one, text_at(one, "name").lower()) for one in self.activities)
        return next((one for one, name in known if one.get("_id") == id or name == id.lower()), None)

    def _of_type(self, pairs: Mapping[str, str], kind: str) -> Record | None:
        """Return the activity that an enricher names, or the item's first, if it is of this type."""
        activities = [self._activity(pairs["activity"])] if "activity" in pairs else self.activities
        return next((one for one in activities if one and one.get("type") == kind), None)

    def _item(self, id: str) -> Record | None:
        return next((item for item in self.reading.items if item.get("_id") == id), None)

    def shown(self, match: re.Match[str]) -> str:
        """Return the text that replaces an enricher."""
        words, pairs = _config(match["config"])
        kind = match["type"].lower()
        label, word = match["label"] or "", match["word"] or ""
        if kind in ("damage", "heal", "healing"):
            text = label or self._dealt(match["config"], words, pairs, healing=kind != "damage")
            text = text or self.lost(match[0], "[damage]" if kind == "damage" else "[healing]")
            return text if text.endswith(" damage") else f"{text}{word}"
        if kind == "item":
            text = label or self._item_name(words, pairs)
        elif kind == "attack":
            is_extended = "extended" in words or pairs.get("format") == "extended"
            before = _RE.tags.sub("", match.string[max(0, match.start() - 60) : match.start()]).rstrip()
            headed = before.endswith((":", "Roll", "Attack"))
            text = label or self._attack(words, pairs, extended=is_extended, headed=headed)
        elif kind == "save":
            text = label or self._save(words, pairs)
        elif kind == "concentration":
            dc = next((number for number in words if number.isdecimal()), "") or pairs.get("dc", "")
            text = label or f"{f'DC {dc} ' if dc else ''}concentration"
        elif kind == "award":
            text = label or re.sub(r"(?<=\d)(?=[a-z])", " ", match["config"].strip(), flags=re.IGNORECASE)
        else:
            text = label or self._check(words, pairs)
        return f"{text or self.lost(match[0], f'[{kind}]')}{word}"

    def _item_name(self, words: Sequence[str], pairs: Mapping[str, str]) -> str:
        text = " ".join(words)
        if of_item := _RE.activity.fullmatch(text):
            return self._activity_name(of_item["id"], of_item["activity"])
        by_id = _RE.id.fullmatch(text)
        item = self._item(by_id["id"]) if by_id else None
        if item is None and (text.startswith((".", "Actor.")) or (by_id and re.search(r"\d", text))):
            return ""
        name = item_name(item) if item else text
        if "activity" not in pairs or not name:
            return name
        activities = as_mapping(system_of(item).get("activities")) if item else {}
        return f"{name}: {text_at(activities.get(pairs['activity']), 'name') or pairs['activity']}"

    def _activity_name(self, id: str, activity_id: str) -> str:
        """Return the name of an item's activity: its own, or that of the spell that it casts, which may be a link."""
        place = f"{id}.Activity.{activity_id}"
        for item in self.reading.items:
            if as_text(value_at(item, "flags.dnd5e.cachedFor")).endswith(place):
                return item_name(item)
        owner = self._item(id)
        activity = as_mapping(as_mapping(system_of(owner).get("activities")).get(activity_id)) if owner else {}
        spell = text_at(activity, "spell.uuid")
        return text_at(activity, "name") or (f"@UUID[{spell}]" if spell else "")

    def _attack(self, words: Sequence[str], pairs: Mapping[str, str], *, extended: bool, headed: bool) -> str:
        known, bonus = self.doing.known, self.doing.known.get("attack")
        formula = pairs.get("formula") or next((word for word in words if word.lstrip("+-").isdecimal()), "")
        if formula:
            bonus = self.reading.formulas.number(formula, mod=self.doing.modifier)
        elif "activity" in pairs:
            activity = self._activity(pairs["activity"])
            if activity is None:
                return ""
            if activity is not next((other for other in self.activities if other.get("type") == "attack"), None):
                own_numbers = dnd5e_actions.ItemNumbers({}, {})
                dnd5e_actions.attack_numbers(activity, self.system, self.name, self.reading, own_numbers)
                known, bonus = own_numbers.known, own_numbers.known.get("attack")
        if bonus is None:
            return ""
        far = f"range {known['range']} ft." if known.get("range") else ""
        near = f"reach {known['reach']} ft." if known.get("reach") else ""
        way = "Melee or Ranged" if near and far else "Ranged" if far else "Melee"
        distances = " or ".join(filter(None, (near, far))) if extended else ""
        if headed and not extended:
            return f"{bonus:+d}" if self.is_of_2024 else f"{bonus:+d} to hit"
        if self.is_of_2024:
            return f"{way} Attack Roll: {bonus:+d}, {distances}".rstrip(", .")
        kind = "Spell" if "spell" in known.get("properties", ()) else "Weapon"
        return f"{way} {kind} Attack: {bonus:+d} to hit, {distances}".rstrip(", .")

    def _save(self, words: Sequence[str], pairs: Mapping[str, str]) -> str:
        abilities = [part for part in re.split(r"[/|]", pairs.get("ability", "")) if part]
        abilities += [word for word in words if word[:3].lower() in ABILITIES and word.isalpha()]
        dc = pairs.get("dc") or next((word for word in words if word.isdecimal()), "")
        if "activity" in pairs or not abilities:
            save = self._of_type(pairs, "save")
            if save is not None:
                stated = value_at(save, "save.ability")
                abilities = [as_text(candidate) for candidate in (stated if isinstance(stated, list) else [stated])]
                dc = str(dnd5e_actions.activity_dc(save, "save", self.reading) or "")
            elif "save" in self.doing.known:
                abilities, dc = [self.doing.known["save"]], str(self.doing.known.get("dc", ""))
        dc = self._dc(dc)
        names = " or ".join(_FULL[ability[:3].lower()] for ability in abilities if ability[:3].lower() in _FULL)
        if not names:
            return ""
        is_long = pairs.get("format") == "long"
        return f"{f'DC {dc} ' if dc else ''}{names}{' saving throw' if is_long else ''}"

    def _check(self, words: Sequence[str], pairs: Mapping[str, str]) -> str:
        ability, dc = pairs.get("ability", ""), pairs.get("dc", "")
        others = [part for key in ("skill", "tool") for part in re.split(r"[/|]", pairs.get(key, "")) if part]
        for word in words:
            if word.isdecimal():
                dc = word
            elif word[:3].lower() in ABILITIES and (len(word) == 3 or word.lower() == _FULL[word[:3].lower()].lower()):
                ability = word[:3].lower()
            elif word.lower() not in ("passive", "long", "short"):
                others.append(word)
        if "activity" in pairs or not (ability or others):
            check = self._of_type(pairs, "check")
            if check is None:
                return ""
            ability = text_at(check, "check.ability")
            others = [as_text(entry) for entry in as_list(value_at(check, "check.associated"))]
            dc = str(dnd5e_actions.activity_dc(check, "check", self.reading) or "")
        ability = ability or next((SKILLS[other][1] for other in others if other in SKILLS), "")
        skills = " or ".join(
            SKILLS[other][0].replace("-", " ").title() if other in SKILLS else other.title() for other in others
        )
        name = _FULL.get(ability[:3].lower(), "")
        text = f"{name} ({skills})" if name and skills else name or skills
        dc = self._dc(dc)
        passive = "passive " if "passive" in words or pairs.get("passive") == "true" else ""
        is_long = pairs.get("format") == "long"
        return f"{f'DC {dc} ' if dc else ''}{passive}{text}{' check' if is_long else ''}" if text else ""

    def _dc(self, dc: str) -> str:
        """Return a DC, which may be a formula, as a number."""
        number = self.reading.formulas.number(dc, mod=self.doing.modifier) if dc and not dc.isdecimal() else None
        return str(number) if number is not None else dc if dc.isdecimal() else ""

    def _dealt(self, config: str, words: Sequence[str], pairs: Mapping[str, str], *, healing: bool) -> str:
        """Describe damage or healing from the formulas of an enricher, an activity, or the item's first activity."""
        is_extended = "extended" in words or pairs.get("format") == "extended"
        formulas = config.replace("&amp;", "&").split("&")
        parts = [part for formula in formulas if (part := self._formula(formula, healing=healing))]
        parts = parts or self._of_activities(pairs.get("activity", ""), words, pairs, healing=healing)
        own_average = pairs.get("average", "")
        with_average = is_extended or "average" in words or own_average == "true" or own_average.isdecimal()
        shown = [_average(part, own_average, plain=not with_average) for part in parts]
        text = " plus ".join(self._cased(part, healing=healing) for part in shown if part)
        ending = "" if not is_extended or text.endswith("damage") else " damage"
        return f"Hit: {text}{ending}" if text and is_extended else text

    def _formula(self, config: str, *, healing: bool) -> str:
        words, pairs = _config(config)
        words = [word for word in words if word not in ("average", "extended") and word not in _DAMAGE_MODES]
        kinds = [kind for kind in re.split(r"[/|]", pairs.get("type", "")) if kind]
        kinds += [word for word in words if word.lower() in _TYPES]
        formula = " ".join((pairs.get("formula", ""), *(word for word in words if word.lower() not in _TYPES))).strip()
        if not formula:
            return ""
        amount = self.reading.formulas.amount(formula, mod=self.doing.modifier)
        if amount is None and "@" in formula:
            return ""
        text = amount.text if amount else formula
        kinds = [] if healing else ["healing" if kind == "healing" else kind for kind in kinds]
        return f"{text} {' or '.join(kinds)}".strip()

    def _of_activities(self, id: str, words: Sequence[str], pairs: Mapping[str, str], *, healing: bool) -> list[str]:
        activity = self._activity(id) if id else None
        if id and activity is None:
            return []
        if healing:
            heal = activity or self._of_type({}, "heal")
            text = dnd5e_actions.healing_of(heal, self.doing.modifier, self.name, self.reading) if heal else ""
            return [text] if text else []
        if "twoHanded" in words or pairs.get("attackMode") == "twoHanded":
            return [self.doing.two_handed] if self.doing.two_handed else []
        dealers = [candidate for candidate in self.activities if candidate.get("type") in ("attack", "damage", "save")]
        for candidate in [activity] if activity else dealers:
            if dealt := dnd5e_actions.activity_damage(
                candidate, self.item, self.doing.modifier, self.name, self.reading
            ):
                return dealt.split(" + ")
        known = self.doing.known
        dealt = as_text(known.get("damage")) or as_text(known.get("save_damage"))
        return dealt.split(" + ") if dealt and not activity else []

    def _cased(self, part: str, *, healing: bool) -> str:
        if healing:
            return part.removesuffix(" damage")
        if not self.is_of_2024:
            return part
        return re.sub(rf"\b(?:{'|'.join(_TYPES)})\b(?= (?:damage|or))", lambda match: match[0].capitalize(), part)


def _affected(activity: Record) -> str:
    """Describe the targets of an activity: `each creature`, `two creatures of your choice`."""
    affects = as_mapping(value_at(activity, "target.affects"))
    kind, count = text_at(affects, "type"), as_int(affects.get("count"))
    if not kind:
        return ""
    choice = " of your choice" if affects.get("choice") is True else ""
    if count is None or count < 1:
        return f"each {kind}{choice}"
    number = next((word for word, value in NUMBERS.items() if value == count and len(word) > 2), str(count))
    return f"{number} {kind}{'s' if count > 1 else ''}{choice}"


def _template(template: Record) -> str:
    """Describe an area: `60-foot-long, 5-foot-wide Line`, `20-foot-radius Sphere`."""
    shape, size = text_at(template, "type"), text_at(template, "size")
    if not shape or not size:
        return ""
    width, height, name = text_at(template, "width"), text_at(template, "height"), shape.capitalize()
    if shape in ("line", "wall"):
        return f"{size}-foot-long{f', {width}-foot-wide' if width else ''} {name}"
    if shape in ("sphere", "cylinder", "circle"):
        return f"{size}-foot-radius{f', {height}-foot-high' if height else ''} {name}"
    return f"{size}-foot {'Emanation' if shape == 'radius' else name}"


def _config(text: str) -> tuple[list[str], dict[str, str]]:
    """Return the single words and the key-value pairs in an enricher's configuration."""
    pairs: dict[str, str] = {}
    words: list[str] = []
    parts = re.findall(r"\w+=\"[^\"]*\"|\S+", text)
    for before, part in zip(("", *parts), parts, strict=False):
        key, equals, value = part.partition("=")
        if equals:
            pairs[key] = value.strip('"')
        elif before.startswith("activity=") and part not in _WORDS and not part.startswith("@"):
            pairs["activity"] += f" {part}"
        else:
            words.append(part)
    return words, pairs


def _average(part: str, own: str, *, plain: bool) -> str:
    """Convert `2d8+3 piercing` to `12 (2d8 + 3) piercing damage`, or omit the average if `plain`."""
    dice, _, kind = part.partition(" ")
    words = f"{kind} damage" if kind else ""
    if "d" not in dice:
        return f"{dice} {words}".strip()
    shown = re.sub(r"([+-])(?=\d+$)", r" \1 ", dice)
    if plain:
        return f"{shown} {words}".strip()
    average = sum(int(c or 1) * (int(s) + 1) for c, s in re.findall(r"(\d*)d(\d+)", dice))
    flat = sum(as_int(n) or 0 for n in re.findall(r"[+-]\d+$", dice))
    total = own if own.isdecimal() else str(max(average // 2 + flat, 0))
    return f"{total} ({shown}) {words}".strip()
