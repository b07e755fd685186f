"""Reads the numbers of an ability from its text: damage, saving throw, area, frequency and conditions.

The texts no longer contain markup. A text that isn't understood is reported, never guessed at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import InflictedCondition
from turnwright.importers.pf2e.conditions import (
    AddNote,
    conditions_in,
    degrees_of,
    longest_in,
    stages_in,
    unread_conditions,
)
from turnwright.importers.pf2e.markup import SAVES, id_of
from turnwright.importers.pf2e.strikes import damage_in
from turnwright.importers.statblock_text.damage import number_in_words
from turnwright.importers.vocabulary import pattern, terms

Numbers = dict[str, Any]  # numbers keyed by feature field, in reading order
# Abilities with a fixed text in the rules: the save, and whether it is a basic save.
_ASKED_BY: Final[Mapping[str, tuple[str, bool]]] = terms("pf2e_abilities", "asked_by")
_SAVE: Final = pattern("pf2e_abilities", "save")
_BARE_SAVE = re.compile(r"(?P<basic>basic )?(?P<save>Fortitude|Reflex|Will) (?:save|saving throw)")
_BARE_DC = re.compile(r"(?<!Escape )(?<!Athletics )\bDC (\d{1,2})\b(?! (?:flat|[A-Z]))")
_AREA: Final = pattern("pf2e_abilities", "area")
_FEET = re.compile(r"^(?:Range:? )?(\d{1,4}) feet\b")
_RANGE = re.compile(r"\brange of (\d{1,5}) feet\b")
_TRIGGER = re.compile(r"^Trigger .*", re.MULTILINE)
_AIMED: Final = pattern("pf2e_abilities", "aimed")
_FREQUENCY: Final = pattern("pf2e_abilities", "frequency")
_OFTEN = re.compile(r"^Frequency:? (.*?)(?:[.;]|$)", re.MULTILINE)

_CANT_AGAIN = re.compile(r"(?:can't|cannot|can\u2019t) [^.]{0,80}? again (?:for|until|within) [^.]*")
_STRIKES = re.compile(r"\b(a|an|one|two|three|four|five|six|\d) ([A-Za-z][A-Za-z' -]{0,40}?) Strikes?\b")
_ESCAPE = re.compile(r"\bEscape(?: DC| \(DC|: DC)? ?(?:DC )?(\d{1,2})\b")
_SUBJECT: Final = pattern("pf2e_abilities", "subject")
_SENTENCE = re.compile(r"[.\n]")
_HELD: Final = frozenset({"grabbed", "restrained", "immobilized"})
_STAGE = re.compile(r"^Stage 1:? (.*)", re.MULTILINE)


def read_ability(name: str, text: str, owner: str, traits: tuple[str, ...], add_note: AddNote) -> dict[str, Any]:
    """Return the numbers in an ability's text, keyed by feature field.

    `owner` is the creature's name: a save that the creature itself makes is not the ability's save.
    """
    numbers: Numbers = {}
    if "DC" in text or " save" in text:
        _read_save(numbers, name, text, owner, add_note)
    if "-foot" in text or is_aura(name, traits):
        _read_area(numbers, text, is_aura(name, traits), add_note)
    if "damage" in text or "save" in numbers:
        _read_damage(numbers, text, add_note)
    _read_uses(numbers, text, add_note)
    if "save" in numbers:
        _read_conditions(numbers, text, add_note)
        _read_degrees(numbers, text, add_note)
        if not is_aura(name, traits):
            _read_range(numbers, text)
    return numbers


def _read_save(numbers: Numbers, name: str, text: str, owner: str, add_note: AddNote) -> None:
    """Read the save that other creatures must make. The DC may be part of the phrase or, as in auras, separate from it.

    An ability with a fixed text in the rules may state only its DC.
    """
    complete = [match for match in _SAVE.finditer(text) if not _is_own(text, match.start(), owner)]
    bare = [match for match in _BARE_SAVE.finditer(text) if not _is_own(text, match.start(), owner)]
    dc = _BARE_DC.search(text)
    fixed = _ASKED_BY.get(id_of(name))
    if complete:
        saves = ((match["save"] or match["save2"], match["dc"] or match["dc2"]) for match in complete)
        (save, number), *others = dict.fromkeys(saves)
        half = any(complete[0][group] for group in ("first", "basic", "basic2", "after"))
        numbers |= {"save": SAVES[save.lower()], "dc": int(number)}
        for save, number in sorted(others):
            add_note("save", f"DC {number} {save}", "additional save; kept as text only")
    elif bare and dc and dc.start() <= 120:
        half = bool(bare[0]["basic"])
        numbers |= {"save": SAVES[bare[0]["save"].lower()], "dc": int(dc[1])}
    elif fixed and dc:
        half = fixed[1]
        numbers |= {"save": fixed[0], "dc": int(dc[1])}
    else:
        half = False
        if unread := _SAVE.search(text) or _BARE_SAVE.search(text):
            add_note("save", sentence_around(text, unread.start()), "save not understood; kept as text only")
    numbers |= {"half": True} if half else {}


def sentence_around(text: str, at: int) -> str:
    """Return the sentence around a position in a text."""
    start = max(text.rfind(". ", 0, at), text.rfind("\n", 0, at)) + 1
    end = text.find(". ", at)
    return text[start : len(text) if end < 0 else end + 1].strip()


def _is_own(text: str, at: int, owner: str) -> bool:
    """Return whether the creature itself makes the save: `the redcap must attempt a DC 19 Will save`."""
    head = _SUBJECT.search(text[max(0, at - 90) : at].lower())
    words = owner.lower().split()
    own = {" ".join(words), *words[-1:], *words[:1]} - {"creature", "target"} | {"monster"}
    return head is not None and head[1] in own


def is_aura(name: str, traits: tuple[str, ...]) -> bool:
    """Return whether an ability is an aura. The distance at the start of its text is then the size of an emanation."""
    return "aura" in traits or "aura" in name.lower().split()


def _read_area(numbers: Numbers, text: str, aura: bool, add_note: AddNote) -> None:
    areas = list(dict.fromkeys((match[1], match[2]) for match in _AREA.finditer(text)))
    if areas:
        numbers["area"] = f"{areas[0][0]}-foot {areas[0][1]}"
        for feet, kind in areas[1:]:
            add_note("area", f"{feet}-foot {kind}", "additional area; kept as text only")
    elif aura and (head := _FEET.match(text)):
        numbers["area"] = f"{head[1]}-foot emanation"


def _read_damage(numbers: Numbers, text: str, add_note: AddNote) -> None:
    if _STAGE.search(text):  # the stages of a poison are not effects of its first save
        return
    amounts, lasting, remaining = damage_in(text)
    if amounts and amounts[0]:
        numbers["damage"] = amounts[0]
    if lasting and all("critical" in sentence for sentence in _SENTENCE.split(text) if "persistent" in sentence):
        remaining, lasting = [*remaining, f"{lasting[0]}, persistent, on a critical failure"], []
    if lasting:
        numbers["ongoing"] = lasting[0]
    for words in (*amounts[1:], *lasting[1:], *remaining):
        add_note("damage", words, "additional or conditional damage; kept as text only")


def _of_first(text: str) -> int:
    """Return the end of the text about the first save: the position of the next save of a different type."""
    saves = [(match["save"] or match["save2"], match.start()) for match in _SAVE.finditer(text)]
    return next((start for save, start in saves if save != saves[0][0]), len(text))


def _read_degrees(numbers: Numbers, text: str, add_note: AddNote) -> None:
    """Read whether damage follows the degrees of success of a basic save. Other degrees are reported."""
    degrees = degrees_of(text)
    if "damage" not in numbers or not degrees or "half" in numbers:
        return
    if "half damage" in degrees.get("success", "") and "double damage" in degrees.get("critical-failure", ""):
        numbers["half"] = True
    else:
        add_note("damage", numbers["damage"], "not a basic save; degrees of success kept as text only")


def _read_range(numbers: Numbers, text: str) -> None:
    stated = {match[1] for match in islice(_RANGE.finditer(text), 1)}
    aimed = {match[1] for match in _AIMED.finditer(_TRIGGER.sub("", text))} if "area" not in numbers else set()
    if len(far := stated or aimed) == 1:
        numbers["range"] = far.pop()


def _read_uses(numbers: Numbers, text: str, add_note: AddNote) -> None:
    frequency = _OFTEN.search(text)
    limit = _FREQUENCY.search(frequency[1]) if frequency else None
    if limit is not None and frequency is not None and limit.end() >= len(frequency[1].rstrip()) - 1:
        numbers |= {"uses": number_in_words(limit["count"].split()[0]), "per": limit["per"].lower()}
    elif frequency is not None:
        add_note("uses", frequency[1], "frequency not understood; kept as text only")
    if again := _CANT_AGAIN.search(text):
        add_note("recharge", again[0], "time until the next use; kept as text only")


def _read_conditions(numbers: Numbers, text: str, add_note: AddNote) -> None:
    if stages := stages_in(text):
        numbers |= {"stages": stages, **longest_in(text)}
    elif _STAGE.search(text):
        numbers["afflictions"] = (InflictedCondition("affliction"),)
        add_note("stages", text[text.find("Stage 1") :], "stages not understood; kept as text only")
    if stages or "afflictions" in numbers:
        return
    escape = _ESCAPE.search(text)
    afflictions = conditions_in(text[: _of_first(text)], add_note)
    if escape:
        dc = {name: int(escape[1]) for name in _HELD}
        afflictions = tuple(msgspec.structs.replace(one, escape_dc=dc.get(one.condition, 0)) for one in afflictions)
    if afflictions:
        numbers["afflictions"] = afflictions
    if unread := unread_conditions(text, afflictions):
        add_note("afflictions", ", ".join(unread), "unclear who gets this condition; kept as text only")


def strikes_in(text: str, strike_ids: dict[str, str], add_note: AddNote) -> tuple[tuple[str, int], ...]:
    """Return the ids and counts of the Strikes that a text combines, or an empty tuple if any of them is unknown."""
    if "Strike" not in text:
        return ()
    counted: Counter[str] = Counter()
    for match in _STRIKES.finditer(text):
        counted[strike_ids.get(match[2].lower().strip(), "")] += number_in_words(match[1])
    if "" in counted or counted.total() < 2:
        return ()
    if re.search(r"Strikes? or (?:a|an|one|two|three)\b", text):
        add_note("multiattack", text, "choice of Strikes; kept as text only")
        return ()
    return tuple(counted.items())
