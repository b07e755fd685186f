"""Sleepers shaken awake, breaths that rest for rounds or share a recharge, and acid while swallowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.systems.action_points.fights import Fight as Points
from tests.systems.action_points.fights import person
from tests.systems.dnd5e.fights import Fight
from tests.table import Table, a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.encounter.running import Effect
from turnwright.play.actions.contest import Wake
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.manual_hit_points import Heal, SetDead, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.state.action_economy import FeatureReady
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.turns import GoToTurn
from turnwright.rules.parts.attacks.attack_targeting import ward_against
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

SLEEP = InflictedCondition("unconscious", ends="hurt", lasts="1 minute", wakes="action")
YAWN = Feature("yawn", "Yawn", "action", afflictions=(SLEEP,))
BREATH = Feature("breath", "Breath", "action", damage="4 fire", rests="1d4", recharge=0)
GUST = Feature("gust", "Gust", "action", damage="2 fire", rests="1d4", shares="breath")
BITE = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1d6 piercing")
GAMES = [a5e, dnd5e, action_points, pf2e]


def shipped(path: str) -> Creature:
    block, _ = read_library_file(resource_path(f"library/{path}.toml"))
    assert isinstance(block, Creature)
    return block


def put_to_sleep(rules: RuleSystem) -> tuple[Table, Effect]:
    """Ann, put to sleep by the hag, then Bob's turn."""
    if rules.id == "action_points":
        hag = person("hag", features=(YAWN,))
        table: Table = Points(hag, "bob", "ann", foes=("hag",)).puts(hag=(1, 1), bob=(2, 2), ann=(2, 1))
    else:
        table = Table(creature("ann"), creature("bob"), creature("hag", features=(YAWN,)), foes=("hag",), rules=rules)
        table.start(hag=20, bob=15, ann=10)
    table.does(UseFeature("hag", "yawn", targets=("ann",)))
    while table.active != "bob":
        table.ends_turn()
    (effect,) = (one for one in table.encounter.all(Effect) if one.wakes)
    return table, effect


@pytest.mark.parametrize("rules", GAMES)
def test_somebody_near_wakes_a_sleeper_for_an_action(rules: Callable[[], RuleSystem]) -> None:
    table, effect = put_to_sleep(rules())
    before, had = table.encounter, table.track("bob", "action")
    table.does(Wake(effect.id))
    assert not any(one.wakes for one in table.encounter.all(Effect))
    assert table.track("bob", "action") == had - 1
    assert table.session.undo() is not None
    assert table.encounter == before


def test_nobody_wakes_itself_or_what_has_no_such_end() -> None:
    table, effect = put_to_sleep(dnd5e())
    assert table.refuses(Wake(effect.id, "ann")).key == "refused.nobody_near"
    table.does(ApplyCondition(("ann",), "poisoned"))
    poison = next(one for one in table.encounter.all(Effect) if one.name == "poisoned")
    assert table.refuses(Wake(poison.id)).key == "refused.no_waking"
    for who in ("bob", "hag"):
        table.does(SetDead(who))
    assert table.refuses(Wake(effect.id)).key in ("refused.nobody_near", "refused.not_your_turn")


@pytest.mark.parametrize(("face", "freed"), [(15, True), (2, False)])
def test_somebody_near_makes_the_check_that_frees_another(face: int, freed: bool) -> None:
    held = InflictedCondition("restrained", escape_dc=12, escape="str", break_free="action", wakes="action")
    net = Feature("net", "Net", "action", attack=5, reach=5, afflictions=(held,))
    table = Table("ann", "bob", creature("hag", features=(net,)), foes=("hag",), rules=a5e())
    table.start(hag=20, bob=15, ann=10)
    table.dice(15)
    table.does(Attack("hag", "ann", "net"))
    table.ends_turn()
    (effect,) = (one for one in table.encounter.all(Effect) if one.wakes)
    had = table.track("bob", "action")
    table.does(Wake(effect.id))
    table.dice(face)
    table.chooses("str")
    assert (table.effects("ann") == set(), table.track("bob", "action")) == (freed, had - 1)
    assert table.refuses(Wake(effect.id, "bob")) if not freed else True


