"""Finds records that are poorer than their sentences: a text states something that no field of the creature has.

    python -m tests.poorer_records             the findings of all shipped creatures, and their number in each folder
    python -m tests.poorer_records FOLDER      those of another folder
    python -m tests.poorer_records --write     set the limits in poorer_records.toml to the present numbers

A finding has a reason if `reasons` in poorer_records.toml lists its words: then the rules keep no field for it, or the
game master decides about it outside the turns of a fight. The limits of the others are a ratchet.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import ROOT

LIBRARY = ROOT / "resources/library"
LIMITS = Path(__file__).with_suffix(".toml")
_PROSE = ("text", "short", "name", "read", "note", "requires")
_SAVED = {"saved", "saved-hurt", "saved-unseen", "hurt-save"}

Table = Mapping[str, Any]


class Finding(NamedTuple):
    """Something that the text of a feature states, and that no field has."""

    set: str
    creature: str
    feature: str
    kind: str
    words: str
    """The sentence that states it."""


def strings_in(value: Any, skipped: Iterable[str] = ()) -> Iterator[str]:
    """Yield the texts and numbers in a value, except those of the skipped keys."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from () if key in skipped else strings_in(part, skipped)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from strings_in(part, skipped)
    else:
        yield str(value)


def _figures(feature: Table, creature: Table) -> str:
    """Return the fields of a feature, and of those that its text names, as text."""
    named = [
        one
        for one in creature["features"].values()
        if one["name"].partition(" (")[0].lower() in feature["text"].lower()
    ]
    return " | ".join(strings_in([feature, *named], _PROSE))


def _afflictions(feature: Table) -> list[Table]:
    stages = [each for stage in feature.get("stages", ()) for each in stage.get("afflictions", ())]
    return [*feature.get("afflictions", ()), *feature.get("leaves", {}).get("afflictions", ()), *stages]


def _lacks_dice(found: re.Match[str], feature: Table, creature: Table) -> bool:
    return re.search(rf"(?<!\d){found['dice']}(?!\d)", _figures(feature, creature)) is None


def _lacks_dc(found: re.Match[str], feature: Table, creature: Table) -> bool:
    dcs = re.findall(r"\d+", found["dc"])
    figures = [
        each for one in creature["features"].values() for each in (one, *_afflictions(one), one.get("leaves", {}))
    ]
    known = {str(each.get(key)) for each in figures for key in ("dc", "escape_dc")}
    return not known.issuperset(dcs)


def _lacks_another_save(found: re.Match[str], feature: Table, creature: Table) -> bool:
    ends = {each.get("ends", "") for each in _afflictions(feature)} | {feature.get("until", "")}
    afflicts = feature.get("afflictions") or feature.get("effect") or feature.get("ongoing") or feature.get("save")
    return bool(afflicts) and not feature.get("stages") and ends.isdisjoint(_SAVED)


def _never_ends(found: re.Match[str], feature: Table, creature: Table) -> bool:
    endless = (
        each
        for each in feature.get("afflictions", ())
        if each.get("ends", "never") == "never" and not each.get("lasts") and not each.get("bound_to")
    )
    has_effect = feature.get("effect") and not feature.get("lasts") and feature.get("until", "never") == "never"
    return "mmune" not in found.string and not feature.get("stages") and (any(endless) or bool(has_effect))


def _lacks_healing(found: re.Match[str], feature: Table, creature: Table) -> bool:
    return not (feature.get("heals") or feature.get("regains") or feature.get("temp"))


def _lacks_maximum(found: re.Match[str], feature: Table, creature: Table) -> bool:
    return not any(
        each.get("value_of") or each.get("value_dice") or each.get("value") for each in _afflictions(feature)
    )


def _lacks_hold(found: re.Match[str], feature: Table, creature: Table) -> bool:
    held = {"grappled", "restrained", "grabbed", "swallowed", "immobilized"}
    names = {each["condition"] for each in _afflictions(feature)}
    return (
        feature.get("cost", "trait") != "trait" and names.isdisjoint(held) and "grappled" not in feature.get("when", "")
    )


def _lacks_digestion(found: re.Match[str], feature: Table, creature: Table) -> bool:
    return not any(
        one.get("ongoing") or one.get("damage") for one in creature["features"].values() if one.get("ongoing")
    )


class Kind(NamedTuple):
    """A kind of finding: the words of a sentence, and whether the fields lack what they state."""

    name: str
    words: re.Pattern[str]
    lacks: Callable[[re.Match[str], Table, Table], bool]


