"""What players are shown: a moment after each change, held, black, sent, and never brought back by a step back unasked."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QTimer, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QMainWindow

from tests.ui.conftest import model_of
from tests.ui.window_services import services_for
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Environment, Handout, Map
from turnwright.encounter.running import Combatant, GivenNumber, Slot
from turnwright.encounter.state import slot_sort_key
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.environment.map_changes import SetFog
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add, Remove
from turnwright.play.table.game_master import SetDice, SetHidden, SetKnownName
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndTurn
from turnwright.players.view import PlayersView, SentHandout
from turnwright.ui.docks.players import screen
from turnwright.ui.docks.players.screen import DELAY_MS, PlayersScreen
from turnwright.ui.services.settings_store import SettingsStore
from turnwright.workspace.document import open_document


class Seconds:
    """A clock that goes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
def document(qapp, sample: Path):
    document = open_document(sample, RuleSystems(), sample.parent / "state", seed=7)
    yield model_of(document)
    document.close(discard=True)


@pytest.fixture
def store(qapp, tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path / "settings")


@pytest.fixture
def told() -> SimpleNamespace:
    """The messages, with a bar that shows the last one."""
    notify = Mock()
    bar = SimpleNamespace(text=lambda: notify.call_args.args[0], dismiss=Mock())
    return SimpleNamespace(notify=notify, bar=bar)


