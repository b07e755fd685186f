"""A stat block as text, with its rolls."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont, QImage, QTextCursor
from PySide6.QtWidgets import QApplication

from tests.ui.contrast import contrast
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.rules.parts.stat_block.prose import runs_of_text
from turnwright.rules.parts.stat_block.sections import stat_sections
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.numbers import NamedId, Skill
from turnwright.rules.system_data.places import Size
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.look.style import set_words, theme_source, tr
from turnwright.ui.widgets.records.stat_block import StatBlockView

RAIDER = Creature(
    id="raider",
    name="Raider",
    ac=13,
    ac_note="hide",
    hp=11,
    hit_dice="2d8+2",
    speeds=(("walk", 30), ("swim", 20)),
    abilities=(("str", 18), ("dex", 9)),
    saves=(("con", 3),),
    skills=(("stealth", -1),),
    resistances=("cold",),
    features=(
        Feature("thick", "Thick skin", text="Once a day it shrugs off 2d6 damage."),
        Feature("axe", "Axe", cost="action", attack=4, reach=5, damage="1d8+2 slashing + 1d6 cold"),
        Feature("howl", "Howl", cost="bonus", recharge=5, save="wis", dc=12, text="Or be frightened."),
    ),
)
CATALOGUE = SystemData(
    id="test",
    name="Test",
    abilities=tuple(
        NamedId(name[:3].lower(), name, name[:3])
        for name in ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma")
    ),
    skills=(Skill("stealth", "Sneaking", "dex"),),
    sizes=(Size("medium", "Medium"),),
    speeds=(NamedId("swim", "Swimming"),),
)


@pytest.fixture
def view(qtbot):
    view = StatBlockView()
    qtbot.addWidget(view)
    view.resize(360, 900)
    view.set_creature(RAIDER, CATALOGUE)
    view.show()
    return view


def lines(view: StatBlockView) -> list[str]:
    return [line.lstrip("●◐○ ") for line in view.toPlainText().splitlines() if line.strip()]


def place_of(view: StatBlockView, text: str) -> QPoint:
    found = view.document().find(text)
    assert not found.isNull()
    start, end = QTextCursor(found), QTextCursor(found)
    start.setPosition(found.selectionStart())
    end.setPosition(found.selectionEnd())
    return (view.cursorRect(start).center() + view.cursorRect(end).center()) / 2


def test_a_stat_block_reads_the_way_players_know_it(view):
    assert lines(view) == [
        "Raider",
        "Medium humanoid",
        "Armor Class 13 (hide)",
        "Hit points 11 (2d8+2)",
        "Speed 30 ft., swimming 20 ft.",
        *("STR", "DEX", "CON", "INT", "WIS", "CHA"),
        *("+4", "−1", "+0", "+0", "+0", "+0", "18", "9", "10", "10", "10", "10"),
        "Saving throws Con +3",
        "Skills Sneaking −1",
        "Damage resistances cold",
        "Thick skin. Once a day it shrugs off 2d6 damage.",
        "Actions",
        "Axe. Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8+2) slashing damage plus 3 (1d6) cold damage.",
        "Bonus actions",
        "Howl (recharge 5–6). DC 12 Wisdom save. Or be frightened.",
    ]


def test_gear_is_told_in_the_words_of_the_table(view):
    view.set_creature(msgspec.structs.replace(RAIDER, gear=("skin-covered", "snow-shoes")), CATALOGUE)
    assert "Gear full-body clothing, snow shoes" in lines(view)


@pytest.mark.parametrize(
    ("text", "roll", "label"),
    [
        ("+4 to hit", "1d20+4", "Raider: Axe"),
        ("(1d8+2)", "1d8+2 slashing + 1d6 cold", "Raider: Axe"),
        ("2d6", "2d6", "Raider: Thick skin"),
        ("2d8+2", "2d8+2", "Raider: Hit points"),
        ("+3", "1d20+3", "Raider: Con save"),
        ("+4", "1d20+4", "Raider: Strength"),
    ],
)
def test_rolls_can_be_clicked(qtbot, view, text, roll, label):
    with qtbot.waitSignal(view.rollClicked) as heard:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, text))
    assert heard.args[:2] == [roll, label]


def test_rolls_can_be_reached_by_keyboard(qtbot, view):
    view.activateWindow()
    view.setFocus()
    heard = []
    view.rollClicked.connect(lambda roll, _label, _about: heard.append(roll))
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert heard == [view.rolls()[0].roll]


def test_text_from_files_is_never_markup(qtbot, view):
    sly = "<h1>big</h1><img src='file:///etc/passwd'><a href='x'>y</a>"
    view.set_creature(Creature("x", sly, type=sly, notes=sly, features=(Feature("f", sly, text=sly),)))
    shown = view.toPlainText()
    assert shown.count(sly) == 5
    assert all("roll:" in link for link in links(view))


def links(view: StatBlockView) -> list[str]:
    found = []
    block = view.document().begin()
    while block.isValid():
        found += [run.format.anchorHref() for run in block.textFormats() if run.format.isAnchor()]
        block = block.next()
    return found


def test_damage_that_is_no_dice_expression_is_shown_as_written(view):
    view.set_creature(Creature("x", "Imp", features=(Feature("f", "Sting", damage="lots of pain"),)))
    assert "Sting. Lots of pain." in view.toPlainText()


def test_no_creature_is_an_empty_view(view):
    view.set_creature(None)
    assert view.toPlainText() == ""
    assert view.accessibleName() == "No stat block"


def test_a_portrait_stands_at_the_head_and_text_flows_beside_it(view):
    before, rolls = lines(view), view.rolls()
    face = QImage(64, 64, QImage.Format.Format_RGB32)
    face.fill(QColor("#10c0c0"))
    view.set_portrait(face)
    assert [line.lstrip("\N{OBJECT REPLACEMENT CHARACTER}") for line in lines(view)] == before
    assert view.rolls() == rolls
    shown = view.grab().toImage()
    corner = shown.pixelColor(
        round((view.width() - 60) * shown.devicePixelRatio()), round(50 * shown.devicePixelRatio())
    )
    assert (corner.red() < 60, corner.green() > 150) == (True, True)
    view.set_portrait(None)
    assert lines(view) == before


def test_an_edit_keeps_the_place_scrolled_to(view):
    view.resize(360, 200)
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    assert place > 0
    view.set_creature(Creature(**{**{f: getattr(RAIDER, f) for f in RAIDER.__struct_fields__}, "hp": 12}), CATALOGUE)
    assert bar.value() == place


def test_it_takes_the_colours_of_the_theme(view):
    source = theme_source()
    source.choose("dark")
    dark = view.grab().toImage()
    source.choose("light")
    light = view.grab().toImage()
    source.choose("system")
    assert dark != light
    assert view.document().begin().textFormats()[0].format.foreground().color() == source.theme.colour("accent")


def test_dice_in_running_text_are_found():
    pieces = runs_of_text("takes 2d6 + 3 cold, then 1d4, never 10 or d6s", "x")
    assert [piece.roll for piece in pieces if piece.roll] == ["2d6+3", "1d4"]


def test_without_a_catalogue_ids_stand_for_words():
    assert stat_sections(RAIDER, None, tr).kind == "Medium humanoid"
    assert stat_sections(RAIDER, None, tr).abilities[0].name == "STR"


ADEPT = Creature(
    "adept",
    "Adept",
    level=5,
    proficiency=3,
    maneuver_dc=14,
    space=20,
    reach=10,
    attacks=2,
    extra_attack=True,
    spellcasting="con",
    specialties=("tumbling",),
    passives=(("stealth", 12),),
    senses=(("darkvision", 60), ("true-seeing", 0)),
    slots=(("1", 4), ("2", 0), ("3", 2)),
    legendary=3,
    abilities=(("str", 16), ("dex", 18), ("con", 14)),
)


def told(view, creature):
    view.set_creature(creature, CATALOGUE)
    return lines(view)


def test_what_only_some_creatures_have_stands_where_a_stat_block_has_it(view):
    said = told(view, ADEPT)
    assert said[1] == "Medium humanoid, 20 ft on a side, level 5"
    for line in (
        "Senses darkvision 60 ft., true seeing, passive Sneaking 12",
        "Specialties tumbling",
        "Proficiency +3",
        "Maneuver DC 14",
        "Attacking 2 attacks with the Attack action, Extra Attack, unarmed reach 10 ft",
        "Casts with Constitution",
        "Spell slots level 1: 4, level 3: 2",
    ):
        assert line in said


@pytest.mark.parametrize(
    ("feature", "line"),
    [
        (
            Feature("a", "Sword", "action", reach=5, damage="1d8 slashing + 1d6 cold", properties=("weapon",)),
            "Sword. Melee Weapon Attack: +6 to hit, reach 5 ft., one target. Hit: 7 (1d8+3) slashing damage plus 3 (1d6) cold damage.",
        ),
        (
            Feature("a", "Bow", "action", range="80/320", damage="1d6 piercing", magic=1, proficient=False,
                    properties=("weapon",)),
            "Bow. Ranged Weapon Attack: +5 to hit, range 80/320 ft., one target. Hit: 7 (1d6+4) piercing damage.",
        ),
        (
            Feature("a", "Ray", "action", range="60", damage="2d8 fire", properties=("spell", "attack"), level=0),
            "Ray (cantrip). Ranged Spell Attack: +5 to hit, range 60 ft., one target. Hit: 9 (2d8) fire damage.",
        ),
        (Feature("a", "Fist", "action", reach=5, damage="1 bludgeoning", properties=("unarmed",)), "Fist. Melee Weapon Attack: +6 to hit, reach 5 ft., one target. Hit: 4 bludgeoning damage."),
        (
            Feature("a", "Cloud", "action", level=3, area="20-ft cube", save="con", dc=13, damage="4d6 acid", half=True,
                    concentration=True, ongoing="1d6 acid", push=10),
            (
                "Cloud (level 3 spell, concentration). 20-ft cube: DC 13 Constitution save, 14 (4d6) acid damage, "
                "half on a success. Failure: pushed 10 ft. Ongoing damage 1d6 acid."
            ),
        ),
        (
            Feature("a", "Grasp", "action", attack=7, reach=5,
                    afflictions=(InflictedCondition("grappled", escape_dc=14), InflictedCondition("prone", "turn-end"))),
            "Grasp. Melee Weapon Attack: +7 to hit, reach 5 ft., one target. Grappled (escape DC 14). Prone (ends at the end of their turn).",
        ),
        (Feature("a", "Many", "action", attacks=3, text="Thrice."), "Many (3 attacks). Thrice."),
        (Feature("a", "Sweep", "legendary", price=2, text="Wide."), "Sweep (costs 2 actions). Wide."),
    ],
)  # fmt: skip
def test_a_feature_says_all_that_it_does(view, feature, line):
    assert line in told(view, msgspec.structs.replace(ADEPT, features=(feature,)))


def test_legendary_actions_say_how_many_there_are(view):
    said = told(view, msgspec.structs.replace(ADEPT, features=(Feature("a", "Sweep", "legendary"),)))
    assert "Legendary actions (3 a round)" in said


WITCH = Creature(
    id="witch",
    name="Graft witch",
    type="fey",
    tags=("fey", "plant"),
    rating="5",
    level=5,
    hp=68,
    hit_dice="8d8",
    abilities=(("dex", 4), ("wis", 5)),
    saves=(("con", 11), ("wis", 15)),
    skills=(("perception", 13), ("nature", 15)),
    vulnerabilities=("fire 5",),
    resistances=("piercing 3",),
    maneuver_dc=13,
    proficiency=4,
    legendary=2,
    features=(
        Feature("thorns", "Thorns", "action", save="dex", dc=22, damage="4d6 piercing", half=True, price=2),
        Feature("sap", "Sap", "reaction", text="It sticks."),
    ),
)
SAILOR = Creature(
    id="sailor",
    name="Sailor",
    rating="3",
    level=3,
    hp=34,
    speeds=(("walk", 4),),
    abilities=(("str", 8), ("agi", 5)),
    reach=2,
    absorptions=("sacred",),
    pools=(("action", 5), ("willpower", 4)),
    features=(
        Feature("swing", "Swing", "action", attack=8, damage="1d8 sharp", price=4, spends=(("willpower", 1),)),
        Feature("song", "Song", "action", price=0),
    ),
)


@pytest.fixture(scope="module")
def games():
    return RuleSystems()


@pytest.fixture
def usual_words_afterwards(qapp):
    yield
    set_words(qapp, WordCatalogue.load())


def text_of(view, creature, catalogue):
    set_words(QApplication.instance(), WordCatalogue.load().with_terms(dict(catalogue.terms)))
    view.set_creature(creature, catalogue)
    return lines(view)


def test_a_game_of_degrees_writes_its_stat_block_its_own_way(view, games, usual_words_afterwards):
    text = text_of(view, WITCH, games.get("pf2e").data)
    assert text[:5] == ["Graft witch", "CREATURE 5", "MEDIUM   FEY   PLANT ", "Perception +13", "Skills Nature +15"]
    begin = text.index("AC 10; Fort +11, Ref +4, Will +15")
    assert text[begin + 1 : begin + 4] == [
        "HP 68; Weaknesses fire 5; Resistances piercing 3",
        "Sap ↺ It sticks.",
        "Speed 30 feet",
    ]
    assert not [line for line in text if line.startswith(("Maneuver", "Proficiency", "18"))]
    assert "Thorns ◆◆ DC 22 basic Reflex save, 4d6 piercing." in text


def test_a_game_of_degrees_has_abilities_and_items_in_lines_above_its_defences(view, games, usual_words_afterwards):
    text = text_of(view, msgspec.structs.replace(WITCH, gear=("grafting-knife",)), games.get("pf2e").data)
    begin = text.index("Str +0, Dex +4, Con +0, Int +0, Wis +5, Cha +0")
    assert text[begin - 1 : begin + 3] == [
        "Skills Nature +15",
        text[begin],
        "Items grafting knife",
        "AC 10; Fort +11, Ref +4, Will +15",
    ]
    assert "ability:wis" in [piece.about for piece in view.rolls()]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_how_rare_a_creature_is_stands_in_a_box_of_another_colour(fresh_application, qtbot, games, theme):
    fresh_application.apply_look(theme, 100)
    view = StatBlockView()
    qtbot.addWidget(view)
    view.set_creature(msgspec.structs.replace(WITCH, tags=("plant", "unique")), games.get("pf2e").data)
    colours = theme_source().theme
    boxes = {}
    for word in ("UNIQUE", "PLANT"):
        style = view.document().find(word).charFormat()
        boxes[word] = style.background().color()
        assert contrast(style.foreground().color(), boxes[word]) >= 4.5
    assert boxes == {"UNIQUE": colours.colour("warn"), "PLANT": colours.colour("accent")}


@pytest.mark.parametrize(("game", "slanted"), [("dnd5e", True), ("a5e", True), ("action_points", False)])
def test_names_of_features_are_set_apart_from_their_limits(view, games, usual_words_afterwards, game, slanted):
    text_of(view, RAIDER, games.get(game).data)
    name, limits = (
        view.document().find(word).charFormat()
        for word in (
            "Howl",
            "(recharge",
        )
    )
    assert (name.fontWeight(), name.fontItalic()) == (QFont.Weight.Bold, slanted)
    assert (limits.fontWeight(), limits.fontItalic()) == (QFont.Weight.Normal, False)


def test_a_game_of_points_writes_points_metres_and_prices(view, games, usual_words_afterwards):
    text = text_of(view, SAILOR, games.get("action_points").data)
    assert text[1:6] == [
        "Medium humanoid, level 3",
        "Health 34",
        "Defence 10",
        "Speed 4 m",
        "Points action points 5, reaction points 6, willpower 4",
    ]
    assert "Healed by sacred" in text
    assert "Swing (4 AP, 1 WP). +8 to hit. Hit: 4 (1d8) sharp." in text
    assert "Song (X AP). " in text
    assert [piece.roll for piece in view.rolls()] == ["1d8 sharp"]  # it names no die for anything else


def test_figures_a_game_has_none_of_are_not_shown(view, games, usual_words_afterwards):
    maneuvering = msgspec.structs.replace(RAIDER, maneuver_dc=12)
    assert "Maneuver DC 12" in text_of(view, maneuvering, games.get("a5e").data)
    assert "Maneuver DC 12" not in text_of(view, maneuvering, games.get("dnd5e").data)


def test_a_character_has_a_level_and_no_rating_of_nothing():
    data = RuleSystems().get("dnd5e").data
    assert stat_sections(Creature("ann", "Ann", level=5, rating="0"), data, tr).rating == "level 5"
    assert stat_sections(Creature("rat", "Rat", rating="0"), data, tr).rating == "Challenge 0 (10 XP)"


def test_each_feature_has_a_mark_that_says_how_it_plays(qtbot):
    view = StatBlockView()
    qtbot.addWidget(view)
    rules = (DataRule("advantage", "save.wis", when="magic"),)
    features = (
        Feature("resistance", "Resistance", rules=rules),
        Feature("rage", "Rage", rules=rules, automation="asks", only="bloodied"),
        Feature("smell", "Smell", rules=rules, automation="reminds"),
        Feature("tale", "Tale", text="It has a tale."),
        Feature("burst", "Burst", trigger="dies", damage="2d6 fire"),
        Feature("parry", "Parry", cost="reaction", trigger="attacked", when="melee"),
        Feature("axe", "Axe", cost="action", attack=4, damage="1d8 slashing"),
        Feature("dance", "Dance", cost="action", text="It dances."),
        Feature("hidden", "Hidden", rules=rules, automation="off"),
    )
    view.set_creature(msgspec.structs.replace(RAIDER, features=features), CATALOGUE)
    lines = view.toPlainText().splitlines()
    signs = {
        one.name: next(line for line in lines if f"{one.name}." in line).partition(one.name)[0] for one in features
    }
    assert signs == {
        "Resistance": "● ", "Rage": "◐ ", "Smell": "○ ", "Tale": "", "Burst": "● ", "Parry": "◐ ", "Axe": "● ",
        "Dance": "", "Hidden": "",
    }  # fmt: skip
    blocks = (view.document().findBlockByNumber(number) for number in range(view.document().blockCount()))
    tips = [one.format.toolTip() for block in blocks for one in block.textFormats()]
    assert "Automatic: advantage on Wisdom saves (magic)." in tips
    assert "Automatic: when it dies: 2d6 fire." in tips
    assert "Asks: when hit, before the hit is resolved, if melee." in tips
    described = view.accessibleDescription()
    assert "Rage. Asks on relevant rolls: advantage on Wisdom saves (magic), only while bloodied." in described
    assert "Tale" not in described
