"""The shipped catalogue: each entry gives its fields to its samples, and only to those."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from tests.for_each import for_each
from tests.games import WITH_TRAITS
from tests.importers.traits.readers import shipped_readers
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.state import Encounter
from turnwright.importers.traits.catalogue import CompiledEntry, shipped_catalogue
from turnwright.importers.traits.understand import Understood
from turnwright.storage.atomic import slug
from turnwright.storage.findings import FindingCollector
from turnwright.storage.resources import read_text
from turnwright.storage.toml.references import check_known_ids

RUN = 6  # so many words one after another are taken from a sentence
LONGEST = 280  # a line or two on a card
OWN = tuple(
    Feature(name.lower(), name, "action", attack=5) for name in ("Bite", "Claw", "Tail")
)  # what samples may name


@cache
def shipped(*, apart: bool = False) -> list[tuple[str, CompiledEntry]]:
    """Return the entries of each game's own file that give their fields to a feature of their own, or all others."""
    found = {id(entry): (game, entry) for game in reversed(WITH_TRAITS) for entry in shipped_catalogue(game).entries}
    return [one for one in found.values() if bool(one[1].entry.apart) is apart]


def feature_of(entry: CompiledEntry, text: str) -> Feature:
    cost = entry.entry.costs[0] if entry.entry.costs else "trait"
    name = entry.entry.names[0] if entry.entry.names and (entry.entry.named or not entry.entry.matches) else "Sample"
    name += "".join(f" ({words})" for words in entry.entry.brackets[:1])
    area = "10-foot emanation" if "{area}" in entry.gives.values() else ""
    taken: dict[str, Any] = {"push": 10, "damage": "20 acid", "area": "1-foot cube"}  # what an entry may take away
    taken = {field: value for field, value in taken.items() if entry.gives.get(field, value) in (0, "")}
    return Feature("sample", name, cost, text=text, **{"area": area, **taken})


def read(game: str, feature: Feature) -> Understood | None:
    return shipped_readers().of(game).feature(feature, (*OWN, feature))


def mistakes_of(entry: CompiledEntry, found: Understood | None) -> Iterator[str]:
    """Yield what is wrong with what an entry makes of its samples."""
    if found is None or found.entries != (entry.entry.id,):
        yield f"samples are understood by {found and found.entries}"
        return
    given = {field for field in found.feature.read if not isinstance(getattr(found.feature, field), bool)}
    if more := given - entry.gives.keys() - {"short"}:
        yield f"fields that the entry doesn't give: {more}"
    if found.extent not in ("whole", "part", "reminder", "off") or (
        found.extent == "part" and not (entry.entry.unapplied or entry.entry.adds)
    ):
        yield f"extent {found.extent!r}"
    yield from mistakes_of_text(entry, found)


def unknown_ids(game: str, creatures: Iterable[Creature]) -> list[str]:
    """Return the ids in creatures that their game doesn't know; the id of a creature names its entry."""
    notes = FindingCollector()
    check_known_ids(Encounter(creatures), RuleSystems().get(game), notes)
    return [f"{game}: {'.'.join(map(str, note.path))}: {note.message}" for note in notes.notes]


def mistakes_of_text(entry: CompiledEntry, found: Understood) -> Iterator[str]:
    """Yield what is wrong with an entry's own text: missing, not filled, too long, or its sentences' own words."""
    short = found.feature.short
    is_told = (found.extent != "part" or entry.entry.adds) and (entry.matches or "." not in found.feature.text)
    if is_told and bool(short) != bool(entry.entry.text):
        yield f"text {entry.entry.text!r} becomes {short!r}"
    if len(short) > LONGEST or re.search(r"[][{}]|  | [.,;)]|\( ", short):
        yield f"text {short!r}"
    told, said = (re.findall(r"[a-z0-9']+", text.lower()) for text in (short, " ".join(entry.entry.samples)))
    runs = {tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1)}
    yield from (
        f"text {short!r}: {' '.join(told[at : at + RUN])}"
        for at in range(len(told))
        if tuple(told[at : at + RUN]) in runs
    )


def understands_too_much(game: str, entry: CompiledEntry) -> bool:
    """Whether an entry still understands its samples with a condition added to the first."""
    if not entry.matches or any(one.text.endswith("...") for one in entry.matches):
        return False
    first, *others = entry.entry.samples
    found = read(game, feature_of(entry, " ".join((first.rstrip(".") + " unless it is asleep.", *others))))
    return found is not None and entry.entry.id in found.entries


def test_a_sample_gets_the_fields_of_its_entry_and_its_game_knows_them() -> None:
    mistakes: list[str] = []
    creatures: dict[str, list[Creature]] = {}
    for game, entry in shipped():
        found = read(game, feature_of(entry, " ".join(entry.entry.samples)))
        mistakes += [f"{game}-{entry.entry.id}: {one}" for one in mistakes_of(entry, found)]
        if found is not None:
            sample = Creature(entry.entry.id, "Sample", features=(*OWN, found.feature))
            creatures.setdefault(game, []).append(shipped_readers().of(game).with_further(sample))
    mistakes += [one for game, listed in creatures.items() for one in unknown_ids(game, listed)]
    assert mistakes == []


def test_a_sample_with_a_word_too_many_is_not_understood_by_its_entry() -> None:
    assert [f"{game}-{entry.entry.id}" for game, entry in shipped() if understands_too_much(game, entry)] == []


def mistakes_of_further(game: str, entry: CompiledEntry) -> Iterator[str]:
    """Yield what is wrong with the further feature that an entry makes of its samples."""
    before = Creature("sample", "Sample", features=(*OWN, feature_of(entry, " ".join(entry.entry.samples))))
    reader = shipped_readers().of(game)
    after = reader.with_further(before)
    named = slug(entry.entry.apart.replace("{itself}", ""))  # the samples of one may also give another
    new = [one for one in after.features[len(before.features) :] if one.id.endswith(f"-{named}")]
    if len(new) != 1 or reader.with_further(after) != after:
        yield f"further features {[one.id for one in new]}"
        return
    if more := {field for field in new[0].read if getattr(new[0], field)} - entry.gives.keys() - {"short"}:
        yield f"fields that the entry doesn't give: {more}"
    yield from mistakes_of_text(entry, Understood(new[0], (entry.entry.id,), "whole"))
    yield from unknown_ids(game, (after,))


def test_a_sentence_gives_its_owner_a_further_feature_once() -> None:
    entries = shipped(apart=True)
    assert len(entries) >= 10
    found = [f"{game}-{entry.entry.id}: {one}" for game, entry in entries for one in mistakes_of_further(game, entry)]
    assert found == []


@for_each("game", ["dnd5e", "a5e"])
def test_reactions_to_creatures_in_sight_need_sight(game: str) -> None:
    """Sight of a place, or of a third creature, isn't a fact about the attacker."""
    others = {
        "deflects-for-another",
        "whirls-out-of-reach",
        "wears-a-mask-of-fear",
        "rattles-witnesses",
        "rattles-all-who-see",
        "rattles-those-who-watch",
        "glance-at-whoever-starts",
    }
    blind = []
    for name, entry in tomllib.loads(read_text(f"systems/{game}/traits.toml"))["traits"].items():
        gives, texts = (
            entry.get("gives", {}),
            ["".join(re.split(r"\[[^\[\]]*\]", each)) for each in entry.get("matches", ("",))],
        )
        sees = all("can see" in text for text in texts)
        if gives.get("trigger") and sees and "sees" not in str(gives) and name not in others:
            blind.append(name)
    assert blind == []
