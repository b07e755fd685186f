"""What the window does once it has been painted: says what was wrong with the file, and offers what a crash left behind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale

from turnwright.ui.dialogs.recover import Left, RecoverDialog
from turnwright.ui.faults import FaultHook
from turnwright.ui.say import say
from turnwright.ui.warming import Warmer
from turnwright.workspace.document import CannotRecover, InUse
from turnwright.workspace.files import CannotOpen

if TYPE_CHECKING:
    from turnwright.ui.window import MainWindow
    from turnwright.workspace.opening import Workspace
    from turnwright.workspace.recovery import Recoverable


def after_first_paint(
    window: MainWindow, workspace: Workspace, path: Path | None, trouble: CannotOpen | OSError | None
) -> None:
    """Do what need not be done before the window is seen."""
    hook = FaultHook(workspace.folders.state, lambda file: _say_fault(window, file))
    hook.install()
    window.destroyed.connect(hook.remove)
    if path is not None and trouble is not None:
        window.inside.filing.say_trouble(path, trouble)
    elif path is not None:
        window.inside.filing.remember(path)
        window.inside.filing.show_opened()
    offer_recovery(window, workspace)
    Warmer(window.bridge, window)


def offer_recovery(window: MainWindow, workspace: Workspace) -> RecoverDialog | None:
    """Open the list of what was left unsaved, where there is any."""
    left = workspace.left_behind()
    if not left:
        return None
    dialog = RecoverDialog(rows_of(left), window)
    dialog.restored.connect(lambda index: _restore(window, workspace, left[index]))
    dialog.discarded.connect(lambda index: workspace.discard(left[index]))
    dialog.open()
    return dialog


def rows_of(left: Sequence[Recoverable]) -> list[Left]:
    """Return what the list shows of each."""
    locale = QLocale()
    rows = []
    for one in left:
        when = locale.toString(QDateTime.fromSecsSinceEpoch(int(one.time.timestamp())), QLocale.FormatType.ShortFormat)
        rows.append(Left(one.title, str(one.path) if one.path else "", when, one.steps))
    return rows


def _restore(window: MainWindow, workspace: Workspace, left: Recoverable) -> None:
    if not window.inside.filing.may_leave():
        return
    before = window.bridge.document
    if before.path is not None and left.path is not None and before.path.resolve() == left.path.resolve():
        before.close(discard=True)
    try:
        document = workspace.recover(left)
    except (CannotRecover, InUse, OSError):
        window.messages().tell(say("ui.recover.failed", title=left.title), "warn", stays=True)
        return
    window.inside.filing.show(document)


def _say_fault(window: MainWindow, file: Path | None) -> None:
    text = say("ui.fault.said")
    if file is not None:
        text += " " + say("ui.fault.where", file=str(file))
    window.messages().tell(text, "harm", stays=True)
