"""The table of connections: what each signal of a panel or the window calls. The notation is explained in `shell/controllers.py`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from types import MappingProxyType

from PySide6.QtCore import QObject

from turnwright.ui.docks.dock import Dock
from turnwright.ui.services.services import Services
from turnwright.ui.shell.controllers import call

CONNECTIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "creature": {"rollClicked": "run.use_roll"},
        "forecast": {"openRequested": "view.open_record", "saved": "library.notify_saved"},
        "handout": {"sendRequested": "players.send_handout"},
        "journal": {"homeRequested": "run.go_home"},
        "library": {
            "openRequested": "file.open",
            "editRequested": "view.open_record",
            "compareRequested": "library.compare",
            "variantRequested": "library.open_variant_dialog",
            "restRequested": "library.rest_party",
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
            "recentRequested": "file.open_recent",
            "samplesRequested": "palette.open_choices open-sample",
        },
        "rules": {"backRequested": "rule.back"},
        "stat-block": {"homeRequested": "run.go_home", "rollClicked": "run.use_roll"},
        "turn": {
            "homeRequested": "run.go_home",
            "areaRequested": "run.lay_area",
            "results.clicked": "docks.focus_dock journal",
            "empty.reportRequested": "docks.focus_dock report",
            "empty.partyRequested": "library.keep_party",
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
