import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, RosterEntry, Scene
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.arrangements import WIDE
from turnwright.ui.docks.creature import CreatureDock
from turnwright.ui.docks.shared.why_stat_block import explain_stat
from turnwright.ui.look.style import theme_source
from turnwright.ui.widgets.fields import NumberField

SHARED = (CreatureDock,)


@pytest.fixture
def dock(show, document):
    document.select(("creatures", "river-raider"))
    return show(CreatureDock)


@pytest.fixture
def raider(document):
    return lambda: document.encounter.need(Creature, "river-raider")


def line(dock, name):
    return dock.identity_form.fields[name].line


def open_all(form):
    """Open every group of a form."""
    form.menu.aboutToShow.emit()
    for action in form.menu.actions():
        action.trigger()


def fields_of(dock):
    """Return the names of all fields in the forms of a creature and of a feature."""
    for form in (dock.additional_stats_form, dock.feature_rows.form):
        open_all(form)
    bound = {
        name
        for form in (dock.identity_form, dock.stats_form, dock.additional_stats_form, dock.defences_form)
        for name in form.fields
    }
    return bound, set(dock.feature_rows.form.fields)


def test_the_parts_in_sight_are_built_first_and_the_others_follow(document, raider, qtbot, monkeypatch):
    first = []
    monkeypatch.setattr(CreatureDock, "refresh_body", lambda dock: first.append([*dock.parts]))
    document.select(("creatures", "river-raider"))
    dock = CreatureDock(document, theme_source())
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(dock)
    window.resize(380, 300)
    window.show()
    qtbot.waitUntil(lambda: len(dock.parts) == 5)
    assert 0 < len(first[0]) < 5
    assert first[0] == dock.parts[: len(first[0])]
    assert dock.feature_rows.model.rowCount() == len(raider().features) > 0


def test_every_field_of_a_creature_can_be_edited_in_some_game(dock, document, systems):
    bound, of_features = set(), set()
    for id in systems.ids:
        document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system=id)))
        dock.prepare()
        creature, feature = fields_of(dock)
        bound |= creature
        of_features |= feature
    assert bound | {"id", "features", "source", "portrait"} == set(
        Creature.__struct_fields__
    )  # a portrait is a picture
    assert of_features | {"id"} == set(Feature.__struct_fields__)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("id", "there", "not_there"),
    [
        ("a5e", {"maneuver_dc", "hit_dice", "legendary", "slots"}, {"pools", "absorptions"}),
        ("dnd5e", {"hit_dice", "legendary", "slots"}, {"maneuver_dc", "specialties", "pools", "absorptions"}),
        ("pf2e", {"slots", "rating"}, {"level", "hit_dice", "proficiency", "legendary", "maneuver_dc", "pools"}),
        ("action_points", {"pools", "absorptions"}, {"slots", "hit_dice", "proficiency", "legendary", "passives"}),
    ],
)
def test_the_form_offers_what_the_game_has(dock, document, id, there, not_there):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system=id)))
    dock.prepare()
    bound, _ = fields_of(dock)
    assert there <= bound
    assert not not_there & bound


@pytest.mark.soak
def test_where_the_rating_is_the_level_one_field_writes_both(dock, document, raider):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system="pf2e")))
    dock.prepare()
    dock.identity_form.fields["rating"].edited.emit("5")
    assert (raider().rating, raider().level) == ("5", 5)
    dock.identity_form.fields["rating"].edited.emit("-1")
    assert (raider().rating, raider().level) == ("-1", 0)


@pytest.mark.soak
def test_weaknesses_are_by_so_much_where_the_game_has_figures(dock, document, raider, qtbot):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system="pf2e")))
    dock.prepare()
    field = dock.defences_form.fields["vulnerabilities"]
    more = field.focusProxy()
    more.activated.emit(more.findData("fire"))
    assert raider().vulnerabilities == ("fire 5",)
    (box,) = field.findChildren(NumberField)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert raider().vulnerabilities == ("fire 6",)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("id", "cost", "unit"), [("pf2e", "action", "actions"), ("action_points", "reaction", "reaction points")]
)
def test_a_feature_says_how_many_it_costs_where_the_game_counts(dock, document, raider, qtbot, id, cost, unit):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system=id)))
    feature = Feature("axe", "Axe", cost)
    document.execute(Edit(msgspec.structs.replace(raider(), features=(feature,))))
    dock.prepare()
    dock.feature_rows.choose("axe")
    box = dock.feature_rows.form.fields["price"].box
    assert box.isVisible()
    assert box.suffix().strip() == unit
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert raider().features[0].price == 2