_TIMES = r"(?: (?:hours?|days?|minutes?|rounds?|years?|times|weeks?|months?|miles?|feet|of its turns)\b)"
KINDS = (
    Kind("dice", re.compile(rf"(?P<dice>\d+d\d+)(?!\d|{_TIMES})"), _lacks_dice),
    Kind("DC", re.compile(r"\bDC ?(?P<dc>\d+(?: or \d+)?)"), _lacks_dc),
    Kind("saves again", re.compile(r"\bsaves? again\b|\brepeats? (?:the|its) sav|\bnew save\b|\banother save\b"), _lacks_another_save),
    Kind("ends", re.compile(r"\bfor (?:an?|one|1|10) minutes?\b|\bfor \d+ rounds?\b|\bfor a round\b|\buntil (?:the )?(?:start|end) of\b|\buntil its (?:next )?turn\b"), _never_ends),
    Kind("heals", re.compile(r"\b(?:heals|regains?)\b.{0,40}\b(?:as much|damage dealt|equal to|half the damage)\b"), _lacks_healing),
    Kind("maximum", re.compile(r"(?:hit point )?\bmaximum\b.{0,30}\b(?:reduced|lowered|falls|drops)\b|\blowers its hit point maximum\b"), _lacks_maximum),
    Kind("holds", re.compile(r"\b(?:is|are|becomes?|and|hit) (?:\w+ )?(?:grappled|grabbed|restrained|swallowed)\b|\brestrains the target\b|\bcan grapple\b"), _lacks_hold),
    Kind("digests", re.compile(r"\bswallows?\b|\bswallowed\b"), _lacks_digestion),
)  # fmt: skip


def findings_of(creature: Table, folder: str = "", name: str = "") -> Iterator[Finding]:
    """Yield the findings of a creature, as read from its file."""
    for id, feature in creature.get("features", {}).items():
        if "level" in feature or ("spell" in feature.get("properties", ()) and "attack" not in feature):
            continue  # the game's list has the fields of a spell
        for kind in KINDS:
            for sentence in re.split(r"(?<=[.!?;:]) ", feature.get("text", "")):
                for found in kind.words.finditer(sentence):
                    if kind.lacks(found, feature, creature):
                        yield Finding(folder, name or creature.get("id", ""), id, kind.name, sentence)
                        break


def findings(folder: Path = LIBRARY) -> tuple[Finding, ...]:
    """Return the findings of all creatures in a folder, those with a reason included."""
    found: list[Finding] = []
    for file in sorted(folder.rglob("*.toml")):
        creature = tomllib.loads(file.read_text(encoding="utf-8"))
        found += findings_of(creature, str(file.parent.relative_to(folder)), file.stem)
    return tuple(found)


def _stated() -> dict[str, Any]:
    return tomllib.loads(LIMITS.read_text(encoding="utf-8"))


def limits() -> dict[str, int]:
    """Return the limits by set."""
    return dict(_stated()["limits"])


def unexplained(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without a listed reason."""
    reasons = [(each["kind"], re.compile(each["words"])) for each in _stated()["reasons"]]
    return tuple(
        one
        for one in found
        if not any(kind in (one.kind, "any") and words.search(one.words) for kind, words in reasons)
    )


def unused_reasons(found: Iterable[Finding]) -> list[str]:
    """Return the words of the reasons that no finding needs."""
    found = tuple(found)
    return [
        each["words"]
        for each in _stated()["reasons"]
        if not any(each["kind"] in (one.kind, "any") and re.search(each["words"], one.words) for one in found)
    ]


def main() -> None:
    """Print the findings without a reason, or write the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=LIBRARY)
    parser.add_argument("--write", action="store_true", help="set the limits to the present numbers")
    arguments = parser.parse_args()
    left = unexplained(findings(arguments.folder))
    for one in left:
        print(f"{one.set}/{one.creature}: {one.feature}: {one.kind}: {one.words}")
    numbers = Counter(one.set for one in left)
    print({name: numbers[name] for name in sorted(numbers)}, len(left), "in all")
    if arguments.write:
        text = LIMITS.read_text(encoding="utf-8")
        lines = "".join(f'"{name}" = {count}\n' for name, count in sorted(numbers.items()))
        LIMITS.write_text(re.sub(r"(?s)\[limits\]\n.*?(?=\n\[|\Z)", f"[limits]\n{lines}", text), encoding="utf-8")


if __name__ == "__main__":
    main()
