"""Suggestions of encounters: 200 random requests each, against sorting 100,000 random numbers.

The lists are D&D 5e's creatures as they are shipped, and 1,500 made from them. Times are those of the process, so other
programs don't count. Printed are the median, the slowest request, and the ratio of the median to the anchor. It exits 1
if a ratio is above its target.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

from turnwright.bootstrap import RuleSystems
from turnwright.rules.parts.preparation.affinity import CreaturePool, SuggestionTheme
from turnwright.rules.parts.preparation.proposals import Challenge, Suggester, SuggestionRequest
from turnwright.storage.library.entries import Library, LibraryEntry
from turnwright.storage.resources import habitats
from turnwright.workspace.encounter_suggestions import creature_pool

REQUESTS, MANY = 200, 1_500
SORTED = 100_000
TARGETS = {"shipped": 1.0, "many": 2.5}  # times the anchor
GAME = "dnd5e"


def seconds(work: Callable[[], object]) -> float:
    """Return the time of the process that a call takes, in seconds."""
    began = process_time()
    work()
    return process_time() - began


def measure(name: str, entries: list[LibraryEntry]) -> float:
    """Print the times of random requests over a list. Return the ratio of their median to the anchor."""
    rules = RuleSystems().get(GAME)
    pool = creature_pool(entries, rules)
    source = random.Random(2)
    numbers = [source.random() for _ in range(SORTED)]
    anchor = median(seconds(lambda: sorted(numbers)) for _ in range(9))
    rng = random.Random(1)
    times = [seconds(request(pool, rules.data, rng, seed)) for seed in range(REQUESTS)]
    ratio = median(times) / anchor
    print(
        f"{name:8} {len(entries):5} creatures: median {1000 * median(times):5.1f} ms, slowest {1000 * max(times):5.1f} ms, "
        f"sorting {1000 * anchor:4.1f} ms, ratio {ratio:4.1f} (at most {TARGETS[name]:g})"
    )
    return ratio


def request(pool: CreaturePool, data: object, rng: random.Random, seed: int) -> Callable[[], object]:
    """Return a random request to a new suggester."""
    figures = next(budget for budget in data.budgets if not budget.option)
    challenge = Challenge(data.suggest, figures, (rng.randint(1, 20),) * rng.randint(3, 6))
    types = sorted({each.type for each in pool.candidates})
    words = (rng.choice(types),) if rng.random() < 0.5 else ()
    theme = SuggestionTheme(words, (rng.choice(habitats()[:18]),) if rng.random() < 0.4 else ())
    foes = (rng.randint(1, 3), rng.choice((4, 6, 8, 10)))
    asked = SuggestionRequest(rng.choice(challenge.steps)[0], foes, theme, seed=seed)
    return lambda: Suggester(pool, challenge).suggest(asked)


def many(entries: list[LibraryEntry]) -> list[LibraryEntry]:
    """Return copies of creatures that live elsewhere."""
    rng, copies = random.Random(5), list[LibraryEntry]()
    for number in range(MANY):
        entry = entries[number % len(entries)]
        places = tuple(rng.sample(habitats()[:18], 2))
        copies.append(
            msgspec.structs.replace(entry, path=f"{number}", id=f"{entry.id}-{number}", environments=places)
            if number >= len(entries)
            else entry
        )
    return copies


def main() -> int:
    """Measure both lists."""
    with tempfile.TemporaryDirectory() as folder:
        found = Library.standard(Path(folder)).entries_for(GAME)
    creatures = [entry for entry in found if entry.kind == "creature"]
    ratios = {"shipped": measure("shipped", creatures), "many": measure("many", many(creatures))}
    return int(any(ratio > TARGETS[name] for name, ratio in ratios.items()))


if __name__ == "__main__":
    raise SystemExit(main())
