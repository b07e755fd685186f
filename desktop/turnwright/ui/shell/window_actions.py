"""The actions of the window, from `resources/actions.toml`, and an action for each panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import rtoml

from turnwright.storage.resources import read_text
from turnwright.ui.controllers.view_controller import ViewController
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.services.actions import ActionLook, ActionSpec, ActionTable, always
from turnwright.ui.services.services import Services
from turnwright.ui.shell.controllers import call, condition

MENUS = ("file", "edit", "add", "map", "run", "manual", "players", "view", "help")
BEFORE_DOCKS = "previous-dock"
MANUAL = "manual-"


def action_table() -> ActionTable[Services]:
    """Return the table of the window's actions."""
    return ActionTable(tuple(_actions(action_rows())), MENUS)


def action_rows() -> dict[str, dict[str, Any]]:
    """Return the rows of `resources/actions.toml` by action."""
    return rtoml.loads(read_text("actions.toml"))


def _actions(rows: Mapping[str, dict[str, Any]]) -> Iterator[ActionSpec[Services]]:
    for id, row in rows.items():
        trigger = _trigger(id, row.pop("does", ""), row.pop("command", None))
        when, checked = row.pop("when", ""), row.pop("checked", "")
        look = msgspec.convert(row, ActionLook)
        yield ActionSpec(
            id, look, trigger, condition(when) if when else always, condition(checked) if checked else None
        )
        if id == BEFORE_DOCKS:
            yield from (_dock_action(spec.id, separator=number == 0) for number, spec in enumerate(DOCKS))


def _trigger(id: str, does: str, command: object) -> Callable[[Services], object]:
    """Return the function of an action: a method, a command, or the form of a manual command."""
    if command is not None:
        return lambda services: _execute(services, command)
    if id.startswith(MANUAL):
        does = f"manual.open_form {id.removeprefix(MANUAL)}"
    return lambda services: call(services, does)


def _execute(services: Services, fields: Any) -> None:
    from turnwright.play.registry import command_types

    services.document.execute(msgspec.convert(fields, command_types()[fields["type"]]))


def _dock_action(id: str, *, separator: bool) -> ActionSpec[Services]:
    return ActionSpec(
        f"dock-{id}",
        ActionLook("view", separator=separator, submenu="panels"),
        lambda services: services.controller(ViewController).toggle_dock(id),
        checked_when=lambda services: services.docks.is_open(id),
    )
