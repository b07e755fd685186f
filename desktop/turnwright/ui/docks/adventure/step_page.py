"""The page of a scene or rest while running: its texts, the party's rest or standing, and the chance in the next fight."""

from contextlib import suppress
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from turnwright.encounter.prepared import Party
from turnwright.encounter.state import Encounter, entry_name
from turnwright.forecast import estimate, sentences
from turnwright.ui.look.style import GROUP_GAP, tr
from turnwright.ui.services import document_model, workers
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.ui.services.services import Services
from turnwright.ui.widgets import fields, layout
from turnwright.ui.widgets.text import discard, plain_label, push_button
from turnwright.workspace import fight_forecast, files, party_states
from turnwright.workspace.adventure import with_party
from turnwright.workspace.text import state_text

MOST_REGAINED, DELAY_MS = 999, 300


class StepPage(QWidget):
    """A scene or rest.

    Emits `nextRequested` for its button, and to show players something, `textRequested(text)` and
    `pictureRequested(path)`.
    """

    nextRequested = Signal()
    textRequested = Signal(str)
    pictureRequested = Signal(object)

    def __init__(self, current: CurrentAdventure, document: document_model.DocumentModel, services: Services) -> None:
        super().__init__()
        self._current, self._document, self._workspace = current, document, services.workspace
        self._shown: object = None
        self._task = workers.LatestTask(self)
        self._waiting = workers.single_shot_timer(self, self._forecast, DELAY_MS)
        self.title = plain_label("", "banner", wraps=True)
        self.read_aloud = plain_label("", wraps=True)
        self.aloud = layout.Card()
        head = layout.SectionHeader(tr("ui.step.read-aloud"), "book-open-page-variant", "accent")
        self.show_button = push_button(tr("ui.step.show-players"), self._show_text, icon_name="monitor-eye")
        head.add_widget(self.show_button)
        layout.fill(self.aloud.body, head, self.read_aloud)
        self.notes = plain_label("", wraps=True)
        self.pictures = layout.FlowRow()
        self.party = layout.Card()
        self._party_head = layout.SectionHeader("", "account-group", "accent")
        self._members = QWidget()
        layout.fill(self.party.body, self._party_head, self._members)
        self.fields: dict[str, fields.NumberField] = {}
        self.lines: dict[str, QLabel] = {}
        self.chance = plain_label("", "strong", wraps=True)
        self.button = fields.KeyButton("", self.nextRequested.emit, "Enter", "primary", "play", role="strong")
        content = QWidget()
        column = layout.vertical(content, margins=(24, GROUP_GAP, 24, GROUP_GAP), spacing=GROUP_GAP)
        parts = (self.title, self.aloud, self.pictures, self.notes, self.party, self.chance, self.button)
        layout.fill(column, *parts, layout.STRETCH)
        layout.fill(layout.vertical(self), layout.frameless_scroll_area(content))

    def refresh(self) -> None:
        """Show the current step, and the party as the library has it."""
        step, party, opened = self._current.step, self._current.party, self._current.open
        if step is None or opened is None or (step, party, self._rests) == self._shown:
            return
        self._shown = (step, party, self._rests)
        self.title.setText(self._current.title_of(step))
        self.read_aloud.setText(step.read_aloud.strip())
        self.aloud.setVisible(bool(step.read_aloud.strip()))
        self.pictures.clear()
        self.pictures.setVisible(bool(step.handouts))
        for name in step.handouts:
            show = partial(self.pictureRequested.emit, opened.folder / name)
            self.pictures.add(push_button(tr("ui.step.show-picture", name=name), show, icon_name="image-outline"))
        self.notes.setText(step.notes.strip())
        self.notes.setVisible(bool(step.notes.strip()))
        self.party.setVisible(party is not None)
        if party is not None:
            self._fill_party(party)
        self.button.setText(tr("ui.step.rest-and-go-on" if self._rests else "ui.step.go-on"))
        self._recount()

    @property
    def _rests(self) -> bool:
        """Whether the next step is reached by a rest: the step is a rest that the party didn't take yet."""
        step = self._current.step
        return bool(step is not None and step.rest) and self._current.at not in self._current.run.by_key

    def _fill_party(self, party: Party) -> None:
        self._party_head.set_text(party.name)
        before, self._members = self._members, QWidget()
        grid = layout.grid_layout(self._members, across=GROUP_GAP)
        self.party.body.replaceWidget(before, self._members)
        discard(before)
        self.fields, self.lines = {}, {}
        lookup = Encounter(party.creatures + party.roster)
        if self._rests:
            grid.addWidget(plain_label(tr("ui.rest.regains"), "caption", "muted"), 0, 2)
        for row, member in enumerate(party.roster, start=1):
            name, line = entry_name(lookup, member), plain_label("", wraps=True)
            self.lines[member.id] = line
            grid.addWidget(plain_label(name, "strong"), row, 0)
            grid.addWidget(line, row, 1)
            if self._rests and not member.absent:
                field = self.fields[member.id] = fields.NumberField(0, MOST_REGAINED)
                field.setAccessibleName(tr("ui.rest.regains-of", who=name))
                field.setToolTip(tr("ui.rest.regains"))
                field.valueEdited.connect(self._recount)
                field.lineEdit().returnPressed.connect(self.nextRequested)
                grid.addWidget(field, row, 2)
        grid.setColumnStretch(1, 1)

    def regained(self) -> dict[str, int]:
        """Return the hit points that were typed, keyed by member."""
        return {id: field.value() for id, field in self.fields.items()}

    def take_focus(self) -> None:
        """Focus the first number of a rest, or the button."""
        next(iter(self.fields.values()), self.button).setFocus(Qt.FocusReason.TabFocusReason)

    def _show_text(self) -> None:
        self.textRequested.emit(self.read_aloud.text())

    def _recount(self, *_: object) -> None:
        """Show the party before and after the rest, and forecast the next fight soon."""
        party, rested = self._current.party, self._rested()
        if party is not None and rested is not None:
            blocks = {creature.id: creature for creature in party.creatures}
            for member, after in zip(party.roster, rested.roster, strict=True):
                states = dict.fromkeys(
                    state_text(each.state, blocks.get(each.creature), each, self._document.phrasebook)
                    for each in (member, after)
                )
                self.lines[member.id].setText(" → ".join(states))
        self.chance.hide()
        self._waiting.start()

    def _rested(self) -> Party | None:
        step, party = self._current.step, self._current.party
        if step is None or party is None or not self._rests:
            return party
        return party_states.after_rest(party, self._current.rules, step.rest, self.regained())

    # The chance in the next fight, played in the background ----------------------------------------------------------

    def _forecast(self) -> None:
        opened, plan, rules, party = self._current.open, self._current.plan, self._current.rules, self._rested()
        ahead = (step for step in plan.steps[plan.place_of(self._current.at) + 1 :] if step.encounter)
        step, prepared_in = next(ahead, None), self._workspace.prepared_in
        if opened is None or step is None or party is None or self._task.is_running:
            return
        path = opened.path_of(step)

        def play() -> tuple[Party, estimate.Chance | None]:
            chance = None
            with suppress(files.OpenError, OSError):
                chance = fight_forecast.chance_to_win(with_party(Encounter(prepared_in(path)), rules, party), rules)
            return party, chance

        self._task.start(play, self._show_chance)

    def _show_chance(self, result: tuple[Party, estimate.Chance | None]) -> None:
        party, chance = result
        if party != self._rested():
            self._waiting.start()
        elif chance is not None:
            numbers = {name: sentences.percent(getattr(chance, name)) for name in ("value", "low", "high")}
            self.chance.setText(tr("ui.step.chance", **numbers))
            self.chance.show()
