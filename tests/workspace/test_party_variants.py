"""The changes of a party before a fight that a forecast shows: one more character, a long rest, a level more."""

import msgspec
import pytest

from tests.table import a5e, action_points, dnd5e, pf2e
from turnwright.encounter.prepared import CharacterState, Creature, Feature, RosterEntry
from turnwright.encounter.roles import characters
from turnwright.encounter.state import Encounter
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.fight_forecast import forecast_changes
from turnwright.workspace.party_variants import encounter_of, party_variants, usual_party

WORDS = WordCatalogue.load()
GAMES = (dnd5e, a5e, pf2e, action_points)
CLUB = Feature("club", "Club", "action", attack=6, reach=5, damage="2d8+4 bludgeoning")
OGRE = Creature("ogre", "Ogre", ac=13, hp=40, features=(CLUB,))


def prepared(rules, level: int = 4, **of_first) -> Encounter:
    party = usual_party([level] * 4, rules, WORDS)
    first, *others = party.roster
    roster = (msgspec.structs.replace(first, **of_first), *others)
    return encounter_of(msgspec.structs.replace(party, roster=roster), rules.data.id)


def levels(encounter: Encounter) -> list[int]:
    return [member.level or encounter.get(Creature, member.creature).level for member in characters(encounter)]


def found(encounter: Encounter, rules) -> dict[str, Encounter]:
    return {kind: changed for kind, _subject, changed in party_variants(encounter, rules)}


@pytest.mark.parametrize("game", GAMES)
def test_one_more_character_has_the_level_of_the_others(game):
    changed = found(prepared(game()), game())["character"]
    assert levels(changed) == [4] * 5
    assert len({member.id for member in characters(changed)}) == 5


@pytest.mark.parametrize("game", [dnd5e, a5e, pf2e])
def test_a_level_more_raises_assumed_hit_points_of_all(game):
    encounter = prepared(game())
    changed = found(encounter, game())["level"]
    assert levels(changed) == [5] * 4
    for before, after in zip(encounter.all(Creature), changed.all(Creature), strict=True):
        assert after.hp > before.hp


def test_a_level_that_changes_no_number_is_left_out():
    """The stat blocks of these characters have typed numbers and no class."""
    assert "level" not in found(prepared(action_points()), action_points())


@pytest.mark.parametrize("game", GAMES)
def test_a_long_rest_is_shown_only_to_those_who_need_it(game):
    rules = game()
    assert "rest" not in found(prepared(rules), rules)
    changed = found(prepared(rules, state=CharacterState(1)), rules)["rest"]
    assert all(member.state is None or member.state.hp > 1 for member in changed.all(RosterEntry))


def test_a_fight_that_has_begun_has_no_such_changes():
    session = Session(prepared(dnd5e()), dnd5e())
    session.do(StartEncounter())
    assert found(session.encounter, dnd5e()) == {}


def test_a_forecast_counts_the_wounds_that_a_rest_would_heal():
    rules = dnd5e()
    party = usual_party([2, 2], rules, WORDS)
    wounded = [msgspec.structs.replace(member, state=CharacterState(1)) for member in party.roster]
    tired = encounter_of(msgspec.structs.replace(party, roster=tuple(wounded)), "dnd5e")
    tired = Encounter([*tired, OGRE, RosterEntry("ogre", "ogre")])
    changes = {change.kind: change.difference for change in [*forecast_changes(tired, rules, 500, seed=1)][-1]}
    assert changes["rest"].low > 0
