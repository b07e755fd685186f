"""Forms of actions with parameters: built from the action's data, filled in by keyboard, executed on Enter."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.docks.edits import with_creature, with_roster
from tests.ui.docks.running_fight import settle
from tests.ui.rule_checks import check_rules
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Clock, Combatant, Effect, Slot, Track
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import CommandFollowers
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.queries.queries import active_combatants, open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.play.table.game_master import SetDice, SetStat
from turnwright.play.turns.turns import EndTurn, GoToTurn
from turnwright.ui.docks.turn.dock import TurnDock

ENTER = Qt.Key.Key_Return


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    focused = QApplication.focusWidget()
    if isinstance(key, str):
        qtbot.keyClicks(focused, key)
    else:
        qtbot.keyClick(focused, key, modifier)


def effects(document, who):
    return [one for one in document.encounter.all(Effect) if one.target == who]


@pytest.fixture
def dock(fight, show):
    dock = show(TurnDock)
    dock.live.setFocus()
    return dock


@pytest.fixture
def form(dock):
    return dock.form_host.form_card


def choose(dock, id):
    dock.action_bar.buttons[id].click()


def test_help_takes_an_ally_and_a_foe_on_one_card(fight, dock, form, qtbot):
    fight.execute(SetPosition("raiders-1", position=(11, 9)))
    choose(dock, "help")
    assert form.field("choice").row.chosen() == ("attack",)
    assert not form.button.isEnabled()
    form.field("targets").row.button("tam").click()
    form.field("about").row.button("raiders-1").click()
    assert form.check.text == ""
    press(qtbot, ENTER)
    assert not open_prompts(fight.encounter)
    assert [(one.name, one.by) for one in effects(fight, "tam")] == [("helped-attack", "raiders-1")]


def test_the_foe_is_asked_only_where_the_help_is_against_one(dock, form):
    choose(dock, "help")
    form.field("choice").row.button("check").click()
    with pytest.raises(KeyError):
        form.field("about")
    assert form.field("note")


@pytest.mark.parametrize(
    ("strictness", "said", "button"),
    [("enforce", True, "Allow anyway"), ("warn", True, "Help"), ("off", False, "Help")],
)
def test_what_the_rules_are_against_is_said_and_done_by_leave_or_at_once(
    fight, dock, form, qtbot, strictness, said, button
):
    check_rules(fight, strictness)
    choose(dock, "help")
    form.field("targets").row.button("tam").click()
    form.field("about").row.button("raiders-1").click()
    assert ("5 ft" in form.check.text) is said
    assert form.check.refused is (strictness == "enforce")
    assert form.button.text() == button
    press(qtbot, ENTER)
    assert effects(fight, "tam")


def test_letters_choose_over_all_rows(dock, form, qtbot):
    choose(dock, "help")
    keys = [button.pick.key for row in ("targets", "about") for button in form.field(row).row.buttons()]
    assert len(set(keys)) == len(keys)
    press(qtbot, form.field("targets").row.button("osk").pick.key)
    press(qtbot, form.field("about").row.button("captain").pick.key)
    assert form.field("targets").row.chosen() == ("osk",)
    assert form.field("about").row.chosen() == ("captain",)


def test_ready_keeps_its_trigger_and_its_response(fight, dock, form, qtbot):
    choose(dock, "ready")
    press(qtbot, "the boat comes in")
    press(qtbot, ENTER)
    (effect,) = [one for one in effects(fight, "mira") if one.name == "readied"]
    assert (effect.source, effect.end_condition) == ("attack", "the boat comes in")


def test_without_a_trigger_nothing_is_readied(fight, dock, form, qtbot):
    choose(dock, "ready")
    depth = fight.source.session.history.depth
    press(qtbot, ENTER)
    assert form.isVisible()
    assert fight.source.session.history.depth == depth
    press(qtbot, Qt.Key.Key_Escape)
    assert not form.isVisible()
    assert dock.live.hasFocus()


def test_hiding_is_from_those_ticked(fight, dock, form):
    choose(dock, "hide")
    assert set(form.field("targets").row.chosen()) == {"raiders-1", "raiders-2", "raiders-3", "raiders-4", "captain"}
    form.field("targets").row.button("captain").click()
    assert "captain" not in form.field("targets").row.chosen()
    form.submit()
    (prompt,) = open_prompts(fight.encounter)
    asked = fight.encounter.need(Procedure, prompt.procedure).data.targets
    assert set(asked) == {"raiders-1", "raiders-2", "raiders-3", "raiders-4"}


def test_tumble_is_paid_with_what_is_chosen(fight, dock, form):
    fight.execute(SetPosition("raiders-1", position=(11, 9)))
    fight.execute(SetStat("raiders-1", "maneuver-dc", 12))
    choose(dock, "tumble")
    form.field("targets").row.button("raiders-1").click()
    form.field("cost").row.button("bonus").click()
    assert fight.encounter.need(Track, "mira.bonus").value == 1
    form.submit()
    settle(fight)
    assert fight.encounter.need(Track, "mira.bonus").value == 0
    assert fight.encounter.need(Track, "mira.action").value == 1


def test_a_maneuver_names_itself_and_its_target(fight, dock, form):
    fight.execute(SetPosition("raiders-1", position=(11, 9)))
    choose(dock, "basic-maneuver")
    form.field("choice").row.button("shove").click()
    form.field("targets").row.button("raiders-1").click()
    form.submit()
    assert [prompt.title for prompt in open_prompts(fight.encounter)] == ["prompt.maneuver"]


def test_first_aid_goes_to_the_one_who_is_down(fight, dock, form):
    fight.execute(SetDice("roll"))
    fight.execute(ApplyDamage(("tam",), "33"))
    settle(fight)
    fight.execute(SetPosition("mira", position=(11, 10)))
    choose(dock, "aid")
    assert form.field("targets").row.chosen() == ("tam",)
    assert form.field("targets").row.button("osk").pick.refused


def test_a_feature_is_used_on_several_who_save(fight, dock, form, qtbot):
    fight.execute(GoToTurn(next(slot.id for slot in fight.encounter.all(Slot) if "osk" in slot.members)))
    settle(fight)
    choose(dock, "feature:blaze")
    assert "DC" in form.text.text()
    form.field("targets").row.button("raiders-1").click()
    form.field("targets").row.button("raiders-2").click()
    form.submit()
    (prompt,) = open_prompts(fight.encounter)
    assert [ask.who for ask in prompt.asks] == ["raiders-1", "raiders-2"]


def test_a_spell_is_cast_by_hand_with_a_save_and_damage(fight, dock, form, qtbot):
    choose(dock, "cast-spell")
    form.field("name").line.setFocus()
    press(qtbot, "Cold breath")
    form.field("save").row.button("con").click()
    assert not form.button.isEnabled()
    form.field("dc").box.setFocus()
    form.field("dc").box.selectAll()
    press(qtbot, "14")
    form.field("damage").line.setFocus()
    press(qtbot, "3d6 cold")
    form.field("targets").row.button("raiders-1").click()
    press(qtbot, ENTER)
    (prompt,) = open_prompts(fight.encounter)
    assert (prompt.title, prompt.subject, prompt.asks[0].dc) == ("prompt.save", "Cold breath", 14)


def test_a_spell_without_figures_only_costs_its_action(fight, dock, form):
    choose(dock, "cast-spell")
    form.submit()
    assert fight.encounter.need(Track, "mira.action").value == 0
    assert not open_prompts(fight.encounter)


def test_a_shipped_spell_asks_on_for_what_its_source_leaves_out_one_kind_at_a_time(fight, dock, form, qtbot):
    choose(dock, "cast-spell")
    qtbot.keyClicks(form.field("name").line, "Fire Storm")
    form.field("targets").row.button("raiders-1").click()
    form.submit()
    (card,) = dock.prompts.cards.values()
    assert {ask.kind for ask in card.view.asks} == {"choice"}
    card.prompt_input.confirm()
    (card,) = dock.prompts.cards.values()
    assert [ask.kind for ask in card.view.asks] == ["number"]


def test_what_needs_nothing_more_is_done_at_once(fight, dock):
    choose(dock, "dodge")
    assert not dock.form_host.is_open
    assert [one.name for one in effects(fight, "mira")] == ["dodging"]


def test_dropping_prone_and_standing_up_stand_in_the_list(fight, dock):
    choose(dock, "do:drop-prone")
    assert [one.name for one in effects(fight, "mira")] == ["prone"]
    choose(dock, "do:stand")
    assert effects(fight, "mira") == []
    assert dock.header.movement.text() == "15 / 30 ft"


def test_what_is_typed_with_blanks_stays_as_it_is_typed(dock, form, qtbot):
    choose(dock, "ready")
    press(qtbot, "the door ")
    assert form.field("note").line.text() == "the door "


def test_a_reaction_feature_of_another_stands_in_the_strip(fight, dock):
    assert "tam/roll-with-it" in dock.strip.buttons
    assert "mira/stand-behind-me" not in dock.strip.buttons
    dock.strip.buttons["tam/roll-with-it"].click()
    assert fight.encounter.need(Track, "tam.reaction").value == 0
    assert "tam/roll-with-it" not in dock.strip.buttons


# Those who are commanded, and those who carry -------------------------------------------------------------------------


@pytest.fixture
def crew(document):
    """Return the fight in the captain's turn; three raiders follow as a group."""
    with_roster(document, "raiders", controller="captain", group="crew", count=3)
    document.execute(SetDice("roll"))
    document.execute(StartEncounter())
    for _ in range(3):
        document.execute(AdvanceSetup())
    settle(document)
    document.execute(SetDice("ask"))
    slot = next(slot.id for slot in document.encounter.all(Slot) if "captain" in slot.members)
    if document.encounter.need(Clock, "clock").active != slot:
        document.execute(GoToTurn(slot))
        settle(document)
    return document


