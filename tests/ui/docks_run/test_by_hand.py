"""What a person says by hand: each form makes its command, says why it can't, and insists where that may be."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit

from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Combatant, Effect, Pool
from turnwright.play.commands import Add, ApplyCondition, ApplyDamage, SetDead, SetDice
from turnwright.play.inquiries import open_prompts
from turnwright.ui.dialogs.hand_form import HandForm
from turnwright.ui.dialogs.hand_world import ALL
from turnwright.ui.docks.order import OrderDock


@pytest.fixture
def opened(fight, qtbot):
    """Open the form of one act over the fight."""

    def opened(id):
        act = next(kind for kind in ALL if kind.id == id)
        form = HandForm(fight, act(fight))
        qtbot.addWidget(form)
        form.show()
        return form

    return opened


def one(fight, id):
    return fight.encounter.need(Combatant, id)


def last(fight):
    return list(fight.document.session.journal())[-1].phrase


def effects(fight, who):
    return {effect.name: effect for effect in fight.encounter.all(Effect) if effect.target == who}


def test_hit_points_are_corrected_with_the_keyboard(opened, fight, qtbot):
    form = opened("hit-points")
    assert (form.values["who"], form.values["hp"], form.values["hp-max"]) == ("mira", 44, 44)
    form.say("who", "tam")
    form.field("hp").setFocus()
    form.field("hp").selectAll()
    qtbot.keyClicks(form.field("hp"), "7")
    qtbot.keyClick(form.field("hp"), Qt.Key.Key_Return)
    assert form.result() == QDialog.DialogCode.Accepted
    assert (one(fight, "tam").hp, one(fight, "mira").hp) == (7, 44)


def test_what_was_written_about_one_is_not_said_of_another(opened):
    form = opened("hit-points")
    form.say("hp", 3)
    form.say("who", "tam")
    assert form.values["hp"] == 33
    form.say("who", "mira")
    assert form.values["hp"] == 3


def test_the_form_begins_with_whoever_is_selected(opened, fight):
    fight.select((Combatant.table, "osk"))
    assert opened("place").values["who"] == "osk"
    assert opened("condition").values["people"] == ("osk",)


def test_a_refusal_is_told_with_its_reason_and_may_be_insisted_on(opened, fight):
    fight.do(SetDead("tam"))
    form = opened("hit-points")
    form.say("who", "tam")
    form.say("hp", 5)
    assert "dead" in form.refusal.text()
    assert form.button.text() == "Do it anyway"
    form.hand_in()
    assert (one(fight, "tam").dead, one(fight, "tam").hp) == (False, 5)


def test_dice_that_nobody_can_roll_are_refused_before_they_are_handed_in(opened, fight):
    form = opened("ongoing")
    assert not form.button.isEnabled()
    form.say("damage", "2d")
    assert not form.button.isEnabled()
    assert "2d" in form.refusal.text()
    form.say("damage", "1d6 fire")
    form.say("until", "somebody puts it out")
    form.hand_in()
    (burning,) = [effect for effect in effects(fight, "mira").values() if effect.damage]
    assert (burning.damage, burning.until) == ("1d6 fire", "somebody puts it out")


def test_a_condition_has_its_level_its_end_and_its_source(opened, fight):
    form = opened("condition")
    form.say("people", ("mira", "osk"))
    form.say("condition", "poisoned")
    form.say("ends", "turn-end")
    form.say("whose", "captain")
    form.say("skip", 1)
    form.say("source", "a horn")
    form.hand_in()
    for who in ("mira", "osk"):
        held = effects(fight, who)["poisoned"]
        assert (held.ends.moment, held.ends.who, held.ends.skip, held.source) == ("turn-end", "captain", 1, "a horn")


def test_a_reminder_is_written_for_an_effect(opened, fight):
    fight.do(ApplyCondition(("tam",), "prone"))
    form = opened("reminder")
    assert form.field("effect").currentText() == "Tam: Prone"
    form.say("note", "in the mud")
    form.hand_in()
    assert effects(fight, "tam")["prone"].note == "in the mud"


def test_damage_in_full_says_who_dealt_it_and_that_it_was_critical(opened, fight):
    form = opened("damage")
    form.say("damage", "9 slashing")
    assert [id for id in ("by", "critical") if id in form.values] == []
    form.say("attack", "melee")
    form.say("by", "captain")
    form.say("critical", True)
    form.say("source", "Long axe")
    form.hand_in()
    assert one(fight, "mira").hp == 35
    assert last(fight).key == "journal.damage_as_dealt_from_critical"
    assert fight.speech.phrase(last(fight)) == "Mira takes 9 slashing from a critical hit with Long axe: 44 to 35"


def test_concentration_and_coming_back(opened, fight):
    form = opened("concentrate")
    form.say("who", "velu")
    form.say("on", "a wall of wind")
    form.hand_in()
    assert "concentrating" in effects(fight, "velu")
    assert not opened("revive").button.isEnabled()
    fight.do(SetDead("osk"))
    form = opened("revive")
    form.say("hp", 4)
    form.hand_in()
    assert (one(fight, "osk").dead, one(fight, "osk").hp) == (False, 4)


def test_where_somebody_stands_in_words_and_how_high(opened, fight):
    form = opened("place")
    form.say("place", "on the pier")
    form.say("elevation", 15)
    form.hand_in()
    assert (one(fight, "mira").place, one(fight, "mira").elevation) == ("on the pier", 15)


def test_a_figure_is_given(opened, fight):
    form = opened("figure")
    assert not form.button.isEnabled()
    form.say("number", 13)
    form.hand_in()
    assert dict(one(fight, "mira").given) == {"maneuver-dc": 13}


def test_checks_are_asked_of_each_or_of_a_group(opened, fight):
    fight.do(SetDice("ask"))
    form = opened("checks")
    form.say("people", ("mira", "tam"))
    form.say("check", "str:athletics")
    form.say("dc", 12)
    form.hand_in()
    (prompt,) = open_prompts(fight.encounter)
    assert [(ask.who, ask.dc) for ask in prompt.asks] == [("mira", 12), ("tam", 12)]
    form = opened("group-check")
    form.say("people", ("mira", "tam"))
    form.hand_in()
    assert sorted(len(prompt.asks) for prompt in open_prompts(fight.encounter)) == [1, 2]


def test_another_check_for_initiative(opened, fight):
    form = opened("initiative-check")
    form.say("check", "str:athletics")
    form.say("edge", "advantage")
    form.hand_in()
    assert (one(fight, "mira").check, one(fight, "mira").edge) == ("str:athletics", "advantage")


def test_reinforcements_stand_first_under_their_waves_name(opened, fight):
    form = opened("bring-in")
    assert form.field("entry").itemText(0).startswith("Second boat: 2 × ")
    before = len(fight.encounter.ids(Combatant))
    form.say("initiative", 20)
    form.hand_in()
    came = fight.encounter.ids(Combatant)[before:]
    assert len(came) == 2
    assert {one(fight, who).initiative for who in came} == {20}


def test_hours_pass(opened, fight):
    form = opened("hours")
    form.say("hours", 3)
    form.hand_in()
    assert (last(fight).key, dict(last(fight).params)["hours"]) == ("journal.time_passed", 3)


def test_a_row_is_set_off_on_those_who_are_named(opened, fight):
    form = opened("set-off")
    assert form.field("row").itemText(0) == "Frigid: Cold Chill"
    form.say("people", ("tam",))
    form.hand_in()
    assert any(line.phrase.key == "journal.used_on" for line in fight.document.session.journal())


def test_a_countdown_starts_and_its_dice_change_for_a_reason(opened, fight):
    fight.do(Add((Countdown("rope", "The rope", 4, speed="slow"),)))
    form = opened("pool-start")
    form.say("countdown", "rope")
    form.hand_in()
    assert fight.encounter.need(Pool, "rope").status == "running"
    form = opened("pool-dice")
    form.say("pool", "rope")
    form.say("dice", -1)
    form.say("reason", "a strand is cut")
    form.hand_in()
    assert fight.encounter.need(Pool, "rope").dice == 3
    assert dict(last(fight).params)["reason"] == "a strand is cut"


def test_the_reason_to_begin_is_kept(bridge, qtbot):
    act = next(kind for kind in ALL if kind.id == "start")
    form = HandForm(bridge, act(bridge))
    qtbot.addWidget(form)
    form.say("reason", "the ice cracks")
    form.hand_in()
    said = [line.phrase for line in bridge.document.session.journal()]
    assert said[0].key == "journal.encounter_started_for"


def test_every_form_keeps_its_width_and_names_its_fields(opened, fight):
    fight.do(ApplyDamage(("tam",), "1"))
    fight.do(ApplyCondition(("tam",), "prone"))
    for kind in ALL:
        form = opened(kind.id)
        for id in form.values:
            assert form.field(id).accessibleName() != f"ui.hand.field-{id}"
            assert not form.field(id).accessibleName().startswith("ui.")
        for box in form.findChildren(QComboBox):
            assert not any(box.itemText(at).startswith("ui.") for at in range(box.count()))
        for line in form.findChildren(QLineEdit):
            assert not line.placeholderText().startswith("ui.")
        assert not form.windowTitle().startswith("ui.")


def test_the_menu_of_the_order_leads_to_the_forms(show, fight, qtbot):
    dock = show(OrderDock)
    menu = dock.menu_for("osk")
    by_hand = next(action.menu() for action in menu.actions() if action.text() == "By hand")
    with qtbot.waitSignal(dock.byHand) as asked:
        by_hand.actions()[0].trigger()
    assert asked.args == ["hit-points"]
    assert fight.selection == ("combatants", "osk")
