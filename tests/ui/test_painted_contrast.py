"""Rows that paint their own words: whatever their state, words and icons stand out, in both themes."""

import pytest

from tests.ui.docks.running_fight import settle
from tests.ui.painted_texts import is_icon, painted_texts
from tests.ui.player import Key, Player
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.encounter_course import AdvanceSetup
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.table.game_master import SetDice, SetHidden
from turnwright.play.turn_order.surprise import CallForChecks

WORDS, ICONS = 4.5, 3.0
FULL_STOP = "."  # of a key: too small for its colour to be reached
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


@pytest.fixture
def look(qtbot):
    """Return a function that looks at a widget once it is laid out: nothing it paints is pale."""

    def look(widget):
        def clear():
            found = [one for one in painted_texts(widget) if one[0] != FULL_STOP]
            assert found
            assert [one for one in found if one[1] < (ICONS if is_icon(one[0]) else WORDS)] == []

        qtbot.waitUntil(clear)

    return look


@pytest.fixture
def player(window, application, theme):
    application.theme.choose(theme)
    window.resize(1280, 800)
    player = Player(window)
    window.document.execute(SetDice("roll", 7))
    player.press(Key.Key_F9)
    window.document.execute(AdvanceSetup(begins=True))
    settle(window.document)
    return player


@pytest.mark.sampled(1)
@THEMES
def test_rows_of_the_turn_order_stand_out(player, look):
    document, view = player.window.document, player.order.view
    who = [row for row in player.rows if not player.is_active(row)]
    for command in (
        SetDead(who[0]),
        SetHidden((who[1],)),
        ApplyCondition((who[2], who[3]), "prone"),
        ApplyDamage((who[4],), "20"),
        SetDice("ask"),
        CallForChecks((who[3],), "dex", dc=15),
    ):
        assert document.execute(command)
    view.fold(False)
    look(view.viewport())
    document.select_combatants((*who[1:5], *who[6:]))
    look(view.viewport())
    view.show_letters(dict(zip(player.rows, "abcdefghijkl", strict=False)))
    look(view.viewport())


@pytest.mark.sampled(1)
@THEMES
def test_rows_of_actions_stand_out(player, look):
    bar = player.turn.action_bar
    player.press(".")
    look(bar)
    document = player.window.document
    document.execute(SpendResource(next(row for row in player.rows if player.is_active(row)), "action"))
    look(bar)