def test_who_stands_too_far_away_can_not_wake_anybody() -> None:
    hag = creature("hag", features=(YAWN,))
    table = Fight(hag, creature("bob"), creature("ann"), foes=("hag",))
    table.puts(hag=(1, 1), ann=(2, 1), bob=(6, 1))
    table.does(UseFeature("hag", "yawn", targets=("ann",)))
    (effect,) = (one for one in table.encounter.all(Effect) if one.wakes)
    while table.active != "bob":
        table.ends_turn()
    assert table.refuses(Wake(effect.id, "bob")).key == "refused.not_adjacent"
    table.puts(bob=(3, 1))
    table.does(Wake(effect.id, "bob"))


def test_a_shipped_dragon_s_sleep_can_be_shaken_off_and_costs_its_fire() -> None:
    dragon = shipped("dnd5e/srd/young-brass-dragon")
    table = Table(creature("ann"), "bob", dragon, foes=(dragon.id,), rules=dnd5e())
    table.start(**{dragon.id: 20, "ann": 10, "bob": 9})
    table.dice(1)
    table.does(UseFeature(dragon.id, "sleep-breath", targets=("ann",)))
    effect = next(one for one in table.encounter.of(Effect, "ann") if one.name == "unconscious")
    assert (effect.wakes, effect.rounds_left) == ("action", 50)
    table.ends_turn(3)
    table.skips()  # its recharge
    assert table.refuses(UseFeature(dragon.id, "fire-breath", targets=("bob",))).key == "refused.no_recharge"


def resting(*features: Feature) -> Table:
    drake = creature("drake", features=(*features, BITE))
    table = Table(creature("ann", hp=90), drake, foes=("drake",), rules=pf2e())
    table.start(drake=20, ann=10)
    return table


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_a_breath_rests_for_the_rounds_that_are_rolled(rounds: int) -> None:
    table = resting(BREATH)
    before = table.encounter
    table.dice(rounds)
    table.does(UseFeature("drake", "breath", targets=("ann",)))
    for _ in range(rounds - 1):
        assert table.refuses(UseFeature("drake", "breath", targets=("ann",))).key == "refused.no_recharge"
        table.ends_turn(2)
        assert not table.happened(FeatureReady)
    assert table.refuses(UseFeature("drake", "breath", targets=("ann",))).key == "refused.no_recharge"
    table.ends_turn(2)
    assert [one.feature for one in table.happened(FeatureReady)] == ["Breath"]
    table.dice(4)
    table.does(UseFeature("drake", "breath", targets=("ann",)))
    while table.encounter != before:
        assert table.session.undo() is not None


def test_features_that_share_a_breath_rest_together() -> None:
    table = resting(BREATH, GUST)
    table.dice(2)
    table.does(UseFeature("drake", "gust", targets=("ann",)))
    for breath in ("breath", "gust"):
        assert table.refuses(UseFeature("drake", breath, targets=("ann",))).key == "refused.no_recharge"
    table.does(SetTrack("drake", "recharge.breath", 1))
    assert remaining_uses(table.encounter, "drake", "recharge.breath") == 1


def swallowed() -> Table:
    """A hero grappled and swallowed by a giant toad."""
    toad = shipped("dnd5e/srd/giant-toad")
    table = Fight(toad, creature("ann", hp=60, ac=5), foes=(toad.id,))
    table.puts(**{"giant-toad": (1, 1), "ann": (3, 1)})
    table.strikes("giant-toad", "ann", "bite", 15, 1, 1)
    assert "grappled" in table.effects("ann")
    table.ends_turn(2)
    return table


def test_acid_burns_the_swallowed_at_the_start_of_the_swallower_s_turn() -> None:
    table = swallowed()
    table.dice(15, 1, 2, 2, 2)
    table.does(Attack("giant-toad", "ann", "swallow"))
    (acid,) = (one for one in table.encounter.of(Effect, "ann") if one.damage)
    assert (acid.damage, acid.damage_at, acid.bound_to) == ("3d6 acid", "owner-start", "blinded")
    table.ends_turn()
    hp = table.one("ann").hp
    table.dice(2, 2, 2)
    table.ends_turn()
    assert table.one("ann").hp == hp - 6
    table.does(SetDead("giant-toad"))
    assert not any(one.damage or one.name == "blinded" for one in table.encounter.of(Effect, "ann"))


