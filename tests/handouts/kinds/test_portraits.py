"""Portraits on paper: on cards, tents, paper minis and stat blocks, once each however many show them, and none where ink is to be saved."""

from __future__ import annotations

import pytest

from tests.handouts.samples import packet, png, source, typesetter
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds import creature_cards, initiative_tents, paper_minis, stat_blocks
from turnwright.handouts.page_input import PrintOptions

KINDS = (creature_cards.KIND, initiative_tents.KIND, paper_minis.KIND, stat_blocks.KIND)


def drawn(system: str) -> Encounter:
    return Encounter(
        [
            Scene(system=system),
            Creature("gob", "Goblin", portrait="gob.png"),
            Creature("owl", "Owl"),
            RosterEntry("band", "gob", count=2),
            RosterEntry("owl", "owl"),
        ]
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
@pytest.mark.parametrize("system", ["a5e", "pf2e", "action_points"])
def test_a_portrait_is_printed_once_for_all_who_have_it(kind, system, tmp_path):
    (tmp_path / "gob.png").write_bytes(png(30, 30))
    leaf = kind.make(source(drawn(system), folder=tmp_path))
    (kept,) = leaf.pictures
    rows = next(rows for rows in leaf.sections[0].data.values() if isinstance(rows, list))
    assert {row["name"].split()[0]: row["portrait"] for row in rows} == {"Goblin": kept.name, "Owl": ""}
    pages = typesetter().typeset(packet(drawn(system), kind.id, folder=tmp_path), "svg").pages
    assert any(b"<image" in page for page in pages)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_pages_are_whole_without_the_picture(kind, tmp_path):
    assert kind.make(source(drawn("a5e"), folder=tmp_path)).pictures == ()
    (tmp_path / "gob.png").write_bytes(png(30, 30))
    saving = PrintOptions(ink="saving")
    assert kind.make(source(drawn("a5e"), saving, tmp_path)).pictures == ()
    assert typesetter().typeset(packet(drawn("a5e"), kind.id, options=saving, folder=tmp_path), "svg").pages
