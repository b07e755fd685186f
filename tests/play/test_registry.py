"""The commands and stages that are found in the packages of play."""

import importlib

from turnwright.play.kernel.commands import handler_of
from turnwright.play.registry import command_types
from turnwright.play.turns.commands import end_turn


def test_each_module_of_a_folder_of_commands_holds_one_command_and_its_handler(repository):
    folder = repository / "desktop" / "turnwright" / "play"
    modules = {path.relative_to(folder).with_suffix("") for path in folder.glob("*/commands/[a-z]*.py")}
    names = [".".join(("turnwright.play", *path.parts)) for path in modules]
    assert sorted(kind.__module__ for kind in command_types().values()) == sorted(names)
    assert all(callable(importlib.import_module(name).handle) for name in names)


def test_the_handler_stands_beside_the_command():
    assert handler_of(end_turn.EndTurn()) is end_turn.handle