@pytest.mark.soak
def test_a_feature_may_take_points_of_a_further_pool(dock, document, raider):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system="action_points")))
    document.execute(Edit(msgspec.structs.replace(raider(), features=(Feature("axe", "Axe", "action"),))))
    dock.prepare()
    dock.feature_rows.choose("axe")
    box = dock.feature_rows.form.fields["spends"].box("willpower").box
    box.setFocus()
    box.setValue(2)
    assert raider().features[0].spends == (("willpower", 2),)


@pytest.mark.soak
def test_the_usual_reach_of_a_game_needs_no_field_of_its_own(dock, document, raider):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system="action_points")))
    document.execute(Edit(msgspec.structs.replace(raider(), reach=2, attacks=1, space=0)))
    dock.prepare()
    assert "body" not in dock.additional_stats_form.groups()
    assert dock.additional_stats_form.group_title("body") == "Reach, space"


@pytest.mark.soak
def test_somebody_s_own_points_are_written_where_the_game_has_points(dock, document, raider, qtbot):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system="action_points")))
    dock.prepare()
    dock.additional_stats_form.open_group("pools")
    box = dock.additional_stats_form.fields["pools"].box("willpower").box
    box.setFocus()
    box.setValue(4)
    assert raider().pools == (("willpower", 4),)
    dock.defences_form.fields["absorptions"].edited.emit(("fire",))
    assert raider().absorptions == ("fire",)


def test_typing_a_name_is_one_step_and_the_cursor_stays(dock, raider, qtbot, document, depth):
    before, name = depth(), line(dock, "name")
    name.setFocus()
    name.setCursorPosition(5)
    qtbot.keyClicks(name, " bank")
    assert raider().name == "River bank raider"
    assert name.cursorPosition() == 10
    assert depth() == before + 1
    document.undo()
    assert raider().name == name.text() == "River raider"


def test_what_is_typed_shows_in_the_stat_block(dock, qtbot):
    line(dock, "name").setFocus()
    line(dock, "name").end(False)
    qtbot.keyClicks(line(dock, "name"), " elder")
    qtbot.waitUntil(lambda: "River raider elder" in dock.stat_block.toPlainText())


def test_a_spin_that_comes_back_leaves_no_step(dock, raider, qtbot, depth):
    before, box = depth(), dock.identity_form.fields["ac"].box
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert (raider().ac, depth()) == (16, before + 1)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert (raider().ac, depth()) == (14, before)


def test_leaving_a_field_ends_its_step(dock, qtbot, depth):
    before, box = depth(), dock.identity_form.fields["hp"].box
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    dock.identity_form.fields["ac"].box.setFocus()
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert depth() == before + 2


def test_others_changes_show_and_leave_the_cursor_where_it_is(dock, raider, document):
    name = line(dock, "name")
    name.setFocus()
    name.setCursorPosition(3)
    document.execute(Edit(msgspec.structs.replace(raider(), ac=19, hp=99)))
    assert dock.identity_form.fields["ac"].box.value() == 19
    assert name.cursorPosition() == 3


def test_dice_that_cannot_be_read_stay_and_say_why(dock, raider, qtbot, document):
    field = dock.identity_form.fields["hit_dice"]
    field.line.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, "4d8+")
    assert raider().hit_dice == "4d8"
    assert "Not a valid roll" in field.message.text()
    document.select(("creatures", "river-captain"))
    assert field.line.text() == "10d8+30"
    assert not field.message.text()
    document.select(("creatures", "river-raider"))
    assert field.line.text() == "4d8+"
    assert field.message.text()
    field.line.end(False)
    qtbot.keyClicks(field.line, "6")
    assert raider().hit_dice == "4d8+6"
    assert not field.message.text()


def test_a_draft_goes_when_the_value_under_it_changes(dock, raider, qtbot, document):
    field = dock.identity_form.fields["hit_dice"]
    field.line.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, "x")
    assert field.line.text() == "x"
    document.execute(Edit(msgspec.structs.replace(raider(), hit_dice="5d8")))
    assert field.line.text() == "5d8"


