"""Conditions that features inflict, and afflictions with stages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tests.play.map_table import Field
from tests.table import Table, creature, pf2e
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import AfflictionStage, Feature, InflictedCondition, Map, RosterEntry, Scene
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import CommandFollowers, UseFeature
from turnwright.play.attacks.attack_request import Attack, FeatureUsed
from turnwright.play.attacks.group_attack import GroupAttack
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.movement.forced_movement import ForceMoved, Pushed
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import EffectGained, Rolled, Unaffected
from turnwright.play.state.position_changes import SetPosition

HOLD = Feature(
    "hold",
    "Hold",
    "action",
    save="wis",
    dc=15,
    range="60",
    afflictions=(InflictedCondition("restrained"),),
    concentration=True,
    properties=("spell",),
)
SEARING = replace(HOLD, id="searing", name="Searing", afflictions=(), ongoing="1d4 fire")
WAVE = Feature("wave", "Wave", "action", save="str", dc=15, damage="1d8 thunder", half=True, area="cube 15", push=10)
TOUCH = Feature(
    "touch", "Touch", "action", attack=5, reach=5, damage="1d4 cold", concentration=True, properties=("spell",)
)


def duel(*features: Feature, **more: object) -> Field:
    """Ann, who has the features, 5 ft from T on a map; it is Ann's turn."""
    table = Field(creature("ann", features=features, hp=60), creature("t", hp=90), foes=("t",), **more)
    return table.puts(ann=(5, 5), t=(6, 5))


def held(table: Table, name: str) -> list[Effect]:
    return [one for one in table.encounter.all(Effect) if one.name == name and one.target == "t"]


def stops_concentrating(table: Table) -> None:
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.name == "concentrating")))


@pytest.mark.rule("a5e.external.concentration")
@pytest.mark.parametrize(("feature", "left"), [(HOLD, "restrained"), (SEARING, "ongoing")])
def test_what_a_spell_leaves_on_who_fails_ends_with_its_concentration(feature: Feature, left: str) -> None:
    table = duel(feature)
    table.dice(1)
    table.does(UseFeature("ann", feature.id, targets=("t",)))
    assert [one.concentrator for one in held(table, left)] == ["ann"]
    stops_concentrating(table)
    assert held(table, left) == []


def test_whoever_falls_prone_stays_prone_without_the_concentration() -> None:
    table = duel(replace(HOLD, afflictions=(*HOLD.afflictions, InflictedCondition("prone"))))
    table.dice(1)
    table.does(UseFeature("ann", HOLD.id, targets=("t",)))
    stops_concentrating(table)
    assert table.effects("t") == {"prone"}


@pytest.mark.parametrize(
    ("feature", "face", "kept"),
    [
        (HOLD, 20, False),
        (HOLD, 1, True),
        (replace(HOLD, area="10-foot radius"), 20, True),
        (replace(HOLD, afflictions=(*HOLD.afflictions, InflictedCondition("poisoned", degree="success"))), 20, True),
    ],
)
def test_concentration_ends_once_every_target_has_saved(feature: Feature, face: int, kept: bool) -> None:
    table = duel(feature)
    table.dice(face)
    table.does(UseFeature("ann", feature.id, targets=("t",)))
    assert ("concentrating" in table.effects("ann")) is kept


@pytest.mark.rule("a5e.external.concentration")
@pytest.mark.parametrize(
    ("changes", "left"),
    [({"afflictions": (InflictedCondition("poisoned"),)}, "poisoned"), ({"ongoing": "1d4 cold"}, "ongoing")],
)
def test_so_does_what_an_attack_with_a_spell_leaves(changes: dict[str, object], left: str) -> None:
    table = duel(replace(TOUCH, **changes))
    table.dice(18, 2)
    table.does(Attack("ann", "t", "touch"))
    assert held(table, left)
    table.does(Concentrate("ann", "Something else"))
    assert held(table, left) == []


def test_what_is_done_as_an_action_is_concentrated_on_too() -> None:
    table = duel(HOLD)
    table.does(TakeAction("ann", HOLD.id))
    (effect,) = [one for one in table.encounter.all(Effect) if one.name == "concentrating"]
    assert (effect.target, effect.source) == ("ann", HOLD.name)


