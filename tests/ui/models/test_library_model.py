import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtTest import QAbstractItemModelTester

from turnwright.encounter.prepared import Creature
from turnwright.storage.library import LibraryEntry
from turnwright.ui.models.library import LibraryModel, items_of
from turnwright.ui.models.roster import LIBRARY_MIME
from turnwright.ui.models.rows import HEADING

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NAMES = ("Fen wyrm", "Ferry hand", "River raider", "Rusted watch", "Slag hulk")


def entry(name, kind="creature", tags=(), system="a5e"):
    haystack = " ".join((name, kind, *tags)).casefold()
    return LibraryEntry(kind, name.casefold(), name, system, f"/{kind}/{name}", "1/4", tags, True, haystack)


@pytest.fixture
def model(qapp):
    made = LibraryModel(lambda one: Creature(one.id, one.name))
    entries = [entry(name) for name in NAMES] + [entry("Frigid", "environment"), entry("Old", system="other")]
    made.set_items(items_of(entries, [], "a5e"))
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
    model.set_items(items_of([entry(name) for name in NAMES], [], "a5e"))
    for query in queries:
        model.search(query)
        words = query.casefold().split()
        assert names(model) == [name for name in NAMES if all(word in f"{name} creature".casefold() for word in words)]
    assert tester.model() is model


def test_what_is_dragged_carries_the_record_itself(model):
    data = model.mimeData([model.index(1, 0)])
    kind, body = msgspec.msgpack.decode(data.data(LIBRARY_MIME).data(), type=tuple[str, msgspec.Raw])
    assert kind == "creature"
    assert msgspec.msgpack.decode(body, type=Creature).name == "Fen wyrm"


def test_a_heading_drags_nothing(model):
    assert not model.mimeData([model.index(0, 0)]).hasFormat(LIBRARY_MIME)