def test_picks_are_kept_in_the_catalogues_order(dock, raider, document):
    field = dock.defences_form.fields["resistances"]
    for pick in ("Fire", "Acid"):
        field.menu.aboutToShow.emit()
        next(action for action in field.menu.actions() if action.text() == pick).trigger()
    assert raider().resistances == ("acid", "fire")
    assert "Acid, Fire" in field.button.text()


def test_speeds_come_and_go_with_their_figures(dock, raider, qtbot):
    grid = dock.stats_form.fields["speeds"]
    swim = next(
        box for box in grid.findChildren(type(dock.identity_form.fields["ac"].box)) if box.accessibleName() == "Swim"
    )
    swim.setFocus()
    swim.selectAll()
    qtbot.keyClicks(swim, "20")
    assert raider().speeds == (("walk", 30), ("swim", 20))
    swim.selectAll()
    qtbot.keyClick(swim, Qt.Key.Key_Delete)
    assert raider().speeds == (("walk", 30),)


def test_hovering_is_one_tick_and_a_hover_speed_of_its_own_shows_only_where_there_is_one(dock, raider, document):
    grid = dock.stats_form.fields["speeds"]
    assert not grid.box("hover").isVisibleTo(grid)
    assert grid.box("fly").isVisibleTo(grid)
    dock.stats_form.fields["hovers"].box.click()
    assert raider().hovers
    document.execute(Edit(msgspec.structs.replace(raider(), speeds=(("walk", 30), ("hover", 40)))))
    assert grid.box("hover").isVisibleTo(grid)
    assert grid.box("hover").box.number() == 40


def test_features_are_added_renamed_moved_and_removed(dock, raider, qtbot, document):
    editor = dock.feature_rows
    before = [feature.name for feature in raider().features]
    editor.add()
    name = editor.form.fields["name"].line
    name.selectAll()
    qtbot.keyClicks(name, "Howl")
    assert [feature.name for feature in raider().features] == [*before, "Howl"]
    editor.view.setFocus()
    qtbot.keyClick(editor.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert [feature.name for feature in raider().features] == [*before[:-1], "Howl", before[-1]]
    assert editor.form.fields["name"].line.text() == "Howl"
    qtbot.keyClick(editor.view, Qt.Key.Key_Delete)
    assert [feature.name for feature in raider().features] == before
    document.undo()
    assert "Howl" in [feature.name for feature in raider().features]


def test_a_roster_entry_with_another_creature_brings_that_one_here(dock, document):
    document.select(("roster", "raiders"))
    assert line(dock, "name").text() == "River raider"
    entry = document.encounter.need(RosterEntry, "raiders")
    document.execute(Edit(msgspec.structs.replace(entry, creature="river-captain")))
    assert line(dock, "name").text() == "River captain"


def test_gear_that_nobody_has_named_yet_can_be_given(dock, raider, qtbot):
    field = dock.defences_form.fields["gear"]
    field.menu.aboutToShow.emit()
    own = field.menu.findChild(QLineEdit)
    qtbot.keyClicks(own, "Tarred  boots")
    qtbot.keyClick(own, Qt.Key.Key_Return)
    assert "tarred-boots" in raider().gear


def test_a_copy_is_another_creature(dock, document):
    dock.duplicate()
    assert document.selection == ("creatures", "river-raider-copy")
    copied = document.encounter.need(Creature, "river-raider-copy")
    assert copied.features == document.encounter.need(Creature, "river-raider").features


def test_removing_the_last_creature_offers_to_make_one(dock, document, qtbot):
    for id in document.encounter.ids(Creature):
        document.select(("creatures", id))
        dock.remove()
    assert dock.empty.isVisible()
    qtbot.mouseClick(dock.empty.button, Qt.MouseButton.LeftButton)
    assert document.encounter.ids(Creature) == ("new-creature",)
    assert not dock.empty.isVisible()


def test_rarer_figures_come_when_they_are_used_or_asked_for(dock, raider, document):
    assert dock.additional_stats_form.groups() == ("origin",)
    document.execute(Edit(msgspec.structs.replace(raider(), maneuver_dc=13, slots=(("1", 4),))))
    assert dock.additional_stats_form.groups() == ("training", "spells", "origin")
    document.select(("creatures", "river-captain"))
    assert dock.additional_stats_form.groups() == ("origin",)
    document.select(("creatures", "river-raider"))
    dock.additional_stats_form.remove_group("spells")
    assert raider().slots == ()
    assert dock.additional_stats_form.groups() == ("training", "origin")


def test_slots_are_counted_by_level(dock, raider, qtbot):
    dock.additional_stats_form.open_group("spells")
    boxes = dock.additional_stats_form.fields["slots"].findChildren(type(dock.identity_form.fields["ac"].box))
    boxes[2].setFocus()
    boxes[2].selectAll()
    qtbot.keyClicks(boxes[2], "3")
    assert raider().slots == (("3", 3),)


def test_specialties_that_rules_ask_about_are_on_offer(dock, raider):
    dock.additional_stats_form.open_group("training")
    field = dock.additional_stats_form.fields["specialties"]
    field.menu.aboutToShow.emit()
    next(action for action in field.menu.actions() if action.text() == "Tumbling").trigger()
    assert raider().specialties == ("tumbling",)


def test_gear_that_rules_ask_about_is_on_offer(dock):
    field = dock.defences_form.fields["gear"]
    field.menu.aboutToShow.emit()
    offered = {action.text() for action in field.menu.actions()}
    assert {"Shield", "Heavy armor", "Cold-weather gear", "Full-body clothing"} <= offered


SWORD = Feature("sword", "Sword", "action", reach=5, damage="1d8 slashing", properties=("weapon",), magic=1)


@pytest.fixture
def swordsman(dock, raider, document):
    """Return the raider with a single sword without an attack bonus, selected."""
    document.execute(Edit(msgspec.structs.replace(raider(), features=(SWORD,), proficiency=2)))
    return dock.feature_rows.form


def test_a_bonus_that_nobody_has_written_is_worked_out(dock, raider, swordsman, document, qtbot):
    assert dict(raider().abilities)["str"] == 15
    box = swordsman.fields["attack"].box
    assert box.text() == "= +5"
    qtbot.waitUntil(
        lambda: "+5 to hit, reach 5 ft., one target. Hit: 6 (1d8+2) slashing damage." in dock.stat_block.toPlainText()
    )
    document.execute(Edit(msgspec.structs.replace(raider(), proficiency=4)))
    assert box.text() == "= +7"
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "9")
    assert raider().features[0].attack == 9
    qtbot.waitUntil(
        lambda: "+9 to hit, reach 5 ft., one target. Hit: 4 (1d8) slashing damage." in dock.stat_block.toPlainText()
    )
    document.execute(Edit(msgspec.structs.replace(raider(), features=(Feature("scent", "Scent"),))))
    assert box.text() == "–"


