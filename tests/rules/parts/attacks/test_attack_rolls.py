"""Attack rolls, the AC they meet, and their damage: every part with its reason and its rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tests.play.attack_table import AXE, SHORTBOW, SLING, STRONG, Fray, edges, parts, total
from tests.table import a5e, creature, environment
from turnwright.dice.expression import Modifier, Roll
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.play.attacks import attack_request
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.table.game_master import SetStat
from turnwright.rules.parts.attacks.attack_rolls import attack_roll, damage_roll, outcome_of
from turnwright.rules.parts.attacks.attack_targeting import attack_kind, is_attack
from turnwright.rules.system import RollGrant, RuleSystem
from turnwright.rules.system_data.dying import Condition
from turnwright.storage.word_catalogue import WordCatalogue

QUICK = (("str", 12), ("dex", 18), ("int", 18), ("cha", 12))
FIRE = Feature("fire", "Fire", "action", range="60", damage="3d6 fire", properties=("spell", "attack"))


def made(means: Feature, **fields: Any) -> Fray:
    """Return Ann, strong unless fields differ, next to an orc, with a single weapon."""
    ann = creature("ann", features=(means,), **({"abilities": STRONG, "proficiency": 3} | fields))
    return Fray(ann, creature("orc", ac=15), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))


def bonus(means: Feature, *, thrown: bool = False, **fields: Any) -> list[tuple[int, str]]:
    """Return the parts of an attack roll with a weapon."""
    return parts(made(means, **fields).preview("ann", "orc", means.id, thrown=thrown).roll)


def change(means: Feature, **changes: Any) -> Feature:
    return msgspec.structs.replace(means, **changes)


@pytest.mark.rule("a5e.attack.roll", "a5e.attack.modifier.character", "a5e.attack.modifier.proficient")
def test_an_attack_adds_ability_and_proficiency() -> None:
    assert bonus(AXE) == [(4, "attack.modifier.melee-ability"), (3, "attack.modifier.proficient")]
    table = made(AXE)
    assert table.strikes("ann", "orc", "axe", 10, 1).roll.total == 17
    spell = bonus(FIRE, abilities=QUICK, spellcasting="int")
    assert spell == [(4, "attack.modifier.spell-ability"), (3, "attack.modifier.proficient")]
    finesse = change(AXE, ability="", properties=("weapon", "finesse"))
    assert sum(value for value, _ in bonus(finesse, abilities=(("dex", 16),), proficiency=2)) == 5


@pytest.mark.rule("a5e.attack.modifier.nonproficient")
def test_without_proficiency_there_is_no_proficiency_bonus() -> None:
    clumsy = bonus(change(AXE, proficient=False), abilities=(("str", 14),))
    assert clumsy == [(2, "attack.modifier.melee-ability"), (0, "attack.modifier.nonproficient")]


def test_an_attack_on_a_missing_target_has_the_attacker_s_part_alone() -> None:
    table = made(AXE)
    rolled = attack_roll(table.encounter, a5e(), AttackInProgress("ann", AXE, "nobody")).spec
    assert sum(one.value for one in rolled.modifiers) == 7


def test_a_proficiency_bonus_that_a_person_supplied_counts() -> None:
    table = made(AXE, proficiency=0)
    table.does(SetStat("ann", "proficiency", 4))
    assert total(table.preview("ann", "orc", "axe").roll) == 8


@pytest.mark.rule("a5e.attack.modifier.monster")
def test_a_stat_block_s_own_bonus_is_used_as_it_stands() -> None:
    assert bonus(change(AXE, attack=7), proficiency=2) == [(7, "attack.modifier.monster")]


@pytest.mark.rule("a5e.attack.modifier.melee-ability")
def test_a_melee_weapon_goes_by_strength_or_where_it_permits_dexterity() -> None:
    assert bonus(AXE, abilities=QUICK)[0] == (1, "attack.modifier.melee-ability")
    assert bonus(change(AXE, ability="", properties=("weapon",)), abilities=QUICK)[0][0] == 1
    light = change(AXE, ability="", properties=("weapon", "finesse"))
    assert bonus(light, abilities=QUICK)[0] == (4, "attack.modifier.melee-ability")
    assert bonus(light)[0] == (4, "attack.modifier.melee-ability")


@pytest.mark.rule("a5e.attack.modifier.ranged-ability")
def test_a_shot_goes_by_dexterity_and_a_throw_by_the_weapon_s_ability() -> None:
    bow = Feature("bow", "Bow", "action", range="80/320", damage="1d6 piercing", properties=("weapon",))
    assert bonus(bow)[0] == (1, "attack.modifier.ranged-ability")
    assert bonus(change(bow, ability="str"))[0] == (4, "attack.modifier.ranged-ability")
    handaxe = change(AXE, ability="", range="20/60", properties=("weapon", "thrown"))
    assert bonus(handaxe, thrown=True)[0] == (4, "attack.modifier.ranged-ability")


@pytest.mark.rule("a5e.attack.modifier.spell-ability")
def test_a_spell_goes_by_the_ability_of_the_class_or_trait_it_comes_from() -> None:
    assert bonus(FIRE, abilities=QUICK, spellcasting="int")[0][0] == 4
    assert bonus(change(FIRE, ability="cha"), abilities=QUICK, spellcasting="int")[0][0] == 1
    assert bonus(FIRE, abilities=(("wis", 16),))[0][0] == 3


@pytest.mark.rule("a5e.attack.modifier.magic-weapon")
def test_a_magic_weapon_adds_its_own_bonus() -> None:
    assert bonus(change(AXE, magic=2), abilities=(("str", 14),))[-1] == (2, "attack.modifier.magic-weapon")


@pytest.mark.rule("a5e.attack.modifier.misc", "a5e.external.other-sources")
def test_further_modifiers_and_an_expertise_die_are_itemised() -> None:
    table = made(change(AXE, attack=5))
    said = {"facts": ("flanks", "not threatened"), "modifiers": (Modifier(1, "Blessing"),)}
    shown = table.preview("ann", "orc", "axe", **said)
    assert parts(shown.roll) == [(5, "attack.modifier.monster"), (1, "attack.modifier.misc")]
    assert [one.reason for one in shown.roll.modifiers][-1] == "Blessing"
    assert [die.dice for die in shown.roll.extra] == ["1d4"]
    assert table.strikes("ann", "orc", "axe", 8, 3, 1, **said).roll.total == 17


@pytest.mark.rule("a5e.attack.modifiers-step")
def test_everything_that_changes_the_roll_stands_in_it_before_it_is_made() -> None:
    table = made(change(AXE, magic=1))
    table.marks("ann", "helped-attack", by="orc", uses_left=1)
    shown = table.preview("ann", "orc", "axe", facts=("flanks",))
    assert [kind for kind, _ in edges(shown.roll)] == ["advantage"]
    assert [die.dice for die in shown.roll.extra] == ["1d4"]
    assert (1, "attack.modifier.magic-weapon") in parts(shown.roll)


@pytest.mark.rule("a5e.external.advantage")
def test_advantage_and_disadvantage_cancel_whatever_the_counts_and_all_are_listed() -> None:
    table = made(AXE)
    table.does(ApplyCondition(("ann",), "restrained"))
    table.does(ApplyCondition(("orc",), "restrained"))
    said = table.edges("ann", "orc", "axe", facts=("advantage",))
    assert [kind for kind, _ in said] == ["disadvantage", "advantage", "advantage"]
    assert said[-1][1] == "a5e.external.advantage"
    roll = table.strikes("ann", "orc", "axe", 4, facts=("advantage",)).roll
    assert [die.face for die in roll.dice] == [4]
    assert len(roll.edges) == 3


@pytest.mark.rule("a5e.external.expertise-die")
def test_expertise_from_several_sources_is_one_bigger_die() -> None:
    table = made(AXE)
    table.puts(ann=(1, 1, 5))
    (die,) = table.preview("ann", "orc", "axe", facts=("flanks",)).roll.extra
    assert die.dice == "1d6"
    assert "+" in die.reason
    sizes = [a5e().expertise_dice([RollGrant("expertise", "why", "")] * sources)[0].dice for sources in (1, 2, 3, 4)]
    assert sizes == ["1d4", "1d6", "1d8", "1d8"]
    asked = [RollGrant("expertise", reason, "") for reason in ("why.flanking_reaction", "Attacking from above")]
    (die,) = a5e().expertise_dice(asked)
    assert die.reason == "<why.flanking_reaction> + Attacking from above"  # a key within a text has to be marked


@pytest.mark.parametrize(
    ("total", "natural", "ac", "outcome"),
    [
        pytest.param(14, 9, 15, "miss", id="below", marks=pytest.mark.rule("a5e.attack.hit")),
        pytest.param(15, 10, 15, "hit", id="equal", marks=pytest.mark.rule("a5e.attack.hit")),
        pytest.param(16, 11, 15, "hit", id="above", marks=pytest.mark.rule("a5e.attack.hit")),
        pytest.param(18, 20, 25, "critical", id="20", marks=pytest.mark.rule("a5e.attack.critical")),
        pytest.param(15, 1, 10, "fumble", id="1", marks=pytest.mark.rule("a5e.attack.fumble")),
        pytest.param(None, None, 10, "", id="unknown"),
    ],
)
def test_how_a_roll_goes_against_an_armor_class(total: int | None, natural: int, ac: int, outcome: str) -> None:
    assert outcome_of(a5e(), Roll(total=total, natural=natural), ac, False) == outcome


def test_what_makes_a_hit_critical_leaves_a_miss_one() -> None:
    rules = a5e()
    assert outcome_of(rules, Roll(total=15, natural=10), 15, True) == "critical"
    assert outcome_of(rules, Roll(total=14, natural=9), 15, True) == "miss"


@pytest.mark.rule("a5e.attack.definition")
def test_what_involves_an_attack_roll_is_an_attack() -> None:
    save = Feature("burst", "Burst", "action", damage="3d6 fire", save="dex", dc=13, properties=("spell",))
    trait = Feature("sneak", "Sneak", damage="1d6 piercing")
    crushes = Feature("rend", "Rend", "action", damage="2d8 slashing")
    table = Fray(creature("ann", features=(FIRE, save, AXE, trait, crushes)), "orc", foes=("orc",))
    offers = attack_request.available_attacks(table.encounter, table.rules, "ann")
    assert [offer.weapon.id for offer in offers] == ["fire", "axe"]
    assert is_attack(change(save, attack=4))


@pytest.mark.rule("a5e.melee.definition")
def test_weapons_fists_claws_and_touches_are_melee() -> None:
    sword = Feature("sword", "Sword", "action", attack=4, reach=5, damage="1d8 slashing", properties=("weapon",))
    fist = Feature("fist", "Fist", "action", attack=4, damage="2 bludgeoning", properties=("unarmed",))
    claw = Feature("claw", "Claw", "action", attack=4, reach=5, damage="1d6 slashing")
    touch = Feature("touch", "Touch", "action", attack=4, reach=5, damage="1d8 necrotic", properties=("spell",))
    table = Fray(creature("ann", features=(sword, fist, claw, touch, SHORTBOW)), "orc", foes=("orc",))
    table.puts(ann=(1, 1, 5), orc=(2, 1))
    kinds = {
        offer.weapon.id: offer.kind
        for offer in attack_request.available_attacks(table.encounter, table.rules, "ann", "orc")
    }
    assert kinds == {"sword": "melee", "fist": "melee", "claw": "melee", "touch": "melee", "shortbow": "ranged"}
    from_above = {id: bool(table.preview("ann", "orc", id).roll.extra) for id in kinds}
    assert from_above == {"sword": True, "fist": True, "claw": True, "touch": True, "shortbow": False}


@pytest.mark.rule("a5e.external.weapon-properties")
def test_properties_of_a_weapon_are_ticks_that_the_rules_read() -> None:
    dagger = change(AXE, range="20/60", properties=("weapon", "thrown", "dual-wielding"))
    assert attack_kind(dagger) == "melee"
    assert attack_kind(dagger, thrown=True) == "ranged"
    table = made(AXE)
    refused = table.preview("ann", "orc", "axe", thrown=True).vetoes[0]
    assert (refused.reason, refused.rule) == ("refused.not_thrown", "a5e.external.weapon-properties")
    assert not made(dagger).preview("ann", "orc", "axe", thrown=True).vetoes


def damage(means: Feature, *, purpose: str = "", **fields: Any) -> list[tuple[int, str]]:
    """Return the parts of a hit's damage, by ability."""
    table = made(means, **fields)
    spec = damage_roll(table.encounter, table.rules, AttackInProgress("ann", means, "orc", purpose=purpose))
    return parts(spec) if spec is not None else []


