"""Actions, movement, mounts and spells of a turn by the rules of 2024."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.attack_table import edges
from tests.systems.dnd5e.fights import STRONG, SWORD
from tests.systems.dnd5e_2024.newer import NewFight, duel
from tests.table import creature, dnd5e_2024
from turnwright.encounter.prepared import Creature, Feature, Map, Scene
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.play.actions.action import ActionDisallowed, TakeAction
from turnwright.play.actions.contest import SearchResolved
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.movement.forced_movement import DropProne, ForceMove
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.state.events import Rolled
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.checks.ability_checks import check_roll

EXTERNAL = "dnd5e-2024.external."
PLAIN = Map(columns=12, rows=12)
ACTIONS = {action.id: action for action in dnd5e_2024().data.actions}
ORC = creature("orc", features=(SWORD,), hp=30)


# Actions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    EXTERNAL + "magic_action", EXTERNAL + "utilize_row", EXTERNAL + "stabilize_row", EXTERNAL + "attack_equips"
)
def test_actions_have_the_names_of_2024() -> None:
    names = {id: ACTIONS[id].name for id in ("cast-spell", "use-object", "stabilize", "influence", "study")}
    assert names == {
        "cast-spell": "Magic",
        "use-object": "Utilize",
        "stabilize": "Help: First Aid",
        "influence": "Influence",
        "study": "Study",
    }
    trial = ACTIONS["stabilize"].trial
    assert trial is not None
    assert (trial.dc, trial.rolls) == (10, ("check.wis:medicine",))
    assert "drawn or stowed with each attack" in ACTIONS["attack"].text


@pytest.mark.rule(EXTERNAL + "help_row", EXTERNAL + "help_effect")
def test_help_takes_a_proficiency_and_gives_advantage_once() -> None:
    table = NewFight("ann", "bob", "orc", foes=("orc",), field=None)
    table.does(TakeAction("ann", "help-aid", "pick the lock", targets=("bob",), choice="refused"))
    assert (len(table.happened(ActionDisallowed)), table.effects("bob")) == (1, set())
    table = NewFight("ann", "bob", "orc", foes=("orc",), field=None)
    table.does(TakeAction("ann", "help-aid", "pick the lock", targets=("bob",), choice="proficient"))
    roll = check_roll(table.encounter, table.rules, "bob", "dex", ("task:pick the lock",))
    assert edges(roll) == [("advantage", EXTERNAL + "help_effect")]
    assert table.left("ann")["action"] == 0


@pytest.mark.rule(EXTERNAL + "hide_row", EXTERNAL + "hide_effect")
@pytest.mark.parametrize(("face", "hidden"), [(11, False), (12, True)])
def test_hiding_takes_a_stealth_check_of_15(face: int, hidden: bool) -> None:
    table = duel(skills=(("stealth", 3),))
    table.dice(face)
    table.does(TakeAction("ann", "hide", choice="allowed"))
    assert ("hidden" in table.effects("ann")) is hidden
    assert [(one.dc, one.passed) for one in table.happened(Rolled)] == [(15, hidden)]


@pytest.mark.rule(EXTERNAL + "hide_effect")
def test_the_hidden_are_found_by_their_total_or_by_their_attack() -> None:
    table = duel(skills=(("stealth", 3),))
    table.dice(16)
    table.does(TakeAction("ann", "hide", choice="allowed"))
    for face, found in ((18, False), (19, True)):
        table.ends_turn()
        table.dice(face)
        table.does(TakeAction("orc", "search", choice="perception"))
        assert table.happened(SearchResolved)[-1].found is found
        table.ends_turn()
    assert "hidden" not in table.effects("ann")
    table.does(ApplyCondition(("ann",), "hidden"))
    assert [kind for kind, _ in table.edges("ann", "orc", "longsword")] == ["advantage"]
    table.strikes("ann", "orc", "longsword", 3, 4)
    assert "hidden" not in table.effects("ann")


@pytest.mark.rule(EXTERNAL + "hide_effect")
def test_a_spell_gives_the_hidden_away_and_a_dash_does_not() -> None:
    table = duel(CANTRIP)
    table.does(ApplyCondition(("ann",), "hidden"))
    table.does(TakeAction("ann", "dash"))
    assert "hidden" in table.effects("ann")
    table.ends_turn(2)
    table.dice(15)
    table.does(UseFeature("ann", "mote", targets=("orc",)))
    assert "hidden" not in table.effects("ann")


@pytest.mark.rule(EXTERNAL + "search_row", EXTERNAL + "search_checks")
def test_a_search_is_one_of_four_wisdom_checks() -> None:
    table = duel()
    table.does(TakeAction("ann", "search"))
    (asked,) = table.prompt.asks
    offered = [option.id for option in asked.options]
    assert len(offered) == 4
    assert all(each.startswith("check.wis:") for each in offered)


@pytest.mark.rule(EXTERNAL + "study")
def test_study_is_one_of_five_intelligence_checks() -> None:
    table = duel()
    table.does(TakeAction("ann", "study"))
    (asked,) = table.prompt.asks
    assert [option.id for option in asked.options] == [
        f"check.int:{skill}" for skill in ("arcana", "history", "investigation", "nature", "religion")
    ]


@pytest.mark.rule(EXTERNAL + "influence")
@pytest.mark.parametrize(("score", "face", "dc"), [(7, 14, 15), (7, 15, 15), (17, 16, 17), (17, 17, 17)])
def test_influence_is_against_15_or_the_intelligence_score(score: int, face: int, dc: int) -> None:
    table = duel(abilities=(), orc={"abilities": (("int", score),)})
    table.dice(face)
    table.does(TakeAction("ann", "influence", targets=("orc",), choice="persuasion"))
    (rolled,) = table.happened(Rolled)
    assert (rolled.dc, rolled.passed, rolled.detail) == (dc, face >= dc, "<check.cha:persuasion>")


@pytest.mark.rule(EXTERNAL + "potion")
def test_a_potion_takes_a_bonus_action() -> None:
    table = duel()
    table.does(TakeAction("ann", "drink-potion"))
    left = table.left("ann")
    assert (left["action"], left["bonus"]) == (1, 0)


@pytest.mark.rule(EXTERNAL + "split_move_attack")
def test_a_move_may_be_split_between_the_attacks_of_an_action() -> None:
    table = duel(SWORD, attacks=2)
    table.strikes("ann", "orc", "longsword", 3)
    table.does(MovePath("ann", ((1, 2), (2, 2))))
    table.strikes("ann", "orc", "longsword", 3)
    assert (table.left("ann")["action"], table.feet("ann")) == (0, 20)


# Movement -------------------------------------------------------------------------------------------------------


def walk(*people: str | Creature, **squares: tuple[int, ...]) -> NewFight:
    """Ann's turn on a plain, with an orc far away unless squares say otherwise."""
    ann = next((one for one in people if isinstance(one, Creature) and one.id == "ann"), creature("ann"))
    others = [one for one in people if not (isinstance(one, Creature) and one.id in ("ann", "orc"))]
    orc = next((one for one in people if isinstance(one, Creature) and one.id == "orc"), ORC)
    table = NewFight(ann, *others, orc, foes=("orc",), field=PLAIN)
    return table.puts(**({"ann": (1, 1), "orc": (10, 10)} | squares))  # type: ignore[return-value]


