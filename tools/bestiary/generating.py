"""Puts a set together: figures of the sources, decisions, roles and habitats, and the texts of the project."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, Final

import msgspec

from tools.bestiary.merging import Merger, unused, with_fields
from tools.bestiary.reading import Chosen, key_of, read_list, read_source
from tools.bestiary.spell_lists import cast_levels, is_spell_list, spell_list
from tools.bestiary.wording import Covered, Sentence, Texts, read_texts, sentence_of
from turnwright.encounter.prepared import Creature, Feature, SourceNote
from turnwright.importers.results import game_spells
from turnwright.importers.traits.understand import has_only_text
from turnwright.storage.library.entries import library_text, read_library_file
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import read_system_data
from turnwright.storage.toml.record_tree import plain_value, table_of

Entries = Mapping[str, tuple[tuple[str, ...], str]]
HERE: Final = Path(__file__).parent
_NAME: Final = re.compile(r"\s*\(.*?\)")
_SPELL: Final = re.compile(r"\((?:cantrip|\d(?:st|nd|rd|th)[- ]level)\b", re.IGNORECASE)
_UNSHOWN: Final = ("id", "name", "text", "short", "read")
_LISTED: Final = ("gear", "resistances", "saves")
_FAR: Final = re.compile(r"\b(?:one [^.]*?creature|one humanoid|a point)\b[^.]*? within (\d+) feet", re.IGNORECASE)
_DIE: Final = re.compile(r"d(\d+)")
_SIZES: Final = {"4": "tiny", "6": "small", "8": "medium", "10": "large", "12": "huge", "20": "gargantuan"}
_NEXT: Final = 10  # feet, up to which a distance is a reach
_LONG: Final = 6  # words of a source that may not follow each other in a field


@dataclass
class WantedText:
    """A sentence without a text, and what helps to write it."""

    sentence: str
    figures: str
    creatures: list[str] = field(default_factory=list)
    features: dict[str, None] = field(default_factory=dict)
    entries: str = ""


@dataclass
class Bestiary:
    """A set: its decisions, the chosen creatures with their figures, and the texts."""

    decisions: Mapping[str, Any]
    chosen: list[tuple[Chosen, Creature, Entries]]
    texts: Texts
    covered: Covered
    merger: Merger

    @classmethod
    def read(cls, name: str, sources: Path) -> "Bestiary":
        """Read a set by its name. Raise ValueError if a decision is missing, or if no creature needs it."""
        decisions = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
        game, merger = decisions["game"], Merger(decisions)
        base = read_source(sources / decisions["base"], game, repairs=decisions.get("repairs", {}))
        other = read_source(sources / decisions["other"], game, repairs={}) if "other" in decisions else {}
        chosen: list[tuple[Chosen, Creature, Entries]] = []
        for row in read_list(HERE / f"{name}.tsv"):
            read, second = base[key_of(row.name)], other.get(key_of(row.name))
            creature = msgspec.structs.replace(read.creature, name=row.name)
            if decisions.get("sizes") == "hit dice":
                creature = _sized(creature)
            entries = {**(second.entries if second else {}), **read.entries}
            chosen.append((row, merger.merged(creature, second.creature if second else None), entries))
        texts = read_texts(HERE / "texts", name)
        texts.notes = {**_notes(decisions.get("notes_from", "")), **texts.notes}
        if needless := list(unused(decisions, merger.used)):
            raise ValueError(f"decisions that no creature needs: {needless}")
        return cls(decisions, chosen, texts, Covered(HERE / f"{name}.covered.toml"), merger)

    def _said(self, creature: Creature, feature: Feature) -> str | Sentence | dict[str, Any]:
        """Return what a feature says beside its figures: words, the fields of our text, or a sentence without a text."""
        if (text := self._spell_text(feature)) is not None:
            return text
        if is_spell_list(feature):
            return spell_list(feature.text, cast_levels(each.text for each in creature.features))
        rests = list(self.covered.rests(creature, feature))
        sentences = [sentence_of(creature, rest) for rest in rests if rest]
        for sentence in sentences:
            if (fields := self.texts.of(sentence)) is not None:
                return {"text": "", **fields}
        if not rests[0] or self.covered.keeps(rests[0]) or feature.short:
            kept = rests[0][:1].upper() + rests[0][1:]
            if kept.startswith("Plus ") and (found := re.search(r"Plus [a-z', -]+$", rests[-1].rstrip("."))):
                phrases = self.decisions.get("phrases", {})  # with its own name in names of its features
                kept = f"Plus {' and '.join(phrases.get(each, each) for each in found[0][5:].split(' and '))}"
            return feature.short or kept
        return sentences[0]

    def _spell_text(self, feature: Feature) -> str | None:
        """Return the text of the game's own data for a feature that is a spell, or None for any other feature."""
        spell = game_spells(self.decisions["game"]).get(_NAME.sub("", feature.name).lower())
        if spell is None or not (feature.is_spell or _SPELL.match(feature.text)):
            return "" if feature.is_spell and not feature.text else None
        return spell.text

    def todo(self) -> str:
        """Return the sentences without a text, as a table for writers."""
        rows: dict[str, WantedText] = {}
        for _, creature, entries in self.chosen:
            for feature in creature.features:
                sentence = self._said(creature, feature)
                if not isinstance(sentence, Sentence):
                    continue
                found, extent = entries.get(feature.name, ((), ""))
                wanted = rows.setdefault(sentence.digest, WantedText(sentence.shown, figures(feature)))
                wanted.creatures.append(creature.name)
                wanted.features[feature.name] = None
                wanted.entries = f"{extent} {' '.join(found)}"
        lines = ["digest\tcount\tcreatures\tfeatures\tsentence\tfigures\tcatalogue"]
        for digest, row in sorted(rows.items(), key=lambda row: -len(row[1].creatures)):
            names = (", ".join(row.creatures[:6]), ", ".join(list(row.features)[:3]))
            cells = (digest, str(len(row.creatures)), *names, row.sentence, row.figures, row.entries)
            lines.append("\t".join(" ".join(cell.split()) for cell in cells))
        return "\n".join(lines) + "\n"

    def differences(self) -> str:
        """Return every figure in which the sources differ, and what was decided, as a table."""
        rows = [("creature", "feature", "field", "base", "other", "taken")]
        rows += [
            (each.creature, each.feature, each.field, repr(each.base), repr(each.other), each.taken)
            for each in self.merger.differences
        ]
        return "".join("\t".join(row) + "\n" for row in rows)

    def finished(self) -> Iterator[tuple[Creature, list[str]]]:
        """Yield each creature as it is shipped, with what it still lacks."""
        for row, creature, _ in self.chosen:
            missing: list[str] = []
            features = tuple([self._finished(creature, each, missing) for each in creature.features])
            note = self.texts.notes.get(creature.id, "")
            missing += [] if note else ["note"]
            worth = self._worth(creature.rating)
            yield (
                msgspec.structs.replace(
                    creature,
                    features=features,
                    notes=note,
                    role=row.role,
                    environments=row.environments,
                    languages=self.decisions.get("phrases", {}).get(
                        languages := _languages(creature.languages), languages
                    ),
                    xp=worth or creature.xp,
                    proficiency=creature.proficiency or _proficiency(creature.rating) * bool(worth),
                    source=self.decisions["source"],
                    licence=self.decisions["licence"],
                    description="",
                    remarks=tuple(_in_short(each) for each in creature.remarks if not _is_prose(each)),
                    read=(),
                ),
                missing,
            )

    def _worth(self, rating: str) -> int:
        """Return the experience points of a rating, or 0 in a game without ratings."""
        budgets = read_system_data(self.decisions["game"]).budgets
        tables = (dict(each.ratings) for each in budgets)
        return int(next((table[rating] for table in tables if rating in table), 0))

    def _finished(self, creature: Creature, feature: Feature, missing: list[str]) -> Feature:
        said = self._said(creature, feature)
        if isinstance(said, Sentence):
            missing.append(f"{feature.name}: {said.digest}")
        else:
            if self.decisions.get("ranges"):
                feature = _ranged(feature)
            feature = with_fields(feature, {"short": "", **({"text": said} if isinstance(said, str) else said)})
            missing += [f"{feature.name}: neither text nor figures"] * (not feature.text and has_only_text(feature))
        phrases: Mapping[str, str] = self.decisions.get("phrases", {})
        others = tuple(
            msgspec.structs.replace(each, name=phrases.get(each.name, each.name)) for each in feature.other_damage
        )
        steps = tuple(msgspec.structs.replace(each, form=phrases.get(each.form, each.form)) for each in feature.does)
        requires = phrases.get(feature.requires, feature.requires)
        missing += [
            f"{feature.name}: a phrase of the source: {text}"
            for text in (*(each.name for each in others), *(each.form for each in steps), requires)
            if len(text.split()) > _LONG and text not in phrases.values()
        ]
        return msgspec.structs.replace(feature, other_damage=others, does=steps, requires=requires, read=())

    def write(self, folder: Path) -> tuple[int, list[str]]:
        """Write the complete creatures, and remove files of others. Return their number and what the rest lack."""
        game, complete, lacking = self.decisions["game"], {}, []
        for creature, missing in self.finished():
            if missing:
                lacking.append(f"{creature.name}: {'; '.join(missing)}")
            else:
                complete[f"{creature.id}.toml"] = library_text(creature, game)
        lacking += [f"{digest}: a number that should be a slot" for digest in self.texts.fixed_numbers()]
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.toml"):
            if file.name not in complete:
                file.unlink()
        for name, text in complete.items():
            (folder / name).write_text(text, encoding="utf-8")
        return len(complete), lacking