@pytest.mark.rule("a5e.damage.weapon-modifier")
def test_a_weapon_s_damage_adds_the_ability_of_its_attack() -> None:
    light = change(AXE, ability="", properties=("weapon", "finesse"))
    assert damage(light, abilities=(("str", 12), ("dex", 18))) == [(4, "damage.weapon-modifier")]
    assert damage(change(AXE, attack=6)) == []
    assert damage(FIRE, abilities=QUICK, spellcasting="int") == []
    assert damage(change(AXE, damage="")) == []


@pytest.mark.rule("a5e.twf.damage")
def test_the_off_hand_adds_no_ability_unless_it_is_a_penalty() -> None:
    assert damage(AXE, purpose="off-hand") == []
    assert damage(AXE, purpose="off-hand", abilities=(("str", 8),)) == [(-1, "damage.weapon-modifier")]
    written_out = change(AXE, attack=6, damage="1d6+4 slashing")
    assert damage(written_out, purpose="off-hand") == [(-4, "twf.damage")]


def test_unknown_facts_are_named_from_the_attacker_s_side_until_entered() -> None:
    ann = creature("ann", features=(SHORTBOW, AXE))
    table = Fray(ann, "orc", foes=("orc",), field=None)
    unknown = {one.fact for one in table.preview("ann", "orc", "shortbow").unknown_facts}
    assert {"threatened", "long-range"} <= unknown
    said = {
        one.fact
        for one in table.preview("ann", "orc", "shortbow", facts=("not threatened", "long-range")).unknown_facts
    }
    assert not said & {"threatened", "long-range"}


