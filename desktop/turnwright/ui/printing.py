"""Handouts in a window: the dialog in which they are chosen, the press that sets them, and their ways out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from PySide6.QtCore import QLocale, QObject, QTimer
from PySide6.QtGui import QPageSize
from PySide6.QtWidgets import QFileDialog, QMainWindow

from turnwright.encounter.prepared import Creature
from turnwright.ui.bridge import Bridge
from turnwright.ui.keeping import Keeper
from turnwright.ui.say import say

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from turnwright.handouts.press import Press
    from turnwright.ui.dialogs.handouts import HandoutsDialog
    from turnwright.ui.dialogs.messages import MessageBar
    from turnwright.ui.press_room import PressRoom, Sheets, Wish
    from turnwright.ui.printing_out import Out, Picture
    from turnwright.ui.workers import Progress
    from turnwright.workspace.opening import Workspace

FOLLOW_AFTER_MS: Final = 120  # the encounter may change many times in a row
Make = Callable[["Press", "Progress"], "Out"]


class Printing(QObject):
    """The handouts of one window. The dialog and the press are made when they are first wanted, and kept."""

    def __init__(
        self,
        window: QMainWindow,
        bridge: Bridge,
        workspace: Workspace,
        keeper: Keeper,
        messages: Callable[[], MessageBar],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bridge = bridge
        self._workspace = workspace
        self._keeper = keeper
        self._messages = messages
        self._round = 0
        self._stale = True
        self.dialog: HandoutsDialog | None = None
        self.room: PressRoom | None = None
        self._following = QTimer(self)
        self._following.setSingleShot(True)
        self._following.setInterval(FOLLOW_AFTER_MS)
        self._following.timeout.connect(self._follow)
        bridge.changed.connect(lambda _changed: self._following.start())
        bridge.replaced.connect(self._begin_again)

    # The dialog --------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the dialog, or bring it to the front."""
        dialog = self._made_dialog()
        dialog.show_creatures(self._creatures(), afresh=self._stale)
        self._stale = False
        dialog.tell("")
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        self._wish()

    def wish(self) -> Wish:
        """Return what is to be seen now."""
        from turnwright.ui.press_room import Wish

        dialog, document = self._made_dialog(), self._bridge.document
        return Wish(
            self._bridge.encounter,
            self._bridge.rules,
            self._bridge.words,
            document.title,
            document.path.parent if document.path else None,
            dialog.choices.options(),
            dialog.by_urgency(),
            dialog.others(),
            dialog.view.ppi(),
            self._round,
        )

    def _made_dialog(self) -> HandoutsDialog:
        if self.dialog is None:
            from turnwright.handouts.kinds import MODULES
            from turnwright.ui.dialogs.handouts import HandoutsDialog
            from turnwright.ui.dialogs.handouts_choices import usual_paper

            paper = self._keeper.settings.paper or usual_paper(QLocale())
            self.dialog = HandoutsDialog([name.replace("_", "-") for name in MODULES], paper, self._window)
            self.dialog.wished.connect(self._wish)
            self.dialog.asked.connect(self.ask)
            self.dialog.left.connect(self._made_room().forget)
            self.dialog.stopped.connect(self._made_room().stop)
            self.dialog.choices.boxes["paper"].activated.connect(lambda _row: self._keep_paper())
        return self.dialog

    def _made_room(self) -> PressRoom:
        if self.room is None:
            from turnwright.ui.press_room import PressRoom

            self.room = PressRoom(self._workspace.folders, self)
            self.room.made.connect(self._take)
            self.room.rested.connect(self._rest)
            self.room.failed.connect(self._say_unset)
        return self.room

    def _creatures(self) -> list[tuple[str, str]]:
        return [(one.id, one.name or one.id) for one in self._bridge.encounter.all(Creature)]

    def _keep_paper(self) -> None:
        if self.dialog is not None:
            self._keeper.change(paper=self.dialog.choices.options().paper)

    def _wish(self) -> None:
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.await_sheets()
            self._made_room().want(self.wish())

    def _take(self, sheets: Sheets, of: int) -> None:
        if self.dialog is not None and of == self._round:
            self.dialog.take(sheets)

    def _rest(self) -> None:
        if self.dialog is not None:
            self.dialog.rest()

    def _say_unset(self, why: str) -> None:
        if self.dialog is not None:
            self.dialog.rest()
            self.dialog.tell(say("ui.handouts.failed", why=why) if why else say("ui.handouts.fault"), "warn")

    def _follow(self) -> None:
        """Show the encounter as it is now."""
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.show_creatures(self._creatures(), afresh=self._stale)
            self._stale = False
            self._wish()

    def _begin_again(self) -> None:
        self._round += 1
        self._stale = True
        self._following.start()

    # Ways out ----------------------------------------------------------------------------------------------------------

    def ask(self, way: str) -> None:
        """Ask where pages shall go, and send them there: `pdf`, `png`, `svg` or `print`."""
        if way == "print":
            self.ask_printer()
            return
        chosen, _ = QFileDialog.getSaveFileName(
            self.dialog, say(f"ui.handouts.choose-{way}"), str(self._suggested(way)), say(f"ui.handouts.files-{way}")
        )
        if chosen:
            path = Path(chosen)
            self.export(path if path.suffix.lower() == f".{way}" else path.with_name(f"{path.name}.{way}"))

    def export(self, out: Path) -> None:
        """Write what is chosen into a file, by its ending: one PDF, or a numbered picture a page."""
        from turnwright.ui.printing_out import write_pdf, write_pictures

        wish, ending = self._whole(), out.suffix.lower()
        form: Picture = "svg" if ending == ".svg" else "png"

        def make(press: Press, progress: Progress) -> Out:
            if ending == ".pdf":
                return write_pdf(press, wish, out, progress)
            return write_pictures(press, wish, out, form, progress)

        steps = 0 if ending == ".pdf" else len(wish.chosen)
        self._send(make, say("ui.handouts.writing", file=out.name), steps, partial(self._say_written, out))

    def ask_printer(self) -> None:
        """Open the system's dialog, and print."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        if self.dialog is None:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        paper = QPageSize.PageSizeId.Letter if self.wish().options.paper == "letter" else QPageSize.PageSizeId.A4
        printer.setPageSize(QPageSize(paper))
        printer.setDocName(self._bridge.document.title or say("ui.window.untitled"))
        dialog = QPrintDialog(printer, self.dialog)
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintPageRange)
        dialog.setMinMax(1, max(1, len(self.dialog.view.pages)))
        if dialog.exec():
            self.print_to(printer)

    def print_to(self, printer: QPrinter) -> None:
        """Print what is chosen."""
        from turnwright.ui.printing_out import print_pages

        wish = self._whole()

        def make(press: Press, progress: Progress) -> Out:
            return print_pages(press, wish, printer, progress)

        self._send(make, say("ui.handouts.printing"), len(wish.chosen), self._say_printed)

    def _whole(self) -> Wish:
        """Return everything that is chosen, in its order."""
        return msgspec.structs.replace(self.wish(), chosen=self._made_dialog().chosen(), others=())

    def _send(self, make: Make, text: str, steps: int, ended: Callable[[Out], tuple[str, str]]) -> None:
        from turnwright.ui.press_room import Errand

        dialog = self._made_dialog()
        if dialog.is_away:
            return
        dialog.go_away(text, steps)
        self._made_room().run(
            Errand(
                make=make,
                told=lambda done, _kind: dialog.tell_far(done, text),
                ended=lambda out: self._come_back(*ended(out)),
                stopped=lambda: self._come_back(say("ui.handouts.stopped"), "muted"),
                failed=self._say_failed,
            )
        )

    def _come_back(self, text: str, tone: str) -> None:
        """Say how it ended, in the window where the dialog is closed."""
        dialog = self._made_dialog()
        dialog.come_back(text, tone)
        if not dialog.isVisible():
            self._messages().tell(text, "" if tone == "muted" else tone, stays=tone == "warn")

    def _say_written(self, out: Path, written: Out) -> tuple[str, str]:
        from turnwright.ui.dialogs.handouts import misprint_words

        if written.misprint is not None:
            return misprint_words(written.misprint), "warn"
        if out.suffix.lower() == ".pdf":
            text = say("ui.handouts.written", file=str(out))
        else:
            text = say("ui.handouts.pictures", n=written.pages, folder=str(out.parent))
        if written.lacking:
            return f"{text} {say('ui.handouts.lacking-short', n=len(written.lacking))}", "warn"
        return text, "muted"

    def _say_printed(self, printed: Out) -> tuple[str, str]:
        from turnwright.ui.dialogs.handouts import misprint_words

        if printed.misprint is not None:
            return misprint_words(printed.misprint), "warn"
        return say("ui.handouts.printed", n=printed.pages), "muted"

    def _say_failed(self, why: str) -> None:
        self._come_back(say("ui.handouts.failed", why=why) if why else say("ui.handouts.fault"), "warn")

    def _suggested(self, way: str) -> Path:
        from turnwright.storage.importers.drafting import slug

        document = self._bridge.document
        folder = document.path.parent if document.path and not self._workspace.is_sample(document.path) else Path.home()
        options: Any = self._made_dialog().choices.options()
        stem = slug(document.title, "encounter") + ("-players" if options.edition == "players" else "")
        return folder / f"{stem}.{way}"
