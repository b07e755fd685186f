"""A field for a character's state after earlier fights: a text, and a button that resets it."""

from turnwright.encounter.prepared import CharacterState, Creature, RosterEntry
from turnwright.ui.forms.fields import Field
from turnwright.ui.forms.kinds import FieldRequest
from turnwright.ui.look.style import current_words, tr
from turnwright.ui.widgets.text import plain_label, push_button
from turnwright.workspace.text import Phrasebook, state_text


class StateField(Field):
    """Shows a character's state. The button resets it to None, which means fully rested."""

    def __init__(self, request: FieldRequest) -> None:
        super().__init__()
        self._request = request
        self.label = plain_label("", wraps=True)
        self.button = push_button(
            tr("ui.roster-entry.state-fresh"), lambda: self.edited.emit(None), icon_name="restore"
        )
        self.column.addWidget(self.label)
        self.add_control(self.button)

    def show_value(self, value: CharacterState | None) -> None:
        """Show a description of the state."""
        entry = self._request.binding.value()
        if isinstance(entry, RosterEntry):
            creature = self._request.context.encounter().get(Creature, entry.creature)
            words = Phrasebook(current_words(), self._request.context.rules)
            self.label.setText(state_text(value, creature, entry, words))
