"""What opening and saving an encounter of 100 creatures costs, against `tomllib.loads` of the same text.

Run: python benchmarks/bench_files.py
"""

from __future__ import annotations

import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Change, Encounter, Record, key_of
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.library import Library

CREATURES, RUNS = 100, 9


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


def median(act: Callable[[], object]) -> float:
    """Return the median milliseconds of an act."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds) * 1000


def main() -> None:
    """Print the medians and their ratio to parsing alone."""
    encounter = crowd()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crowd.toml"
        path.write_text(EncounterFile().render(encounter), encoding="utf-8")
        text = path.read_text(encoding="utf-8")
        first = next(iter(encounter.all(Creature)))

        def save(file: EncounterFile, hp: int) -> None:
            after = msgspec.structs.replace(first, hp=hp)
            rendered = file.render(encounter.with_changes([Change(key_of(first), first, after)]))
            replace_atomically(path, rendered.encode())
            file.mark_saved(rendered)

        kept = EncounterFile(text)
        hit_points = iter(range(1000, 2000))
        alone = median(lambda: tomllib.loads(text))
        opened = median(lambda: read_encounter(path, {"a5e"}))
        saved_first = median(lambda: save(EncounterFile(text), next(hit_points)))
        saved_again = median(lambda: save(kept, next(hit_points)))
    print(f"{CREATURES} creatures, {len(text) / 1000:.0f} kB; tomllib.loads alone: {alone:.1f} ms")
    for name, cost in (("open", opened), ("save, first", saved_first), ("save, again", saved_again)):
        print(f"{name}: {cost:.1f} ms, {cost / alone:.2f} × tomllib.loads")


if __name__ == "__main__":
    main()
