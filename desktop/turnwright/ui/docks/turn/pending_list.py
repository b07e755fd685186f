"""The list of declared but unresolved actions in order of resolution, each with the action it responds to.

Undoing a declaration also undoes everything after it.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QGridLayout, QToolButton, QVBoxLayout, QWidget

from turnwright.encounter.procedure_state import Declaration
from turnwright.rules.parts.economy.declared import resolution_order
from turnwright.rules.system import label_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.look.fonts import GAP, SPACE, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import discard, plain_label, tool_button


class PendingList(Card):
    """The stack of declarations, starting with the first to resolve. Hidden while it is empty."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._document = document
        self._shown: list[tuple[Declaration, str]] = []
        self._buttons: dict[str, QToolButton] = {}
        self._rows = QWidget()
        margins = self.body.contentsMargins()
        self.body.setContentsMargins(margins.left(), scaled(GAP), margins.right(), scaled(GAP))
        self.body.setSpacing(scaled(SPACE))
        self._heading = WhyLabel(tr("ui.turn.pending"), "caption", "muted")
        self.body.addWidget(self._heading)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 0, 0)
        self.body.addLayout(self._column)
        self.setAccessibleName(tr("ui.turn.pending"))
        self.hide()

    def refresh(self) -> None:
        """Show the current declarations."""
        declarations = resolution_order(self._document.encounter)
        shown = [(declaration, self.announcement_text(declaration)) for declaration in declarations]
        if shown != self._shown:
            self._shown = shown
            self._explain()
            self._fill()
        self.setVisible(bool(shown))

    def texts(self) -> list[str]:
        """Return the declarations as text, in the order of resolution."""
        return [text for _, text in self._shown]

    def button(self, id: str) -> QToolButton:
        """Return the button that undoes a declaration. Raise KeyError if there is no such declaration."""
        return self._buttons[id]

    def announcement_text(self, announcement: Declaration) -> str:
        """Return a declaration as text: combatant, action, and the declaration it responds to."""
        lookup = self._document.encounter
        text = tr("ui.turn.pending-entry", who=label_of(lookup, announcement.who), what=announcement.name)
        answered = lookup.get(Declaration, announcement.responds_to) if announcement.responds_to else None
        if answered is None:
            return text
        return tr("ui.turn.pending-answer", one=text, who=label_of(lookup, answered.who), what=answered.name)

    def cost_text(self, announcement: Declaration) -> str:
        """Return the reserved cost of a declaration in the rule system's notation, or an empty string if it is free."""
        presentation = self._document.rules.data.presentation
        return ", ".join(price for pool, amount in announcement.reserved if (price := presentation.price(pool, amount)))

    def undo_to(self, id: str) -> None:
        """Undo step by step until a declaration is undone."""
        while self._document.encounter.get(Declaration, id) is not None:
            before = self._document.encounter
            self._document.undo()
            if self._document.encounter is before:
                return

    def _explain(self) -> None:
        explain = explainer(self._document)
        rule = explain.rule_on_topic("reaction.order")
        self._heading.set_why((lambda: explain.explain_rule(rule, tr("ui.turn.pending"))) if rule else None)

    def _fill(self) -> None:
        self._column.removeWidget(self._rows)
        discard(self._rows)
        self._rows, self._buttons = QWidget(), {}
        grid = QGridLayout(self._rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(scaled(GAP))
        grid.setVerticalSpacing(scaled(2))
        grid.setColumnStretch(1, 1)
        for row, (declaration, text) in enumerate(self._shown):
            button = tool_button("undo", tr("ui.turn.pending-undo", what=text), partial(self.undo_to, declaration.id))
            grid.addWidget(plain_label(f"{row + 1}.", tone="muted"), row, 0)
            grid.addWidget(plain_label(text, "strong" if row == 0 else "body", wraps=True), row, 1)
            grid.addWidget(plain_label(self.cost_text(declaration), "caption", "muted"), row, 2)
            grid.addWidget(button, row, 3)
            self._buttons[declaration.id] = button
        self._column.addWidget(self._rows)
        self._rows.show()
