"""Manual commands: each form makes its command, shows a refusal, and overrides it where that is possible."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QLineEdit

from tests.ui.rule_checks import check_rules
from turnwright.encounter.prepared import Countdown, Creature, Feature
from turnwright.encounter.running import Combatant, CountdownPool, Duration, Effect, Slot
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.parts.combatants.facts import switched_off
from turnwright.rules.system import creature_of
from turnwright.ui.dialogs.manual_commands import ManualCommandDialog, manual_commands
from turnwright.ui.docks.turn_order.dock import TurnOrderDock
from turnwright.ui.look.style import GROUP_GAP, scaled
from turnwright.ui.models.turn_order import TurnOrderModel
from turnwright.ui.widgets.records.resource_pips import HitPointBar


@pytest.fixture
def opened(fight, qtbot):
    """Return a function that opens the form of a manual command over the fight."""

    def opened(id):
        form = ManualCommandDialog(fight, manual_commands()[id])
        qtbot.addWidget(form)
        form.show()
        return form

    return opened


def enter(form, name, value):
    """Enter a value in a field as a person does."""
    form.field(name).edited.emit(value)


def one(fight, id):
    return fight.encounter.need(Combatant, id)


def last(fight):
    return list(fight.source.session.journal())[-1].phrase


def effects(fight, who):
    return {effect.name: effect for effect in fight.encounter.all(Effect) if effect.target == who}


def test_correcting_hit_points_keeps_the_maximum_that_effects_change(opened, fight):
    fight.execute(ApplyCondition(("mira",), "life-drained", 10))
    form = opened("hit-points")
    assert (form.command().hp, form.command().hp_max) == (34, 44)
    enter(form, "hp", 30)
    fight.execute(form.command())
    assert (one(fight, "mira").hp, one(fight, "mira").hp_max) == (30, 34)


def test_hit_points_are_corrected_with_the_keyboard(opened, fight, qtbot):
    form = opened("hit-points")
    assert (form.command().who, form.command().hp, form.command().hp_max) == ("mira", 44, 44)
    enter(form, "who", "tam")
    box = form.field("hp").box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "7")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert form.result() == QDialog.DialogCode.Accepted
    assert (one(fight, "tam").hp, one(fight, "mira").hp) == (7, 44)


def test_what_was_written_about_one_is_not_said_of_another(opened):
    form = opened("hit-points")
    enter(form, "hp", 3)
    enter(form, "who", "tam")
    assert form.command().hp == 33
    enter(form, "who", "mira")
    assert form.command().hp == 3


def test_the_form_begins_with_whoever_is_selected(opened, fight):
    fight.select((Combatant.table, "osk"))
    assert opened("place").command().who == "osk"
    assert opened("condition").command().targets == ("osk",)


def test_the_form_is_about_all_who_are_selected(opened, fight):
    fight.select_combatants(("tam", "osk"))
    assert set(opened("condition").command().targets) == {"tam", "osk"}
    assert set(opened("checks").command().who) == {"tam", "osk"}


@pytest.mark.parametrize(("condition", "has_level"), [("prone", False), ("fatigue", True), ("frightened", False)])
def test_a_level_is_asked_of_conditions_that_have_levels_alone(opened, condition, has_level):
    form = opened("condition")
    enter(form, "condition", condition)
    assert form.form.is_shown("value") is has_level


def test_the_common_conditions_come_first(opened):
    field = opened("condition").field("condition")
    assert [field.box.itemText(place) for place in range(3)] == ["Prone", "Grappled", "Poisoned"]


@pytest.mark.parametrize("id", ["hours", "pool-start", "condition", "checks", "damage", "trigger-environment"])
def test_the_buttons_stand_close_below_the_fields(opened, qtbot, id):
    form = opened(id)
    qtbot.waitUntil(lambda: form.form.height() > 0)
    last = form.against if form.against.isVisible() else form.form
    between = form.button.mapTo(form, form.button.rect().topLeft()).y() - last.geometry().bottom()
    assert between <= scaled(GROUP_GAP) + 2


def test_a_refusal_is_told_with_its_reason_and_may_be_insisted_on(opened, fight):
    check_rules(fight)
    fight.execute(SetDead("tam"))
    form = opened("hit-points")
    enter(form, "who", "tam")
    enter(form, "hp", 5)
    assert "dead" in form.against.text()
    assert form.button.text() == "Allow anyway"
    form.submit()
    assert (one(fight, "tam").dead, one(fight, "tam").hp) == (False, 5)


def test_dice_that_nobody_can_roll_are_refused_before_they_are_handed_in(opened, fight, qtbot):
    form = opened("ongoing")
    assert not form.button.isEnabled()
    line = form.field("damage").line
    qtbot.keyClicks(line, "2d6")
    assert form.button.isEnabled()
    qtbot.keyClicks(line, "+")
    assert not form.button.isEnabled()
    assert "2d6+" in form.against.text()
    line.selectAll()
    qtbot.keyClicks(line, "1d6 fire")
    enter(form, "until", "somebody puts it out")
    form.submit()
    (burning,) = [effect for effect in effects(fight, "mira").values() if effect.damage]
    assert (burning.damage, burning.end_condition) == ("1d6 fire", "somebody puts it out")


def test_a_condition_has_its_level_its_end_and_its_source(opened, fight):
    form = opened("condition")
    enter(form, "targets", ("mira", "osk"))
    enter(form, "condition", "poisoned")
    ends = form.field("ends").parts
    ends["moment"].edited.emit("turn-end")
    ends["who"].edited.emit("captain")
    ends["skip"].edited.emit(1)
    enter(form, "source", "a horn")
    form.submit()
    for who in ("mira", "osk"):
        held = effects(fight, who)["poisoned"]
        assert (held.ends.moment, held.ends.who, held.ends.skip, held.source) == ("turn-end", "captain", 1, "a horn")


def test_a_condition_can_have_rules_a_holder_and_uses(opened, fight):
    form = opened("condition")
    enter(form, "targets", ("mira",))
    enter(form, "condition", "poisoned")
    enter(form, "rules", "-2 ac")
    enter(form, "held_by", "osk")
    enter(form, "uses", 2)
    form.submit()
    poison = effects(fight, "mira")["poisoned"]
    assert [(rule.what, rule.add) for rule in poison.rules] == [("ac", -2)]
    assert (poison.concentrator, poison.uses_left) == ("osk", 2)


def test_an_effect_of_any_name_has_rules_and_rounds(opened, fight):
    form = opened("condition")
    enter(form, "targets", ("mira",))
    field = form.field("condition")
    field.box.text_line().setText("Plan 9")
    field.box.text_line().textEdited.emit("Plan 9")
    enter(form, "rules", "+1 ac")
    enter(form, "rounds", 4)
    form.submit()
    plan = effects(fight, "mira")["Plan 9"]
    assert ([(rule.what, rule.add) for rule in plan.rules], plan.rounds_left) == ([("ac", 1)], 4)
    again = opened("condition")
    box = again.field("condition").box
    assert "Plan 9" in [box.itemText(place) for place in range(box.count())]
    enter(again, "ends", Duration("turn-end", "mira"))
    assert not again.form.is_shown("rounds")


def test_a_reminder_is_written_for_an_effect(opened, fight):
    fight.execute(ApplyCondition(("tam",), "prone"))
    form = opened("reminder")
    assert form.field("effect").box.currentText() == "Tam: Prone"
    enter(form, "text", "in the mud")
    form.submit()
    assert effects(fight, "tam")["prone"].note == "in the mud"


def test_damage_in_full_says_who_dealt_it_and_that_it_was_critical(opened, fight):
    form = opened("damage")
    enter(form, "damage", "9 slashing")
    assert not form.field("by").isVisible()
    enter(form, "attack", "melee")
    enter(form, "by", "captain")
    enter(form, "critical", True)
    enter(form, "source", "Long axe")
    form.submit()
    assert one(fight, "mira").hp == 35
    assert last(fight).key == "journal.damage_as_dealt_from_critical"
    told = "Mira takes 9 slashing from a critical hit with Long axe: HP 44 to 35"
    assert fight.phrasebook.phrase_text(last(fight)) == told


def test_concentration_and_coming_back(opened, fight):
    form = opened("concentrate")
    enter(form, "who", "velu")
    enter(form, "on", "a wall of wind")
    form.submit()
    assert "concentrating" in effects(fight, "velu")
    assert not opened("revive").button.isEnabled()
    fight.execute(SetDead("osk"))
    form = opened("revive")
    enter(form, "hp", 4)
    form.submit()
    assert (one(fight, "osk").dead, one(fight, "osk").hp) == (False, 4)


def test_where_somebody_stands_in_words_and_how_high(opened, fight):
    form = opened("place")
    enter(form, "place", "on the pier")
    enter(form, "elevation", 15)
    form.submit()
    assert (one(fight, "mira").place, one(fight, "mira").elevation) == ("on the pier", 15)


def test_a_figure_is_given(opened, fight):
    form = opened("missing-stat")
    assert not form.button.isEnabled()
    enter(form, "value", 13)
    form.submit()
    assert dict(one(fight, "mira").supplied_numbers) == {"maneuver-dc": 13}


def test_a_feature_is_switched_off_and_on_again(opened, fight):
    raider = fight.encounter.need(Creature, "river-raider")
    wait = Feature("wait", "Waits", trigger="turn-start", heals="1")
    fight.execute(Edit(msgspec.structs.replace(raider, features=(*raider.features, wait))))
    form = opened("feature")
    enter(form, "who", "raiders-1")
    enter(form, "feature", "wait")
    form.submit()
    off = {one.id for one in fight.encounter.all(Combatant) if "wait" in switched_off(fight.encounter, one.id)}
    assert off == {one.id for one in fight.encounter.all(Combatant) if one.creature == raider.id} != set()
    form = opened("feature")
    enter(form, "who", "raiders-2")
    assert (form.command().feature, form.command().off) == ("wait", False)
    form.submit()
    assert not any(switched_off(fight.encounter, one.id) for one in fight.encounter.all(Combatant))


def test_checks_are_asked_of_each_or_of_a_group(opened, fight):
    fight.execute(SetDice("ask"))
    form = opened("checks")
    enter(form, "who", ("mira", "tam"))
    enter(form, "check", "str:athletics")
    enter(form, "dc", 12)
    form.submit()
    (prompt,) = open_prompts(fight.encounter)
    assert [(ask.who, ask.dc) for ask in prompt.asks] == [("mira", 12), ("tam", 12)]
    form = opened("group-check")
    enter(form, "who", ("mira", "tam"))
    form.submit()
    assert sorted(len(prompt.asks) for prompt in open_prompts(fight.encounter)) == [1, 2]


def test_another_check_for_initiative(opened, fight):
    form = opened("initiative-check")
    enter(form, "check", "str:athletics")
    enter(form, "edge", "advantage")
    form.submit()
    assert (one(fight, "mira").check, one(fight, "mira").edge) == ("str:athletics", "advantage")


def test_reinforcements_stand_first_under_their_waves_name(opened, fight):
    form = opened("bring-in")
    assert form.field("roster").box.itemText(0).startswith("Second boat: 2 × ")
    before = len(fight.encounter.ids(Combatant))
    enter(form, "initiative", 20)
    form.submit()
    came = fight.encounter.ids(Combatant)[before:]
    assert len(came) == 2
    assert {one(fight, who).initiative for who in came} == {20}


def test_nobody_who_plays_is_proposed_a_second_time(opened, fight):
    field = opened("bring-in").field("roster")
    assert [field.box.findData(id) >= 0 for id in ("raiders", "mira")] == [True, False]
    fight.execute(RemoveCombatant("mira"))
    assert opened("bring-in").field("roster").box.findData("mira") >= 0


def test_hours_pass(opened, fight):
    form = opened("hours")
    enter(form, "hours", 3)
    form.submit()
    assert (last(fight).key, dict(last(fight).params)["hours"]) == ("journal.time_passed", 3)


def test_a_row_is_set_off_on_those_who_are_named(opened, fight):
    form = opened("trigger-environment")
    assert form.field("entry").box.itemText(0) == "Cold Chill"
    enter(form, "targets", ("tam",))
    form.submit()
    assert any(line.phrase.key == "journal.used_on" for line in fight.source.session.journal())


def test_a_countdown_starts_and_its_dice_change_for_a_reason(opened, fight):
    fight.execute(Add((Countdown("rope", "The rope", 4, speed="slow"),)))
    form = opened("pool-start")
    enter(form, "countdown", "rope")
    form.submit()
    assert fight.encounter.need(CountdownPool, "rope").status == "running"
    form = opened("pool-dice")
    enter(form, "pool", "rope")
    enter(form, "by", -1)
    enter(form, "reason", "a strand is cut")
    form.submit()
    assert fight.encounter.need(CountdownPool, "rope").dice == 3
    assert dict(last(fight).params)["reason"] == "a strand is cut"


def test_the_reason_to_begin_is_kept(document, qtbot):
    form = ManualCommandDialog(document, manual_commands()["start"])
    qtbot.addWidget(form)
    enter(form, "reason", "the ice cracks")
    form.submit()
    said = [line.phrase for line in document.source.session.journal()]
    assert said[0].key == "journal.encounter_started_for"


def test_every_form_keeps_its_width_and_names_its_fields(opened, fight):
    fight.execute(ApplyDamage(("tam",), "1"))
    fight.execute(ApplyCondition(("tam",), "prone"))
    for id in manual_commands():
        form = opened(id)
        for label in form.findChildren(QLabel):
            assert not label.text().startswith("ui.")
        for box in form.findChildren(QComboBox):
            assert not any(box.itemText(at).startswith("ui.") for at in range(box.count()))
        for line in form.findChildren(QLineEdit):
            assert not line.placeholderText().startswith("ui.")
        assert not form.windowTitle().startswith("ui.")


def test_the_menu_of_the_order_leads_to_the_forms(show, fight, qtbot):
    dock = show(TurnOrderDock)
    menu = dock.menu_for("osk")
    by_hand = next(action.menu() for action in menu.actions() if action.text() == "Combatants")
    with qtbot.waitSignal(dock.manualCommandRequested) as asked:
        by_hand.actions()[0].trigger()
    assert asked.args == ["hit-points"]
    assert fight.selection == ("combatants", "osk")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("id", sorted(manual_commands()))
def test_tab_goes_through_the_fields_to_the_buttons_as_they_are_read(opened, id, qtbot):
    form = opened(id)
    qtbot.waitActive(form)
    order = []
    for _ in range(80):
        now = form.focusWidget()
        if now in order:
            break
        order.append(now)
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    places = [widget.mapTo(form, QPoint(0, widget.height() // 2)).y() for widget in order]
    assert len(order) > 1
    turn = places.index(min(places))
    assert places[turn:] + places[:turn] == sorted(places)
    assert form.button in order or not form.button.isEnabled()


def test_tab_goes_on_to_the_fields_that_a_choice_has_brought(opened, qtbot):
    form = opened("condition")
    ends = form.field("ends").parts
    moment = ends["moment"].findChild(QComboBox)
    moment.setFocus()
    ends["moment"].edited.emit("turn-start")
    assert form.focusWidget() is moment
    qtbot.keyClick(moment, Qt.Key.Key_Tab)
    assert ends["who"].isAncestorOf(form.focusWidget())


def test_an_object_is_added_that_can_be_struck_but_has_no_turn(opened, fight):
    form = opened("object")
    enter(form, "name", "Gate")
    enter(form, "hp", 27)
    enter(form, "ac", 16)
    box = form.field("size").box
    assert box.currentText() == "Medium"
    assert [box.itemText(row) for row in range(box.count())] == [one.name for one in fight.rules.data.sizes]
    enter(form, "size", "large")
    form.submit()
    gate = one(fight, "gate")
    assert creature_of(fight.encounter, gate).size == "large"
    assert (gate.label, gate.hp, gate.side, gate.bystander) == ("Gate", 27, "neutral", True)
    assert not any("gate" in slot.members for slot in fight.encounter.all(Slot))


def test_a_shape_asks_what_becomes_of_the_hit_points_and_ends_by_hand(opened, fight):
    form = opened("stat-block")
    enter(form, "who", "mira")
    enter(form, "creature", "river-raider")
    words = [form.field("health").box.itemText(row) for row in range(form.field("health").box.count())]
    assert len(set(words)) == 4
    enter(form, "health", "apart")
    form.submit()
    assert (one(fight, "mira").creature, one(fight, "mira").hp_max) == ("river-raider", 26)
    form = opened("revert-shape")
    assert form.command().who == "mira"
    form.submit()
    assert (one(fight, "mira").creature, one(fight, "mira").hp, one(fight, "mira").hp_max) == ("mira", 44, 44)


def test_damage_is_counted_up_for_those_who_want_it(opened, fight):
    form = opened("damage-count")
    enter(form, "targets", ("mira",))
    form.submit()
    fight.execute(ApplyDamage(("mira",), "9"))
    assert (one(fight, "mira").counts_damage, one(fight, "tam").counts_damage) == (True, False)
    model = TurnOrderModel(fight)
    rows = {row.id: row for row in map(model.row_at, range(model.rowCount()))}
    assert (rows["mira"].counts_damage, rows["tam"].counts_damage) == (True, False)
    bar = HitPointBar(form)
    bar.set_hit_points(35, 44, counts_damage=True)
    assert (bar.text(), bar.accessibleName()) == ("9 taken / 44", "9 damage taken of 44 hit points")
    bar.set_hit_points(35, 44)
    assert bar.text() == "35 / 44"
