"""Frames of the map with a large picture under fog, and the sight of a whole map, each against doing without.

The map is 100 × 100 squares with a picture of 40 megapixels, fog and 300 tokens in a window of 1400 × 900; the bare scene
has the same tokens on one colour. Both are scrolled and painted whole in turn, so that slow spells of the machine fall on both.
Sight is that of 60 × 60 squares with 1,000 segments from one square, against looking at each segment for each line. Printed are medians
in milliseconds of the processor's time, and ratios with what is asked of them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "desktop"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SIDE, TOKENS, SIZE, PICTURE = 100, 300, (1400, 900), 6400
CELLS = (12, 24, 64)
BLOCK = 10  # frames of one kind after another
SIGHT_SIDE, SEGMENTS = 60, 1000
FRAME_TARGET, DRAG_TARGET, SIGHT_TARGET = 1.3, 0.1, 0.5
Frame = Callable[[], None]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=50)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    rows = [*sight_rows(chosen.runs)]
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = os.environ["TURNWRIGHT_HOME"] = home
        rows += frame_rows(Path(home), chosen.runs)
    if chosen.json:
        print(
            json.dumps(
                [{"what": what, "ms": ours, "against": theirs, "asked": asked} for what, ours, theirs, asked in rows]
            )
        )
        return 0
    for what, ours, theirs, asked in rows:
        print(f"{what:42} {ours:8.2f} ms  against {theirs:8.2f}  ratio {ours / theirs:5.2f}  (asked: at most {asked})")
    return 0


def milliseconds(act: Callable[[], object]) -> float:
    start = time.process_time_ns()
    act()
    return (time.process_time_ns() - start) / 1e6


# Sight ---------------------------------------------------------------------------------------------------------------


def sight_rows(runs: int):
    """Yield the sight of a hall with short walls all over, and of one with rooms, against all segments for each line."""
    import numpy as np

    from turnwright.battlemap.arrays import Walls
    from turnwright.battlemap.grid import TerrainLayers, build
    from turnwright.battlemap.segments import FreeBarrier
    from turnwright.workspace.kernel_library import await_kernels

    await_kernels()
    for name, length, seed in (("sight, open hall", 0.3, 1), ("sight, short walls", 1.2, 2)):
        random = Random(seed)
        barriers = []
        for _ in range(SEGMENTS):
            x, y = random.uniform(0.1, SIGHT_SIDE - 1.5), random.uniform(0.1, SIGHT_SIDE - 1.5)
            ends = ((x, y), (x + random.uniform(-0.1, length), y + random.uniform(-0.1, length)))
            barriers.append(FreeBarrier("wall", ends))
        grid = build(SIGHT_SIDE, SIGHT_SIDE, TerrainLayers(barriers=barriers))
        lines, masks, rings, _, _ = grid.free.table
        middle, count = SIGHT_SIDE // 2 * SIGHT_SIDE + SIGHT_SIDE // 2, len(lines)
        start = np.zeros(SIGHT_SIDE * SIGHT_SIDE + 1, dtype=np.int32)
        start[middle + 1 :] = count
        # The square that all lines begin in lists all segments, so that each line looks at each of them once.
        everywhere = Walls(lines, masks, rings, start, np.arange(count, dtype=np.int32))
        seen = [partial(looked, grid, walls) for walls in (grid.free.table, everywhere)]
        assert np.array_equal(seen[0](), seen[1]())
        ours, brute = [], []
        for _ in range(max(5, runs // 5)):
            ours.append(milliseconds(seen[0]))
            brute.append(milliseconds(seen[1]))
        yield name, statistics.median(ours), statistics.median(brute), SIGHT_TARGET


def looked(grid, walls):
    import numpy as np

    from turnwright.battlemap.compiled import kernels
    from turnwright.battlemap.sight import EYES, barriers

    found = np.zeros((grid.rows, grid.columns), dtype=np.bool_)
    middle, barrier = SIGHT_SIDE // 2, grid.sight
    every = barriers(grid, barrier, barrier.top)._replace(walls=walls)
    kernels().seen_squares(found, every, middle, middle, 4 * SIGHT_SIDE, EYES)
    return found


# Frames --------------------------------------------------------------------------------------------------------------


def frame_rows(home: Path, runs: int):
    """Yield a frame of the map against one of a bare scene at each size, and a dragged token against a frame."""
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    canvas = our_map(home, application)
    bare = bare_view(canvas)
    windows = [in_window(view) for view in (canvas.view, bare)]  # kept alive
    assert all(window.isVisible() for window in windows)
    for cell in CELLS:
        canvas.view.set_cell(cell)
        bare.show_tokens()
        views = canvas.view, bare
        for view in views:
            for _ in range(40):  # pieces are painted once, and then copied
                scroll(view)
                application.processEvents()
        times: list[list[float]] = [[], []]
        for _ in range(max(2, runs // BLOCK)):
            for view, found in zip(views, times, strict=True):
                block = [milliseconds(partial(whole_frame, view, application)) for _ in range(BLOCK + 1)]
                found.extend(block[1:])  # the first of each is what the other has driven from the processor's memory
        ours, theirs = (statistics.median(one) for one in times)
        yield f"frame at {cell} px, scrolled", ours, theirs, FRAME_TARGET
        token = next(iter(canvas.scene.pictures.values()))
        bars = canvas.view.horizontalScrollBar(), canvas.view.verticalScrollBar()
        places = [bar.value() for bar in bars]
        canvas.view.centerOn(token)  # one out of sight costs nothing
        application.processEvents()
        moved = [milliseconds(partial(drag, token, cell, application)) for _ in range(runs)]
        for bar, place in zip(bars, places, strict=True):
            bar.setValue(place)  # where the bare scene is looked at too
        yield f"dragging a token at {cell} px", statistics.median(moved), ours, DRAG_TARGET


def in_window(view):
    """Return a window with a view in it, as it stands in the program: a view on its own gets the window's events too."""
    from PySide6.QtWidgets import QMainWindow

    window = QMainWindow()
    window.resize(*SIZE)
    window.setCentralWidget(view)
    window.show()
    return window


