"""The forecast's loop in one run: a plain fight against the same in C, a rich one against its own source uncompiled.

The plain fight is four characters against six ogres; the C loop knows this one fight alone, and is left out where there
is no compiler. The rich one is a sample encounter with fourteen combatants, world actions and pools. Batches alternate,
so that a slow spell of the machine falls on both; the medians are compared. Then a window, with the forecast of the rich one
beside its list: from an edit until the first rough figure is painted, against the edit painted by itself.
Run: python benchmarks/bench_forecast.py. It exits 1 where a ratio misses its target.
"""

from __future__ import annotations

import os
import sys
from ctypes import CDLL, c_long, c_ulonglong
from pathlib import Path
from shutil import which
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

from tests.forecast.hand_made import Fighter, sheet_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature
from turnwright.encounter.state import scene_of
from turnwright.forecast.compiled import fight_loop, play_plainly
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import WON, FightResult
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.setup.prepared_records import Edit
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy
from turnwright.workspace.kernel_library import await_kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from turnwright.forecast.layout import PackedSheet

HERE = Path(__file__).resolve().parent
BATCHES, FIGHTS, PLAIN_FIGHTS = 7, 10_000, 30
RICH = "cold-ford-bridge"
OF_C, OF_PLAIN, OF_PAINT = 0.4, 40, 2
EDITS = 20
CHARACTER = Fighter(0, 44, margin=7 - 11, dice=(8,), adds=4, strikes=2)
OGRE = Fighter(1, 59, margin=6 - 17, dice=(8, 8), adds=4)


def c_loop(folder: str) -> Callable[[int, int], object] | None:
    """Return the plain fight in C, None without a compiler."""
    compiler = which("cc") or which("gcc") or which("clang")
    if compiler is None:
        return None
    library = Path(folder) / "plain_fight.so"
    run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, HERE / "plain_fight.c"], check=True)
    play = CDLL(str(library)).play_fights
    play.argtypes, play.restype = (c_ulonglong, c_long), c_long
    return play


def a_second(work: Callable[[int], object], count: int) -> float:
    """Return how many fights a second are played in one go."""
    began = perf_counter()
    work(count)
    return count / (perf_counter() - began)


def compare(
    name: str, ours: Callable[[int], object], count: int, other: Callable[[int], object], other_count: int
) -> float:
    """Return how many times as many fights a second we play as the other, and print it."""
    a_second(ours, count), a_second(other, other_count)
    pairs = [(a_second(ours, count), a_second(other, other_count)) for _ in range(BATCHES)]
    mine = median(pair[0] for pair in pairs)
    ratio = median(pair[0] / pair[1] for pair in pairs)
    print(f"{name:<36}{mine:>12,.0f}/s{mine / ratio:>12,.0f}/s{ratio:>9.2f} ×")
    return ratio


def rich_fight() -> PackedSheet:
    """Return the packed sheet of the sample."""
    systems = RuleSystems()
    file = next(file for file in sample_encounters() if file.stem == RICH)
    encounter = read_encounter(file, systems.ids).encounter
    if encounter is None:
        raise SystemExit(f"{RICH} can't be read")
    rules = systems.get(scene_of(encounter).system)
    copy = begun_copy(encounter, rules)
    return packed_sheet(build_sheet(copy.encounter, rules, copy.waiting)[0])


def until_figures(home: Path) -> tuple[list[float], list[float]]:
    """Return the seconds from each of some edits until the window is painted, and until the first figure is."""
    from PySide6.QtCore import QEvent, QEventLoop, QObject

    from turnwright.ui.application.app import Application
    from turnwright.ui.docks.forecast.dock import ForecastDock
    from turnwright.workspace.document import open_document
    from turnwright.workspace.settings import Folders

    application = Application(RuleSystems(), Folders(home / "state", home / "config", home / "data"))
    application.settings_store.update(arrangement="prepare")
    file = next(file for file in sample_encounters() if file.stem == RICH)
    window = application.show(open_document(file, RuleSystems(), home / "log", seed=1, locked=False))
    loop = QEventLoop()
    window.content.docksBuilt.connect(loop.quit)
    loop.exec()
    dock = window.findChild(ForecastDock)
    dock.show()
    dock.raise_()

    class PaintTime(QObject):
        """Notes when a widget is painted first after it was asked to."""

        at: float | None = 0.0

        def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802
            if self.at is None and not dock.model.is_stale and event.type() == QEvent.Type.Paint:
                self.at = perf_counter()
            return False

    figure = PaintTime()
    dock.headline.installEventFilter(figure)

    def settle() -> None:
        while dock.model.is_running or dock.model.is_stale or figure.at is None:
            application.qt.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    settle()
    painted, found = [], []
    creatures = [one.id for one in window.document.encounter.all(Creature)]
    for number in range(EDITS):
        creature = window.document.encounter.need(Creature, creatures[number % len(creatures)])
        began, figure.at = perf_counter(), None
        window.document.execute(Edit(replace(creature, hp=creature.hp + 1, ac=(creature.ac or 10) + number % 2)))
        for _ in range(3):  # what is put off to the next round of the event loop, and what that puts off
            application.qt.processEvents()
        painted.append(perf_counter() - began)
        settle()
        found.append((figure.at or began) - began)
    return painted, found


def main() -> int:
    """Print each figure and return 1 where one misses its target."""
    loop = fight_loop()
    if not await_kernels():
        print("no compiled kernels: nothing to compare")
        return 0
    plain, rich = packed_sheet(sheet_of([CHARACTER] * 4 + [OGRE] * 6)), rich_fight()
    fights, _ = loop.play(plain, 1, 0, 10 * FIGHTS)
    won = float((fights[:, FightResult.outcome] == WON).mean())
    print(f"plain fight: {100 * won:.1f} % won in {float(fights[:, FightResult.rounds].mean()):.2f} rounds")
    print(f"{'':<36}{'Turnwright':>14}{'other':>14}{'ratio':>11}")
    met = True
    with TemporaryDirectory() as folder:
        in_c = c_loop(folder)
        if in_c is not None:
            print(f"the same in C: {100 * in_c(1, 10 * FIGHTS) / (10 * FIGHTS):.1f} % won")  # type: ignore[operator]
            ratio = compare(
                "plain fight beside C", lambda count: loop.play(plain, 2, 0, count), FIGHTS,
                lambda count: in_c(2, count), FIGHTS,
            )  # fmt: skip
            met &= ratio >= OF_C
    ratio = compare(
        f"{RICH} beside its plain source", lambda count: loop.play(rich, 2, 0, count), FIGHTS // 4,
        lambda count: play_plainly(rich, 2, 0, count), PLAIN_FIGHTS,
    )  # fmt: skip
    met &= ratio >= OF_PLAIN
    with TemporaryDirectory() as folder:
        painted, found = until_figures(Path(folder))
    ratio = median(late / soon for late, soon in zip(found, painted, strict=True))
    print(
        f"{'an edit painted, its first figure':<36}{1000 * median(painted):>11.0f} ms{1000 * median(found):>11.0f} ms{ratio:>9.2f} ×"
    )
    return 0 if met and ratio <= OF_PAINT else 1


if __name__ == "__main__":
    sys.exit(main())
