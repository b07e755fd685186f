"""The packet of an adventure: each encounter's pages in order, what all share once, and a cover that finds them."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.adventure import Adventure, AdventureStep
from turnwright.handouts.page_input import PrintOptions
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.packet import PacketJob
from turnwright.workspace.print_job import typesetter_for
from turnwright.workspace.settings import folders

ENCOUNTER = """\
format = 3
system = "dnd5e"
title = "{title}"
[creatures.foe]
name = "{foe}"
hp = 20
[creatures.foe.features.bite]
name = "Bite"
kind = "action"
afflictions = [{{ condition = "{condition}" }}]
[creatures.ann]
name = "Ann"
hp = 20
[roster.foe]
creature = "foe"
[roster.ann]
creature = "ann"
side = "party"
player = "Kim"
level = 3
"""
PLAN = Adventure(
    "dnd5e",
    "Toll",
    steps=(
        AdventureStep(part="Saturday"),
        AdventureStep(scene="The letter", read_aloud="It is wet."),
        AdventureStep(encounter="bridge.toml"),
        AdventureStep(rest="short"),
        AdventureStep(encounter="cellar.toml", title="Below", optional=True),
        AdventureStep(encounter="gone.toml"),
    ),
)
KINDS = ("stat-blocks", "party-sheet", "condition-cards")


@pytest.fixture
def folder(tmp_path):
    for name, title, foe, condition in (
        ("bridge", "The bridge", "Troll", "prone"),
        ("cellar", "X", "Wight", "poisoned"),
    ):
        text = ENCOUNTER.format(title=title, foe=foe, condition=condition)
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def packet(folder, **options):
    left_out = options.pop("left_out", ())
    job = PacketJob(
        PLAN, folder, RuleSystems(), WordCatalogue.load(), PrintOptions(**options), KINDS, left_out=left_out
    )
    with typesetter_for(folders()) as typesetter:
        return job.typeset(typesetter)


def texts(printed):
    return [page.extract_text() for page in PdfReader(BytesIO(printed.result.pages[0])).pages]


def test_a_packet_has_a_cover_the_shared_pages_once_and_each_encounter(folder):
    printed = packet(folder)
    pages = texts(printed)
    assert set(printed.kinds) == set(KINDS)
    assert printed.problems == ("gone.toml: can't be read, so it isn't printed",)
    assert "It is wet." in pages[0]
    for name, heading in (("The bridge", "Troll"), ("Below", "Wight")):
        line = next(line for line in pages[0].splitlines() if name in line)
        assert heading in pages[int(line.split()[-1]) - 1]
    assert sum("Kim" in page for page in pages) == 1
    assert sum("Prone" in page and "Poisoned" in page for page in pages) == 1


def test_on_two_sides_each_encounter_begins_on_a_front(folder):
    pages = texts(packet(folder, sides="two"))
    starts = [number for number, page in enumerate(pages, 1) if "Troll" in page or "Wight" in page]
    assert all(start % 2 for start in starts[1:])
    assert len(pages) % 2 == 0


def test_players_get_no_cover_and_steps_can_be_left_out(folder):
    assert packet(folder, edition="players") is not None
    assert not any("It is wet." in page for page in texts(packet(folder, edition="players")))
    assert not any("Wight" in page for page in texts(packet(folder, left_out=("encounter:cellar.toml",))))
