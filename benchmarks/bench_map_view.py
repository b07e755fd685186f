"""A frame of the whole map with 300 tokens, and one token dragged, against pyqtgraph with as many labels.

The map is 100 × 100 squares, a third of them drawn on, in a window of 1280 × 800. Both are asked for a few frames in
turn, so that slow spells of the machine fall on both. Printed are medians in milliseconds and their ratios.
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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "desktop"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SIDE, TOKENS, SIZE = 100, 300, (1280, 800)
BLOCK = 10  # frames of one kind after another
WHOLE_TARGET, DRAG_TARGET, MOST_MS = 0.25, 0.1, 16.0
Frame = Callable[[], None]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=100)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        os.environ["TURNWRIGHT_HOME"] = home
        times = measured(Path(home), chosen.runs)
    report(times, as_json=chosen.json)
    return 0


def measured(home: Path, runs: int) -> dict[str, list[float]]:
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    ours, drag, pan = our_frames(home)
    theirs = their_frame()
    frames = {"whole map": ours, "dragging one": drag, "panning": pan, "pyqtgraph": theirs}
    times: dict[str, list[float]] = {name: [] for name in frames}
    for number in range(1 + runs // BLOCK):
        for name, frame in frames.items():
            block = [milliseconds(frame, application) for _ in range(BLOCK + 1)]
            if number:  # the first block paints what is kept from then on
                times[name] += block[1:]  # and the first of each what others have driven from the processor's memory
    return times


def milliseconds(frame: Frame, application) -> float:
    start = time.perf_counter()
    frame()
    application.processEvents()
    return (time.perf_counter() - start) * 1000


def our_frames(home: Path) -> tuple[Frame, Frame, Frame]:
    """Return what asks for a whole frame, for a token moved by a square, and for a map moved a little, near by."""
    from PySide6.QtWidgets import QApplication

    from turnwright.bootstrap import RuleSystems
    from turnwright.storage.word_catalogue import WordCatalogue
    from turnwright.ui.docks.map.map_canvas import MapCanvas
    from turnwright.ui.look.style import theme_source
    from turnwright.ui.services.document_model import DocumentModel
    from turnwright.workspace.document import open_document

    path = home / "bench.toml"
    path.write_text('format = 3\nsystem = "a5e"\ntitle = "bench"\n', encoding="utf-8")
    document = DocumentModel(open_document(path, RuleSystems(), home / "state", seed=1), WordCatalogue.load())
    populate(document)
    stages = [MapCanvas(document, theme_source(), QApplication.instance()) for _ in range(2)]
    for stage in stages:
        stage.view.resize(*SIZE)
        stage.view.show()
    whole, near = stages
    whole.view.fit()
    QApplication.processEvents()
    while near.view.map.cell < 48:
        near.view.zoom_by(1)
    token = next(iter(whole.tokens.placed()))
    item = whole.scene.pictures[token.id]
    places = [0, 1]

    def drag() -> None:
        places.reverse()
        item.setPos(places[0] * whole.view.map.cell, item.y())

    def pan() -> None:
        bar = near.view.horizontalScrollBar()
        bar.setValue((bar.value() + 7) % max(1, bar.maximum()))

    return lambda: whole.view.viewport().update(), drag, pan


def populate(document) -> None:
    from turnwright.encounter.prepared import Creature, Map, RosterEntry
    from turnwright.play.setup.prepared_records import Add

    sign = {0: ",", 3: "~", 6: "^", 9: "#"}
    ground = "\n".join(
        "".join(sign.get((3 * row + 7 * column) % 12, ".") for column in range(SIDE)) for row in range(SIDE)
    )
    squares = [((7 * n) % SIDE, (11 * n + n // SIDE) % SIDE) for n in range(TOKENS)]
    entries = [
        RosterEntry(
            f"side-{n}", "raider", count=TOKENS // 3, side=side, positions=tuple(squares[n * 100 : n * 100 + 100])
        )
        for n, side in enumerate(("party", "enemies", "hostile to all"))
    ]
    document.execute(Add((Map(columns=SIDE, rows=SIDE, ground=ground), Creature("raider", "Raider"), *entries)))


def their_frame() -> Frame:
    """Return what asks pyqtgraph for a frame: the grid as an image and lines, a dot and a label for each token."""
    import numpy as np
    import pyqtgraph as pg

    view = pg.GraphicsLayoutWidget()
    view.resize(*SIZE)
    box = view.addViewBox()
    box.setAspectLocked(True)
    box.addItem(pg.ImageItem(np.random.default_rng(1).integers(0, 4, (SIDE, SIDE))))
    box.addItem(pg.GridItem())
    squares = [((7 * n) % SIDE + 0.5, (11 * n + n // SIDE) % SIDE + 0.5) for n in range(TOKENS)]
    box.addItem(pg.ScatterPlotItem(pos=squares, size=0.9, pxMode=False))
    for n, place in enumerate(squares):
        label = pg.TextItem(f"R{n}", anchor=(0.5, 0.5))
        label.setPos(*place)
        box.addItem(label)
    box.setRange(xRange=(0, SIDE), yRange=(0, SIDE))
    view.show()
    return lambda: view.viewport().update()


def report(times: dict[str, list[float]], *, as_json: bool) -> None:
    medians = {name: statistics.median(found) for name, found in times.items()}
    whole = medians["whole map"] / medians["pyqtgraph"]
    drag = medians["dragging one"] / medians["whole map"]
    if as_json:
        targets = {"whole": WHOLE_TARGET, "drag": DRAG_TARGET, "ms": MOST_MS}
        print(json.dumps({"ms": medians, "whole": whole, "drag": drag, "targets": targets}))
        return
    for name, found in times.items():
        print(f"{name:14} {medians[name]:7.2f} ms   ({min(found):.2f} to {max(found):.2f})")
    print(f"whole map: {whole:.2f} × pyqtgraph with labels (at most {WHOLE_TARGET}), and at most {MOST_MS:.0f} ms")
    print(f"dragging one token: {drag:.3f} × a whole frame (at most {DRAG_TARGET})")


if __name__ == "__main__":
    sys.exit(main())
