import os
import subprocess
import sys

import pytest

from tests.ui.conftest import model_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Map
from turnwright.play.setup.prepared_records import Add, Remove
from turnwright.ui.application.jit_warmup import JitWarmup
from turnwright.workspace.document import open_document


@pytest.fixture
def empty(qapp, tmp_path):
    path = tmp_path / "map.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "Map"\n', encoding="utf-8")
    document = open_document(path, RuleSystems(), tmp_path / "state", seed=7)
    yield model_of(document)
    document.close(discard=True)


class Counted(JitWarmup):
    """Counts starts instead of compiling."""

    def __init__(self, *given):
        self.starts = 0
        super().__init__(*given)

    def start(self):
        self.starts += 1


def test_geometry_is_compiled_once_when_there_is_a_map(empty, qapp):
    assert empty.encounter.get(Map, "map") is None
    warmer = Counted(empty, qapp)
    assert warmer.starts == 0
    empty.execute(Add((Map(columns=4, rows=4),)))
    empty.execute(Remove((("map", "map"),)))
    empty.execute(Add((Map(columns=5, rows=4),)))
    assert warmer.starts == 1


def test_an_encounter_that_has_a_map_compiles_at_once(empty, qapp):
    empty.execute(Add((Map(columns=4, rows=4),)))
    assert Counted(empty, qapp).starts == 1


CACHE_PATH = """
import sys
from turnwright.workspace.settings import set_kernel_cache
set_kernel_cache()
from numba.core.caching import FunctionCache
from turnwright.compilation import _copy
from turnwright.battlemap.kernels.corners import covers
if sys.argv[1:]:
    sys._MEIPASS = "there"  # as PyInstaller sets it, with the name of a file that is not there
    covers.__code__ = covers.__code__.replace(co_filename="kernels/corners.py")
print(FunctionCache(_copy(covers, {"__name__": "corners"}, "1")).cache_path)
"""


@pytest.mark.parametrize("arguments", [[], ["bundled"]])
def test_numba_keeps_what_it_compiles_in_the_cache_of_the_person(tmp_path, arguments):
    environment = {**os.environ, "TURNWRIGHT_HOME": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-c", CACHE_PATH, *arguments]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.stdout.startswith(str(tmp_path / "cache" / "numba"))
