"""Compares the same creature across formats: the value of every field, and the differences.

Creatures and features are matched by name, without what stands in brackets. A difference is what each format says where
they don't all say the same; the pinned tables beside the tests (`differences_*.toml`) hold every one that is left, with why.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord, UnreadRecord

HERE: Final = Path(__file__).resolve().parent
FIELDS: Final = (
    "hp", "hit_dice", "ac", "speeds", "hovers", "abilities", "saves", "skills", "senses", "passives", "rating", "size", "type",
    "resistances", "immunities", "vulnerabilities", "condition_immunities", "mundane_immunity", "mundane_resistance",
    "mundane_except", "legendary", "spellcasting",
)  # fmt: skip
FEATURE_FIELDS: Final = (
    "attack", "reach", "range", "damage", "save", "dc", "save_damage", "ongoing", "half", "area", "recharge", "uses", "price",
    "afflictions", "push", "attacks", "multiattack",
)  # fmt: skip
_BRACKETS = re.compile(r"\s*\([^)]*\)?")
_NONMAGICAL = re.compile(r"non-?\s?magical|nonsilver")
_MATERIALS: Final = ("silver", "adamantin")
_ROLLED: Final = ("attack", "dc", "damage")  # a feature with one of these is compared even where a format lacks it
_OF_ATTACKS: Final = ("range", "area", "reach")  # prose has these of attacks and of saves only
Said = Mapping[str, str]  # by source
Difference = tuple[str, str]  # a creature's name, and a field of it or `kind: feature`
Silent = Callable[[str, str, str], bool]  # whether this value of a field means that this source says nothing of it


def plain(name: str) -> str:
    """Return a name as it is compared: small letters and digits, without what stands in brackets."""
    return re.sub(r"[^a-z0-9]", "", _BRACKETS.sub("", name).lower())


@cache
def creatures_of(*paths: Path) -> Mapping[str, Creature]:
    """Return the creatures of files and folders by the name they are matched by, read as anybody would."""
    found: dict[str, Creature] = {}
    for _, each in read_paths(paths):
        assert not isinstance(each, UnreadRecord), each
        if isinstance(each, ImportedRecord) and isinstance(each.record, Creature):
            found.setdefault(plain(each.name), each.record)
    return found


def words(value: Any) -> str:
    """Return a figure as the tables have it."""
    if isinstance(value, tuple):
        return ", ".join(sorted({_word(each) for each in value}))
    return str(value) if value is not None else ""


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if isinstance(value, InflictedCondition):
        escape = str(value.escape_dc) if value.escape_dc else ""
        return " ".join(part for part in (value.condition, value.ends.removeprefix("never"), escape) if part)
    return _clause(str(value))


def _clause(text: str) -> str:
    """Return the damage of nonmagical weapons in one form, whichever its source has."""
    low = text.lower()
    if not _NONMAGICAL.search(low):
        return text
    but = [word for word in _MATERIALS if word in low]
    from_ = low.partition("(from ")[2].rstrip(")")
    return " ".join(["nonmagical", *(f"but {word}" for word in but), *([f"by {from_}"] if from_ else [])])


def stats_of(creature: Creature) -> Mapping[str, Mapping[str, str]]:
    """Return the compared values of a creature: by field, and by `kind: feature` and field in that."""
    found: dict[str, dict[str, str]] = {field: {field: words(getattr(creature, field))} for field in FIELDS}
    names = {one.id: plain(one.name) for one in creature.features}
    given: Counter[str] = Counter()
    for one in creature.features:
        key = f"{one.cost}: {plain(_as_said(one.name))}"
        given[key] += 1
        here = {field: _feature_value(one, field, names) for field in FEATURE_FIELDS}
        if one.attack is None:
            here = {field: value for field, value in here.items() if field not in _OF_ATTACKS or value not in ("", "0")}
        found[key if given[key] == 1 else f"{key} {given[key]}"] = here
    return found


def _as_said(name: str) -> str:
    """Return the common name of gear: `Heavy Crossbow` for `Crossbow, Heavy`."""
    noun, _, kind = name.partition(", ")
    return f"{kind} {noun}"


def _feature_value(one: Feature, field: str, names: Mapping[str, str]) -> str:
    if field == "uses":
        return f"{one.uses}/{one.per}" if one.uses else "0"
    if field == "multiattack":
        ways = [" + ".join(sorted(f"{n} {names[id]}" for id, n in way)) for way in one.multiattack]
        return " | ".join(sorted(ways))
    return words(getattr(one, field))


def differences(sources: Mapping[str, Mapping[str, Creature]], silent: Silent) -> dict[Difference, dict[str, str]]:
    """Return the values of all sources that have a creature, for those fields and features in which they differ."""
    found: dict[Difference, dict[str, str]] = {}
    for name in sorted(set().union(*sources.values())):
        said = {source: stats_of(held[name]) for source, held in sources.items() if name in held}
        title = Counter(held[name].name for held in sources.values() if name in held).most_common(1)[0][0]
        for key in dict.fromkeys(key for figures in said.values() for key in figures):
            here = {source: figures[key] for source, figures in said.items() if key in figures}
            row = _row(here, silent)
            if len(here) < len(said) and any(_rolls(figures) for figures in here.values()):
                row = {source: row.get(source, "there") if source in here else "not there" for source in said}
            if row:
                found[title, key] = row
    return found


def _rolls(figures: Mapping[str, str]) -> bool:
    return any(figures[field] not in ("", "0") for field in _ROLLED)


def _row(here: Mapping[str, Mapping[str, str]], silent: Silent) -> dict[str, str]:
    """Return each source's values of those fields that differ, nothing where none do."""
    row: dict[str, list[str]] = {source: [] for source in here}
    for field in dict.fromkeys(field for figures in here.values() for field in figures):
        said = {
            source: figures[field]
            for source, figures in here.items()
            if field in figures and not silent(source, field, figures[field])
        }
        if len(set(said.values())) > 1:
            for source, value in said.items():
                row[source].append(
                    f"{field} {value or 'none'}" if len(next(iter(here.values()))) > 1 else value or "none"
                )
    return {source: "; ".join(parts) for source, parts in row.items() if parts}


def pinned_differences(table: Path) -> dict[Difference, dict[str, str]]:
    """Return the differences of a pinned table; each is in it once, under a reason."""
    found: dict[Difference, dict[str, str]] = {}
    for reason in tomllib.loads(table.read_text(encoding="utf-8"))["because"]:
        assert reason["why"].strip()
        for row in reason["differences"]:
            key = (row["creature"], row["field"])
            assert key not in found, key
            found[key] = {source: value for who, value in row["says"].items() for source in who.split()}
    return found


def groups(said: Said) -> dict[str, str]:
    """Return sources grouped by their value, as in a row of a table."""
    by: dict[str, list[str]] = {}
    for source, value in said.items():
        by.setdefault(value, []).append(source)
    return {" ".join(sorted(who)): value for value, who in by.items()}


def shown(found: Iterable[tuple[Difference, Said]]) -> str:
    """Return differences as rows of a table, to be read or put there."""
    rows = []
    for (name, field), said in found:
        says = ", ".join(f'"{who}" = "{value}"' for who, value in groups(said).items())
        rows.append(f'    {{creature = "{name}", field = "{field}", says = {{{says}}}}},')
    return "\n".join(rows)
