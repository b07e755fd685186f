"""The tables of actions and connections: each row names a method or a property that exists."""

import inspect

import msgspec
import pytest
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QMainWindow

from turnwright.play.registry import command_types
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.docks.docking import DockLayout, Docks
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.encounter_status import EncounterStatus
from turnwright.ui.services.services import Jobs
from turnwright.ui.shell.controllers import CONNECTIONS, CONTROLLERS, controller_class, own_arguments
from turnwright.ui.shell.window_actions import MANUAL, PANELS, action_rows, action_table

SERVICES = {
    "window": QMainWindow,
    "document": DocumentModel,
    "status": EncounterStatus,
    "jobs": Jobs,
    "docks": Docks,
    "layout": DockLayout,
}
ROWS = action_rows()


def class_of(name: str) -> type:
    return controller_class(name) if name in CONTROLLERS else SERVICES[name]


def arguments_fit(path: str) -> bool:
    target, _, own = path.partition(" ")
    name, _, method = target.partition(".")
    function = getattr(class_of(name), method)
    if class_of(name) is not QMainWindow:  # Qt's own methods have no signature
        inspect.signature(function).bind(None, *own_arguments(own))
    return callable(function)


@pytest.mark.parametrize("id", ROWS)
def test_each_action_does_something_that_exists(id):
    row = ROWS[id]
    if command := row.get("command"):
        msgspec.convert(command, command_types()[command["type"]])
    elif not id.startswith(MANUAL):
        assert arguments_fit(row["does"])


@pytest.mark.parametrize(
    "path", sorted({row[key] for row in ROWS.values() for key in ("when", "checked") if key in row})
)
def test_each_condition_names_a_property(path):
    name, _, attribute = path.partition("=")[0].partition(".")
    if attribute != "arrangement":  # an attribute of each layout
        assert isinstance(getattr(class_of(name), attribute), property)


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
            target, method = path.partition(" ")[0].split(".")
            assert callable(getattr(class_of(target), method)), path
