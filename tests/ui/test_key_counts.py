"""The acts of a fight in the real window: the keys and clicks of each, as docs/keys.md counts them, and its list of all keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ui.docks.running_fight import settle
from tests.ui.player import CONTROL, ENTER, SHIFT, Key, Player
from turnwright.encounter.running import Award, Combatant, Effect
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndEncounter
from turnwright.ui.controllers.run_controller import RunController
from turnwright.ui.dialogs.help import KeyRow, field_keys, key_rows
from turnwright.ui.shell.window_actions import action_table

SIZE = (1280, 800)
TARGET = "raiders-1"
RAIDERS = ("raiders-1", "raiders-2", "raiders-3")
ROW = re.compile(r"\| (?P<act>[^|]+) \| [^|]+ \| (?P<here>[\d +]+) \| (?P<other>[\d +]+) \|")
FEWER = ("Half damage to three", "Condition with a duration", "Attack with damage", "Damage with saves for three")


@pytest.fixture
def prepared(window) -> Player:
    """Somebody at the window with the sample at the ford, in Run, its dice rolled by the program."""
    window.resize(*SIZE)
    window.document.execute(SetDice("roll"))
    window.content.services.layout.arrange("run")
    return Player(window)


@pytest.fixture
def player(prepared) -> Player:
    """The same at Mira's turn in round 1, a raider beside her, the dice the group's own."""
    document = prepared.window.document
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    settle(document)
    document.execute(SetPosition(TARGET, position=(11, 9)))
    document.execute(SetDice("ask"))
    prepared.window.content.services.controller(RunController).go_home()
    assert prepared.is_home
    return prepared


def start(player: Player) -> None:
    player.press(Key.Key_F9, ENTER)
    assert player.clock.phase == "rounds"


def initiatives(player: Player) -> None:
    player.press(Key.Key_F9)
    player.forget()
    player.press("i", modifier=CONTROL)
    for total in ("17", "12", "21", "14"):
        player.press(total, ENTER)
    assert player.clock.phase == "rounds"


def damage(player: Player) -> None:
    before = player.combatant(TARGET).hp
    player.click_points(TARGET)
    player.press("12", ENTER)
    assert player.combatant(TARGET).hp == before - 12


def three_at_half(player: Player) -> None:
    before = [player.combatant(who).hp for who in RAIDERS]
    player.click_row(RAIDERS[0])
    player.click_points(RAIDERS[-1], SHIFT)
    player.press("12")
    player.press(ENTER, modifier=CONTROL)
    assert [player.combatant(who).hp for who in RAIDERS] == [hp - 6 for hp in before]


def heal(player: Player) -> None:
    player.window.document.execute(ApplyDamage((TARGET,), "7"))
    before = player.combatant(TARGET).hp
    player.click_row(TARGET)
    player.press("h", "5", ENTER)
    assert player.combatant(TARGET).hp == before + 5


def condition(player: Player) -> None:
    player.click_row(TARGET)
    player.press("c", "poi 3", ENTER)
    (effect,) = [one for one in player.window.document.encounter.all(Effect) if one.name == "poisoned"]
    assert (effect.target, effect.rounds_left) == (TARGET, 3)


def next_turn(player: Player) -> None:
    player.press("n")
    assert player.clock.active != "mira"


def undo(player: Player) -> None:
    before = player.combatant(TARGET).hp
    player.window.document.execute(ApplyDamage((TARGET,), "7"))
    player.press("z", modifier=CONTROL)
    assert player.combatant(TARGET).hp == before


def attack(player: Player) -> None:
    before = player.combatant(TARGET).hp
    player.window.document.execute(SetDice("ask", 1))
    player.press("1", "a", ENTER, ENTER)
    assert player.combatant(TARGET).hp < before


def group_save(player: Player) -> None:
    before = [player.combatant(who).hp for who in RAIDERS]
    player.click_row(RAIDERS[0])
    player.click_points(RAIDERS[-1], SHIFT)
    player.press("2d6,dex15", ENTER)
    player.press(ENTER, modifier=SHIFT)
    player.press(ENTER)
    assert all(player.combatant(who).hp < hp for who, hp in zip(RAIDERS, before, strict=True))


def late(player: Player) -> None:
    player.window.document.execute(SetDice("roll"))
    player.press("a", modifier=CONTROL | SHIFT)
    player.press("Wolf")
    player.keys -= len("Wolf") - 1  # a name counts as one
    player.press(ENTER)
    assert any(player.combatant(who).label.startswith("Wolf") for who in player.rows)


ACTS: dict[str, Callable[[Player], None]] = {
    "Damage to one": damage,
    "Half damage to three": three_at_half,
    "Healing": heal,
    "Condition with a duration": condition,
    "Next turn": next_turn,
    "Undo": undo,
    "Attack with damage": attack,
    "Damage with saves for three": group_save,
    "Add a creature": late,
}
BEGINNINGS: dict[str, Callable[[Player], None]] = {
    "Start the fight": start,
    "Initiative, four totals typed": initiatives,
}


def total(count: str) -> int:
    """Return the sum of clicks and keys in a cell of the table."""
    return sum(int(each) for each in count.split("+"))


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    """The page about keys."""
    return (repository / "docs" / "keys.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def counts(page: str) -> dict[str, tuple[str, str]]:
    """The acts of the page with their counts here and elsewhere."""
    return {row["act"]: (row["here"], row["other"]) for row in ROW.finditer(page)}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("act", ACTS)
def test_an_act_takes_as_many_keys_and_clicks_as_the_page_says(player: Player, counts, act: str) -> None:
    ACTS[act](player)
    assert player.count == counts[act][0]
    if not open_prompts(player.window.document.encounter):
        assert player.is_home


def test_experience_is_awarded_with_as_many_keys_as_the_page_says(player: Player, page: str) -> None:
    player.window.document.execute(SetHitPoints("raiders-1", 0))
    player.window.document.execute(EndEncounter())
    player.press("a", ENTER)
    assert [award.kind for award in player.window.document.encounter.all(Award)] == ["xp"]
    assert f"| Award XP after the fight | `A` `Enter` | {player.count} | – |" in page
    assert player.is_home


@pytest.mark.parametrize("act", BEGINNINGS)
def test_a_beginning_takes_as_many_keys_as_the_page_says(prepared: Player, counts, act: str) -> None:
    BEGINNINGS[act](prepared)
    assert prepared.count == counts[act][0]


def test_no_act_takes_more_than_elsewhere(counts) -> None:
    assert set(counts) == {*ACTS, *BEGINNINGS}
    for act, (here, other) in counts.items():
        assert total(here) < total(other) if act in FEWER else total(here) <= total(other), act


def test_the_page_lists_every_key_there_is(page: str) -> None:
    listed = [line for line in page.partition("## All keys")[2].splitlines() if line.startswith("| ")]
    assert listed[1:] == [key_line(row) for row in (*key_rows(action_table()), *field_keys())]


def key_line(row: KeyRow) -> str:
    """Return the row of the page for a key."""
    keys = [row.keys] if row.keys == "," else row.keys.split(", ")
    code = " or ".join(f"`{key}`" for key in keys).replace("Return", "Enter")
    return f"| {row.place} | {code} | {row.text} |"
