"""The controllers by name, the notation for their methods in tables, and the table of connections of signals.

Tables of actions and connections name a method as `view.scale_by -10`: a service or controller, its method and an
optional argument. A condition such as `status.has_turn` or `view.arrangement=run` names a property, and its value if it
isn't True.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject

from turnwright.ui.docks.dock import Dock
from turnwright.ui.services.services import Controller, Services

CONTROLLERS: Mapping[str, str] = MappingProxyType(
    {
        "add": "controllers.add_controller.AddController",
        "adventure": "controllers.adventure_controller.AdventureController",
        "export": "controllers.print_controller.ExportController",
        "file": "controllers.file_controller.FileController",
        "help": "controllers.rule_controller.HelpController",
        "import": "controllers.import_controller.ImportController",
        "library": "controllers.library_controller.LibraryController",
        "manual": "controllers.add_controller.ManualCommandController",
        "map": "controllers.map_controller.MapController",
        "palette": "controllers.palette_controller.PaletteController",
        "phones": "controllers.phones_controller.PhonesController",
        "players": "docks.players.screen.PlayersScreen",
        "portrait": "controllers.portrait_controller.PortraitController",
        "print": "controllers.print_controller.PrintController",
        "rule": "controllers.rule_controller.RuleController",
        "run": "controllers.run_controller.RunController",
        "version": "controllers.version_controller.VersionController",
        "view": "controllers.view_controller.ViewController",
    }
)


@cache
def controller_class(name: str) -> type[Controller]:
    """Return the class of a controller. Its module is imported on first use."""
    module, _, class_name = CONTROLLERS[name].rpartition(".")
    kind = getattr(import_module(f"turnwright.ui.{module}"), class_name)
    assert issubclass(kind, Controller)
    return kind


def part_of(services: Services, name: str) -> Any:
    """Return a controller by its name in `CONTROLLERS`, or a service by its name in `Services`."""
    return services.controller(controller_class(name)) if name in CONTROLLERS else getattr(services, name)


def call(services: Services, path: str, *arguments: object) -> None:
    """Call the method that a table names, with its own argument and then those given."""
    target, _, own = path.partition(" ")
    name, _, method = target.partition(".")
    getattr(part_of(services, name), method)(*own_arguments(own), *arguments)


def own_arguments(text: str) -> tuple[object, ...]:
    """Return the argument after a method's name: a number, a word, or none."""
    if not text:
        return ()
    return (int(text),) if text.removeprefix("-").isdigit() else (text,)


def condition(path: str) -> Callable[[Services], bool]:
    """Return the function that checks a condition."""
    target, _, expected = path.partition("=")
    name, _, attribute = target.partition(".")

    def is_met(services: Services) -> bool:
        value = getattr(part_of(services, name), attribute)
        return value == expected if expected else bool(value)

    return is_met


CONNECTIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "adventure": {
            "current.entered": "adventure.enter",
            "current.changed": "adventure.show_page",
            "openRequested": "adventure.go_to",
            "addRequested": "adventure.add",
            "findRequested": "adventure.find_file",
            "stepRequested": "adventure.go_on",
            "newRequested": "adventure.ask_new",
            "editRequested": "adventure.edit_step",
        },
        "creature": {"rollClicked": "run.use_roll"},
        "forecast": {
            "openRequested": "view.open_record",
            "saved": "library.notify_saved",
            "empty.otherClicked": "add.open_party",
        },
        "handout": {"sendRequested": "players.send_handout"},
        "journal": {"homeRequested": "run.go_home"},
        "library": {
            "openRequested": "file.open",
            "editRequested": "view.open_record",
            "compareRequested": "library.compare",
            "variantRequested": "library.open_variant_dialog",
            "restRequested": "library.rest_party",
            "partyRequested": "library.open_party",
        },
        "map": {
            "areaRequested": "run.lay_area",
            "findRequested": "map.ask_missing_picture",
            "portraitRequested": "portrait.ask_file",
            "portraitDropped": "portrait.read",
            "portraitPasted": "portrait.paste",
            "portraitRemoved": "portrait.remove",
        },
        "players": {"phonesRequested": "phones.open", "codeRequested": "phones.show_code"},
        "problems": {"editRequested": "view.open_record"},
        "report": {"saved": "library.notify_saved", "printRequested": "print.open_report"},
        "roster": {
            "editRequested": "view.open_record",
            "librarySaved": "library.notify_saved",
            "partyRequested": "add.open_party",
            "partyEditRequested": "add.edit_party",
            "recentRequested": "file.open_recent",
            "samplesRequested": "palette.open_choices open-sample",
        },
        "rules": {"backRequested": "rule.back"},
        "stat-block": {"homeRequested": "run.go_home", "rollClicked": "run.use_roll"},
        "turn": {
            "homeRequested": "run.go_home",
            "areaRequested": "run.lay_area",
            "results.clicked": "docks.focus_dock journal",
            "end.reportRequested": "docks.focus_dock report",
            "end.partyRequested": "library.keep_party",
            "end.againRequested": "run.start",
            "end.resetRequested": "run.reset",
            "action_bar.targetRequested": "run.choose_target",
        },
        "turn-order": {
            "manualCommandRequested": "manual.open_form",
            "amountRequested": "run.write_amount",
            "conditionRequested": "run.open_condition",
            "checkRequested": "run.open_checks",
            "addRequested": "add.open_quick_add",
            "beginRequested": "run.begin",
        },
        "window": {
            "applicationStateChanged": "version.look_at_file",
            "dragged": "import.handle_drag",
            "resized": "layout.follow_size",
            "ruleRequested": "rule.open",
        },
    }
)


def connect_dock(dock: Dock, services: Services) -> None:
    """Give a panel the services that it uses, and connect its signals."""
    dock.use_services(services)
    connect(dock.name, dock, services)


def connect(name: str, owner: QObject, services: Services) -> None:
    """Connect the signals of an object to the methods that the table names. Controllers are created on first use."""
    for signal, path in CONNECTIONS.get(name, {}).items():
        attrgetter(signal)(owner).connect(partial(call, services, path))
