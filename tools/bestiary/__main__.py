"""Generates a set of creatures: `python -m tools.bestiary SET --sources DIR [--todo FILE] [--out DIR]`."""

import argparse
import sys
from pathlib import Path

from tools.bestiary.generating import Bestiary

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Generate a set, or list the sentences that still need a text."""
    parser = argparse.ArgumentParser(prog="python -m tools.bestiary", description=__doc__)
    parser.add_argument("set", help="the name of a set, such as a5e")
    parser.add_argument("--sources", type=Path, required=True, help="the folder with the folders of sources")
    parser.add_argument("--out", type=Path, help="where to write, if not to resources/library")
    parser.add_argument("--todo", type=Path, help="write the sentences that need a text to this TSV file")
    parser.add_argument("--differences", type=Path, help="write the differences of sources to this TSV file")
    options = parser.parse_args()
    bestiary = Bestiary.read(options.set, options.sources)
    if options.todo:
        options.todo.write_text(bestiary.todo(), encoding="utf-8")
    if options.differences:
        options.differences.write_text(bestiary.differences(), encoding="utf-8")
    if not options.todo and not options.differences:
        folder = options.out or ROOT / "resources" / "library" / bestiary.decisions["folder"]
        count, lacking = bestiary.write(folder)
        print(*lacking, f"{count} creatures written, {len(lacking)} are incomplete", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
