"""The widgets below the turn order, and the contents of the world's area.

The widgets below the turn order: the bar for several selected combatants, hints about keys, and the note editor.

The contents of the world's area: world actions with their state, and countdowns with their dice.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QSizePolicy, QWidget

from turnwright.encounter.prepared import Countdown, Wave
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.turns import RoundStart
from turnwright.encounter.roles import present
from turnwright.encounter.running import CountdownPool
from turnwright.encounter.state import clock_of, entry_name
from turnwright.play.queries.queries import running_pools, world_action_states
from turnwright.play.spawning.spawning import waiting_waves
from turnwright.rules.parts.stat_block.features import faces_text
from turnwright.ui.look.style import SPACE, set_role, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import AmountField, KeyButton, KeyCap
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.records.world_panel import WorldAction, WorldPool
from turnwright.ui.widgets.text import IconLabel, plain_label, tool_button
from turnwright.ui.widgets.typed.line_text import AmountError, EnteredAmount, read_amount

WAVE_TABLES = ("waves", "roster", "arrived_waves")
DAMAGE, HEAL, CONDITION, SAVE, HIDE = "damage", "heal", "condition", "save", "hide"
KEYS = {DAMAGE: "D", HEAL: "H", CONDITION: "C", SAVE: "K"}


class BulkBar(QFrame):
    """The commands for several selected combatants.

    Emits `requested(id)` for a command, `halfEntered(expression)` for damage of which each combatant takes half, and
    `clearRequested` to clear the selection.
    """

    requested = Signal(str)
    clearRequested = Signal()
    halfEntered = Signal(str)

    def __init__(self, kinds: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._kinds = kinds
        self.setProperty("banner", True)
        self.setProperty("tone", "bulk")
        self.title = plain_label("", "body")
        self.title.setProperty("heavy", True)
        self.clear_button = tool_button("close", tr("ui.bulk.clear"), self.clearRequested.emit)
        self.buttons: dict[str, KeyButton] = {}
        self.half_button = self._button("half", self._ask_half)
        self.half_button.setCheckable(True)
        for id in (DAMAGE, HEAL, CONDITION, SAVE, HIDE):
            self.buttons[id] = self._button(id, partial(self.requested.emit, id))
        head = fill(horizontal(), (self.title, 1), self.clear_button, KeyCap("Esc"))
        first = fill(horizontal(), (self.buttons[DAMAGE], 1), (self.half_button, 1), (self.buttons[HEAL], 1))
        second = fill(horizontal(), *((self.buttons[id], 1) for id in (CONDITION, SAVE, HIDE)))
        self.amount = AmountField(tr("ui.bulk.half-placeholder"), tr("ui.bulk.half-name"))
        self.amount.submitted.connect(self._hand_in)
        self.amount.hide()
        fill(vertical(self, margins=(12, 8, 12, 12)), head, first, second, self.amount)

    def show_count(self, count: int, *, hidden: bool) -> None:
        """Show the bar for the number of selected combatants, or hide it for fewer than two.

        `hidden` is whether all of them are hidden from the players.
        """
        self.setVisible(count > 1)
        self.title.setText(tr("ui.bulk.selected", n=count))
        self.setAccessibleName(self.title.text())
        self.buttons[HIDE].setText(tr("ui.bulk.show" if hidden else "ui.bulk.hide"))
        if count < 2:
            self._close_half()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.amount.isVisible():
            self._close_half()
        else:
            self.clearRequested.emit()

    def _button(self, id: str, slot: Callable[[], object]) -> KeyButton:
        button = KeyButton(tr(f"ui.bulk.{id}"), slot, KEYS.get(id, ""), "bulk", role="caption")
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return button

    def _ask_half(self) -> None:
        """Show or hide the field for damage that is halved for each combatant."""
        self.amount.setVisible(self.half_button.isChecked())
        if self.half_button.isChecked():
            self.amount.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close_half(self) -> None:
        self.half_button.setChecked(False)
        self.amount.clear()
        self.amount.hide()

    def _hand_in(self, text: str, _share: str) -> None:
        try:
            amount: EnteredAmount = read_amount(text, self._kinds())
        except AmountError as error:
            self.amount.show_error(tr(error.key, **error.params))
            return
        if amount.purpose != "damage":
            self.amount.show_error(tr("ui.bulk.half-of-damage"))
            return
        self._close_half()
        self.halfEntered.emit(amount.expression)


class WaveLine(QWidget):
    """The combatants and the round of the next wave. Hidden if no wave is due at the top of a round."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self.text = ElidedLabel("", "caption", "muted")
        fill(horizontal(self, margins=(16, 8, 12, 8)), IconLabel("timer-sand", "muted"), (self.text, 1))
        self.refresh()

    def refresh(self) -> None:
        """Show the next wave."""
        encounter = self._document.encounter
        waiting = waiting_waves(encounter) if clock_of(encounter).phase in ("set-up", "rounds") else ()
        waves = [wave for id in waiting if (wave := encounter.get(Wave, id)) is not None and wave.round]
        next_wave = min(waves, key=lambda wave: wave.round, default=None)
        self.setVisible(next_wave is not None)
        if next_wave is not None:
            members = [entry for entry in present(encounter) if entry.wave == next_wave.id]
            names = [entry_name(encounter, entry) for entry in members]
            counts = [f"{entry.count} × " if entry.count > 1 else "" for entry in members]
            who = ", ".join(count + name for count, name in zip(counts, names, strict=True))
            self.text.setText(tr("ui.turn-order.wave", who=who, n=next_wave.round))


