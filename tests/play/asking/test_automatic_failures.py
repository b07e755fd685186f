"""Saves that fail whatever the dice show: for whoever lies senseless, by strength and by quickness."""

import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import DamageTaken, Rolled

BREATH = Feature("breath", "Breath", "action", save="dex", dc=10, damage="6 fire", half=True)


def asleep(strictness, save="dex"):
    table = Table(creature("drake", features=(BREATH,)), "ann", foes=("drake",), scene=Scene(strictness=strictness))
    table.start(drake=20, ann=10)
    table.does(ApplyCondition(("ann",), "unconscious"))
    table.dice(20)
    given = Feature("breath", "Breath", "action", save=save, dc=10, damage="6 fire", half=True)
    table.does(UseFeature("drake", given=given, targets=("ann",)))
    return table


@pytest.mark.rule("a5e.external.unconscious")
@pytest.mark.parametrize("save", ["str", "dex"])
def test_the_senseless_fail_by_themselves_where_rules_are_enforced(save):
    table = asleep("enforce", save)
    (rolled,) = [event for event in table.happened(Rolled) if event.purpose == "ask.save"]
    assert rolled.passed is False
    assert table.happened(DamageTaken)[-1].taken == 6


def test_a_save_of_the_mind_is_rolled_all_the_same():
    assert asleep("enforce", "wis").happened(DamageTaken)[-1].taken == 3


@pytest.mark.rule("a5e.external.unconscious")
@pytest.mark.parametrize(("said", "taken"), [("yes", 6), ("no", 3)])
def test_elsewhere_it_is_a_suggestion(said, taken):
    table = asleep("warn")
    offer, roll = table.prompt.asks
    assert (offer.rule, offer.detail) == ("a5e.external.unconscious", "<condition.unconscious>")
    assert roll.spec.fails == "<condition.unconscious>"
    table.does(Answer(table.prompt.id, (Reply(offer.id, chosen=(f"{said}:{offer.rule}",)),), table.prompt.revision))
    assert table.happened(DamageTaken)[-1].taken == taken


@pytest.mark.rule("a5e.external.unconscious")
def test_a_roll_may_be_made_at_once_and_be_told_to_fail():
    table = asleep("warn")
    table.does(Answer(table.prompt.id, (Reply("ann", chosen=("failed",)),), table.prompt.revision))
    assert table.happened(DamageTaken)[-1].taken == 6
