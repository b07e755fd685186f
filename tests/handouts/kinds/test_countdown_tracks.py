"""Countdown tracks: dice to cross off, exact odds in the margin, thirty numbers, and no secrets for the players."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from tests.for_each import for_each
from tests.games import WITH_LEDGER
from tests.handouts.sample_pages import (
    beside,
    data_of,
    fight,
    outside,
    printed,
    sample,
    source,
    strokes,
    text_of,
    words_of,
)
from tests.handouts.samples import IN_EACH_GAME, ON_A_PAPER
from turnwright.encounter.prepared import Announce, Countdown, CountdownSpeed, Scene
from turnwright.handouts.kinds.countdown_tracks import KIND
from turnwright.handouts.typesetter import Typesetter
from turnwright.handouts.typography import NO_BREAK, typographic

ICE = Countdown("ice", "The ice gives way", 4, "medium")
UNDER = Countdown("under", "Under the ice", 5, secret=True, unstoppable=True, starts=0, notes="Slow.")


def track_of(countdown: Countdown) -> Any:
    return data_of(KIND, fight(Scene(), countdown))["tracks"][0]


@pytest.mark.sampled(4)
@ON_A_PAPER
def test_the_tracks_of_every_sample_name_all_countdowns_and_what_comes_of_them(
    name: str, paper: str, press: Typesetter
):
    pdf = press.typeset(printed(KIND, source(sample(name), paper=paper))).pages[0]
    text = text_of(pdf)
    for countdown in sample(name).all(Countdown):
        assert typographic(countdown.name).replace(NO_BREAK, " ") in text
        assert all(typographic(one.text.split()[0]) in text for one in countdown.outcomes if isinstance(one, Announce))
    assert outside(pdf) == []


@pytest.mark.sampled(1)
@IN_EACH_GAME
def test_the_players_tracks_are_the_same_whatever_the_secrets_are(name: str, press: Typesetter):
    encounter = sample(name)
    known = [one for one in encounter.all(Countdown) if one.starts == 1 and not one.secret]
    bare = [Countdown(one.id, one.name, one.dice, "slow", unstoppable=True) for one in known]
    others = [Countdown("x", "Another", 9, secret=True), Countdown("y", "Later", 3, starts=2), *bare]
    scene = encounter.need(Scene, "scene")

    def pages(edition: str, *countdowns: Countdown) -> tuple[bytes, ...]:
        return press.typeset(printed(KIND, fight(scene, *countdowns, edition=edition)), "svg").pages

    assert pages("players", *encounter.all(Countdown)) == pages("players", *others)
    assert pages("game-master", *encounter.all(Countdown)) != pages("game-master", *others)


def test_players_see_a_name_and_dice_and_no_table():
    data = data_of(KIND, fight(Scene(), ICE, UNDER, edition="players"))
    assert data == {"tracks": [{"number": 0, "name": "The ice gives way", "dice": 4}], "table": None}
    assert data_of(KIND, fight(Scene(), UNDER, edition="players")) is None


def test_players_have_lines_for_notes_below_their_tracks(press: Typesetter):
    words = words_of(press.typeset(printed(KIND, fight(Scene(), ICE, edition="players"))).pages[0])
    below = next(one for one in words if one.text == "Notes")
    assert below.top > max(one.bottom for one in words if one.text == "way")


def test_marks_and_pace_stand_with_a_track(press: Typesetter):
    text = text_of(press.typeset(printed(KIND, fight(Scene(), ICE, UNDER))).pages[0])
    assert "medium · A die showing 5–6 is removed · from round 1" in text
    assert "slow · A die showing 6 is removed · started by hand" in text
    assert text.count("SECRET") == text.replace("’", "'").count("CAN'T BE STOPPED") == 1


@for_each("speed", get_args(CountdownSpeed))
@for_each("dice", [1, 4, 10, 100])
def test_the_margin_has_the_exact_chance_to_have_run_out_by_each_round(dice: int, speed: CountdownSpeed):
    track = track_of(Countdown("ice", "Ice", dice, speed))
    lowest = {"slow": 6, "medium": 5, "fast": 4}[speed]
    listed = track["odds"]["rows"]

    def ended_by(rounds: int) -> float:
        return (1 - ((lowest - 1) / 6) ** rounds) ** dice

    assert len(listed) <= 10
    assert [row["chance"] for row in listed] == pytest.approx([ended_by(row["at"]) for row in listed])
    assert [row["at"] for row in listed] == sorted({row["at"] for row in listed})
    if ended_by(10) >= 0.5:
        assert [row["at"] for row in listed] == [*range(1, 11)]
    else:
        assert listed[-1]["chance"] >= 0.95 > ended_by(listed[-1]["at"] - 1)


def test_rounds_of_the_margin_are_those_of_the_encounter_and_rolls_where_nobody_knows_them():
    def margin(starts: int) -> Any:
        return track_of(msgspec.structs.replace(ICE, starts=starts))["odds"]

    first, third, by_hand = margin(1), margin(3), margin(0)
    assert [row["at"] for row in third["rows"]] == [row["at"] + 2 for row in first["rows"]]
    assert [row["at"] for row in by_hand["rows"]] == [row["at"] for row in first["rows"]]
    assert (first["even"], third["even"]) == ("50 % by round 5", "50 % by round 7")
    assert (first["head"], by_hand["head"], by_hand["even"]) == ("Round", "Roll", "50 % by roll 5")
    assert first["mean"] == "5.6 rolls on average"


@pytest.mark.parametrize("dice", [1, 12, 13, 40])
def test_there_is_a_box_for_each_die(dice: int, press: Typesetter):
    packet = printed(KIND, fight(Scene(), Countdown("i", "Ice", dice), edition="players"))
    assert strokes(press, packet, '0.8"') == dice


@pytest.mark.parametrize("system", WITH_LEDGER)
def test_the_table_has_the_thirty_figures_of_the_game(system: str, press: Typesetter):
    origin = fight(Scene(system=system), ICE)
    table = data_of(KIND, origin)["table"]
    assert table["rows"] == [[row.dice, row.slow, row.medium, row.fast] for row in origin.rules.data.countdown_table]
    assert sum(len(row) - 1 for row in table["rows"]) == 30
    words = words_of(press.typeset(printed(KIND, origin)).pages[0])
    assert [speed["faces"] for speed in table["speeds"]] == ["6", "5–6", "4–6"]
    assert beside(words, "1d6") == [[f"{row[0]}d6" for row in table["rows"][1:]]]
    for at, speed in enumerate(table["speeds"], 1):
        figures = [str(row[at]) for row in table["rows"]]
        assert any(found[-len(figures) :] == figures for found in beside(words, speed["name"]))


def test_without_a_countdown_there_is_no_page():
    assert data_of(KIND, fight(Scene())) is None
