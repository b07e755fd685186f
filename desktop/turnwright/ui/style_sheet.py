"""The one style sheet: the looks of cards, headers, tables, tool bars, tabs and inputs beyond the palette."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from turnwright.storage.resources import resource_path

_SHEET = Template("""
QMainWindow::separator { background: $line; width: 1px; height: 1px; margin: 2px; }
QMainWindow::separator:hover { background: $focus; }
QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: ${s1}px ${s2}px; }

QMenuBar { background: $surface; border-bottom: 1px solid $line; padding: 2px ${s1}px; }
QMenuBar::item { padding: ${s1}px ${s2}px; border-radius: ${s1}px; }
QMenuBar::item:selected { background: $selection; color: $selection_text; }
QMenu { background: $raised; border: 1px solid $line; padding: ${s1}px; }
QMenu::item { padding: ${s1}px ${s6}px ${s1}px ${s2}px; border-radius: ${s1}px; }
QMenu::item:selected { background: $selection; color: $selection_text; }
QMenu::item:disabled { color: $edge; }
QMenu::separator { height: 1px; background: $line; margin: ${s1}px ${s2}px; }
QMenu::icon { padding-left: ${s1}px; }

QToolBar { background: $surface; border: 0; border-bottom: 1px solid $line; padding: ${s1}px ${s2}px; spacing: ${s1}px; }
QToolBar::separator { background: $line; width: 1px; margin: ${s1}px ${s1}px; }
QToolButton { border: 1px solid transparent; border-radius: ${r}px; padding: ${s1}px; background: transparent; color: $text; }
QToolButton:hover { background: $sunken; border-color: $line; }
QToolButton:pressed { background: $selection; }
QToolButton:checked { background: $accent_soft; border-color: $accent; color: $accent; }
QToolButton:disabled { color: $edge; }
QToolButton:focus { border-color: $focus; }

QDockWidget { color: $muted; titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: $surface; padding: ${s2}px ${s3}px; text-align: left; border-bottom: 1px solid $line; }

QPushButton { background: $raised; color: $text; border: 1px solid $edge; border-radius: ${r}px; padding: 3px ${s3}px;
  min-height: ${s5}px; }
QPushButton:hover { background: $sunken; }
QPushButton:pressed { background: $selection; }
QPushButton:disabled { color: $edge; border-color: $line; }
QPushButton:focus, QPushButton:default:focus { border: 2px solid $focus; padding: 2px ${s3m}px; }
QPushButton[kind="primary"] { background: $accent; color: $accent_text; border-color: $accent; font-weight: 600; }
QPushButton[kind="primary"]:hover { background: $focus; }
QPushButton[kind="primary"]:focus { border-color: $text; }
QPushButton[kind="primary"]:disabled { background: $sunken; color: $edge; border-color: $line; }
QPushButton[kind="quiet"] { background: transparent; border-color: transparent; color: $accent; }
QPushButton[kind="quiet"]:hover { background: $accent_soft; }
QPushButton[kind="quiet"]:focus { border-color: $focus; }
QPushButton[refused="true"] { color: $edge; border-color: $line; background: transparent; }
QPushButton[kind="pick"], QPushButton[kind="act"] { padding: 1px ${s2}px; min-height: ${low}px; }
QPushButton[kind="pick"]:focus, QPushButton[kind="act"]:focus { padding: 0 ${s2m}px; border: 2px solid $focus; }
QPushButton[kind="act"][menu="true"] { border-color: transparent; background: transparent; color: $accent; }
QPushButton[kind="act"][menu="true"]::menu-indicator { image: none; width: 0; }
QPushButton[kind="pick"]:checked { background: $accent_soft; border-color: $accent; color: $accent; }
QPushButton[kind="pick"]:checked:focus { border-color: $focus; }
QPushButton[fact="unknown"] { border-style: dashed; color: $muted; }
QPushButton[fact="matters"] { border-style: dashed; border-color: $warn; color: $warn; }
QLabel[chip="true"] { background: $sunken; border: 1px solid $line; border-radius: ${s1}px; padding: 0 ${s1}px; }
QLabel[chip="true"][tone="harm"] { background: $harm_soft; border-color: $harm; }
QLabel[chip="true"][tone="heal"] { background: $heal_soft; border-color: $heal; }

QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox {
  background: $raised; color: $text; border: 1px solid $edge; border-radius: ${r}px; padding: 3px ${s2}px; min-height: ${s5}px;
  selection-background-color: $selection; selection-color: $selection_text;
}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {
  border: 2px solid $focus; padding: 2px ${s2m}px;
}
QLineEdit:disabled, QPlainTextEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
  background: $sunken; color: $edge; border-color: $line;
}
QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"] { border: 2px solid $harm; }
QAbstractSpinBox[matters="true"] { border: 1px dashed $warn; color: $warn; }
QAbstractSpinBox { max-height: ${s5}px; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { border: 0; padding: 0; min-height: 0; background: transparent; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  subcontrol-origin: border; width: ${s5}px; border: 0; background: transparent;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 2px 2px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 2px 2px 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $sunken; }
QAbstractSpinBox::up-arrow { image: url("$icons/chevron-up.svg"); width: ${arrow}px; height: ${arrow}px; }
QAbstractSpinBox::down-arrow { image: url("$icons/chevron-down.svg"); width: ${arrow}px; height: ${arrow}px; }
QAbstractSpinBox[compact="true"], QAbstractSpinBox[compact="true"]:focus { padding-left: 1px; padding-right: 1px; }
QAbstractSpinBox[compact="true"]::up-button, QAbstractSpinBox[compact="true"]::down-button {
  subcontrol-origin: margin; subcontrol-position: center; width: 0; margin: 0;
}
QPushButton[kind="quiet"]::menu-indicator { image: none; width: 0; }
QPushButton[kind="picks"] { text-align: left; padding: 3px ${s6}px 3px ${s2}px; }
QPushButton[kind="picks"]:focus { padding: 2px ${s6}px 2px ${s2m}px; }
QPushButton[kind="picks"]::menu-indicator {
  image: url("$icons/chevron-down.svg"); width: ${arrow}px; height: ${arrow}px;
  subcontrol-origin: padding; subcontrol-position: center right; right: 2px;
}
QComboBox::drop-down { subcontrol-origin: border; subcontrol-position: center right; width: ${s6}px; border: 0; }
QComboBox::down-arrow { image: url("$icons/chevron-down.svg"); width: ${arrow}px; height: ${arrow}px; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $line; padding: ${s1}px; outline: 0; }

QCheckBox, QRadioButton { spacing: ${s2}px; }
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {
  width: ${box}px; height: ${box}px; border: 1px solid $edge; border-radius: ${s1}px; background: $raised;
}
QRadioButton::indicator { border-radius: ${half}px; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border: 2px solid $focus; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
  background: $accent; border-color: $accent; image: url("$icons/check-$mode.svg");
}
QRadioButton::indicator:checked { border: 5px solid $accent; background: $accent_text; width: ${dot}px; height: ${dot}px; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $line; background: $sunken; }
QCheckBox:focus, QRadioButton:focus { color: $accent; }

QTabWidget::pane { border: 0; border-top: 1px solid $line; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; padding: ${s2}px ${s3}px; border: 0; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $accent; border-bottom: 2px solid $accent; }
QTabBar::tab:focus { color: $accent; background: $accent_soft; }

QAbstractItemView { background: $surface; border: 0; outline: 0; alternate-background-color: $sunken; gridline-color: $line; }
QAbstractItemView::item { padding: 0 ${s1}px; }
QAbstractItemView::item:hover { background: $sunken; }
QAbstractItemView::item:selected { background: $selection; color: $selection_text; }
QListView::item, QTreeView::item { height: ${row}px; }
QHeaderView { background: $surface; }
QHeaderView::section { background: $surface; color: $muted; border: 0; border-bottom: 1px solid $line; padding: ${s1}px ${s2}px; }

QScrollArea, QTextBrowser[flat="true"] { border: 0; background: transparent; padding: 0; min-height: 0; }
QTextBrowser[flat="true"]:focus { border: 0; padding: 0; }
QScrollBar:vertical { background: transparent; width: ${s3}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${s3}px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 3px; min-height: ${s6}px; min-width: ${s6}px; }
QScrollBar::handle:hover { background: $edge; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: transparent; width: 0; height: 0; }
QStatusBar { background: $surface; border-top: 1px solid $line; color: $muted; }
QStatusBar::item { border: 0; }

QLabel[tone="muted"] { color: $muted; }
QLabel[tone="accent"] { color: $accent; }
QLabel[tone="harm"] { color: $harm; }
QLabel[tone="heal"] { color: $heal; }
QLabel[tone="warn"] { color: $warn; }
QLabel[tone="world"] { color: $world; }

QFrame[banner="true"] { border-radius: ${r}px; border: 1px solid $line; background: $sunken; }
QFrame[banner="true"][tone="accent"] { background: $accent_soft; border-color: $accent; }
QFrame[banner="true"][tone="harm"] { background: $harm_soft; border-color: $harm; }
QFrame[banner="true"][tone="heal"] { background: $heal_soft; border-color: $heal; }
QFrame[banner="true"][tone="warn"] { background: $warn_soft; border-color: $warn; }
QFrame[banner="true"][tone="world"] { background: $world_soft; border-color: $world; }
QFrame[rule="true"] { background: $line; border: 0; }
QFrame[floating="true"] QAbstractItemView { background: $raised; }
QFrame[floating="true"] { background: $raised; border: 1px solid $edge; border-radius: ${r}px; }
""")


def style_sheet(tokens: Mapping[str, str], scale: float, *, dark: bool) -> str:
    """Return the style sheet for these colours at this scale; lengths are steps of 4 logical pixels."""
    steps = {f"s{n}": str(max(1, round(4 * n * scale))) for n in (1, 2, 3, 5, 6)}
    thinner = {f"s{n}m": str(max(0, round(4 * n * scale) - 1)) for n in (1, 2, 3)}
    box = round(14 * scale)
    sizes = {
        "r": str(round(6 * scale)),
        "arrow": str(round(10 * scale)),
        "box": str(box),
        "row": str(round(28 * scale)),
        "low": str(round(18 * scale)),
        "dot": str(box - 8),
        "half": str((box + 2) // 2),
    }
    files = {"icons": resource_path("themes").as_posix(), "mode": "dark" if dark else "light"}
    return _SHEET.substitute(tokens, **steps, **thinner, **sizes, **files)
