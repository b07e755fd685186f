import pytest

from turnwright.ui.widgets.prompts.prompt_card import PromptCard, PromptView


@pytest.fixture
def shown(qtbot):
    """Return a function that shows questions on a card with the focus."""

    def show(*asks):
        card = PromptCard(PromptView("p", 3, "Turn", asks))
        qtbot.addWidget(card)
        card.show()
        card.activateWindow()
        card.take_focus()
        return card

    return show
