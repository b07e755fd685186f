"""The handouts dialog: options on the left, a page preview on the right, and output buttons below.

The dialog doesn't typeset. It emits requests and shows the pages that it receives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from turnwright.handouts.page_input import sheets_of_paper
from turnwright.ui.dialogs.handouts.options import HandoutOptions, RecordGroup
from turnwright.ui.dialogs.handouts.page_preview import Page, PagePreview
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.style import GAP, GROUP_GAP, SPACE, escaped_tooltip, scaled, tr
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.layout import ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.text import plain_label, push_button, set_style, tool_button

if TYPE_CHECKING:
    from turnwright.handouts.page_input import Paper
    from turnwright.handouts.typesetter import TypesetError
    from turnwright.ui.services.print_worker import Pages

SHOW_AFTER_MS: Final = 300
MAX_NAMED: Final = 12


class HandoutsDialog(StandardDialog):
    """The handouts dialog. It keeps its options when it is closed, and emits `dialogHidden`.

    Emits `previewRequested` when it needs other pages, `outputRequested(output)` with `pdf`, `png`, `svg`, `tokens` or
    `print`, and `stopRequested` to cancel the output.
    """

    previewRequested = Signal()
    outputRequested = Signal(str)
    stopRequested = Signal()
    dialogHidden = Signal()

    def __init__(self, kinds: Sequence[str], paper: Paper, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.handouts.title"), parent, spacing=GAP)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint, True)
        self._sheets: dict[str, Pages] = {}
        self._awaited: set[str] = set()
        self._sought = ""
        self.is_output_running = False
        self.choices, self.view = HandoutOptions(kinds, paper, context), PagePreview()
        self.notes = plain_label("", tone="warn", wraps=True)
        self.notes.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.notes.hide()
        side = fill(vertical(), self._head(), (self.view, 1), self.notes)
        fill(self.column, (fill(horizontal(spacing=GROUP_GAP), self.choices, (side, 1)), 1), self._foot())
        self._connect()
        self._size()
        self.choices.tree.setFocus()
        self._tell_page()

    # Chosen kinds --------------------------------------------------------------------------------------------------------

    def chosen(self) -> tuple[str, ...]:
        """Return the chosen kinds in display order."""
        return self.choices.chosen_kinds()

    def kinds_by_priority(self) -> tuple[str, ...]:
        """Return the chosen kinds, starting with the one that is scrolled into view."""
        kinds = self.chosen()
        front = self.view.pages[self.view.current_page].kind if self.view.pages else ""
        start = kinds.index(front) if front in kinds else 0
        return kinds[start:] + kinds[:start]

    def other_kinds(self) -> tuple[str, ...]:
        """Return the kinds that aren't chosen."""
        kinds = self.chosen()
        return tuple(id for id in self.choices.kinds if id not in kinds)

    # Pages and output ----------------------------------------------------------------------------------------------------

    def show_records(self, groups: Sequence[RecordGroup], *, reset: bool) -> None:
        """Set the records of the encounter. With `reset`, clear the preview, since it shows another encounter."""
        self.choices.show_records(groups, reset=reset)
        if reset:
            self._sheets.clear()
            self._show_pages()

    def await_pages(self) -> None:
        """Show a progress bar until the pages of the chosen kinds arrive."""
        self._awaited = set(self.chosen())
        self.bar.setRange(0, max(1, len(self._awaited)))
        self.bar.setValue(0)
        self._show_pages()
        if self._awaited and not self._late.isActive():
            self._late.start()

    def take_pages(self, pages: Pages) -> None:
        """Receive the pages of one kind and show them."""
        self._sheets[pages.kind] = pages
        self._awaited.discard(pages.kind)
        self.bar.setValue(self.bar.maximum() - len(self._awaited))
        self.choices.show_page_counts({pages.kind: pages})
        self._show_pages()
        if not self._awaited:
            self._late.stop()
            self.bar.hide()

    def show_row(self, id: str) -> None:
        """Scroll to the first page of a kind or a record, or do so as soon as it arrives."""
        self._sought, kinds = id, self.choices.kinds_of(id)
        kinds = tuple(self._sheets[kind].on or kind if kind in self._sheets else kind for kind in kinds)
        number = next((number for number, page in enumerate(self.view.pages) if page.kind in kinds), None)
        if number is not None:
            self._sought = ""
            self.view.go_to(number)

    def end_preview(self) -> None:
        """Stop waiting for pages."""
        self._awaited.clear()
        self._late.stop()
        self.bar.hide()
        self._show_pages()

    def notify(self, text: str, tone: str = "muted") -> None:
        """Show a message next to the buttons."""
        self.message_label.setText(text)
        set_style(self.message_label, "tone", tone)

    def begin_output(self, text: str, steps: int) -> None:
        """Show a progress bar with `steps` steps (0: unknown number), and disable output until the current one ends."""
        self.is_output_running = True
        self.notify(text)
        self.progress_bar.setRange(0, steps)
        self.progress_bar.setValue(0)
        self.progress_bar.setAccessibleName(text)
        self._outgoing.start()
        self._judge()

    def show_progress(self, done: int, text: str) -> None:
        """Show the number of output steps done so far, and a text."""
        if self.stop.isEnabled():
            self.progress_bar.setValue(done)
            self.notify(text)

    def end_output(self, text: str, tone: str = "muted") -> None:
        """Hide the progress bar and show the result of the output."""
        self.is_output_running = False
        self._outgoing.stop()
        self.progress_bar.hide()
        self.stop.hide()
        self.stop.setEnabled(True)
        self.notify(text, tone)
        self._judge()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.dialogHidden.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isVisible() and self.isActiveWindow():
            self.previewRequested.emit()  # a template may have been edited in another program

    # Building ------------------------------------------------------------------------------------------------------------

    def _head(self) -> QHBoxLayout:
        self.page = ElidedLabel("", "strong")
        self.page.setMinimumHeight(scaled(28))
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedSize(QSize(scaled(120), scaled(6)))
        self.bar.setAccessibleName(tr("ui.handouts.setting"))
        self.bar.hide()
        line = fill(horizontal(spacing=SPACE), (self.page, 1), self.bar)
        line.addSpacing(scaled(GAP))
        self.scale = plain_label("", tone="muted")
        zooms: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("smaller", "magnify-minus-outline", "Ctrl+-", lambda: self.view.zoom(-1)),
            ("larger", "magnify-plus-outline", "Ctrl++", lambda: self.view.zoom(1)),
            ("width", "arrow-expand-horizontal", "Ctrl+0", lambda: self.view.set_fit("width")),
            ("whole", "fit-to-page-outline", "Ctrl+9", lambda: self.view.set_fit("page")),
        )
        self.zooms = []
        for name, sign, keys, zoom in zooms:
            label = tr(f"ui.handouts.{name}")
            button = tool_button(sign, label, zoom)
            shortcut = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
            button.setToolTip(escaped_tooltip(f"{label} ({shortcut})"))
            QShortcut(QKeySequence(keys), self, zoom)
            self.zooms.append(button)
        QShortcut(QKeySequence("Ctrl+="), self, zooms[1][3])
        return fill(line, self.scale, *self.zooms)

    def _foot(self) -> QHBoxLayout:
        self.message_label = ElidedLabel(tone="muted")
        self.progress_bar = QProgressBar(textVisible=False)
        self.progress_bar.setFixedSize(QSize(scaled(140), scaled(6)))
        self.progress_bar.hide()
        self.stop = push_button(tr("ui.handouts.stop"), self._stop)
        self.stop.hide()
        close = push_button(tr("ui.general.close"), self.reject)
        self.output_buttons = {
            "tokens": push_button(tr("ui.handouts.tokens"), lambda: self.outputRequested.emit("tokens")),
            "print": push_button(tr("ui.handouts.print"), lambda: self.outputRequested.emit("print"), "", "printer"),
            "svg": push_button(tr("ui.handouts.svg"), lambda: self.outputRequested.emit("svg")),
            "png": push_button(tr("ui.handouts.png"), lambda: self.outputRequested.emit("png")),
            "pdf": push_button(tr("ui.handouts.pdf"), lambda: self.outputRequested.emit("pdf"), "primary"),
        }
        self.output_buttons["pdf"].setDefault(True)
        self.output_buttons["tokens"].setToolTip(escaped_tooltip(tr("ui.handouts.tokens-tip")))
        buttons = self.output_buttons.values()
        return fill(horizontal(), (self.message_label, 1), self.progress_bar, self.stop, close, *buttons)

    def _connect(self) -> None:
        self._late = single_shot_timer(self, self.bar.show, SHOW_AFTER_MS)
        self._outgoing = single_shot_timer(self, self._show_far, SHOW_AFTER_MS)
        self.choices.changed.connect(self.previewRequested)
        self.choices.changed.connect(lambda: self.notify(""))
        self.choices.tree.chosen.connect(self.show_row)
        self.view.resolutionChanged.connect(self.previewRequested)
        self.view.currentPageChanged.connect(self._tell_page)

    def _size(self) -> None:
        """Enlarge the dialog to most of the screen, since pages need height."""
        parent = self.parentWidget()
        screen = (parent.screen() if parent is not None else QGuiApplication.primaryScreen()).availableGeometry()
        self.resize(QSize(scaled(1240), scaled(1000)).boundedTo(screen.size() - QSize(scaled(40), scaled(64))))

    # Showing -------------------------------------------------------------------------------------------------------------

    def _show_far(self) -> None:
        self.progress_bar.show()
        self.stop.show()

    def _show_pages(self) -> None:
        shown = [self._sheets[kind] for kind in self.chosen() if kind in self._sheets]
        pages = [Page(sheets.kind, content, sheets.ppi) for sheets in shown for content in sheets.pages]
        self.view.show_pages(pages, self._why_empty())
        if self._sought:
            self.show_row(self._sought)
        notes = _notes(shown)
        self.notes.setText(notes)
        self.notes.setVisible(bool(notes))
        self._judge()

    def _why_empty(self) -> str:
        if self._awaited:
            return tr("ui.handouts.setting")
        return tr("ui.handouts.nothing-chosen" if not self.chosen() else "ui.handouts.nothing")

    def _judge(self) -> None:
        """Enable the output buttons only if there are pages and no output is running. Tokens need no pages."""
        for output, button in self.output_buttons.items():
            button.setEnabled((output == "tokens" or bool(self.view.pages)) and not self.is_output_running)

    def _tell_page(self) -> None:
        pages, number = self.view.pages, self.view.current_page
        text = ""
        if pages:
            kind = tr(f"ui.handouts.kind-{pages[number].kind}")
            text = tr("ui.handouts.page", n=number + 1, of=len(pages), what=kind)
            if self.choices.options().sides == "two":
                forms = (
                    (self._sheets[kind].form, self._sheets[kind].count)
                    for kind in dict.fromkeys(page.kind for page in pages)
                )
                text += tr("ui.handouts.sheets", n=sheets_of_paper(forms, "two"))
        self.page.setText(text)
        self.view.setAccessibleDescription(text or self.view.empty)
        self.scale.setText(f"{round(self.view.scale() * 100)} %")

    def _stop(self) -> None:
        self.stop.setEnabled(False)
        self.notify(tr("ui.handouts.stopping"))
        self.stopRequested.emit()