def test_the_swallowed_are_out_of_reach_move_along_and_come_out_prone() -> None:
    table = swallowed()
    table.dice(15, 15, 1, 1)
    table.does(Attack("giant-toad", "ann", "swallow"))
    assert {"swallowed", "restrained"} <= {*table.effects("ann")}
    assert "grappled" not in table.effects("ann")
    assert ward_against(table.encounter, table.rules, "ann", "ben", None) == "swallowed"
    assert ward_against(table.encounter, table.rules, "ann", "giant-toad", None) == ""
    place = table.one("ann").position
    table.does(SetPosition("giant-toad", position=(2, 4)))
    assert place is not None
    assert table.one("ann").position == (place[0] + 1, place[1] + 3)
    table.does(SetDead("giant-toad"))
    assert {*table.effects("ann")} & {"swallowed", "restrained", "prone"} == {"prone"}


def test_what_clings_to_a_creature_moves_along_with_it() -> None:
    table = Fight(creature("mantle"), "ann", foes=("mantle",)).puts(mantle=(1, 1), ann=(2, 1))
    table.does(ApplyCondition(("ann",), "clung-to", by="mantle"))
    table.does(SetPosition("ann", position=(5, 5)))
    assert table.one("mantle").position == (4, 5)
    table.does(GoToTurn("ann"))
    table.does(MovePath("ann", ((6, 5), (7, 5))))
    assert table.one("mantle").position == table.one("ann").position == (7, 5)


def test_who_is_too_large_is_not_swallowed_and_not_burned() -> None:
    toad = shipped("dnd5e/srd/giant-toad")
    table = Fight(toad, creature("ann", hp=60, ac=5, size="large"), foes=(toad.id,))
    table.puts(**{"giant-toad": (1, 1), "ann": (3, 1)})
    table.does(ApplyCondition(("ann",), "grappled", by="giant-toad"))
    table.dice(15, 1)
    table.does(Attack("giant-toad", "ann", "swallow"))
    assert not any(one.damage or one.name == "blinded" for one in table.encounter.of(Effect, "ann"))


@pytest.mark.parametrize("rules", [dnd5e(), a5e()], ids=["dnd5e", "a5e"])
def test_healing_closes_an_infernal_wound(rules: RuleSystem) -> None:
    wound = (InflictedCondition("infernal-wound", break_free="action"),)
    glaive = Feature(
        "glaive", "Glaive", "action", attack=9, reach=5, damage="4", afflictions=wound, ongoing="3",
        ongoing_at="turn-start", ongoing_while="infernal-wound",
    )  # fmt: skip
    table = Table(creature("fiend", features=(glaive,)), "ann", foes=("fiend",), rules=rules)
    table.start(fiend=12, ann=5)
    table.dice(15)
    table.does(Attack("fiend", "ann", "glaive"))
    assert "infernal-wound" in table.effects("ann")
    table.does(Heal(("ann",), 2))
    assert not table.effects("ann")
    table.ends_turn()
    assert table.one("ann").hp == 18


@pytest.mark.parametrize("slain", ["hag", "bob"])
def test_a_condition_has_the_rules_of_its_feature_such_as_the_death_of_its_creator(slain: str) -> None:
    lost = DataRule("duration", "lost", when="source.dead")
    charm = Feature(
        "charm", "Charm", "action", afflictions=(InflictedCondition("charmed", "hurt-save", rules=(lost,)),)
    )
    table = Table(creature("ann"), creature("bob"), creature("hag", features=(charm,)), foes=("hag",), rules=dnd5e())
    table.start(hag=20, bob=15, ann=10)
    table.does(UseFeature("hag", "charm", targets=("ann",)))
    assert table.effects("ann") == {"charmed"}
    table.does(SetDead(slain))
    assert table.effects("ann") == ({"charmed"} if slain == "bob" else set())
