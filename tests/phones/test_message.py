"""What a phone is sent: the words for a view, and nothing by which fights that differ in secrets alone could be told apart."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.for_each import for_each
from tests.phones.phone import WORDS
from tests.players.test_players_view import MODES, views_of
from turnwright.phones.message import message_bytes, phone_message
from turnwright.players.view import CombatantRow, CountdownView, PlayersView, SentHandout, ShownHitPoints

ORDER = PlayersView(
    mode="order",
    title="The ford",
    round=3,
    light="dim",
    actor=0,
    next=1,
    order=(
        CombatantRow("Aria", 0, "party", hit_points=ShownHitPoints(9, 20)),
        CombatantRow("Goblin", 2, "enemies", health="bloodied", conditions=("Prone", "Blinded")),
        CombatantRow("", 1, "others"),
    ),
    countdowns=(CountdownView("Flood", 3, (6, 2), 5),),
)


@for_each("seed", range(60))
def test_fights_that_differ_in_secrets_alone_send_the_same_bytes(seed: int) -> None:
    first, second = views_of(seed)
    assert [message_bytes(one, WORDS) for one in first] == [message_bytes(one, WORDS) for one in second]


@pytest.mark.soak
def test_three_thousand_fights_that_differ_in_secrets_alone_send_the_same_bytes() -> None:
    for seed in range(3000):
        first, second = views_of(seed)
        assert [message_bytes(one, WORDS) for one in first] == [message_bytes(one, WORDS) for one in second], seed


def test_an_order_is_in_words() -> None:
    message = phone_message(ORDER, WORDS)
    assert (message.title, message.facts) == ("Round 3", "The ford · dim light")
    assert [(row.name, row.state, row.acts) for row in message.rows] == [
        ("Aria", "Acting now", True),
        ("Goblin 2", "Next", False),
        ("Creature 1", "", False),
    ]
    assert [row.health for row in message.rows] == ["9 of 20 hit points", "Bloodied", ""]
    assert message.rows[1].conditions == ("Prone", "Blinded")
    (countdown,) = message.countdowns
    assert (countdown.name, countdown.dice) == ("Flood", "3 dice left")
    assert [(die.face, die.removed) for die in countdown.faces] == [("6", True), ("2", False)]


def test_nobody_acts_but_the_one_whose_turn_it_is() -> None:
    for actor in (0, 1, 2, None):
        rows = phone_message(msgspec.structs.replace(ORDER, actor=actor), WORDS).rows
        assert [place for place, row in enumerate(rows) if row.acts] == ([] if actor is None else [actor])


def test_no_die_of_a_countdown_without_a_lowest_face_is_removed() -> None:
    (countdown,) = phone_message(
        PlayersView("dice", countdowns=(CountdownView("Flood", 1, (6,), 0),)), WORDS
    ).countdowns
    assert [die.removed for die in countdown.faces] == [False]


def test_before_the_first_round_it_says_so() -> None:
    assert phone_message(msgspec.structs.replace(ORDER, round=0, actor=None), WORDS).title == "Before the first round"


@pytest.mark.parametrize("mode", MODES)
def test_a_page_without_anything_says_so_unless_it_is_black(mode) -> None:
    message = phone_message(PlayersView(mode), WORDS)
    assert bool(message.empty) == (mode != "black")
    assert message.empty == ("" if mode == "black" else WORDS.raw(f"phones.empty.{mode}"))


def test_a_black_page_holds_nothing() -> None:
    holds = {name: value for name, value in json.loads(message_bytes(PlayersView("black"), WORDS)).items() if value}
    assert holds == {"mode": "black"}


def test_a_handout_comes_with_its_words_and_without_the_picture_itself() -> None:
    view = PlayersView("picture", handout=SentHandout("A letter", "Come at dusk.", "V.", b"\x89PNG secret name"))
    sent = message_bytes(view, WORDS, "/picture/x")
    assert b"secret" not in sent
    message = json.loads(sent)
    assert [message[name] for name in ("heading", "text", "signed", "picture", "empty")] == [
        "A letter",
        "Come at dusk.",
        "V.",
        "/picture/x",
        "",
    ]


def test_every_message_is_a_single_line() -> None:
    sent = message_bytes(PlayersView("text", text="one\r\ntwo\n\nevent: ended\u2028three"), WORDS)
    assert b"\n" not in sent
    assert b"\r" not in sent
    assert json.loads(sent)["text"] == "one\r\ntwo\n\nevent: ended\u2028three"


def test_the_time_left_of_a_turn_is_said() -> None:
    assert phone_message(msgspec.structs.replace(ORDER, turn_seconds=0), WORDS).facts.endswith("0 s left in the turn")
