import pytest
from msgspec.structs import replace
from PySide6.QtCore import QThreadPool

from tests.ui.conftest import model_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Map
from turnwright.encounter.state import scene_of
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.ui.application import kernel_loader
from turnwright.ui.application.kernel_loader import load_for_maps
from turnwright.workspace.document import open_document


@pytest.fixture
def empty(qapp, tmp_path):
    path = tmp_path / "map.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "Map"\n', encoding="utf-8")
    document = open_document(path, RuleSystems(), tmp_path / "state", seed=7)
    yield model_of(document)
    document.close(discard=True)


@pytest.fixture
def loads(qtbot, monkeypatch):
    """A list that gets an item for each time the kernels are loaded."""
    made = []
    monkeypatch.setattr(kernel_loader, "_load", lambda: made.append("loaded"))
    return made


def test_kernels_are_loaded_once_there_is_a_map(empty, qtbot, loads):
    assert empty.encounter.get(Map, "map") is None
    load_for_maps(empty)
    assert empty.execute(Edit(replace(scene_of(empty.encounter), title="Still no map")))
    QThreadPool.globalInstance().waitForDone()
    assert loads == []
    empty.execute(Add((Map(columns=4, rows=4),)))
    qtbot.waitUntil(lambda: loads == ["loaded"])
    empty.execute(Remove((("map", "map"),)))
    QThreadPool.globalInstance().waitForDone()
    assert loads == ["loaded"]


def test_an_encounter_that_has_a_map_loads_them_at_once(empty, qtbot, loads):
    empty.execute(Add((Map(columns=4, rows=4),)))
    load_for_maps(empty)
    qtbot.waitUntil(lambda: loads == ["loaded"])
