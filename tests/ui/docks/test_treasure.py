"""Treasure in the window: added from the world's menu, filled in, taken back by undo, and listed with its worth."""

from turnwright.encounter.prepared import Treasure
from turnwright.play.setup.prepared_records import Add
from turnwright.ui.docks.inspectors import TreasureDock
from turnwright.ui.docks.roster.dock import RosterDock
from turnwright.ui.models.row_list_model import DETAIL_ROLE


def test_treasure_is_filled_in_and_an_edit_undone(show, document, qtbot):
    dock = show(TreasureDock)
    before = set(document.encounter.ids(Treasure))
    dock.add()
    (made,) = (one for one in document.encounter.all(Treasure) if one.id not in before)
    fields = dock.form.fields
    assert not fields["looks"].isVisible()
    for name, text in (("name", "Ring of the tide"), ("rarity", "uncommon"), ("price", "400 gp")):
        fields[name].line.setFocus()
        fields[name].line.selectAll()
        qtbot.keyClicks(fields[name].line, text)
        fields[name].line.editingFinished.emit()
    fields["secret"].box.click()
    fields["looks"].line.setText("a dull ring")
    fields["looks"].line.textEdited.emit("a dull ring")
    fields["looks"].line.editingFinished.emit()
    assert document.encounter.need(Treasure, made.id) == Treasure(
        made.id, "Ring of the tide", "400 gp", "uncommon", secret=True, looks="a dull ring"
    )
    document.undo()
    assert document.encounter.need(Treasure, made.id).looks == ""
    dock.remove()
    assert set(document.encounter.ids(Treasure)) == before


def test_treasure_stands_in_the_world_with_what_it_is_worth(show, document):
    document.execute(Add((Treasure("ring", "Ring", "400 gp", "rare", 3), Treasure("old-key", "Key"))))
    roster = show(RosterDock)
    rows = [roster.world.index(roster.world.row_of(("treasure", id)), 0) for id in ("ring", "old-key")]
    assert [row.data() for row in rows] == ["Ring", "Key"]
    assert rows[0].data(DETAIL_ROLE) == "rare · 400 gp · 3 uses"