def unknown(means: Feature, target: str = "orc", rules: RuleSystem | None = None, **how: Any) -> set[str]:
    """Return the unknown facts of an attack without a grid, in a cavern; `feet` is the distance entered."""
    feet = how.pop("feet", None)
    people = (creature("ann", features=(means,)), "orc")
    table = Fray(*people, foes=("orc",), field=None, more=[environment("cavernous")], rules=rules)
    if feet is not None:
        table.does(SetRelation("ann", "orc", distance=feet))
    return {one.fact for one in table.preview("ann", target, means.id, **how).unknown_facts}


@pytest.mark.parametrize(
    ("means", "how", "asked"),
    [
        pytest.param(SHORTBOW, {}, True, id="a shot"),
        pytest.param(SHORTBOW, {"facts": ("not long-range",)}, False, id="entered"),
        pytest.param(SHORTBOW, {"feet": 100}, False, id="the distance is known"),
        pytest.param(SLING, {}, False, id="nothing beyond its range"),
        pytest.param(change(AXE, range="20/60"), {}, False, id="in the hand"),
        pytest.param(change(AXE, range="20/60"), {"thrown": True}, True, id="thrown"),
    ],
)
def test_whether_it_is_far_is_asked_of_what_flies_far(means: Feature, how: dict[str, Any], asked: bool) -> None:
    assert ("long-range" in unknown(means, **how)) is asked


