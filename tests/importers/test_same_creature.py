"""The same creature from every format that has it: equal stats, but for pinned differences with their reasons.

`differences_5e.toml` is about the five formats of the 5e SRD, `differences_a5e.toml` about the three of A5E; PF2e's two
are compared in `test_pf2_yaml.py`, and 5e's database of 2014 with that of A5E's publisher in `open5e/test_v1_and_v2.py`.
Each difference is one of the files themselves. A new one fails, and so does one in the table that is no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.importers.stat_comparison import (
    HERE,
    Silent,
    creatures_of,
    differences,
    pinned_differences,
    plain,
    shown,
)
from turnwright.encounter.prepared import Creature

SRD: Final = {
    "improved-initiative": "improved-initiative/ogl_creatures.json",
    "open5e-v1": "open5e/v1-wotc-srd",
    "5e-bits": "5e-bits/2014",
    "fantasy-statblocks": "fantasy-statblocks/srd-bestiary.json5",
    "open5e-v2": "open5e/v2-srd-2014",
}
A5E: Final = {
    "open5e-v1": "open5e/v1-menagerie",
    "open5e-v2": "open5e/v2-a5e-mm",
    "foundry-a5e": "foundry-a5e/monsters",
}


def silent_5e(source: str, field: str, value: str) -> bool:
    """Return whether a source says nothing of a field, as its format doesn't.

    Improved Initiative's library has no passive scores. How many legendary actions there are stands in the older Open5e
    only. The dice of Fantasy Statblocks' list were reckoned back from hit points: what they add is mostly one too little.
    """
    return (
        (source == "improved-initiative" and field == "passives")
        or (source != "open5e-v1" and field == "legendary" and value == "0")
        or (source == "fantasy-statblocks" and field == "hit_dice")
    )


def silent_a5e(source: str, field: str, value: str) -> bool:
    """Return whether a source says nothing of a field: actors have passive scores reckoned by the table, and no hit dice at times."""
    return source == "foundry-a5e" and (field == "passives" or (field == "hit_dice" and value == ""))


def read(sources: Mapping[str, str], data: Path) -> dict[str, Mapping[str, Creature]]:
    return {source: creatures_of(data / path) for source, path in sources.items()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("sources", "table", "silent", "least"),
    [(SRD, "differences_5e.toml", silent_5e, 185), (A5E, "differences_a5e.toml", silent_a5e, 70)],
    ids=["5e", "a5e"],
)
def test_the_same_creature_has_the_same_figures_in_every_format(
    sources: Mapping[str, str], table: str, silent: Silent, least: int, real_data: Path
) -> None:
    found = read(sources, real_data)
    everywhere = set.intersection(*(set(held) for held in found.values()))
    assert len(everywhere) >= least
    if (
        sources is A5E
    ):  # two databases of one book, of which the actors are a part: `open5e/test_v1_and_v2.py` compares the rest
        found = {
            source: {name: one for name, one in held.items() if name in found["foundry-a5e"]}
            for source, held in found.items()
        }
    differing, pinned = differences(found, silent), pinned_differences(HERE / table)
    new = [(key, said) for key, said in differing.items() if pinned.get(key) != said]
    assert not new, f"not in {table}, or not so:\n{shown(new)}"
    gone = [(key, said) for key, said in pinned.items() if key not in differing]
    assert not gone, f"in {table}, and no more so:\n{shown(gone)}"


def creature(hp: int, name: str = "Owl") -> Mapping[str, Creature]:
    return {plain(name): Creature("owl", name, hp=hp)}


def test_a_difference_is_found_unless_somebody_says_nothing() -> None:
    sources = {"one": creature(3), "two": creature(4)}
    assert differences(sources, lambda *_: False) == {("Owl", "hp"): {"one": "3", "two": "4"}}
    assert not differences(sources, lambda source, field, _: (source, field) == ("two", "hp"))
    assert not differences({"one": creature(3), "two": creature(3, "OWL (small)")}, lambda *_: False)
