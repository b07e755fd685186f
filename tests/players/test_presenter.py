"""What players see at the moment: pages, holds, what an undo would reveal, the part of the map, and the turn's time."""

from __future__ import annotations

import msgspec
import pytest

from turnwright.encounter.prepared import Map
from turnwright.encounter.running import Combatant, Fog
from turnwright.encounter.state import Encounter
from turnwright.players.presenter import MOST_ACROSS, Presenter
from turnwright.players.view import PlayersMap, PlayersView


class Seconds:
    """A clock that goes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
def presenter(clock: Seconds) -> Presenter:
    return Presenter(clock)


MIRA, GHOUL = (
    Combatant("mira", creature="hero", label="Mira", side="party"),
    Combatant("ghoul", creature="ghoul", label="Ghoul", side="enemies"),
)
HIDDEN = msgspec.structs.replace(GHOUL, hidden=True)


HURT = msgspec.structs.replace(MIRA, hp=3)


@pytest.mark.parametrize("is_held", [False, True])
def test_what_an_undo_would_reveal_alone_stays_hidden_until_it_is_decided(presenter: Presenter, is_held: bool) -> None:
    assert presenter.follow(Encounter([MIRA, HIDDEN]), stepped=False)
    presenter.set_held(is_held=is_held)
    assert presenter.follow(Encounter([MIRA, GHOUL]), stepped=True) is not is_held
    presenter.set_held(is_held=False)
    assert presenter.follow(Encounter([HURT, GHOUL]), stepped=False)
    assert presenter.reveal is not None
    assert (presenter.reveal.ids, presenter.reveal.labels) == (("ghoul",), ("Ghoul",))
    assert [(one.hp, one.hidden) for one in presenter.covered(Encounter([HURT, GHOUL])).all(Combatant)] == [
        (3, False), (0, True),
    ]  # fmt: skip
    assert [number.combatant for number in presenter.showing.numbers] == ["mira"]
    presenter.reveal = None
    assert presenter.follow(Encounter([MIRA, GHOUL]), stepped=False)
    assert [number.combatant for number in presenter.showing.numbers] == ["mira", "ghoul"]


def test_hidden_again_is_asked_about_no_longer(presenter: Presenter) -> None:
    presenter.follow(Encounter([MIRA, HIDDEN]), stepped=False)
    presenter.follow(Encounter([MIRA, GHOUL]), stepped=True)
    presenter.follow(Encounter([MIRA, HIDDEN]), stepped=True)
    assert presenter.reveal is None


def test_squares_that_an_undo_would_uncover_stay_hidden_on_any_page(presenter: Presenter) -> None:
    hall = Map(columns=2, rows=1)
    presenter.change(mode="map", has_prepared_map=True)
    presenter.follow(Encounter([hall, Fog(squares="+.")]), stepped=False)
    for page in ("map", "order", "map"):
        presenter.set_mode(page)
        presenter.follow(Encounter([hall]), stepped=page == "map")
        assert presenter.reveal is not None
        assert presenter.reveal.squares == ((1, 0),)
        assert presenter.covered(Encounter([hall])).need(Fog, "fog").squares.strip() == "+"


def test_who_hides_is_noticed(presenter: Presenter) -> None:
    presenter.follow(Encounter([MIRA, GHOUL]), stepped=False)
    assert not presenter.has_hidden_more(Encounter([MIRA, GHOUL]))
    assert presenter.has_hidden_more(Encounter([MIRA, HIDDEN]))


def test_black_covers_a_held_view_and_the_next_page_uncovers_it(presenter: Presenter) -> None:
    view = PlayersView("text", text="The gate falls.")
    presenter.show(view)
    presenter.set_held(is_held=True)
    assert not presenter.set_mode("black")
    assert presenter.view == PlayersView("black")
    assert not presenter.set_mode("order")
    assert presenter.view == view
    assert presenter.is_held
    assert presenter.set_mode("dice")
    assert not presenter.is_held


def test_the_page_before_black_comes_back(presenter: Presenter) -> None:
    presenter.set_mode("dice")
    assert presenter.page_after_black == "black"
    presenter.set_mode("black")
    assert presenter.page_after_black == "dice"


def test_the_time_of_a_turn_runs_down_and_starts_again_with_the_next(presenter: Presenter, clock: Seconds) -> None:
    presenter.set_turn_limit(60)
    turn = PlayersView("order", round=1, actor=0)
    presenter.show(turn)
    clock.now = 12
    presenter.show(turn)
    assert presenter.view.turn_seconds == 48
    presenter.show(msgspec.structs.replace(turn, actor=1))
    assert presenter.view.turn_seconds == 60


def test_the_map_is_moved_within_what_is_known_and_zoomed_within_limits(presenter: Presenter) -> None:
    presenter.show(PlayersView("map", map=PlayersMap(5, fog=("...", "..."))))
    presenter.move_map(1, 40, (1.0, 1.0), 3.0)
    assert (presenter.showing.map_centre, presenter.showing.map_across) == ((2.0, 2), 3.0)
    assert not presenter.showing.map_follows
    presenter.zoom_map(0.0001, (1.0, 1.0), 3.0)
    assert presenter.showing.map_across == MOST_ACROSS


def test_another_encounter_starts_without_what_was_sent(presenter: Presenter) -> None:
    presenter.change(text="The gate falls.", mode="text", ruler=((0, 0), (1, 0)))
    presenter.set_held(is_held=True)
    presenter.start_over()
    assert (presenter.showing.text, presenter.showing.mode, presenter.is_held) == ("", "text", False)
    assert presenter.showing.ruler is None