def test_what_takes_no_concentration_stays() -> None:
    table = duel(replace(HOLD, concentration=False))
    table.dice(1)
    table.does(UseFeature("ann", "hold", targets=("t",)))
    table.does(Concentrate("ann", "Something"))
    stops_concentrating(table)
    assert [one.concentrator for one in held(table, "restrained")] == [""]


def test_a_spell_lost_before_its_save_leaves_nothing() -> None:
    table = duel(HOLD)
    table.does(UseFeature("ann", "hold", targets=("t",)))
    table.does(ApplyCondition(("ann",), "incapacitated"))
    table.answers(t="1")
    assert held(table, "restrained") == []
    assert [one.reason for one in table.happened(Unaffected)] == ["why.concentration_lost"]


def test_a_legendary_spell_is_concentrated_on() -> None:
    dragon = creature("dragon", hp=200, legendary=3, features=(replace(HOLD, cost="legendary"),))
    table = Table("t", dragon, foes=("dragon",))
    table.start(t=20, dragon=10)
    table.ends_turn()
    table.chooses("hold")
    table.dice(1)
    table.chooses("t")
    assert "concentrating" in table.effects("dragon")
    assert [one.concentrator for one in held(table, "restrained")] == ["dragon"]


def test_a_breath_that_goes_on_hurting_does_so_for_who_fails() -> None:
    acid = Feature("acid", "Acid", "action", save="dex", dc=12, damage="1d6 acid", half=True, ongoing="1d4 acid")
    table = Table(creature("drake", features=(acid,)), "tam", "osk", roster=[RosterEntry("drake", "drake")])
    table.start(drake=20, tam=10, osk=5)
    table.dice(2, 19, 4)
    table.does(UseFeature("drake", "acid", targets=("tam", "osk")))
    assert [(one.target, one.damage, one.by) for one in table.encounter.all(Effect) if one.damage] == [
        ("tam", "1d4 acid", "drake")
    ]


@pytest.mark.parametrize(
    ("ongoing", "left"), [("1d6 acid", "1d3 acid"), ("2d4 acid", "1d4 acid"), ("1 acid", "1 acid")]
)
def test_a_success_halves_the_persistent_damage_of_a_basic_save(ongoing: str, left: str) -> None:
    properties = ("halves-ongoing",)
    acid = Feature(
        "acid", "Acid", "action", save="dex", dc=12, damage="4 acid", half=True, ongoing=ongoing, properties=properties
    )
    table = Table(creature("drake", features=(acid,)), "tam", roster=[RosterEntry("drake", "drake")], rules=pf2e())
    table.start(drake=20, tam=10)
    table.dice(13)
    table.does(UseFeature("drake", "acid", targets=("tam",)))
    assert [one.damage for one in table.encounter.all(Effect) if one.damage] == [left]


@pytest.mark.parametrize(("properties", "left"), [(("halves-ongoing",), "2d6 fire"), ((), "1d6 fire")])
def test_a_critical_failure_doubles_only_the_persistent_damage_of_a_basic_save(
    properties: tuple[str, ...], left: str
) -> None:
    fire = Feature(
        "fire",
        "Fire",
        "action",
        save="dex",
        dc=25,
        damage="4 fire",
        half=True,
        ongoing="1d6 fire",
        properties=properties,
    )
    table = Table(creature("drake", features=(fire,)), "tam", roster=[RosterEntry("drake", "drake")], rules=pf2e())
    table.start(drake=20, tam=10)
    table.dice(2)
    table.does(UseFeature("drake", "fire", targets=("tam",)))
    assert [one.damage for one in table.encounter.all(Effect) if one.damage] == [left]


@pytest.mark.parametrize(("face", "values"), [(2, [2]), (15, [1])])
def test_a_condition_of_a_critical_failure_comes_instead_of_the_usual_one(face: int, values: list[int]) -> None:
    usual, worst = (
        InflictedCondition("sickened", value=1),
        InflictedCondition("sickened", value=2, degree="critical-failure"),
    )
    reek = Feature("reek", "Reek", "action", save="con", dc=20, afflictions=(usual, worst))
    table = Table(creature("toad", features=(reek,)), "tam", foes=("toad",), rules=pf2e())
    table.start(toad=20, tam=10)
    table.dice(face)
    table.does(UseFeature("toad", "reek", targets=("tam",)))
    assert [event.value for event in table.happened(EffectGained)] == values


