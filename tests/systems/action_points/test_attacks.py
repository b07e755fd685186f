"""Attacks and what they do: what they cost, who says whether they hit, where everybody stands, and damage by its type."""

from __future__ import annotations

import msgspec
import pytest

from tests.systems.action_points.fights import BOW, FLOOR, ON_A_D10, SWORD, Fight, duel, person
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Feature, Obstacle, Scene
from turnwright.encounter.running import Combatant
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import Attack, available_attacks
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.state.events import ActionTaken, DamageTaken, Healed
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.rules.parts.checks.ability_checks import armor_class, save_roll

LOBBED = Feature("pot", "Fire pot", "action", range="40", damage="6 fire", properties=("no-sight",), price=2)
UNDER_WATER = Scene(strictness="enforce", suspended=("water",))
NINE = ["blunt", "cold", "decay", "fire", "force", "lightning", "psychic", "sacred", "sharp"]


# What they cost, and whether they hit ------------------------------------------------------------------------------


@pytest.mark.rule("ap.action.attack.cost", "ap.action.attack.row")
def test_an_attack_takes_what_its_weapon_says() -> None:
    table = duel(ap=4)
    for left in (2, 0):
        table.does(Attack("bob", "orc", "sword"))
        table.answers(roll="miss")
        assert table.points("bob")[0] == left
    table.answers(over="linger")
    refused = table.refuses(Attack("bob", "orc", "sword"))
    assert (refused.key, refused.rule) == ("refused.too_few_left", "ap.turn.spend_action_points")


@pytest.mark.rule("ap.action.attack.cost")
def test_an_attack_may_take_willpower_too() -> None:
    special = msgspec.structs.replace(SWORD, spends=(("willpower", 1),))
    assert duel(special, wp=0).refuses(Attack("bob", "orc", "sword")).rule == "ap.external.willpower_points"
    table = duel(special, wp=2)
    table.does(Attack("bob", "orc", "sword"))
    assert (table.points("bob")[0], table.track("bob", "willpower")) == (4, 1)


@pytest.mark.rule("ap.external.weapons_and_items")
def test_a_weapon_without_a_price_is_asked_about() -> None:
    table = duel(msgspec.structs.replace(SWORD, price=0), ap=4)
    table.does(Attack("bob", "orc", "sword"))
    assert [one.rule for one in table.prompt.asks] == ["ap.external.weapons_and_items"]
    assert table.points("bob")[0] == 4
    table.answers(points=2)
    assert table.points("bob")[0] == 2
    table.answers(roll="miss")


@pytest.mark.rule("ap.action.attack.equipped_only")
def test_only_what_the_sheet_has_in_hand_is_listed() -> None:
    table = duel(msgspec.structs.replace(BOW, properties=("weapon", "stowed")), SWORD)
    assert [one.weapon.id for one in available_attacks(table.encounter, table.rules, "bob")] == ["sword"]
    refused = table.refuses(Attack("bob", "orc", "bow"))
    assert (refused.key, refused.rule) == ("refused.stowed", "ap.action.attack.equipped_only")
    table.does(Attack("bob", "orc"))
    table.answers(roll="miss")
    assert (table.last.weapon, table.points("bob")[0]) == ("Sword", 4)
    table.does(TakeAction("bob", "swap-weapons", note="the sword for the bow"))
    table.does(Edit(person("bob", features=(BOW,))))
    table.does(Attack("bob", "orc", "bow"))
    assert table.points("bob")[0] == 0


@pytest.mark.rule("ap.external.attack_rolls")
def test_a_person_says_whether_an_attack_hits() -> None:
    table = duel(orc={"ac": 30})
    table.dice(7)
    table.does(Attack("bob", "orc", "sword"))
    (asked,) = table.prompt.asks
    assert ([one.id for one in asked.options], asked.dc, asked.rule) == (["hit", "miss"], 0, "ap.external.attack_rolls")
    table.dice(6)
    table.answers(roll="hit")
    assert (table.lost("orc"), table.last.outcome, table.last.ac) == (6, "hit", None)
    table.does(ApplyDamage(("orc",), "7 sharp"))
    assert table.lost("orc") == 13


