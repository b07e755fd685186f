"""Damage entered with a save: rolled once, shared by saves, with a condition for those who fail."""

from __future__ import annotations

import pytest

from tests.table import Table, creature, dnd5e, pf2e
from turnwright.play.damage.damage_roll import DealDamageWithSave
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import Rolled
from turnwright.rules.system import RuleSystem
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook

FOES = ("orc", "imp", "hag")
FIRE = DealDamageWithSave(FOES, "6d6 fire", "dex", 15, half=True, source="Ada")


def fight(rules: RuleSystem | None = None) -> Table:
    blocks = (creature("orc", hp=50), creature("imp", hp=50, resistances=("fire",)), creature("hag", hp=50))
    table = Table("ada", *blocks, foes=FOES, rules=rules or dnd5e())
    table.start(ada=20, orc=10, imp=9, hag=8)
    return table


def hp(table: Table) -> list[int]:
    return [table.one(who).hp for who in FOES]


def test_saves_and_damage_are_asked_together_and_resistance_counts() -> None:
    table = fight()
    table.does(FIRE)
    assert [ask.id for ask in table.prompt.asks] == [*FOES, "*damage"]
    table.answers(orc="15", imp="14", hag="20", **{"*damage": "21"})
    assert hp(table) == [40, 40, 40]
    assert [one.passed for one in table.happened(Rolled)] == [True, False, True, None]


def test_without_half_a_save_leaves_nothing_and_the_condition_is_for_those_who_fail() -> None:
    table = fight()
    table.does(DealDamageWithSave(FOES, "10", "con", 12, condition="poisoned", rounds=2, by="ada"))
    table.answers(orc="12", imp="3", hag="4")
    assert hp(table) == [50, 40, 40]
    assert ["poisoned" in table.effects(who) for who in FOES] == [False, True, True]
    table.ends_turn(8)
    assert "poisoned" not in table.effects("imp")


def test_without_a_save_everybody_takes_it_and_the_condition() -> None:
    table = fight()
    table.does(DealDamageWithSave(("orc",), "12 cold", condition="prone"))
    assert (table.one("orc").hp, "prone" in table.effects("orc"), table.prompts) == (38, True, [])


def test_the_share_of_each_may_be_confirmed() -> None:
    table = fight()
    table.does(DealDamageWithSave(FOES, "20 fire", "dex", 15, half=True, confirm=True))
    table.answers(orc="15", imp="1", hag=None)
    assert [(ask.who, ask.suggested) for ask in table.prompt.asks] == [("orc", ("half",)), ("imp", ("full",))]
    table.answers(orc=("none",), imp=("double",))
    assert hp(table) == [50, 30, 50]


@pytest.mark.parametrize(("roll", "left"), [("25", 50), ("15", 40), ("14", 30), ("5", 10)])
def test_a_basic_save_goes_by_degrees(roll: str, left: int) -> None:
    table = fight(pf2e())
    table.does(DealDamageWithSave(("orc",), "20 fire", "dex", 15, half=True))
    table.answers(orc=roll)
    assert table.one("orc").hp == left


def test_it_is_undone_step_by_step() -> None:
    table = fight()
    table.does(FIRE)
    table.answers(orc="1", imp="1", hag="1", **{"*damage": "10"})
    assert hp(table) == [40, 45, 40]
    table.session.undo()
    assert (hp(table), len(table.prompts)) == ([50, 50, 50], 1)
    table.session.undo()
    assert table.prompts == []


def test_a_save_without_a_dc_is_refused() -> None:
    assert fight().refuses(DealDamageWithSave(("orc",), "5", "dex")).key == "refused.save_without_dc"


def test_the_journal_says_for_how_long_or_what_ends_it() -> None:
    table = fight()
    words = Phrasebook(WordCatalogue.load(), table.rules)
    told = []
    for put in (
        ApplyCondition(("orc",), "poisoned", rounds=3, by="ada"),
        ApplyCondition(("imp",), "blinded", save="con", dc=13),
    ):
        step = table.does(put)
        assert step is not None
        told += [words.phrase_text(line.phrase) for line in step.lines]
    assert told == [
        "Orc: Poisoned (by Ada) for 3 rounds",
        "Imp: Blinded until a save ends it (Constitution save, DC 13)",
    ]
