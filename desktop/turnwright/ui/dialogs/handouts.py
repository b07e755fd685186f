"""Handouts: what to print and how on the left, the pages as they will be on the right, and ways onto paper below.

It knows nothing of presses: it says what is wished for, and is shown what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from turnwright.ui.dialogs.handouts_choices import Choices, Named
from turnwright.ui.dialogs.handouts_pages import Page, PagesView
from turnwright.ui.fonts import GAP, GROUP_GAP, SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import plain_label, push_button, restyle, tool_button

if TYPE_CHECKING:
    from turnwright.handouts.packet import Paper
    from turnwright.handouts.press import Misprint
    from turnwright.ui.press_room import Sheets

SHOW_AFTER_MS: Final = 300
WAYS: Final = ("pdf", "png", "svg", "print")
NAMED_AT_MOST: Final = 12


class HandoutsDialog(QDialog):
    """`wished` when other pages are to be shown; `asked(way)` for one of `WAYS`; `stopped` to end what takes long.

    `left` when it is closed; it is kept, and so is what was chosen in it.
    """

    wished = Signal()
    asked = Signal(str)
    stopped = Signal()
    left = Signal()

    def __init__(self, kinds: Sequence[str], paper: Paper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("ui.handouts.title"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self._sheets: dict[str, Sheets] = {}
        self._awaited: set[str] = set()
        self._is_away = False
        column = QVBoxLayout(self)
        column.setContentsMargins(px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP))
        column.setSpacing(px(GAP))
        row = QHBoxLayout()
        row.setSpacing(px(GROUP_GAP))
        column.addLayout(row, 1)
        self.choices = Choices(kinds, paper)
        row.addWidget(self._scrolled(self.choices))
        side = QVBoxLayout()
        side.setSpacing(px(GAP))
        row.addLayout(side, 1)
        self.view = PagesView()
        side.addLayout(self._head())
        side.addWidget(self.view, 1)
        self.notes = plain_label("", tone="warn", wraps=True)
        self.notes.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.notes.hide()
        side.addWidget(self.notes)
        column.addLayout(self._foot())
        self._connect()
        self._size()
        self.choices.kinds.setFocus()
        self._tell_page()

    # What is wished for --------------------------------------------------------------------------------------------------

    def chosen(self) -> tuple[str, ...]:
        """Return the kinds that are to be printed, in their order."""
        return self.choices.kinds.wanted()

    def by_urgency(self) -> tuple[str, ...]:
        """Return the kinds that are to be seen, beginning with the one that a person looks at."""
        chosen = self.chosen()
        front = self.view.pages[self.view.in_front].kind if self.view.pages else ""
        start = chosen.index(front) if front in chosen else 0
        return chosen[start:] + chosen[:start]

    def others(self) -> tuple[str, ...]:
        """Return the kinds that are not chosen."""
        chosen = self.chosen()
        return tuple(id for id in self.choices.kinds.ids() if id not in chosen)

    # What comes of it ----------------------------------------------------------------------------------------------------

    def show_creatures(self, creatures: Named, *, afresh: bool) -> None:
        """List the creatures of the encounter; `afresh` where it is another one, of which nothing has been shown."""
        self.choices.show_creatures(creatures, afresh=afresh)
        if afresh:
            self._sheets.clear()
            self._show_pages()

    def await_sheets(self) -> None:
        """Expect the pages of what is chosen."""
        self._awaited = set(self.chosen())
        self.bar.setRange(0, max(1, len(self._awaited)))
        self.bar.setValue(0)
        self._show_pages()
        if self._awaited and not self._late.isActive():
            self._late.start()

    def take(self, sheets: Sheets) -> None:
        """Show what a kind of page gave."""
        self._sheets[sheets.kind] = sheets
        self._awaited.discard(sheets.kind)
        self.bar.setValue(self.bar.maximum() - len(self._awaited))
        self.choices.show_sheets({sheets.kind: sheets})
        self._show_pages()
        if not self._awaited:
            self._late.stop()
            self.bar.hide()

    def rest(self) -> None:
        """Expect nothing more."""
        self._awaited.clear()
        self._late.stop()
        self.bar.hide()
        self._show_pages()

    def tell(self, text: str, tone: str = "muted") -> None:
        """Say something beside the buttons."""
        self.said.setText(text)
        if self.said.property("tone") != tone:
            self.said.setProperty("tone", tone)
            restyle(self.said)

    def go_away(self, text: str, steps: int) -> None:
        """Say that something takes its time: `steps` of it, 0 where nobody knows. Nothing else goes out meanwhile."""
        self._is_away = True
        self.tell(text)
        self.far.setRange(0, steps)
        self.far.setValue(0)
        self.far.setAccessibleName(text)
        self._outgoing.start()
        self._judge()

    def tell_far(self, done: int, text: str) -> None:
        """Say how far it is."""
        if self.stop.isEnabled():
            self.far.setValue(done)
            self.tell(text)

    def come_back(self, text: str, tone: str = "muted") -> None:
        """Say how it ended."""
        self._is_away = False
        self._outgoing.stop()
        self.far.hide()
        self.stop.hide()
        self.stop.setEnabled(True)
        self.tell(text, tone)
        self._judge()

    @property
    def is_away(self) -> bool:
        """Whether something goes out."""
        return self._is_away

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.left.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isVisible() and self.isActiveWindow():
            self.wished.emit()  # a template may have been changed beside it

    # Building ------------------------------------------------------------------------------------------------------------

    def _scrolled(self, choices: Choices) -> QScrollArea:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(choices)
        area.setFixedWidth(choices.width() + px(GROUP_GAP))
        return area

    def _head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(px(SPACE))
        self.page = ElidedLabel("", "strong")
        self.page.setMinimumHeight(px(28))
        line.addWidget(self.page, 1)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(QSize(px(120), px(6)))
        self.bar.setAccessibleName(say("ui.handouts.setting"))
        self.bar.hide()
        line.addWidget(self.bar)
        line.addSpacing(px(GAP))
        self.scale = plain_label("", tone="muted")
        line.addWidget(self.scale)
        deeds: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("smaller", "magnify-minus-outline", "Ctrl+-", lambda: self.view.zoom(-1)),
            ("larger", "magnify-plus-outline", "Ctrl++", lambda: self.view.zoom(1)),
            ("width", "arrow-expand-horizontal", "Ctrl+0", lambda: self.view.set_fit("width")),
            ("whole", "fit-to-page-outline", "Ctrl+9", lambda: self.view.set_fit("page")),
        )
        self.zooms = []
        for name, sign, keys, deed in deeds:
            said = say(f"ui.handouts.{name}")
            button = tool_button(sign, said, deed)
            button.setToolTip(f"{said} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})")
            QShortcut(QKeySequence(keys), self, deed)
            self.zooms.append(button)
            line.addWidget(button)
        QShortcut(QKeySequence("Ctrl+="), self, deeds[1][3])
        return line

    def _foot(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(px(GAP))
        self.said = ElidedLabel("")
        self.said.setProperty("tone", "muted")
        line.addWidget(self.said, 1)
        self.far = QProgressBar()
        self.far.setTextVisible(False)
        self.far.setFixedSize(QSize(px(140), px(6)))
        self.far.hide()
        line.addWidget(self.far)
        self.stop = push_button(say("ui.handouts.stop"), self._stop)
        self.stop.hide()
        line.addWidget(self.stop)
        line.addWidget(push_button(say("ui.general.close"), self.reject))
        self.ways = {
            "print": push_button(say("ui.handouts.print"), lambda: self.asked.emit("print"), "", "printer"),
            "svg": push_button(say("ui.handouts.svg"), lambda: self.asked.emit("svg")),
            "png": push_button(say("ui.handouts.png"), lambda: self.asked.emit("png")),
            "pdf": push_button(say("ui.handouts.pdf"), lambda: self.asked.emit("pdf"), "primary"),
        }
        for button in self.ways.values():
            line.addWidget(button)
        self.ways["pdf"].setDefault(True)
        return line

    def _connect(self) -> None:
        self._late = self._timer(self.bar.show)
        self._outgoing = self._timer(self._show_far)
        self.choices.changed.connect(self.wished)
        self.choices.changed.connect(lambda: self.tell(""))
        self.view.scaled.connect(self.wished)
        self.view.moved.connect(self._tell_page)

    def _timer(self, slot: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(SHOW_AFTER_MS)
        timer.timeout.connect(slot)
        return timer

    def _size(self) -> None:
        """Take as much of the screen as it gives: pages want height."""
        parent = self.parentWidget()
        screen = (parent.screen() if parent is not None else QGuiApplication.primaryScreen()).availableGeometry()
        self.resize(QSize(px(1240), px(1000)).boundedTo(screen.size() - QSize(px(40), px(64))))

    # Showing -------------------------------------------------------------------------------------------------------------

    def _show_far(self) -> None:
        self.far.show()
        self.stop.show()

    def _show_pages(self) -> None:
        wanted = self.chosen()
        shown = [self._sheets[kind] for kind in self.choices.kinds.ids() if kind in wanted and kind in self._sheets]
        pages = [Page(one.kind, content, one.ppi) for one in shown for content in one.pages]
        self.view.show_pages(pages, self._why_empty())
        said = _notes(shown)
        self.notes.setText(said)
        self.notes.setVisible(bool(said))
        self._judge()

    def _why_empty(self) -> str:
        if self._awaited:
            return say("ui.handouts.setting")
        return say("ui.handouts.nothing-chosen" if not self.chosen() else "ui.handouts.nothing")

    def _judge(self) -> None:
        """Let out only what there is, and one thing at a time."""
        there = bool(self.view.pages) and not self._is_away
        for button in self.ways.values():
            button.setEnabled(there)

    def _tell_page(self) -> None:
        pages, number = self.view.pages, self.view.in_front
        text = ""
        if pages:
            kind = say(f"ui.handouts.kind-{pages[number].kind}")
            text = say("ui.handouts.page", n=number + 1, of=len(pages), what=kind)
        self.page.setText(text)
        self.view.setAccessibleDescription(text or self.view.empty)
        self.scale.setText(f"{round(self.view.factor() * 100)} %")

    def _stop(self) -> None:
        self.stop.setEnabled(False)
        self.tell(say("ui.handouts.stopping"))
        self.stopped.emit()


def _notes(shown: Sequence[Sheets]) -> str:
    """Return what is wrong with pages, in words: mistakes in templates, characters without a font, pictures."""
    lines = [misprint_words(sheets.misprint) for sheets in shown if sheets.misprint is not None]
    lacking = dict.fromkeys(character for sheets in shown for character in sheets.lacking)
    if lacking:
        lines.append(say("ui.handouts.lacking", n=len(lacking), what=_some([named(one) for one in lacking])))
    unshown = dict.fromkeys(name for sheets in shown for name in sheets.unshown)
    if unshown:
        lines.append(say("ui.handouts.unshown", n=len(unshown), what=_some(list(unshown))))
    return "\n".join(dict.fromkeys(lines))


def misprint_words(misprint: Misprint) -> str:
    """Return a mistake in a template in words, with its place where it has one."""
    if not misprint.file:
        return say("ui.handouts.misprint", why=misprint.message)
    return say("ui.handouts.misprint-at", file=misprint.file, line=misprint.line, why=misprint.message)


def named(character: str) -> str:
    """Return a character with its number, since nobody may be able to see it."""
    return f"{character} (U+{ord(character):04X})"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED_AT_MOST]) + ("…" if len(names) > NAMED_AT_MOST else "")