@pytest.mark.parametrize(("size", "moved"), [("medium", True), ("gargantuan", False)])
def test_a_creature_that_another_holds_until_its_end_moves_along(size: str, moved: bool) -> None:
    held = InflictedCondition("grabbed", ends="owner-gone")
    gulp = Feature("gulp", "Gulp", "action", afflictions=(held,))
    table = Table(
        creature("worm", size="huge", features=(gulp,)), creature("tam", size=size), foes=("worm",), rules=pf2e()
    )
    table.does(Add((Map(columns=20, rows=20),)))
    table.start(worm=20, tam=10)
    for who, square in {"worm": (5, 5), "tam": (8, 5)}.items():
        table.does(SetPosition(who, position=square))
    table.does(UseFeature("worm", "gulp", targets=("tam",)))
    table.does(MovePath("worm", ((5, 6), (5, 7))))
    assert table.one("tam").position == ((5, 7) if moved else (8, 5))
    assert ("grabbed" in table.effects("tam")) is moved


@pytest.mark.parametrize(("said", "hurt"), [("failed", 8), ("made", 4)])
def test_a_save_at_a_dc_that_nobody_knows_is_said_not_rolled(said: str, hurt: int) -> None:
    breath = Feature("breath", "Breath", "action", save="dex", damage="2d6 fire", half=True)
    table = Table(creature("drake", features=(breath,)), "tam", roster=[RosterEntry("drake", "drake")])
    table.start(drake=20, tam=10)
    table.dice(4, 4)
    table.does(UseFeature("drake", "breath", targets=("tam",)))
    (asked,) = table.prompt.asks
    assert (asked.kind, asked.who, [one.id for one in asked.options]) == ("choice", "tam", ["made", "failed"])
    table.answers(tam=said)
    assert table.one("tam").hp == 20 - hurt
    assert table.happened(Rolled)[0].passed is (said == "made")
    assert table.happened(FeatureUsed)[-1].dc == 0


def test_a_legendary_action_too() -> None:
    tail = Feature("tail", "Tail", "legendary", save="dex", damage="1d6 bludgeoning")
    table = Table("t", creature("dragon", legendary=3, features=(tail,)), foes=("dragon",))
    table.start(t=20, dragon=10)
    table.ends_turn()
    table.chooses("tail")
    table.dice(6)
    table.chooses("t")
    assert table.prompt.asks[0].kind == "choice"
    table.answers(t="failed")
    assert table.one("t").hp == 14


@pytest.mark.rule("a5e.control.attack.already-save")
def test_a_group_keeps_a_save_whose_dc_nobody_knows() -> None:
    howl = Feature("howl", "Howl", "action", save="con", damage="1d4 psychic")
    roster = [RosterEntry("p", "p"), RosterEntry("wolf", "wolf", count=2, controller="p", group=True)]
    table = Table(creature("p"), creature("wolf", features=(howl,)), "t", roster=roster, foes=("t",))
    table.start(p=20, t=10)
    pack = tuple(one.id for one in table.encounter.all(Combatant) if one.creature == "wolf")
    table.does(CommandFollowers("p", pack, "attack", "t"))
    table.does(GroupAttack(pack, "t", "howl"))
    assert (table.prompt.asks[0].kind, table.prompt.asks[0].detail) == ("choice", "<save.con>")


# Pushes --------------------------------------------------------------------------------------------------------


def test_who_fails_against_a_wave_is_moved_on_the_map() -> None:
    table = duel(WAVE)
    table.dice(1, 5)
    table.does(UseFeature("ann", "wave", targets=("t",)))
    (pushed,) = table.happened(Pushed)
    assert (pushed.who, pushed.feet) == ("t", 10)
    squares = {option.id for option in table.prompt.asks[0].options}
    assert {"8,5", "8,7", "8,3"} <= squares
    assert not squares & {"4,5", "4,3", "5,3"}  # only away from who pushes
    table.answers(square="8,5")
    assert (table.one("t").position, table.happened(ForceMoved)[-1].how) == ((8, 5), "forced")