@pytest.mark.rule("ap.external.attack_rolls")
def test_a_die_that_the_table_has_chosen_settles_nothing_by_itself() -> None:
    table = duel(scene=ON_A_D10)
    table.dice(1)
    table.does(Attack("bob", "orc", "sword"))
    assert [(one.id, one.detail) for one in table.prompt.asks] == [("outcome", "Sword, 1")]
    table.dice(4)
    table.answers(outcome="hit")
    assert (table.lost("orc"), table.last.roll.total) == (4, 1)


@pytest.mark.rule("ap.external.saving_throws")
def test_a_person_says_whether_a_save_is_made() -> None:
    table = duel()
    spec = save_roll(table.encounter, table.rules, "bob", "agi")
    assert (spec.dice, spec.fails) == ("", "")
    on_a_die = duel(scene=ON_A_D10)
    assert save_roll(on_a_die.encounter, on_a_die.rules, "bob", "agi").dice == "1d10"


# Where they stand ------------------------------------------------------------------------------------------------


def shots(archer: int, target: int) -> Fight:
    """Bob with a bow and an orc, at two heights."""
    table = Fight(person("bob", features=(SWORD, BOW)), person("orc"), foes=("orc",), field=FLOOR)
    return table.puts(bob=(1, 1, archer), orc=(6, 1, target))


@pytest.mark.rule("ap.height.ranged_advantage")
def test_shots_from_two_metres_above_have_advantage() -> None:
    assert shots(5, 3).edges("bob", "orc", "bow") == [("advantage", "ap.height.ranged_advantage")]
    assert shots(5, 4).edges("bob", "orc", "bow") == []
    assert shots(5, 3).edges("bob", "orc", "sword") == []


@pytest.mark.rule("ap.flanking.melee_advantage")
def test_an_ally_right_across_gives_advantage_in_melee() -> None:
    bob, emily = person("bob", features=(SWORD, BOW)), person("emily", features=(SWORD,))
    table = Fight(bob, emily, "orc", foes=("orc",)).puts(bob=(1, 1), orc=(2, 1), emily=(3, 1))
    assert table.edges("bob", "orc", "sword") == [("advantage", "ap.flanking.melee_advantage")]
    assert table.edges("bob", "orc", "bow") == []
    assert table.puts(emily=(2, 0)).edges("bob", "orc", "sword") == []


@pytest.mark.rule("ap.external.melee_range")
def test_one_square_is_in_melee() -> None:
    table = duel(reach=0)  # as everybody's
    assert not table.preview("bob", "orc", "sword").vetoes
    table.puts(orc=(3, 1))
    assert [one.rule for one in table.preview("bob", "orc", "sword").vetoes] == ["ap.external.melee_range"]
    table.does(SetRelation("bob", "orc", reached=True))
    assert not table.preview("bob", "orc", "sword").vetoes


@pytest.mark.rule("ap.cover.take")
def test_cover_is_none_half_or_full() -> None:
    cover = duel().rules.data.cover
    assert [one.name for one in cover] == ["No cover", "Half cover", "Full cover"]
    table = shots(0, 0)
    table.does(SetRelation("bob", "orc", cover="half"))
    assert table.edges("bob", "orc", "bow") == [("disadvantage", "ap.cover.half")]
    table.does(SetRelation("bob", "orc", cover="none"))
    assert table.edges("bob", "orc", "bow") == []


@pytest.mark.rule("ap.cover.half")
def test_half_cover_hampers_shots_and_nothing_else() -> None:
    table = shots(0, 0)
    before = armor_class(table.encounter, table.rules, "orc").total
    assert table.edges("bob", "orc", "bow", facts=("cover:half",)) == [("disadvantage", "ap.cover.half")]
    assert table.edges("bob", "orc", "sword", facts=("cover:half",)) == []
    assert armor_class(table.encounter, table.rules, "orc").total == before
    low = msgspec.structs.replace(FLOOR, obstacles=(Obstacle("wall", "Low wall", (5, 1), (1, 1), "half", height=2),))
    behind = Fight(person("bob", features=(BOW,)), person("orc"), foes=("orc",), field=low).puts(bob=(1, 1), orc=(6, 1))
    assert behind.edges("bob", "orc", "bow") == [("disadvantage", "ap.cover.half")]


