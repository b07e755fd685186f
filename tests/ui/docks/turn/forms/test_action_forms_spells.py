"""The form of a spell that no stat block has: its values reach the engine."""

import pytest
from msgspec.structs import replace

from tests.ui.rule_checks import check_rules
from turnwright.encounter.prepared import Map, Obstacle, Scene
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.attacks import SaveEffect
from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.rules.system import creature_of
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.docks.turn.forms.cast_form import CastSpellForm, SpellDraft
from turnwright.ui.forms.record_fields import rule_check


@pytest.fixture
def dock(fight, show):
    return show(TurnDock)


@pytest.fixture
def form(dock):
    dock.action_bar.buttons["cast-spell"].click()
    return dock.form_host.form_card


def concentrating(document):
    return [one.source for one in document.encounter.all(Effect) if one.name == "concentrating"]


def test_a_spell_that_only_has_to_be_held_is_concentrated_on(fight, form, qtbot):
    qtbot.keyClicks(form.field("name").line, "Rime Ward")
    form.field("concentration").box.click()
    form.submit()
    assert concentrating(fight) == ["Rime Ward"]
    assert fight.encounter.need(Track, "mira.action").value == 0
    assert not open_prompts(fight.encounter)


def casting(document, **values):
    option = document.rules.actions["cast-spell"]
    form = CastSpellForm(document, "mira", option)
    return form.command(form.fill(SpellDraft(**values), ()))


def test_one_that_takes_a_minute_is_refused_in_a_round_and_cast_in_a_long_turn(fight):
    command = casting(fight, name="Rime Ward", cost="minute", concentration=True, targets=("raiders-1",))
    check_rules(fight)
    check = rule_check(fight, casting(fight, cost="minute", name="Rime Ward", concentration=True))
    assert (check.text != "", check.refused, check.can_be_overridden) == (True, True, True)
    scene = fight.encounter.get(Scene, "scene") or Scene()
    fight.execute(Edit(replace(scene, round_seconds=60)))
    fight.execute(command)
    assert concentrating(fight) == ["Rime Ward"]
    assert fight.encounter.need(Track, "mira.action").value == 0


def test_the_area_of_a_listed_spell_is_laid_out(fight, form, qtbot):
    things = (Obstacle("crate", "Crate", (1, 1), flammable=True), Obstacle("stone", "Stone", (3, 1)))
    for old in [*fight.encounter.all(Map)]:
        fight.execute(Edit(replace(old, obstacles=things)))
    if fight.encounter.get(Map, "map") is None:
        fight.execute(Add((Map(columns=12, rows=12, obstacles=things),)))
    qtbot.keyClicks(form.field("name").line, "fire storm")
    assert [each.pick.id for each in form.field("things").row.buttons()] == ["crate"]
    form.field("spared").box.click()
    row = " ".join(f"{step},0,0" for step in range(10))
    said = {"spell": "fire-storm", "spared": True, "things": ("crate",), "targets": ("raiders-1",)}
    command = casting(fight, cubes=row, **said)
    assert len(command.cubes) == 10
    assert rule_check(fight, casting(fight, cubes="0,0,0", **said)).text
    fight.execute(command)
    (onslaught,) = [one.data for one in fight.encounter.all(Procedure) if isinstance(one.data, SaveEffect)]
    assert (onslaught.excluded, onslaught.obstacles) == (("plant",), ("crate",))
    qtbot.keyClicks(form.field("cubes").line, "0,0")
    assert form.missing


def test_the_form_says_which_concentration_the_spell_ends(fight, form, qtbot):
    qtbot.keyClicks(form.field("name").line, "Hold Person")
    assert form.text.text() == ""
    fight.execute(Concentrate("mira", "Bless"))
    assert form.text.text() == "Ends the concentration on Bless."
    form.field("name").line.clear()
    qtbot.keyClicks(form.field("name").line, "Fireball")
    assert form.text.text() == "20-foot radius"


def test_the_form_shows_the_numbers_of_a_listed_spell_by_slot(fight, form, qtbot):
    mira = creature_of(fight.encounter, fight.encounter.need(Combatant, "mira"))
    numbers = {"spellcasting": "wis", "abilities": (("wis", 18),), "proficiency": 3, "level": 5}
    fight.execute(Edit(replace(mira, slots=(("3", 2), ("5", 1)), features=(), **numbers)))
    qtbot.keyClicks(form.field("name").line, "Fireball")
    assert form.text.text().startswith("DC 15 ")
    assert "6d6 fire" in form.text.text()
    form.field("slot").row.button("5").click()
    assert "8d6 fire" in form.text.text()


def test_a_listed_spell_takes_the_chosen_slot(fight, form, qtbot):
    mira = creature_of(fight.encounter, fight.encounter.need(Combatant, "mira"))
    fight.execute(Edit(replace(mira, slots=(("1", 4), ("2", 3), ("3", 2)))))
    assert casting(fight, name="Hold Person", slot="3").level == 3
    assert casting(fight, name="Fireball", slot="2").level == 3
    assert casting(fight, name="Fire Bolt", slot="2").level is None


def test_the_line_names_other_spells_that_fit(form, qtbot):
    field = form.field("name")
    qtbot.keyClicks(field.line, "storm")
    assert [text for text in field.chips.texts if "Storm" in text] == [
        "Storm Kick",
        "or Storm of Vengeance, Fire Storm, Sleet Storm",
    ]


@pytest.mark.parametrize("spell", ["", "Acid Arrow"])
def test_other_spells_ask_nothing_of_an_area(form, qtbot, spell):
    qtbot.keyClicks(form.field("name").line, spell)
    for name in ("cubes", "spared", "things"):
        with pytest.raises(KeyError):
            form.field(name)


def test_the_origin_of_an_area_laid_on_the_map_reaches_the_command(fight, form, dock, qtbot):
    spell = next(spell for spell in fight.rules.data.spells if spell.area)
    qtbot.keyClicks(form.field("name").line, spell.name)
    dock.take_area(("raiders-1",), (3, 2), gives_back=False)
    made = dock.form_host.form_with_area
    assert made.command(made.draft.value()).origin == (3, 2)
    dock.take_area(("raiders-1",), None, gives_back=False)
    assert made.command(made.draft.value()).origin is None
