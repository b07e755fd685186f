"""What each command costs at 20 and at 200 combatants, in the engine and with the window attached.

Every command is measured by itself: median and 95th percentile of its CPU time, the two sizes in turn, so that slow
spells of the machine fall on both. In the window a command includes its paint, in the arrangement in which a fight is
run. Then the cost must not grow with the history: 10,000 commands and as many undos at 200, the last thousand against
the first. Run: python benchmarks/bench_commands.py [--json] [--no-window] [--no-history]
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "desktop"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from turnwright.bootstrap import RuleSystems  # noqa: E402
from turnwright.encounter.prepared import Creature, Feature, RosterEntry, Scene  # noqa: E402
from turnwright.encounter.procedure_state.asks import Prompt  # noqa: E402
from turnwright.encounter.running import Combatant  # noqa: E402
from turnwright.encounter.state import Encounter  # noqa: E402
from turnwright.play.asking.answer import DismissPrompt  # noqa: E402
from turnwright.play.attacks.attack_request import Attack  # noqa: E402
from turnwright.play.damage.damage_roll import ApplyDamage  # noqa: E402
from turnwright.play.damage.manual_hit_points import Heal  # noqa: E402
from turnwright.play.kernel.transaction import Command  # noqa: E402
from turnwright.play.queries.queries import active_combatants  # noqa: E402
from turnwright.play.session import Session  # noqa: E402
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter  # noqa: E402
from turnwright.play.setup.prepared_records import Add  # noqa: E402
from turnwright.play.table.game_master import SetDice  # noqa: E402
from turnwright.play.turns.turns import EndTurn  # noqa: E402

if TYPE_CHECKING:
    from turnwright.workspace.document import Document

FEW, MANY = 20, 200
ENGINE_RUNS, WINDOW_RUNS, BLOCK = 400, 40, 10
ENDTURN_GROWTH, ENDTURN_OVER_DAMAGE, WINDOW_GROWTH = 3.0, 6.0, 2.0
COMMANDS, SPAN, HISTORY_GROWTH = 10_000, 1_000, 1.2
START = (SetDice("roll", seed=1), StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup())
Do = Callable[[Command], object]
MakeCommand = Callable[[Encounter, str, str], Command]

# What a command is about: the encounter, some combatant, and another.
KINDS: Mapping[str, MakeCommand] = {
    "ApplyDamage": lambda _encounter, who, _other: ApplyDamage((who,), "2d6+3 fire"),
    "ApplyDamage, a number": lambda _encounter, who, _other: ApplyDamage((who,), "4 cold"),
    "Heal": lambda _encounter, who, _other: Heal((who,), 9),
    "Attack": lambda encounter, who, other: Attack(
        _active(encounter, other), other if other != _active(encounter, other) else who, "axe", purpose="free"
    ),
    "EndTurn": lambda _encounter, _who, _other: EndTurn(),
}


def _active(encounter: Encounter, otherwise: str) -> str:
    return next((one.id for one in active_combatants(encounter)), otherwise)


class Fight(NamedTuple):
    """A fight of one size: how to read it, do a command, and finish what the command leaves to do."""

    encounter: Callable[[], Encounter]
    do: Do
    finish: Callable[[], object]
    names: Iterator[str]


def crowd(count: int) -> tuple[Creature | RosterEntry, ...]:
    """Return a creature and two sides of it, so many together."""
    axe = Feature(id="axe", name="Axe", cost="action", attack=4, reach=5, damage="1d8+2 slashing")
    creature = Creature(id="raider", name="Raider", hp=5000, features=(axe,))
    return (
        creature,
        RosterEntry(id="raiders", creature="raider", count=count // 2),
        RosterEntry(id="guards", creature="raider", count=count - count // 2, side="party"),
    )


def crowded_session(count: int) -> Session:
    """Return a fight in round 1, dice rolling by themselves."""
    session = Session(Encounter([Scene(), *crowd(count)]), RuleSystems().get("a5e"))
    for command in START:
        session.do(command)
    return session


def engine_fight(count: int) -> Fight:
    """Return a fight without a window."""
    session = crowded_session(count)
    return Fight(lambda: session.encounter, session.do, lambda: None, _names(session.encounter))


def _names(encounter: Encounter) -> Iterator[str]:
    """Return ids of combatants from all over the order, again and again."""
    ids = [combatant.id for combatant in encounter.all(Combatant)]
    return (ids[number * 7 % len(ids)] for number in itertools.count())


def window_fight(count: int, home: Path) -> Fight:
    """Return a fight shown in a window of its own, in the arrangement in which it is run."""
    from PySide6.QtCore import QEventLoop

    from turnwright.ui.application.app import Application
    from turnwright.workspace.settings import Folders

    application = Application(RuleSystems(), Folders(home / "state", home / "config", home / "data"))
    application.settings_store.update(arrangement="run")
    document = application.workspace.untitled()
    _start(document, count)
    window = application.show(document)
    loop = QEventLoop()
    window.content.docksBuilt.connect(loop.quit)
    loop.exec()

    def paint() -> None:
        for _ in range(3):  # what is put off to the next round of the event loop, and what that puts off
            application.qt.processEvents()

    paint()
    return Fight(lambda: document.encounter, window.document.execute, paint, _names(document.encounter))


def _start(document: Document, count: int) -> None:
    for command in (Add(crowd(count)), *START):
        document.do(command)


def measured(fights: Mapping[int, Fight], runs: int) -> dict[str, dict[int, list[float]]]:
    """Return the milliseconds of CPU time of each command, by the size of the fight."""
    times: dict[str, dict[int, list[float]]] = {name: {size: [] for size in fights} for name in KINDS}
    for number in range(1 + runs // BLOCK):
        for name, make in KINDS.items():
            for size, fight in fights.items():
                block = [milliseconds(fight, make) for _ in range(BLOCK)]
                if number:  # the first block warms up
                    times[name][size] += block
    return times


def milliseconds(fight: Fight, make: MakeCommand) -> float:
    """Return the CPU time of one command and its paint, once whatever an earlier one asks is dismissed."""
    for prompt in [*fight.encounter().all(Prompt)]:
        fight.do(DismissPrompt(prompt.id))
    fight.finish()
    command = make(fight.encounter(), next(fight.names), next(fight.names))
    start = time.process_time()
    fight.do(command)
    fight.finish()
    return (time.process_time() - start) * 1000


class Cost(NamedTuple):
    """The median and the 95th percentile of a command, in milliseconds."""

    median: float
    p95: float


def costs(times: Mapping[str, Mapping[int, Sequence[float]]]) -> dict[str, dict[int, Cost]]:
    """Return the cost of each command by the size of the fight."""
    return {
        name: {size: Cost(statistics.median(some), statistics.quantiles(some, n=20)[-1]) for size, some in by.items()}
        for name, by in times.items()
    }


def history_growth() -> dict[str, float]:
    """Return how many times the first commands, and undos, the last ones cost. AssertionError if undo is not exact."""
    session = crowded_session(MANY)
    before, names = session.encounter, _names(session.encounter)
    kinds = [KINDS[name] for name in ("ApplyDamage", "ApplyDamage, a number", "Heal", "EndTurn")]
    mix = [kinds[number % len(kinds)](before, next(names), "") for number in range(COMMANDS)]
    done = _timed([lambda command=command: session.do(command) for command in mix])
    undone = _timed([session.undo] * COMMANDS)
    assert session.encounter == before, "undoing everything did not lead back to the start"
    return {
        name: statistics.median(some[-SPAN:]) / statistics.median(some[:SPAN])
        for name, some in (("commands", done), ("undos", undone))
    }


def _timed(acts: list) -> list[float]:
    seconds = []
    for act in acts:
        start = time.process_time()
        act()
        seconds.append(time.process_time() - start)
    return seconds


class Check(NamedTuple):
    """A figure and the most that it should be."""

    text: str
    figure: float
    most: float


def engine_checks(found: Mapping[str, Mapping[int, Cost]]) -> list[Check]:
    ends, damage = found["EndTurn"], found["ApplyDamage"]
    return [
        Check(f"engine, EndTurn at {MANY} against {FEW}", ends[MANY].median / ends[FEW].median, ENDTURN_GROWTH),
        Check(
            f"engine, EndTurn against ApplyDamage at {MANY}",
            ends[MANY].median / damage[MANY].median,
            ENDTURN_OVER_DAMAGE,
        ),
    ]


def window_checks(found: Mapping[str, Mapping[int, Cost]]) -> list[Check]:
    return [
        Check(f"window, {name} at {MANY} against {FEW}", by[MANY].median / by[FEW].median, WINDOW_GROWTH)
        for name, by in found.items()
    ]


def show(title: str, found: Mapping[str, Mapping[int, Cost]]) -> None:
    print(f"{title:24}{'at 20: median':>16}{'p95':>9}{'at 200: median':>18}{'p95':>9}    CPU ms")
    for name, by in found.items():
        few, many = by[FEW], by[MANY]
        print(f"  {name:22}{few.median:16.2f}{few.p95:9.2f}{many.median:18.2f}{many.p95:9.2f}")


def main() -> int:
    """Print the costs and their ratios; 1 where a ratio is above its target."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--no-window", action="store_true")
    arguments.add_argument("--no-history", action="store_true")
    chosen = arguments.parse_args()
    sections = {"engine": costs(measured({size: engine_fight(size) for size in (FEW, MANY)}, ENGINE_RUNS))}
    checks = engine_checks(sections["engine"])
    if not chosen.no_history:
        checks += [Check(f"history, {name}", growth, HISTORY_GROWTH) for name, growth in history_growth().items()]
    if not chosen.no_window:
        with tempfile.TemporaryDirectory() as home:
            fights = {size: window_fight(size, Path(home) / str(size)) for size in (FEW, MANY)}
            sections["window, painted"] = costs(measured(fights, WINDOW_RUNS))
        checks += window_checks(sections["window, painted"])
    if chosen.json:
        print(json.dumps({"ms": sections, "ratios": {one.text: (one.figure, one.most) for one in checks}}))
    else:
        for title, found in sections.items():
            show(title, found)
        for one in checks:
            print(f"{one.text}: {one.figure:.2f} × (at most {one.most:g})")
    return int(any(one.figure > one.most for one in checks))


if __name__ == "__main__":
    sys.exit(main())
