"""Repetitions in a feature: sentences that only repeat its numbers, and numbers that its prose already gives."""

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
    """Remove the sentences from prose in which every word and number repeats one of the feature's fields."""
    known_words = _known_words(feature, names)
    lines = (
        " ".join(
            sentence for sentence in _SENTENCES.split(line) if not sentence or not _is_known(sentence, known_words)
        )
        for line in text.split("\n")
    )
    return "\n".join(lines).strip()


def without_repeated_figures(feature: Feature, text: str, names: StatBlockNames) -> str:
    """Remove sentences, and areas before a colon, that only repeat the numbers shown before a line of text.

    The description of such an area is removed too (`A 30-foot cone of white heat: DC 15 …`). Properties of weapons and
    single words stay, because they aren't numbers.
    """
    known_words = _known_words(msgspec.structs.replace(feature, properties=()), names)
    remaining = (_rest_of(sentence, known_words) for sentence in _SENTENCES.split(text) if sentence)
    return " ".join(sentence for sentence in remaining if sentence)


def _rest_of(sentence: str, known: frozenset[str]) -> str:
    """Return the part of a sentence that doesn't repeat the feature's fields."""
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
    words = _WORDS.findall(sentence.lower())
    return bool(words) and all(word.replace(" ", "").replace("\N{MINUS SIGN}", "-") in known for word in words)


def _known_words(feature: Feature, names: StatBlockNames) -> frozenset[str]:
    """Return the words and numbers in a feature's fields, in lower case."""
    texts = [feature.area, feature.range, feature.damage, feature.ongoing, feature.save_damage]
    words = {*_LINKS, *(str(number) for number in (feature.dc, feature.reach, feature.push) if number)}
    words |= {"pushed"} if feature.push else set()
    words |= {word for number in texts for word in _WORDS.findall(number.lower())}
    words |= {f"{word}s" for word in _WORDS.findall(feature.ongoing.lower())}
    words |= {"persistent", "ongoing"} if feature.ongoing else set()
    words |= {
        word for property_ in feature.properties for word in (*property_.split("-"), *_WORDS.findall(property_.lower()))
    }
    if feature.attack is not None:
        words |= {"whoever", "hit"}
    if feature.save:
        own = names.say(f"save.{feature.save}")
        save_name = dict(names.data.terms).get(f"save.{feature.save}", own)
        words |= set(_WORDS.findall(f"{save_name} {names.abilities.get(feature.save, '')}".lower()))
    if feature.half:
        words |= set(_HALF)
    words |= set(_ALL if feature.area else _ONE)
    for affliction in feature.afflictions:
        words |= set(_WORDS.findall(f"{affliction.condition} {names.conditions.get(affliction.condition, '')}".lower()))
        words |= set(_ENDS) if affliction.ends in ("turn-end", "turn-start") else set()
    return frozenset(words)


def says_distance(text: str, figure: str) -> bool:
    """Return whether a text gives every distance in `figure` (`80/320`, `30-foot cone`)."""
    numbers = [number for match in _DISTANCES.finditer(figure) for number in re.findall(r"\d+", match.group())]
    numbers = numbers or re.findall(r"\d+", figure)
    in_text = set(_DISTANCES.findall(text))
    if not numbers:
        return bool(figure) and figure.lower() in text.lower()
    return f"{'/'.join(numbers)}" in text if "/" in figure else in_text.issuperset(numbers)


def says_save(text: str, dc: int) -> bool:
    """Return whether a text asks for a save against a DC."""
    return bool(dc and re.search(rf"\b{dc}\b", text) and _SAVED.search(text))


def says_half(text: str) -> bool:
    """Return whether a text says that damage is halved."""
    return bool(_HALVED.search(text))


def says_dice(text: str, damage: str) -> bool:
    """Return whether a text gives the dice of damage of one type, so that they needn't be repeated before it."""
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
