"""Pages with hostile text in the records: nothing reaches into the margins, and nothing is read as a command."""

from __future__ import annotations

import pytest

from tests.handouts.sample_pages import fight, outside, printed, text_of
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Check,
    Countdown,
    Creature,
    DealDamage,
    Environment,
    EnvironmentEntry,
    Feature,
    InflictedCondition,
    RosterEntry,
    SavingThrow,
    Scene,
    Spawn,
    TriggerEntry,
)
from turnwright.encounter.state import Record
from turnwright.handouts.kinds import (
    countdown_tracks,
    encounter_sheet,
    environment_cards,
    initiative_tents,
    tracking_sheets,
)
from turnwright.handouts.page_input import PageKind
from turnwright.handouts.typesetter import Typesetter

KINDS = tuple(one.KIND for one in (encounter_sheet, countdown_tracks, environment_cards, tracking_sheets))
TEXTS = {
    "one long word": "M" * 300,
    "many words": "word and word, then more. " * 20,
    "thirty lines": "A line that goes on.\n" * 30,
    "commands": '#panic("x") $ x \\ [*_`<a>@b// /* "q" = - + ~ #{1+1} ]',
    "right to left": "مرحبا بالعالم שלום עולם " * 6,
    "no spaces": "龍の洞窟と長い名前の怪物" * 6,
    "nothing": " \n\t",
}


def everywhere(text: str) -> list[Record]:
    """A fight with a text in every field that takes one."""
    features = tuple(Feature(f"f{number}", text, uses=number % 7, recharge=5, text=text) for number in range(8))
    creature = Creature(
        "c", text, hp=9000, ac_note=text, languages=text, slots=((text, 3),), legendary=90, features=features
    )
    row = EnvironmentEntry(
        "e", text, trigger="touch", affects="each", within=text, save=SavingThrow("dex", 12), damage=text, text=text,
        recharge=5, afflictions=(InflictedCondition(text, break_free=text),), unaffected=(text,), reduced=text, reduced_damage=text,
        spawn=Spawn(text, text, side=text), cover="half", cover_when=text, check=Check(text, 12, text, text),
        size=text, range=text, per_die=text, extra_costs=((text, 1),), secret=True,
    )  # fmt: skip
    outcomes = (Announce(text), AddWave(text), TriggerEntry("v", "e"), DealDamage(text, text))
    return [
        Scene(title=text, read_aloud=text, notes=text, conditions=text, suspended=(text,), treasure=(text,)),
        creature,
        RosterEntry("r", "c", text, 2, player=text, place=text, notes=text, side=text, level=3),
        RosterEntry("w", "c", wave=text),
        Environment("v", text, text, text, features=(row, row), actions=(row,), notes=text),
        Countdown("k", text, 100, outcomes=outcomes, notes=text),
        Countdown("s", text, 1, secret=True, unstoppable=True, starts=0),
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
@pytest.mark.parametrize("text", TEXTS)
def test_no_text_reaches_into_the_margins(kind: PageKind, text: str, press: Typesetter):
    found = press.typeset(printed(kind, fight(*everywhere(TEXTS[text]))))
    assert outside(found.pages[0]) == []
    if text == "commands":
        assert '#panic("x")' in text_of(found.pages[0]).replace("“", '"').replace("”", '"')


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", TEXTS)
def test_tents_are_of_one_size_whatever_stands_on_them(text: str, press: Typesetter):
    origin = fight(*everywhere(TEXTS[text]), *(RosterEntry(f"more-{n}", "c", f"More {n}x") for n in range(7)))
    assert len(press.typeset(printed(initiative_tents.KIND, origin), "svg").pages) == 2