@pytest.fixture
def players(qtbot, document, store: SettingsStore, clock: Seconds, told: SimpleNamespace):
    owner = QMainWindow()
    qtbot.addWidget(owner)
    document.execute(Remove(tuple((Environment.table, id) for id in document.encounter.ids(Environment))))
    for command in (SetDice("roll"), StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    controller = PlayersScreen(services_for(owner, document=document, settings_store=store, clock=clock, messages=told))
    yield controller
    controller.close()


def health(players: PlayersScreen, name: str) -> str:
    return next(row.health for row in players.view.order if row.name == name)


def passed(players: PlayersScreen) -> None:
    """Let the delay after a change be over."""
    players.waiting.timeout.emit()


def test_players_see_a_change_once_nothing_has_changed_for_a_moment(players, document):
    assert players.waiting.interval() == DELAY_MS == 250
    document.execute(ApplyDamage(("mira",), "3"))
    assert health(players, "Mira") == "unhurt"
    assert players.waiting.isActive()
    passed(players)
    assert health(players, "Mira") == "hurt"


def test_numbers_that_players_know_are_stored_with_the_step_that_showed_them(players, document):
    document.execute(SetHidden(("raiders-1",), hidden=True))
    passed(players)
    numbers = {each.combatant: each.number for each in players.presenter.showing.numbers}
    assert numbers == {each.combatant: each.number for each in document.encounter.all(GivenNumber)}
    depth = document.source.session.history.depth
    players.presenter.start_over()  # as after the file is opened again
    passed(players)
    assert {each.combatant: each.number for each in players.presenter.showing.numbers} == numbers
    document.undo()
    passed(players)
    assert document.source.session.history.depth == depth - 1


def test_what_is_held_does_not_change_until_it_is_let_go(players, document):
    players.set_held(is_held=True)
    document.execute(ApplyDamage(("mira",), "3"))
    passed(players)
    assert health(players, "Mira") == "unhurt"
    players.set_held(is_held=False)
    assert health(players, "Mira") == "hurt"


def test_black_and_back(players):
    players.set_mode("dice")
    players.toggle_black()
    assert players.view.mode == "black"
    players.toggle_black()
    assert players.view.mode == "dice"


@pytest.mark.parametrize("answer", ["reveal", "keep_hidden"])
def test_who_a_step_back_would_show_again_alone_is_asked_about(players, document, answer):
    raider = next(one for one in players.presenter.showing.numbers if one.combatant.startswith("raiders"))
    count = len(players.view.order)
    document.execute(SetHidden((raider.combatant,), hidden=True))
    passed(players)
    assert len(players.view.order) == count - 1
    document.undo()
    passed(players)
    assert len(players.view.order) == count - 1
    assert (players.state, players.presenter.reveal.ids) == ("", (raider.combatant,))
    document.execute(ApplyDamage(("mira",), "3"))
    passed(players)
    assert (len(players.view.order), health(players, "Mira")) == (count - 1, "hurt")
    assert len(players.coming.order) == count
    getattr(players, answer)()
    assert (len(players.view.order), players.presenter.reveal) == (count - (answer != "reveal"), None)
    passed(players)
    assert document.encounter.need(Combatant, raider.combatant).hidden == (answer != "reveal")
    assert (len(players.view.order), players.presenter.reveal) == (count - (answer != "reveal"), None)


def raider_of(players: PlayersScreen) -> str:
    return next(one.combatant for one in players.presenter.showing.numbers if one.combatant.startswith("raiders"))


def test_what_is_hidden_is_gone_from_the_players_screen_at_once(players, document):
    count = len(players.view.order)
    document.execute(SetHidden((raider_of(players),), hidden=True))
    assert len(players.view.order) == count - 1
    assert not players.waiting.isActive()


def test_what_comes_out_of_hiding_is_seen_after_the_delay_alone(players, document):
    who, count = raider_of(players), len(players.view.order)
    document.execute(SetHidden((who,), hidden=True))
    document.execute(SetHidden((who,), hidden=False))
    assert (len(players.view.order), players.waiting.isActive()) == (count - 1, True)
    passed(players)
    assert len(players.view.order) == count


def test_undoing_a_hide_flashes_nothing_when_it_is_done_again_within_the_delay(players, document):
    document.execute(SetHidden((raider_of(players),), hidden=True))
    seen = []
    players.viewChanged.connect(lambda: seen.append(players.view))
    document.undo()
    assert players.waiting.isActive()
    document.redo()
    passed(players)
    assert (seen, players.presenter.is_held) == ([], False)


def test_other_changes_wait_though_one_was_hidden_before(players, document):
    document.execute(SetHidden((raider_of(players),), hidden=True))
    document.execute(ApplyDamage(("mira",), "3"))
    assert (health(players, "Mira"), players.waiting.isActive()) == ("unhurt", True)


def test_a_hide_while_it_is_held_shows_nothing_else(players, document):
    before = players.view
    players.set_held(is_held=True)
    document.execute(SetHidden((raider_of(players),), hidden=True))
    assert players.view == before


def test_squares_that_fog_covers_are_gone_from_the_map_at_once(players, document):
    players.set_mode("map")
    document.execute(SetFog("explored"))
    passed(players)
    document.execute(SetFog("hidden", ((2, 3),)))
    assert not players.waiting.isActive()
    document.execute(SetFog("explored", ((2, 3),)))
    assert players.waiting.isActive()


def test_what_was_sent_may_be_exchanged_below_the_black(players, qtbot):
    old, new = SentHandout("Old", picture=b"old"), SentHandout("New", picture=b"new")
    players.send_picture(old, picture("red"))
    players.toggle_black()
    players.exchange_handout(new, picture("blue"))
    assert players.view == PlayersView("black")
    players.toggle_black()
    assert (players.view.handout, shown_picture(players).pixelColor(5, 5)) == (new, QColor("blue"))
    players.exchange_handout(None)
    assert (players.view, players.handout) == (PlayersView("picture"), None)


def test_redo_shows_none_again_unasked(players, document):
    raider = next(one for one in players.presenter.showing.numbers if one.combatant.startswith("raiders"))
    document.execute(SetHidden((raider.combatant,), hidden=True))
    document.execute(SetHidden((raider.combatant,), hidden=False))
    document.undo()
    passed(players)
    before = players.view
    document.redo()
    passed(players)
    assert (players.presenter.reveal.ids, players.view) == ((raider.combatant,), before)


@pytest.mark.parametrize("page", ["black and back", "another page"])
def test_no_page_shows_what_a_step_back_would(players, document, page):
    raider = next(one for one in players.presenter.showing.numbers if one.combatant.startswith("raiders"))
    document.execute(SetHidden((raider.combatant,), hidden=True))
    passed(players)
    before = players.view
    document.undo()
    passed(players)
    if page == "another page":
        players.set_mode("dice")
    else:
        players.toggle_black()
        assert players.view.mode == "black"
        passed(players)
        players.toggle_black()
    players.set_mode("order")
    assert players.view == before
    players.reveal()
    assert len(players.view.order) == len(before.order) + 1


def test_black_covers_what_is_held(players, document):
    players.set_held(is_held=True)
    before = players.view
    document.execute(ApplyDamage(("mira",), "3"))
    players.toggle_black()
    passed(players)
    assert players.view.mode == "black"
    players.toggle_black()
    assert (players.presenter.is_held, players.view) == (True, before)
    players.toggle_black()
    players.set_held(is_held=False)
    assert players.view.mode == "black"
    players.toggle_black()
    assert health(players, "Mira") == "hurt"


def test_countdowns_may_be_left_to_their_own_page(players, store):
    players.set_options(players_countdowns=False)
    assert (players.view.countdowns, players.presenter.showing.has_countdowns) == ((), False)
    assert not store.settings.players_countdowns
    players.set_effects("other", are_shown=True)
    players.set_effects("own", are_shown=False)
    assert store.settings.players_effects == ("other",)


def test_names_are_known_once_players_have_met_the_kind(players, document):
    assert not any("Raider" in row.name for row in players.view.order)
    document.execute(SetKnownName(("raiders-1",)))
    passed(players)
    assert [row.number for row in players.view.order if row.name == "Raider"] == [1, 2, 3, 4]


def test_the_time_of_a_turn_runs_out_and_begins_anew(players, document, clock):
    players.show_changes()
    players.set_turn_limit(60)
    assert players.view.turn_seconds == 60
    clock.now = 12.5
    players.show_changes()
    assert players.view.turn_seconds == 48
    document.execute(EndTurn())
    players.show_changes()
    assert players.view.turn_seconds == 60
    clock.now = 100
    players.show_changes()
    assert players.view.turn_seconds == 0
    players.set_turn_limit(0)
    assert players.view.turn_seconds is None


def test_the_time_of_a_turn_is_kept_in_the_settings(players, document, store, clock):
    players.set_turn_limit(60)
    owner = players.parent()
    again = PlayersScreen(services_for(owner, document=document, settings_store=store, clock=clock))
    again.show_changes()
    assert (store.settings.players_turn, again.presenter.turn_limit, again.view.turn_seconds) == (60, 60, 60)
    again.close()


def test_the_time_of_a_turn_goes_on_while_a_hidden_one_acts(players, document, clock):
    players.show_changes()
    players.set_turn_limit(60)
    second = sorted(document.encounter.all(Slot), key=slot_sort_key)[1]
    document.execute(SetHidden(second.members, hidden=True))
    players.show_changes()
    clock.now = 20
    document.execute(EndTurn())
    players.show_changes()
    assert (players.view.actor, players.view.turn_seconds) == (0, 40)


def test_a_text_is_sent_as_it_is_now(players):
    players.send_text("The door opens.")
    assert (players.view.mode, players.view.text) == ("text", "The door opens.")


def test_a_handout_is_shown_once_its_picture_has_been_read(players, document, qtbot):
    folder = document.source.path.parent
    picture = QImage(5000, 100, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    assert picture.save(str(folder / "map.png"))
    with qtbot.waitSignal(players.viewChanged):
        players.send_handout(Handout("h", "A map", picture="map.png"))
        assert players.view.mode == "order"
    assert players.view.handout.picture == (folder / "map.png").read_bytes()
    assert players.pictures[players.view.handout.picture].width() == 3840


@pytest.mark.parametrize("name", ["gone.png", "../outside.png", "text.png"])
def test_a_picture_that_can_not_be_read_is_said_and_nothing_is_shown(players, document, qtbot, name):
    (document.source.path.parent / "text.png").write_bytes(b"\x89PNG\r\n\x1a\nand no picture")
    with qtbot.waitSignal(players.stateChanged):
        players.send_handout(Handout("h", "A map", picture=name))
    assert players.problem
    assert players.view.mode == "order"


def picture(colour: str, width: int = 300) -> QImage:
    made = QImage(width, 200, QImage.Format.Format_RGB32)
    made.fill(QColor(colour))
    return made


def shown_picture(players: PlayersScreen) -> QImage:
    return players.pictures[players.view.handout.picture]


def test_any_picture_file_is_sent_without_its_name_and_black_covers_it(players, qtbot, tmp_path):
    file = tmp_path / "elsewhere" / "the-hidden-traitor.png"
    file.parent.mkdir()
    assert picture("red").save(str(file))
    with qtbot.waitSignal(players.viewChanged):
        players.send_file(file)
    assert players.view == PlayersView("picture", handout=SentHandout(picture=file.read_bytes()))
    assert shown_picture(players).pixelColor(5, 5) == QColor("red")
    sent = players.view
    players.toggle_black()
    assert players.view == PlayersView("black")
    players.toggle_black()
    assert players.view == sent
    players.set_held(is_held=True)
    players.take_handout_back()
    assert players.view == sent
    players.set_held(is_held=False)
    assert players.view.handout is None


def test_pixels_and_files_are_sent_from_drops_and_the_clipboard(players, qtbot, tmp_path):
    assert picture("blue").save(str(tmp_path / "blue.png"))
    files, pixels, words = QMimeData(), QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "blue.png"))])
    pixels.setImageData(picture("lime", 5000))
    words.setText("no picture")
    for data, colour in ((files, "blue"), (pixels, "lime")):
        with qtbot.waitSignal(players.viewChanged):
            assert players.send_data(data)
        assert shown_picture(players).pixelColor(5, 5) == QColor(colour)
        assert shown_picture(players).width() <= 3840
    sent = players.view
    assert not players.send_data(words)
    QGuiApplication.clipboard().setText("no picture")
    players.paste_picture()
    assert (players.view, players.problem) == (sent, "The clipboard has no picture.")
    QGuiApplication.clipboard().setImage(picture("red"))
    with qtbot.waitSignal(players.viewChanged):
        players.paste_picture()
    assert shown_picture(players).pixelColor(5, 5) == QColor("red")
    assert players.problem == ""