@pytest.mark.rule("ap.cover.full")
def test_full_cover_keeps_off_shots_that_need_sight() -> None:
    bob = person("bob", features=(SWORD, BOW, LOBBED))
    table = Fight(bob, "orc", foes=("orc",), field=FLOOR).puts(bob=(1, 1), orc=(2, 1))
    for means, rules in (("bow", ["ap.cover.full"]), ("pot", []), ("sword", [])):
        said = table.preview("bob", "orc", means, facts=("cover:total",))
        assert [one.rule for one in said.vetoes] == rules
    table.does(SetRelation("bob", "orc", cover="total"))
    assert [one.rule for one in table.preview("bob", "orc", "bow").vetoes] == ["ap.cover.full"]
    assert not table.preview("bob", "orc", "pot").vetoes


@pytest.mark.rule("ap.underwater.disadvantage")
def test_whoever_has_no_swim_speed_fights_worse_under_water() -> None:
    table = duel(scene=UNDER_WATER)
    assert table.edges("bob", "orc", "sword") == [("disadvantage", "ap.underwater.disadvantage")]
    swimmer = duel(scene=UNDER_WATER, speeds=(("walk", 4), ("swim", 6)))
    assert swimmer.edges("bob", "orc", "sword") == []


@pytest.mark.rule("ap.underwater.nonmagical_fire")
def test_fire_without_magic_does_nothing_under_water() -> None:
    for mundane, lost in ((True, 0), (False, 10)):
        table = duel(scene=UNDER_WATER)
        table.does(ApplyDamage(("orc",), "10 fire", mundane=mundane))
        assert table.lost("orc") == lost
    table = duel()
    table.does(ApplyDamage(("orc",), "10 fire", mundane=True))
    assert table.lost("orc") == 10


def test_a_scene_may_hamper_one_attack_by_the_dms_word() -> None:
    table = shots(0, 0)
    assert table.edges("bob", "orc", "bow", facts=("disadvantage",)) == [("disadvantage", "ap.external.advantage")]
    table.does(TakeAction("bob", "interact", note="jumps on the ice", points=2))
    assert table.points("bob")[0] == 4


# Damage by its type ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.rule(f"ap.damage.type.{kind}"), id=kind) for kind in NINE]
)
def test_each_of_the_nine_types_can_be_resisted(kind: str) -> None:
    table = duel(orc={"resistances": (kind,)})
    assert sorted(one.id for one in table.rules.data.damage_types) == NINE
    table.does(ApplyDamage(("orc",), f"10 {kind}"))
    assert table.lost("orc") == 5


@pytest.mark.rule("ap.damage.weakness", "ap.damage.resistance", "ap.damage.immunity")
@pytest.mark.parametrize(
    ("fields", "damage", "lost", "rule"),
    [
        ({"vulnerabilities": ("cold",)}, "7 cold", 14, "ap.damage.weakness"),
        ({"resistances": ("sharp",)}, "12 sharp", 6, "ap.damage.resistance"),
        ({"immunities": ("decay",)}, "15 decay", 0, "ap.damage.immunity"),
        ({"vulnerabilities": ("cold",), "resistances": ("cold",)}, "7 cold", 7, ""),
    ],
)
def test_statuses_change_what_a_type_does(fields: dict[str, object], damage: str, lost: int, rule: str) -> None:
    table = duel(orc=fields)
    table.does(ApplyDamage(("orc",), damage))
    assert table.lost("orc") == lost
    assert [one.rule for one in table.happened(DamageTaken)[-1].why] == ([rule] if rule else [])


@pytest.mark.rule("ap.damage.absorption")
@pytest.mark.parametrize(("damage", "health"), [("5 fire", 17), ("15 fire", 20), ("5 fire + 3 sharp", 14)])
def test_absorbed_damage_heals(damage: str, health: int) -> None:
    table = duel(orc={"absorptions": ("fire",), "vulnerabilities": ("fire",)})
    table.does(ApplyDamage(("orc",), "8 sharp"))
    table.does(ApplyDamage(("orc",), damage))
    assert table.one("orc").hp == health
    assert table.happened(Healed)[-1].rule == "ap.damage.absorption"


