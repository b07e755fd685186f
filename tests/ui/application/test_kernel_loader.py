import pytest

from tests.ui.conftest import model_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Map
from turnwright.play.setup.prepared_records import Add, Remove
from turnwright.ui.application.kernel_loader import KernelLoader
from turnwright.workspace.document import open_document


@pytest.fixture
def empty(qapp, tmp_path):
    path = tmp_path / "map.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "Map"\n', encoding="utf-8")
    document = open_document(path, RuleSystems(), tmp_path / "state", seed=7)
    yield model_of(document)
    document.close(discard=True)


class Counted(KernelLoader):
    """Counts starts instead of loading."""

    def __init__(self, *given):
        self.starts = 0
        super().__init__(*given)

    def start(self):
        self.starts += 1


def test_kernels_are_loaded_once_when_there_is_a_map(empty, qapp):
    assert empty.encounter.get(Map, "map") is None
    loader = Counted(empty, qapp)
    assert loader.starts == 0
    empty.execute(Add((Map(columns=4, rows=4),)))
    empty.execute(Remove((("map", "map"),)))
    empty.execute(Add((Map(columns=5, rows=4),)))
    assert loader.starts == 1


def test_an_encounter_that_has_a_map_loads_them_at_once(empty, qapp):
    empty.execute(Add((Map(columns=4, rows=4),)))
    assert Counted(empty, qapp).starts == 1
