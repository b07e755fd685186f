"""Lists that open over the window: the command palette, and the choices of an action."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import call
from typing import TYPE_CHECKING, Any, cast

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, Handout, Reminder, Treasure
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import key_of
from turnwright.play.kernel.transaction import record_name
from turnwright.ui.controllers.add_controller import AddController
from turnwright.ui.controllers.adventure_controller import AdventureController
from turnwright.ui.controllers.file_controller import FileController
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.controllers.print_controller import ExportController
from turnwright.ui.controllers.rule_controller import RuleController
from turnwright.ui.controllers.run_controller import RUN_CHOICES
from turnwright.ui.controllers.view_controller import DOCK_OF_TABLE, ViewController
from turnwright.ui.dialogs.palette import CommandPalette, PaletteEntry, palette_entries
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.docks.editing.inspector import change_system
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.look.style import tr
from turnwright.ui.models.world import reminder_title
from turnwright.ui.services.actions import without_mnemonic
from turnwright.ui.services.library import default_library
from turnwright.ui.services.services import Controller, Services
from turnwright.workspace.files import system_title

if TYPE_CHECKING:
    from turnwright.ui.controllers.run_controller import Choice
    from turnwright.ui.docks.turn.dock import TurnDock


class EntryGroup(msgspec.Struct):
    """Palette entries of one kind: a hint (text key), an icon, and a function that is called with a row's argument.

    If `is_searched`, the entries appear only in search results.
    """

    hint: str
    icon: str
    run: Callable[[Any], object]
    rows: Sequence[tuple[str, object]]
    is_searched: bool = False


class PaletteController(Controller):
    """Opens lists over a window, one at a time."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._list: CommandPalette | None = None
        self._files = services.controller(FileController)
        self._view = services.controller(ViewController)
        self._choices: dict[str, Callable[[], Sequence[Choice]]] = {
            "open-sample": self._files.sample_choices,
            "open-recent": self._files.recent_choices,
            "export": services.controller(ExportController).choices,
            "add-to-adventure": services.controller(AdventureController).choices,
        }

    def open_palette(self) -> None:
        """Open the command palette."""
        self._open(self._entries)

    def open_choices(self, id: str) -> None:
        """Open the list of choices of an action."""
        self._open(lambda: self.choices(id))

    def choices(self, id: str) -> Sequence[PaletteEntry]:
        """Return the choices of an action."""
        listed = self._choices[id]() if id in self._choices else RUN_CHOICES[id](self._document)
        return [PaletteEntry(text, run, hint) for text, hint, run in listed]

    def _open(self, entries: Callable[[], Sequence[PaletteEntry]]) -> None:
        if self._list is not None:
            self._list.deleteLater()
        self._list = CommandPalette(self._window, entries)
        self._list.open_over(self._window)

    def _entries(self) -> Sequence[PaletteEntry]:
        """Return all palette entries: enabled actions, some of their choices, and the groups."""
        actions = self._services.actions
        assert actions is not None
        entries = list(palette_entries(actions))
        lists = ["open-sample", "export", *(["go-to-turn"] if self._services.status.phase == "rounds" else [])]
        for id in lists:
            hint = without_mnemonic(tr(f"ui.action.{id}")).rstrip("…")
            entries += [PaletteEntry(choice.text, choice.run, hint) for choice in self.choices(id)]
        for group in self._groups():
            hint = tr(group.hint)
            entries += [
                PaletteEntry(
                    text, partial(group.run, argument), hint, icon=group.icon, only_on_search=group.is_searched
                )
                for text, argument in group.rows
            ]
        return entries

    def _groups(self) -> Iterator[EntryGroup]:
        """Yield the choices of this turn, combatants, prepared records, other rule systems, library creatures and rules."""
        document, edit = self._document, self._view.edit_record
        turn = cast("TurnDock | None", self._services.docks.built("turn"))
        yield EntryGroup("ui.palette.action", "sword-cross", call, list(turn.choices()) if turn else ())
        encounter, systems = document.encounter, document.source.systems
        combatants = [(combatant.label, key_of(combatant)) for combatant in encounter.all(Combatant)]
        yield EntryGroup("ui.palette.combatant", "account", self._view.open_record, combatants)
        for kind in (Creature, Environment, Countdown, Treasure, Handout, Reminder):
            name: Callable[[Any], str] = reminder_title if kind is Reminder else record_name
            dock, rows = DOCK_OF_TABLE[kind.table], [(name(record), key_of(record)) for record in encounter.all(kind)]
            yield EntryGroup(f"ui.{dock}.title", DOCKS[dock].icon, edit, rows)
        games = [
            (tr("ui.change-system.title", name=system_title(systems, id)), id)
            for id in systems.ids
            if id != document.rules.id
        ]
        yield EntryGroup("ui.palette.game", "swap-horizontal", self._change_system, games, is_searched=True)
        creatures = [(entry.name, entry) for entry in self._files.library_creatures()]
        add = self._services.controller(AddController).add_from_library
        yield EntryGroup("ui.palette.library", "playlist-plus", add, creatures, is_searched=True)
        parties = [(entry.name, entry) for entry in default_library().parties(document.rules.id)]
        open_party = self._services.controller(LibraryController).open_entry
        yield EntryGroup("ui.palette.party", "account-group", open_party, parties, is_searched=True)
        rules = [(rule.title, rule.id) for rule in explainer(document).ledger.rules.values()]
        open_rule = self._services.controller(RuleController).open
        yield EntryGroup("ui.rules.palette", "book-open-variant", open_rule, rules, is_searched=True)

    def _change_system(self, system: str) -> None:
        change_system(self._document, system, self._window)
