"""An adventure by its keys alone: three encounters, a scene and a rest, made in the panel and played through."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from tests.table import creature
from tests.ui.conftest import active
from tests.ui.player import CONTROL, Key, Player
from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep, StepDone, with_done
from turnwright.encounter.prepared import CharacterState, Party, RosterEntry
from turnwright.encounter.running import Combatant, KnownName
from turnwright.encounter.state import clock_of
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.table.game_master import SetKnownName
from turnwright.play.turns.turns import EndEncounter
from turnwright.storage.adventures import PLAN, RUN, read_adventure, read_run, write_adventure
from turnwright.ui.controllers.adventure_controller import AdventureController
from turnwright.ui.controllers.import_controller import is_encounter_file
from turnwright.ui.dialogs.adventure_dialogs import NewAdventureDialog
from turnwright.ui.docks.players.screen import PlayersScreen
from turnwright.ui.services.adventure import CurrentAdventure
from turnwright.ui.services.library import default_library
from turnwright.workspace.files import OpenError

ALT = Qt.KeyboardModifier.AltModifier
ANN = RosterEntry("ann", "ann", side="party", player="Kim", level=3)
BEA = RosterEntry("bea", "bea", side="party", player="Lee", level=3)
PARTY = Party("us", "Us", (creature("ann"), creature("bea")), (ANN, BEA))
FILE = """format = 3
system = "dnd5e"
title = "{title}"

[creatures.guard]
name = "Guard"
hp = 11
ac = 12

