"""A party between encounters: as a fight leaves it, in words, and rested by the game's own rules."""

from __future__ import annotations

import msgspec

from tests.table import creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import CharacterState, Feature, LastingCondition, Party, RosterEntry, Scene
from turnwright.encounter.running import Duration
from turnwright.encounter.state import Encounter
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.events import Phrase
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.roster import BringParty
from turnwright.storage.library.parties import party_of
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.party_states import (
    after_rest,
    at_session_start,
    fresh,
    party_states,
    rested,
    with_tracks,
)
from turnwright.workspace.text import Phrasebook, state_text

ANN = creature(
    "ann",
    slots=(("1", 4),),
    features=(
        Feature("ward", "Ward", "action", uses=3, per="day"),
        Feature("wind", "Second wind", "bonus", uses=1, per="rest"),
    ),
)
STATE = CharacterState(
    7, 2, tracks=(("slots.1", 1), ("uses.ward", 0), ("uses.wind", 0)), conditions=(LastingCondition("poisoned"),)
)
MEMBER = RosterEntry("ann", "ann", side="party", player="Kim")
PARTY = Party("us", "Us", (ANN,), (RosterEntry("ann", "ann", side="party", player="Kim", state=STATE),))


def only(party: Party) -> CharacterState | None:
    """How the party's one member stands."""
    return party.roster[0].state


def test_a_fight_leaves_each_member_as_it_stands():
    session = Session(Encounter([Scene(system="dnd5e"), ANN, MEMBER]), dnd5e())
    assert party_states(session.encounter, dnd5e()) == {}
    session.do(StartEncounter())
    session.do(ApplyDamage(("ann",), "5"))
    states = party_states(session.encounter, dnd5e())
    assert states == {"ann": CharacterState(15)}
    assert only(party_of(session.encounter, "us", "Us", states)) == CharacterState(15)
    assert only(party_of(session.encounter, "us", "Us")) is None


def test_a_party_comes_into_the_next_encounter_as_it_stood():
    session = Session(Encounter([Scene(system="dnd5e")]), dnd5e())
    session.do(BringParty(PARTY))
    session.do(StartEncounter())
    assert party_states(session.encounter, dnd5e()) == {"ann": STATE}


def test_a_short_rest_brings_back_what_the_game_says():
    state = only(rested(PARTY, dnd5e(), "short"))
    assert (state.hp, dict(state.tracks)) == (7, {"slots.1": 1, "uses.ward": 0})


def test_a_long_rest_brings_back_the_rest():
    state = only(rested(PARTY, dnd5e(), "long", full_hp=True))
    assert (state.hp, state.temp_hp, state.tracks) == (20, 0, ())
    assert [one.name for one in state.conditions] == ["poisoned"]
    assert only(fresh(PARTY)) is None


def test_how_one_stands_is_told_in_words():
    words = Phrasebook(WordCatalogue.load(), dnd5e())
    said = state_text(STATE, ANN, MEMBER, words)
    assert said == (
        "7 of 20 hit points, 2 temporary hit points, level 1 slots: 1 of 4, Ward: 0 of 3, Second wind: 0 of 1, Poisoned"
    )
    assert state_text(None, ANN, MEMBER, words) == "fully rested"


def test_effects_of_any_name_last_until_the_rest_that_ends_them():
    session = Session(Encounter([Scene(system="dnd5e"), ANN, MEMBER]), dnd5e())
    session.do(StartEncounter())
    session.do(ApplyCondition(("ann",), "Mage Armor", rules="+3 ac", ends=Duration("long-rest")))
    session.do(ApplyCondition(("ann",), "O.K. Song", rules="+1d6 saves", ends=Duration("rest"), uses=1))
    session.do(ApplyCondition(("ann",), "Marked", rules="-1 ac"))
    session.do(ApplyCondition(("ann",), "Bless", rules="+1d4 saves", rounds=10))
    session.do(ApplyCondition(("ann",), "Fly", rules="+30 speed", held_by="ann"))
    state = party_states(session.encounter, dnd5e())["ann"]
    armor, song, marked = state.conditions
    assert (armor.name, armor.ends, armor.rules) == ("Mage Armor", "long-rest", (DataRule("modifier", "ac", add=3),))
    assert (song.uses, marked.ends) == (1, "")
    words = Phrasebook(WordCatalogue.load(), dnd5e())
    assert state_text(state, ANN, MEMBER, words).endswith("Mage Armor, O.K. Song, Marked")
    party = Party("us", "Us", (ANN,), (msgspec.structs.replace(MEMBER, state=state),))
    next_session = Session(Encounter([Scene(system="dnd5e")]), dnd5e())
    next_session.do(BringParty(party))
    next_session.do(StartEncounter())
    assert party_states(next_session.encounter, dnd5e()) == {"ann": state}
    assert [one.name for one in only(rested(party, dnd5e(), "short")).conditions] == ["Mage Armor", "Marked"]
    assert [one.name for one in only(rested(party, dnd5e(), "long", full_hp=True)).conditions] == ["Marked"]


def test_a_skipped_roll_does_not_name_its_detail_twice():
    words = Phrasebook(WordCatalogue.load(), dnd5e())
    params = (("who", "Halla"), ("purpose", "<ask.mount>"), ("detail", "Pike"))
    assert words.phrase_text(Phrase("journal.skipped", params)) == "Halla: mounting Pike skipped"


def test_a_session_begins_with_the_games_points_and_full_numbers_are_not_stored():
    us = fresh(PARTY)
    begun = at_session_start(us, pf2e())
    assert dict(only(begun).tracks) == {"hero-points": 1}
    assert at_session_start(us, dnd5e()) == us
    (member,) = begun.roster
    spent = with_tracks(begun, member, {"hero-points": 0, "slots.1": 3})
    assert spent.state.tracks == (("slots.1", 3),)
    assert with_tracks(begun, spent, {"slots.1": 4}).state is None
    assert dict(only(after_rest(begun, pf2e(), "long")).tracks) == {"hero-points": 1}
    assert after_rest(begun, pf2e(), "stood") == begun
