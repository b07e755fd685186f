"""Reads the numbers of an ability from its text: damage, saving throw, area, frequency, and conditions.

The texts are plain by now. All numbers found here are from prose only; text that is not understood is reported,
never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import InflictedCondition
from turnwright.storage.importers.pf2e.affliction_stages import longest_in, stages_in
from turnwright.storage.importers.pf2e.conditions import conditions_in, degrees_of, unread_conditions
from turnwright.storage.importers.pf2e.damage import damage_in
from turnwright.storage.importers.pf2e.terms import SAVES, id_of
from turnwright.storage.statblock_text.numbers import number_in_words

AddNote = Callable[[str, str, str], None]
Found = dict[str, Any]  # numbers by field of a feature, in the order in which they were found
# Abilities with a fixed text in the rules: the save, and whether it is a basic one.
_ASKED_BY: Final = {
    "buck": ("dex", False), "constrict": ("con", True), "engulf": ("dex", False), "frightful-presence": ("wis", False),
    "greater-constrict": ("con", True), "trample": ("dex", True),
}  # fmt: skip
_SAVE = re.compile(
    r"(?:(?P<first>basic )?DC (?P<dc>\d{1,2}) (?P<basic>basic )?(?P<save>Fortitude|Reflex|Will)\b"
    r"|(?P<basic2>basic )?\b(?P<save2>Fortitude|Reflex|Will)(?: save)?,? (?:\()?DC (?P<dc2>\d{1,2})\b)"
    r"(?! (?:DC|modifier)\b)(?P<after>,? ?basic\b)?"
)
_BARE_SAVE = re.compile(r"(?P<basic>basic )?(?P<save>Fortitude|Reflex|Will) (?:save|saving throw)")
_BARE_DC = re.compile(r"(?<!Escape )(?<!Athletics )\bDC (\d{1,2})\b(?! (?:flat|[A-Z]))")
_AREA = re.compile(
    r"\b(\d{1,4})-foot(?:-(?:radius|long|wide|tall|high))*,?[ -]?(?:\d+-foot-\w+ )?"
    r"(cone|line|burst|emanation|radius|cylinder|cube|square)\b"
)
_FEET = re.compile(r"^(?:Range:? )?(\d{1,4}) feet\b")
_RANGE = re.compile(r"\brange of (\d{1,5}) feet\b")
_TRIGGER = re.compile(r"^Trigger .*", re.MULTILINE)
_AIMED = re.compile(
    r"\b(?:targets?|chooses?|against|at|one|each|a single|a|an) (?:[\w'-]+ ){0,5}within (\d{1,4}) feet\b", re.IGNORECASE
)
_FREQUENCY = re.compile(
    r"\b(?P<count>once|twice|(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) times?)"
    r" (?:per|a|an|each|every) (?P<per>day|round|hour|minute|week|turn|encounter)\b(?! per)",
    re.IGNORECASE,
)
_OFTEN = re.compile(r"^Frequency:? (.*?)(?:[.;]|$)", re.MULTILINE)

_CANT_AGAIN = re.compile(r"(?:can't|cannot|can\u2019t) [^.]{0,80}? again (?:for|until|within) [^.]*")
_STRIKES = re.compile(r"\b(a|an|one|two|three|four|five|six|\d) ([A-Za-z][A-Za-z' -]{0,40}?) Strikes?\b")
_ESCAPE = re.compile(r"\bEscape(?: DC| \(DC|: DC)? ?(?:DC )?(\d{1,2})\b")
_SUBJECT = re.compile(
    r"(?:^|[.;:,\n(]\s*|\b(?:if|when|and|but|or|then|while|once|so|that|unless|until|whenever|before|after)\s+)"
    r"(?:the|an?) ([\w' -]{1,40}?) (?:must|can|has to|needs to|also|then|immediately)\b[^.;]*$"
)
_SENTENCE = re.compile(r"[.\n]")
_HELD: Final = frozenset({"grabbed", "restrained", "immobilized"})
_STAGE = re.compile(r"^Stage 1:? (.*)", re.MULTILINE)


def read_ability(name: str, text: str, owner: str, traits: tuple[str, ...], add_note: AddNote) -> dict[str, Any]:
    """Return the numbers that an ability's text states.

    `owner` is the creature's name: a save that it makes itself is not the ability's save.
    """
    found: Found = {}
    if "DC" in text or " save" in text:
        _read_save(found, name, text, owner, add_note)
    if "-foot" in text or is_aura(name, traits):
        _read_area(found, text, is_aura(name, traits), add_note)
    if "damage" in text or "save" in found:
        _read_damage(found, text, add_note)
    _read_uses(found, text, add_note)
    if "save" in found:
        _read_conditions(found, text, add_note)
        _read_degrees(found, text, add_note)
        if not is_aura(name, traits):
            _read_range(found, text)
    return found


def _read_save(found: Found, name: str, text: str, owner: str, tell: AddNote) -> None:
    """Read the save that a text asks of others: whole, or with its DC apart from it, as at the head of an aura.

    An ability with a fixed text in the rules may state no more than its DC.
    """
    whole, bare = (
        [one for one in pattern.finditer(text) if not _is_own(text, one.start(), owner)]
        for pattern in (_SAVE, _BARE_SAVE)
    )
    dc = _BARE_DC.search(text)
    known = _ASKED_BY.get(id_of(name))
    if whole:
        (save, number), *others = dict.fromkeys((one["save"] or one["save2"], one["dc"] or one["dc2"]) for one in whole)
        half = any(whole[0][group] for group in ("first", "basic", "basic2", "after"))
        found |= {"save": SAVES[save.lower()], "dc": int(number)}
        for save, number in sorted(others):
            tell("save", f"DC {number} {save}", "is asked for besides another; it stays in the text")
    elif bare and dc and dc.start() <= 120:
        half = bool(bare[0]["basic"])
        found |= {"save": SAVES[bare[0]["save"].lower()], "dc": int(dc[1])}
    elif known and dc:
        half = known[1]
        found |= {"save": known[0], "dc": int(dc[1])}
    else:
        if (said := _SAVE.search(text) or _BARE_SAVE.search(text)) is not None:
            tell("save", sentence_around(text, said.start()), "is no save that could be read; it stays in the text")
        return
    if half:
        found["half"] = True


def sentence_around(text: str, at: int) -> str:
    """Return the sentence around a place of a text."""
    start = max(text.rfind(". ", 0, at), text.rfind("\n", 0, at)) + 1
    end = text.find(". ", at)
    return text[start : len(text) if end < 0 else end + 1].strip()


def _is_own(text: str, at: int, owner: str) -> bool:
    """Return whether the creature itself makes the save: `the redcap must attempt a DC 19 Will save`."""
    before = text[max(0, at - 90) : at].lower()
    head = _SUBJECT.search(before)
    if head is None:
        return False
    words = owner.lower().split()
    return head[1] == "monster" or head[1] in {" ".join(words), *words[-1:], *words[:1]} - {"creature", "target"}


def is_aura(name: str, traits: tuple[str, ...]) -> bool:
    """Return whether an ability surrounds its owner, so that the distance it begins with is that of an emanation."""
    return "aura" in traits or "aura" in name.lower().split()


def _read_area(found: Found, text: str, aura: bool, tell: AddNote) -> None:
    areas = list(dict.fromkeys((one[1], one[2]) for one in _AREA.finditer(text)))
    if areas:
        found["area"] = f"{areas[0][0]}-foot {areas[0][1]}"
        for feet, kind in areas[1:]:
            tell("area", f"{feet}-foot {kind}", "is a further area; it stays in the text")
    elif aura and (head := _FEET.match(text)):
        found["area"] = f"{head[1]}-foot emanation"


def _read_damage(found: Found, text: str, tell: AddNote) -> None:
    stage = _STAGE.search(text)
    if stage:  # the stages of a poison are not effects of its first save
        return
    amounts, lasting, left = damage_in(text)
    if amounts and amounts[0]:
        found["damage"] = amounts[0]
    if lasting and all("critical" in one for one in _SENTENCE.split(text) if "persistent" in one):
        left, lasting = [*left, f"{lasting[0]}, persistent, on a critical failure"], []
    if lasting:
        found["ongoing"] = lasting[0]
    for words in (*amounts[1:], *lasting[1:], *left):
        tell("damage", words, "is dealt besides, or in another case; it stays in the text")


def _of_first(text: str) -> int:
    """Return the end of the text about the first save: the place of a save of another kind."""
    saves = [(one["save"] or one["save2"], one.start()) for one in _SAVE.finditer(text)]
    return next((start for save, start in saves if save != saves[0][0]), len(text))


def _read_degrees(found: Found, text: str, tell: AddNote) -> None:
    """Read whether damage has the degrees of a basic save; other degrees are reported."""
    degrees = degrees_of(text)
    if "damage" not in found or not degrees or "half" in found:
        return
    if "half damage" in degrees.get("success", "") and "double damage" in degrees.get("critical-failure", ""):
        found["half"] = True
    else:
        tell("damage", found["damage"], "goes by degrees in a way of its own; they stay in the text")


def _read_range(found: Found, text: str) -> None:
    said = _RANGE.search(text)
    aimed = {one[1] for one in _AIMED.finditer(_TRIGGER.sub("", text))}
    if said is not None:
        found["range"] = said[1]
    elif "area" not in found and len(aimed) == 1:
        found["range"] = aimed.pop()


def _read_uses(found: Found, text: str, tell: AddNote) -> None:
    often = _OFTEN.search(text)
    said = _FREQUENCY.search(often[1]) if often else None
    if said is not None and often is not None and said.end() >= len(often[1].rstrip()) - 1:
        found |= {"uses": number_in_words(said["count"].split()[0]), "per": said["per"].lower()}
    elif often is not None:
        tell("uses", often[1], "is how often in words that have no figure; it stays in the text")
    again = _CANT_AGAIN.search(text)
    if again is not None:
        tell("recharge", again[0], "is how long until it can be used again; it stays in the text")


def _read_conditions(found: Found, text: str, tell: AddNote) -> None:
    if _STAGE.search(text):
        stages = stages_in(text)
        if stages:
            found |= {"stages": stages, **longest_in(text)}
            return
        found["afflictions"] = (InflictedCondition("affliction"),)
        tell("stages", text[text.find("Stage 1") :], "are what it does by stages; they stay in the text")
        return
    escape = _ESCAPE.search(text)
    afflictions = conditions_in(text[: _of_first(text)], tell)
    if escape:
        afflictions = tuple(
            msgspec.structs.replace(one, escape_dc=int(escape[1])) if one.condition in _HELD else one
            for one in afflictions
        )
    if afflictions:
        found["afflictions"] = afflictions
    left = unread_conditions(text, afflictions)
    if left:
        tell("afflictions", ", ".join(left), "is named without a plain word of whom it befalls; it stays in the text")


def strikes_in(text: str, known: dict[str, str], add_note: AddNote) -> tuple[tuple[str, int], ...]:
    """Return the Strikes that a text combines, by feature id with counts; nothing where one of them is unknown."""
    if "Strike" not in text:
        return ()
    counted: dict[str, int] = {}
    for found in _STRIKES.finditer(text):
        id = known.get(found[2].lower().strip())
        if id is None:
            return ()
        counted[id] = counted.get(id, 0) + number_in_words(found[1])
    if sum(counted.values()) < 2:
        return ()
    if re.search(r"Strikes? or (?:a|an|one|two|three)\b", text):
        add_note("multiattack", text, "gives Strikes to choose from; it stays in the text")
        return ()
    return tuple(counted.items())