def _sized(creature: Creature) -> Creature:
    """Return a creature with the size that its hit dice have."""
    found = _DIE.search(creature.hit_dice)
    return msgspec.structs.replace(creature, size=_SIZES.get(found[1], creature.size)) if found else creature


def _ranged(feature: Feature) -> Feature:
    """Return a feature without an attack, with the range of its target in its sentence."""
    found = _FAR.search(feature.text)
    if (
        found is None
        or not feature.save
        or feature.attack is not None
        or feature.range
        or feature.reach
        or feature.trigger
    ):
        return feature
    return with_fields(feature, {"range": found[1]} if int(found[1]) > _NEXT else {"reach": int(found[1])})


def _proficiency(rating: str) -> int:
    """Return the proficiency bonus of a challenge rating."""
    return (max(ceil(Fraction(rating)), 1) + 7) // 4


def _is_prose(remark: SourceNote) -> bool:
    """Whether a remark repeats a sentence of the source. Lists of gear and exceptions are put together by importers."""
    return remark.about == "legendary" or (len(remark.text.split()) > _LONG and remark.about not in _LISTED)


def _in_short(remark: SourceNote) -> SourceNote:
    return SourceNote(remark.about, re.sub(r"to all saves vs\.? ", "on saves against ", remark.text))


def _silent(found: re.Match[str]) -> str:
    known = re.sub(",? and ", " and ", found[1] or found[2], flags=re.IGNORECASE)
    return f"can't speak; understands {known}"


