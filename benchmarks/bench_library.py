"""The library with thousands of creatures in it: typing, painting, a warm start and a cold read, each against its anchor.

- A key press over 5,000 creatures, from the words to the rows of the model, against a bare list comprehension over the
  same texts; and up to its paint, against what a QSortFilterProxyModel with `filterAcceptsRow` in Python needs for
  filtering alone.
- From the start of the process to the painted list of a library of 3,000 with its index, against the same window with
  what is shipped alone.
- 3,000 files into records, against tomllib's parsing of the same texts.

Both sides of each run in turn, so that slow spells of the machine fall on both. Printed are medians and their ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "desktop"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

TYPED, STORED = 5_000, 3_000
TARGETS = {"filter": 1.5, "painted": 8.0, "warm": 1.25, "cold": 0.5}
FIRST = ("r", "o", "ri", "riv", "wyrm", "undead", "zzz")
TYPED_ON = ("r", "ri", "riv", "rive", "river", "river r", "river ra", "", "g", "ga", "zzz", "")
NAMES = ("river", "gaunt", "copper", "hollow", "salt", "ember", "fen", "moon", "iron", "pale", "storm", "bone", "glass")
BODIES = ("raider", "wyrm", "hound", "watch", "warden", "hulk", "moth", "singer", "knight", "swarm", "giant", "shade")
TYPES = ("humanoid", "beast", "undead", "dragon", "giant", "construct", "fey", "fiend")
WORDS = (
    *NAMES,
    *BODIES,
    *TYPES,
    "it",
    "takes",
    "holds",
    "strikes",
    "burns",
    "who",
    "stands",
    "near",
    "and",
    "far",
    "until",
    "somebody",
    "lets",
    "go",
)
SHOWN = """
import os, sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from turnwright.bootstrap import RuleSystems
from turnwright.ui.application import app
from turnwright.ui.shell import window
build_content = window.MainWindow.build_content
def filled(self):
    build_content(self)
    dock = self.content.docks.all["library"]
    def listed():
        self.repaint()
        dock.repaint()
        print(time.monotonic(), flush=True)
        os._exit(0)
    if dock.model.rowCount():
        listed()
    else:
        dock.listLoaded.connect(listed)