def test_what_is_no_picture_is_not_sent(players, qtbot, tmp_path):
    before = players.view
    (tmp_path / "torn.png").write_bytes(b"\x89PNG\r\n\x1a\n and nothing")
    (tmp_path / "words.png").write_text("words")
    for name in ("torn.png", "words.png", "gone.png"):
        players.problem = ""
        players.send_file(tmp_path / name)
        qtbot.waitUntil(lambda: bool(players.problem))
        assert players.view == before


def test_a_picture_that_is_read_too_late_is_not_shown(players, document, qtbot, tmp_path):
    assert picture("red").save(str(tmp_path / "red.png"))
    for end in (document.documentChanged.emit, players.take_handout_back):
        players.send_file(tmp_path / "red.png")
        end()
        qtbot.wait(100)
        assert players.view.handout is None


def test_pictures_are_decoded_and_scaled_in_another_thread(players, qtbot, tmp_path, monkeypatch):
    threads = []

    def told(act):
        return lambda *given: (threads.append(threading.get_ident()), act(*given))[1]

    for name in ("_read_picture", "_content_of"):
        monkeypatch.setattr(screen, name, told(getattr(screen, name)))
    assert picture("blue").save(str(tmp_path / "blue.png"))
    with qtbot.waitSignal(players.viewChanged):
        players.send_file(tmp_path / "blue.png")
    pixels = QMimeData()
    pixels.setImageData(picture("lime", 5000))
    with qtbot.waitSignal(players.viewChanged):
        players.send_data(pixels)
    assert len(threads) == 2
    assert threading.get_ident() not in threads


