"""Explanations opened with `?`."""

from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.running import Combatant
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.prepared_records import Add
from turnwright.ui.docks.shared.why_fight import explain_hit_points, explain_turn_order_row

LINES = {"range for hearing quiet sounds": "15 ft", "normal distance for sounds": "× 2"}


def test_a_combatant_hears_as_its_environment_lets_it(fight):
    def heard():
        lines = explain_turn_order_row(fight, "mira").lines
        return {line.reason: line.value for line in lines if line.reason in LINES}

    assert heard() == {}
    gale = EnvironmentEntry("gale", "Gale", hearing=15, sound=2)
    fight.execute(Add((Environment("moor", "Moor", features=(gale,)),)))
    assert heard() == LINES


def test_a_changed_maximum_is_explained_by_the_stat_block_and_its_effects(fight):
    fight.execute(ApplyCondition(("mira",), "life-drained", 9))
    most = fight.encounter.need(Combatant, "mira").hp_max
    lines = [(line.value, line.reason) for line in explain_hit_points(fight, "mira").lines]
    assert str(most + 9) in [value for value, _ in lines]
    assert any(value == "−9" and "Life drained" in text for value, text in lines)
