"""The statements `show` and `expect`: facts of combatants, of the encounter, of countdowns and rows."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import READY, SPEAR, TEXT, Run

NOW = (
    "hp mira 31 temp 4",
    "condition mira prone",
    "condition mira blinded until turn-end of raiders-1 from owl",
    "place mira on the ice",
)


@pytest.fixture
def shown(play: Run, file):
    """Return what a script prints before the journal."""

    def shown(*lines: str, options: tuple[str, ...] = (), code: int = 0) -> list[str]:
        file.write_text(TEXT + SPEAR, encoding="utf-8")
        ran = play(READY + "\n".join((*NOW, *lines)) + "\n", *options)
        assert ran.code == code, ran.err
        return ran.lines[: len(lines)] if not code else [one.partition(": ")[2] for one in ran.err.splitlines()]

    return shown


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("show mira hp", "mira hp 31"),
        ("show mira temp", "mira temp 4"),
        ("show mira conditions", "mira conditions prone, blinded until turn-end of raiders-1"),
        ("show mira prone", "mira prone yes"),
        ("show mira grappled", "mira grappled no"),
        ("show mira place", "mira place on the ice"),
        ("show mira position", "mira position none"),
        ("show mira action", "mira action 1"),
        ('show "Raider 2" initiative', "raiders-2 initiative 8"),
        ("show round", "round 1"),
        ("show turn", "turn mira"),
        ("show order", "order mira, raiders-1, raiders-2"),
        ("show countdown ice dice", "countdown ice dice 2"),
        ("show feature frigid.cold-chill ready", "feature frigid.cold-chill ready yes"),
    ],
)
def test_a_fact_is_printed_as_expect_takes_it(shown, line, said):
    (found,) = shown(line)
    assert found == said
    assert shown(f"expect {found}", "show round")[0] == "round 1"


def test_all_facts_of_a_combatant_stand_on_one_line(shown):
    (line,) = shown("show mira")
    assert line.startswith("mira hp 31; hp-max 40; temp 4; dead no; ac 10; initiative 20; side players; ")
    (found,) = map(json.loads, shown("show mira", options=("--json",)))
    assert (found["show"], found["hp"], found["conditions"][0]) == ("mira", 31, "prone")


def test_what_is_not_as_expected_stops_with_what_it_is(shown):
    assert shown("expect mira hp 7", code=1) == ["mira hp is 31; expected 7"]
    assert shown("expect round 2", code=1) == ["round is 1; expected 2"]
    assert "did you mean 'hp'?" in shown("expect mira hpp 7", code=1)[0]
