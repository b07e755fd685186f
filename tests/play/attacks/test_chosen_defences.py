"""Bonuses to AC that the game master allows for each attack."""

import pytest

from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature
from turnwright.play.attacks.attack_request import Attack, Attacked

CLUB = Feature("club", "Club", "action", attack=5, reach=5, damage="1d6 bludgeoning", properties=("weapon",))
SCALES = Feature(
    "scales", "Scales", rules=(DataRule("modifier", "ac", add=5),), automation="asks", text="While in water, +5 to AC."
)


@pytest.mark.parametrize("game", [a5e, dnd5e, pf2e])
@pytest.mark.parametrize(("facts", "outcome"), [((), "hit"), (("target.chosen:scales",), "miss")])
def test_a_bonus_to_ac_counts_if_the_game_master_allows_it(game, facts, outcome):
    table = Table(
        creature("ann", features=(CLUB,)), creature("drake", ac=15, features=(SCALES,)), foes=("drake",), rules=game()
    )
    table.start(ann=20, drake=10)
    table.dice(12, 3)
    table.does(Attack("ann", "drake", "club", facts=facts))
    assert table.happened(Attacked)[0].outcome == outcome