def _notes(folder: str) -> dict[str, str]:
    """Return the notes of another shipped set, by the ids of its creatures."""
    files = resource_path(f"library/{folder}").glob("*.toml") if folder else ()
    creatures = (read_library_file(file)[0] for file in files)
    return {each.id: each.notes for each in creatures if isinstance(each, Creature)}


def _languages(text: str) -> str:
    text = re.sub(r"\bft\b\.?", "feet", text.replace("’", "'")).replace(" cant ", " can't ")
    text = re.sub(
        r"\b(?:understands (.+?),? but can't speak(?: them)?|understands but can't speak (.+))\b",
        _silent,
        text,
        flags=re.IGNORECASE,
    )
    text = re.sub(r" \(can't speak in (\w+) form\)", r" (no speech as a \1)", text)
    text = text.replace(" plus one other language", " and another language").replace(
        " plus two other ", " and two other "
    )
    text = text.replace("the languages it knew in life", "the languages of its life").replace(
        "its creator", "its maker"
    )
    return text.strip().removesuffix(".")


def figures(feature: Feature) -> str:
    """Return the figures of a feature in one line."""
    tree = plain_value(table_of(feature, keyed=False))
    return " ".join(f"{key}={value!r}" for key, value in tree.items() if key not in _UNSHOWN).replace("\n", " ")
