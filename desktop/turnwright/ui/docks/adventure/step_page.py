"""The page of a scene or rest while running: its texts, the party's rest or standing, and the chance in the next fight."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from turnwright.encounter.prepared import Party
from turnwright.encounter.state import Encounter
from turnwright.forecast.estimate import Chance
from turnwright.forecast.sentences import percent
from turnwright.ui.look.style import GROUP_GAP, tr
from turnwright.ui.models.row_list_model import roster_entry_name
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.services.workers import BackgroundTask, single_shot_timer
from turnwright.ui.widgets import layout
from turnwright.ui.widgets.fields import KeyButton, NumberField
from turnwright.ui.widgets.text import discard, plain_label, push_button
from turnwright.workspace.adventure import with_party
from turnwright.workspace.fight_forecast import chance_to_win
from turnwright.workspace.files import OpenError
from turnwright.workspace.party_states import after_rest
from turnwright.workspace.text import state_text

MOST_REGAINED, DELAY_MS = 999, 300


class StepPage(QWidget):
    """A scene or rest. Emits `nextRequested` for its button, and `textRequested(text)` to show players the text."""

    nextRequested = Signal()
    textRequested = Signal(str)

    def __init__(self, current: CurrentAdventure, document: DocumentModel, services: Services) -> None:
        super().__init__()
        self._current, self._document, self._workspace = current, document, services.workspace
        self._shown: object = None
        self._task: BackgroundTask | None = None
        self._chance_of: object = None
        self._waiting = single_shot_timer(self, self._forecast, DELAY_MS)
        self.title = plain_label("", "banner", wraps=True)
        self.read_aloud = plain_label("", wraps=True)
        self.show_button = push_button(tr("ui.step.show-players"), self._show_text, icon_name="monitor-eye")
        self.aloud = layout.Card()
        head = layout.SectionHeader(tr("ui.step.read-aloud"), "book-open-page-variant", "accent")
        head.add_widget(self.show_button)
        layout.fill(self.aloud.body, head, self.read_aloud)
        self.notes = plain_label("", wraps=True)
        self.party = layout.Card()
        self._party_head = layout.SectionHeader("", "account-group", "accent")
        self._grid = QWidget()
        layout.fill(self.party.body, self._party_head, self._grid)
        self.fields: dict[str, NumberField] = {}
        self.lines: dict[str, QLabel] = {}
        self.chance = plain_label("", "strong", wraps=True)
        self.button = KeyButton("", self.nextRequested.emit, "Enter", "primary", "play", role="strong")
        content = QWidget()
        column = layout.vertical(content, margins=(24, GROUP_GAP, 24, GROUP_GAP), spacing=GROUP_GAP)
        layout.fill(column, self.title, self.aloud, self.notes, self.party, self.chance, self.button, layout.STRETCH)
        layout.fill(layout.vertical(self), layout.frameless_scroll_area(content))

    def refresh(self) -> None:
        """Show the current step, and the party as the library has it."""
        step = self._current.step
        if step is None or not self._current.has_page:
            return
        party = self._current.party
        if (step, party) == self._shown:
            return
        self._shown = (step, party)
        self.title.setText(step.scene or step.title or tr(f"ui.adventure.{step.rest}"))
        for part, text in ((self.aloud, step.read_aloud), (self.notes, step.notes)):
            part.setVisible(bool(text.strip()))
        self.read_aloud.setText(step.read_aloud.strip())
        self.notes.setText(step.notes.strip())
        self.party.setVisible(party is not None)
        self._fill_party(party, rests=bool(step.rest))
        has_rest = bool(step.rest) and party is not None and self._current.at not in self._current.run.by_key
        self.button.setText(tr("ui.step.rest-and-go-on" if has_rest else "ui.step.go-on"))
        self._recount()

    def _fill_party(self, party: Party | None, *, rests: bool) -> None:
        grid, before = layout.grid_layout(across=GROUP_GAP), self._grid
        self._grid = QWidget()
        self._grid.setLayout(grid)
        self.party.body.replaceWidget(before, self._grid)
        discard(before)
        self.fields, self.lines = {}, {}
        if party is None:
            return
        self._party_head.set_text(party.name)
        creatures = {creature.id: creature for creature in party.creatures}
        for row, member in enumerate(party.roster):
            block = creatures.get(member.creature)
            name = roster_entry_name(member, block)
            grid.addWidget(plain_label(name, "strong"), row, 0)
            line = plain_label(state_text(member.state, block, member, self._document.phrasebook), wraps=True)
            grid.addWidget(line, row, 1)
            if rests and not member.absent:
                field = self.fields[member.id] = NumberField(0, MOST_REGAINED)
                field.setAccessibleName(tr("ui.rest.regains-of", who=name))
                field.setToolTip(tr("ui.rest.regains"))
                field.valueEdited.connect(self._recount)
                field.lineEdit().returnPressed.connect(self.nextRequested)
                self.lines[member.id] = plain_label("", wraps=True)
                grid.addWidget(field, row, 2)
                grid.addWidget(self.lines[member.id], row, 3)
                grid.setColumnStretch(3, 1)
        grid.setColumnStretch(1, 1)

    def regained(self) -> dict[str, int]:
        """Return the hit points that were typed, keyed by member."""
        return {id: field.value() for id, field in self.fields.items()}

    def take_focus(self) -> None:
        """Focus the first number of a rest, or the button."""
        part = next(iter(self.fields.values()), self.button)
        part.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_text(self) -> None:
        self.textRequested.emit(self.read_aloud.text())

    def _recount(self, *_: object) -> None:
        """Show the party after the rest, and forecast the next fight soon."""
        party = self._rested()
        creatures = {creature.id: creature for creature in party.creatures} if party is not None else {}
        for member in party.roster if party is not None else ():
            if member.id in self.lines:
                block = creatures.get(member.creature)
                text = state_text(member.state, block, member, self._document.phrasebook)
                self.lines[member.id].setText(f"→ {text}")
        self.chance.hide()
        self._waiting.start()

    def _rested(self) -> Party | None:
        step, party = self._current.step, self._current.party
        if step is None or party is None or not step.rest or self._current.at in self._current.run.by_key:
            return party
        return after_rest(party, self._current.rules, step.rest, self.regained())

    # The chance in the next fight, played in the background ----------------------------------------------------------

    def _forecast(self) -> None:
        path, party, rules, workspace = self._next_file(), self._rested(), self._current.rules, self._workspace
        if path is None or party is None or self._task is not None:
            return
        self._chance_of = party

        def play(_progress: object) -> Chance | None:
            with suppress(OpenError, OSError):
                return chance_to_win(with_party(Encounter(workspace.prepared_in(path)), rules, party), rules)
            return None

        self._task = BackgroundTask(play, self)
        self._task.finished.connect(self._show_chance)
        self._task.failed.connect(lambda _why: self._show_chance(None))

    def _next_file(self) -> Path | None:
        opened, plan = self._current.open, self._current.plan
        if opened is None:
            return None
        ahead = (step for step in plan.steps[plan.place_of(self._current.at) + 1 :] if step.encounter)
        step = next(ahead, None)
        return opened.path_of(step) if step is not None else None

    def _show_chance(self, chance: Chance | None) -> None:
        self._task = None
        if self._chance_of != self._rested():
            self._waiting.start()
        elif chance is not None:
            numbers = {"n": percent(chance.value), "low": percent(chance.low), "high": percent(chance.high)}
            self.chance.setText(tr("ui.step.chance", **numbers))
            self.chance.show()