def test_followers_stand_beside_their_controller(crew, show):
    dock = show(TurnDock)
    tabs = dock.header.turn_sharers
    assert [tabs.tabText(place) for place in range(tabs.count())] == ["Captain", "Raider 1", "Raider 2", "Raider 3"]
    tabs.setCurrentIndex(2)
    assert dock.header.name.text() == "Raider 2"
    tabs.setCurrentIndex(0)
    assert dock.header.name.text() == "Captain"
    crew.select_combatants(("raiders-1",))  # as a key in the turn order does
    assert (dock.header.name.text(), tabs.currentIndex()) == ("Raider 1", 1)
    crew.select_combatants(("mira",))
    assert dock.header.name.text() == "Raider 1"


def test_a_follower_acts_only_when_commanded(crew, show, qtbot):
    dock = show(TurnDock)
    dock.header.turn_sharers.setCurrentIndex(1)
    assert dock.action_bar.buttons["dash"].view.refused
    dock.header.turn_sharers.setCurrentIndex(0)
    choose(dock, "do:command")
    form = dock.form_host.form_card
    assert form.field("unit").row.chosen() == ("raiders-1",)
    form.field("action").line.setFocus()
    press(qtbot, "push them back")
    form.field("target").row.button("mira").click()
    press(qtbot, ENTER)
    assert crew.encounter.need(Track, "captain.bonus").value == 0
    orders = [one for one in crew.encounter.all(Effect) if one.name == "commanded"]
    assert {one.target for one in orders} == {"raiders-1", "raiders-2", "raiders-3"}
    assert {(one.by, one.end_condition) for one in orders} == {("mira", "push them back")}
    dock.header.turn_sharers.setCurrentIndex(1)
    assert not dock.action_bar.buttons["dash"].view.refused


