"""Puts a set together: figures of the sources, decisions, roles and habitats, and the texts of the project."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from tools.bestiary.merging import merged
from tools.bestiary.reading import Chosen, Read, key_of, read_list, read_source
from tools.bestiary.wording import Covered, Sentence, Texts, read_texts, sentence_of
from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.results import game_spells
from turnwright.storage.library.entries import library_text
from turnwright.storage.toml.record_tree import plain_value, table_of

HERE: Final = Path(__file__).parent
_NAME: Final = re.compile(r"\s*\(.*?\)")
_SPELL: Final = re.compile(r"\((?:cantrip|\d(?:st|nd|rd|th)[- ]level)\b", re.IGNORECASE)
_UNSHOWN: Final = ("id", "name", "text", "read")


@dataclass
class Bestiary:
    """A set: its decisions, the chosen creatures with their figures, and the texts."""

    decisions: Mapping[str, Any]
    chosen: list[tuple[Chosen, Creature, Mapping[str, tuple[tuple[str, ...], str]]]]
    texts: Texts
    covered: Covered

    @classmethod
    def read(cls, name: str, sources: Path) -> "Bestiary":
        """Read a set by its name."""
        decisions = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
        game = decisions["game"]
        base = read_source(sources / decisions["base"], game, repairs=decisions.get("repairs", {}))
        other = read_source(sources / decisions["other"], game, repairs={}) if "other" in decisions else {}
        chosen = []
        for row in read_list(HERE / f"{name}.tsv"):
            read, second = base[key_of(row.name)], other.get(key_of(row.name))
            creature = msgspec.structs.replace(read.creature, name=row.name)
            entries = {**(second.entries if second else {}), **read.entries}
            chosen.append((row, merged(creature, second.creature if second else None, decisions), entries))
        return cls(decisions, chosen, read_texts(HERE / "texts", name), Covered(HERE / "covered.toml"))

    def sentences(self) -> Iterator[tuple[Creature, Feature, Sentence, tuple[tuple[str, ...], str]]]:
        """Yield each sentence that figures don't say, with its creature, its feature and its catalogue entries."""
        for _, creature, entries in self.chosen:
            for feature in creature.features:
                if not self.has_own_text(feature) and (rest := self.covered.rest(creature, feature)):
                    yield creature, feature, sentence_of(creature, rest), entries.get(feature.name, ((), ""))

    def has_own_text(self, feature: Feature) -> bool:
        """Whether a feature is a spell that the game data describe."""
        spell = game_spells(self.decisions["game"]).get(_NAME.sub("", feature.name).lower())
        if spell is None:
            return feature.is_spell and not feature.text
        return feature.is_spell or _SPELL.match(feature.text) is not None

    def todo(self) -> str:
        """Return the sentences without a text, as a table for writers."""
        rows: dict[str, list[Any]] = {}
        for creature, feature, sentence, (entries, extent) in self.sentences():
            if sentence.digest in self.texts.rows:
                continue
            row = rows.setdefault(sentence.digest, [0, {}, {}, sentence.shown, figures(feature), f"{extent} {' '.join(entries)}".strip()])
            row[0] += 1
            row[1][creature.name] = row[2][feature.name] = None
        lines = ["digest\tcount\tcreatures\tfeatures\tsentence\tfigures\tcatalogue"]
        for digest, (count, creatures, features, *rest) in sorted(rows.items(), key=lambda row: -row[1][0]):
            cells = [digest, str(count), ", ".join(list(creatures)[:6]), ", ".join(list(features)[:3]), *rest]
            lines.append("\t".join(" ".join(cell.split()) for cell in cells))
        return "\n".join(lines) + "\n"


def figures(feature: Feature) -> str:
    """Return the figures of a feature in one line."""
    tree = plain_value(table_of(feature, keyed=False, excluded=frozenset(_UNSHOWN)))
    return " ".join(f"{key}={value!r}" for key, value in tree.items() if key not in _UNSHOWN).replace("\n", " ")
