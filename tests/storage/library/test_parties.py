"""A party is kept in a library file of its own: player characters with their stat blocks, players and levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.table import creature
from turnwright.encounter.prepared import CharacterState, LastingCondition, Party, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.storage.library.entries import Library, read_library_file
from turnwright.storage.library.parties import party_members, party_of

TEXT = """\
format = 3
kind = "party"
system = "a5e"
id = "four"
name = "The four"

[creatures.ann]
name = "Ann"
ac = 15

[roster.ann]
creature = "ann"
side = "party"
player = "Kim"
level = 3
"""


def encounter() -> Encounter:
    return Encounter(
        [
            *map(creature, ("ann", "ox", "orc", "ally")),
            RosterEntry("ann", "ann", side="heroes", player="Kim", level=3, positions=((1, 2),), sneaking=True, hp=31),
            RosterEntry("ox", "ox", side="heroes", rides="", controller="ann"),
            RosterEntry("hawk", "ally", side="heroes", controller="stranger", wave="late", place="above", elevation=30),
            RosterEntry("orc", "orc"),
        ]
    )


def test_the_party_is_who_has_a_player_and_who_stands_with_them() -> None:
    assert [entry.id for entry in party_members(encounter())] == ["ann", "ox", "hawk"]
    bare = Encounter([creature("a"), creature("b"), RosterEntry("a", "a", side="party"), RosterEntry("b", "b")])
    assert [entry.id for entry in party_members(bare)] == ["a"]


def test_it_keeps_who_they_are_and_leaves_where_they_stood() -> None:
    party = party_of(encounter(), "four", "The four")
    assert [one.id for one in party.creatures] == ["ann", "ox", "ally"]
    assert party.roster == (
        RosterEntry("ann", "ann", side="heroes", player="Kim", level=3, hp=31),
        RosterEntry("ox", "ox", side="heroes", controller="ann"),
        RosterEntry("hawk", "ally", side="heroes"),
    )


def test_a_party_is_saved_listed_and_read_again(tmp_path: Path) -> None:
    library = Library(tmp_path)
    party = party_of(encounter(), "four", "The four")
    path = library.save(party, "a5e")
    (entry,) = library.entries()
    assert (entry.kind, entry.name, entry.system) == ("party", "The four", "a5e")
    assert "kim" in entry.haystack
    assert library.load(entry) == (party, ())
    text = path.read_text()
    assert 'kind = "party"' in text
    assert "[roster.ann]" in text
    assert "[creatures.ann]" in text
    library.save(Party("four", "The three", party.creatures, party.roster[:2]), "a5e")
    assert [one.name for one in library.entries()] == ["The three"]


def test_a_party_written_by_hand_is_read(tmp_path: Path) -> None:
    file = tmp_path / "four.toml"
    file.write_text(TEXT)
    party, findings = read_library_file(file)
    assert findings == ()
    assert party == Party(
        "four",
        "The four",
        (creature("ann", hp=1, ac=15),),
        (RosterEntry("ann", "ann", side="party", player="Kim", level=3),),
    )


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("level = 3", 'level = "three"', 15, "roster.ann.level"),
        ('creature = "ann"', "", 11, "roster.ann"),
        ("ac = 15", "ac = 1.5", 9, "creatures.ann.ac"),
    ],
)
def test_what_is_wrong_in_it_is_said_with_its_line(
    tmp_path: Path, before: str, after: str, line: int, said: str
) -> None:
    file = tmp_path / "four.toml"
    file.write_text(TEXT.replace(before, after, 1))
    party, findings = read_library_file(file)
    assert party is None
    assert (findings[0].line, findings[0].key) == (line, said)


def test_how_its_characters_stand_is_written_and_read(tmp_path: Path) -> None:
    state = CharacterState(7, 2, tracks=(("slots.1", 1), ("fatigue", 2)), conditions=(LastingCondition("poisoned"),))
    entry = RosterEntry("ann", "ann", side="party", state=state)
    party = Party("four", "The four", (creature("ann"),), (entry,))
    file = Library(tmp_path).save(party, "a5e")
    assert read_library_file(file) == (party, ())
