"""The list of actions: grouped, legal ones first, a reason beside the others, a line that filters."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.docks.running_fight import settle, shown_effects
from tests.ui.rule_checks import check_rules
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import weapon_for
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.forced_movement import DropProne
from turnwright.play.queries.queries import actions_for
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.action_economy import RestoreResource, SpendResource
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import GoToTurn
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.docks.turn.forms.cast_form import CastSpellForm
from turnwright.ui.docks.turn.turn_actions import AttackCardRequest, TurnActions, feature_request
from turnwright.ui.look.style import scaled

GREYED = "refused"


def press(qtbot, key):
    focused = QApplication.focusWidget()
    if isinstance(key, str):
        qtbot.keyClicks(focused, key)
    else:
        qtbot.keyClick(focused, key)


@pytest.fixture
def dock(fight, show):
    dock = show(TurnDock)
    dock.live.setFocus()
    return dock


def refused(dock):
    return [id for id in dock.action_bar.buttons if dock.action_bar.buttons[id].view.refused]


def test_every_action_that_the_engine_offers_is_on_the_list(fight, dock):
    shown = set(dock.action_bar.buttons)
    for offer in actions_for(fight.encounter, fight.rules, "mira"):
        if offer.feature is not None:
            assert f"feature:{offer.feature.id}" in shown
        elif offer.action.done not in ("attack", "release"):
            assert offer.action.id in shown


@pytest.mark.parametrize(("name", "request_type"), [("Contagion", CastSpellForm), ("Guiding Bolt", AttackCardRequest)])
def test_a_spell_with_variants_is_used_so_that_one_is_chosen(fight, name, request_type):
    spell = Feature("own", name, "action", attack=5, reach=5, properties=("spell",))
    mira = fight.encounter.need(Creature, fight.encounter.need(Combatant, "mira").creature)
    fight.execute(Edit(msgspec.structs.replace(mira, features=(*mira.features, spell))))
    assert isinstance(feature_request(fight, "mira", spell), request_type)
    assert isinstance(TurnActions(fight, "mira").request_for("feature:own"), request_type)


def test_why_not_is_the_engines_first_reason(fight, dock):
    fight.execute(SpendResource("mira", "action"))
    offers = {offer.action.id: offer for offer in actions_for(fight.encounter, fight.rules, "mira")}
    for id in ("dash", "dodge", "help", "hide"):
        assert offers[id].refused
        assert dock.action_bar.buttons[id].view.refused == fight.phrasebook.text(
            offers[id].refused, **dict(offers[id].params)
        )


def test_what_cant_be_done_has_no_number_and_no_row_and_says_why(fight, dock):
    bar = dock.action_bar
    assert list(bar.rows) == [bar.button(number).view.id for number in range(1, len(bar.rows) + 1)]
    assert "feature:sword" in bar.rows
    numbered = [id for id, button in bar.buttons.items() if button.number]
    assert len(numbered) == len(bar.rows) + 6
    fight.execute(SpendResource("mira", "action"))
    assert bar.rows == {}
    assert all(bool(button.view.refused) is False for button in bar.buttons.values() if button.number)
    assert bar.more.refused.text().startswith("Not now (")
    assert bar.buttons["dodge"].view.refused in bar.more.refused.text()


@pytest.mark.parametrize("checks", ["off", "warn"])
def test_an_attack_that_isn_t_there_now_is_folded_away_with_its_reason(fight, dock, checks):
    check_rules(fight, checks)
    mira = fight.encounter.need(Creature, fight.encounter.need(Combatant, "mira").creature)
    fury = Feature("fury", "Fury", "action", attack=7, reach=5, damage="2d6 slashing", only="bloodied")
    fight.execute(Edit(msgspec.structs.replace(mira, features=(fury, *mira.features))))
    assert "feature:fury" not in dock.action_bar.rows
    assert dock.action_bar.buttons["feature:fury"].view.refused == "Fury isn't available now. Required: bloodied."
    assert "Fury" in dock.action_bar.more.refused.text()
    assert weapon_for(fight.encounter, fight.rules, "mira").id != "fury"
    fight.execute(SetHitPoints("mira", 1))
    assert "feature:fury" in dock.action_bar.rows


def test_what_is_greyed_takes_the_focus_and_explains_itself(fight, dock, qtbot):
    fight.execute(SpendResource("mira", "action"))
    button = dock.action_bar.buttons["dodge"]
    assert button.property(GREYED)
    assert button.isEnabled()
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    assert button.view.refused in button.card().accessibleName()


def test_what_an_action_costs_stands_at_its_end(dock):
    words = {dock.action_bar.buttons[id].view.group for id in dock.action_bar.buttons}
    assert words == {"", "bonus", "reaction", "free"}


def test_a_dot_filters_and_enter_does_what_is_left(fight, dock, qtbot):
    assert not dock.action_bar.more.isVisible()
    dock.open_more_actions()
    press(qtbot, "dod")
    assert [id for id, button in dock.action_bar.buttons.items() if button.view.matches("dod")] == ["dodge"]
    press(qtbot, Qt.Key.Key_Return)
    assert [one.name for one in shown_effects(fight)] == ["dodging"]
    assert not dock.action_bar.filter.isVisible()
    assert len(dock.action_bar.buttons) > 20
    assert dock.live.hasFocus()


def test_escape_closes_the_filter_and_leaves_nothing_in_it(dock, qtbot):
    dock.open_more_actions()
    press(qtbot, "dash")
    press(qtbot, Qt.Key.Key_Escape)
    assert (dock.action_bar.more.isVisible(), dock.action_bar.filter.text()) == (False, "")


def test_nothing_found_is_said(dock, qtbot):
    dock.open_more_actions()
    press(qtbot, "xyzzy")
    assert dock.action_bar.more.nothing.isVisible()
    press(qtbot, Qt.Key.Key_Return)
    assert not dock.form_host.is_open
    dock.action_bar.filter.clear()


def test_the_list_gives_way_in_a_low_window_before_the_damage_box_goes(dock, qtbot):
    dock.window().resize(620, 480)
    qtbot.waitUntil(lambda: dock.height() <= 480)
    bottom = dock.damage.mapTo(dock, dock.damage.rect().bottomLeft()).y()
    assert bottom <= dock.height()


# Moving ------------------------------------------------------------------------------------------------------------


def test_nobody_down_is_offered_a_legal_action(fight, dock):
    fight.execute(SetDice("roll"))
    fight.execute(ApplyDamage(("mira",), "44"))
    assert "dash" in refused(dock)
    assert "feature:sword" in refused(dock)


def test_what_its_kind_has_used_comes_before_the_rest_from_the_next_turn_on(fight, dock):
    def likely():
        return [
            id for id, button in dock.action_bar.buttons.items() if button.number and id not in dock.action_bar.rows
        ]

    def turn_of(who):
        fight.execute(GoToTurn(who))
        settle(fight)

    turn_of("raiders-1")
    before = likely()
    assert before.index("dodge") > before.index("dash")
    fight.execute(TakeAction("raiders-1", "dodge"))
    fight.execute(RestoreResource("raiders-1", "action"))
    assert likely() == before
    turn_of("raiders-2")
    assert likely() == ["dodge", *(id for id in before if id != "dodge")]
    turn_of("mira")
    assert likely().index("dodge") > likely().index("dash")
    fight.undo()
    assert likely()[0] == "dodge"


def test_where_rules_are_not_checked_everything_is_offered(fight, dock):
    fight.execute(SpendResource("mira", "action"))
    assert refused(dock)
    check_rules(fight, "off")
    assert refused(dock) == []
    assert "feature:sword" in dock.action_bar.rows


def test_a_large_window_shows_all_actions_all_the_time(dock, qtbot):
    bar = dock.action_bar
    dock.window().resize(scaled(1600), scaled(1000))
    qtbot.waitUntil(bar.more.isVisible)
    assert not bar.more_button.isVisible()
    dock.open_more_actions()
    press(qtbot, "dash")
    press(qtbot, Qt.Key.Key_Escape)
    assert bar.more.isVisible()
    dock.window().resize(scaled(1280), scaled(1000))
    qtbot.waitUntil(lambda: not bar.more.isVisible())


def test_standing_up_comes_first_while_prone(fight, dock):
    fight.execute(DropProne("mira"))
    settle(fight)
    views = [view for view in TurnActions(fight, "mira").views if view.attack is None]
    assert views[0].id == "do:stand"


def test_the_paralyzed_neither_talk_nor_drop(fight, dock):
    fight.execute(ApplyCondition(("mira",), "paralyzed"))
    offered = {view.id for view in TurnActions(fight, "mira").views if not view.refused}
    assert not offered & {"communicate", "do:drop-prone", "do:mount"}


def test_own_bonus_and_free_actions_come_before_the_actions_of_everybody(fight, dock):
    block = fight.encounter.need(Creature, fight.encounter.need(Combatant, "mira").creature)
    own = (
        Feature("second-wind", "Second Wind", "bonus", heals="1d10+5", uses=1),
        Feature("surge", "Action Surge", "free", uses=1),
    )
    fight.execute(Edit(msgspec.structs.replace(block, features=(*block.features, *own))))
    settle(fight)
    numbered = [
        id for id, button in dock.action_bar.buttons.items() if button.number and id not in dock.action_bar.rows
    ]
    assert {"feature:second-wind", "feature:surge"} <= {*numbered[: numbered.index("dash")]}


def test_a_feature_that_heals_its_owner_asks_for_the_roll(fight, dock):
    block = fight.encounter.need(Creature, fight.encounter.need(Combatant, "mira").creature)
    breath = Feature("second-wind", "Second Wind", "bonus", heals="1d10+5", uses=1)
    fight.execute(Edit(msgspec.structs.replace(block, features=(*block.features, breath))))
    settle(fight)
    dock.action_bar.buttons["feature:second-wind"].click()
    assert [prompt.subject for prompt in fight.encounter.all(Prompt)] == ["Second Wind"]