@pytest.mark.rule(EXTERNAL + "occupied_difficult", EXTERNAL + "pass_allies")
@pytest.mark.parametrize(
    ("other", "marks", "spent"),
    [("ally", (), 10), ("stunned foe", ("stunned",), 15), ("tiny foe", (), 10), ("huge foe", (), 15)],
)
def test_spaces_of_allies_and_tiny_creatures_cost_nothing_extra(other: str, marks: tuple[str, ...], spent: int) -> None:
    size = other.partition(" ")[0] if other.partition(" ")[0] in ("tiny", "huge") else "medium"
    ally = other == "ally"
    table = walk("bob", bob=(2, 1)) if ally else walk(creature("orc", size=size, hp=30), orc=(2, 1))
    for mark in marks:
        table.does(ApplyCondition(("orc",), mark))
    table.does(MovePath("ann", ((2, 1), (3, 1))) if size != "huge" else MovePath("ann", ((2, 1), (2, 0))))
    assert table.track("ann", "moved") == spent if size != "huge" else table.track("ann", "moved") >= spent


@pytest.mark.rule(EXTERNAL + "pass_hostile")
@pytest.mark.parametrize(
    ("size", "marks", "passes"),
    [("medium", (), False), ("large", (), False), ("tiny", (), True), ("medium", ("stunned",), True)],
)
def test_spaces_of_enemies_open_for_the_tiny_and_the_incapacitated(
    size: str, marks: tuple[str, ...], passes: bool
) -> None:
    table = walk(creature("orc", size=size, hp=30), orc=(2, 1))
    for mark in marks:
        table.does(ApplyCondition(("orc",), mark))
    table.does(ApplyCondition(("ann",), "disengaging"))
    path = MovePath("ann", ((2, 1), (3, 1), (4, 1)))
    if passes:
        table.does(path)
        assert table.one("ann").position == (4, 1)
    else:
        refused = table.refuses(path)
        assert (refused.key, refused.rule) == ("refused.occupied", EXTERNAL + "pass_hostile")


