"""A party is kept in a library file of its own: player characters with their stat blocks, players and levels."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.table import creature
from turnwright.encounter.prepared import CharacterState, LastingCondition, Party, PartyFight, RosterEntry, Scene
from turnwright.encounter.running import Award, Clock, Combatant, Dice, InitialForecast
from turnwright.encounter.state import Encounter, scene_of
from turnwright.storage.atomic import backups_of
from turnwright.storage.library.entries import Library, read_library_file
from turnwright.storage.library.parties import kept_party, library_party, merged, party_members, party_of, party_people

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


US = Party("us", "Us", (creature("kim"),), (RosterEntry("kim", "kim", side="party", player="Kim"),))
FOUR = tuple(creature(id) for id in ("ann", "bex", "cid", "dol"))
FOURSOME = Party("four", "The four", FOUR, tuple(RosterEntry(one.id, one.id, side="party", level=3) for one in FOUR))


def test_the_party_in_the_library_is_found_by_most_members_in_common(tmp_path):
    library = Library(tmp_path)
    library.save(US, "dnd5e")
    library.save(FOURSOME, "dnd5e")
    with_kim = Encounter([Scene(), *US.creatures, *US.roster])
    assert library_party(library, "dnd5e", with_kim).name == "Us"
    assert library_party(library, "dnd5e", Encounter([Scene(), *FOUR[1:], *FOURSOME.roster[1:]])).name == "The four"
    assert (
        library_party(library, "dnd5e", Encounter([Scene(), *US.creatures, RosterEntry("lou", "kim", player="Lou")]))
        is None
    )
    assert party_people(with_kim) == "Kim"
    assert party_people(Encounter([Scene(), *FOUR, *FOURSOME.roster])) == "Ann, Bex, Cid, Dol"


def test_an_absent_member_stays_in_the_party_that_is_kept(tmp_path):
    library = Library(tmp_path)
    library.save(msgspec.structs.replace(FOURSOME, notes="Tuesdays."), "dnd5e")
    encounter = Encounter([Scene(system="dnd5e"), *FOUR[:3], *FOURSOME.roster[:3]])
    states = {"ann": CharacterState(5)}
    party = kept_party(library, "dnd5e", "The four", party_of(encounter, "", "The four", states), encounter, states)
    assert (party.id, party.notes, len(party.roster)) == ("four", "Tuesdays.", 4)
    other = kept_party(library, "dnd5e", "The three", party_of(encounter, "", "The three", states), encounter, states)
    assert (other.id, other.notes, len(other.roster)) == ("the-three", "", 3)


def test_keeping_changes_states_and_saving_changes_who_is_there():
    here = [msgspec.structs.replace(one, level=4) for one in FOURSOME.roster if one.id != "dol"]
    ox = RosterEntry("ox", "dol", side="party", controller="ann")  # its stat block has the id of Dol's
    encounter = Encounter([Scene(system="dnd5e"), *FOUR[:3], creature("dol", name="Ox", hp=9), *here, ox])
    states = {"ann": CharacterState(5), "ox": CharacterState(2)}
    kept = merged(FOURSOME, party_of(encounter, "", "", states), encounter, states)
    found = {one.id: one for one in kept.roster}
    assert [one.id for one in kept.roster] == ["ann", "bex", "cid", "dol", "ox"]
    assert (found["ann"].level, found["ann"].state, found["bex"].state) == (3, CharacterState(5), None)
    assert found["dol"] == FOURSOME.roster[3]
    assert (found["ox"].state, found["ox"].controller) == (CharacterState(2), "ann")
    without = merged(FOURSOME, party_of(encounter, "", ""), encounter, {"ann": None})
    assert [one.id for one in without.roster] == ["ann", "bex", "cid", "dol"]
    names = {one.id: one.name for one in kept.creatures}
    assert (names["dol"], names[found["ox"].creature]) == ("Dol", "Ox")
    saved = merged(FOURSOME, party_of(encounter, "", ""), encounter)
    assert [(one.id, one.level) for one in saved.roster] == [("ann", 4), ("bex", 4), ("cid", 4), ("dol", 3), ("ox", 0)]


def test_the_list_knows_how_a_party_stands(tmp_path: Path) -> None:
    library = Library(tmp_path)
    hurt = CharacterState(1, conditions=(LastingCondition("poisoned"),))
    wolf = RosterEntry("wolf", "wolf", side="party", controller="ann", state=CharacterState(2, dead=True))
    roster = (msgspec.structs.replace(FOURSOME.roster[0], state=hurt), *FOURSOME.roster[1:], wolf)
    library.save(Party("four", "The four", (*FOUR, creature("wolf")), roster), "dnd5e")
    (entry,) = library.entries()
    assert entry.levels == (3, 3, 3, 3)
    assert entry.ills == (("Ann", "hurt"), ("Ann", "poisoned"), ("Wolf", "dead"))


def test_the_old_version_of_a_party_goes_to_the_backups(tmp_path: Path) -> None:
    library = Library(tmp_path / "library", index=tmp_path / "state" / "library.index")
    path = library.save(FOURSOME, "dnd5e")
    before = path.read_bytes()
    library.save(msgspec.structs.replace(FOURSOME, notes="Tuesdays."), "dnd5e")
    (copy,) = backups_of(path, tmp_path / "state" / "backups")
    assert copy.read_bytes() == before


def fought(*awards: Award, seed: int = 10) -> Encounter:
    """An encounter after a fight with these awards."""
    fighters = [Combatant(id, id, id, "heroes", roster=id) for id in ("ann", "ox")]
    return Encounter([*encounter(), *fighters, *awards, Dice(seed=seed)])


def earned(party: Party) -> dict[str, int]:
    return {member.id: member.xp_earned for member in party.roster if member.xp_earned}


def test_awards_are_kept_with_the_party_and_each_counts_once(tmp_path):
    library = Library(tmp_path)
    xp, cloak = (
        Award("award-1", "xp", "", 275, ("ann", "orc"), at="2026-11-28 20:31"),
        Award("award-2", "treasure", "cloak"),
    )
    here = fought(xp, cloak)
    party = kept_party(library, "a5e", "The four", party_of(here, "", "The four"), here)
    assert earned(party) == {"ann": 275}
    assert [(one.id, one.kind, one.what, one.who) for one in party.awards] == [
        ("a-award-1", "xp", "", ("ann",)),
        ("a-award-2", "treasure", "cloak", ()),
    ]
    for states in ({"ann": None}, None):
        again = merged(party, party_of(here, "", "The four"), here, states)
        assert (earned(again), again.awards) == ({"ann": 275}, party.awards)
    library.save(party, "a5e")
    assert library.load(next(iter(library.entries_for("a5e"))))[0].awards == party.awards


def test_a_changed_award_replaces_the_former_and_the_next_fight_adds(tmp_path):
    first = fought(Award("award-1", "xp", "", 275, ("ann",)))
    party = kept_party(Library(tmp_path), "a5e", "The four", party_of(first, "", "The four"), first)
    changed = fought(Award("award-1", "xp", "", 300, ("ann", "ox")))
    party = merged(party, party_of(changed, "", "The four"), changed, {})
    assert (earned(party), len(party.awards)) == ({"ann": 300, "ox": 300}, 1)
    later = fought(Award("award-1", "xp", "", 50, ("ann",)), seed=11)
    party = merged(party, party_of(later, "", "The four"), later, {})
    assert (earned(party), len(party.awards)) == ({"ann": 350, "ox": 300}, 2)
    undone = fought(seed=11)
    party = merged(party, party_of(undone, "", "The four"), undone, {})
    assert (earned(party), len(party.awards)) == ({"ann": 300, "ox": 300}, 1), "only that of the undone fight"


def after(forecast: InitialForecast | None, *, phase="ended", rounds=4, orc_hp=0, ann_hp=7, seed=10) -> Encounter:
    """An encounter after four rounds with two heroes, an orc and a merchant who looks on."""
    hp = {"ann": ann_hp, "ox": 0, "orc": orc_hp, "merchant": 4}
    sides = {"orc": "orcs", "merchant": "others"}
    people = [
        Combatant(id, id, id, sides.get(id, "heroes"), roster=id, hp=left, bystander=id == "merchant")
        for id, left in hp.items()
    ]
    records = [*encounter(), *people, Dice(seed=seed), Clock(phase=phase, round=rounds)]
    return Encounter([*records, forecast] if forecast is not None else records)


def kept_after(party: Party | None, tmp_path, here: Encounter) -> Party:
    if party is None:
        return kept_party(Library(tmp_path), "a5e", "The four", party_of(here, "", "The four"), here)
    return merged(party, party_of(here, "", "The four"), here, {})


def test_a_fights_forecast_and_result_are_kept_with_the_party(tmp_path):
    forecast = InitialForecast(won=80, rounds=32)
    party = kept_after(None, tmp_path, after(forecast))
    assert party.fights == (PartyFight("a", scene_of(encounter()).title, 80, 32, won=True, rounds=4),)
    lost = kept_after(party, tmp_path, after(InitialForecast(won=30, rounds=41), orc_hp=5, ann_hp=0, seed=11))
    assert [(one.id, one.expected, one.won) for one in lost.fights] == [("a", 80, True), ("b", 30, False)]
    replayed = kept_after(lost, tmp_path, after(forecast, orc_hp=5, ann_hp=0))
    assert [(one.id, one.won) for one in replayed.fights] == [("a", False), ("b", False)], "each fight counts once"
    library = Library(tmp_path)
    library.save(replayed, "a5e")
    assert library.load(next(iter(library.entries_for("a5e"))))[0].fights == replayed.fights


@pytest.mark.parametrize(
    "here",
    [
        after(None),
        after(InitialForecast(won=80), phase="rounds"),
        after(InitialForecast(won=80), rounds=0),
        after(InitialForecast(won=80), orc_hp=5),  # a truce
        after(InitialForecast(won=80), ann_hp=0),  # nobody is left
    ],
)
def test_a_fight_without_a_forecast_a_round_an_end_or_a_winner_is_not_kept(here, tmp_path):
    assert kept_after(None, tmp_path, here).fights == ()
