"""Changing the rule system of an encounter: unsupported content is listed, everything stays, one undo reverts it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import (
    Creature,
    Environment,
    EnvironmentEntry,
    Feature,
    InflictedCondition,
    RosterEntry,
    SavingThrow,
    Scene,
)
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.transaction import Refused
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.rules.parts.preparation.creature_translation import UnknownId, find_unknown_ids
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.docks.editing.inspector import UnsupportedContentDialog, change_system, unsupported_content
from turnwright.ui.look.style import set_words, tr
from turnwright.ui.services.actions import without_mnemonic
from turnwright.ui.shell.window import MainWindow

OTHER = "action_points"


@pytest.fixture(autouse=True)
def usual_words_afterwards(qapp: QApplication) -> Iterator[None]:
    """Restore the default texts after a test."""
    yield
    set_words(qapp, WordCatalogue.load())


def dialog_that(accepts: bool, seen: list[str]) -> None:
    """Accept or reject the next dialog, noting the lines it lists."""

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, UnsupportedContentDialog)
        seen.append(dialog.list.toPlainText())
        (dialog.accept if accepts else dialog.reject)()

    QTimer.singleShot(0, answer)


def system_button(window: MainWindow) -> QToolButton:
    dock = window.content.docks.show("roster")
    return next(one for one in dock.title.findChildren(QToolButton) if one.menu() is not None)


def test_what_the_other_game_lacks_is_listed_and_declining_changes_nothing(window: MainWindow) -> None:
    before, seen = window.document.encounter, []
    dialog_that(accepts=False, seen=seen)
    change_system(window.document, OTHER, window)
    assert window.document.encounter is before
    (listed,) = seen
    assert listed.splitlines()[0].startswith("Abilities and saves: ")
    assert "con" in listed.splitlines()[0]
    assert "metres" in listed.splitlines()[-1]


def test_agreeing_is_one_step_that_keeps_everything_and_the_window_follows(window: MainWindow) -> None:
    document = window.document
    before = document.encounter
    assert tr("ui.general.feet") == "ft"
    dialog_that(accepts=True, seen=[])
    change_system(document, OTHER, window)
    assert document.rules.id == OTHER
    assert tr("ui.general.feet") == "m"
    assert list(document.encounter.all(Creature)) == list(before.all(Creature))
    assert system_button(window).text() == document.rules.data.name
    document.undo()
    assert document.encounter == before
    assert document.rules.id == before.need(Scene, "scene").system
    assert tr("ui.general.feet") == "ft"
    assert system_button(window).text() == document.rules.data.name
    document.redo()
    assert document.rules.id == OTHER


@pytest.mark.soak
def test_menus_and_tips_follow_the_words_of_the_game(window: MainWindow) -> None:
    def texts() -> tuple[str, str, str]:
        actions = {action.objectName(): action for action in window.content.window_actions.menus["manual"].actions()}
        damage, points = actions["manual-ongoing"], actions["manual-hit-points"]
        return without_mnemonic(damage.text()), without_mnemonic(points.text()), points.toolTip().lower()

    before = texts()
    assert before[:2] == ("Ongoing damage…", "Correct hit points…")
    assert "temporary hit points by hand" in before[2]
    undo = window.content.window_actions.action("undo")
    dialog_that(accepts=True, seen=[])
    change_system(window.document, "pf2e", window)
    assert texts()[0] == "Persistent damage…"
    assert undo.text().startswith("&Undo: ")
    dialog_that(accepts=True, seen=[])
    change_system(window.document, OTHER, window)
    assert texts()[:2] == ("Ongoing damage…", "Correct health…")
    assert "temporary health by hand" in texts()[2]
    window.document.undo()
    assert texts()[0] == "Persistent damage…"
    window.document.undo()
    assert texts() == before


def test_the_editors_are_built_anew_in_the_game_s_own_words(window: MainWindow) -> None:
    dock = window.content.docks.show("creature")
    dock.prepare()
    dialog_that(accepts=True, seen=[])
    change_system(window.document, OTHER, window)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    dock.prepare()
    names = {label.text() for label in dock.findChildren(QLabel)}
    assert "AGI" in names
    assert "DEX" not in names


@pytest.mark.soak
def test_an_ampersand_in_a_game_s_name_is_no_key(window: MainWindow) -> None:
    name = window.document.source.systems.get("dnd5e").data.name
    dialog_that(accepts=True, seen=[])
    change_system(window.document, "dnd5e", window)
    assert "&" in name
    assert system_button(window).text() == name.replace("&", "&&")


def test_a_game_that_lacks_nothing_says_so(window: MainWindow) -> None:
    same = window.document.rules
    assert unsupported_content(window.document, same) == []
    dialog = UnsupportedContentDialog("Any game", [], window)
    assert not dialog.list.isVisibleTo(dialog)


def test_the_present_game_asks_nothing(window: MainWindow) -> None:
    before = window.document.encounter
    change_system(window.document, window.document.rules.id, window)
    assert window.document.encounter is before


def test_a_fight_that_goes_on_keeps_its_game() -> None:
    session = Session(Encounter([Scene(), Creature("imp", "Imp"), RosterEntry("imp", "imp")]), RuleSystems().get("a5e"))
    session.do(StartEncounter())
    with pytest.raises(Refused) as caught:
        session.do(Edit(Scene(system=OTHER)))
    assert caught.value.key == "refused.game_while_running"


def foreign(system: str, *rows: Creature | Environment) -> list[tuple[str, str]]:
    """Return kinds and ids that a rule system does not know."""
    return [(one.kind, one.id) for one in find_unknown_ids(Encounter([Scene(), *rows]), RuleSystems().get(system))]


def test_a_group_of_damage_is_known_where_a_figure_goes_by_it() -> None:
    imp = Creature("imp", "Imp", resistances=("physical 5", "all 3", "fire 2"), vulnerabilities=("physical 1",))
    assert foreign("pf2e", imp) == []
    assert foreign("a5e", imp) == [("damage type", "physical"), ("damage type", "all"), ("damage type", "physical")]
    bare = Creature("imp", "Imp", resistances=("physical",), immunities=("all 3",))
    assert foreign("pf2e", bare) == [("damage type", "physical"), ("damage type", "all")]


def test_what_heals_and_what_is_spent_besides_are_looked_at() -> None:
    flare = Feature("flare", "Flare", "action", spends=(("willpower", 2), ("gall", 1)))
    imp = Creature("imp", "Imp", absorptions=("sorrow", "fire"), features=(flare,))
    assert foreign("action_points", imp) == [("damage type", "sorrow"), ("resource", "gall")]


@pytest.mark.parametrize("system", ["a5e", "dnd5e"])
def test_fatigue_that_a_game_has_a_word_for_is_not_lost(system: str) -> None:
    assert foreign(system, Environment("moor", "Moor", features=(EnvironmentEntry("fog", "Fog", fatigue=1),))) == []


def test_every_sort_of_id_is_found_where_it_stands() -> None:
    whip = Feature("whip", "Whip", "bonus", ability="luck", save="soul", damage="1d6 sorrow + 2d4kh1 fire",
                   afflictions=(InflictedCondition("homesick"),))  # fmt: skip
    imp = Creature(
        "imp", "Imp", size="wee", abilities=(("luck", 3), ("str", 9)), skills=(("baking", 2),), speeds=(("waddle", 5),),
        senses=(("nose", 5),), resistances=("sorrow", "fire"), condition_immunities=("homesick",), features=(whip,),
    )  # fmt: skip
    row = EnvironmentEntry("fog", "Fog", save=SavingThrow("soul", 10), fatigue=1, per_die="gloom", damage="1d6 gloom")
    lookup = Encounter([Scene(options=("not tea",)), imp, Environment("moor", "Moor", features=(row,))])
    found = find_unknown_ids(lookup, RuleSystems().get("a5e"))
    assert {(one.kind, one.id) for one in found} == {
        ("table rule", "tea"), ("size", "wee"), ("ability", "luck"), ("ability", "soul"), ("skill", "baking"),
        ("speed", "waddle"), ("sense", "nose"), ("damage type", "sorrow"), ("damage type", "gloom"), ("condition", "homesick"),
    }  # fmt: skip
    message = "unknown ability 'soul'"
    assert (
        UnknownId(("environments", "moor", "features", "fog", "save", "ability"), "ability", "soul", message) in found
    )
    message = "unknown damage type 'sorrow'"
    assert UnknownId(("creatures", "imp", "features", "whip", "damage"), "damage type", "sorrow", message) in found
