"""The tables of actions and connections: each row names a method or a property that exists."""

import inspect
from collections.abc import Callable
from operator import attrgetter

import msgspec
from PySide6.QtCore import SignalInstance

from tests.for_each import for_each
from turnwright.play.registry import command_types
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.services.services import Services
from turnwright.ui.shell.controllers import (
    CONNECTIONS,
    CONTROLLERS,
    condition,
    controller_class,
    own_arguments,
    part_of,
)
from turnwright.ui.shell.window_actions import MANUAL, PANELS, action_rows, action_table

ROWS = action_rows()


def method_of(services: Services, path: str) -> Callable[..., object]:
    name, _, method = path.partition(".")
    is_panel = name in DOCKS and name not in CONTROLLERS
    return attrgetter(method)(services.docks.dock(name) if is_panel else part_of(services, name))


def arguments_fit(services: Services, path: str) -> bool:
    target, _, own = path.partition(" ")
    method = method_of(services, target)
    if inspect.ismethod(method):  # Qt's own methods have no signature
        inspect.signature(method).bind(*own_arguments(own))
    return callable(method_of(services, own) if "." in own else method)


@for_each("id", ROWS)
def test_each_action_does_something_that_exists(id, window):
    row = ROWS[id]
    if command := row.get("command"):
        msgspec.convert(command, command_types()[command["type"]])
    elif not id.startswith(MANUAL):
        assert arguments_fit(window.content.services, row["does"])


@for_each("path", sorted({row[key] for row in ROWS.values() for key in ("when", "checked") if key in row}))
def test_each_condition_can_be_checked(path, window):
    assert condition(path)(window.content.services) in (True, False)


def test_every_controller_can_be_found():
    assert all(controller_class(name) for name in CONTROLLERS)
    assert len(action_table().specs) == len(ROWS) + len(PANELS)


def test_every_connection_leads_from_a_signal_to_a_method(window):
    owners = {dock.name: dock for dock in map(window.content.docks.dock, DOCKS)}
    owners["window"] = window
    assert CONNECTIONS.keys() <= owners.keys()
    for name, table in CONNECTIONS.items():
        for signal, path in table.items():
            owner = owners[name]
            *parts, last = signal.split(".")
            for part in parts:
                owner = getattr(owner, part)
            assert isinstance(getattr(owner, last), SignalInstance), signal
            target, _, own = path.partition(" ")
            assert callable(method_of(window.content.services, own if "." in own else target)), path
