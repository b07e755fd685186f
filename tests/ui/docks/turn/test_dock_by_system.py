"""The turn dock by rule system: resources, prices, groups of actions, and bought movement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import model_of
from tests.ui.docks.running_fight import end_turns, opened_menu, settle
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.running import Combatant, Track
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.forced_movement import DropProne
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.action_economy import RestoreResource, SpendResource
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.system import creature_of
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.docks.stat_block.dock import StatBlockDock
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.docks.turn.forms.action_forms import FeatureUse
from turnwright.ui.docks.turn.forms.cast_form import CastSpellForm, SpellDraft
from turnwright.ui.look.style import current_theme, set_words, theme_source
from turnwright.ui.models.turn_order import TurnOrderColumn, TurnOrderModel
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.paint import draw_hit_point_bar, hit_points
from turnwright.ui.widgets.records.effect_chip import EffectChip
from turnwright.workspace.document import open_document

FILE = """
format = 3
system = "{system}"
[creatures.hero]
name = "Hero"
hp = 20
speeds = {{ walk = {speed} }}
{more}
[creatures.hero.features.spear]
name = "Spear"
cost = "action"
attack = 5
reach = 2
damage = "1d6"
price = 2
{spends}
[creatures.hero.features.duck]
name = "Duck"
cost = "reaction"
[creatures.ogre]
name = "Ogre"
hp = 30
[roster.hero]
creature = "hero"
side = "party"
[roster.ogre]
creature = "ogre"
[roster.pal]
creature = "ogre"
side = "party"
"""
GAMES = {
    "a5e": {"speed": 30, "more": "", "spends": ""},
    "dnd5e": {"speed": 30, "more": "", "spends": ""},
    "pf2e": {"speed": 25, "more": "level = 3", "spends": ""},
    "action_points": {
        "speed": 4,
        "more": "initiative = 3\npools = { action = 5, willpower = 3 }",
        "spends": "spends = { willpower = 1 }",
    },
}


@pytest.fixture
def fight_of(qapp: QApplication, tmp_path: Path, systems: RuleSystems) -> Iterator[Callable[[str], DocumentModel]]:
    """Return a function that starts a fight of a hero, who acts, and an ogre in a rule system."""
    opened = []

    def begun(system: str) -> DocumentModel:
        path = tmp_path / f"{system}.toml"
        path.write_text(FILE.format(system=system, **GAMES[system]), encoding="utf-8")
        source = open_document(path, systems, tmp_path / "state", seed=7)
        opened.append(source)
        document = model_of(source)
        document.execute(SetDice("roll"))
        document.execute(StartEncounter())
        for _ in range(2):
            settle(document)
            document.execute(AdvanceSetup())
        settle(document)
        document.execute(SetInitiative((("hero", 30), ("ogre", 20), ("pal", 10))))
        document.execute(AdvanceSetup())
        settle(document)
        return document

    yield begun
    for source in opened:
        source.close(discard=True)
    set_words(qapp, WordCatalogue.load())


@pytest.fixture
def turn(fight_of, qtbot):
    """Return the turn dock of a fight, and the fight."""

    def shown(system: str) -> tuple[TurnDock, DocumentModel]:
        document = fight_of(system)
        dock = TurnDock(document, theme_source())
        qtbot.addWidget(dock)
        dock.resize(640, 700)
        dock.show()
        return dock, document

    return shown


def view(dock, id):
    return dock.action_bar.buttons[id].view


def test_three_actions_are_three_pips_and_hollow_ones_are_spent(turn):
    dock, document = turn("pf2e")
    assert dock.header.pips.group("action").accessibleName() == "Actions: 3 of 3"
    assert not dock.header.pips.group("action").is_counted()
    document.execute(SpendResource("hero", "action"))
    assert dock.header.pips.group("action").accessibleName() == "Actions: 2 of 3"
    assert dock.header.pips.group("action").words() == "2 of 3 actions left"
    assert dock.header.pips.group("reaction").words() == "Reaction"


def test_points_are_a_figure(turn):
    dock, document = turn("action_points")
    assert [dock.header.pips.group(id).is_counted() for id in ("action", "reaction", "willpower")] == [True] * 3
    document.execute(SpendResource("hero", "action"))
    assert dock.header.pips.group("action").text() == "4 / 5"


def test_acts_show_what_they_take_as_the_game_writes_it(turn):
    dock, _ = turn("pf2e")
    assert view(dock, "feature:spear").cost == "◆◆"
    assert view(dock, "ready").cost == "◆◆"
    assert view(dock, "raise-shield").cost == "◆"
    assert "◆◆" in dock.action_bar.buttons["feature:spear"].text()
    dock, _ = turn("action_points")
    assert view(dock, "feature:spear").cost == "2 AP, 1 WP"
    assert view(dock, "skill").cost == "X AP"
    assert view(dock, "brace").cost == "2 AP"


def test_what_an_action_costs_stands_at_its_end_as_the_game_writes_it(turn):
    dock, _ = turn("pf2e")
    costs = {id: view(dock, id).price_text for id in ("stride", "raise-shield", "aid", "feature:spear")}
    assert costs == {"stride": "◆", "raise-shield": "◆", "aid": "↺", "feature:spear": "◆◆"}


def test_what_a_game_lists_of_standing_up_is_on_the_list_once(turn):
    dock, document = turn("pf2e")
    assert "do:drop-prone" in dock.action_bar.buttons
    assert "drop-prone" not in dock.action_bar.buttons
    assert view(dock, "do:drop-prone").cost == "◆"
    document.execute(DropProne("hero"))
    assert not {"stand", "do:drop-prone"} & set(dock.action_bar.buttons)
    assert view(dock, "do:stand").cost == "◆"
    dock.toggle_move()
    assert dock.form_host.move_card.button.text().split()[0] == "Crawl"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("game", "bare"), [("pf2e", "strike"), ("action_points", "attack")])
def test_an_attack_is_on_the_list_by_what_one_attacks_with_alone(turn, game, bare):
    dock, _ = turn(game)
    assert "feature:spear" in dock.action_bar.buttons
    assert bare not in dock.action_bar.buttons


def test_movement_that_is_bought_says_what_it_takes_and_what_is_left_of_a_piece(turn):
    dock, document = turn("pf2e")
    assert dock.header.movement.text() == "25 ft"
    dock.toggle_move()
    card = dock.form_host.move_card
    assert card.button.text() == "Stride"
    card.field("feet").box.setValue(30)
    assert card.button.text() == "Stride  ◆◆"
    document.execute(MoveFeet("hero", 10))
    assert dock.header.movement.text() == "15 / 25 ft"
    card.field("feet").box.setValue(15)
    assert card.button.text() == "Stride"


def test_metres_are_counted_where_the_game_has_metres(turn):
    dock, document = turn("action_points")
    dock.toggle_move()
    card = dock.form_host.move_card
    card.field("feet").box.setValue(6)
    assert card.button.text() == "Move  2 AP"
    assert card.field("feet").box.suffix() == " m"
    document.execute(MoveFeet("hero", 3))
    settle(document)
    assert dock.header.movement.text() == "1 / 4 m"
    assert document.encounter.need(Combatant, "hero").label == "Hero"


def test_only_what_the_game_knows_of_getting_about_is_offered(turn):
    dock, _ = turn("action_points")
    assert not [id for id in dock.action_bar.buttons if id in ("do:drop-prone", "do:mount", "do:stand")]


def test_the_dice_of_a_critical_hit_are_those_that_are_thrown(turn, qtbot):
    dock, document = turn("dnd5e")
    document.execute(SetDice("ask"))
    dock.form_host.open_attack("hero", "spear", target="ogre")
    card = dock.form_host.attack_card
    card.to_hit.line.setText("20!")
    qtbot.keyClick(card.to_hit.line, Qt.Key.Key_Return)
    assert (card.damage.roll.text(), card.damage.note.text()) == ("2d6", "")


def test_an_act_whose_price_nobody_has_said_asks_it(turn):
    dock, document = turn("action_points")
    dock.action_bar.buttons["convert"].click()
    (prompt,) = open_prompts(document.encounter)
    assert [ask.id for ask in waiting_asks(prompt)] == ["points"]


def test_who_may_not_strike_at_those_who_leave_is_not_offered_it(turn):
    dock, document = turn("pf2e")
    end_turns(document, 2)  # the ogre has its reaction by then, and its foe acts
    assert "aid" in dock.strip.buttons
    assert "Ogre 1" in [action.text() for action in opened_menu(dock.strip.buttons["aid"])]
    assert "opportunity" not in dock.strip.buttons


def test_what_anybody_may_do_in_reaction_stands_once_with_a_menu_of_who_does(turn):
    dock, document = turn("pf2e")
    end_turns(document, 2)
    aid = dock.strip.buttons["aid"]
    assert aid.accessibleName() == "Aid"
    (ogre,) = [action for action in opened_menu(aid) if action.text() == "Ogre 1"]
    ogre.trigger()
    assert document.encounter.need(Track, "ogre.reaction").value == 0
    assert "ogre" not in " ".join(dock.strip.buttons)


def tags(document, who):
    model = TurnOrderModel(document)
    return [tag.text for tag in model.row_at(model.row_of(who)).tags]


def test_conditions_stand_in_the_order_with_their_values(turn):
    _, document = turn("pf2e")
    document.execute(ApplyCondition(("ogre",), "frightened", 2))
    document.execute(ApplyCondition(("ogre",), "wounded", 1))
    assert tags(document, "ogre")[:2] == ["wounded 1", "frightened 2"]


def test_the_status_of_somebody_speaks_the_game(fight_of, qtbot):
    document = fight_of("pf2e")
    dock = StatBlockDock(document, theme_source())
    qtbot.addWidget(dock)
    document.execute(ApplyCondition(("hero",), "frightened", 2))
    assert list(dock.strip.saves) == ["con", "dex", "wis"]
    assert dock.strip.saves["con"].text().startswith("Fort ")
    assert dock.strip.effects.text() == "Frightened 2"
    assert not dock.strip.fields["strife"].isVisibleTo(dock.strip)


def test_health_below_nothing_and_shield_points_are_written_with_their_signs(turn):
    dock, document = turn("action_points")
    document.execute(SetHitPoints("hero", hp=-7, temp_hp=4))
    settle(document)
    assert dock.header.points.text() == "−7 / 20 +4"
    model = TurnOrderModel(document)
    described = model.index(model.row_of("hero"), TurnOrderColumn.WHO).data(Qt.ItemDataRole.ToolTipRole)
    assert "−7 of 20 health" in described


def test_the_bar_shows_how_far_below_nothing(qapp):
    def drawn(points: int) -> QImage:
        image = QImage(100, 8, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        draw_hit_point_bar(painter, QRectF(0, 0, 100, 8), hit_points(points, 20, 0, "down"), current_theme())
        painter.end()
        return image

    assert len({drawn(points).pixel(60, 4) for points in (0, -5)}) == 1
    assert drawn(-5).pixel(15, 4) != drawn(0).pixel(15, 4)
    assert drawn(-15).pixel(60, 4) != drawn(0).pixel(60, 4)


def test_what_is_one_s_own_stands_before_what_everybody_may_do(turn):
    dock, _ = turn("pf2e")
    reactions = [id for id in dock.action_bar.buttons if view(dock, id).cost == "↺"]
    assert reactions[0] == "feature:duck"


def test_the_attacks_of_a_turn_stand_in_their_row_with_the_bonus_of_each(turn):
    dock, fight = turn("pf2e")
    bonuses = lambda: [button.accessibleName() for button in dock.action_bar.rows["feature:spear"].turn_attacks]  # noqa: E731
    assert bonuses() == [
        "Attack 1 of the turn, +5: next",
        "Attack 2 of the turn, +0",
        "Attack 3 of the turn, −5",
    ]
    assert not dock.header.effects.findChildren(EffectChip)
    fight.execute(SetRelation("hero", "ogre", distance=2))
    fight.execute(Attack("hero", "ogre", "spear"))
    fight.execute(RestoreResource("hero", "action"))
    settle(fight)
    assert [one.rpartition(": ")[2] for one in bonuses()[:2]] == ["made", "next"]
    (chip,) = dock.header.effects.findChildren(EffectChip)
    assert chip.accessibleName() == "1 attack made"


def test_an_attack_that_is_not_due_is_made_with_the_difference_as_a_ruling(turn):
    dock, _ = turn("pf2e")
    dock.action_bar.rows["feature:spear"].turn_attacks[2].click()
    assert dock.form_host.attack_card.attacks.chosen() == ("2",)


def test_other_games_have_one_button_for_an_attack(turn):
    dock, _ = turn("action_points")
    row = dock.action_bar.rows["feature:spear"]
    assert (row.turn_attacks, row.button.isHidden()) == ([], False)


def test_a_usual_effect_is_taken_with_the_attack_unless_its_chip_is_switched_off(turn):
    dock, fight = turn("pf2e")
    fight.execute(SetRelation("hero", "ogre", distance=2))
    fight.execute(Attack("hero", "ogre", "spear"))
    settle(fight)
    fight.execute(RestoreResource("hero", "action"))
    fight.execute(SetDice("ask"))
    dock.open_attack()
    card = dock.form_host.attack_card
    chip = card.facts.chips["usual:pf2e.external.basic_actions"]
    penalty = lambda: [one.value for one in card.preview.roll.modifiers if one.value < 0]  # noqa: E731
    assert (chip.text(), chip.isChecked(), penalty()) == ("Multiple attack penalty", True, [-5])
    chip.click()
    assert penalty() == []
    chip.click()
    card.to_hit.line.setText("25")
    card.attack()
    (prompt,) = open_prompts(fight.encounter)
    assert prompt.title == "prompt.damage"  # nothing is asked before the roll


def test_left_and_right_choose_among_the_attacks_of_a_turn_in_the_card(turn, qtbot):
    dock, fight = turn("pf2e")
    fight.execute(SetRelation("hero", "ogre", distance=2))
    dock.action_bar.buttons["feature:spear"].click()
    card = dock.form_host.attack_card
    target = card.targets.chosen()
    assert [button.text() for button in card.attacks.buttons()] == ["+5  1st", "+0  −5", "−5  −10"]
    given = lambda: sum(one.value for one in card.command().modifiers)  # noqa: E731
    assert (card.attacks.chosen(), given()) == (("0",), 0)
    qtbot.keyClick(card.targets.buttons()[0], Qt.Key.Key_Right)
    assert (card.attacks.chosen(), given(), card.targets.chosen()) == (("1",), -5, target)
    qtbot.keyClick(card.to_hit.line, Qt.Key.Key_Right)
    qtbot.keyClick(card.to_hit.line, Qt.Key.Key_Right)
    assert (card.attacks.chosen(), given()) == (("2",), -10)
    qtbot.keyClick(card, Qt.Key.Key_Left)
    assert card.command().modifiers[0].value == -5
    qtbot.mouseClick(card.attacks.button("0"), Qt.MouseButton.LeftButton)
    assert card.command().modifiers == ()
    qtbot.keyClick(card, Qt.Key.Key_Down)
    assert card.attacks.chosen() == ("0",)


def test_a_bonus_by_ruling_stays_when_another_attack_of_the_turn_is_chosen(turn, qtbot):
    dock, fight = turn("pf2e")
    fight.execute(SetRelation("hero", "ogre", distance=2))
    dock.action_bar.buttons["feature:spear"].click()
    card = dock.form_host.attack_card
    card.facts.bonus_line.setText("+2")
    for key, place, added in ((Qt.Key.Key_Right, "1", -3), (Qt.Key.Key_Left, "0", 2)):
        qtbot.keyClick(card, key)
        assert (card.attacks.chosen(), card.facts.entered_bonus().value) == ((place,), 2)
        assert sum(one.value for one in card.command().modifiers) == added


def test_other_games_have_one_attack_in_the_card(turn):
    dock, _ = turn("action_points")
    dock.action_bar.buttons["feature:spear"].click()
    assert not dock.form_host.attack_card.attacks.isVisible()


def test_while_a_prompt_offers_the_reactions_the_strip_of_them_is_hidden(turn, monkeypatch):
    dock, document = turn("action_points")
    monkeypatch.setattr(dock.strip, "is_needed", lambda: True)
    document.execute(Attack("hero", "ogre", "spear"))
    assert "ask.who_reacts" in [ask.label for prompt in open_prompts(document.encounter) for ask in prompt.asks]
    assert dock.strip.isHidden()
    settle(document)
    assert not dock.strip.isHidden()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", ["a5e", "dnd5e", "pf2e", "action_points"])
def test_casting_a_spell_asks_for_the_spell(turn, qtbot, game):
    dock, fight = turn(game)
    option = next(one for one in fight.rules.actions.values() if "spell" in one.asks)
    dock.action_bar.buttons[option.id].click()
    form = dock.form_host.form_card
    qtbot.keyClicks(form.field("name").line, "Scorching Breeze")
    if game == "pf2e":
        assert form.missing
        form.field("price").row.button("2").click()
    if game == "action_points":
        assert form.missing
        form.field("points").box.selectAll()
        qtbot.keyClicks(form.field("points").box, "2")
    qtbot.keyClicks(form.field("damage").line, "2d6 fire")
    form.field("targets").row.button("ogre").click()
    before = fight.encounter.need(Track, "hero.action").value
    assert not form.missing
    form.submit()
    settle(fight)
    spent = {"pf2e": 2, "action_points": 2}.get(game, 1)
    assert before - fight.encounter.need(Track, "hero.action").value == spent
    assert fight.encounter.need(Combatant, "ogre").hp < 30


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("game", "saves"),
    [("pf2e", ["Fort", "Ref", "Will"]), ("dnd5e", ["STR", "DEX", "CON", "INT", "WIS", "CHA"])],
)
def test_a_spell_offers_the_saves_of_its_rule_system(turn, qtbot, game, saves):
    dock, fight = turn(game)
    option = next(option for option in fight.rules.actions.values() if "spell" in option.asks)
    dock.action_bar.buttons[option.id].click()
    qtbot.keyClicks(dock.form_host.form_card.field("name").line, "Haze of Yore")
    buttons = dock.form_host.form_card.field("save").row.buttons()
    assert [button.pick.label for button in buttons][1:] == saves


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("game", "spends"), [("dnd5e", "bonus"), ("a5e", "bonus")])
def test_a_listed_spell_costs_what_it_costs(turn, qtbot, game, spends):
    dock, fight = turn(game)
    dock.action_bar.buttons["cast-spell"].click()
    form = dock.form_host.form_card
    qtbot.keyClicks(form.field("name").line, "Healing Word")
    form.submit()
    before = {"action": 1, "bonus": 1}
    assert {name: fight.encounter.need(Track, f"hero.{name}").value for name in before} == before | {spends: 0}


@pytest.mark.sampled(1)
def test_a_listed_spell_takes_its_actions_unless_others_are_chosen(turn, qtbot):
    dock, _ = turn("pf2e")
    dock.action_bar.buttons["cast-spell"].click()
    form = dock.form_host.form_card
    qtbot.keyClicks(form.field("name").line, "Fireball")
    assert not form.missing
    form.field("price").row.button("3").click()
    assert form.field("price").row.button("3").isChecked()
    qtbot.keyClicks(form.field("name").line, " and more")
    assert form.field("price").row.button("3").isChecked()


@pytest.mark.sampled(1)
def test_a_spell_that_lasts_is_listed_to_attack_again(turn):
    dock, fight = turn("dnd5e")
    fight.execute(UseFeature("hero", spell="spiritual-weapon"))
    assert view(dock, "again:spiritual-weapon").refused
    fight.execute(RestoreResource("hero", "bonus"))
    assert (view(dock, "again:spiritual-weapon").name, view(dock, "again:spiritual-weapon").refused) == (
        "Again: Spiritual Weapon",
        "",
    )
    assert list(dock.action_bar.buttons).index("again:spiritual-weapon") < list(dock.action_bar.buttons).index("dash")
    dock.action_bar.buttons["again:spiritual-weapon"].click()
    form = dock.form_host.form_card.act
    assert form.command(FeatureUse(("ogre",))) == UseFeature(
        "hero", spell="spiritual-weapon", targets=("ogre",), purpose="again"
    )


def test_a_spell_for_several_numbers_of_actions_asks_for_it(fight_of):
    document = fight_of("pf2e")
    listed = next(spell for spell in document.rules.data.spells if spell.id == "heal")
    heal = spell_feature(listed, Caster(20, 10), level=3)
    hero = creature_of(document.encounter, document.encounter.need(Combatant, "hero"))
    document.execute(Edit(replace(hero, features=(*hero.features, heal))))
    form = CastSpellForm(document, "hero", document.rules.actions["cast-spell"])
    usual = form.fill(SpellDraft(name="heal"), ())
    assert (usual.spell, usual.price) == ("heal", "2")
    for price in ("1", "2", "3"):
        command = form.command(replace(usual, price=price, targets=("pal",)))
        if price == "2":
            assert command == UseFeature("hero", "heal", targets=("pal",))
        else:
            assert (command.spell, command.given.price) == ("heal", int(price))
    document.execute(SetHitPoints("pal", 1))
    document.execute(SetDice("script", script=(1, 1, 1)))
    document.execute(form.command(replace(usual, price="1", targets=("pal",))))
    assert document.encounter.need(Combatant, "pal").hp == 4
    assert document.encounter.need(Track, "hero.action").value == 2