def test_half_and_price_show_where_they_mean_something(swordsman, raider, document):
    assert not swordsman.fields["half"].isVisible()
    assert not swordsman.fields["price"].isVisible()
    document.execute(
        Edit(msgspec.structs.replace(raider(), features=(Feature("x", "X", "legendary", save="dex", dc=12),)))
    )
    assert swordsman.fields["half"].isVisible()
    assert swordsman.fields["price"].isVisible()


def test_a_condition_comes_with_when_it_ends(swordsman, raider, qtbot):
    swordsman.open_group("effects")
    field = swordsman.fields["afflictions"]
    add = field.focusProxy()
    add.activated.emit(add.findData("grappled"))
    ends = field.items[0].parts["ends"].box
    ends.activated.emit(ends.findData("turn-end"))
    box = field.items[0].parts["escape_dc"].box
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "14")
    (affliction,) = raider().features[0].afflictions
    assert (affliction.condition, affliction.ends, affliction.escape_dc) == ("grappled", "turn-end", 14)


def test_a_bonus_that_is_worked_out_is_explained_part_by_part(swordsman, raider, document):
    lines = explain_stat(document, raider(), "feature:sword").lines
    assert [(line.value, line.rule) for line in lines[:4]] == [
        ("+5", ""),
        ("+2", "a5e.attack.modifier.melee-ability"),
        ("+2", "a5e.attack.modifier.proficient"),
        ("+1", "a5e.attack.modifier.magic-weapon"),
    ]


