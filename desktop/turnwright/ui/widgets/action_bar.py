"""The actions of a turn: attacks as rows, the likeliest actions as buttons with number keys, and a filter for the rest.

Actions that are against the rules have no row or number key. They are listed with the reasons under *Not now*, where
the user can still choose them, because the group has the final say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QShortcut, QShowEvent

from turnwright.rules.word_keys import signed_text
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import (
    GAP,
    SPACE,
    current_theme,
    escaped_tooltip,
    number_text,
    role_font,
    scaled,
    set_role,
    tr,
)
from turnwright.ui.widgets.fields import KeyButton, KeyCap
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.paint import draw_key_cap, key_cap_size
from turnwright.ui.widgets.rules.why import Explanation, WhyCard, WhyPopup
from turnwright.ui.widgets.text import IconLabel, PushButton, discard, named, plain_label, pressed_character, set_style

MOST_ATTACKS = 4
LIKELIEST = 6
NUMBERED = 9
FULL, EMPTY = "●", "○"
MAX_BOXES = 6


@dataclass(frozen=True)
class AttackDisplay:
    """The values in an attack row: bonus to hit, damage and traits.

    If a game gives each attack of a turn a different bonus, `bonuses` lists them in order. `made` is the number of
    attacks already made.
    """

    to_hit: str
    damage: str
    traits: str = ""
    bonuses: tuple[int, ...] = ()
    made: int = 0

    @property
    def due(self) -> int:
        """The index of the next attack in `bonuses`."""
        return min(self.made, len(self.bonuses) - 1)


@dataclass(frozen=True)
class ActionView:
    """An action as shown on a button. `refused` is the reason why it is against the rules now, or an empty string.

    `group` is the cost as a word, and `cost` is the cost in the game's notation. `boxes` are the remaining and maximum
    uses, or None if the uses are unlimited.
    """

    id: str
    name: str
    tip: str = ""
    refused: str = ""
    why: Callable[[], Explanation] | None = field(default=None, compare=False)
    group: str = ""
    icon: str = ""
    boxes: tuple[int, int] | None = None
    cost: str = ""
    attack: AttackDisplay | None = None

    @property
    def uses_text(self) -> str:
        """The uses as filled and empty circles, or as numbers if there would be too many circles."""
        if self.boxes is None:
            return ""
        remaining, maximum = self.boxes
        return FULL * remaining + EMPTY * (maximum - remaining) if maximum <= MAX_BOXES else f"{remaining}/{maximum}"

    @property
    def price_text(self) -> str:
        """The uses and the cost, as shown at the end of a button."""
        return "  ".join(part for part in (self.uses_text, self.cost or self.group) if part)

    def matches(self, typed: str) -> bool:
        """Whether a word of the name starts with the typed text, or the typed number occurs in the cost."""
        words = self.name.casefold().replace("-", " ").split()
        return any(word.startswith(typed) for word in words) or (typed.isdecimal() and typed in self.cost)


class ActionButton(PushButton):
    """A button for an action. `?` opens a card that explains the action or why it is against the rules."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoDefault(False)
        self.setProperty("kind", "act")
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        set_role(self, "body")
        self.view = ActionView("", "")
        self._popup = WhyPopup(self)
        self.number = 0

    def set_view(self, view: ActionView, number: int) -> None:
        """Show an action with its number key, or no key if `number` is 0."""
        self.view = view
        self.number = number
        self.setToolTip(escaped_tooltip("\n".join(part for part in (view.name, view.refused, view.tip) if part)))
        self.setAccessibleName(view.name)
        uses = tr("ui.pips.state", label=view.name, left=view.boxes[0], of=view.boxes[1]) if view.boxes else ""
        price = tr("ui.turn.price", price=view.cost or view.group) if view.cost or view.group else ""
        reasons = "\n".join(part for part in (view.refused, view.tip) if part)
        self.setAccessibleDescription("\n".join(part for part in (price, uses, reasons) if part))
        set_style(self, "refused", bool(view.refused))
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Return the text as drawn: number key, name, uses and cost."""
        parts = (str(self.number) if self.number else "", self.view.name, self.view.price_text)
        return "  ".join(part for part in parts if part)

    def card(self) -> WhyCard | None:
        """Return the open card, or None."""
        return self._popup.card()

    def explain(self) -> bool:
        """Open the card. Return False if there is nothing to explain."""
        if self.view.why is None:
            return False
        self._popup.open(self.view.why())
        return True

    def sizeHint(self) -> QSize:
        return QSize(scaled(160), scaled(40))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(120), scaled(40))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Question or not self.explain():
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QtWidgets.QStylePainter(self), QtWidgets.QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QtWidgets.QStyle.ControlElement.CE_PushButtonBevel, option)
        self._paint_content(painter)
        painter.end()

    def _paint_content(self, painter: QPainter) -> None:
        theme, view = current_theme(), self.view
        ink = theme.colour("muted" if view.refused else "text")
        left, right = float(scaled(12)), float(self.width() - scaled(12))
        if self.number:
            size = key_cap_size(str(self.number))
            cap = QRectF(left, (self.height() - size.height()) / 2, size.width(), size.height())
            draw_key_cap(painter, cap, str(self.number), ink, theme.colour("sunken"))
            left = cap.right() + scaled(GAP)
        if view.icon:
            size_of_icon = scaled(20)
            box = QRectF(left, (self.height() - size_of_icon) / 2, size_of_icon, size_of_icon)
            draw_icon(painter, view.icon, box, ink)
            left = box.right() + scaled(GAP)
        if view.price_text:
            font = role_font("caption")
            painter.setFont(font)
            painter.setPen(theme.colour("muted"))
            width = QFontMetrics(font).horizontalAdvance(view.price_text)
            place = QRectF(right - width, 0, width + 1, self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, view.price_text)
            right -= width + scaled(GAP)
        painter.setFont(self.font())
        painter.setPen(ink)
        name = self.fontMetrics().elidedText(view.name, Qt.TextElideMode.ElideRight, int(right - left))
        painter.drawText(QRectF(left, 0, right - left, self.height()), Qt.AlignmentFlag.AlignVCenter, name)


class AttackButton(ActionButton):
    """The button at the end of an attack row."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "")
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(scaled(84), scaled(40))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def set_due(self, *, is_due: bool) -> None:
        """Show the button as the primary one if its attack is next."""
        set_style(self, "kind", "primary" if is_due else "")

    def _paint_content(self, painter: QPainter) -> None:
        theme = current_theme()
        painter.setFont(self.font())
        painter.setPen(theme.colour("accent_text" if self.property("kind") == "primary" else "text"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("ui.attack.attack"))


class TurnAttackButton(QtWidgets.QPushButton):
    """A button for one attack of a turn, with its bonus: filled if the attack is next, dashed if it has been made."""

    def __init__(self) -> None:
        super().__init__(autoDefault=False)
        self.setFixedSize(scaled(60), scaled(48))
        self._lines = ("", "")

    def show_attack(self, attack: AttackDisplay, place: int) -> None:
        """Show the bonus of an attack, and its difference from the first attack's bonus."""
        difference = attack.bonuses[place] - attack.bonuses[0]
        caption = number_text(difference) if place else tr("ui.attack.first")
        self._lines = (signed_text(attack.bonuses[place]), caption)
        state = "due" if place == attack.due else "used" if place < attack.due else "later"
        self.setAccessibleName(tr(f"ui.attack.turn-{state}", n=place + 1, bonus=self._lines[0]))
        self.setToolTip(escaped_tooltip(self.accessibleName()))
        if self.property("attack") != state:
            self.setProperty("kind", "primary" if state == "due" else "")
            set_style(self, "attack", state)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QtWidgets.QStylePainter(self), QtWidgets.QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QtWidgets.QStyle.ControlElement.CE_PushButtonBevel, option)
        inks = {"due": "accent_text", "used": "muted"}
        painter.setPen(current_theme().colour(inks.get(str(self.property("attack")), "text")))
        half = self.height() / 2
        for place, (text, role) in enumerate(zip(self._lines, ("strong", "caption"), strict=True)):
            painter.setFont(role_font(role))
            box = QRectF(0, place * half, self.width(), half)
            painter.drawText(box.adjusted(0, scaled(2), 0, -scaled(2)), Qt.AlignmentFlag.AlignCenter, text)
        painter.end()


