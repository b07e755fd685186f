"""Creatures of real sources: what the catalogue explains has a text of ours, and none of its words are the source's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord

RUN = 6  # so many words one after another are taken from a source
# The features of each folder that are neither attacks nor spells, and the share of them that has a text of ours.
SHARES = {
    "bestiary/a5e-foundry": 0.38,
    "bestiary/a5e-open5e": 0.43,
    "bestiary/pf2e-monster-core": 0.48,
    "bestiary/srd-2024-open5e": 0.43,
}
NAMED = re.compile(
    r"(improved )?(grab|knockdown|push( \d+ feet)?)|(greater )?(constrict|darkvision)|rend|reactive strike|attack of opportunity"
    r"|aquatic ambush|at-will spells|constant spells|buck|catch rock|throw rock|coven|engulf|ferocity|form up"
    r"|frightful presence|lifesense.*|telepathy( \d+ feet)?|tremorsense.*feet|scent.*|low-light vision|(void|negative) healing"
    r"|regeneration \d+.*|retributive strike|swarm mind|trample|all-around vision|shield block",
    re.IGNORECASE,
)


def features_of(folder: Path) -> list[Feature]:
    records = (found.record for _, found in read_paths([folder]) if isinstance(found, ImportedRecord))
    return [feature for one in records if isinstance(one, Creature) for feature in one.features]


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def runs_of(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


@pytest.mark.soak
@pytest.mark.parametrize("folder", SHARES)
def test_what_is_explained_has_a_text_of_ours(real_data: Path, folder: str) -> None:
    features = features_of(real_data / folder)
    own = [
        one for one in features if one.attack is None and not one.is_spell and not one.multiattack and not one.attacks
    ]
    assert sum(bool(one.short) for one in own) / len(own) >= SHARES[folder]
    source = set().union(*(runs_of(one.text) for one in features))
    told = {one.short for one in features if one.short and "short" in one.read}
    assert [(text, found) for text in sorted(told) if (found := runs_of(text) & source)] == []
    assert [text for text in told if re.search(r"[][{}]|  | [.,;)]", text)] == []


@pytest.mark.soak
def test_what_pathfinder_only_names_has_a_text(real_data: Path) -> None:
    features = features_of(real_data / "bestiary/pf2e-monster-core")
    assert {one.name for one in features if NAMED.fullmatch(one.name) and not (one.short or one.text)} == set()
