"""Lists that open over the window: the command palette, and the choices of an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from turnwright.encounter.prepared import Countdown, Creature, Environment, Handout, Reminder, Treasure
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import key_of
from turnwright.ui.controllers.add_controller import AddController
from turnwright.ui.controllers.export_controller import ExportController
from turnwright.ui.controllers.file_controller import FileController
from turnwright.ui.controllers.rule_controller import RuleController
from turnwright.ui.controllers.view_controller import ViewController
from turnwright.ui.look.translations import tr
from turnwright.ui.models.reminder_texts import reminder_title
from turnwright.ui.services.actions import without_mnemonic
from turnwright.ui.services.services import Controller, Services

if TYPE_CHECKING:
    from turnwright.ui.controllers.run_choices import Choice
    from turnwright.ui.dialogs.palette import CommandPalette, PaletteEntry


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
        }

    def open_palette(self) -> None:
        """Open the command palette."""
        self._open(self._entries)

    def open_choices(self, id: str) -> None:
        """Open the list of choices of an action."""
        self._open(lambda: self.choices(id))

    def choices(self, id: str) -> Sequence[PaletteEntry]:
        """Return the choices of an action."""
        from turnwright.ui.controllers.run_choices import RUN_CHOICES
        from turnwright.ui.dialogs.palette import PaletteEntry

        listed = self._choices[id]() if id in self._choices else RUN_CHOICES[id](self._document)
        return [PaletteEntry(text, run, hint) for text, hint, run in listed]

    def _open(self, entries: Callable[[], Sequence[PaletteEntry]]) -> None:
        from turnwright.ui.dialogs.palette import CommandPalette

        if self._list is not None:
            self._list.deleteLater()
        self._list = CommandPalette(self._window, entries)
        self._list.open_over(self._window)

    def _entries(self) -> Sequence[PaletteEntry]:
        """Return all palette entries: enabled actions, some of their choices, combatants, records, rules and so on."""
        from turnwright.ui.dialogs.palette import PaletteEntry, palette_entries

        actions = self._services.actions
        assert actions is not None
        entries = list(palette_entries(actions))
        lists = ["open-sample", *(["go-to-turn"] if self._services.status.phase == "rounds" else [])]
        for id in lists:
            hint = without_mnemonic(tr(f"ui.action.{id}")).rstrip("…")
            entries += [PaletteEntry(choice.text, choice.run, hint) for choice in self.choices(id)]
        entries += [*self._combatant_entries(), *self._prepared_entries(), *self._game_entries()]
        return [*entries, *self._library_entries(), *self._rule_entries()]

    def _combatant_entries(self) -> list[PaletteEntry]:
        """Return entries that select a combatant and show its stat block."""
        from turnwright.ui.dialogs.palette import PaletteEntry

        open_record, hint = self._view.open_record, tr("ui.palette.combatant")
        return [
            PaletteEntry(combatant.label, partial(open_record, key_of(combatant)), hint, icon="account")
            for combatant in self._document.encounter.all(Combatant)
        ]

    def _game_entries(self) -> list[PaletteEntry]:
        """Return entries that switch the encounter to another rule system."""
        from turnwright.ui.dialogs.palette import PaletteEntry
        from turnwright.ui.docks.editing.change_system import change_system

        systems, hint = self._document.source.systems, tr("ui.palette.game")
        return [
            PaletteEntry(
                tr("ui.change-system.title", name=systems.get(id).data.name),
                partial(change_system, self._document, id, self._window),
                hint,
                icon="swap-horizontal",
                only_on_search=True,
            )
            for id in systems.ids
            if id != self._document.rules.id
        ]

    def _library_entries(self) -> list[PaletteEntry]:
        """Return entries that add a library creature. They appear only in search results."""
        from turnwright.ui.dialogs.palette import PaletteEntry

        add, hint = self._services.controller(AddController).add_from_library, tr("ui.palette.library")
        return [
            PaletteEntry(entry.name, partial(add, entry), hint, icon="playlist-plus", only_on_search=True)
            for entry in self._files.library_creatures()
        ]

    def _prepared_entries(self) -> list[PaletteEntry]:
        """Return entries that open a prepared record in its editor."""
        from turnwright.ui.dialogs.palette import PaletteEntry

        encounter = self._document.encounter
        kinds = (
            (encounter.all(Creature), "creature", "paw"),
            (encounter.all(Environment), "environment", "earth"),
            (encounter.all(Countdown), "countdown", "timer-sand"),
            (encounter.all(Treasure), "treasure", "treasure-chest-outline"),
        )
        named_entries = [
            PaletteEntry(
                record.name, partial(self._view.edit_record, key_of(record)), tr(f"ui.{kind}.title"), icon=icon
            )
            for records, kind, icon in kinds
            for record in records
        ]
        edit, hint = self._view.edit_record, tr("ui.handout.title")
        handouts = [
            PaletteEntry(handout.title or handout.id, partial(edit, key_of(handout)), hint, icon="email-outline")
            for handout in encounter.all(Handout)
        ]
        hint = tr("ui.reminder.title")
        reminders = [
            PaletteEntry(reminder_title(reminder), partial(edit, key_of(reminder)), hint, icon="bell-outline")
            for reminder in encounter.all(Reminder)
        ]
        return named_entries + handouts + reminders

    def _rule_entries(self) -> list[PaletteEntry]:
        """Return entries that show the full text of a rule. They appear only in search results."""
        from turnwright.ui.dialogs.palette import PaletteEntry
        from turnwright.ui.docks.shared.explainer import explainer

        open_rule, hint = self._services.controller(RuleController).open, tr("ui.rules.palette")
        return [
            PaletteEntry(rule.title, partial(open_rule, rule.id), hint, icon="book-open-variant", only_on_search=True)
            for rule in explainer(self._document).ledger.rules.values()
        ]