def test_who_saves_stays_where_they_are() -> None:
    table = duel(WAVE)
    table.dice(20, 5)
    table.does(UseFeature("ann", "wave", targets=("t",)))
    assert (table.happened(Pushed), table.prompts) == ([], [])


@pytest.mark.parametrize("save", ["", "str"])
def test_a_blow_that_pushes_moves_its_target(save: str) -> None:
    ram = Feature("ram", "Ram", "action", attack=5, reach=5, damage="1d4 bludgeoning", push=5, save=save, dc=30)
    table = duel(ram)
    table.dice(18, 2, 1) if save else table.dice(18, 2)
    table.does(Attack("ann", "t", "ram"))
    table.answers(square="7,5")
    assert table.one("t").position == (7, 5)
    assert not [*table.prompts]


@pytest.mark.rule("a5e.external.basic-maneuvers")
def test_a_shove_moves_its_target() -> None:
    table = duel(scene=Scene(strictness="warn"))
    table.does(TakeAction("ann", "basic-maneuver", targets=("t",), choice="shove"))
    while table.prompt.title != "prompt.maneuver":
        table.skips()
    table.answers(t="pushed")
    (pushed,) = table.happened(Pushed)
    assert table.prompt.title == "prompt.force_pushed"
    table.answers(square="7,5")
    assert (pushed.feet, table.one("t").position) == (5, (7, 5))


def test_without_a_map_a_push_is_only_told() -> None:
    table = Table(creature("ann", features=(WAVE,)), "t", foes=("t",))
    table.start(ann=20, t=10)
    table.dice(1, 5)
    table.does(UseFeature("ann", "wave", targets=("t",)))
    assert ([one.feet for one in table.happened(Pushed)], table.prompts) == ([10], [])


BITE = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1 piercing")
VENOM = Feature(
    "venom",
    "Venom",
    save="con",
    dc=20,
    trigger="hits",
    when="with:bite",
    stages=(
        AfflictionStage("1d6 poison", (InflictedCondition("clumsy", "turn-end", value=1),)),
        AfflictionStage("2d6 poison", (InflictedCondition("clumsy", "turn-end", value=2),)),
    ),
    stage_rounds=6,
)


def bitten(*faces: int) -> Table:
    """Ann, bitten by a snake, with these faces of the dice for her save and what it brings."""
    table = Table(
        creature("snake", features=(BITE, VENOM)),
        creature("ann", hp=100, saves=(("con", 10),)),
        rules=RuleSystems().get("pf2e"),
        scene=Scene(system="pf2e", strictness="warn"),
    )
    table.start(snake=20, ann=10)
    table.dice(10, *faces)
    table.does(Attack("snake", "ann", "bite"))
    return table


def stage(table: Table) -> int:
    return next((one.value for one in table.encounter.of(Effect, "ann") if one.name == "affliction"), 0)


def clumsy(table: Table) -> int:
    return next((one.value for one in table.encounter.of(Effect, "ann") if one.name == "clumsy"), 0)


def lost(table: Table) -> int:
    return 100 - table.encounter.need(Combatant, "ann").hp


@pytest.mark.parametrize(
    ("faces", "reached", "points"),
    [((5, 4), 1, 1 + 4), ((2, 4, 3), 1, 1 + 4), ((1, 4, 3), 2, 1 + 7), ((12,), 0, 1)],
    ids=["failure", "failure by less than ten", "critical failure", "success"],
)
def test_a_failed_save_brings_the_first_stage_and_a_critical_failure_the_second(
    faces: Sequence[int], reached: int, points: int
) -> None:
    table = bitten(*faces)
    assert (stage(table), clumsy(table), lost(table)) == (reached, reached, points)


@pytest.mark.parametrize(
    ("faces", "reached", "points"),
    [((5, 4, 3), 2, 7), ((12,), 0, 0), ((20,), 0, 0)],
    ids=["failure", "success", "critical success"],
)
def test_a_save_as_a_turn_ends_moves_it_by_its_degree(faces: Sequence[int], reached: int, points: int) -> None:
    table = bitten(5, 4)
    before = table.encounter
    table.ends_turn(1)
    table.dice(*faces)
    table.ends_turn(1)
    assert (stage(table), clumsy(table), lost(table)) == (reached, reached, 5 + points)
    while table.encounter != before:
        table.session.undo()
    assert stage(table) == 1


