"""Phases of creatures: they begin at a share of the hit points or at 0, and change what their owner has and can do."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import CreaturePhase, Feature, RosterEntry, Scene
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.events import PhaseBegan
from turnwright.play.damage.manual_hit_points import Heal, SetDead, SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.parts.combatants.phases import legendary_actions
from turnwright.rules.system import RuleSystem

BREATH = Feature("breath", "Breath", "action", save="dex", dc=10, damage="1d6 fire", half=True, recharge=6)
RAGE = Feature("rage", "Rage", trigger="hits", only="phase:mythic", damage="2 fire")
RAM = Feature("ram", "Ram", "action", attack=5, reach=5, damage="1d6 bludgeoning")
MYTHIC = CreaturePhase(
    "mythic", "Mythic", at=0, hp=40, legendary=5, ends=("*",), recharges=("*",), note="It rises, burning."
)
BLOODIED = CreaturePhase("bloodied", "Bloodied", recharges=("breath",))


def fight(
    *phases: CreaturePhase,
    rules: RuleSystem | None = None,
    options: tuple[str, ...] = (),
    more: tuple[Feature, ...] = (),
) -> Table:
    """Ann, who goes first, against a dragon of 60 hit points with some phases."""
    dragon = creature("dragon", features=(BREATH, RAGE, RAM, *more), hp=60, legendary=3)
    table = Table(
        creature("ann", hp=60, features=(RAM,)),
        msgspec.structs.replace(dragon, phases=phases),
        creature("wraith", hp=90, ac=18),
        roster=(RosterEntry("wraith", "wraith", count=1, bystander=True),),
        foes=("dragon",),
        rules=rules or dnd5e(),
        scene=Scene(system=(rules or dnd5e()).id, strictness="warn", options=options),
    )
    table.start(ann=20, dragon=10)
    return table


def undone_and_redone(table: Table, before: object) -> None:
    after = table.encounter
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.encounter == after


GAMES = (dnd5e, a5e, pf2e)


@pytest.mark.parametrize("game", GAMES)
def test_what_begins_at_0_gives_hit_points_in_place_of_death(game: Callable[[], RuleSystem]) -> None:
    table = fight(MYTHIC, rules=game())
    table.does(SetTrack("dragon", "recharge.breath", 0))
    table.does(ApplyCondition(("dragon",), "frightened", by="ann", value=1))
    before = table.encounter
    table.does(ApplyDamage(("dragon",), "200"))
    dragon = table.one("dragon")
    assert (dragon.hp, dragon.hp_max, dragon.dead, dragon.phases) == (40, 60, False, ("mythic",))
    assert table.track("dragon", "recharge.breath") == 1
    assert table.effects("dragon") == set()
    assert legendary_actions(table.encounter, "dragon") == 5
    assert [(one.phase, one.note) for one in table.happened(PhaseBegan)] == [("Mythic", "It rises, burning.")]
    undone_and_redone(table, before)
    table.does(ApplyDamage(("dragon",), "40"))
    assert table.one("dragon").hp == 0


def test_a_phase_brings_its_own_features() -> None:
    table = fight(MYTHIC)
    table.ends_turn()
    table.dice(15, 4)
    table.does(Attack("dragon", "ann", "ram"))
    assert table.one("ann").hp == 56
    table.does(ApplyDamage(("dragon",), "60"))
    table.ends_turn(2)
    table.dice(15, 4)
    table.does(Attack("dragon", "ann", "ram"))
    assert table.one("ann").hp == 56 - 4 - 2


def test_without_figures_a_phase_at_0_gives_all_hit_points_again_and_more_raise_the_maximum() -> None:
    table = fight(CreaturePhase("again", "Again", at=0), CreaturePhase("greater", "Greater", at=0, hp=100))
    table.does(ApplyDamage(("dragon",), "60"))
    assert (table.one("dragon").hp, table.one("dragon").hp_max) == (60, 60)
    table.does(ApplyDamage(("dragon",), "60"))
    assert (table.one("dragon").hp, table.one("dragon").hp_max) == (100, 100)


def test_a_phase_at_half_begins_once_as_damage_crosses_it() -> None:
    table = fight(BLOODIED)
    table.does(SetTrack("dragon", "recharge.breath", 0))
    table.does(ApplyDamage(("dragon",), "29"))
    assert not table.happened(PhaseBegan)
    before = table.encounter
    table.does(ApplyDamage(("dragon",), "1"))
    assert (table.one("dragon").hp, table.one("dragon").phases) == (30, ("bloodied",))
    assert table.track("dragon", "recharge.breath") == 1
    undone_and_redone(table, before)
    table.does(Heal(("dragon",), 20))
    table.does(ApplyDamage(("dragon",), "30"))
    assert len(table.happened(PhaseBegan)) == 1


def test_one_blow_begins_each_phase_that_it_reaches_but_none_for_the_dead() -> None:
    table = fight(BLOODIED, CreaturePhase("desperate", "Desperate", at=25))
    table.does(ApplyDamage(("dragon",), "50"))
    assert table.one("dragon").phases == ("bloodied", "desperate")
    table = fight(BLOODIED)
    table.does(ApplyDamage(("dragon",), "60"))
    assert table.one("dragon").dead
    assert not table.happened(PhaseBegan)


def test_a_phase_that_reverts_lasts_while_the_hit_points_are_few() -> None:
    table = fight(CreaturePhase("frenzy", "Frenzy", legendary=6, reverts=True))
    table.does(ApplyDamage(("dragon",), "30"))
    assert legendary_actions(table.encounter, "dragon") == 6
    table.does(Heal(("dragon",), 1))
    assert legendary_actions(table.encounter, "dragon") == 3
    table.does(ApplyDamage(("dragon",), "1"))
    assert legendary_actions(table.encounter, "dragon") == 6
    assert len(table.happened(PhaseBegan)) == 2


def test_another_stat_block_takes_its_place_with_its_own_phases() -> None:
    rise = CreaturePhase("rise", "Risen", at=0, creature="wraith")
    table = fight(rise)
    before = table.encounter
    table.does(ApplyDamage(("dragon",), "60"))
    risen = table.one("dragon")
    assert (risen.creature, risen.hp, risen.hp_max, risen.phases, risen.label) == ("wraith", 90, 90, (), "Dragon")
    table.refuses(UseFeature(("dragon",), "breath", ("ann",)))
    undone_and_redone(table, before)


def test_hit_points_set_by_hand_begin_phases_too() -> None:
    table = fight(BLOODIED, MYTHIC)
    table.does(SetHitPoints("dragon", 20))
    assert table.one("dragon").phases == ("bloodied",)
    table.does(SetHitPoints("dragon", 0))
    assert (table.one("dragon").hp, table.one("dragon").dead) == (40, False)


def test_a_declared_death_is_one() -> None:
    table = fight(MYTHIC)
    table.does(SetDead("dragon", True))
    assert table.one("dragon").dead


@pytest.mark.parametrize("begins", [True, False])
def test_a_table_that_wants_to_be_asked_is_asked(begins: bool) -> None:
    table = fight(MYTHIC, options=("features-ask",))
    table.does(ApplyDamage(("dragon",), "60"))
    table.chooses("begins" if begins else "pass")
    assert table.one("dragon").dead is not begins


def test_what_keeps_on_its_feet_comes_after_the_last_phase() -> None:
    ferocity = Feature("ferocity", "Ferocity", trigger="dropping", heals="1", uses=1)
    table = fight(MYTHIC, more=(ferocity,))
    table.does(ApplyDamage(("dragon",), "60"))
    assert table.one("dragon").hp == 40
    table.does(ApplyDamage(("dragon",), "60"))
    assert table.one("dragon").hp == 1