def test_a_group_attacks_as_one(crew, show):
    dock = show(TurnDock)
    crew.execute(CommandFollowers("captain", ("raiders-1", "raiders-2", "raiders-3"), "attack", "mira"))
    dock.header.turn_sharers.setCurrentIndex(1)
    choose(dock, "do:group-attack")
    form = dock.form_host.form_card
    assert form.field("who").row.chosen() == ("raiders-1", "raiders-2", "raiders-3")
    form.field("target").row.button("mira").click()
    form.submit()
    (prompt,) = open_prompts(crew.encounter)
    assert (prompt.title, prompt.asks[0].who) == ("prompt.save", "mira")


def test_mounting_commanding_and_getting_off(fight, dock, form):
    with_creature(fight, fight.encounter.need(Combatant, "driver").creature, size="large")
    fight.execute(SetPosition("driver", position=(11, 9)))
    fight.execute(SetPosition("mira", position=(10, 9)))
    choose(dock, "do:mount")
    assert form.field("mount").row.chosen() == ("driver",)
    form.submit()
    settle_choice(fight, "carries")
    assert fight.encounter.need(Combatant, "mira").rides == "driver"
    choose(dock, "do:order-mount")
    form.field("action").row.button("dodge").click()
    form.submit()
    assert "dodging" in [one.name for one in effects(fight, "driver")]
    assert dock.action_bar.buttons["do:dismount"].view.refused  # once per turn


def settle_choice(document, option):
    (prompt,) = open_prompts(document.encounter)
    document.execute(Answer(prompt.id, (Reply(prompt.asks[0].id, chosen=(option,)),), prompt.revision))


def test_slots_and_uses_stand_as_boxes(fight, dock):
    with_creature(fight, "mira", slots=(("1", 3),), legendary=2)
    group = dock.header.use_boxes.group("slots.1")
    assert "3 of 3" in group.accessibleName()
    group.toggle()
    assert fight.encounter.need(Track, "mira.slots.1").value == 2
    button = dock.action_bar.buttons["feature:second-breath"]
    assert button.view.boxes == (1, 1)
    button.click()
    assert dock.action_bar.buttons["feature:second-breath"].view.boxes == (0, 1)
    assert dock.action_bar.buttons["feature:second-breath"].view.refused


def test_an_open_form_follows_what_happens_and_goes_with_the_turn(fight, dock, form, qtbot):
    choose(dock, "ready")
    press(qtbot, "the horn")
    fight.execute(TakeAction("mira", "dodge"))
    assert "action" in form.check.text.lower()
    assert form.field("note").line.text() == "the horn"
    fight.execute(EndTurn())
    assert active_combatants(fight.encounter)[0].id != "mira"
    assert not form.isVisible()


def test_a_relation_shows_at_once_on_an_open_card(fight, dock):
    dock.open_attack()
    fight.execute(SetRelation("mira", "raiders-1", distance=5))
    assert dock.form_host.attack_card.vetoes.text() == ""


@pytest.mark.parametrize(
    "id", ["help", "ready", "cast-spell", "hide", "tumble", "basic-maneuver", "search", "improvise"]
)
def test_no_form_is_wider_than_the_dock_has_beside_the_others(dock, form, id):
    dock.window().resize(620, 480)
    choose(dock, id)
    assert form.isVisible()
    assert dock.live.minimumSizeHint().width() <= 620


def test_the_attack_card_is_no_wider_either(dock):
    dock.window().resize(620, 480)
    dock.open_attack()
    assert dock.live.minimumSizeHint().width() <= 620