def test_the_save_against_a_hit_brings_the_first_stage_too() -> None:
    stung = replace(VENOM, id="sting", name="Sting", cost="action", attack=5, reach=5, trigger="", when="")
    table = Table(creature("snake", features=(stung,)), creature("ann", hp=100), rules=RuleSystems().get("dnd5e"))
    table.start(snake=20, ann=10)
    table.dice(10, 5, 4)
    table.does(Attack("snake", "ann", "sting"))
    assert stage(table) == 1


@pytest.mark.parametrize("name", ["dying", "doomed"])
@pytest.mark.parametrize(("value", "is_dead"), [(3, False), (4, True)])
def test_a_stage_with_a_deadly_value_of_dying_or_doomed_kills(name: str, value: int, *, is_dead: bool) -> None:
    deadly = replace(VENOM, stages=(AfflictionStage(afflictions=(InflictedCondition(name, value=value),)),))
    table = Table(creature("snake", features=(BITE, deadly)), creature("ann", hp=100), rules=RuleSystems().get("pf2e"))
    table.start(snake=20, ann=10)
    table.dice(10, 5)
    table.does(Attack("snake", "ann", "bite"))
    assert table.one("ann").dead is is_dead


def test_the_last_stage_stays_the_last() -> None:
    table = bitten(1, 4, 3)
    table.ends_turn(1)
    table.dice(5, 1, 1)
    table.ends_turn(1)
    assert (stage(table), lost(table)) == (2, 8 + 2)


def test_another_bite_brings_it_a_stage_further() -> None:
    table = bitten(5, 4)
    table.ends_turn(1)
    table.dice(5, 1, 1)
    table.ends_turn(1)
    table.dice(10, 5, 1, 1)
    table.does(Attack("snake", "ann", "bite"))
    assert stage(table) == 2


def test_it_is_over_after_as_many_rounds_as_it_lasts_at_most() -> None:
    table = bitten(1, 1, 1)
    for _ in range(6):
        table.ends_turn(1)
        table.dice(5, 1, 1)
        table.ends_turn(1)
    assert stage(table) == 0


def test_an_affliction_is_told_once_when_it_begins_and_not_as_a_use_at_each_stage() -> None:
    table = bitten(5, 4)
    assert [(event.feature, event.save) for event in table.happened(FeatureUsed)] == [("Venom", "con")]
    table.ends_turn(1)
    table.dice(5, 4, 3)
    table.ends_turn(1)
    assert len(table.happened(FeatureUsed)) == 1


@pytest.mark.parametrize(("kind", "asked"), [("humanoid", True), ("beast", False)])
def test_a_hit_asks_for_no_save_from_a_target_that_its_effects_do_not_concern(kind: str, asked: bool) -> None:
    cursed = (InflictedCondition("cursed", when="type:humanoid"), InflictedCondition("prone", bound_to="cursed"))
    bite = Feature(
        "bite", "Bite", "action", attack=9, reach=5, damage="1 piercing", save="con", dc=13, afflictions=cursed
    )
    table = Field(creature("ann", features=(bite,)), creature("t", hp=90, type=kind), foes=("t",))
    table.puts(ann=(5, 5), t=(6, 5))
    table.dice(18, 2) if asked else table.dice(18)
    table.does(Attack("ann", "t", "bite"))
    assert {one.name for one in table.encounter.of(Effect, "t")} == ({"cursed", "prone"} if asked else set())
    assert [one.purpose for one in table.happened(Rolled) if one.purpose == "ask.save"] == ["ask.save"] * asked
    assert [one.who for one in table.happened(Unaffected)] == ["t"] * (not asked)