@pytest.mark.rule(EXTERNAL + "ends_in_space")
@pytest.mark.parametrize(("size", "prone"), [("medium", True), ("large", False), ("tiny", False)])
def test_whoever_ends_a_turn_in_another_s_space_is_prone(size: str, prone: bool) -> None:
    table = walk(creature("ann", size=size), "bob", bob=(2, 1))
    table.does(ForceMove("ann", (2, 1)))
    table.does(SetTrack("ann", "moved", table.feet("ann")))
    table.does(EndTurn())
    assert ("prone" in table.effects("ann")) is prone


@pytest.mark.rule(EXTERNAL + "drop_prone")
def test_nobody_drops_prone_at_speed_0() -> None:
    table = duel()
    table.does(ApplyCondition(("ann",), "grappled"))
    refused = table.refuses(DropProne("ann"))
    assert (refused.key, refused.rule) == ("refused.speed_zero", EXTERNAL + "drop_prone")
    table = duel()
    table.does(DropProne("ann"))
    assert ("prone" in table.effects("ann"), table.feet("ann")) == (True, 30)


@pytest.mark.rule(EXTERNAL + "opportunity_own_way")
def test_only_moves_of_one_s_own_in_sight_provoke() -> None:
    table = walk(ORC, orc=(0, 1))
    table.does(MovePath("ann", ((2, 1), (3, 1))))
    assert list(table.reactors()) == ["orc"]
    for mark in ("invisible", ""):
        table = walk(ORC, orc=(0, 1))
        if mark:
            table.does(ApplyCondition(("ann",), mark))
            table.does(MovePath("ann", ((2, 1), (3, 1))))
        else:
            table.does(ForceMove("ann", (3, 1)))
        assert table.reactors() == {}


@pytest.mark.rule(EXTERNAL + "drag_cost")
def test_dragging_over_difficult_terrain_adds_the_costs() -> None:
    table = NewFight(
        "ann", ORC, foes=("orc",), field=Map(columns=12, rows=12, ground="............\n" + ",,,,,,,,,,,,\n" * 8)
    )
    table.puts(ann=(1, 1), orc=(2, 1))
    table.marks("orc", "grappled", by="ann")
    table.does(MovePath("ann", ((1, 2), (1, 3)), drags="orc"))
    assert table.track("ann", "moved") == 30


# Mounts ---------------------------------------------------------------------------------------------------------


def mounted() -> NewFight:
    """Ann in the saddle of a horse, on a later turn."""
    horse = creature("horse", size="large", type="beast", hp=30, tags=("intelligent",))
    table = NewFight("ann", horse, ORC, foes=("orc",), field=PLAIN).puts(ann=(3, 4), horse=(4, 4), orc=(11, 11))
    table.does(MountOrDismount("ann", "horse"))
    table.answers(weight=("willing",), control=("controlled-mount",))
    return table  # type: ignore[return-value]


