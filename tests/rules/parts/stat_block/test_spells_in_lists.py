"""Spells that a list names: those without figures stand in the list alone, the others have lines of their own."""

from __future__ import annotations

from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Feature, FeatureStep
from turnwright.play.actions.use_feature import UseFeature
from turnwright.rules.parts.economy.limited_uses import uses_at_head
from turnwright.rules.parts.stat_block.features import feature_paragraphs
from turnwright.rules.parts.stat_block.prose import StatBlockNames

CASTING = Feature("spells", "Spells", text="1st: Fear, Charm", properties=("spell",), does=(FeatureStep(use="fear"),))
CHARM = Feature("charm", "Charm", "action", price=2, properties=("spell",), uses=1, text="Rank 1")
FEAR = Feature("fear", "Fear", "action", price=2, properties=("spell",), save="wis", dc=20)


def shown(*features: Feature) -> list[str]:
    names = StatBlockNames(pf2e().data, lambda key, /, **_: key)
    return [line.about for _, lines in feature_paragraphs(creature("mage", features=features), names) for line in lines]


def test_a_spell_without_figures_stands_in_its_list_alone() -> None:
    assert shown(CASTING, CHARM, FEAR) == ["feature:spells", "feature:fear"]


def test_a_spell_that_no_list_names_has_its_line() -> None:
    assert shown(CHARM, FEAR) == ["feature:charm", "feature:fear"]


def test_uses_of_spells_stand_at_the_head_once_one_is_spent() -> None:
    breath = Feature("breath", "Breath", "action", save="dex", dc=20, damage="1d6 fire", recharge=5)
    block = creature("mage", features=(CASTING, CHARM, breath))
    table = Table("ann", block, foes=("mage",), rules=pf2e())
    table.start(mage=20, ann=10)
    assert [one.name for one in uses_at_head(table.encounter, "mage")] == ["recharge.breath"]
    table.does(UseFeature("mage", "charm", targets=("ann",)))
    assert [one.name for one in uses_at_head(table.encounter, "mage")] == ["uses.charm", "recharge.breath"]
