"""The list view that takes the height of its rows."""

import shiboken6

from turnwright.ui.docks.shared.row_view import RowView
from turnwright.ui.models.row_list_model import RowListModel


def test_a_view_that_is_gone_is_let_go_of_by_its_rows(qtbot):
    model = RowListModel()
    view = RowView(fits_rows=True)
    view.setModel(model)
    model.update_rows([("creatures", "wolf"), ("creatures", "bear")])
    two = view.height()
    model.update_rows([("creatures", "wolf")])
    assert view.height() < two
    shiboken6.delete(view)
    model.update_rows([])
    assert model.rowCount() == 0
