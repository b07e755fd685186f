"""Imported characters: joined with a party of the library, or kept as creatures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.characters import BUILD, HERO, imported
from turnwright.encounter.prepared import CharacterState, Creature, Party, RosterEntry
from turnwright.importers.beyond import FORMAT
from turnwright.importers.characters import joined, new_party
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.files.imported_characters import add_to_party, can_play, characters_in, keep_as_creatures
from turnwright.importers.results import ImportOutcome
from turnwright.storage.library.entries import Library, read_library_file


@pytest.fixture
def outcome(tmp_path: Path) -> ImportOutcome:
    """Return the import of a character of each game, and of a party of Turnwright."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    for name, data in (("ansa", BUILD), ("nim", HERO)):
        (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    own = 'format = 3\nkind = "party"\nsystem = "dnd5e"\nid = "own"\nname = "Own"\n'
    (folder / "own.toml").write_text(own, encoding="utf-8")
    return import_paths([folder], tmp_path / "library")


def test_characters_of_each_game_get_a_party(outcome: ImportOutcome, tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    assert [party.name for _, party in characters_in(outcome)] == ["Ansa", "Nim Ashdown"]
    assert [can_play(outcome, rules) for rules in ("pf2e", "dnd5e")] == [False, False]
    added = add_to_party(outcome, "Delvers", library, tmp_path / "backups")
    assert {Path(one.path).name for one in added.placed} == {"own.toml", "delvers.toml", "delvers-2.toml"}
    assert sorted(path.name for path in (tmp_path / "library").rglob("*.toml")) == [
        "delvers-2.toml",
        "delvers.toml",
        "own.toml",
    ]
    assert sorted(path.name for path in (tmp_path / "backups").rglob("*.toml")) == ["ansa.toml", "nim-ashdown.toml"]
    assert {(one.name, one.system) for one in library.entries()} == {
        ("Delvers", "pf2e"),
        ("Delvers", "dnd5e"),
        ("Own", "dnd5e"),
    }


def test_a_creature_replaces_the_file_and_counts_as_unedited(outcome: ImportOutcome, tmp_path: Path) -> None:
    keep_as_creatures(outcome)
    records = {one.name: read_library_file(Path(one.path))[0] for one in outcome.placed}
    assert [type(records[name]) for name in ("Ansa", "Nim Ashdown", "Own")] == [Creature, Creature, Party]
    again = import_paths([tmp_path / "theirs"], tmp_path / "library", again="update", backups=tmp_path / "backups")
    assert again.counts is not None
    assert again.counts.edited == 0


def test_a_known_member_keeps_its_player_and_gets_the_new_numbers() -> None:
    nim = imported(FORMAT, HERO).record
    assert isinstance(nim, Party)
    old = RosterEntry(
        "nim",
        "wizard",
        name="Nim Ashdown",
        side="party",
        role="character",
        player="Kit",
        notes="Owes ten.",
        state=CharacterState(1),
    )
    other = RosterEntry("nim-ashdown", "other", side="party", role="character")
    party = Party("p", "P", (Creature("wizard", "Nim", hp=3), Creature("other", "Other")), (old, other))
    found = joined(party, [nim])
    assert [(one.id, one.creature, one.player, one.notes) for one in found.roster] == [
        ("nim", "wizard", "Kit", "Owes ten."),
        ("nim-ashdown", "other", "", ""),
    ]
    assert found.roster[0].state == nim.roster[0].state
    assert [(one.id, one.hp) for one in found.creatures] == [("wizard", 51), ("other", 1)]
    assert [
        one.id
        for one in joined(party, [Party("q", "Q", (Creature("nim", "New"),), (RosterEntry("nim", "nim"),))]).roster
    ][-1] == "nim-2"


def test_companions_stay_with_their_owner_under_new_ids() -> None:
    blocks = (Creature("ann", "Ann"), Creature("wolf", "Wolf"))
    roster = (
        RosterEntry("ann", "ann", role="character"),
        RosterEntry("wolf", "wolf", role="companion", controller="ann"),
    )
    found = joined(
        Party("p", "P", (Creature("ann", "Anna"),), (RosterEntry("ann", "ann"),)), [Party("ann", "Ann", blocks, roster)]
    )
    assert [(one.id, one.creature, one.controller) for one in found.roster] == [
        ("ann", "ann", ""),
        ("ann-2", "ann-2", ""),
        ("wolf", "wolf", "ann-2"),
    ]
    assert new_party("The Delvers").id == "the-delvers"
