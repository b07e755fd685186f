"""Rows that follow a list by moves, insertions and removals."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from turnwright.ui.models.row_list_model import RowListModel

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
LISTS = st.lists(st.sampled_from("abcdefghijkl"), unique=True)


class Letters(RowListModel):
    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        key = self.key_at(index)
        return key[1] if key and role == Qt.ItemDataRole.DisplayRole else None


def keys(letters):
    return [("letter", letter) for letter in letters]


@given(lists=st.lists(LISTS, max_size=8))
def test_rows_follow_any_list_through_calls_that_qt_accepts(qapp, lists):
    model = Letters()
    tester = QAbstractItemModelTester(model, FATAL)
    for letters in lists:
        model.update_rows(keys(letters))
        assert list(model.keys) == keys(letters)
        assert model.rowCount() == len(letters)
    assert tester.model() is model


def test_a_selection_stays_with_its_row_when_others_come_and_go(qapp):
    model = Letters()
    model.update_rows(keys("abcd"))
    place = QPersistentModelIndex(model.index(2, 0))
    model.update_rows(keys("xbca"))
    assert model.key_at(place) == ("letter", "c")
    model.update_rows(keys("xba"))
    assert not place.isValid()


def test_one_row_moved_far_is_one_move(qapp):
    model = Letters()
    model.update_rows(keys("abcdefgh"))
    moves = []
    model.rowsMoved.connect(lambda *_: moves.append(1))
    model.update_rows(keys("bcdefgha"))
    model.update_rows(keys("hbcdefga"))
    assert len(moves) == 2


def test_rows_that_stand_together_come_and_go_in_one_run(qapp):
    model = Letters()
    model.update_rows(keys("ab"))
    runs = []
    model.rowsInserted.connect(lambda _parent, first, last: runs.append((first, last)))
    model.rowsRemoved.connect(lambda _parent, first, last: runs.append((first, last)))
    model.update_rows(keys("axyzb"))
    model.update_rows(keys("ab"))
    assert runs == [(1, 3), (1, 3)]
