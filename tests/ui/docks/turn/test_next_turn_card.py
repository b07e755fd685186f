"""The card that asks for the next turn, under a house rule."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import active_slot
from turnwright.play.queries.queries import next_up, open_prompts
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.widgets.prompts.prompt_input import KEYS


def test_a_letter_chooses_the_next_turn(fight, show, qtbot):
    scene = fight.encounter.need(Scene, "scene")
    fight.execute(Edit(replace(scene, options=(*scene.options, "popcorn-initiative"))))
    dock = show(TurnDock)
    fight.execute(EndTurn())
    (prompt,) = open_prompts(fight.encounter)
    (asked,) = prompt.asks
    assert len(asked.options) > 1
    assert next_up(fight.encounter, fight.rules) is None
    assert len(dock.prompts.cards) == 1
    dock.focus_prompt()
    qtbot.keyClicks(QApplication.focusWidget(), KEYS[1].lower())
    slot = active_slot(fight.encounter)
    assert slot is not None
    assert slot.id == asked.options[1].id