window.MainWindow.build_content = filled
app.run([Path(sys.argv[1])], systems=RuleSystems())
"""


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=9)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--only", choices=("typing", "warm", "cold"))
    chosen = arguments.parse_args()
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as home:
        os.environ["TURNWRIGHT_HOME"] = home
        folder = Path(home) / "data" / "library"
        write_creatures(folder, STORED)
        if chosen.only in (None, "cold"):
            times |= cold(folder, chosen.runs)
        if chosen.only in (None, "warm"):
            times |= warm(Path(home), chosen.runs)
        if chosen.only in (None, "typing"):
            write_creatures(folder, TYPED, first=STORED)
            times |= typing(folder, chosen.runs)
    report(times, as_json=chosen.json)
    return 0


# What is measured over --------------------------------------------------------------------------------------------


def write_creatures(folder: Path, count: int, first: int = 0) -> None:
    """Write so many stat blocks of usual length, the same each time."""
    from turnwright.storage.library.entries import library_text

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, count):
        (folder / f"creature-{number}.toml").write_text(library_text(creature(number), "a5e"), encoding="utf-8")


def creature(number: int):
    from turnwright.encounter.prepared import Creature, Feature

    chance = random.Random(number)
    rating = str(chance.randint(0, 20))
    features = tuple(
        Feature(
            f"deed-{n}",
            f"{chance.choice(NAMES).capitalize()} {chance.choice(('bite', 'claw', 'breath', 'song'))}",
            cost=chance.choice(("trait", "action", "action", "reaction")),
            attack=chance.randint(3, 12),
            reach=5,
            damage=f"{chance.randint(1, 4)}d8+{chance.randint(1, 6)} slashing",
            text=" ".join(chance.choices(WORDS, k=24)).capitalize() + ".",
        )
        for n in range(5)
    )
    return Creature(
        f"creature-{number}",
        f"{chance.choice(NAMES).capitalize()} {chance.choice(BODIES)} {number}",
        size=chance.choice(("small", "medium", "large", "huge")),
        type=chance.choice(TYPES),
        tags=(chance.choice(WORDS), chance.choice(WORDS)),
        rating=rating,
        ac=chance.randint(10, 20),
        hp=chance.randint(5, 300),
        hit_dice="9d10+18",
        abilities=tuple((ability, chance.randint(3, 24)) for ability in ("str", "dex", "con", "int", "wis", "cha")),
        saves=(("con", chance.randint(2, 9)),),
        skills=(("perception", chance.randint(0, 9)),),
        senses=(("darkvision", 60),),
        languages="the trade tongue",
        features=features,
        environments=(chance.choice(("river", "hills", "cave", "city")),),
        source=f"bench book {number % 7}: creatures, page {number % 300}",
    )


# Measuring ------------------------------------------------------------------------------------------------------


def milliseconds(deed: Callable[..., object], *given: object) -> float:
    start = time.perf_counter()
    deed(*given)
    return (time.perf_counter() - start) * 1000


def cold(folder: Path, runs: int) -> dict[str, list[float]]:
    from turnwright.storage.library.entries import read_library_file

    paths = sorted(folder.glob("*.toml"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    times: dict[str, list[float]] = {"records": [], "tomllib": []}
    for number in range(min(runs, 5) + 1):
        records = milliseconds(lambda: [read_library_file(path) for path in paths])
        tables = milliseconds(lambda: [tomllib.loads(text) for text in texts])
        if number:
            times["records"].append(records)
            times["tomllib"].append(tables)
    return times


def warm(home: Path, runs: int) -> dict[str, list[float]]:
    """Start the window by turns over the full library and over an empty folder, each with its index."""
    from turnwright.storage.library.entries import Library

    empty = home / "bare"
    for place in (home, empty):
        Library.standard(place / "data" / "library", place / "state" / "library.index").entries()
    times: dict[str, list[float]] = {"warm 3,000": [], "warm none": []}
    for number in range(runs + 2):
        for name, place in (("warm 3,000", home), ("warm none", empty)):
            took = start(place)
            if number > 1:
                times[name].append(took)
    return times


def start(home: Path) -> float:
    environment = {**os.environ, "TURNWRIGHT_HOME": str(home), "PYTHONPATH": str(ROOT / "desktop")}
    sample = ROOT / "encounters" / "cold-ford-bridge.toml"
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", SHOWN, str(sample)], env=environment, capture_output=True, text=True, check=True
    )
    return (float(done.stdout) - began) * 1000


def typing(folder: Path, runs: int) -> dict[str, list[float]]:
    from PySide6.QtWidgets import QApplication

    from turnwright.storage.library.entries import Library

    application = QApplication.instance() or QApplication([])
    entries = [entry for entry in Library(folder).entries() if entry.kind == "creature"]
    assert len(entries) == TYPED
    model, _view = our_list(entries)  # the view is held, or nothing would be painted
    proxy = usual_proxy(entries)
    haystacks = [entry.haystack for entry in entries]

    def bare(query: str) -> object:
        return [text for text in haystacks if query in text]

    def painted(query: str) -> None:
        model.search(query)
        application.processEvents()  # which paints, and settles everything else

    painted("")
    alone, _ = our_list(entries, shown=False)
    times: dict[str, list[float]] = {}
    for number in range(runs + 1):
        found = {"bare comprehension": [], "filter": [], "filter and paint": [], "proxy alone": []}
        for query in FIRST:  # each typed into an empty line, so that nothing that was found before helps
            found["bare comprehension"].append(milliseconds(bare, query))
            alone.search("")
            found["filter"].append(milliseconds(alone.search, query))
        for name, way in (("filter and paint", painted), ("proxy alone", proxy.type)):
            found[name] += [milliseconds(way, query) for query in TYPED_ON]
        for name, took in found.items():
            if number:
                times.setdefault(name, []).append(statistics.mean(took))
    return times


def our_list(entries, *, shown: bool = True):
    from turnwright.ui.docks.library.filter_card import LibraryView
    from turnwright.ui.models.library import LibraryModel

    model = LibraryModel(lambda _entry: None)
    model.set_entries(entries)
    view = LibraryView()
    if shown:
        view.setModel(model)
        view.resize(260, 640)
        view.show()
    return model, view


def usual_proxy(entries):
    """Return the code that people usually write: a proxy that asks the model for each row's text."""
    from PySide6.QtCore import QAbstractListModel, QModelIndex, QSortFilterProxyModel, Qt

    class Texts(QAbstractListModel):
        def rowCount(self, parent=QModelIndex()):  # noqa: B008, N802
            return 0 if parent.isValid() else len(entries)

        def data(self, index, role=Qt.ItemDataRole.DisplayRole):
            if role == Qt.ItemDataRole.DisplayRole:
                return entries[index.row()].name
            return entries[index.row()].haystack if role == Qt.ItemDataRole.UserRole else None

    class Proxy(QSortFilterProxyModel):
        query = ""

        def filterAcceptsRow(self, row, parent):  # noqa: N802
            text = self.sourceModel().data(self.sourceModel().index(row, 0, parent), Qt.ItemDataRole.UserRole)
            return all(word in text for word in self.query.split())

        def type(self, query):
            self.query = query
            self.invalidateFilter()
            return self.rowCount()

    proxy = Proxy()
    proxy.held = Texts()
    proxy.setSourceModel(proxy.held)
    return proxy


def report(times: dict[str, list[float]], *, as_json: bool) -> None:
    medians = {name: statistics.median(found) for name, found in times.items()}
    ratios = {}
    if "filter" in medians:
        ratios["filter"] = medians["filter"] / medians["bare comprehension"]
        ratios["painted"] = medians["proxy alone"] / medians["filter and paint"]
    if "warm none" in medians:
        ratios["warm"] = medians["warm 3,000"] / medians["warm none"]
    if "records" in medians:
        ratios["cold"] = medians["records"] / medians["tomllib"]
    if as_json:
        print(json.dumps({"ms": medians, "ratios": ratios, "targets": TARGETS}))
        return
    for name, found in times.items():
        print(f"{name:20} {medians[name]:9.2f} ms   ({min(found):.2f} to {max(found):.2f})")
    for name, words in (
        ("filter", "a key press filters in {:.2f} × a bare list comprehension (at most {})"),
        ("painted", "and is painted {:.1f} × faster than a usual proxy filters (at least {})"),
        ("warm", "a warm start with 3,000 is painted in {:.2f} × one with none (at most {})"),
        ("cold", "3,000 files become records in {:.2f} × tomllib's parsing alone (at most {})"),
    ):
        if name in ratios:
            print(words.format(ratios[name], TARGETS[name]))


if __name__ == "__main__":
    sys.exit(main())
