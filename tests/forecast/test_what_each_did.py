"""Damage, healing and uses of each action: added up by kind of creature, and the actions that nobody chooses."""

from __future__ import annotations

import msgspec
import pytest

from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, small_fight
from turnwright.encounter.prepared import Creature, Feature, RosterEntry
from turnwright.encounter.state import Change
from turnwright.forecast.sentences import main_actions, main_sources
from turnwright.workspace.fight_forecast import FightForecast, run_forecast
from turnwright.workspace.kernel_library import await_kernels

BOLT = Feature("bolt", "Bolt", "action", save="dex", dc=60, damage="10 fire")
SPARK = Feature("spark", "Spark", "action", save="dex", dc=60, damage="1 fire")
STING = Feature("sting", "Sting", "action", save="dex", dc=60, damage="3 poison")
MEND = Feature("mend", "Mend", "action", heals="8", range="60")


def fight(system: str, *, copies: int = 1, hp: int = 20, allies: tuple[Creature, ...] = ()) -> FightForecast:
    """A mage with a good and a poor spell against creatures that sting, which take a bolt each or two."""
    await_kernels()
    mage, asp = single(system, "mage", BOLT, SPARK, hp=60), single(system, "asp", STING, hp=hp)
    encounter = small_fight(system, [mage, *allies], [asp])
    entry = encounter.need(RosterEntry, "asp")
    change = Change((RosterEntry.table, "asp"), entry, msgspec.structs.replace(entry, count=copies))
    return run_forecast(encounter.with_changes([change]), SYSTEMS.get(system), 50, seed=1)


def single(system: str, id: str, *features: Feature, hp: int) -> Creature:
    """Return a creature that can use one feature a turn."""
    pools = {"pools": (("action", 1), ("reaction", 0))} if system == "action_points" else {}
    price = 3 if system == "pf2e" else 1
    return fighter(id, *(msgspec.structs.replace(each, price=price) for each in features), hp=hp, **pools)


@pytest.mark.parametrize("system", GAMES)
def test_each_action_has_its_uses_and_its_damage(system):
    found = {(one.owner, one.item): one for one in fight(system).outlook.actions}
    bolt, spark, sting = found["mage", "bolt"], found["mage", "spark"], found["asp", "sting"]
    assert (bolt.uses, bolt.damage, bolt.healing) == (2, 20, 0)
    assert (spark.uses, spark.damage) == (0, 0)
    assert (sting.uses, sting.damage) == (1, 3)


@pytest.mark.parametrize("system", GAMES)
def test_copies_of_a_creature_count_together(system):
    result = fight(system, copies=3)
    lookup, outlook = result.encounter, result.outlook
    sources = main_sources(lookup, outlook, 9)
    assert [each.name for each in sources] == ["Sting (Asp)"]
    assert sources[0].damage == pytest.approx(sum(each.damage for each in outlook.sources))
    (stung,) = main_actions(lookup, outlook, 9, party=False)
    assert stung.name == "Sting (Asp)"
    assert (stung.damage, 3 * stung.uses) == pytest.approx((sources[0].damage, sources[0].damage))
    assert [each.name for each in main_actions(lookup, outlook, 9, party=True)] == ["Bolt (Mage)"]


@pytest.mark.parametrize("system", GAMES)
def test_healing_counts_for_its_action(system):
    result = fight(system, hp=40, allies=(single(system, "healer", MEND, hp=4),))
    mend = next(action for action in result.outlook.actions if action.item == "mend")
    shown = next(
        each for each in main_actions(result.encounter, result.outlook, 9, party=True) if each.owner == "healer"
    )
    assert mend.healing == shown.healing == 3 * mend.uses > 0
    assert mend.damage == 0


@pytest.mark.parametrize("system", GAMES)
def test_features_that_no_fight_uses_are_listed(system):
    lists = {note.item: note.list for note in fight(system).outlook.notes if note.item}
    assert lists == {"bolt": "used", "spark": "never-chosen", "sting": "used"}
