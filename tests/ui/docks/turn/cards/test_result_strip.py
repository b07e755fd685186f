"""The strip of results: what just happened, in a word, until another turn begins."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.ui.docks.running_fight import settle
from turnwright.encounter.prepared import Creature, CreaturePhase, Feature
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import EndEffect
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import RollDice, SetDice
from turnwright.play.turns.turns import EndEncounter, EndTurn
from turnwright.ui.docks.turn.cards import result_strip
from turnwright.ui.docks.turn.cards.result_strip import Result
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.models.turn_order import status_tags


@pytest.fixture
def strip(fight, show):
    return show(TurnDock).results


def typed(document, text):
    (prompt,) = open_prompts(document.encounter)
    document.execute(Answer(prompt.id, (Reply(waiting_asks(prompt)[0].id, typed=text),), prompt.revision))


def strike(document, total, damage=""):
    document.execute(SetPosition("raiders-1", position=(11, 9)))
    document.execute(SetDice("ask"))
    document.execute(Attack("mira", "raiders-1", "sword"))
    typed(document, total)
    if damage:
        typed(document, damage)


def test_a_miss_is_as_plain_as_a_hit(fight, strip):
    strike(fight, "3")
    assert (strip.word.text(), strip.outcome.text()) == ("Miss", "Raider 1")
    assert "3" in strip.detail.text()
    assert strip.property("tone") == ""


def test_a_hit_tells_what_it_did(fight, strip):
    strike(fight, "25", "9")
    assert strip.word.text() == "Damage"
    assert strip.outcome.text() == "Raider 1 takes 9 slashing"
    assert strip.property("tone") == "harm"
    assert strip.take_back.isVisible()


def test_take_back_undoes_what_is_shown_and_what_followed(fight, strip):
    before = fight.encounter.need(Combatant, "tam").hp
    fight.execute(ApplyDamage(("tam",), "7 cold"))
    fight.execute(SetPosition("tam", position=(1, 1)))
    assert strip.outcome.text() == "Tam takes 7 cold"
    strip.take_back.click()
    assert fight.encounter.need(Combatant, "tam").hp == before
    assert strip.outcome.text() != "Tam takes 7 cold"


@pytest.mark.parametrize(
    ("command", "word", "outcome"),
    [
        (ApplyDamage(("tam",), "400 cold"), "Down", "Tam"),
        (ApplyDamage(("raiders-1", "raiders-2"), "3"), "Damage", "Raider 1 takes 3, Raider 2 takes 3"),
        (RollDice("3"), "Rolled", "3"),
    ],
)
def test_one_act_makes_one_result(fight, strip, command, word, outcome):
    fight.execute(SetDice("roll"))
    fight.execute(command)
    assert (strip.word.text(), strip.outcome.text()) == (word, outcome)


def test_healing_tells_what_was_gained(fight, strip):
    fight.execute(ApplyDamage(("tam",), "7 cold"))
    fight.execute(Heal(("tam",), 5))
    assert (strip.word.text(), strip.outcome.text(), strip.property("tone")) == ("Heals", "Tam +5", "heal")


@pytest.mark.parametrize(
    ("totals", "word", "outcome"),
    [
        (("20", "19", "18"), "Saves", "all 3"),
        (("20", "2", "18"), "Fails", "3 saves: 1 fail, 2 save"),
        (("1", "2", "3"), "Fails", "all 3"),
    ],
)
def test_several_saves_make_one_result(fight, strip, totals, word, outcome):
    fight.execute(SetDice("ask"))
    fight.execute(UseEntry("ice", "ice-gives-way", targets=("tam", "osk", "velu")))
    (prompt,) = open_prompts(fight.encounter)
    replies = tuple(Reply(ask.id, typed=text) for ask, text in zip(waiting_asks(prompt), totals, strict=True))
    fight.execute(Answer(prompt.id, replies, prompt.revision))
    assert (strip.word.text(), strip.outcome.text()) == (word, outcome)


def test_what_needs_no_roll_is_told_and_a_new_concentration_names_the_spell(fight, strip):
    fight.execute(TakeAction("mira", "dodge"))
    assert strip.word.text() == "Done"
    assert "Mira" in strip.detail.text()
    fight.execute(Concentrate("mira", "Bless"))
    fight.execute(EndEffect(next(one.id for one in fight.encounter.of(Effect, "mira") if one.source == "Bless")))
    assert (strip.word.text(), strip.detail.text()) == ("Ended", "Mira: Concentrating (Bless)")


def test_it_is_quiet_once_another_turn_begins(fight, strip):
    fight.execute(ApplyDamage(("tam",), "7 cold"))
    fight.execute(EndTurn())
    settle(fight)
    assert strip.word.text() == "Just before"
    assert (strip.outcome.text(), strip.take_back.isVisible(), strip.property("tone")) == ("", False, "")
    assert "Tam" in strip.detail.text()


def test_wheel_and_arrows_look_at_what_was_before(fight, strip, qtbot):
    for amount in ("3", "4"):
        fight.execute(ApplyDamage(("tam",), amount))
    assert strip.outcome.text() == "Tam takes 4"
    qtbot.keyClick(strip, Qt.Key.Key_Up)
    assert "takes 3" in strip.detail.text()
    middle = QPointF(strip.rect().center())
    back = QWheelEvent(
        middle, strip.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(strip, back)
    assert strip.outcome.text() == "Tam takes 4"


def test_a_click_asks_for_the_journal(strip, qtbot):
    with qtbot.waitSignal(strip.clicked):
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton)


def test_a_result_is_worked_out_once(fight, strip, monkeypatch):
    fight.execute(Heal(("mira",), 1))
    read = []
    known = result_strip.result_of
    monkeypatch.setattr(
        result_strip, "result_of", lambda document, step: (read.append(step.serial), known(document, step))[1]
    )
    fight.execute(ApplyDamage(("mira",), "4"))
    fight.execute(ApplyDamage(("mira",), "3"))
    assert strip.result.outcome.startswith("Mira")
    assert len(read) == len(set(read)) == 2


def test_a_line_of_the_world_that_names_nothing_further_has_no_colon():
    assert Result(1, "world", "No one is surprised", "", "").sentence == "No one is surprised"
    assert Result(1, "world", "Cold Chill", "", "Mira, Velu").sentence == "Cold Chill  ·  Mira, Velu"


def test_the_top_of_the_first_round_tells_of_the_world_and_not_of_the_order(fight):
    first = result_strip.LatestResults(fight).read()[-1]
    assert (first.kind, first.word) == ("world", "The ice gives way")


def test_a_phase_that_begins_at_0_is_told_in_place_of_falling(fight, strip):
    raider = fight.encounter.need(Combatant, "raiders-1")
    block = fight.encounter.need(Creature, raider.creature)
    risen = CreaturePhase("risen", "Risen", at=0, note="It laughs.")
    fight.execute(Edit(msgspec.structs.replace(block, phases=(risen,))))
    fight.execute(ApplyDamage(("raiders-1",), "200"))
    assert (strip.word.text(), strip.outcome.text()) == ("Risen", "Raider 1")
    assert strip.detail.text() == "Raider 1: Risen begins. It laughs."
    tags = [tag.text for tag in status_tags(fight, fight.encounter.need(Combatant, raider.id), ())]
    assert tags == ["Risen"]


def test_what_a_feature_has_done_by_itself_is_taken_back_alone_or_for_good(fight, strip):
    raider = fight.encounter.need(Combatant, "raiders-1")
    block = fight.encounter.need(Creature, raider.creature)
    rage = Feature("second-wind", "Second Wind", trigger="hurt", heals="3")
    fight.execute(Edit(msgspec.structs.replace(block, features=(*block.features, rage))))
    assert not strip.acted.isVisible()
    fight.execute(ApplyDamage(("raiders-1",), "5"))
    assert strip.acted.isVisible()
    assert not strip.take_back.isVisible()
    assert strip.never_again.text() == "Second Wind: never in this encounter"
    strip.not_this_time.trigger()
    assert fight.encounter.need(Combatant, "raiders-1").hp == raider.hp - 5
    fight.undo()
    strip.never_again.trigger()
    fight.execute(ApplyDamage(("raiders-1",), "5"))
    assert fight.encounter.need(Combatant, "raiders-1").hp == raider.hp - 7
    assert not strip.acted.isVisible()


def test_a_new_fight_begins_without_results_of_the_one_before(fight, strip):
    fight.execute(ApplyDamage(("mira",), "3"))
    assert strip.result is not None
    fight.execute(EndEncounter())
    fight.execute(StartEncounter())
    assert strip.result is None
