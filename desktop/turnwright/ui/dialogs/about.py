"""What this program is, which version, under which licence."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from turnwright import __version__
from turnwright.ui.fonts import GAP, px
from turnwright.ui.say import say
from turnwright.ui.widgets.glyph import Glyph
from turnwright.ui.widgets.text import plain_label, push_button


class AboutDialog(QDialog):
    """Name, version, purpose, licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("ui.about.title"))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(32), px(24), px(32), px(24))
        column.setSpacing(px(GAP))
        column.addWidget(Glyph("dice-d20", "accent", 48), 0, Qt.AlignmentFlag.AlignHCenter)
        for text, role, tone in (
            ("Turnwright", "banner", ""),
            (say("ui.about.version", version=__version__), "body", "muted"),
            (say("ui.about.purpose"), "body", ""),
            (say("ui.about.licence"), "caption", "muted"),
        ):
            label = plain_label(text, role, tone, wraps=role != "banner")
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(px(GAP))
        column.addWidget(push_button(say("ui.general.close"), self.accept, "primary"), 0, Qt.AlignmentFlag.AlignHCenter)
        self.setMinimumWidth(px(380))
