"""The spell card in a fight: one line casts, by keys and by mouse, and the card says beforehand what will happen."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import SetDice
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.system import creature_of
from turnwright.ui.docks.turn.dock import TurnDock

HOLD = Feature("hold", "Hold Person", "action", level=2, save="wis", dc=15, concentration=True, properties=("spell",))
RAY = Feature("ray", "Ray of Frost", "action", attack=7, range="60", damage="1d8 cold", properties=("spell",))
NUMBERS = {"spellcasting": "wis", "abilities": (("wis", 18),), "proficiency": 3, "level": 5}


@pytest.fixture
def card(fight, show):
    mira = creature_of(fight.encounter, fight.encounter.need(Combatant, "mira"))
    fight.execute(Edit(replace(mira, slots=(("1", 2), ("2", 3), ("3", 2)), features=(HOLD, RAY), **NUMBERS)))
    dock = show(TurnDock)
    dock.open_cast()
    return dock.form_host.form_card


@pytest.fixture
def line(card):
    return card.field("name").line


def slots(fight, level):
    return remaining_uses(fight.encounter, "mira", f"slots.{level}")


def sources(fight):
    return [one.source for one in fight.encounter.all(Effect) if one.name == "concentrating"]


def test_one_line_casts_a_spell_of_the_stat_block(fight, card, line, qtbot):
    assert line.hasFocus()
    fight.execute(Concentrate("mira", "Bless"))
    qtbot.keyClicks(line, "ho 3 b")
    assert card.field("name").chips.texts[:3] == ["Hold Person", "Level 3", "2 of 2 left"]
    assert card.text.text() == "DC 15 Wisdom save · Ends the concentration on Bless."
    chosen = card.field("targets").row.chosen()
    assert (len(chosen), card.field("slot").row.chosen()) == (1, ("3",))
    fight.execute(SetDice("script", script=(2,)))
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (slots(fight, 3), sources(fight), card.isVisible()) == (1, ["Hold Person"], False)


def test_a_spell_of_the_stat_block_without_a_dc_shows_its_casters(fight, card, line, qtbot):
    mira = creature_of(fight.encounter, fight.encounter.need(Combatant, "mira"))
    bind = Feature("bind", "Bind", "action", save="str", properties=("spell",))
    fight.execute(Edit(replace(mira, features=(bind,))))
    card.refresh()
    qtbot.keyClicks(line, "bind b")
    assert "DC 15 Strength save" in card.text.text()  # 8 + 3 + 4


def test_what_a_typed_spell_leaves_is_said_once(card, line, qtbot):
    qtbot.keyClicks(line, "hymn +1d4 attack, saves 1m held b")
    assert card.text.text().count("+1d4") == 1
    assert card.text.text().count("minute") == 1


def test_the_numbers_of_a_listed_spell_have_their_reasons(fight, card, line, qtbot):
    fight.execute(Edit(replace(creature_of(fight.encounter, fight.encounter.need(Combatant, "mira")), features=())))
    card.refresh()
    qtbot.keyClicks(line, "fireball")
    assert "DC 15 Dexterity save" in card.text.text()
    assert "15 = 8 base of a spell's DC + 3 proficiency bonus + 4 Wisdom" in card.text.text()
    line.clear()
    qtbot.keyClicks(line, "fire bolt")
    assert card.text.text().startswith("+7 to hit")
    reasons = [(one.value, one.reason) for one in card.act.why().lines]
    assert ("DC 15", "Spell save DC") in reasons
    assert ("+7", "Spell attack bonus") in reasons


def test_the_mouse_chooses_spell_slot_and_targets(fight, card, line, qtbot):
    offered = card.field("name").chips.findChildren(type(card.another_button))
    qtbot.mouseClick(next(one for one in offered if "Hold Person" in one.text()), Qt.MouseButton.LeftButton)
    assert card.field("name").chips.texts[0] == "Hold Person"
    assert card.field("slot").row.chosen() == ("2",)
    qtbot.mouseClick(card.field("slot").row.button("3"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(card.field("targets").row.button("raiders-2"), Qt.MouseButton.LeftButton)
    fight.execute(SetDice("script", script=(2,)))
    qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert (slots(fight, 3), sources(fight)) == (1, ["Hold Person"])


def test_shift_enter_casts_and_stays(fight, card, line, qtbot):
    qtbot.keyClicks(line, "glimmer 1 heals 3 mira")
    qtbot.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert (slots(fight, 1), line.text(), card.isVisible()) == (1, "", True)


def test_any_spell_is_cast_with_its_numbers(fight, card, line, qtbot):
    fight.execute(SetDice("script", script=(2, 4, 5)))
    qtbot.keyClicks(line, "toll the dead wis15 2d8 necrotic a")
    assert card.command.given.dc == 15
    with pytest.raises(KeyError):
        card.field("save")  # the line says it
    target = card.field("targets").row.chosen()[0]
    before = fight.encounter.need(Combatant, target).hp
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert fight.encounter.need(Combatant, target).hp == before - 9
    assert fight.encounter.need(Track, "mira.action").value == 0


def test_without_a_number_the_casters_dc_and_bonus_count(fight, card, line, qtbot):
    qtbot.keyClicks(line, "toll the dead wis 2d8 necrotic a")
    assert card.command.given.dc == 15
    line.clear()
    qtbot.keyClicks(line, "jolt attack 1d6 lightning a")
    assert (card.command.given.attack, card.command.target) == (7, card.field("targets").row.chosen()[0])


def test_an_effect_of_any_spell_is_left_with_its_time(fight, card, line, qtbot):
    qtbot.keyClicks(line, "aegis +2 ac 1m held 2 mira")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    (aegis,) = [one for one in fight.encounter.all(Effect) if one.name == "aegis"]
    assert (aegis.target, aegis.rounds_left, aegis.level, aegis.concentrator) == ("mira", 10, 2, "mira")


def test_a_spell_that_attacks_needs_one_target(fight, card, line, qtbot):
    qtbot.keyClicks(line, "ray")
    assert (card.command, card.missing) == (None, "Choose a target.")
    qtbot.keyClicks(line, " a")
    assert card.command.weapon == "ray"


def test_what_has_nothing_to_count_takes_two_keys(fight, card, line, qtbot):
    qtbot.keyClicks(line, "detect magic")
    assert slots(fight, 1) == 2
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (slots(fight, 1), fight.encounter.need(Track, "mira.action").value) == (1, 0)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("ho 3 zzz", "zzz"), ("ho 7", "level 7"), ("fireblal", "Fireball")],
)
def test_a_mistake_is_told_and_nothing_is_cast(fight, card, line, qtbot, typed, said):
    qtbot.keyClicks(line, typed)
    assert said in card.missing
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert card.isVisible()
    assert fight.encounter.need(Track, "mira.action").value == 1


def test_the_selected_are_the_targets_unless_the_line_names_others(fight, card, line, qtbot):
    fight.select_combatants(("raiders-2",))
    qtbot.keyClicks(line, "hold")
    assert card.field("targets").row.chosen() == ("raiders-2",)
    qtbot.keyClicks(line, " a b")
    assert len(card.field("targets").row.chosen()) == 2


def test_a_slot_that_is_spent_is_not_chosen_first(fight, card, line, qtbot):
    fight.execute(
        Edit(replace(creature_of(fight.encounter, fight.encounter.need(Combatant, "mira")), slots=(("2", 0), ("3", 1))))
    )
    qtbot.keyClicks(line, "ho")
    assert card.field("name").chips.texts[1] == "Level 3"


def test_a_bare_spell_of_the_stat_block_opens_the_card_with_its_name(fight, show, qtbot):
    bless = Feature("bless", "Bless", "action", level=1, concentration=True, properties=("spell",))
    mira = creature_of(fight.encounter, fight.encounter.need(Combatant, "mira"))
    fight.execute(Edit(replace(mira, slots=(("1", 2),), features=(bless,), **NUMBERS)))
    dock = show(TurnDock)
    dock.action_bar.buttons["feature:bless"].click()
    card = dock.form_host.form_card
    assert card.field("name").line.text() == "Bless "
    qtbot.keyClicks(card.field("name").line, "a b")
    assert "+1d4 attack, saves" in card.text.text()
    assert "up to 3 targets" in card.text.text()
    chosen = card.field("targets").row.chosen()
    card.submit()
    assert {one.target for one in fight.encounter.all(Effect) if one.name == "Bless"} == set(chosen)
    assert slots(fight, 1) == 1


def test_numbers_in_the_line_replace_those_of_the_stat_block(fight, card, line, qtbot):
    fight.execute(SetDice("script", script=(17,)))
    qtbot.keyClicks(line, "ho wis18 3 b")
    assert card.text.text().startswith("DC 18 Wisdom save")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (slots(fight, 3), sources(fight)) == (1, ["Hold Person"])