def test_how_one_stands_to_a_thing_is_not_asked() -> None:
    assert unknown(AXE) == {"higher:5"}
    assert unknown(AXE, "cavernous.stalactites") == set()


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        (DataRule("advantage", "attack", when="other.within:3"), {"within:3"}),
        (DataRule("advantage", "attack-against", when="not other.within:3"), {"within:3"}),
        (DataRule("advantage", "attack-against", when="within:3"), {"within:3"}),
        (DataRule("advantage", "d20", when="within:3"), {"within:3"}),
        (DataRule("note", "attack", when="within:3"), set()),
        (DataRule("advantage", "check", when="within:3"), set()),
    ],
)
def test_what_is_asked_is_what_changes_the_attack_and_nothing_else(rule: DataRule, asked: set[str]) -> None:
    rules = replace(a5e(), data=msgspec.structs.replace(a5e().data, standing=(Condition("odd", "Odd", rules=(rule,)),)))
    assert unknown(AXE, rules=rules) == asked


def test_every_unknown_fact_is_asked_in_words() -> None:
    words = WordCatalogue.load()
    table = Fray(creature("ann", features=(SHORTBOW, AXE)), "orc", foes=("orc",), field=None)
    for condition in table.rules.data.conditions:
        for who in ("ann", "orc"):
            table.marks(who, condition.id)
    asked = [one for id in ("shortbow", "axe") for one in table.preview("ann", "orc", id).unknown_facts]
    assert {"threatened", "within:5"} <= {one.fact for one in asked}
    assert [one.label.key for one in asked if one.label.key not in words] == []
    assert "5" in words(*[one.label.key for one in asked if one.fact == "within:5"][:1], detail=5)


def test_every_creature_of_the_table_may_be_looked_at() -> None:
    block = Creature("ann", "Ann", hp=9)
    table = Fray(block, "orc", foes=("orc",))
    (bare,) = attack_request.available_attacks(table.encounter, table.rules, "ann")
    assert bare.kind == "melee"
