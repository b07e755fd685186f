"""The commands and stages that are found in the packages of play."""

import importlib

from turnwright.play.kernel.commands import handler_of
from turnwright.play.registry import command_types


def test_each_module_of_a_folder_of_commands_holds_one_command_and_its_handler(repository):
    folder = repository / "desktop" / "turnwright" / "play"
    modules = {path.relative_to(folder).with_suffix("") for path in folder.glob("*/commands/[a-z]*.py")}
    names = [".".join(("turnwright.play", *path.parts)) for path in modules]
    assert sorted(kind.__module__ for kind in command_types().values()) == sorted(names)
    for kind in command_types().values():
        module = importlib.import_module(kind.__module__)
        assert handler_of(kind.__new__(kind)) is module.handle
