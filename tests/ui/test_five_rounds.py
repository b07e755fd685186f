"""Five rounds of a fight in the real window, of each game by keys alone, and of one by the mouse alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.conftest import Kept, active, delete_now
from tests.ui.player import CONTROL, ENTER, Key, Player
from turnwright.ui.application.app import Application
from turnwright.workspace.document import Document, open_document

SAMPLES = {
    "a5e": "cold-ford-bridge",
    "dnd5e": "unquenched-works",
    "pf2e": "last-light",
    "action_points": "bell-barge",
}
CONDITIONS = {"a5e": "Prone", "dnd5e": "Prone", "pf2e": "Prone", "action_points": "Frozen"}
SIZE = (1280, 800)
ROUNDS = 5
ACTS = 60  # more than prompts follow from one act
TURNS = 400
Sit = Callable[..., Player]


@pytest.fixture(scope="module")
def cleared(kept: Kept) -> Iterator[None]:
    """Reset the window when all fights are over: between them it stays as a person leaves it."""
    yield
    kept.tidy()


@pytest.fixture
def sit(
    qtbot: QtBot, kept: Kept, cleared: None, application: Application, tmp_path: Path, repository: Path
) -> Iterator[Sit]:
    """Open a game's sample in the window; the rolls are typed, or the program's."""
    opened: list[Document] = []

    def sit_down(game: str, *, types_rolls: bool = False) -> Player:
        path = tmp_path / "fight.toml"
        shutil.copy(repository / "encounters" / f"{SAMPLES[game]}.toml", path)
        workspace = application.workspace
        dice = "ask" if types_rolls else "roll"
        opened.append(open_document(path, workspace.systems, workspace.folders.state, seed=7, dice=dice))
        window = kept.window_with(opened[-1], qtbot)
        window.resize(*SIZE)
        active(window, qtbot)
        return Player(window, types_rolls=types_rolls)

    yield sit_down
    delete_now()
    for document in opened:
        document.close(discard=True)


def settle(player: Player, answer: Callable[[], None]) -> None:
    """Answer all that is asked."""
    for _ in range(ACTS):
        if not player.is_asked:
            return
        answer()
    raise AssertionError("prompts without end")


def begin(player: Player) -> None:
    """Start the fight and go through its set-up by keys."""
    player.press(Key.Key_F9)
    assert player.is_home
    for _ in range(ACTS):
        settle(player, player.answer)
        if player.clock.phase == "rounds":
            assert player.is_home
            return
        player.press(Key.Key_F10)
    raise AssertionError("the fight never begins")


def attack(player: Player) -> None:
    """Attack with the first attack the one whom the card suggests, by its letter, and answer what follows."""
    player.press("1")
    card = player.turn.form_host.attack_card
    assert card.isVisible()
    player.press(player.order.view.letters[card.command().target], ENTER)
    settle(player, player.answer)
    assert player.is_home


def adjust(player: Player, condition: str) -> None:
    """Damage somebody, undo and redo it, heal them and add a condition, with the journal's words for it."""
    whom = next(who for who in player.rows if player.combatant(who).hp > 12 and not player.is_active(who))
    before, label = player.combatant(whom).hp, player.combatant(whom).label
    player.aim(whom)
    player.press("d", "12", ENTER)
    settle(player, player.answer)
    hurt = player.combatant(whom).hp
    assert player.is_home
    assert hurt < before
    assert f"{label} takes " in player.told()
    player.press("z", modifier=CONTROL)
    assert player.is_home
    assert player.combatant(whom).hp == before
    player.press("y", modifier=CONTROL)
    assert player.is_home
    assert player.combatant(whom).hp == hurt
    player.press("h", "5", ENTER)
    assert player.is_home
    assert player.combatant(whom).hp == min(hurt + 5, before)
    assert f"{label} regains " in player.told()
    player.press("c", f"{condition[:4].lower()} 2", ENTER)
    assert player.is_home
    assert condition in player.told()


def note(player: Player, text: str) -> None:
    """Write a line into the journal."""
    player.press("/", text, ENTER)
    assert player.is_home
    assert text in player.told()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", SAMPLES)
def test_five_rounds_by_keys(sit: Sit, game: str) -> None:
    player = sit(game, types_rolls=game == "pf2e")
    begin(player)
    adjusted = attacked = 0
    for _ in range(TURNS):
        now = player.clock.round
        if now > ROUNDS:
            break
        if player.clock.active and attacked < now:
            attack(player)
            attacked += 1
        elif player.clock.active and adjusted < now:
            adjust(player, CONDITIONS[game]) if now % 2 else note(player, f"so much for round {now}")
            adjusted += 1
        player.press("n")
        settle(player, player.answer)
        assert player.is_home
        assert player.clock.round in (now, now + 1)
    assert player.clock.round == ROUNDS + 1
    assert (attacked, adjusted) == (ROUNDS, ROUNDS)
    told = player.told()
    assert all(f"Round {number}" in told for number in range(1, ROUNDS + 2))


@pytest.mark.soak
def test_five_rounds_by_mouse(sit: Sit) -> None:
    player = sit("a5e")
    bar = player.window.content.tool_bar
    player.click(bar.button)
    attacked = 0
    for _ in range(TURNS):
        if player.is_asked:
            player.answer_by_mouse()
            continue
        if player.clock.round > ROUNDS:
            break
        if player.clock.active and attacked < player.clock.round:
            player.click(next(iter(player.turn.action_bar.rows.values())).button)
            player.click(player.turn.form_host.attack_card.button)
            attacked += 1
            continue
        player.click(bar.button)
    assert player.clock.round == ROUNDS + 1
    assert attacked == ROUNDS
    assert player.keys == 0
    before = player.told()
    player.click(bar.quiet["undo"])
    assert len(player.told()) < len(before)