def test_form_and_stat_block_take_turns_in_a_narrow_window_and_share_a_wide_one(dock, document, qtbot):
    def shown():
        return dock.identity_form.isVisible(), dock.stat_block.isVisible(), dock.switches["block"].isVisible()

    dock.show_part("form")
    assert shown() == (True, False, True)
    qtbot.mouseClick(dock.switches["block"], Qt.MouseButton.LeftButton)
    assert shown() == (False, True, True)
    assert dock.switches["block"].isChecked()
    dock.edit_record(("creatures", "river-captain"))
    assert shown() == (True, False, True)
    before = dock.window().size()
    dock.window().resize(WIDE, 900)
    qtbot.waitUntil(lambda: shown() == (True, True, False))
    dock.window().resize(before)
    qtbot.waitUntil(lambda: shown() == (True, False, True))


def test_the_form_has_one_column_in_a_narrow_dock(dock, qtbot):
    fields = dock.identity_form.fields

    def left(name):
        return fields[name].mapTo(dock, QPoint()).x()

    before = dock.window().size()
    dock.window().resize(390, 800)
    qtbot.waitUntil(
        lambda: {left(name) for name in ("size", "type", "tags", "rating", "ac", "ac_note")} == {left("name")}
    )
    dock.window().resize(480, 800)
    qtbot.waitUntil(lambda: left("size") < left("type"))
    assert fields["tags"].width() > fields["rating"].width()
    dock.window().resize(before)


@pytest.fixture
def axe(dock, raider, document):
    """Return the form of an attack whose bonus and damage were read from prose, and the attack as it now stands."""

    def now():
        return next(one for one in raider().features if one.id == "axe")

    read = msgspec.structs.replace(now(), read=("attack", "damage"))
    features = tuple(read if one.id == "axe" else one for one in raider().features)
    document.execute(Edit(msgspec.structs.replace(raider(), features=features)))
    dock.feature_rows.choose("axe")
    return dock.feature_rows.form, now


def test_figures_read_from_prose_are_named_and_kept(axe, document):
    form, now = axe
    field = form.fields["read"]
    assert not field.isHidden()
    assert field.label.text().endswith("Read from its text: \u201cTo hit\u201d, \u201cDamage\u201d.")
    damage = now().damage
    field.keep_button.click()
    assert (now().read, now().damage) == ((), damage)
    assert not form.is_shown("read")


def test_figures_read_from_prose_are_left_to_the_text(axe, document):
    form, now = axe
    form.fields["read"].text_button.click()
    assert (now().read, now().attack, now().damage) == ((), None, "")
    document.undo()
    assert now().read == ("attack", "damage")
    assert now().damage


def test_change_goes_to_what_was_read(axe, dock):
    form, now = axe
    form.fields["read"].change_button.click()
    assert form.fields["damage"].isAncestorOf(dock.window().focusWidget())
    assert now().read == ("attack", "damage")


def test_change_opens_the_group_of_what_was_read(raider, dock, document):
    rule = DataRule("advantage", "save", when="magic")
    brave = Feature("resists", "Resists", text="Advantage on saves against magic.", rules=(rule,), read=("rules",))
    document.execute(Edit(msgspec.structs.replace(raider(), features=(*raider().features, brave))))
    dock.feature_rows.choose("resists")
    form = dock.feature_rows.form
    assert "advantage on saves (magic)" in form.fields["read"].label.text()
    form.fields["read"].change_button.click()
    assert form.fields["rules"].isAncestorOf(dock.window().focusWidget())
    form.fields["read"].text_button.click()
    left = raider().features[-1]
    assert (left.rules, left.read, left.automation) == ((), (), "off")


def test_a_figure_that_is_edited_no_longer_counts_as_read(axe):
    form, now = axe
    form.fields["damage"].edited.emit("1d4 slashing")
    assert (now().read, now().damage) == (("attack",), "1d4 slashing")


def test_a_number_that_is_edited_no_longer_counts_as_assumed(dock, raider, document):
    axe = next(one for one in raider().features if one.id == "axe")
    assumed = msgspec.structs.replace(axe, assumed=("attack", "damage"))
    features = tuple(assumed if one.id == "axe" else one for one in raider().features)
    document.execute(Edit(msgspec.structs.replace(raider(), features=features, assumed=("hp", "saves"))))
    dock.identity_form.fields["hp"].edited.emit(12)
    assert (raider().hp, raider().assumed) == (12, ("saves",))
    dock.feature_rows.choose("axe")
    dock.feature_rows.form.fields["damage"].edited.emit("1d4 slashing")
    assert next(one for one in raider().features if one.id == "axe").assumed == ("attack",)