class AttackRow(QtWidgets.QFrame):
    """An attack: number key, name, traits, bonus to hit, damage, and a button for it or for each attack of the turn.

    Emits `attackChosen(bonus)` when the user chooses an attack other than the next one. `bonus` is the difference from
    the next attack's bonus.
    """

    attackChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("row", True)
        self.setFixedHeight(scaled(64))
        self._cap = KeyCap()
        self._icon = IconLabel("sword", "text", 24)
        self._name = ElidedLabel(role="strong", smaller="body")
        self._traits = ElidedLabel(role="caption", tone="muted")
        self._to_hit = plain_label("", "number", "accent")
        self._to_hit_word = plain_label(tr("ui.turn.to-hit"), "caption", "muted")
        self._damage = plain_label("", "strong")
        self._kind = plain_label("", "caption", "muted")
        self.button = AttackButton()
        self.turn_attacks: list[TurnAttackButton] = []
        self._figures = AttackDisplay("", "")
        self._in_turn = horizontal(spacing=SPACE)
        centre = Qt.AlignmentFlag.AlignHCenter
        words = fill(vertical(spacing=0), STRETCH, self._name, self._traits, STRETCH)
        to_hit = fill(vertical(spacing=0), STRETCH, (self._to_hit, 0, centre), (self._to_hit_word, 0, centre), STRETCH)
        damage = fill(vertical(spacing=0), STRETCH, self._damage, self._kind, STRETCH)
        row = fill(horizontal(self, spacing=12, margins=(12, 0, 12, 0)), self._cap, self._icon, (words, 3), to_hit)
        fill(row, (damage, 2), self.button, self._in_turn)

    def set_view(self, view: ActionView, number: int) -> None:
        """Show an attack with its number key, or no key if `number` is 0."""
        attack = view.attack or AttackDisplay("", "")
        self._cap.set_keys(str(number) if number else "")
        self._icon.set_icon(view.icon or "sword", "text")
        self._name.setText(view.name)
        traits = "  ".join(part for part in (attack.traits, view.price_text) if part)
        self._traits.setText(traits)
        self._traits.setVisible(bool(traits))
        in_turn = len(attack.bonuses) > 1
        self._to_hit.setText("" if in_turn else attack.to_hit)
        self._to_hit_word.setVisible(bool(self._to_hit.text()))
        self._show_turn(attack)
        self.button.setVisible(not in_turn)
        dice, _, kind = attack.damage.partition(" ")
        self._damage.setText(dice)
        self._kind.setText(kind)
        self._kind.setVisible(bool(kind))
        self.setToolTip(escaped_tooltip(view.tip))
        self.button.set_view(view, number)

    def _show_turn(self, attack: AttackDisplay) -> None:
        """Show a button for each attack of the turn if the attacks have different bonuses."""
        self._figures = attack
        count = len(attack.bonuses) if len(attack.bonuses) > 1 else 0
        while len(self.turn_attacks) < count:
            button = TurnAttackButton()
            place = len(self.turn_attacks)
            button.clicked.connect(lambda _on=False, place=place: self._choose(place))
            self.turn_attacks.append(button)
            self._in_turn.addWidget(button)
        for place, button in enumerate(self.turn_attacks):
            button.setVisible(place < count)
            if place < count:
                button.show_attack(attack, place)

    def _choose(self, place: int) -> None:
        bonuses = self._figures.bonuses
        if place == self._figures.due:
            self.button.click()
        else:
            self.attackChosen.emit(bonuses[place] - bonuses[self._figures.due])


