"""Connects the signals of docks to slots of the window. Docks don't know each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import msgspec
from PySide6.QtWidgets import QDockWidget

from turnwright.encounter.state import Key

if TYPE_CHECKING:
    from turnwright.encounter.prepared import Creature, Party
    from turnwright.handouts.print_document import Edition
    from turnwright.ui.controllers.players_controller import PlayersController
    from turnwright.ui.controllers.portrait_controller import PortraitController
    from turnwright.ui.docks.library.actions import ComparedEntry
    from turnwright.workspace.settings import Settings


class WindowSlots(msgspec.Struct, frozen=True):
    """The window's services for docks. Each field is the slot for a signal."""

    open_record: Callable[[Key | None], object]
    open_file: Callable[[str], object]
    leave_rules: Callable[[], object]
    open_manual_form: Callable[[str], object]
    use_roll: Callable[..., object]
    go_home: Callable[[], object]
    begin_rounds: Callable[[], object]
    choose_target: Callable[[], object]
    lay_area: Callable[..., object]
    show_journal: Callable[[], object]
    portraits: Callable[[], PortraitController]
    find_map_picture: Callable[[], object]
    show_report: Callable[[], object]
    print_report: Callable[[Edition], object]
    players: Callable[[], PlayersController]
    open_phones: Callable[[], object]
    show_phone_code: Callable[[], object]
    keep_party: Callable[[], object]
    rest_party: Callable[[Party, str], object]
    write_amount: Callable[[str], object]
    open_condition: Callable[[], object]
    open_checks: Callable[[], object]
    open_quick_add: Callable[[], object]
    open_choices: Callable[[str], object]
    recent_choices: Callable[[], Sequence[tuple[str, str, Callable[[], object]]]]
    notify_saved: Callable[[str], object]
    compare: Callable[[ComparedEntry, ComparedEntry], object]
    ask_save_path: Callable[..., Path | None]
    settings: Callable[[], Settings]
    update_settings: Callable[..., object]
    open_variant_dialog: Callable[[ComparedEntry, Callable[[Creature, str], object]], object]


@runtime_checkable
class ConnectableDock(Protocol):
    """A dock whose signals can be connected to the window."""

    def connect_slots(self, slots: WindowSlots) -> None:
        """Connect the dock's signals to the slots of the window."""


def connect_dock(dock: QDockWidget, slots: WindowSlots) -> None:
    """Connect a dock's signals to the window, if it has any."""
    if isinstance(dock, ConnectableDock):
        dock.connect_slots(slots)
