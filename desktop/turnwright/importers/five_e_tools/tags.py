"""Converts 5etools text to plain text: `{@hit 5}` to `+5`, `{@atk mw}` to `Melee Weapon Attack:`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.statblock_text.markup import MAX_MARKED
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import UnreadableError

_RE: Final = Patterns("five_e_tools_tags")
_ABILITIES: Final[Mapping[str, str]] = terms("abilities", "titles")
_DEEPEST: Final = 8  # maximum depth of nested tags
_MAX_ENTRIES: Final = 40  # maximum depth of nested entries
_ATTACKS: Final = {"m": "Melee", "r": "Ranged", "g": "Magical", "a": "Area"}
_KINDS: Final = {"w": "Weapon", "s": "Spell", "p": "Power"}
# The part of a tag's content that is shown, if it isn't the first: `{@creature goblin|source|goblins}`.
_FIXED: Final[Mapping[str, str]] = terms("five_e_tools_tags", "fixed")
_OWN_WORDS: Final = frozenset({"hitYourSpellAttack", "dcYourSpellSave", "coinflip"})  # may have their own text
_ORDINALS: Final = {"1": "First ", "2": "Second ", "3": "Third "}
_IN_ORDER: Final = ("headerEntries", "entry", "entries", "items", "tables", "text", "footerEntries")
_NO_TEXT: Final[frozenset[str]] = frozenset(terms("five_e_tools_tags", "no_text"))
_SIGNED: Final = frozenset({"hit", "initiative", "savingThrow", "skillCheck"})
_OF_SKILLS: Final[Mapping[str, str]] = terms("abilities", "of_skills")


def plain_entry(entry: Any, name: str = "") -> str:
    """Return any type of entry as plain text, with one line per paragraph and `name` at the start."""
    lines = [line for line in _lines(entry, 0) if line]
    text = "\n".join(lines)
    if len(text) > MAX_MARKED:
        raise UnreadableError(f"a text has {len(text):,} characters; the limit is {MAX_MARKED:,}")
    return f"{name}. {text}" if name else text


def plain(text: str) -> str:
    """Return a text without tags, as a book prints it."""
    if len(text) > MAX_MARKED:
        raise UnreadableError(f"a text has {len(text):,} characters; the limit is {MAX_MARKED:,}")
    for _ in range(_DEEPEST):
        if "{@" not in text:
            break
        text = _RE.innermost.sub(_shown, text)
    return text.replace("{=", "{").strip()


def _lines(entry: Any, depth: int) -> Iterator[str]:
    """Yield the paragraphs of an entry."""
    if depth > _MAX_ENTRIES:
        raise UnreadableError(f"entries are nested deeper than {_MAX_ENTRIES} levels")
    if isinstance(entry, str | int | float) and not isinstance(entry, bool):
        yield plain(as_text(entry))
    elif isinstance(entry, list):
        for inner in entry:
            yield from _lines(inner, depth + 1)
    elif isinstance(entry, dict):
        yield from _entry_lines(entry, depth + 1)


def _entry_lines(entry: dict[str, Any], depth: int) -> Iterator[str]:
    kind, name = as_text(entry.get("type")), plain(as_text(entry.get("name"))).rstrip(".:")
    match kind:
        case "list":
            for item in as_list(entry.get("items")):
                first, *others = [*_lines(item, depth), ""]
                yield f"\N{BULLET} {first}"
                yield from filter(None, others)
        case "table":
            yield from _lines(entry.get("intro", []), depth)
            yield plain(as_text(entry.get("caption")))
            yield " | ".join(plain_entry(label) for label in as_list(entry.get("colLabels")))
            for row in as_list(entry.get("rows")):
                cells = row.get("row") if isinstance(row, dict) else row
                yield " | ".join(plain_entry(_cell(cell)) for cell in as_list(cells))
            yield from _lines([entry.get(key, []) for key in ("footnotes", "outro")], depth)
        case "attack":
            kinds = {"MW": "Melee Weapon Attack:", "RW": "Ranged Weapon Attack:"}
            head = " ".join(_lines(entry.get("attackEntries"), depth))
            hit = " ".join(_lines(entry.get("hitEntries"), depth))
            yield f"{kinds.get(as_text(entry.get('attackType')), 'Attack:')} {head} Hit: {hit}"
        case "abilityDc" | "abilityAttackMod":
            yield name
        case "hr" | "image" | "gallery" | "statblock" | "statblockInline":
            return
        case "inline" | "inlineBlock":
            yield "".join(_lines(entry.get("entries"), depth))
        case "affliction":
            yield from _affliction_lines(entry, name, depth)
        case "successDegree":  # only in Pathfinder files
            for degree, inner in as_mapping(entry.get("entries")).items():
                yield f"{degree} {' '.join(_lines(inner, depth))}"
        case "bonus" | "bonusSpeed":
            yield f"{as_int(entry.get('value')) or 0:+d}{' ft.' if kind == 'bonusSpeed' else ''}"
        case "dice":
            rolls = (as_mapping(roll) for roll in as_list(entry.get("toRoll")))
            yield " + ".join(f"{as_text(roll.get('number'))}d{as_text(roll.get('faces'))}" for roll in rolls)
        case _:
            keys: list[str] = [key for key in _IN_ORDER if key in entry]
            keys = keys or [key for key in entry if key not in _NO_TEXT]  # an unknown kind of entry
            lines = [line for key in keys for line in _lines(entry[key], depth) if line]
            if name and lines:
                lines[0] = f"{name}. {lines[0]}"
            yield from lines or [name]


def _affliction_lines(entry: dict[str, Any], name: str, depth: int) -> Iterator[str]:
    """Yield the lines of a Pathfinder affliction: its save, its duration and its stages."""
    dc, save = as_text(entry.get("DC")), plain(as_text(entry.get("savingThrow")))
    level, note = as_text(entry.get("level")), plain(as_text(entry.get("note")))
    throw = f"Saving Throw {f'DC {dc} ' if dc else ''}{save}" if dc or save else ""
    labels = {"onset": "Onset", "maxDuration": "Maximum Duration", "duration": "Duration"}
    times = (f"{label} {plain(as_text(entry[key]))}" for key, label in labels.items() if entry.get(key))
    heading = "; ".join(filter(None, (f"Level {level}" if level else "", note, throw, *times)))
    yield f"{name}. {heading}" if name else heading
    yield from _lines(entry.get("entries", []), depth)
    for number, stage_data in enumerate(as_list(entry.get("stages")), 1):
        stage = as_mapping(stage_data)
        lasts = plain(as_text(stage.get("duration")))
        text = " ".join(_lines(stage.get("entry", stage.get("entries", "")), depth))
        yield f"Stage {as_text(stage.get('stage')) or number} {text}{f' ({lasts})' if lasts else ''}"


def _cell(cell: Any) -> Any:
    """Return the content of a table cell. In a die roll column, it is the range of results."""
    if not isinstance(cell, dict) or cell.get("type") != "cell":
        return cell
    roll = cell.get("roll")
    if isinstance(roll, dict):
        low, high = as_text(roll.get("min", roll.get("exact"))), as_text(roll.get("max"))
        return f"{low}-{high}" if high else low
    return cell.get("entry", "")


def _shown(match: re.Match[str]) -> str:
    """Return the displayed text of one tag."""
    name, content = match[1], match[2] or ""
    parts = [part.strip() for part in content.split("|")]
    word = parts[0]
    if name in _FIXED:
        return word if word and name in _OWN_WORDS else _FIXED[name]
    match name:
        case "atk" | "atkr":
            return f"{_attack(word)} Attack{' Roll' if name == 'atkr' else ''}:"
        case "recharge":
            face = word if word in ("2", "3", "4", "5") else ""
            return "(Recharge)" if word == "0" else f"(Recharge {face}-6)" if face else "(Recharge 6)"
        case "actSave":
            return f"{_ABILITIES.get(word.lower(), word.title())} Saving Throw:"
        case "actSaveFail":
            return f"{_ORDINALS.get(word, '')}Failure:"
        case "actSaveFailBy":
            return f"Failure by {word} or More:"
        case "scaledice" | "scaledamage":
            last = len(parts) - 1
            return parts[2] if last == 3 else parts[min(last, 4)]
    shown = _part(name, parts)
    number = shown.rpartition(" ")[2]
    if name == "dc":
        return f"DC {shown}"
    if name in _SIGNED and len(parts) == 1 and number.isdecimal():
        return f"+{number}"
    if name == "chance" and len(parts) == 1:
        return f"{word} percent"
    return number if name == "ability" and len(parts) == 1 else shown


def _part(name: str, parts: list[str]) -> str:
    at = terms("five_e_tools_tags", "shown_parts").get(name, 2)
    return parts[at] if len(parts) > at and parts[at] else parts[0]


def _attack(text: str) -> str:
    """Return the text for the letter codes of an attack: `mw,rw` is `Melee or Ranged Weapon`."""
    alternatives = []
    for named in (_ATTACKS, _KINDS):
        words = (" ".join(named[letter] for letter in word if letter in named) for word in text.lower().split(","))
        alternatives.append(" or ".join(dict.fromkeys(filter(None, words))))
    return " ".join(filter(None, alternatives))


def rating_of(record: Mapping[str, Any]) -> str:
    """Return the challenge rating of a creature, as text."""
    rating = record.get("cr")
    return as_text(rating.get("cr") if isinstance(rating, dict) else rating).strip()


def proficiency_of(rating: str) -> int:
    """Return the proficiency bonus of a challenge rating."""
    whole = as_int(rating) if "/" not in rating else 0
    return 2 + max(0, (whole or 0) - 1) // 4


class Formulas:
    """Calculates the values of variables and formulas for a creature's record."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = record

    def modifier(self, ability: str) -> int:
        """Return the modifier of an ability, or 0 if the creature has no such score."""
        score = as_int(self._record.get(ability))
        return 0 if score is None else (score - 10) // 2

    def known(self, field: str) -> tuple[str, ...]:
        """Return the names of all saves or skills."""
        return ABILITIES if field == "save" else tuple(_OF_SKILLS)

    def bonus(self, field: str, name: str, times: int) -> int | None:
        """Return a save or skill bonus with `times` the proficiency bonus, or None for an unknown save or skill."""
        ability = name if field == "save" and name in ABILITIES else _OF_SKILLS.get(name, "")
        return self.modifier(ability) + times * proficiency_of(rating_of(self._record)) if ability else None

    def filled(self, text: str) -> str:
        """Return a text with its variables filled in. Unknown variables stay."""
        return _RE.variable.sub(self._value, text)

    def calculated(self, formula: str) -> int | None:
        """Calculate a formula of sums and products. Return None for any other formula."""
        text = self.filled(formula).replace("(", " ").replace(")", " ")
        products = (int(f"{sign}{term}") * int(times or 1) for sign, term, times in _RE.term.findall(text))
        return sum(products) if _RE.sum.fullmatch(text) else None

    def _value(self, match: re.Match[str]) -> str:
        name, _, about = match[1].partition("__")
        bonus = proficiency_of(rating_of(self._record))
        modifier = self.modifier(about)
        short = as_mapping(self._record).get("shortName")
        full_name = as_text(self._record.get("name"))
        usual = (
            full_name if short is True else _RE.titles.sub("", full_name).partition(",")[0].partition("(")[0].strip()
        )
        shortened = short if isinstance(short, str) else usual
        values = {
            "name": full_name,
            "short_name": shortened,
            "title_short_name": shortened.title(),
            "title_name": full_name.title(),
            "pb": str(bonus),
            "dc": str(8 + modifier + bonus),
            "spell_dc": str(8 + modifier + bonus),
            "to_hit": f"{modifier + bonus:+d}",
            "damage_mod": f" {'+' if modifier > 0 else '-'} {abs(modifier)}" if modifier else "",
            "mod": str(modifier),
        }
        return values.get(name, match[0])
