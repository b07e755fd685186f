"""What opening and saving an encounter of 100 creatures costs, against `tomllib.loads` of the same text.

Run: python benchmarks/bench_files.py
"""

from __future__ import annotations

import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Change, Encounter, Record, key_of
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.library.entries import Library

CREATURES, RUNS = 100, 9
SAVED = 2.5
MOST = {"open": 1.0, "save with every creature changed": 4.0}


def crowd() -> Encounter:
    """Return an encounter of 100 different stat blocks from the starter library, and an entry of each."""
    library = Library.standard(Path(tempfile.mkdtemp()))
    loaded = (library.load(entry)[0] for entry in library.entries() if entry.kind == "creature")
    blocks = [block for block in loaded if isinstance(block, Creature)]
    records: list[Record] = [Scene(title="A crowd")]
    for number in range(CREATURES):
        block = blocks[number % len(blocks)]
        records.append(msgspec.structs.replace(block, id=f"{block.id}-{number}", hp=block.hp + number))
    records += [RosterEntry(f"entry-{at}", one.id) for at, one in enumerate(records) if isinstance(one, Creature)]
    return Encounter([*records, *RuleSystems().get("a5e").environments.values()])


def medians(acts: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median milliseconds of each act; they are done in turn, so that a slow spell falls on all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(RUNS):
        for name, act in acts.items():
            start = time.perf_counter()
            act()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) * 1000 for name, found in seconds.items()}


def main() -> None:
    """Print the medians and their ratio to parsing alone."""
    encounter = crowd()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crowd.toml"
        path.write_text(EncounterFile().render(encounter), encoding="utf-8")
        text = path.read_text(encoding="utf-8")
        creatures = list(encounter.all(Creature))

        def save(file: EncounterFile, hp: int, changed: int = 1) -> None:
            changes = [Change(key_of(one), one, msgspec.structs.replace(one, hp=hp)) for one in creatures[:changed]]
            replace_atomically(path, file.render(encounter.with_changes(changes)).encode())

        kept = EncounterFile(text)
        hit_points = iter(range(1000, 1000 + 9 * RUNS))
        found = medians(
            {
                "alone": lambda: tomllib.loads(text),
                "open": lambda: read_encounter(path, {"a5e"}),
                "save, first": lambda: save(EncounterFile(text), next(hit_points)),
                "save, again": lambda: save(kept, next(hit_points)),
                "save with every creature changed": lambda: save(kept, next(hit_points), CREATURES),
            }
        )
    alone = found.pop("alone")
    print(f"{CREATURES} creatures, {len(text) / 1000:.0f} kB; tomllib.loads alone: {alone:.1f} ms")
    for name, cost in found.items():
        print(f"{name}: {cost:.1f} ms, {cost / alone:.2f} × tomllib.loads (at most {MOST.get(name, SAVED)})")


if __name__ == "__main__":
    main()
