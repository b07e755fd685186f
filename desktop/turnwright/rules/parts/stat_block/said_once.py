"""Repetitions in a feature: sentences that only repeat its figures, and figures that its prose gives already."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.rules.parts.stat_block.text_runs import StatBlockNames

_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_WORDS = re.compile(r"\d+d\d+(?: ?[+−-] ?\d+)?|[^\W\d_]+|\d+")
_OUTCOME = re.compile(r"\b(?:fail|success|hit|miss)", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")
_DICE = re.compile(r"\d*d\d+")
_DISTANCES = re.compile(r"(\d+)(?:/\d+)?(?=[ -]?(?:feet|foot|ft\b|m\b|metres?|wide|long|$))")
_HALVED = re.compile(r"\bhal(?:f|ves|ved)\b|\bbasic\b", re.IGNORECASE)
_SAVED = re.compile(r"\bsav(?:e|es|ing)\b|\bDC\b", re.IGNORECASE)
_LINKS: Final = (
    "a", "an", "the", "of", "or", "and", "on", "in", "to", "with", "from", "target", "creature", "save",
    "saves", "saving", "throw", "against", "dc", "feet", "foot", "ft", "m", "metres", "must", "make", "makes",
    "take", "takes", "taking", "damage", "is", "be", "this", "that", "thing", "fails", "failed", "failure",
)  # fmt: skip
_HALF: Final = ("half", "basic", "success", "successful", "it", "as", "much")
_ENDS: Final = ("until", "end", "start", "of", "its", "their", "her", "his", "next", "turn")
_ALL: Final = ("everybody", "everyone", "each", "every", "all", "those", "within", "who")
_ONE: Final = ("one", "within")


def without_repeated_sentences(feature: Feature, text: str, names: StatBlockNames) -> str:
    """Return prose without the sentences in which every word and number is one of the feature's figures."""
    known = _known_words(feature, names)
    lines = (
        " ".join(one for one in _SENTENCES.split(line) if not one or not _is_known(one, known))
        for line in text.split("\n")
    )
    return "\n".join(lines).strip()


def without_repeated_figures(feature: Feature, text: str, names: StatBlockNames) -> str:
    """Return a line of text without what the figures before it say: sentences, and areas before a colon.

    The description of such an area goes with it (`A 30-foot cone of white heat: DC 15 …`). Properties of weapons and
    single words stay, since they are no figures.
    """
    known = _known_words(msgspec.structs.replace(feature, properties=()), names)
    told = (_rest_of(one, known) for one in _SENTENCES.split(text) if one)
    return " ".join(one for one in told if one)


def _rest_of(sentence: str, known: frozenset[str]) -> str:
    """Return what of a sentence is no figure."""
    head, colon, rest = sentence.partition(": ")
    numbers = _NUMBERS.findall(head)
    if colon and numbers and known.issuperset(numbers):
        if _is_known(rest, known):
            return ""
        if _is_known(head, known) and not _OUTCOME.search(head):
            return rest[:1].upper() + rest[1:]
    is_word = len(_WORDS.findall(sentence)) < 2
    return sentence if is_word or not _is_known(sentence, known) else ""


def _is_known(sentence: str, known: frozenset[str]) -> bool:
    said = _WORDS.findall(sentence.lower())
    return bool(said) and all(word.replace(" ", "").replace("\N{MINUS SIGN}", "-") in known for word in said)


def _known_words(feature: Feature, names: StatBlockNames) -> frozenset[str]:
    """Return the words and numbers that a feature's figures say, in small letters."""
    figures = [feature.area, feature.range, feature.damage, feature.ongoing, feature.save_damage]
    known = {*_LINKS, *(str(figure) for figure in (feature.dc, feature.reach, feature.push) if figure)}
    known |= {"pushed"} if feature.push else set()
    known |= {word for figure in figures for word in _WORDS.findall(figure.lower())}
    known |= {f"{word}s" for word in _WORDS.findall(feature.ongoing.lower())}
    known |= {"persistent", "ongoing"} if feature.ongoing else set()
    known |= {word for one in feature.properties for word in (*one.split("-"), *_WORDS.findall(one.lower()))}
    if feature.attack is not None:
        known |= {"whoever", "hit"}
    if feature.save:
        own = names.say(f"save.{feature.save}")
        named = dict(names.data.terms).get(f"save.{feature.save}", own)
        known |= set(_WORDS.findall(f"{named} {names.abilities.get(feature.save, '')}".lower()))
    if feature.half:
        known |= set(_HALF)
    known |= set(_ALL if feature.area else _ONE)
    for one in feature.afflictions:
        known |= set(_WORDS.findall(f"{one.condition} {names.conditions.get(one.condition, '')}".lower()))
        known |= set(_ENDS) if one.ends in ("turn-end", "turn-start") else set()
    return frozenset(known)


def says_distance(text: str, figure: str) -> bool:
    """Return whether a text gives every distance of a figure (`80/320`, `30-foot cone`)."""
    wanted = [number for one in _DISTANCES.finditer(figure) for number in re.findall(r"\d+", one.group())]
    wanted = wanted or re.findall(r"\d+", figure)
    given = set(_DISTANCES.findall(text))
    if not wanted:
        return bool(figure) and figure.lower() in text.lower()
    return f"{'/'.join(wanted)}" in text if "/" in figure else given.issuperset(wanted)


def says_save(text: str, dc: int) -> bool:
    """Return whether a text asks for a save against a DC."""
    return bool(dc and re.search(rf"\b{dc}\b", text) and _SAVED.search(text))


def says_half(text: str) -> bool:
    """Return whether a text says what is halved."""
    return bool(_HALVED.search(text))


def says_dice(text: str, damage: str) -> bool:
    """Return whether a text gives the dice of damage of one kind, which then needn't stand before it."""
    dice, _, _kind = damage.partition(" ")
    plain = re.sub(r"\s", "", text).replace("\N{MINUS SIGN}", "-")
    return (
        " + " not in damage
        and bool(_DICE.match(dice))
        and bool(re.search(rf"(?<!\d){re.escape(dice)}(?![\d+-])", plain))
    )


def says_condition(text: str, name: str) -> bool:
    """Return whether a text names a condition."""
    return re.search(rf"\b{re.escape(name.lower())}\b", text.lower()) is not None
