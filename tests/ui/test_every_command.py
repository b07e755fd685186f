"""Each command of play is made somewhere in the window."""

import ast
from pathlib import Path

import rtoml

from turnwright.play.registry import command_types
from turnwright.ui.dialogs.manual_commands import manual_commands


def made_in(folder: Path) -> set[str]:
    """The names of all that is called in a folder's modules."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                found.add(getattr(node.func, "id", getattr(node.func, "attr", "")))
    return found


def test_every_command_has_a_control_in_the_window(repository):
    known = set(command_types())
    actions = rtoml.load(repository / "resources" / "actions.toml")
    assert len(known) > 50
    in_table = {spec["command"]["type"] for spec in actions.values() if "command" in spec}
    manual = {one.command.__name__ for one in manual_commands().values()}
    of_scripts = {"CastSpell"}  # the spell card gives the orders for which `cast` is short
    assert known - made_in(repository / "desktop" / "turnwright" / "ui") - manual - in_table == of_scripts