class FilterLine(QtWidgets.QLineEdit):
    """The filter line. Esc clears and leaves it, Enter chooses the first match, and Down focuses that match."""

    focusReleased = Signal()
    downPressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.focusReleased.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.downPressed.emit()
        else:
            super().keyPressEvent(event)


class MoreActions(QtWidgets.QFrame):
    """The list of more actions: the filter, the actions without their own button, and those against the rules."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("sunken", True)
        hint = tr("ui.turn.filter")
        self.filter = named(FilterLine(placeholderText=hint, clearButtonEnabled=True), hint)
        self.list, self.refused_list = QtWidgets.QGridLayout(), QtWidgets.QGridLayout()
        for grid in (self.list, self.refused_list):
            grid.setSpacing(scaled(SPACE))
        self.nothing = plain_label(tr("ui.turn.filter-none"), "caption", "muted")
        self.refused = ElidedLabel(role="caption", lines=2, tone="muted")
        fill(vertical(self, margins=12), self.filter, self.list, self.nothing, self.refused, self.refused_list)


class ActionBar(QtWidgets.QWidget):
    """The attacks and actions of a turn, with the target button and the filter.

    Emits `chosen(id)` when the user clicks an action or presses Enter or a number key, `focusReleased` when the user
    leaves the filter, and `targetRequested` when the user presses the target button. Emits `attackChosen(id, bonus)`
    when the user chooses an attack other than the next one. `bonus` is the difference from the next attack's bonus.
    """

    chosen = Signal(str)
    attackChosen = Signal(str, int)
    focusReleased = Signal()
    targetRequested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._views: tuple[ActionView, ...] = ()
        self._numbered: tuple[ActionView, ...] = ()
        self.buttons: dict[str, ActionButton] = {}
        self.rows: dict[str, AttackRow] = {}
        self._attack_heading = plain_label(tr("ui.turn.attacks"), "caption", "muted")
        self.target = KeyButton(tr("ui.turn.choose-target"), self.targetRequested.emit, "T", "quiet", "crosshairs")
        self._attacks = vertical()
        self._action_heading = plain_label(tr("ui.turn.actions"), "caption", "muted")
        self.more_button = KeyButton("", self.toggle_more, ".", "quiet", "dots-horizontal")
        self._grid = QtWidgets.QGridLayout()
        self._grid.setSpacing(scaled(GAP))
        self.more = MoreActions()
        self.more.hide()
        self.filter = self.more.filter
        self.filter.textChanged.connect(lambda _text: self._show())
        self.filter.returnPressed.connect(self._choose_first)
        self.filter.focusReleased.connect(self._leave_filter)
        self.filter.downPressed.connect(self._go_to_first)
        attack_head = fill(horizontal(), self._attack_heading, STRETCH, self.target)
        action_head = fill(horizontal(), self._action_heading, STRETCH, self.more_button)
        fill(vertical(self), attack_head, self._attacks, action_head, self._grid, self.more, STRETCH)
        self._is_always_open = False
        self._keys = [self._shortcut(place) for place in range(NUMBERED)]

    def _shortcut(self, place: int) -> QShortcut:
        shortcut = QShortcut(QKeySequence(str(place + 1)), self)
        shortcut.activated.connect(lambda: self._choose(place))
        return shortcut

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Choose an action by a digit's key in keyboard layouts that type digits with Shift: no shortcut fits there."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.isVisible():
            digit = pressed_character(event)
            if digit.isdecimal() and event.text() != digit and watched is self.window():
                event.accept()
                QTimer.singleShot(0, partial(self._choose, int(digit) - 1))  # once the key was pressed
        return False

    def set_actions(self, views: Sequence[ActionView]) -> None:
        """Set the actions, the likeliest first."""
        if tuple(views) == self._views:
            return
        if {view.id for view in views} != {view.id for view in self._views}:
            self.filter.clear()
            self.more.setVisible(self._is_always_open)
        self._views = tuple(views)
        self._show()

    def set_target(self, text: str) -> None:
        """Show the target's name on the target button. If it is empty, the button asks for a target."""
        self.target.setText(text.replace("&", "&&") or tr("ui.turn.choose-target"))

    def keep_open(self, *, is_open: bool) -> None:
        """Keep the list of more actions open if there is enough room."""
        if is_open == self._is_always_open:
            return
        self._is_always_open = is_open
        self.more.setVisible(is_open or self.filter.hasFocus())
        self._show()

    def toggle_more(self) -> None:
        """Open the list of more actions and focus its filter, or close the list."""
        if self.more.isVisible() and not self._is_always_open:
            self._leave_filter()
        else:
            self.open_filter()

    def open_filter(self) -> None:
        """Focus the filter line."""
        if self._views and self.isVisible():
            self.more.show()
            self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._show()

    def button(self, number: int) -> ActionButton:
        """Return the button with a number key from 1 to 9."""
        return next(button for button in self.buttons.values() if button.number == number)

    # Laying out ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        able = [view for view in self._views if not view.refused]
        attacks = [view for view in able if view.attack is not None][:MOST_ATTACKS]
        likely = [view for view in able if view.attack is None][:LIKELIEST]
        self._numbered = (*attacks, *likely)[:NUMBERED]
        typed = self.filter.text().strip().casefold()
        above = {view.id for view in (*attacks, *likely)}
        rest = [view for view in able if (view.matches(typed) if typed else view.id not in above)]
        refused = [view for view in self._views if view.refused and (not typed or view.matches(typed))]
        focused = next((id for id, action_button in self.buttons.items() if action_button.hasFocus()), None)
        old, old_rows, self.buttons, self.rows = self.buttons, self.rows, {}, {}
        numbers = {view.id: place + 1 for place, view in enumerate(self._numbered)}
        for place, key in enumerate(self._keys):
            key.setEnabled(place < len(numbers))
        for view in attacks:
            row = old_rows.pop(view.id, None) or self._new_row(view.id)
            row.set_view(view, numbers[view.id])
            row.button.set_due(is_due=view is attacks[0])
            if self._attacks.indexOf(row) != len(self.rows):
                self._attacks.insertWidget(len(self.rows), row)
            self.rows[view.id] = row
            self._keep(view, row.button)
        for row in old_rows.values():
            self._attacks.removeWidget(row)
            discard(row)
        sections = [(self._grid, likely), (self.more.list, [view for view in rest if view.id not in self.buttons])]
        sections.append((self.more.refused_list, refused))
        for layout, views in sections:
            for place, view in enumerate(candidate for candidate in views if candidate.id not in self.buttons):
                button = old.pop(view.id, None)
                if button is None or isinstance(button, AttackButton):
                    button = ActionButton()
                button.set_view(view, numbers.get(view.id, 0))
                layout.addWidget(button, place // 2, place % 2)
                button.show()
                self._keep(view, button)
        for button in old.values():
            if not isinstance(button, AttackButton):
                discard(button)
        self._head(attacks, able, refused, typed, bool(rest))
        if focused is not None and focused in self.buttons:
            self.buttons[focused].setFocus(Qt.FocusReason.OtherFocusReason)

    def _new_row(self, id: str) -> AttackRow:
        row = AttackRow()
        row.attackChosen.connect(lambda bonus: self.attackChosen.emit(id, bonus))
        return row

    def _keep(self, view: ActionView, button: ActionButton) -> None:
        self.buttons[view.id] = button
        if button.property("wired") is None:
            button.setProperty("wired", True)
            button.clicked.connect(lambda _checked=False, id=view.id: self._chosen(id))

    def _head(
        self, attacks: list[ActionView], able: list[ActionView], refused: list[ActionView], typed: str, any_left: bool
    ) -> None:
        """Update the headings, the number of hidden actions, and the reasons why actions are refused."""
        for widget in (self._attack_heading, self.target):
            widget.setVisible(bool(attacks))
        hidden = len(able) - len(self.rows) - sum(view.attack is None for view in self._numbered)
        self.more_button.setText(tr("ui.turn.more-actions", n=hidden) if hidden > 0 else tr("ui.turn.all-actions"))
        self.more_button.setVisible(bool(self._views) and not self._is_always_open)
        self._action_heading.setVisible(bool(self._views))
        self.more.nothing.setVisible(bool(typed) and not any_left and not refused)
        reasons = "  ·  ".join(f"{view.name}: {view.refused}" for view in refused)
        self.more.refused.setText(tr("ui.turn.not-now", n=len(refused), reasons=reasons))
        self.more.refused.setVisible(bool(refused))

    # Choosing ------------------------------------------------------------------------------------------------------

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._numbered):
            self._chosen(self._numbered[place].id)

    def _chosen(self, id: str) -> None:
        self.filter.clear()
        if self.filter.hasFocus() or not self._is_always_open:
            self._leave_filter()
        self.chosen.emit(id)

    def _leave_filter(self) -> None:
        had_focus = self.more.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        self.more.setVisible(self._is_always_open)
        if had_focus:
            self.focusReleased.emit()

    def _choose_first(self) -> None:
        if (first := self._first_in_list()) is not None:
            self._chosen(first.view.id)

    def _go_to_first(self) -> None:
        if (first := self._first_in_list()) is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _first_in_list(self) -> ActionButton | None:
        """Return the first action that matches the filter, or None."""
        typed = self.filter.text().strip().casefold()
        matches = [button for button in self.buttons.values() if not typed or button.view.matches(typed)]
        return next(iter(sorted(matches, key=lambda button: bool(button.view.refused))), None)
