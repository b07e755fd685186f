"""The commands, events and stages that are found in the packages of play."""

from turnwright.play.kernel.transaction import Command
from turnwright.play.registry import command_types


def test_every_command_says_what_it_does():
    missing = [kind.__name__ for kind in command_types().values() if kind.handle is Command.handle]
    assert missing == []


def test_commands_are_found_under_their_class_names():
    commands = command_types()
    assert len(commands) > 90
    assert [name for name, kind in commands.items() if name != kind.__name__] == []