[roster.guard]
creature = "guard"
"""
STEPS = (
    AdventureStep(part="Saturday"),
    AdventureStep(encounter="bridge.toml"),
    AdventureStep(scene="The path", read_aloud="It rains."),
    AdventureStep(rest="short"),
    AdventureStep(encounter="cellar.toml"),
    AdventureStep(encounter="tower.toml"),
)
BRIDGE, CELLAR, TOWER = (f"encounter:{name}.toml" for name in ("bridge", "cellar", "tower"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    default_library().save(PARTY, "dnd5e")
    folder = tmp_path / "toll"
    folder.mkdir()
    for name in ("bridge", "cellar", "tower", "spare"):
        (folder / f"{name}.toml").write_text(FILE.format(title=name.capitalize()), encoding="utf-8")
    write_adventure(folder / PLAN, Adventure("dnd5e", "Toll", "us", steps=STEPS))
    return folder


@pytest.fixture
def player(window, folder, qtbot) -> Player:
    assert window.content.file_controller.open(folder / PLAN)
    settle(window)
    active(window, qtbot)
    return Player(window)


def settle(window) -> CurrentAdventure:
    current = window.content.services.controller(CurrentAdventure)
    current.arrive()
    QApplication.processEvents()
    return current


def plan_in(folder: Path) -> Adventure:
    return read_adventure(folder / PLAN, ["dnd5e"]).adventure


def run_in(folder: Path):
    return read_run(folder / RUN)[0]


def party_kept() -> Party:
    library = default_library()
    return library.load(next(one for one in library.entries_for("dnd5e") if one.kind == "party"))[0]


def press_message(window, text: str) -> None:
    buttons = window.messages().findChildren(QPushButton)
    next(one for one in buttons if one.text() == text and one.isVisible()).click()


def fight(window, damage: int = 5) -> None:
    for command in (StartEncounter(), ApplyDamage(("ann",), str(damage)), SetKnownName(("guard",), "Grak")):
        assert window.document.execute(command)
    window.document.execute(EndEncounter())


def test_the_plan_opens_its_first_encounter_with_the_party(player, folder):
    window = player.window
    current = settle(window)
    assert window.document.source.path == folder / "bridge.toml"
    assert current.at == BRIDGE
    assert {entry.id for entry in window.document.encounter.all(RosterEntry)} == {"guard", "ann", "bea"}
    assert not window.document.source.is_modified
    assert window.content.docks.is_open("adventure")


def test_an_evening_is_played_by_keys(player, folder):
    window = player.window
    fight(window)
    window.content.services.layout.arrange("run")
    player.press(Key.Key_PageDown, modifier=CONTROL)
    current = settle(window)
    assert current.at == "scene:the-path"
    assert window.document.source.path == folder / "bridge.toml"
    assert party_kept().roster[0].state == CharacterState(15)
    assert run_in(folder).done[0].id == BRIDGE
    player.press(Key.Key_PageDown, modifier=CONTROL)
    assert settle(window).at == "rest:short"
    for arrangement in ("prepare", "run"):
        window.content.services.layout.arrange(arrangement)
    player.press("4", Key.Key_Return)
    assert settle(window).at == CELLAR
    assert party_kept().roster[0].state == CharacterState(19)
    assert window.document.encounter.need(RosterEntry, "ann").state == CharacterState(19)
    window.document.execute(StartEncounter())
    assert window.document.encounter.need(KnownName, "all.guard").shown_as == "Grak"
    assert window.document.encounter.need(Combatant, "ann").hp == 19
    player.press(Key.Key_PageUp, modifier=CONTROL)
    assert settle(window).at == "rest:short"
    assert clock_of(window.document.encounter).phase == "ended"


def test_the_last_carrying_can_be_undone(player, folder):
    window = player.window
    fight(window)
    player.press(Key.Key_PageDown, modifier=CONTROL)
    settle(window)
    assert party_kept().roster[0].state == CharacterState(15)
    press_message(window, "Undo")
    assert party_kept().roster[0].state is None
    assert run_in(folder).done == ()


def test_undo_of_the_carrying_also_restores_the_open_encounter(player):
    window = player.window
    fight(window)
    window.content.services.controller(AdventureController).go_to(CELLAR)
    settle(window)
    assert window.document.encounter.need(RosterEntry, "ann").state == CharacterState(15)
    press_message(window, "Undo")
    assert window.document.encounter.need(RosterEntry, "ann").state is None
    assert not window.document.source.is_modified


def test_a_message_about_the_party_goes_and_the_held_view_is_named_when_a_fight_begins(player, qtbot):
    window = player.window
    screen = window.content.services.controller(PlayersScreen)
    window.content.services.actions.run("players-window")
    fight(window)
    window.content.services.controller(AdventureController).go_to(CELLAR)
    settle(window)
    assert "The standing of Us is kept" in window.messages().text()
    assert window.document.execute(StartEncounter())
    assert not window.messages().isVisible()
    frozen = window.content.tool_bar.states["players-hold"]
    assert frozen.isVisible()
    screen.set_held(is_held=False)
    qtbot.waitUntil(lambda: not frozen.isVisible())


def test_typing_in_a_step_is_one_backup(player, folder):
    current = settle(player.window)
    current.select("scene:the-path")

    def backups() -> list[Path]:
        return [*current.open.state_folder.glob("backups/adventure.*.toml")]

    before = len(backups())
    field = player.window.content.docks.dock("step").form.fields["notes"]
    for text in ("M", "Mu", "Mud"):
        field.edited.emit(text)
    assert plan_in(folder).steps[2].notes == "Mud"
    assert len(backups()) == before + 1


def test_playing_an_earlier_fight_again_asks_which_standing_stays(player, folder):
    window = player.window
    controller = window.content.services.controller(AdventureController)
    fight(window)
    controller.go_to(CELLAR)
    settle(window)
    fight(window, 3)
    controller.go_to(TOWER)
    settle(window)
    assert party_kept().roster[0].state == CharacterState(12)
    controller.go_to(BRIDGE)
    settle(window)
    window.document.execute(ApplyDamage(("ann",), "1"))
    controller.go_to(TOWER)
    settle(window)
    assert party_kept().roster[0].state == CharacterState(12)
    assert "Cellar was played since" in window.messages().text()
    press_message(window, "This one")
    assert party_kept().roster[0].state == CharacterState(14)


@pytest.mark.parametrize("point", ["save", "party", "run"])
def test_a_kill_between_the_writes_loses_nothing(player, folder, point, monkeypatch):
    """Stop after a write, open the adventure again as the next start does, and go on."""
    window = player.window
    fight(window)
    controller = window.content.services.controller(AdventureController)

    class Killed(Exception):
        pass

    def kill(*_arguments, **_fields):
        raise Killed

    places = {
        "save": ("turnwright.workspace.adventure.carry_party", kill),
        "party": ("turnwright.workspace.adventure.OpenAdventure.change_run", kill),
        "run": ("turnwright.ui.controllers.file_controller.FileController.open", kill),
    }
    with monkeypatch.context() as patch:
        patch.setattr(*places[point])
        with pytest.raises(Killed):
            controller.go_to(CELLAR)
    window.content.file_controller.new()
    settle(window)
    window.content.file_controller.open(folder / PLAN)
    current = settle(window)
    assert current.at == (CELLAR if point == "run" else BRIDGE)
    controller.go_to(CELLAR)
    settle(window)
    assert party_kept().roster[0].state == CharacterState(15)
    assert [done.id for done in run_in(folder).done] == [BRIDGE]
    assert window.document.encounter.need(RosterEntry, "ann").state == CharacterState(15)


def test_the_panel_edits_the_plan_by_keys(player, folder):
    window = player.window
    current = settle(window)
    dock = window.content.docks.dock("adventure")
    player.press(Key.Key_3, modifier=CONTROL)
    assert dock.isAncestorOf(player.focused)
    dock.view.setFocus()
    player.press(Key.Key_End)
    assert dock.model.key_at(dock.view.currentIndex()) == ("file", "spare.toml")
    player.press(Key.Key_Home)
    assert dock.view.currentIndex().row() == 0
    current.select(BRIDGE)
    player.press(Key.Key_Down, modifier=ALT)
    assert plan_in(folder).keys[1:3] == ("scene:the-path", BRIDGE)
    assert "adventure" in window.content.window_actions.action("undo").text()
    player.press("z", modifier=CONTROL)
    assert plan_in(folder).steps == STEPS
    player.press(Key.Key_Space)
    assert [done.id for done in run_in(folder).done] == [BRIDGE]
    player.press(Key.Key_Space)
    assert run_in(folder).done == ()
    player.press(Key.Key_F2)
    player.press("Toll", Key.Key_Return)
    settle(window)
    assert current.open.step(BRIDGE).title == "Toll"
    current.select("scene:the-path")
    player.press(Key.Key_F2)
    player.press("Mud", Key.Key_Return)
    settle(window)
    assert plan_in(folder).steps[2].scene == "Mud"
    assert current.selected == "scene:mud"
    dock.view.setFocus()
    player.press(Key.Key_Delete)
    assert len(plan_in(folder).steps) == len(STEPS) - 1
    controller = window.content.services.controller(AdventureController)
    controller.add("new", "The weir")
    assert (folder / "the-weir.toml").exists()
    assert current.open.step("encounter:the-weir.toml") is not None
    row = dock.model.row_of(("file", "spare.toml"))
    dock.view.go_to(row)
    player.press(Key.Key_Return)
    assert "encounter:spare.toml" in plan_in(folder).keys
    current.select(TOWER)
    dock.view.setFocus()
    player.press(Key.Key_Return)
    assert settle(window).at == TOWER
    assert window.document.source.path == folder / "tower.toml"


def test_a_missing_file_is_struck_and_others_show_what_is_in_them(player, folder, qtbot):
    current = settle(player.window)
    model = player.window.content.docks.dock("adventure").model
    qtbot.waitUntil(lambda: model.contents["step", CELLAR].text == "Cellar")
    assert model.contents["step", CELLAR].detail == "1 enemy"
    (folder / "cellar.toml").unlink()
    current.changed.emit()
    assert model.contents["step", CELLAR].kind == "missing"


def test_a_new_adventure_is_made_from_nothing(player, tmp_path):
    window = player.window
    controller = window.content.services.controller(AdventureController)
    controller.create("The mill", "us", tmp_path / "The mill")
    current = settle(window)
    assert current.plan == Adventure("dnd5e", "The mill", "us")
    for kind, text in (("new", "Gate"), ("scene", "Into it"), ("new", "Wheel"), ("rest", "short"), ("new", "Weir")):
        controller.add(kind, text)
    assert window.document.source.path == tmp_path / "The mill" / "gate.toml"
    names = ("gate.toml", "wheel.toml", "weir.toml")
    assert tuple(step.encounter for step in current.plan.steps if step.encounter) == names
    settle(window)
    controller.go_on(1)
    controller.go_on(1)
    settle(window)
    assert window.document.source.path == tmp_path / "The mill" / "wheel.toml"


def test_an_encounter_is_copied_to_an_adventure(player, folder, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(FILE.format(title="Other"), encoding="utf-8")
    window = player.window
    window.content.file_controller.open(other)
    assert settle(window).open is None
    assert not window.content.docks.is_open("adventure")
    window.content.services.controller(AdventureController).adopt(folder / PLAN)
    assert settle(window).at == "encounter:other.toml"
    assert plan_in(folder).steps[-1].encounter == "other.toml"
    assert other.exists()


def test_the_form_of_a_step_edits_the_plan(player, folder):
    current = settle(player.window)
    dock = player.window.content.docks.dock("step")
    current.select("scene:the-path")
    dock.form.fields["notes"].edited.emit("Mud")
    dock.form.fields["hours"].edited.emit(2)
    step = plan_in(folder).steps[2]
    assert (step.notes, step.hours, step.read_aloud) == ("Mud", 2, "It rains.")
    assert not dock.form.fields["read_aloud"].isHidden()


def test_players_see_nothing_of_the_next_encounter_before_a_press(player, folder):
    window = player.window
    players = window.content.services.controller(PlayersScreen)
    fight(window)
    players.has_phones = True
    players.set_mode("order")
    players.show_changes()
    before = players.view
    player.press(Key.Key_PageDown, Key.Key_PageDown, Key.Key_PageDown, modifier=CONTROL)
    assert settle(window).at == CELLAR
    window.document.execute(StartEncounter())
    players.show_changes()
    assert players.view == before
    players.set_mode("order")
    assert players.view != before
    players.has_phones = False


def test_a_step_that_is_passed_by_while_running_is_skipped(player, folder):
    window = player.window
    window.content.services.layout.arrange("run")
    player.press(Key.Key_PageDown, modifier=CONTROL)
    settle(window)
    assert [(done.id, done.skipped) for done in run_in(folder).done] == [(BRIDGE, True)]
    player.press(Key.Key_PageUp, modifier=CONTROL)
    settle(window)
    fight(window)
    player.press(Key.Key_PageDown, modifier=CONTROL)
    settle(window)
    assert [(done.id, done.skipped) for done in run_in(folder).done] == [(BRIDGE, False)]


def test_the_plan_is_opened_by_dropping_it_and_from_the_command_line(window, application, folder):
    assert is_encounter_file(folder / PLAN)
    run = AdventureRun(at=CELLAR)
    write_adventure(folder / RUN, run)
    document = application.workspace.open_or_recover(folder / PLAN)
    assert document.path == folder / "cellar.toml"
    document.close()
    (folder / PLAN).write_text("steps = 3", encoding="utf-8")
    with pytest.raises(OpenError):
        application.workspace.open_or_recover(folder / PLAN)


def test_a_party_with_other_levels_is_updated_only_on_request(player, folder):
    window = player.window
    risen = msgspec.structs.replace(PARTY, roster=(msgspec.structs.replace(ANN, level=4), BEA))
    default_library().save(risen, "dnd5e")
    player.press(Key.Key_PageDown, modifier=CONTROL)
    settle(window)
    player.press(Key.Key_PageUp, modifier=CONTROL)
    settle(window)
    window.content.file_controller.open(folder / "bridge.toml")
    window.content.services.controller(AdventureController).go_to(BRIDGE)
    settle(window)
    assert window.document.encounter.need(RosterEntry, "ann").level == 3
    press_message(window, "Update")
    assert window.document.encounter.need(RosterEntry, "ann").level == 4


def test_the_page_of_a_rest_shows_the_party_before_and_after(player, folder, qtbot):
    window = player.window
    fight(window)
    window.content.services.layout.arrange("run")
    controller = window.content.services.controller(AdventureController)
    controller.go_to("scene:the-path")
    settle(window)
    sent = []
    controller.page.textRequested.connect(sent.append)
    controller.page.show_button.click()
    assert sent == ["It rains."]
    controller.go_on(1)
    settle(window)
    page = controller.page
    assert page.isVisible()
    page.fields["ann"].setValue(3)
    assert "15" in page.lines["ann"].text()
    assert "18" in page.lines["ann"].text()
    qtbot.waitUntil(lambda: not page.chance.isHidden())
    assert "%" in page.chance.text()


def test_the_dialog_of_a_new_adventure_names_its_folder(qtbot, tmp_path):
    dialog = NewAdventureDialog(tmp_path, [("us", "Us")], None)
    qtbot.addWidget(dialog)
    assert not dialog.create_button.isEnabled()
    dialog.name.setText("The mill: part 1")
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.create_button.click()
    assert chosen.args == ["The mill: part 1", "us", tmp_path / "The mill part 1"]


def test_a_fight_that_is_started_from_the_page_of_a_scene_is_shown(player, folder):
    window = player.window
    window.content.services.layout.arrange("run")
    player.press(Key.Key_PageDown, modifier=CONTROL)
    assert settle(window).has_page
    assert not window.content.tool_bar.button.isVisible()  # the page has the only filled button
    player.press(Key.Key_F9)
    current = settle(window)
    assert current.at == BRIDGE
    assert clock_of(window.document.encounter).phase == "set-up"
    assert player.turn.live.isVisible()
    assert window.content.docks.is_raised("order")
    assert window.content.tool_bar.button.isVisible()


def test_the_plan_proposes_its_own_experience_and_a_milestone(player, folder):
    window = player.window
    current = settle(window)
    dock = window.content.docks.dock("step")
    dock.form.fields["xp"].edited.emit(450)
    dock.form.fields["milestone"].edited.emit(True)
    model = window.content.docks.dock("adventure").model
    assert "milestone" in model.contents["step", BRIDGE].detail
    fight(window)
    window.content.services.layout.arrange("run")
    end = player.turn.end
    end.refresh()
    assert end.extra.value() == 450
    assert not any(tick.isChecked() for _, tick in end.ticks)
    end.award_experience()
    player.press("a")
    assert player.focused is end.next_button
    player.press(Key.Key_Return)
    settle(window)
    assert current.run.by_key[BRIDGE].xp == 450
    assert [member.xp_earned for member in party_kept().roster] == [225, 225]


def test_a_party_is_chosen_later_in_the_panel(player, folder):
    window = player.window
    current = settle(window)
    current.change("party", msgspec.structs.replace(current.plan, party=""))
    menu = QMenu()
    window.content.docks.dock("adventure").fill_menu(menu)
    party = next(one.menu() for one in menu.actions() if one.menu() is not None)
    assert [(one.text(), one.isChecked()) for one in party.actions()] == [("Us", False)]
    party.actions()[0].trigger()
    assert plan_in(folder).party == "us"
    settle(window)
    assert "ann" in window.document.encounter.ids(RosterEntry)


def test_the_pictures_of_a_scene_are_shown_from_its_page(player, folder):
    window = player.window
    current = settle(window)
    scene = "scene:the-path"
    current.replace_step(scene, msgspec.structs.replace(current.step_of(scene), handouts=("letter.png",)))
    window.content.services.layout.arrange("run")
    controller = window.content.services.controller(AdventureController)
    controller.go_to(scene)
    settle(window)
    sent = []
    controller.page.pictureRequested.connect(sent.append)
    controller.page.pictures.findChild(QPushButton).click()
    assert sent == [folder / "letter.png"]


def test_a_missing_file_is_found_again_and_keeps_its_progress(player, folder, monkeypatch):
    window = player.window
    controller = window.content.services.controller(AdventureController)
    controller.current.change_run(lambda run: with_done(run, StepDone(CELLAR, "2026-11-28T20:00:00")))
    (folder / "cellar.toml").rename(folder / "cave.toml")
    places = iter([[folder.parent / "cave.toml"], [folder / "cave.toml"]])
    monkeypatch.setattr("turnwright.ui.controllers.adventure_controller.ask_open_paths", lambda *_: next(places))
    controller.find_file(CELLAR)
    assert str(folder) in window.messages().text()
    controller.find_file(CELLAR)
    assert plan_in(folder).steps[4].encounter == "cave.toml"
    assert [done.id for done in run_in(folder).done] == ["encounter:cave.toml"]
    window.document.undo_focused()
    assert plan_in(folder).steps[4].encounter == "cave.toml"  # the encounter has the focus
    controller.current.undo()
    assert plan_in(folder).steps == STEPS
    controller.current.redo()
    assert plan_in(folder).steps[4].encounter == "cave.toml"


def test_an_adventure_that_begins_with_a_scene_opens_there(window, folder, qtbot):
    steps = (AdventureStep(part="Saturday"), AdventureStep(scene="The inn"), *STEPS[1:])
    write_adventure(folder / PLAN, Adventure("dnd5e", "Toll", "us", steps=steps))
    assert window.content.file_controller.open(folder / PLAN)
    current = settle(window)
    assert (current.at, window.document.source.path) == ("scene:the-inn", folder / "bridge.toml")
    assert {entry.id for entry in window.document.encounter.all(RosterEntry)} == {"guard", "ann", "bea"}
    active(window, qtbot)
    player = Player(window)
    player.press(Key.Key_PageDown, modifier=CONTROL)
    assert settle(window).at == BRIDGE


def test_a_rest_passed_while_preparing_is_said(player, folder):
    window = player.window
    for _ in range(3):
        player.press(Key.Key_PageDown, modifier=CONTROL)
    assert settle(window).at == CELLAR
    assert "hasn't rested" in window.messages().text()
    assert run_in(folder).done == ()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["order", "map", "dice", "text", "black"])
def test_the_view_of_players_stays_the_same_at_every_step(player, folder, mode):
    window = player.window
    players = window.content.services.controller(PlayersScreen)
    fight(window)
    players.has_phones = True
    if mode == "text":
        players.send_text("The door hangs from one hinge.")
    elif mode == "black":
        players.toggle_black()
    else:
        players.set_mode(mode)
    players.show_changes()
    before = msgspec.json.encode(players.view)
    passed = []
    for key in (Key.Key_PageDown,) * 4 + (Key.Key_PageUp,) * 4:
        player.press(key, modifier=CONTROL)
        passed.append(settle(window).at)
        players.show_changes()
        assert msgspec.json.encode(players.view) == before, passed
    assert set(passed) == set(plan_in(folder).keys[1:])
    players.has_phones = False
    if mode == "black":
        players.toggle_black()
