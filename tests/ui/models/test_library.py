"""The list of the library: sections, search, filters, drags and duplicates."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from turnwright.encounter.prepared import Creature
from turnwright.storage.library.entries import LibraryEntry
from turnwright.storage.library.search import LibraryFilter, duplicates
from turnwright.ui.models.library import LibraryModel, party_line
from turnwright.ui.models.roster import LIBRARY_MIME
from turnwright.ui.models.row_list_model import HEADING

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NAMES = ("Fen wyrm", "Ferry hand", "River raider", "Rusted watch", "Slag hulk")


def entry(name, kind="creature", tags=(), system="a5e"):
    haystack = " ".join((name, kind, *tags)).casefold()
    return LibraryEntry(
        f"/{kind}/{name}",
        name.casefold(),
        name,
        "1/4",
        tags=tags,
        kind=kind,
        system=system,
        shipped=True,
        haystack=haystack,
    )


@pytest.fixture
def model(qapp):
    made = LibraryModel(lambda one: Creature(one.id, one.name))
    entries = [entry(name) for name in NAMES] + [entry("Frigid", "environment"), entry("Old", system="other")]
    made.set_entries(entries, duplicates(entries))
    made.search("", LibraryFilter(system="a5e"))
    return made


def names(model):
    return [model.index(row, 0).data() for row, key in enumerate(model.keys) if key[0] != HEADING]


def test_each_section_has_a_heading_and_other_systems_are_left_out(model):
    assert names(model) == [*NAMES, "Frigid"]
    assert [key[1] for key in model.keys if key[0] == HEADING] == ["creature", "environment"]


def test_every_word_must_be_found_somewhere(model):
    model.search("CREA r")
    assert set(names(model)) == set(NAMES)
    model.search("creature wyrm")
    assert names(model) == ["Fen wyrm"]
    model.search("fri")
    assert [key[1] for key in model.keys if key[0] == HEADING] == ["environment"]


@given(queries=st.lists(st.text("efrivnhd ", max_size=4), max_size=8))
def test_any_typing_keeps_rows_and_words_together(qapp, queries):
    model = LibraryModel(lambda one: None)
    tester = QAbstractItemModelTester(model, FATAL)
    model.set_entries([entry(name) for name in NAMES])
    for query in queries:
        model.search(query)
        words = query.casefold().split()
        found = [name for name in NAMES if all(word in f"{name} creature".casefold() for word in words)]
        assert sorted(names(model)) == found
        assert [model.row_of(key) for key in model.keys] == list(range(model.rowCount()))
    assert tester.model() is model


def test_what_is_dragged_carries_the_record_itself(model):
    data = model.mimeData([model.index(1, 0)])
    kind, body = msgspec.msgpack.decode(data.data(LIBRARY_MIME).data(), type=tuple[str, msgspec.Raw])
    assert kind == "creature"
    assert msgspec.msgpack.decode(body, type=Creature).name == "Fen wyrm"


def test_a_heading_drags_nothing(model):
    assert not model.mimeData([model.index(0, 0)]).hasFormat(LIBRARY_MIME)


def test_other_games_come_with_their_filter(model):
    model.search("", LibraryFilter())
    assert "Old" in names(model)
    model.search("old", LibraryFilter(system="other"))
    assert names(model) == ["Old"]


def test_a_key_press_replaces_the_rows_in_one_go(model, qtbot):
    moves = [model.rowsInserted, model.rowsRemoved, model.rowsMoved]
    with qtbot.assertNotEmitted(moves[0]), qtbot.assertNotEmitted(moves[1]), qtbot.waitSignal(model.modelReset):
        model.search("wyrm")


def test_what_is_there_twice_says_where_else(qapp):
    book = entry("Fen wyrm")
    own = LibraryEntry("/mine/fen.toml", "fen", "Fen Wyrm", kind="creature", system="a5e", source="variant of Fen wyrm")
    model = LibraryModel(lambda one: None)
    model.set_entries([book, own], duplicates([book, own]))
    tip = model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Also in: variant of Fen wyrm (fen.toml)" in tip


def test_a_mark_is_told_to_the_views(model, qtbot):
    marked = set()
    model.set_favourites(marked)
    index = model.index(1, 0)
    assert "Favourite" not in index.data(Qt.ItemDataRole.AccessibleTextRole)
    marked.add(model.item_at(index))
    with qtbot.waitSignal(model.dataChanged) as told:
        model.favourite_changed(model.item_at(index))
    assert told.args[0].row() == 1
    assert "Favourite" in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_tooltip_is_never_markup(qapp):
    model = LibraryModel(lambda one: None)
    model.set_entries([entry("<b>Bold</b>")])
    assert "<b>" not in model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)


def party(name, levels=(), ills=(), text=""):
    haystack = f"{name} party {text}".casefold()
    return LibraryEntry(
        f"/p/{name}", name, name, kind="party", system="a5e", haystack=haystack, levels=levels, ills=ills
    )


@pytest.mark.parametrize(
    ("levels", "ills", "line"),
    [
        ((5,) * 5, (("Aria", "hurt"), ("Dol", "poisoned")), "5 at level 5 · hurt, Dol poisoned"),
        ((2, 3, 0), (), "3 at level 2–3 · fresh"),
        ((4,), (("Dol", "dead"),), "1 at level 4 · Dol dead"),
        ((), (), ""),
    ],
)
def test_a_party_says_how_it_stands(levels, ills, line):
    assert party_line(party("Us", levels, ills)) == line


@pytest.mark.parametrize(
    ("query", "first"), [("", "Lamp"), ("party", "Lamp"), ("lamp", "Lamp"), ("goblin", "Goblin"), ("guest", "Lamp")]
)
def test_parties_come_first_and_names_before_texts(qapp, query, first):
    model = LibraryModel(lambda one: None)
    satyr = msgspec.structs.replace(entry("Satyr"), haystack="satyr creature likes a party")
    model.set_entries([entry("Goblin"), satyr, party("Lamp", (3,), text="guest goblin")])
    model.search(query)
    assert names(model)[0] == first
    assert model.party_rows() == ([model.row_of(("party", "/p/Lamp"))])
