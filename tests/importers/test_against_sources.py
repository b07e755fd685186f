"""Creatures of every source, forty at random of each: every number in a field is imported, or reported.

What a source's fields say is taken from them in `source_stats.py`, without any of the importers. `TURNWRIGHT_SAMPLE` chooses
another sample by a number, or `all` for every creature. Tests of single formats go through more of each record's fields.
"""

from __future__ import annotations

import os
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.importers.source_stats import SOURCES, Attack, Truth
from turnwright.encounter.prepared import Creature
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord, UnreadRecord

SAMPLE: Final = 40
CHOSEN: Final = os.environ.get("TURNWRIGHT_SAMPLE", "5")


def sampled(truths: list[Truth]) -> list[Truth]:
    if CHOSEN == "all" or len(truths) <= SAMPLE:
        return truths
    return random.Random(int(CHOSEN)).sample(truths, SAMPLE)


def plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.partition("(")[0].lower())


def told(found: ImportedRecord, *words: str) -> bool:
    """Return whether something is reported of a field that one of these words is in."""
    return any(word in report.field.lower() for report in found.reports for word in words)


def told_of(found: ImportedRecord, name: str, *words: str) -> bool:
    """Return whether something is reported of a feature, in a field that one of these words is in."""
    return any(
        plain(name) in plain(report.field.partition(": ")[0])
        and any(word in (report.field.partition(": ")[2] or f"{report.why} {report.text}") for word in words)
        for report in found.reports
    )


def differing(truth: Truth, found: ImportedRecord, creature: Creature) -> Iterator[str]:
    """Yield what a source has otherwise, and nobody was told."""
    if truth.hp is not None and creature.hp != truth.hp:
        yield f"hp {truth.hp}, ours {creature.hp}"
    if truth.ac is not None and creature.ac != truth.ac and not told(found, "ac", "armor"):
        yield f"ac {truth.ac}, ours {creature.ac}"
    for field, own in (("speeds", truth.speeds), ("abilities", truth.abilities), ("saves", truth.saves)):
        ours = dict(getattr(creature, field))
        if field != "abilities":
            ours = {key: value for key, value in ours.items() if value or own is None or key in own}
        words = {"speeds": ("speed",), "abilities": ("abilit",), "saves": ("save", "saving")}[field]
        if own is not None and ours != dict(own) and not told(found, *words):
            yield f"{field} {dict(own)}, ours {ours}"
    for attack in truth.attacks:
        yield from _attack_differing(attack, found, creature)


def _attack_differing(attack: Attack, found: ImportedRecord, creature: Creature) -> Iterator[str]:
    called = [one for one in creature.features if plain(one.name) == plain(attack.name)]
    used = {step.use for one in called for step in one.does}
    called = [
        one for one in (*called, *creature.features) if one.attack is not None and (one in called or one.id in used)
    ] or called
    if attack.bonus is not None and all(one.attack != attack.bonus for one in called):
        if not told_of(found, attack.name, "attack", "to_hit"):
            yield f"{attack.name} {attack.bonus:+d}, ours {[one.attack for one in called]}"
        return
    others = (other.damage for one in called for other in one.other_damage)
    kept = " ".join((*(f"{one.damage} {one.save_damage} {one.ongoing}" for one in called), *others))
    for dice in attack.dice:
        if re.search(rf"(?<!\d){re.escape(dice)}(?!\d)", kept) is None and not told_of(
            found, attack.name, "damage", "die", dice
        ):
            yield f"{attack.name} {dice}, ours {kept}"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("source", SOURCES)
def test_a_sample_has_the_figures_of_its_source_or_tells(source: str, real_data: Path) -> None:
    folder = real_data / source
    if not folder.is_dir():
        pytest.skip(f"no real data of {source}")
    ours: dict[str, list[ImportedRecord]] = defaultdict(list)
    for _, each in read_paths([folder]):
        assert not isinstance(each, UnreadRecord), each
        if isinstance(each, ImportedRecord) and isinstance(each.record, Creature):
            ours[" ".join(each.name.split())].append(each)
    truths = list(SOURCES[source](folder))
    assert truths
    wrong = []
    for truth in sampled(truths):
        same = ours[" ".join(truth.name.split())]
        assert same, f"{truth.name} was not read"
        faults = [
            list(differing(truth, each, each.record)) for each in same if isinstance(each.record, Creature)
        ]  # those of one name are told apart by their figures
        wrong += [f"{truth.name}: {fault}" for fault in min(faults, key=len)]
    assert not wrong, "\n".join(wrong)


def test_a_figure_that_differs_is_found_unless_it_is_told() -> None:
    truth = Truth("Owl", 1, 11, {"walk": 5}, {"str": 3}, {"dex": 3}, (Attack("Talons", 3, ("1d4",)),))
    read = ImportedRecord("Owl", Creature("owl", "Owl", hp=2), "dnd5e")
    assert isinstance(read.record, Creature)
    found = list(differing(truth, read, read.record))
    assert [one.split()[0] for one in found] == ["hp", "ac", "speeds", "abilities", "saves", "Talons"]
