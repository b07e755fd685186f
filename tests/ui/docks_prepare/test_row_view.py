"""Lists of rows: a view that takes the height of its rows."""

import shiboken6

from turnwright.ui.docks.row_view import RowView
from turnwright.ui.models.rows import RowsModel


def test_a_view_that_is_gone_is_let_go_of_by_its_rows(qtbot):
    model = RowsModel()
    view = RowView(fitted=True)
    view.setModel(model)
    model.follow([("creatures", "wolf"), ("creatures", "bear")])
    two = view.height()
    model.follow([("creatures", "wolf")])
    assert view.height() < two
    shiboken6.delete(view)
    model.follow([])
    assert model.rowCount() == 0
