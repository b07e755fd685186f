"""Saves that failed and may be made all the same, in any game: a property of a feature, with its uses."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, RosterEntry
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.spawning.spawning import character_state
from turnwright.play.state.events import Rolled
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.system import RuleSystem

STUBBORN = Feature("stubborn", "Stubborn", properties=("legendary-resistance",), uses=1)
BREATH = Feature("breath", "Breath", "action", save="con", dc=15, damage="1d6 cold")


def breathed_on(*others: str) -> Table:
    """Tam breathes on a lich that may resist once, and on others."""
    people = [creature("tam", features=(BREATH,)), creature("lich", hp=60, features=(STUBBORN,)), *others]
    table = Table(*people, foes=("lich",))
    table.start(**{one if isinstance(one, str) else one.id: 20 - n for n, one in enumerate(people)})
    return table


@pytest.mark.parametrize(("answer", "passed", "left"), [("succeeds", True, 0), ("fails", False, 1)])
def test_a_use_makes_a_save_that_failed(answer: str, passed: bool, left: int) -> None:
    table = breathed_on()
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    table.chooses(answer)
    (saved,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (saved.passed, saved.roll.total) == (passed, 3)
    assert table.one("lich").hp == (60 if passed else 56)
    assert table.track("lich", "uses.stubborn") == (left if passed else 0)


@pytest.mark.parametrize(("uses", "likely"), [(1, "fails"), (0, "succeeds")])
def test_success_is_suggested_if_it_costs_nothing(uses: int, likely: str) -> None:
    resists = msgspec.structs.replace(STUBBORN, uses=uses)
    table = Table(creature("tam", features=(BREATH,)), creature("lich", features=(resists,)), foes=("lich",))
    table.start(tam=20, lich=5)
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    (offered,) = [ask for ask in table.prompt.asks if ask.id.startswith("instead")]
    assert offered.suggested == (likely,)


@pytest.mark.parametrize(("uses", "lowered"), [(1, True), (2, False)])
def test_the_last_use_can_leave_an_effect(uses: int, lowered: bool) -> None:
    ac = (DataRule("modifier", "ac", set=9),)
    sheds = Feature("sheds", "Sheds", properties=("legendary-resistance",), uses=uses, effect=ac, when="spent:sheds")
    table = Table(creature("tam", features=(BREATH,)), creature("lich", features=(sheds,)), foes=("lich",))
    table.start(tam=20, lich=5)
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    table.chooses("succeeds")
    assert (armor_class(table.encounter, table.rules, "lich").total == 9) is lowered


def test_a_use_can_take_other_features_away_for_a_turn() -> None:
    tires = Feature("tires", "Tires", properties=("legendary-resistance",), uses=1, until="turn-end")
    hide = Feature("hide", "Hide", only="not form:tires", rules=(DataRule("modifier", "ac", set=30),))
    table = Table(creature("tam", features=(BREATH,)), creature("lich", features=(tires, hide)), foes=("lich",))
    table.start(tam=20, lich=5)
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    table.chooses("succeeds")
    found = [armor_class(table.encounter, table.rules, "lich").total]
    table.ends_turn(2)
    assert [*found, armor_class(table.encounter, table.rules, "lich").total] == [10, 30]


def test_a_use_can_enrage_against_the_cause_of_the_save() -> None:
    rage = (
        DataRule("advantage", "attack", when="melee, target.is-source"),
        DataRule("disadvantage", "attack", when="melee, not target.is-source"),
    )
    rages = Feature("rages", "Rages", properties=("legendary-resistance",), uses=1, effect=rage, until="turn-end")
    claw = Feature("claw", "Claw", "action", attack=5, reach=5, damage="1d6")
    dragon = creature("dragon", features=(rages, claw))
    table = Table(creature("tam", features=(BREATH,)), "bob", dragon, foes=("dragon",), rules=a5e())
    table.start(tam=20, bob=10, dragon=5)
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("dragon",)))
    table.chooses("succeeds")
    rolls = [
        attack_roll(table.encounter, table.rules, AttackInProgress("dragon", claw, who)).spec for who in ("tam", "bob")
    ]
    assert [[edge.kind for edge in roll.edges] for roll in rolls] == [["advantage"], ["disadvantage"]]


def test_concentration_is_saved_as_well() -> None:
    table = breathed_on()
    table.does(Concentrate("lich", "ice"))
    table.dice(16, 6, 2)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    assert table.one("lich").hp == 60
    table.does(SetTrack("lich", "uses.stubborn", 0))
    table.ends_turn(2)
    table.dice(3, 6, 2)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    assert ("concentrating" in table.effects("lich"), table.prompts) == (False, [])


def test_undo_gives_the_use_back() -> None:
    table = breathed_on()
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    before = table.encounter
    table.chooses("succeeds")
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.track("lich", "uses.stubborn") == 0


def hero(game: RuleSystem, points: int) -> Table:
    """Mia, a character with points for failed rolls, on whom an ogre breathes and whom she strikes."""
    sword = Feature("sword", "Sword", "action", attack=5, reach=5, damage="1d8 slashing", properties=("weapon",))
    people = [creature("mia", hp=40, features=(sword,)), creature("ogre", hp=60, ac=15, features=(BREATH,))]
    table = Table(*people, roster=[RosterEntry("mia", "mia", side="party", player="Jo")], foes=("ogre",), rules=game)
    table.start(mia=20, ogre=10)
    table.does(SetTrack("mia", points_of(game), points))
    return table


def points_of(game: RuleSystem) -> str:
    """The resource of a game for rolls that failed."""
    (resource,) = [one.id for one in game.data.resources if one.characters is not None]
    return resource


@for_each(
    ("game", "points", "faces", "answer", "outcome", "left"),
    [
        (dnd5e, 1, (3, 15, 5), "succeeds", "hit", 0),
        (dnd5e, 1, (9, 4), "succeeds", "miss", 0),
        (dnd5e, 1, (3,), "fails", "miss", 1),
        (dnd5e, 1, (1, 20, 5, 5), "succeeds", "critical", 0),
        (dnd5e, 0, (3,), "", "miss", 0),
        (a5e, 1, (3, 15, 5), "succeeds", "hit", 0),
        (pf2e, 3, (3, 15, 5), "succeeds", "hit", 2),
        (pf2e, 1, (9, 1), "succeeds", "fumble", 0),
    ],
)
def test_a_point_rolls_a_missed_attack_again(
    game: Callable[[], RuleSystem], points: int, faces: tuple[int, ...], answer: str, outcome: str, left: int
) -> None:
    table = hero(game(), points)
    table.dice(*faces)
    table.does(Attack("mia", "ogre", "sword"))
    if answer:
        table.chooses(answer)
    assert [one.outcome for one in table.happened(Attacked)] == [outcome]
    assert table.track("mia", points_of(table.rules)) == left


def test_points_are_the_characters_own_and_are_kept_between_fights() -> None:
    table = hero(pf2e(), 2)
    assert table.refuses(SetTrack("ogre", "hero-points", 1)).key == "refused.more_than_all"
    state = character_state(table.encounter, table.session.rules, "mia")
    assert state is not None
    assert dict(state.tracks) == {"hero-points": 2}
    table.dice(19, 2)
    table.does(Attack("mia", "ogre", "sword"))
    assert table.prompts == []