def test_another_encounter_takes_along_nothing_that_nobody_watches(players, document):
    players.send_text("The secret door is behind the altar.")
    document.documentChanged.emit()
    assert (players.view.text, players.presenter.showing.handout) == ("", None)


PAGES = ("order", "map", "dice", "picture", "text", "black")


@pytest.fixture
def other(tmp_path: Path):
    """Another encounter, prepared and not begun, with a map, and a foe that nobody has met."""
    path = tmp_path / "other.toml"
    path.write_text(
        'format = 3\nsystem = "a5e"\ntitle = "The ambush"\n[map]\ncolumns = 9\nrows = 9\n'
        '[creatures.spy]\nname = "Spy"\n[roster.spy]\ncreature = "spy"\nside = "enemies"\nat = [2, 2]\n',
        encoding="utf-8",
    )
    document = open_document(path, RuleSystems(), tmp_path / "other-state")
    yield document
    document.close(discard=True)


@pytest.mark.parametrize("watched_by", ["window", "phones"])
@pytest.mark.parametrize("page", PAGES)
def test_another_encounter_shows_nothing_until_the_game_master_does(
    players, document, told, other, qtbot, page, watched_by
):
    document.execute(Add((Map(columns=12, rows=8),)))
    document.execute(Add((Handout("letter", "The letter"),)))
    players.send_text("Knock.")
    players.send_handout(document.encounter.need(Handout, "letter"))
    players.set_mode(page)
    qtbot.waitUntil(lambda: players.view.mode == page)
    if watched_by == "window":
        players.open_window()
    else:
        players.set_phones(follow=True)
    views, before = [], msgspec.json.encode(players.view)
    players.viewChanged.connect(lambda: views.append(players.view))
    document.open(other)
    document.execute(Add((Creature("rat", "Rat"),)))
    passed(players)
    if page != "black":
        players.toggle_black()
        players.toggle_black()
    assert {msgspec.json.encode(view) for view in views} <= {before, msgspec.json.encode(PlayersView("black"))}
    assert msgspec.json.encode(players.view) == before
    is_held = page in ("order", "map", "dice")
    assert (players.presenter.is_held, players.state) == (is_held, "players-hold" if is_held else players.state)
    players.set_held(is_held=False)
    if page in ("order", "dice"):
        assert msgspec.json.encode(players.view) != before