class KeyHint(QFrame):
    """A hint about the current operation. The keys that continue or cancel it are shown below."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setProperty("hint", True)
        self.title = ElidedLabel(role="body")
        self.title.setProperty("heavy", True)
        keys_row = QWidget()
        # so that a hint never widens the dock
        keys_row.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        pairs = ((*([KeyCap(caps)] if caps else []), plain_label(word, "caption")) for caps, word in keys)
        fill(horizontal(keys_row, spacing=SPACE), *(fill(horizontal(spacing=SPACE), *pair) for pair in pairs), STRETCH)
        fill(vertical(self, spacing=SPACE, margins=(12, 8, 8, 8)), self.title, keys_row)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show a text above the keys, or hide the hint if the text is empty."""
        self.title.setText(text)
        self.setVisible(bool(text))


class NoteEditor(QFrame):
    """A field for the note about one combatant.

    Emits `entered(who, text)` on Enter. Esc cancels. Emits `closed` in both cases.
    """

    entered = Signal(str, str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._who = ""
        self.setProperty("hint", True)
        self.title = ElidedLabel(role="caption")
        self.line = QLineEdit()
        set_role(self.line, "body")
        self.line.returnPressed.connect(self._hand_in)
        fill(vertical(self, spacing=SPACE, margins=(12, 8, 12, 8)), self.title, self.line)
        self.hide()

    def open_for(self, who: str, label: str, text: str) -> None:
        """Edit the note about a combatant."""
        self._who = who
        self.title.setText(tr("ui.turn-order.note-of", who=label))
        self.line.setAccessibleName(self.title.text())
        self.line.setText(text)
        self.line.selectAll()
        self.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def _hand_in(self) -> None:
        who, text = self._who, self.line.text().strip()
        self._close()
        self.entered.emit(who, text)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()


def world_actions(document: DocumentModel) -> tuple[WorldAction, ...]:
    """Return every enabled world action with its recharge and whether it is ready."""
    words = document.words
    actions = []
    for row in world_action_states(document.encounter):
        ready = row.state.ready
        faces = faces_text(row.entry.recharge)
        status = f"◆ {words('ui.turn-order.ready')}" if ready else f"◇ {faces or words('ui.turn-order.spent')}"
        tip = "\n".join(part for part in (row.environment.name, row.entry.within, row.entry.text) if part)
        actions.append(WorldAction(f"{row.environment.id}/{row.entry.id}", row.entry.name, status, ready, tip))
    return tuple(actions)


def countdown_pools(document: DocumentModel) -> tuple[WorldPool, ...]:
    """Return the running and the just finished countdowns, with the dice that the last roll removed."""
    return tuple(_pool(document, pool) for pool in running_pools(document.encounter))


def _pool(document: DocumentModel, pool: CountdownPool) -> WorldPool:
    countdown = document.encounter.get(Countdown, pool.countdown)
    lowest = document.rules.countdown_faces[countdown.speed if countdown else "slow"]
    stay = tuple(face for face in pool.last_faces if face < lowest)
    faces: tuple[int | None, ...] = stay if len(stay) == pool.dice and pool.last_faces else (None,) * pool.dice
    removed = tuple(face for face in pool.last_faces if face >= lowest) if faces == stay else ()
    name = countdown.name if countdown else pool.countdown
    tip = "\n".join(_about(document, pool, countdown, lowest))
    return WorldPool(pool.id, name, faces, removed, pool.rolls, _status(document, pool, countdown), tip)


def _status(document: DocumentModel, pool: CountdownPool, countdown: Countdown | None) -> str:
    if pool.status != "waiting":
        return ""
    if countdown is not None and countdown.starts > clock_of(document.encounter).round:
        return document.words("ui.turn-order.pool-from", n=pool.dice, round=countdown.starts)
    return document.words("ui.turn-order.pool-waits", n=pool.dice)


def _about(document: DocumentModel, pool: CountdownPool, countdown: Countdown | None, lowest: int) -> Iterable[str]:
    yield document.words("ui.turn-order.pool-tip", n=pool.dice, faces=faces_text(lowest))
    if pool.unstoppable:
        yield document.words("ui.turn-order.pool-unstoppable")
    if countdown is not None and countdown.notes:
        yield countdown.notes


def is_world_step(document: DocumentModel) -> bool:
    """Whether it is the top of a round, before the first turn."""
    clock = clock_of(document.encounter)
    top = any(isinstance(procedure.data, RoundStart) for procedure in document.encounter.all(Procedure))
    return clock.phase == "rounds" and (top or not clock.active)
