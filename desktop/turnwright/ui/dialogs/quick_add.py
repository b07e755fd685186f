"""Quick add, and the form for the players' initiative totals.

Quick add: one line of text that adds combatants, parsed while the user types.

The form for initiative totals that players rolled with their own dice. All totals are submitted together.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from turnwright.encounter import prepared, state
from turnwright.importers.traits.powers import character_rules
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.rules.parts.actions import condition_words, effect_words
from turnwright.rules.parts.preparation.creature_translation import CreatureTranslation
from turnwright.ui.forms.encounter_layouts import InitiativeFields, players_of
from turnwright.ui.look.style import GROUP_GAP, scaled, tr
from turnwright.ui.models.roster import translation_text
from turnwright.ui.services import document_model, services
from turnwright.ui.widgets import dialog, fields, layout
from turnwright.ui.widgets.text import plain_label, push_button, set_style
from turnwright.workspace import party_table, quick_add


class QuickAddLine(dialog.FloatingLine):
    """A line over the window. Enter adds the combatants and closes it, Ctrl+Enter keeps it open, Esc cancels.

    Tab completes the most similar name.
    """

    def __init__(
        self,
        document: document_model.DocumentModel,
        find: quick_add.CreatureFinder,
        names: Callable[[], Sequence[str]],
        parent: QWidget,
        find_elsewhere: Callable[[str], tuple[CreatureTranslation, str] | None],
        change_system: Callable[[str], object],
    ) -> None:
        title, margins = tr("ui.quick-add.title"), (GROUP_GAP, 12, GROUP_GAP, 12)
        super().__init__(parent, title, tr("ui.quick-add.placeholder"), self._read, margins)
        self._document = document
        self._find = find
        self._find_elsewhere = find_elsewhere
        self._change_system = change_system
        self._other_system = ""  # of the creature, if the encounter is still empty
        self._names = names
        keys = plain_label(tr("ui.quick-add.keys"), "caption", "muted")
        self.preview = plain_label("", wraps=True)
        self.preview.setMinimumHeight(self.preview.fontMetrics().lineSpacing() * 2)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.features = fields.PickRow(tr("ui.quick-add.features"), many=True)
        self.features.picked.connect(self._on_picked)
        self.features.hide()
        self.switch_button = push_button("", self.switch, icon_name="swap-horizontal")
        self.switch_button.hide()
        game = document.rules.word("system.short")
        self.copy_button = push_button(tr("ui.library.bring-over", name=game), self.add, icon_name="content-copy")
        self.copy_button.hide()
        buttons = [(button, 0, Qt.AlignmentFlag.AlignLeft) for button in (self.switch_button, self.copy_button)]
        head = layout.fill(QHBoxLayout(), plain_label(title, "strong"), layout.STRETCH, keys)
        layout.fill(self.column, head, self.line, self.preview, self.features, *buttons)
        self.parsed: quick_add.QuickAdd | None = None
        self._typed, self._likest = "", ""
        self._left_out: frozenset[str] = frozenset()
        self._read("")

    def open_over(self, widget: QWidget) -> None:
        """Open in the upper middle of a widget, with an empty line."""
        self.line.clear()
        self.show_over(widget, 600, self.sizeHint().height(), 96)

    def add(self, *, keep_open: bool = False) -> None:
        """Add the combatants of the parsed line and select them."""
        before = set(self._document.encounter.ids(prepared.RosterEntry))
        if self.parsed is None or not self._document.execute(self.parsed.command):
            return
        for id in self._document.encounter.ids(prepared.RosterEntry):
            if id not in before:
                self._document.select((prepared.RosterEntry.table, id))
        if keep_open:
            self.line.clear()
        else:
            self.close()

    def switch(self, *, keep_open: bool = False) -> None:
        """Switch the empty encounter to the creature's rule system, and add the combatants unchanged."""
        self._change_system(self._other_system)
        self._read(self.line.text())
        self.add(keep_open=keep_open)

    def complete(self) -> None:
        """Replace the typed name with the most similar one, if there is one."""
        line = self.line.text()
        at = line.casefold().find(self._typed.casefold())
        if self._likest and at >= 0:
            self.line.setText(line[:at] + self._likest + line[at + len(self._typed) :])

    def focusNextPrevChild(self, forward: bool) -> bool:
        if not self._likest and self.features.isVisible():
            return super().focusNextPrevChild(forward)
        self.complete()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            add = self.switch if self._other_system else self.add
            add(keep_open=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
            return
        super().keyPressEvent(event)

    def _read(self, line: str) -> None:
        self._typed, self._likest = "", ""
        system, game, translation = "", "", None
        try:
            self.parsed, system, translation = self._parse(line)
        except quick_add.QuickAddError as error:
            self.parsed = None
            wrong = error.key != "quick-add.empty"
            self._show(tr(f"ui.{error.key}", **error.params) + self._near(error), "warn" if wrong else "muted")
        else:
            source_key = "ui.quick-add.known" if self.parsed.found_by_name else "ui.quick-add.made"
            source = tr(source_key)
            if translation is not None:
                game = self._document.source.systems.get(system).word("system.short")
                source = tr("ui.quick-add.elsewhere", what=self.parsed.creature.name, name=game)
                source += " " + translation_text(translation, self._document.rules.word("system.short"))
            self._show(f"{_preview(self.parsed)}\n{source}", "")
        self._offer(self.parsed.offered if self.parsed is not None else ())
        self._other_system = system if state.is_encounter_empty(self._document.encounter) else ""
        self.switch_button.setText(tr("ui.library.switch", name=game).replace("&", "&&"))
        self.switch_button.setVisible(bool(self._other_system))
        if self.copy_button.isHidden() is bool(game):
            self.copy_button.setVisible(bool(game))
            self.resize(self.width(), self.sizeHint().height())

    def _offer(self, features: Sequence[prepared.Feature]) -> None:
        """Show the class features as options, ticked unless they were unticked."""
        picks = [fields.PickOption(feature.id, feature.name, tip=feature.text) for feature in features]
        self.features.set_picks(picks, [pick.id for pick in picks if pick.id not in self._left_out])
        if self.features.isHidden() is bool(picks):
            self.features.setVisible(bool(picks))
        if self.isVisible():
            self.resize(self.width(), self.sizeHint().height())

    def _on_picked(self) -> None:
        shown = {button.pick.id for button in self.features.buttons()}
        self._left_out = (self._left_out - shown) | (shown - {*self.features.chosen()})
        self._read(self.line.text())

    def _parse(self, line: str) -> tuple[quick_add.QuickAdd, str, CreatureTranslation | None]:
        """Parse a line. For a creature of another rule system, also return that system's id and the conversion."""
        usual = self._document.rules.new_creature("", "")
        classes = character_rules(self._document.rules.data)
        made = party_table.PartyReader(self._document.rules, classes, self._find, tr).character
        read = partial(
            quick_add.read_quick_add, classes=classes, left_out=self._left_out, unread=self._unread, character=made
        )
        matches: list[tuple[CreatureTranslation, str]] = []

        def find_elsewhere(name: str) -> prepared.Creature | None:
            match = self._find_elsewhere(name)
            matches.extend([match] if match is not None else [])
            return match[0].creature if match is not None else None

        try:
            return read(line, self._find, usual), "", None
        except quick_add.QuickAddError as error:
            if error.key != "quick-add.unknown":
                raise
            parsed = read(line, find_elsewhere, usual)
            translation, system = matches[-1]
            return parsed, system, translation

    def _unread(self, text: str) -> str:
        """Return the first word of an effect that isn't understood, or an empty string."""
        rules = self._document.rules
        return effect_words.unread_word(text, condition_words.line_words(rules, self._document.encounter), rules)

    def _show(self, text: str, tone: str) -> None:
        self.preview.setText(text)
        set_style(self.preview, "tone", tone)

    def _near(self, error: quick_add.QuickAddError) -> str:
        """Return a sentence that suggests similar names, or an empty string if there are none."""
        if error.key != "quick-add.unknown":
            return ""
        names = list(dict.fromkeys(self._names()))
        typed = str(error.params["name"])
        matches = services.best_matches(typed, names) or services.best_matches(typed.split(maxsplit=1)[0], names)
        near = [names[index] for index in matches][:4]
        self._typed, self._likest = typed, near[0] if near else ""
        return " " + tr("ui.quick-add.near", names=", ".join(near), likest=near[0]) if near else ""


def _preview(parsed: quick_add.QuickAdd) -> str:
    creature, entry = parsed.creature, parsed.entry
    assumed = len(creature.assumed) + sum(len(feature.assumed) for feature in creature.features)
    facts = [
        f"{entry.count} × {parsed.name}",
        tr("ui.quick-add.ac", n=parsed.ac),
        tr("ui.quick-add.hp", n=parsed.hp),
        tr("ui.quick-add.init", n=f"{parsed.initiative:+d}") if parsed.initiative is not None else "",
        tr("ui.quick-add.rating", rating=creature.rating) if creature.rating else "",
        tr("ui.quick-add.side", side=_side(entry.side)),
        tr("ui.party-table.count", n=assumed) if assumed else "",
        tr("ui.roster-entry.effects-are", what=", ".join(entry.effects)) if entry.effects else "",
    ]
    return "   ".join(fact for fact in facts if fact)


def _side(side: str) -> str:
    named = tr(f"side.{side}")
    return side if named == f"side.{side}" else named


class InitiativeDialog(dialog.StandardDialog):
    """Has a line for each player. Tab and Enter go to the next line. Enter in the last one submits the form.

    Empty lines are skipped.
    """

    def __init__(self, document: document_model.DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.initiative.title"), parent, tr("ui.initiative.lead"))
        self._document = document
        self.fields = InitiativeFields()
        self.fields.show_people(players_of(document.encounter))
        self.fields.finished.connect(self.submit)
        layout.fill(self.column, self.fields, layout.STRETCH)
        self.add_answer(tr("ui.initiative.enter"), self.submit, "check-bold", default=False)
        self.setMinimumWidth(scaled(360))
        self.fields.focus_first()

    def submit(self) -> None:
        """Enter all totals in one step and close the dialog."""
        totals = self.fields.totals()
        if not totals or self._document.execute(SetInitiative(totals)):
            self.accept()
