"""The table of the window's actions, whose look is data."""

from turnwright.ui.shell.action_commands import COMMANDS
from turnwright.ui.shell.window_actions import CHECKED, CHOICES, ENABLED, TRIGGERS, action_table


def test_every_function_belongs_to_an_action_of_the_table():
    specs = {spec.id: spec for spec in action_table().specs}
    assert {*COMMANDS, *TRIGGERS, *CHOICES, *CHECKED} <= set(specs)
    assert {id for id, spec in specs.items() if spec.trigger is None} == set(COMMANDS)
    assert {spec.enabled_when for spec in specs.values()} == set(ENABLED.values())