@pytest.mark.rule("ap.damage.absorption", "ap.revive.healing")
def test_absorbing_climbs_out_of_negative_health() -> None:
    table = duel(orc={"absorptions": ("fire",)})
    table.does(ApplyDamage(("orc",), "24 sharp"))
    table.does(ApplyDamage(("orc",), "4 fire"))
    assert (table.one("orc").hp, "unconscious" in table.effects("orc")) == (0, True)
    table.does(ApplyDamage(("orc",), "1 fire"))
    assert (table.one("orc").hp, table.effects("orc")) == (1, {"revived"})


@pytest.mark.rule("ap.damage.statuses_per_type")
def test_statuses_hold_for_their_type_alone() -> None:
    table = duel(orc={"vulnerabilities": ("lightning",), "immunities": ("fire",)})
    table.does(ApplyDamage(("orc",), "10 cold"))
    assert table.lost("orc") == 10
    table.does(ApplyDamage(("orc",), "3 lightning + 9 fire"))
    assert table.lost("orc") == 16


@pytest.mark.rule("ap.damage.typed")
def test_damage_has_the_type_of_its_source() -> None:
    table = duel(orc={"immunities": ("fire",)})
    table.does(ApplyDamage(("orc",), "10 fire"))
    assert (table.lost("orc"), table.happened(DamageTaken)[-1].dealt) == (0, (("fire", 10),))
    refused = table.refuses(ApplyDamage(("orc",), "10"))
    assert (refused.key, refused.rule) == ("refused.untyped", "ap.damage.typed")


@pytest.mark.rule("ap.damage.type_side_effects")
def test_side_effects_are_put_on_by_hand_alone() -> None:
    table = duel()
    table.does(ApplyDamage(("orc",), "8 fire"))
    assert (table.lost("orc"), table.effects("orc")) == (8, set())
    marks = [one.id for one in table.rules.data.conditions if "ap.damage.type_side_effects" in one.ledger]
    assert marks == ["burning", "frozen", "shocked", "shaken"]
    assert not any(table.rules.conditions[mark].rules for mark in marks)


@pytest.mark.rule("ap.healing.sources")
def test_a_potion_heals_and_the_log_names_it() -> None:
    from turnwright.play.damage.manual_hit_points import Heal

    table = duel()
    table.does(ApplyDamage(("bob",), "15 sharp"))
    table.does(Heal(("bob",), 6, source="Potion"))
    assert (table.one("bob").hp, table.happened(Healed)[-1].source) == (11, "Potion")


def test_shields_stand_before_absorbed_healing_does_not() -> None:
    table = duel(orc={"absorptions": ("fire",)})
    table.does(GrantTempHp(("orc",), 5))
    table.does(ApplyDamage(("orc",), "4 fire"))
    assert (table.one("orc").temp_hp, table.one("orc").hp) == (5, 20)
    assert isinstance(table.encounter.need(Combatant, "orc"), Combatant)
    assert not table.happened(ActionTaken)


# The place ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ap.environment.varies")
def test_what_the_dm_says_of_a_place_holds_for_the_attacks_meant_and_no_others() -> None:
    murk = EnvironmentEntry("murk", "Murk", edge="disadvantage", edge_on="ranged")
    table = duel(scene=ON_A_D10)
    table.does(Add((Environment("cave", "Dim cave", features=(murk,)),)))
    assert table.edges("bob", "orc", "bow") == [("disadvantage", "ap.environment.varies")]
    assert table.edges("bob", "orc", "sword") == []
    assert save_roll(table.encounter, table.rules, "bob", "agi").edges == ()
    table.does(SetPosition("bob", outside=("cave",)))
    assert table.edges("bob", "orc", "bow") == []


@pytest.mark.parametrize(("on", "edges"), [("", 1), ("save", 1), ("check", 0)])
def test_a_place_may_touch_saves_and_checks_too(on: str, edges: int) -> None:
    table = duel(scene=ON_A_D10)
    table.does(
        Add((Environment("fane", "Fane", features=(EnvironmentEntry("hush", "Hush", edge="advantage", edge_on=on),)),))
    )
    spec = save_roll(table.encounter, table.rules, "bob", "agi")
    assert len(spec.edges) == edges
