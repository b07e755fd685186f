"""The stage and banner before the first round: the page with the roster, then the set-up page."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFormLayout, QWidget

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.roles import present
from turnwright.encounter.running import Combatant, Dice, Effect
from turnwright.encounter.state import clock_of, entry_name, scene_of
from turnwright.play.queries.queries import open_prompts
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.rules.parts.combatants.facts import is_surprise_open
from turnwright.ui.docks.roster.budget_line import DifficultyMeter
from turnwright.ui.forms.encounter_layouts import InitiativeFields, players_of
from turnwright.ui.look.style import GAP, GROUP_GAP, scaled, set_role, tr
from turnwright.ui.models.initiative_pending import begin_words
from turnwright.ui.models.row_list_model import side_name, side_order
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import KeyButton, KeyCap
from turnwright.ui.widgets.layout import STRETCH, Card, ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.text import IconLabel, plain_label, set_style

START_KEYS, BEGIN_KEYS, INITIATIVES_KEYS = "F9", "Enter", "Ctrl+I"


class StartPage(QWidget):
    """The roster with a line for each side, the difficulty, and the start button, which emits `clicked`."""

    clicked = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self.title = plain_label("", "banner", wraps=True)
        self.sentence = plain_label("", tone="muted", wraps=True)
        self._sides = QFormLayout(horizontalSpacing=scaled(GROUP_GAP), verticalSpacing=scaled(GAP))
        self.difficulty = DifficultyMeter(document)
        set_role(self.difficulty.label, "body")
        self.button = KeyButton(tr("ui.turn.start"), self.clicked.emit, START_KEYS, "primary", "play", role="strong")
        column = vertical(self, margins=(24, GROUP_GAP, 24, GROUP_GAP), spacing=GROUP_GAP)
        fill(column, self.title, self.sentence, self._sides, self.difficulty, self.button, STRETCH)

    def refresh(self) -> None:
        """Show the prepared roster."""
        encounter = self._document.encounter
        entries = list(present(encounter))
        self.title.setText(scene_of(encounter).title or tr("ui.window.untitled"))
        self.sentence.setText(tr("ui.turn.ready" if entries else "ui.turn.nobody"))
        while self._sides.rowCount():
            self._sides.removeRow(0)
        for side in side_order(entry.side for entry in entries):
            names = [self._counted(entry) for entry in entries if entry.side == side]
            caption = plain_label(side_name(side), "caption", "muted")
            self._sides.addRow(caption, plain_label(", ".join(names), wraps=True))
        self.difficulty.refresh()

    def _counted(self, entry: RosterEntry) -> str:
        name = entry_name(self._document.encounter, entry)
        counted = f"{entry.count} × {name}" if entry.count > 1 else name
        return tr("ui.turn.later", who=counted) if entry.wave else counted


class SetupPage(Card):
    """The set-up page: read-aloud text, sneaking combatants, the players' initiatives, and the button to begin.

    Emits `beginRequested` when the user presses that button, or Enter in the last initiative field.
    """

    beginRequested = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__("accent")
        self._document = document
        self.read_aloud = plain_label("", wraps=True)
        self.conditions = plain_label("", tone="muted", wraps=True)
        for label in (self.read_aloud, self.conditions):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setMinimumHeight(1)  # so that the layout uses `heightForWidth`, not the minimum height
        self._ambush_row = QWidget()
        self.ambush = plain_label("", wraps=True)
        fill(horizontal(self._ambush_row), IconLabel("eye-off", "muted"), (self.ambush, 1))
        self.players = InitiativeFields(columns=2)
        self.players.entered.connect(lambda who, total: document.execute(SetInitiative(((who, total),))))
        self.players.finished.connect(self.beginRequested)
        title = plain_label(tr("ui.initiative.title"), "strong")
        self.totals = plain_label(tr("ui.turn.monsters-totals"), "caption", "muted", wraps=True)
        self.button = KeyButton("", self.beginRequested.emit, BEGIN_KEYS, "primary", "flag-checkered", role="strong")
        heading = fill(horizontal(), title, KeyCap(INITIATIVES_KEYS), STRETCH)
        fill(self.body, self.read_aloud, self.conditions, self._ambush_row, heading, self.players, self.totals)
        self.body.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # a part has a new height, for example after a font change
            self._keep_height()
        return handled

    def _keep_height(self) -> None:
        """Set the minimum height to the height of the texts, so that the stage scrolls if there is less space."""
        self.body.activate()
        self.setMinimumHeight(self.body.totalHeightForWidth(self.width()))

    def refresh(self) -> None:
        """Update the page from the encounter."""
        encounter, rules = self._document.encounter, self._document.rules
        scene = scene_of(encounter)
        for label, text in ((self.read_aloud, scene.read_aloud.strip()), (self.conditions, scene.conditions)):
            label.setText(text)
            label.setVisible(bool(text))
        self._ambush_row.setVisible(rules.has_surprise)
        self.ambush.setText(self._ambush_text())
        self.players.show_people(players_of(encounter))
        dice = encounter.get(Dice, "dice") or Dice()
        self.totals.setText(tr(f"ui.turn.monsters-totals{'-rolled' if dice.mode == 'roll' else ''}"))
        self.button.setText(tr(f"ui.run.{begin_words(encounter, rules)}"))
        self.button.setEnabled(not any(prompt.blocks for prompt in open_prompts(encounter)))
        self._keep_height()

    def _ambush_text(self) -> str:
        """Return a text about the sneaking combatants, or about the surprised ones once surprise is settled."""
        encounter, rules = self._document.encounter, self._document.rules
        surprised = {effect.target for effect in encounter.all(Effect) if effect.name == rules.role("surprised")}
        if is_surprise_open(encounter, rules):
            return tr("ui.turn.sneak", who=self._names(lambda combatant: combatant.sneaking))
        if surprised:
            return tr("ui.turn.surprised", who=self._names(lambda combatant: combatant.id in surprised))
        return tr("ui.turn.nobody-surprised" if clock_of(encounter).surprise_settled else "ui.turn.nobody-sneaks")

    def _names(self, belongs: Callable[[Combatant], bool]) -> str:
        return ", ".join(combatant.label for combatant in self._document.encounter.all(Combatant) if belongs(combatant))


class SetupBanner(QWidget):
    """The banner of the world's turn or of set-up, with title and description."""

    def __init__(self) -> None:
        super().__init__()
        self._glyph = IconLabel("earth", "world", 28)
        self.title = ElidedLabel(role="banner", smaller="number", lines=2)
        self.text = plain_label("", tone="muted", wraps=True)
        fill(vertical(self, margins=(24, 12, 24, 12)), fill(horizontal(), self._glyph, (self.title, 1)), self.text)

    def show_current_step(self, document: DocumentModel) -> None:
        """Show the set-up if it isn't finished, or the world's turn."""
        words, clock = document.words, clock_of(document.encounter)
        if clock.phase == "set-up":
            icon, tone, text = "flag-checkered", "accent", ""
            title = scene_of(document.encounter).title or words("ui.window.untitled")
        else:
            icon, tone, text = "earth", "world", words("ui.turn.world-text", round=clock.round)
            title = words("ui.turn.world")
        self._glyph.set_icon(icon, tone)
        self.title.setText(title)
        set_style(self.title, "tone", tone)
        self.text.setText(text)
        self.text.setVisible(bool(text))