def whole_frame(view, application) -> None:
    scroll(view)
    view.viewport().update()
    application.processEvents()


def scroll(view) -> None:
    for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
        if bar.maximum() > bar.minimum():
            bar.setValue(bar.minimum() + (bar.value() - bar.minimum() + 37) % (bar.maximum() - bar.minimum()))


def drag(item, cell: int, application) -> None:
    item.setX(item.x() + (-cell if round(item.x() / cell) % 2 else cell))
    application.processEvents()


def our_map(home: Path, application):
    """Return the canvas with a fight on a map with its picture read, fog, and tokens."""
    from PySide6.QtGui import QImage

    from turnwright.bootstrap import RuleSystems
    from turnwright.encounter.prepared import Creature, Map, MapPicture, RosterEntry
    from turnwright.play.environment.map_changes import SetFog
    from turnwright.play.setup.encounter_course import StartEncounter
    from turnwright.play.setup.prepared_records import Add
    from turnwright.storage.word_catalogue import WordCatalogue
    from turnwright.ui.docks.map.map_canvas import MapCanvas
    from turnwright.ui.look.style import theme_source
    from turnwright.ui.services.document_model import DocumentModel
    from turnwright.workspace.document import open_document

    noise = QImage(Random(1).randbytes(800 * 800 * 4), 800, 800, QImage.Format.Format_RGB32)
    noise.scaled(PICTURE, PICTURE).save(str(home / "map.jpg"), quality=80)
    path = home / "bench.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "bench"\n', encoding="utf-8")
    document = DocumentModel(open_document(path, RuleSystems(), home / "state", seed=1), WordCatalogue.load())
    squares = [((7 * n) % SIDE, (11 * n + n // SIDE) % SIDE) for n in range(TOKENS)]
    entries = [
        RosterEntry(
            f"side-{n}", "raider", count=TOKENS // 3, side=side, positions=tuple(squares[n * 100 : n * 100 + 100])
        )
        for n, side in enumerate(("party", "enemies", "hostile to all"))
    ]
    document.execute(
        Add((Map(columns=SIDE, rows=SIDE, picture=MapPicture("map.jpg")), Creature("raider", "Raider"), *entries))
    )
    document.execute(StartEncounter())
    document.execute(SetFog("hidden"))
    shown = tuple((column, row) for column in range(SIDE) for row in range(SIDE) if (column // 7 + row // 9) % 3)
    document.execute(SetFog("shown", shown))
    document.execute(SetFog("explored", shown[: len(shown) // 2]))
    canvas = MapCanvas(document, theme_source(), application)
    canvas.view.resize(*SIZE)
    canvas.view.show()
    limit = time.monotonic() + 60
    while not canvas.picture.levels and time.monotonic() < limit:
        application.processEvents()
        time.sleep(0.01)
    assert canvas.picture.levels
    return canvas


def bare_view(canvas):
    """Return a view of the same tokens on one colour, without a map under them."""
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QFrame, QGraphicsPixmapItem, QGraphicsScene, QGraphicsView

    class BareView(QGraphicsView):
        """The same settings as the map's view, and nothing else."""

        def show_tokens(self) -> None:
            """Show the tokens as the map now has them."""
            self.held = QGraphicsScene()
            self.items_held = []
            for item in canvas.scene.pictures.values():
                copy = QGraphicsPixmapItem(item.pixmap())
                copy.setShapeMode(QGraphicsPixmapItem.ShapeMode.BoundingRectShape)
                copy.setPos(item.pos())
                self.held.addItem(copy)
                self.items_held.append(copy)
            self.held.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
            self.setScene(self.held)
            self.setSceneRect(canvas.view.sceneRect())

    view = BareView()
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
    view.setRenderHint(QPainter.RenderHint.Antialiasing)
    view.setBackgroundBrush(canvas.view.palette().window())
    view.resize(*SIZE)
    view.show()
    return view


if __name__ == "__main__":
    sys.exit(main())