@pytest.mark.rule(EXTERNAL + "mount_prone", EXTERNAL + "mount_forced_move")
@pytest.mark.parametrize(("face", "stays"), [(10, True), (9, False)])
@pytest.mark.parametrize("cause", ["prone", "moved"])
def test_a_rider_saves_when_the_mount_falls_or_is_moved(cause: str, face: int, stays: bool) -> None:
    table = mounted()
    table.dice(face)
    table.does(ApplyCondition(("horse",), "prone") if cause == "prone" else ForceMove("horse", (7, 4)))
    (saved,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    rule = EXTERNAL + ("mount_prone" if cause == "prone" else "mount_forced_move")
    assert (saved.who, saved.dc, saved.passed, saved.rule) == ("ann", 10, stays, rule)
    if not stays:
        table.chooses(table.prompt.asks[0].options[0].id)
    assert (table.one("ann").rides, "prone" in table.effects("ann")) == ("horse" if stays else "", not stays)
    assert table.left("ann")["reaction"] == 1


# Spells ---------------------------------------------------------------------------------------------------------

WARD = Feature(
    "ward", "Ward", "action", level=1, properties=("spell",), save="dex", dc=13, damage="1d6 fire", half=True
)
QUICK = Feature("spark", "Spark", "bonus", level=1, properties=("spell",), save="dex", dc=13, damage="1d4 fire")
CANTRIP = Feature("mote", "Mote", "action", level=0, properties=("spell",), save="dex", dc=13, damage="1d4 fire")


@pytest.mark.rule(EXTERNAL + "one_slot", EXTERNAL + "magic_casting_time")
def test_a_turn_has_one_spell_slot() -> None:
    table = duel(WARD, QUICK, CANTRIP, slots=(("1", 3),))
    table.dice(15, 2)
    table.does(UseFeature("ann", "spark", targets=("orc",)))
    assert (table.left("ann")["action"], table.left("ann")["bonus"]) == (1, 0)
    refused = table.refuses(UseFeature("ann", "ward", targets=("orc",)))
    assert (refused.key, refused.rule) == ("refused.slot_spent", EXTERNAL + "one_slot")
    table.dice(15, 2)
    table.does(UseFeature("ann", "mote", targets=("orc",)))
    table.ends_turn(2)
    table.dice(15, 2)
    table.does(UseFeature("ann", "ward", targets=("orc",)))
    assert table.track("ann", "slots.1") == 1
    scroll = msgspec.structs.replace(QUICK, id="scroll", name="Scroll", level=None)
    table.dice(15, 2)
    table.does(UseFeature("ann", "scroll", given=scroll, targets=("orc",)))  # on the same turn, without a slot
    assert table.left("ann")["bonus"] == 0


@pytest.mark.rule(EXTERNAL + "concentration")
@pytest.mark.parametrize(("damage", "dc"), [(10, 10), (50, 25), (80, 30)])
def test_the_dc_of_concentration_is_at_most_30(damage: int, dc: int) -> None:
    table = duel(WARD, hp=200, slots=(("1", 1),))
    table.marks("ann", "concentrating")
    table.does(ApplyDamage(("ann",), str(damage)))
    (asked,) = table.prompt.asks
    assert (asked.who, asked.dc, asked.rule) == ("ann", dc, EXTERNAL + "concentration")


@pytest.mark.rule(EXTERNAL + "spellcasting")
def test_spells_have_the_numbers_of_2024() -> None:
    spells = {spell.id: spell for spell in dnd5e_2024().data.spells}
    assert (spells["cure-wounds"].name, spells["cure-wounds"].heals) == ("Cure Wounds", "2d8")
    assert not [id for id in spells if id.endswith("-2024")]


# Saves ----------------------------------------------------------------------------------------------------------


def saved(table: NewFight, *faces: int) -> Ask:
    """The save that a feature of Ann's asks of the orc."""
    table.dice(*faces)
    table.does(UseFeature("ann", "ward", targets=("orc",)))
    return table.prompt.asks[0]


@pytest.mark.rule(EXTERNAL + "fail_save")
def test_a_save_may_fail_without_a_roll() -> None:
    table = duel(WARD, slots=(("1", 1),))
    asked = saved(table)
    assert (asked.who, asked.kind) == ("orc", "roll")
    table.answers(**{asked.id: "0"})
    (rolled,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (rolled.passed, rolled.roll.dice) == (False, ())


@pytest.mark.rule(EXTERNAL + "half_only")
@pytest.mark.parametrize(("face", "lost", "poisoned"), [(13, 4, False), (12, 8, True)])
def test_half_damage_after_a_save_has_no_other_effect(face: int, lost: int, poisoned: bool) -> None:
    from turnwright.encounter.prepared import InflictedCondition

    gas = Feature(
        "ward",
        "Gas",
        "action",
        save="dex",
        dc=13,
        damage="8 poison",
        half=True,
        afflictions=(InflictedCondition("poisoned"),),
    )
    table = duel(gas)
    table.dice(face)
    table.does(UseFeature("ann", "ward", targets=("orc",)))
    assert (table.lost("orc"), "poisoned" in table.effects("orc")) == (lost, poisoned)


@pytest.mark.rule(EXTERNAL + "one_roll_for_saves")
def test_many_targets_of_a_save_share_one_roll_of_damage() -> None:
    blast = Feature("blast", "Blast", "action", save="dex", dc=13, damage="3d6 fire", half=True, area="20-foot radius")
    ann = creature("ann", features=(blast,))
    table = NewFight(ann, creature("orc", hp=40), creature("ogre", hp=40), foes=("orc", "ogre"), field=None)
    table.dice(2, 2, 3, 4, 5)
    table.does(UseFeature("ann", "blast", targets=("orc", "ogre")))
    assert (table.lost("orc"), table.lost("ogre")) == (12, 12)
    assert len([one for one in table.happened(Rolled) if one.purpose == "ask.damage"]) == 1


@pytest.mark.rule(EXTERNAL + "heroic_inspiration")
def test_inspiration_rolls_again_and_the_second_roll_counts() -> None:
    hero = creature("ann", tags=("player character",), features=(SWORD,), abilities=STRONG)
    table = NewFight(hero, ORC, foes=("orc",), field=None, scene=Scene(strictness="enforce"))
    table.does(SetTrack("ann", "inspiration", 1))
    table.does(ApplyCondition(("ann",), "concentrating"))
    table.dice(6, 4)
    table.does(ApplyDamage(("ann",), "4"))
    table.chooses("succeeds")
    (rolled,) = table.happened(Rolled)
    assert (rolled.roll.total, rolled.dc, table.track("ann", "inspiration")) == (4, 10, 0)
    assert "concentrating" not in table.effects("ann")
