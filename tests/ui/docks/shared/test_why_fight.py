"""Explanations opened with `?`."""

from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.play.setup.prepared_records import Add
from turnwright.ui.docks.shared.why_fight import explain_turn_order_row

LINES = {"range for hearing quiet sounds": "15 ft", "normal distance for sounds": "× 2"}


def test_a_combatant_hears_as_its_environment_lets_it(fight):
    def heard():
        lines = explain_turn_order_row(fight, "mira").lines
        return {line.reason: line.value for line in lines if line.reason in LINES}

    assert heard() == {}
    gale = EnvironmentEntry("gale", "Gale", hearing=15, sound=2)
    fight.execute(Add((Environment("moor", "Moor", features=(gale,)),)))
    assert heard() == LINES
