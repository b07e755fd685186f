"""Critical hits: what they double, and how whoever is hit makes them regular ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.play.attack_table import Fray
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, InflictedCondition, OtherDamage, Scene
from turnwright.encounter.running import Combatant, Track
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.hit import CriticalNegated
from turnwright.play.damage.manual_hit_points import Rest, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.system import RuleSystem

CLUB = Feature("club", "Club", "action", attack=5, reach=5, damage="1d8+4 bludgeoning", properties=("weapon",))


def struck(*, face: int = 5, natural: int = 20, **orc: Any) -> Fray:
    """Ann has hit the orc critically with a club whose die shows 5."""
    ann = creature("ann", features=(CLUB,), attacks=9)
    table = Fray(ann, creature("orc", **({"hp": 90, "ac": 12} | orc)), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))
    table.strikes("ann", "orc", "club", natural, face)
    return table


def offered(table: Fray) -> list[str]:
    """What the one who was hit may do about it."""
    return [option.id for prompt in table.prompts for ask in prompt.asks if ask.id == "block" for option in ask.options]


def strikes_again(table: Fray) -> None:
    table.strikes("ann", "orc", "club", 20, 5)


@pytest.mark.rule("a5e.critical.double")
def test_a_critical_hit_doubles_all_of_its_damage() -> None:
    table = struck()
    table.chooses("pass")
    (hurt,) = table.happened(DamageTaken)
    assert (hurt.taken, [(one.before, one.after) for one in hurt.why]) == (18, [(9, 18)])
    assert hurt.why[0].rule == "a5e.critical.double"
    assert len(hurt.roll.dice) == 1
    resistant = struck(resistances=("bludgeoning",), face=6)
    resistant.chooses("pass")
    assert resistant.lost("orc") == 10


@pytest.mark.rule("a5e.critical.double")
def test_a_regular_hit_is_not_doubled_and_asks_nothing() -> None:
    table = struck(natural=19)
    assert (offered(table), table.lost("orc")) == ([], 9)


@pytest.mark.rule("a5e.critical.downgrade-shield", "a5e.external.sacrifice-shield")
def test_a_shield_may_be_given_up_to_turn_a_critical_hit() -> None:
    table = struck(gear=("shield",))
    assert offered(table) == ["shield", "fatigue", "pass"]
    table.chooses("shield")
    assert (table.lost("orc"), table.effects("orc"), table.track("orc", "reaction")) == (9, {"shield-lost"}, 1)
    assert table.track("orc", "fatigue-pending") == 0
    strikes_again(table)
    assert offered(table) == ["fatigue", "pass"]
    assert offered(struck()) == ["fatigue", "pass"]


@pytest.mark.rule("a5e.critical.downgrade-fatigue", "a5e.critical.block-reaction")
def test_fatigue_and_the_reaction_turn_a_critical_hit() -> None:
    table = struck()
    table.chooses("fatigue")
    assert (table.lost("orc"), table.track("orc", "reaction"), table.track("orc", "fatigue-pending")) == (9, 0, 1)
    assert [event.by for event in table.happened(CriticalNegated)] == ["fatigue"]
    assert table.last.outcome == "critical"


@pytest.mark.rule("a5e.critical.block-reaction")
def test_without_a_reaction_fatigue_is_not_offered() -> None:
    table = struck(natural=2)
    table.has(msgspec.structs.replace(table.encounter.need(Track, "orc.reaction"), value=0))
    strikes_again(table)
    assert (offered(table), table.lost("orc")) == ([], 18)


@pytest.mark.rule("a5e.critical.block-once")
def test_fatigue_turns_one_critical_hit_until_a_rest() -> None:
    table = struck()
    table.chooses("fatigue")
    for _ in range(4):
        table.does(EndTurn())
    assert (table.active, table.track("orc", "reaction")) == ("ann", 1)
    strikes_again(table)
    assert (offered(table), table.lost("orc")) == ([], 27)
    table.does(Rest("short"))
    strikes_again(table)
    assert offered(table) == ["fatigue", "pass"]


@pytest.mark.parametrize("why", ["down", "incapacitated"])
def test_the_helpless_block_nothing(why: str) -> None:
    table = struck(natural=2, gear=("shield",))
    if why == "down":
        table.has(msgspec.structs.replace(table.encounter.need(Combatant, "orc"), hp=0))
    else:
        table.does(ApplyCondition(("orc",), "incapacitated"))
    table.dice(20, 19, 5)
    table.strikes("ann", "orc", "club", 20, 5)
    assert offered(table) == []


@pytest.mark.parametrize("why", ["surprised", "dragged"])
def test_who_can_not_react_may_still_give_up_a_shield(why: str) -> None:
    table = struck(natural=2, gear=("shield",))
    table.does(ApplyCondition(("orc",), why))
    table.strikes("ann", "orc", "club", 20, 5)
    assert offered(table) == ["shield", "pass"]
    bare = struck(natural=2)
    bare.does(ApplyCondition(("orc",), why))
    bare.strikes("ann", "orc", "club", 20, 5)
    assert offered(bare) == []


def test_an_attack_that_deals_no_damage_has_nothing_to_block() -> None:
    net = msgspec.structs.replace(CLUB, damage="")
    table = Fray(creature("ann", features=(net,)), creature("orc"), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))
    table.strikes("ann", "orc", "club", 20)
    assert (table.last.outcome, table.prompts) == ("critical", [])


def test_a_critical_hit_from_within_five_feet_of_the_unconscious_needs_no_twenty() -> None:
    table = struck(natural=2)
    table.does(SetHitPoints("orc", hp=50))
    table.does(ApplyCondition(("orc",), "unconscious"))
    table.strikes("ann", "orc", "club", 10, 9, 5)
    assert table.last.outcome == "critical"


@pytest.mark.parametrize(("block", "critical"), [("pass", True), ("fatigue", False)])
def test_the_journal_says_that_damage_is_that_of_a_critical_hit(block: str, critical: bool) -> None:
    table = struck()
    table.chooses(block)
    told = [line.phrase.key for line in table.session.journal() if line.phrase.key.startswith("journal.damage")]
    assert [key.endswith("_critical") for key in told] == [critical]
    assert table.happened(DamageTaken)[0].critical is critical


# Immunity --------------------------------------------------------------------------------------------------------


def struck_in(rules: RuleSystem, *faces: int, weapon: Feature = CLUB, hp: int = 90, **orc: Any) -> Fray:
    """Ann has hit an orc that is immune to critical hits, in a game."""
    block = creature("orc", **({"hp": hp, "ac": 12, "condition_immunities": ("critical-hits",)} | orc))
    scene = Scene(system=rules.id, strictness="warn")
    table = Fray(creature("ann", features=(weapon,)), block, foes=("orc",), rules=rules, scene=scene)
    table.strikes("ann", "orc", weapon.id, *faces)
    return table


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
@pytest.mark.parametrize("listed", ["immunities", "condition_immunities"])
def test_nothing_is_doubled_for_the_immune_to_critical_hits(rules: Callable[[], RuleSystem], listed: str) -> None:
    orc: dict[str, Any] = {"condition_immunities": (), "gear": ("shield",)} | {listed: ("critical-hits",)}
    table = struck_in(rules(), 20, 5, **orc)
    assert (table.lost("orc"), table.last.outcome, table.prompts) == (9, "critical", [])
    assert [event.by for event in table.happened(CriticalNegated)] == ["immunity"]


def test_what_else_a_critical_hit_does_stays_in_a_game_of_degrees() -> None:
    knock = InflictedCondition("prone", degree="critical-success")
    pick = msgspec.structs.replace(CLUB, properties=("weapon", "deadly-d10"), afflictions=(knock,))
    table = struck_in(pf2e(), 20, 5, 7, weapon=pick)
    assert (table.lost("orc"), "prone" in table.effects("orc")) == (9 + 7, True)


def test_a_critical_hit_on_the_dying_who_are_immune_to_it_is_one_failure() -> None:
    table = struck_in(dnd5e(), 15, 5, hp=9, tags=("player character",))
    table.strikes("ann", "orc", "club", 20, 20, 1)
    table.chooses("yes:dnd5e.external.conditions <condition.unconscious>")
    assert table.track("orc", "death-failures") == 1


def test_fatigue_turns_no_critical_hit_for_the_immune_to_it() -> None:
    assert offered(struck(condition_immunities=("fatigue",))) == []
    assert offered(struck(condition_immunities=("fatigue",), gear=("shield",))) == ["shield", "pass"]


# Damage that spares, and that grazes -------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "hp", "left"), [("small", 5, 5), ("small", 6, 1), ("tiny", 5, 0)])
def test_an_attack_may_deal_no_damage_instead_of_dropping_its_target(size: str, hp: int, left: int) -> None:
    claws = Feature("claws", "Claws", "action", attack=5, reach=5, damage="5 slashing", spares="not up-to:tiny")
    orc = creature("orc", hp=hp, ac=12, size=size)
    table = Fray(creature("ann", features=(claws,)), orc, foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))
    table.strikes("ann", "orc", "claws", 15)
    assert table.one("orc").hp == left


def archer(level: int, *faces: int) -> Table:
    mage = creature("mage", hp=40, level=9, proficiency=4, spellcasting="int", abilities=(("int", 16),))
    mage = msgspec.structs.replace(mage, slots=(("2", 2), ("3", 2)))
    table = Table(mage, creature("orc", hp=60, ac=12), foes=("orc",), rules=dnd5e())
    table.start(mage=20, orc=10)
    table.dice(*faces)
    table.does(UseFeature("mage", spell="acid-arrow", targets=("orc",), level=level))
    return table


def test_acid_arrow_burns_again_at_the_end_of_the_targets_turn() -> None:
    table = archer(2, 15, 1, 1, 1, 1, 3, 4)
    assert table.one("orc").hp == 56
    table.ends_turn()
    table.ends_turn()
    assert table.one("orc").hp == 49
    table.ends_turn(2)
    assert table.one("orc").hp == 49
    table = archer(3, 15, 1, 1, 1, 1, 1, 4, 4, 4)
    table.ends_turn()
    table.ends_turn()
    assert table.one("orc").hp == 43


def test_acid_arrow_splashes_for_half_on_a_miss() -> None:
    table = archer(2, 2, 3, 3, 3, 2)
    assert table.one("orc").hp == 55
    assert not table.effects("orc")


REGAINED = [
    ("necrotic", 18, 0),
    ("damage", 23, 0),
    ("half", 16, 0),
    ("", 10, 0),
    ("temporary", 10, 13),
    ("half-temporary", 10, 6),
]


@pytest.mark.parametrize(("regains", "hp", "temp"), REGAINED)
def test_an_attacker_regains_the_damage_of_its_hit(regains: str, hp: int, temp: int) -> None:
    bite = Feature("bite", "Bite", "action", attack=5, reach=5, damage="5 piercing + 8 necrotic", regains=regains)
    foes = creature("orc", hp=60, ac=12)
    table = Fray(creature("ann", hp=40, features=(bite,)), foes, foes=("orc",)).puts(ann=(1, 1), orc=(2, 1))
    table.does(SetHitPoints("ann", 10))
    table.strikes("ann", "orc", "bite", 15)
    assert (table.one("ann").hp, table.one("ann").temp_hp) == (hp, temp)


def test_damage_with_advantage_is_dealt_where_the_attack_has_it() -> None:
    sly = Feature(
        "sly", "Sly", "free", attack=5, reach=5, damage="2 piercing",
        other_damage=(OtherDamage("with advantage", "9 piercing", "rolls-with:advantage"),),
    )  # fmt: skip
    table = Table(creature("rat", features=(sly,)), creature("ann", hp=30), rules=dnd5e(), foes=("rat",))
    table.start(rat=20, ann=10)
    table.dice(15)
    table.does(Attack("rat", "ann", "sly"))
    table.does(ApplyCondition(("ann",), "restrained"))
    table.dice(15, 15)
    table.does(Attack("rat", "ann", "sly", purpose="free"))
    assert table.one("ann").hp == 30 - 2 - 9


def test_a_rule_can_take_all_damage_from_a_hit() -> None:
    bow = Feature("bow", "Bow", "action", attack=5, range="60", damage="1d6 piercing", properties=("weapon", "ranged"))
    harmless = Feature("dust", "Dust", rules=(DataRule("modifier", "damage", times=0, when="ranged, weapon"),))
    table = Table(creature("ann", features=(bow, harmless)), "bob", rules=pf2e())
    table.start(ann=20, bob=10)
    table.dice(15)
    table.does(Attack("ann", "bob", "bow"))
    assert (table.one("bob").hp, table.prompts) == (20, [])


def test_an_open_wound_is_not_saved_against_again() -> None:
    wound = (InflictedCondition("infernal-wound", when="not infernal-wound"),)
    glaive = msgspec.structs.replace(
        CLUB,
        save="con",
        dc=30,
        afflictions=wound,
        ongoing="1d10",
        ongoing_while="infernal-wound",
        ongoing_at="turn-start",
    )
    table = struck_in(dnd5e(), 15, 3, 2, weapon=glaive)
    assert "infernal-wound" in table.effects("orc")
    saves = len([one for one in table.happened(Rolled) if one.purpose == "ask.save"])
    table.dice(15, 3)
    table.does(Attack("ann", "orc", "club", purpose="free"))
    assert len([one for one in table.happened(Rolled) if one.purpose == "ask.save"]) == saves == 1
