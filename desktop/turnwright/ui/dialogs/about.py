"""The About dialog: name, version, purpose, licence."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from turnwright import __version__
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import vertical
from turnwright.ui.widgets.text import plain_label, push_button


class AboutDialog(QDialog):
    """Name, version, purpose, licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("ui.about.title"))
        column = vertical(self, margins=(32, 24, 32, 24))
        column.addWidget(IconLabel("dice-d20", "accent", 48), 0, Qt.AlignmentFlag.AlignHCenter)
        for text, role, tone in (
            ("Turnwright", "banner", ""),
            (tr("ui.about.version", version=__version__), "body", "muted"),
            (tr("ui.about.purpose"), "body", ""),
            (tr("ui.about.licence"), "caption", "muted"),
        ):
            label = plain_label(text, role, tone, wraps=role != "banner")
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(scaled(GAP))
        column.addWidget(push_button(tr("ui.general.close"), self.accept, "primary"), 0, Qt.AlignmentFlag.AlignHCenter)
        self.setMinimumWidth(scaled(380))
