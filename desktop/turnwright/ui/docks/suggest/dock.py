"""The Suggest panel: wishes on top, three suggestions below them, and the place."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from turnwright.encounter import prepared, state
from turnwright.play.setup.prepared_records import Add
from turnwright.rules.parts.preparation.affinity import CountdownModel
from turnwright.storage.resources import habitats
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.library_transfer import add_environment
from turnwright.ui.docks.suggest.card import SuggestCard
from turnwright.ui.forms import compound_fields, form, kinds, record_fields
from turnwright.ui.forms.fields import ChoiceField, Options, TextField
from turnwright.ui.look.style import GAP, ThemeSource, scaled, tr
from turnwright.ui.models.suggest import SHOWN, SuggestChoice, SuggestModel
from turnwright.ui.services import document_model, workers
from turnwright.ui.widgets import layout
from turnwright.ui.widgets.fields import KeyButton
from turnwright.ui.widgets.text import claims_key, discard, plain_label, pressed_character, push_button
from turnwright.workspace.encounter_suggestions import countdowns_for, places_for, worth_text

NARROW = 860  # px at 100 %; room for three cards side by side
SUBMIT = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
LETTERS = {"l": "lock", "r": "another", "+": "more", "=": "more", "-": "fewer", "x": "never", "s": "name"}


class SuggestDock(Dock):
    """Suggests encounters for the party. The keys of the current card are in `LETTERS`."""

    name = "suggest"

    def __init__(
        self, document: document_model.DocumentModel, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, theme, parent)
        self.model = SuggestModel(document, self)
        self.current = 0
        self._wants_focus = False
        self.cards: list[SuggestCard] = []
        self._place_key: object = None
        self.model.changed.connect(self.refresh)
        document.documentChanged.connect(self._start_over)
        self._looking = workers.single_shot_timer(self, self._look)
        self.visibilityChanged.connect(self._follow)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.model.is_watched:  # a panel behind another tab isn't painted
            self._looking.start()

    def _look(self) -> None:
        """Build the panel if it is new, and search while it is seen."""
        if not self.cards:
            self._build()
        self.model.watch(watched=True)

    def _follow(self, visible: bool) -> None:
        if not visible:
            self._looking.stop()
            self.model.watch(watched=False)

    def _start_over(self) -> None:
        if self.cards:
            self._build()

    def _build(self) -> None:
        """Create the wishes for the document's rule system, and the cards."""
        before, page = self.widget(), QWidget()
        self._draft = record_fields.CommandDraft(SuggestChoice(), lambda choice, _entered: choice)
        self._draft.changed = lambda: self.model.choose(self._draft.value())
        fields = {
            "difficulty": lambda _request: ChoiceField(load_options=self._difficulties),
            "types": lambda _request: compound_fields.MultiChoiceField((), self._types, none=tr("ui.library.any")),
            "environments": lambda _request: compound_fields.MultiChoiceField(
                [(each, each) for each in habitats()], none=tr("ui.library.any")
            ),
            "words": lambda _request: TextField(tr("ui.suggest.words-hint")),
        }
        tests = {
            "party": lambda _choice, _context: bool(self.model.levels()),
            "there": lambda _choice, _context: bool(self.model.has_enemies),
        }
        wishes = form.form_layout("suggest", SuggestChoice, tests, words="ui.suggest", fields=fields)
        self.form = form.Form(wishes, self._draft, kinds.FormContext.of(self._document), page)
        self.others = KeyButton(tr("ui.suggest.others"), self._find_others, "Shift+R", icon="refresh")
        self.note = plain_label("", "caption", "muted", wraps=True)
        self.cards = [SuggestCard(number) for number in range(SHOWN)]
        self.places = layout.FlowRow(roomy=True)
        self._row = layout.horizontal(spacing=12)
        for card in self.cards:
            card.focused.connect(partial(self._go_to, card.number))
            card.wanted.connect(partial(self._act, card.number))
            card.lineClosed.connect(self.refresh)
            card.named.connect(partial(self._name, card.number))
            self._row.addWidget(card, 1)
            card.hide()
        column = layout.vertical(page, margins=(12, GAP, 12, GAP), spacing=GAP)
        head: QHBoxLayout = layout.fill(layout.horizontal(), (self.note, 1), self.others)
        keys = plain_label(tr("ui.suggest.keys"), "caption", "muted", wraps=True)
        layout.fill(column, self.form, head, self._row, self.places, keys, layout.STRETCH)
        self.setWidget(layout.frameless_scroll_area(page, self))
        page.setAutoFillBackground(False)  # otherwise Qt takes the panel for covered
        discard(before)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """In a narrow panel, stack the cards, and show only the title and a summary of the other ones."""
        if self.cards:
            is_narrow = self.width() < scaled(NARROW)
            directions = QHBoxLayout.Direction
            self._row.setDirection(directions.TopToBottom if is_narrow else directions.LeftToRight)
            for card in self.cards[: len(self.model.cards)]:
                card.set_folded(is_folded=is_narrow and card.number != self.current)

    def refresh(self) -> None:
        """Show the suggestions."""
        if not self.cards:
            return
        self.form.refresh()
        model = self.model
        for card, shown in zip(self.cards, (*model.cards, *[None] * SHOWN), strict=False):
            if shown is not None:
                card.show_card(shown, model)
            card.setVisible(shown is not None)
        self.current = min(self.current, max(0, len(model.cards) - 1))
        for card in self.cards[: len(model.cards)]:
            card.set_current(is_current=card.number == self.current)
        self._fold()
        if self._wants_focus and model.cards:
            self._wants_focus = False
            self._focus()
        self.others.setEnabled(bool(model.cards))
        self.note.setText(self._status())
        self._show_places()

    def _status(self) -> str:
        model = self.model
        if model.is_searching and not model.cards:
            return tr("ui.suggest.searching")
        if model.obstacle == "nothing" and model.answer is not None:
            is_full = model.answer.hint == "kept" and model.there
            hint = (
                tr("ui.suggest.full" if is_full else f"suggest.hint.{model.answer.hint}") if model.answer.hint else ""
            )
            return f"{tr('suggest.nothing')} {hint}".strip()
        if model.obstacle:
            return tr(f"ui.suggest.{model.obstacle}")
        if model.answer is None:
            return ""
        plans = model.answer.plans
        texts = [tr("suggest.found", n=model.answer.kinds, plans=plans)] if plans else []
        if model.challenge is not None and not model.challenge.has_budget:
            texts.append(tr("suggest.no-budget"))
        if model.levels():
            texts.append(tr("ui.suggest.usual-party"))
        return " ".join(texts)

    # The place -------------------------------------------------------------------------------------------------------

    def _show_places(self) -> None:
        """Show environments and countdowns that fit the current card."""
        challenge = self.model.challenge
        cards = self.model.cards
        proposal = cards[self.current].proposal if cards else None
        key = (proposal, self._document.rules.id, challenge)
        if key == self._place_key:
            return
        self._place_key = key
        self.places.clear()
        if proposal is None or challenge is None:
            return
        rules = self._document.rules
        self.places.add(plain_label(tr("ui.suggest.place"), "strong", "world"))
        unit = challenge.figures.unit
        for place, value in places_for(self.model.choice.environments or proposal.habitats, challenge, rules):
            words = "suggest.place-worth" if value else "suggest.place"
            text = tr(words, name=place.name, worth=worth_text(value), unit=unit)
            self._offer(text, partial(add_environment, self._document, place), "earth")
        for model in countdowns_for(proposal)[:SHOWN]:
            text = tr("ui.suggest.countdown", name=model.name, n=model.dice)
            self._offer(text, partial(self._add_countdown, model), "timer-sand")

    def _offer(self, text: str, slot: Callable[[], object], icon_name: str) -> None:
        button = push_button(text, slot, "pick", icon_name)
        self.places.add(button)
        button.show()

    def _add_countdown(self, model: CountdownModel) -> None:
        id = state.unique_id(model.name, self._document.encounter.ids(prepared.Countdown), "countdown")
        outcomes = (prepared.Announce(model.text),) if model.text else ()
        self._do(Add((prepared.Countdown(id, model.name, model.dice, "medium", outcomes=outcomes),)))

    # Choices ---------------------------------------------------------------------------------------------------------

    def _difficulties(self) -> Options:
        challenge = self.model.challenge
        names = [name for name, _ in challenge.steps] if challenge is not None else []
        usual = names[min(2, len(names) - 1)] if names else ""
        return [("", usual.capitalize()), *((name, name.capitalize()) for name in names if name != usual)]

    def _types(self) -> Options:
        suggester = self.model.suggester
        found = {each.type for each in suggester.bestiary.candidates} if suggester is not None else set()
        return [(each, each) for each in sorted(found) if each]

    def _find_others(self) -> None:
        self.model.find_others()
        self._focus()

    def _focus(self) -> None:
        if self.model.cards:
            self.cards[self.current].setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_prompt(self) -> bool:
        """Move the focus to the current card, as soon as there is one."""
        self._look()
        self._wants_focus = not self.model.cards
        self._focus()
        return True

    def _go_to(self, card: int) -> None:
        if card != self.current and card < len(self.model.cards):
            self.current = card
            self.refresh()

    def _act(self, card: int, what: str, slot: int) -> bool:
        """Do what a button or a key of a card says. Return False if it isn't possible."""
        self.current = card
        model = self.model
        if what == "name":
            suggester = model.suggester
            usable = suggester.usable if suggester is not None else ()
            at = slot if slot >= 0 else len(model.cards[card].proposal.slots)
            self.cards[card].show_line(at, {each.name: each.path for each in usable})
            return True
        acts: Mapping[str, Callable[[], object]] = {
            "another": partial(model.find_another, card, slot),
            "never": partial(model.find_another, card, slot, never=True),
            "lock": partial(model.toggle_lock, card, slot),
            "more": partial(model.change_count, card, slot, 1),
            "fewer": partial(model.change_count, card, slot, -1),
            "add": partial(model.add, card),
        }
        done = acts[what]()
        if done is False:
            self.note.setText(tr(f"ui.suggest.not-{'changed' if what != 'add' else 'added'}"))
        return done is not False

    def _name(self, card: int, slot: int, key: str) -> None:
        self.cards[card].close_line()
        if not self.model.swap(card, slot, key):
            self.note.setText(tr("ui.suggest.not-changed"))

    # Keys ------------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Take the keys of the cards before the window's shortcuts, while a card has the focus."""
        return claims_key(event, self._takes) or super().event(event)

    def _takes(self, event: QKeyEvent) -> bool:
        """Whether a key is for the current card."""
        if not any(card.hasFocus() for card in self.cards):
            return False
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return event.key() in SUBMIT or (event.key() == Qt.Key.Key_Z and self.model.can_go_back)
        letter = (pressed_character(event) or event.text()).casefold()
        is_card = letter.isdecimal() and 1 <= int(letter) <= len(self.model.cards)
        arrows = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Escape)
        return is_card or letter in LETTERS or event.key() in (*arrows, *SUBMIT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a card by 1 to 3 or the arrows, change it by letters, and add it by Enter."""
        if not self._takes(event):
            super().keyPressEvent(event)
            return
        letter = (pressed_character(event) or event.text()).casefold()
        card, key = self.cards[self.current], event.key()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_Z:
            self.model.go_back()
        elif key in SUBMIT:
            self._act(self.current, "add", card.slot)
        elif key == Qt.Key.Key_Escape:
            self.form.focus_first()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            card.step(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._turn_to(self.current + (1 if key == Qt.Key.Key_Right else -1))
        elif letter.isdecimal():
            self._turn_to(int(letter) - 1)
        elif letter == "r" and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._find_others()
        else:
            self._act(self.current, LETTERS[letter], card.slot)

    def _turn_to(self, card: int) -> None:
        if 0 <= card < len(self.model.cards):
            self.current = card
            self.refresh()
            self._focus()