def _notes(shown: Sequence[Pages]) -> str:
    """Return the problems of pages as text: template errors, characters missing from fonts, and unreadable images."""
    lines = [
        f"{tr(f'ui.handouts.kind-{sheets.kind}')}: {typeset_error_text(sheets.typeset_error)}"
        for sheets in shown
        if sheets.typeset_error is not None
    ]
    lines += [problem for sheets in shown for problem in sheets.problems]
    if missing := dict.fromkeys(character for sheets in shown for character in sheets.missing_characters):
        lines.append(
            tr("ui.handouts.missing-characters", n=len(missing), what=_some([character_name(char) for char in missing]))
        )
    if unreadable := dict.fromkeys(name for sheets in shown for name in sheets.unreadable_pictures):
        lines.append(tr("ui.handouts.unreadable-pictures", n=len(unreadable), what=_some(list(unreadable))))
    return "\n".join(dict.fromkeys(lines))


def typeset_error_text(error: TypesetError) -> str:
    """Return a template error as text, including its file and line if known."""
    if not error.file:
        return tr("ui.handouts.template-error", why=error.message)
    return tr("ui.handouts.template-error-at", file=error.file, line=error.line, why=error.message)


def character_name(character: str) -> str:
    """Return a character and its code point, since the character may be invisible."""
    return f"{character} (U+{ord(character):04X})"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:MAX_NAMED]) + ("…" if len(names) > MAX_NAMED else "")