@pytest.mark.parametrize(("hp", "numbs"), [(3, True), (1, False)])
def test_prey_reduced_to_0_hit_points_by_the_venom_is_stable_and_numb(hp: int, numbs: bool) -> None:
    numb = (
        InflictedCondition("stable", when="hp:0"),
        InflictedCondition("poisoned", when="hp:0"),
        InflictedCondition("paralyzed", bound_to="poisoned"),
    )
    fields = {"damage": "1 piercing", "save": "con", "dc": 13, "save_damage": "2 poison", "afflictions": numb}
    bite = Feature("bite", "Bite", "action", attack=9, reach=5, **fields)  # type: ignore[arg-type]
    table = Table(
        creature("t", features=(bite,)), creature("ann", hp=hp), roster=(RosterEntry("ann", "ann", player="A"),)
    )
    table.start(t=12, ann=5)
    table.dice(18, 2)
    table.does(Attack("t", "ann", "bite"))
    while table.prompts:
        table.chooses(*(table.prompt.asks[0].suggested or ("usual",)))
    held = {one.name for one in table.encounter.of(Effect, "ann")} & {"stable", "poisoned", "paralyzed"}
    assert held == ({"stable", "poisoned", "paralyzed"} if numbs else set())


def test_a_hit_does_not_stabilise_prey_that_was_down_before() -> None:
    calms = (InflictedCondition("stable", when="hp:0"),)
    bite = Feature("bite", "Bite", "action", attack=9, reach=5, damage="1 piercing", afflictions=calms)
    table = Table(
        creature("t", features=(bite,)), creature("ann", hp=1), roster=(RosterEntry("ann", "ann", player="A"),)
    )
    table.start(t=12, ann=5)
    for stable in (True, False):
        table.dice(18, 18)
        table.does(Attack("t", "ann", "bite"), anyway=True)
        while table.prompts:
            table.chooses(*(table.prompt.asks[0].suggested or ("usual",)))
        assert ("stable" in {one.name for one in table.encounter.of(Effect, "ann")}) is stable


def test_a_hit_pulls_and_then_the_holder_needs_no_roll() -> None:
    sure = (DataRule("hit", "attack", when="with:tail, holds"),)
    held = (InflictedCondition("grappled"),)
    tail = Feature("tail", "Tail", "action", attack=9, reach=10, damage="1", push=-5, rules=sure, afflictions=held)
    table = Field(creature("t", features=(tail,)), creature("ann", hp=30), foes=("t",))
    table.puts(ann=(5, 5), t=(7, 5))
    table.dice(18)
    table.does(Attack("t", "ann", "tail"))
    assert [(one.feet, one.how) for one in table.happened(Pushed)] == [(5, "pulled")]
    table.chooses("6,5")
    assert table.encounter.need(Combatant, "ann").position == (6, 5)
    table.ends_turn(2)
    table.does(Attack("t", "ann", "tail"))
    assert table.encounter.need(Combatant, "ann").hp == 28


@pytest.mark.parametrize(("roll", "ends"), [(15, True), (14, False)])
@pytest.mark.parametrize("active", ["bo", "ann"])
def test_a_save_can_end_the_turn_of_the_target_that_makes_it(roll: int, ends: bool, active: str) -> None:
    stop = Feature("stop", "Stop", "free", save="wis", dc=15, range="60", properties=("ends-turn",))
    table = Table(creature("ann", features=(stop,)), "bo", foes=("bo",))
    table.start(**{active: 20, "ann" if active == "bo" else "bo": 10})
    table.does(UseFeature("ann", "stop", targets=("bo",)))
    table.answers(bo=str(roll))
    assert (table.active != active) is (ends and active == "bo")


@pytest.mark.parametrize(("cause", "works"), [("ann", True), ("cat", False), ("", True)])
def test_only_creatures_that_the_user_itself_has_charmed_can_be_chosen(cause: str, works: bool) -> None:
    drain = Feature("drain", "Drain", "action", damage="5 psychic", when="target.has-from-other:charmed", targets=1)
    table = Table(creature("ann", features=(drain,)), "bo", "cat", foes=("bo",))
    table.start(ann=20, bo=10, cat=5)
    table.does(ApplyCondition(("bo",), "charmed", by=cause))
    use = UseFeature("ann", "drain", targets=("bo",))
    if works:
        table.does(use)
        assert table.one("bo").hp == 15
    else:
        table.refuses(use)
