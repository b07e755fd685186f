"""The sentences of a source, reduced to what figures don't say, and the project's own texts for them.

A text belongs to the digest of a sentence's normal form, so no sentence of a source is stored. The normal form leaves
out the creature's name, and counts the numbers as slots: {1} is the first of them.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature

_NUMBER: Final = re.compile(r"\d+ \((\d+d\d+(?: ?[+−–-] ?\d+)?)\)|(\d+d\d+(?: ?[+−–-] ?\d+)?|\d+(?:,\d{3})*)")
_NOT_WORD: Final = re.compile(r"[^a-z0-9#]+")
_SLOT: Final = re.compile(r"\{(\d+)\}")
_PLURAL: Final = re.compile(r"['’]s\b")


@dataclass(frozen=True)
class Sentence:
    """A text of a source that needs words of ours: its digest, the values of its slots and how writers see it."""

    digest: str
    values: tuple[str, ...]
    shown: str


@dataclass
class Texts:
    """The project's texts by digest, the notes by creature, and the numbers of the sentences that were used."""

    rows: dict[str, str | dict[str, Any]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    used: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)

    def of(self, sentence: Sentence) -> dict[str, Any] | None:
        """Return the fields of a feature with this sentence, with its numbers filled in, or None if nobody wrote them."""
        row = self.rows.get(sentence.digest)
        if row is None:
            return None
        self.used.setdefault(sentence.digest, set()).add(sentence.values)
        return dict(_filled({"text": row} if isinstance(row, str) else row, sentence.values))

    def fixed_numbers(self) -> Iterator[str]:
        """Yield the digests of texts with a number that differs from creature to creature, and should be a slot."""
        for digest, numbers in self.used.items():
            differing = {value for column in zip(*numbers, strict=True) if len({*column}) > 1 for value in column}
            row = self.rows[digest]
            text = str(row if isinstance(row, str) else row.get("text", ""))
            if differing & {*re.findall(r"\d+(?:d\d+(?:[+-]\d+)?)?", _SLOT.sub("", text))}:
                yield digest


def _filled(value: Any, values: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        filled = _SLOT.sub(lambda slot: values[int(slot[1]) - 1], value)
        return int(filled[1:]) if value.startswith("#{") else filled
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    return {key: _filled(each, values) for key, each in value.items()} if isinstance(value, dict) else value


def read_texts(folder: Path, game: str) -> Texts:
    """Read the texts and notes of a set, and texts of other sets for the same sentences.

    Raise ValueError if two files of the set give different texts for one digest.
    """
    texts, others = Texts(), dict[str, str | dict[str, Any]]()
    for file in sorted(folder.glob("*.toml")):
        rows = tomllib.loads(file.read_text(encoding="utf-8"))
        notes, is_own = rows.pop("notes", {}), re.fullmatch(rf"{re.escape(game)}-\d+\.toml", file.name) is not None
        if not is_own:
            others |= rows
            continue
        texts.notes |= notes
        for digest, row in rows.items():
            if texts.rows.setdefault(digest, row) != row:
                raise ValueError(f"{file.name}: {digest} has another text in another file")
    texts.rows = others | texts.rows
    return texts


def names_of(creature: Creature) -> re.Pattern[str]:
    """Return a pattern of the words by which a stat block calls its creature."""
    name = re.sub(r"\(.*?\)", "", creature.name).strip()
    words = [word for word in re.findall(r"[A-Za-z']+", name) if len(word) > 2 and word.lower() not in _COMMON]
    last = [" ".join(words[at:]) for at in range(len(words))] + words + [creature.type, *_KINDS]
    names = "|".join(re.escape(each) for each in sorted({name, *last}, key=len, reverse=True) if each)
    return re.compile(rf"\bthe (?:{names})(?:(['’]?s)\b)?|\b{re.escape(name)}(?:(['’]s)\b)?", re.IGNORECASE)


_KINDS: Final = (
    "monster", "devil", "demon", "dragon", "giant", "hag", "naga", "vampire", "werewolf", "genie", "worm", "guardian",
)  # fmt: skip
_COMMON: Final = frozenset({"adult", "young", "ancient", "giant", "the", "swarm", "greater", "lesser"})


def sentence_of(creature: Creature, text: str) -> Sentence:
    """Return the sentence of a text in a creature's stat block."""
    values: list[str] = []

    def slot(found: re.Match[str]) -> str:
        values.append((found[1] or found[2]).replace(" ", "").replace("−", "-").replace("–", "-"))
        return f"{{{len(values)}={values[-1]}}}"

    shown = _NUMBER.sub(slot, " ".join(text.split()))
    plain = names_of(creature).sub(lambda found: "its" if found[1] or found[2] else "it", shown)
    plain = re.sub(r"\{\d+=[^}]*\}", " # ", _PLURAL.sub("s", plain).replace("’", "'").replace("'", "").lower())
    normal = " ".join(_NOT_WORD.split(plain)).strip()
    return Sentence(hashlib.sha256(normal.encode()).hexdigest()[:10], tuple(values), shown)


class Covered:
    """Sentences that the figures of a feature say already, by the fields that they need."""

    def __init__(self, file: Path) -> None:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        parts: Mapping[str, str] = tables["parts"]
        self._kept = [re.compile(each) for each in tables.get("kept", ())]
        self._rows = [(self._compiled(row["matches"], parts), row) for row in tables["covered"]]

    def _compiled(self, pattern: str, parts: Mapping[str, str]) -> re.Pattern[str]:
        for _ in range(3):
            pattern = re.sub(r"\{(\w+)\}", lambda found: parts.get(found[1], found[0]), pattern)
        return re.compile(pattern, re.IGNORECASE)

    def keeps(self, text: str) -> bool:
        """Whether a text is only names and numbers, put together by an importer."""
        return any(pattern.search(text) for pattern in self._kept)

    def rests(self, creature: Creature, feature: Feature) -> Iterator[str]:
        """Yield what is left of a feature's text after its figures have said their part, from the least to the most.

        The later ones are for texts written while the feature had fewer figures.
        """
        text = rest = " ".join(names_of(creature).sub(_it, feature.text).split())
        used = []
        for pattern, row in self._rows:
            if all(_has(feature, need) for need in row.get("needs", ())) and pattern.search(rest):
                used.append(pattern)
                rest = pattern.sub("", rest)
        for count in range(len(used), 0, -1):
            for patterns in combinations(used, count):
                rest = text
                for pattern in patterns:
                    rest = pattern.sub("", rest)
                yield rest.strip(" .,;")
        yield " ".join(feature.text.split())


def _it(found: re.Match[str]) -> str:
    return "its" if found[1] or found[2] else "it"


def _has(feature: Feature, need: str) -> bool:
    name, _, value = need.partition(":")
    stated = getattr(feature, name)
    if value:
        return any(value == (each if isinstance(each, str) else each.condition) for each in stated)
    return stated not in ("", (), None, 0, False)


def six_words(text: str) -> Iterable[str]:
    """Yield each run of six words of a text, in lower case."""
    words = re.findall(r"[a-z0-9']+", text.lower().replace("’", "'"))
    return (" ".join(words[at : at + 6]) for at in range(len(words) - 5))
