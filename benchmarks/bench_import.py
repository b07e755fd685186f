"""What converting other programs' files costs, writing aside, against `json.loads` of the same bytes in the same run.

Warm is a further conversion in a process that has done one, what it remembers kept; cold is the first of a fresh
process, its modules loaded. Both are given as the best of several, so that a slow spell of the machine falls on
neither. It exits 1 where a warm one of a whole book misses the target.

Run: python benchmarks/bench_import.py FOLDER, where FOLDER (or what TURNWRIGHT_DATA names) holds the sources.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

from turnwright.importers.documents import ParsedDocument, files_in, parse_document
from turnwright.importers.formats import formats
from turnwright.importers.results import ImportedRecord, postprocessed

FRESH, RUNS, TARGET = 7, 9, 5
SOURCES = {
    "Open5e, older, A5E": "open5e/v1-menagerie",
    "Open5e, newer, A5E": "open5e/v2-a5e-mm",
    "Foundry, A5E": "foundry-a5e",
    "Foundry, PF2e": "foundry-pf2e-2021",
}
Files = list[tuple[Path, bytes]]


class Times(NamedTuple):
    """Milliseconds of the processor: of `json.loads`, of the first conversion of a process, and of later ones."""

    json: float
    cold: float
    warm: float
    records: int


def converted(files: Files) -> int:
    """Parse and convert files as an import does; return how many records they gave."""
    claimed: dict[str, list[ParsedDocument]] = {}
    known = formats()
    for path, data in files:
        document = parse_document(data, path)
        form = next((form for form in known if isinstance(document, ParsedDocument) and form.claims(document)), None)
        if form is not None and isinstance(document, ParsedDocument):
            claimed.setdefault(form.id, []).append(document)
    found = (each for form in known if form.id in claimed for each in form.read(claimed[form.id], ""))
    return sum(1 for each in found if isinstance(each, ImportedRecord) and postprocessed(each))


def milliseconds(act: Callable[[], object]) -> float:
    """Return what an act takes of the processor."""
    start = time.thread_time()
    act()
    return (time.thread_time() - start) * 1000


def measured(folder: Path) -> Times:
    """Return the times of a source in this process, which must have converted nothing yet."""
    files = [
        (path, path.read_bytes()) for path in files_in(folder) if isinstance(path, Path) and path.suffix == ".json"
    ]
    formats()
    json_alone = min(milliseconds(lambda: [json.loads(data) for _path, data in files]) for _ in range(RUNS))
    cold = milliseconds(lambda: converted(files))
    warm = min(milliseconds(lambda: converted(files)) for _ in range(RUNS))
    return Times(json_alone, cold, warm, converted(files))


def in_fresh_processes(folder: Path) -> Times:
    """Return the best times of a source, each run in a process of its own."""
    command = [sys.executable, __file__, "--once", str(folder)]
    each = [Times(*json.loads(subprocess.check_output(command))) for _ in range(FRESH)]
    return Times(*(min(column) for column in zip(*each, strict=True)))


def main() -> int:
    """Print the ratios of every source; 1 where Open5e's, which are whole books, miss the target warm."""
    if sys.argv[1:2] == ["--once"]:
        print(json.dumps(measured(Path(sys.argv[2]))))
        return 0
    data = Path(*sys.argv[1:2] or [os.environ.get("TURNWRIGHT_DATA", "")])
    worst = 0.0
    print(f"{'':<22}{'records':>8}{'json.loads':>14}{'cold':>20}{'warm':>20}")
    for name, place in SOURCES.items():
        if not (data / place).is_dir():
            print(f"{name:<22} is not here, and not measured")
            continue
        one = in_fresh_processes(data / place)
        cold, warm = (f"{ms:.1f} ms {ms / one.json:>6.2f} ×" for ms in (one.cold, one.warm))
        print(f"{name:<22}{one.records:>8}{one.json:>11.1f} ms{cold:>20}{warm:>20}")
        worst = max(worst, one.warm / one.json if place.startswith("open5e") else 0)
    print(f"target: at most {TARGET} × warm for Open5e's")
    return int(worst > TARGET)


if __name__ == "__main__":
    sys.exit(main())
