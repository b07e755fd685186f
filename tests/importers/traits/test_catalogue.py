"""The shipped catalogue: each entry gives its fields to its samples, and only to those."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.state import Encounter
from turnwright.importers.traits.catalogue import CompiledEntry, shipped_catalogue
from turnwright.importers.traits.understand import TraitReaders, Understood
from turnwright.storage.findings import FindingCollector
from turnwright.storage.toml.references import check_known_ids

GAMES = ("dnd5e", "a5e", "pf2e")
OWN = tuple(
    Feature(name.lower(), name, "action", attack=5) for name in ("Bite", "Claw", "Tail")
)  # what samples may name


def shipped() -> Iterator[tuple[str, CompiledEntry]]:
    """Yield the entries of each game's own file."""
    held: set[int] = set()
    for game in GAMES:
        for entry in shipped_catalogue(game).entries:
            if id(entry) not in held:
                held.add(id(entry))
                yield game, entry


SHIPPED = tuple(shipped())
NAMES = [f"{game}-{entry.entry.id}" for game, entry in SHIPPED]


def feature_of(entry: CompiledEntry, text: str) -> Feature:
    cost = entry.entry.costs[0] if entry.entry.costs else "trait"
    name = entry.entry.names[0] if entry.entry.names and (entry.entry.named or not entry.entry.says) else "Sample"
    name += "".join(f" ({words})" for words in entry.entry.brackets[:1])
    area = "10-foot emanation" if "{area}" in entry.gives.values() else ""
    return Feature("sample", name, cost, text=text, area=area)


def read(game: str, feature: Feature) -> Understood | None:
    return TraitReaders().of(game).feature(feature, (*OWN, feature))


@pytest.mark.parametrize(("game", "entry"), SHIPPED, ids=NAMES)
def test_a_sample_gets_the_fields_of_its_entry_and_its_game_knows_them(game: str, entry: CompiledEntry) -> None:
    found = read(game, feature_of(entry, " ".join(entry.entry.samples)))
    assert found is not None
    assert found.entries == (entry.entry.id,)
    given = {field for field in found.feature.read if not isinstance(getattr(found.feature, field), bool)}
    assert given <= entry.gives.keys()
    assert found.extent in ("whole", "part", "reminder", "off")
    assert found.extent != "part" or entry.entry.beside
    notes = FindingCollector()
    creature = Creature("sample", "Sample", features=(*OWN, found.feature))
    check_known_ids(Encounter((creature,)), RuleSystems().get(game), notes)
    assert [note.message for note in notes.notes] == []


@pytest.mark.parametrize(("game", "entry"), SHIPPED, ids=NAMES)
def test_a_sample_with_a_word_too_many_is_not_understood_by_its_entry(game: str, entry: CompiledEntry) -> None:
    said = list(entry.entry.samples)
    if not entry.says or any(one.text.endswith("...") for one in entry.says):
        return
    said[0] = said[0].rstrip(".") + " unless it is asleep."
    found = read(game, feature_of(entry, " ".join(said)))
    assert found is None or entry.entry.id not in found.entries