def test_nobody_watching_there_is_nothing_to_hold(players, document, other):
    document.open(other)
    assert not players.presenter.is_held


def test_how_health_is_shown_stays_for_other_evenings(players, document, store, qtbot):
    players.set_health("party", "numbers")
    mira = next(row for row in players.view.order if row.name == "Mira")
    assert mira.hit_points is not None
    other = PlayersScreen(services_for(QMainWindow(), document=document, settings_store=store))
    assert other.presenter.showing.health_mode("party") == "numbers"


def test_the_window_opens_paints_and_closes_without_taking_the_keys(players, qtbot):
    players.open_window()
    assert players.is_open
    window = players.players_window
    assert not window.children() or all(isinstance(one, QTimer) for one in window.children())
    assert window.windowTitle() == "Turnwright for players"
    first = window.grab().toImage()
    players.set_mode("black")
    assert window.grab().toImage() != first
    assert window.grab().toImage().pixelColor(5, 5) == QColor("black")
    players.toggle_window()
    assert not players.is_open


def test_a_window_whose_screen_is_gone_closes_and_comes_back_with_it(players):
    players.open_window()
    screen = players.players_window.screen()
    players.show_on(screen)
    QGuiApplication.instance().screenRemoved.emit(screen)
    assert (players.is_open, bool(players.problem)) == (False, True)
    QGuiApplication.instance().screenAdded.emit(screen)
    assert (players.is_open, players.problem) == (True, "")
    assert players.view.mode == "black"
    players.toggle_black()
    assert players.view.mode == "order"


def test_a_step_back_lifts_no_fog_from_the_map_they_see_unasked(players, document):
    players.set_mode("map")
    document.execute(SetFog("explored"))
    document.execute(SetFog("hidden", ((2, 3), (3, 3))))
    passed(players)
    assert not players.presenter.is_held
    document.undo()
    passed(players)
    assert (players.presenter.reveal.squares, players.reveal_labels) == (
        ((2, 3), (3, 3)),
        ("2 squares of the map",),
    )
    players.reveal()
    document.undo()  # the fog as a whole
    passed(players)
    assert players.presenter.reveal is None  # it was open where it had been explored


def test_fog_that_comes_off_behind_another_page_holds_nothing(players, document):
    document.execute(SetFog("hidden"))
    passed(players)
    document.undo()
    passed(players)
    assert not players.presenter.is_held
