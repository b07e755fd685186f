"""What texts and files cost that are made to be slow to read, against an honest collection of the same size.

Each is read in this process, best of two; times are those of the processor. It exits 1 where one of them costs more
than `TIMES` times what the honest collection of half a megabyte does.

Run: python benchmarks/bench_hostile.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

from tests.importers import hostile
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.fantasy_statblocks import format
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.statblock_text.damage import afflictions_in
from turnwright.importers.statblock_text.features import feature_of, read_feature_name, with_multiattacks
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

RUNS, TIMES = 2, 4
MARKED = 500_000  # characters
ENDLESS = "the target is prone and pushed 5 feet. " * 30_000


def seconds(act: Callable[[], object]) -> float:
    """Return what an act takes of the processor, at best."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        act()
        best = min(best, time.process_time() - start)
    return best


def of_marks(mark: str) -> None:
    """Read a text of one mark over and over."""
    many = mark * (MARKED // len(mark))
    plain_text(many)
    plain_text(many + ">]]}")
    read_feature_name(many)


def of_prose(text: str) -> None:
    """Read a feature."""
    feature = feature_of(IdAllocator(), "Multiattack", text, "action", ConversionReport("x"), None)
    with_multiattacks((feature,), ConversionReport("x"))


def of_note(text: str) -> None:
    """Read a note."""
    document = parse_document(text.encode(), Path("note.md"))
    assert isinstance(document, ParsedDocument)
    list(format.read([document], ""))


def main() -> int:
    """Print what each costs; 1 where one costs too much."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)

        def of_file(name: str, text: str) -> Callable[[], object]:
            (room / name).write_text(text, encoding="utf-8")
            return lambda: import_paths([room / name], room / "library")

        fair = seconds(of_file("honest.json", hostile.honest()))
        print(f"{'honest.json':<24}{fair * 1000:>9.1f} ms")
        acts: dict[str, Callable[[], object]] = {name: of_file(name, text) for name, text in hostile.files()}
        acts |= {f"marks {mark!r}": lambda mark=mark: of_marks(mark) for mark in hostile.MARKS}
        acts |= {f"prose {text[:14]!r}": lambda text=text: of_prose(text) for text in hostile.PROSE}
        acts |= {f"note {name}": lambda text=text: of_note(text) for name, text in hostile.NOTES.items()}
        acts["conditions"] = lambda: afflictions_in(ENDLESS, 0, (0, 1), hit=True)
        for name, act in acts.items():
            took = seconds(act)
            print(f"{name:<24}{took * 1000:>9.1f} ms {took / fair:>6.2f} ×")
            worst = max(worst, took / fair)
    print(f"target: at most {TIMES} ×")
    return int(worst > TIMES)


if __name__ == "__main__":
    sys.exit(main())
