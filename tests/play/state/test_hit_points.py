"""Losing hit points and getting them back: the bounds, what a loss does not do, and the dead."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.running import Effect
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, RestoredToLife, SetDead, SetHitPoints
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.state.events import DamageTaken, DroppedToZero, Healed
from turnwright.play.table.corrections import CorrectLine
from turnwright.play.table.game_master import AddNote
from turnwright.rules.parts.checks.ability_checks import armor_class, check_roll, save_roll
from turnwright.storage.word_catalogue import WordCatalogue


def hurt(hp: int, most: int = 20) -> Table:
    """A table with Ada at so many hit points of a maximum."""
    table = Table(creature("ada", hp=most))
    table.does(StartEncounter())
    table.does(SetHitPoints("ada", hp=hp))
    return table


def damages(table: Table, amount: str, *who: str) -> None:
    table.does(ApplyDamage(who or ("ada",), amount))


def heals(table: Table, amount: int) -> None:
    table.does(Heal(("ada",), amount))


def points(table: Table, who: str = "ada") -> tuple[int, int]:
    one = table.one(who)
    return one.hp, one.temp_hp


@pytest.mark.rule("a5e.hp.range")
def test_hit_points_stop_at_zero_and_at_the_maximum() -> None:
    table = hurt(5)
    damages(table, "9")
    assert table.one("ada").hp == 0
    assert table.happened(DroppedToZero)[0].rule == "a5e.hp.range"

    table = hurt(5)
    heals(table, 50)
    assert table.one("ada").hp == 20


@pytest.mark.rule("a5e.hp.range")
@pytest.mark.parametrize(("entered", "stands"), [(25, 20), (-3, 0)])
def test_a_correction_by_hand_keeps_within_bounds(entered: int, stands: int) -> None:
    table = hurt(5)
    table.does(SetHitPoints("ada", hp=entered))
    assert table.one("ada").hp == stands


@pytest.mark.rule("a5e.hp.range")
def test_a_lower_maximum_takes_hit_points_with_it() -> None:
    table = hurt(20)
    table.does(SetHitPoints("ada", hp_max=12))
    assert (table.one("ada").hp, table.one("ada").hp_max) == (12, 12)
    assert table.refuses(SetHitPoints("ada", hp_max=0)).key == "refused.hp"


def test_zero_is_reached_once() -> None:
    table = hurt(5)
    damages(table, "9")
    damages(table, "9")
    assert len(table.happened(DroppedToZero)) == 1


@pytest.mark.rule("a5e.hp.damage")
def test_damage_is_subtracted() -> None:
    table = hurt(20)
    damages(table, "7")
    assert table.one("ada").hp == 13
    assert table.happened(DamageTaken)[0].rule == "a5e.hp.damage"


@pytest.mark.rule("a5e.hp.heal")
def test_healing_is_added() -> None:
    table = hurt(13)
    heals(table, 5)
    assert table.one("ada").hp == 18
    assert table.happened(Healed)[0].rule == "a5e.hp.heal"


@pytest.mark.rule("a5e.hp.meaning")
def test_the_journal_states_figures_and_leaves_the_words_to_a_person() -> None:
    table = hurt(20)
    step = table.does(ApplyDamage(("ada",), "8"))
    assert step is not None
    (line,) = [line for line in step.lines if line.kind == "harm"]
    said = WordCatalogue.load()(line.phrase.key, **dict(line.phrase.params))
    assert said == "Ada takes 8: HP 20 to 12"
    assert not list(table.encounter.all(Effect))

    table.does(CorrectLine(line.serial, line.index, "A thorn rips her sleeve."))
    table.does(AddNote("She laughs it off."))
    texts = [dict(each.phrase.params).get("text") for each in table.session.journal()]
    assert texts.count("A thorn rips her sleeve.") == 1
    assert texts.count("She laughs it off.") == 1
    assert table.one("ada").hp == 12


@pytest.mark.rule("a5e.hp.no-effect")
def test_one_hit_point_does_what_forty_do() -> None:
    fighter = creature(
        "ada",
        hp=40,
        ac=15,
        speeds=(("walk", 30), ("swim", 20)),
        abilities=(("str", 16), ("dex", 14)),
        features=(Feature("sword", "Sword", "action", attack=5, damage="1d8+3 slashing"),),
    )
    table = Table(fighter)
    table.start(ada=10)
    whole = all_that_ada_can_do(table)
    table.does(SetHitPoints("ada", hp=1))
    assert all_that_ada_can_do(table) == whole
    assert {"Attack", "Dash"} <= {offer.action.name for offer in whole[3] if not offer.refused}


def all_that_ada_can_do(table: Table) -> tuple[object, ...]:
    rules, now = table.rules, table.encounter
    return (
        queries.speed(now, rules, "ada"),
        queries.movement_of(now, rules, "ada"),
        queries.resources_of(now, rules, "ada"),
        queries.actions_for(now, rules, "ada"),
        armor_class(now, rules, "ada"),
        [save_roll(now, rules, "ada", ability) for ability in ("str", "dex", "con")],
        check_roll(now, rules, "ada", "str:athletics"),
    )


@pytest.mark.rule("a5e.heal.sources")
def test_healing_names_its_source() -> None:
    table = hurt(10, 25)
    step = table.does(Heal(("ada",), 8, source="Cure Wounds"))
    assert step is not None
    assert table.one("ada").hp == 18
    (line,) = [line for line in step.lines if line.kind == "heal"]
    assert WordCatalogue.load()(line.phrase.key, **dict(line.phrase.params)).count("Cure Wounds") == 1


@pytest.mark.rule("a5e.heal.excess")
def test_healing_beyond_the_maximum_is_lost() -> None:
    table = hurt(22, 25)
    heals(table, 8)
    assert points(table) == (25, 0)
    assert table.happened(Healed)[0].rule == "a5e.heal.excess"


def test_healing_exactly_to_the_maximum_loses_nothing() -> None:
    table = hurt(22, 25)
    heals(table, 3)
    assert table.happened(Healed)[0].rule == "a5e.hp.heal"


@pytest.mark.rule("a5e.heal.dead")
def test_the_dead_are_not_healed_until_restored_to_life() -> None:
    table = hurt(7)
    table.does(SetDead("ada"))
    assert table.one("ada").hp == 0
    refused = table.refuses(Heal(("ada",), 10))
    assert (refused.key, refused.rule) == ("refused.dead", "a5e.heal.dead")
    assert (table.one("ada").dead, table.one("ada").hp) == (True, 0)

    table.does(SetDead("ada", dead=False))
    assert table.happened(RestoredToLife)[0].who == "ada"
    heals(table, 10)
    assert (table.one("ada").dead, table.one("ada").hp) == (False, 10)


@pytest.mark.rule("a5e.heal.dead")
@pytest.mark.parametrize(("figures", "hp", "temp_hp"), [({"hp": 4}, 4, 0), ({"temp_hp": 3}, 0, 3)])
def test_the_dead_are_given_no_points_by_hand_unless_somebody_insists(
    figures: dict[str, int], hp: int, temp_hp: int
) -> None:
    table = hurt(7)
    table.does(SetDead("ada"))
    command = SetHitPoints("ada", **figures)
    refused = table.refuses(command)
    assert (refused.key, refused.rule, refused.params["who"]) == ("refused.dead", "a5e.heal.dead", "Ada")
    table.does(SetHitPoints("ada", hp=0, hp_max=30))
    assert (table.one("ada").hp_max, points(table)) == (30, (0, 0))
    table.does(command, anyway=True)
    assert points(table) == (hp, temp_hp)


def test_a_command_on_several_heals_all_or_none() -> None:
    table = Table("ada", "brand")
    table.does(StartEncounter())
    for who in ("ada", "brand"):
        table.does(SetHitPoints(who, hp=4))
    table.does(Heal(("ada", "brand"), 3))
    assert [table.one(who).hp for who in ("ada", "brand")] == [7, 7]
    table.does(SetDead("brand"))
    table.refuses(Heal(("ada", "brand"), 3))
    assert table.one("ada").hp == 7


@pytest.mark.parametrize("command", [Heal(("ada",), -1), Heal((), 5), Heal(("nobody",), 5), ApplyDamage((), "5")])
def test_nonsense_is_refused(command: Heal | ApplyDamage) -> None:
    table = hurt(10)
    table.refuses(command)


def test_undo_gives_back_every_figure() -> None:
    table = hurt(13)
    before = table.encounter
    damages(table, "30")
    assert table.one("ada").hp == 0
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.one("ada").hp == 0


@pytest.mark.parametrize("command", [Heal(("orc",), 5), SetHitPoints("orc", hp=5)])
def test_whoever_insists_on_healing_the_dead_brings_them_back(command):
    table = Table("ann", "orc")
    table.start(ann=20, orc=10)
    table.does(SetDead("orc"))
    table.does(command, anyway=True)
    assert (table.one("orc").dead, table.one("orc").hp) == (False, 5)
    assert table.happened(RestoredToLife)


# The least damage -----------------------------------------------------------------------------------------------------


@for_each(
    ("damage", "share", "lost"),
    [
        ("1 slashing", "half", 1),
        ("1 fire + 1 bludgeoning", "half", 1),
        ("3 fire + 1 bludgeoning", "half", 1),
        ("0 fire", "half", 0),
        ("1 cold", "half", 6),
        ("1 acid", "half", 0),
        ("1d4-6 slashing", "full", 1),
        ("1d4-6 slashing", "half", 1),
        ("0 slashing", "full", 0),
        ("5 slashing", "half", 2),
    ],
)
def test_a_roll_and_half_of_it_is_one_at_least_where_the_game_says_so(damage: str, share: str, lost: int) -> None:
    block = creature("ada", hp=20, vulnerabilities=("cold 5",), resistances=("acid 5",))
    table = Table(block, rules=pf2e(), scene=Scene(system="pf2e", strictness="warn"))
    table.does(StartEncounter())
    table.dice(2)
    table.does(ApplyDamage(("ada",), damage, share=share))  # type: ignore[arg-type]
    assert 20 - table.one("ada").hp == lost


def test_half_of_one_is_nothing_elsewhere() -> None:
    table = hurt(20)
    table.does(ApplyDamage(("ada",), "1 slashing", share="half"))
    assert points(table) == (20, 0)


@pytest.mark.parametrize(("save", "lost"), [(15, 1), (12, 1), (2, 2)])
def test_a_save_leaves_one_of_what_would_be_nothing(save: int, lost: int) -> None:
    spark = Feature("spark", "Spark", "action", save="dex", dc=15, half=True, damage="1d4-3 fire")
    table = Table(creature("imp", features=(spark,)), creature("ada"), rules=pf2e(), scene=Scene(system="pf2e"))
    table.start(imp=20, ada=10)
    table.dice(save, 2)
    table.does(UseFeature("imp", "spark", targets=("ada",)))
    assert 20 - table.one("ada").hp == lost
