"""Lists of spells in prose: features with uses and slots, the caster's numbers, and the list that offers them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import Table, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, FeatureStep
from turnwright.importers.results import game_spells
from turnwright.importers.statblock_text.spell_lists import with_ranked_spells, with_spells, with_whole_spells
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.queries.queries import actions_for

LICH = """The lich is a 9th-level spellcaster. Its spellcasting ability is Intelligence (spell save DC 15, +7 to hit with spell attacks). It has prepared:

• Cantrips (at will): fire bolt, mage hand
• 1st level (4 slots): magic missile, shield, umbral step
• 3rd level (3 slots): fireball, animate dead
• The lich wears its crown, and is proud of it."""
INNATE = """The djinni's innate spellcasting ability is Charisma (spell save DC 17). It can innately cast the following:

At will: detect magic, fog cloud (self only)
3/day each: fear, hold person (level 3 version)
1/day: command"""


def read(text: str, *others: Feature, cost: str = "trait", **fields: Any) -> dict[str, Feature]:
    casting = Feature("spellcasting", "Spellcasting", cost, text=text, **fields)  # type: ignore[arg-type]
    return {one.id: one for one in with_spells((casting, *others), game_spells("dnd5e"))}


def test_slots_give_levels_and_the_casters_numbers_the_rest() -> None:
    found = read(LICH, dc=15, attack=7, read=("dc", "attack"))
    bolt, ball, missile = found["fire-bolt"], found["fireball"], found["magic-missile"]
    assert (bolt.level, bolt.attack, bolt.damage, bolt.uses) == (0, 7, "2d10 fire", 0)
    assert (ball.level, ball.save, ball.dc, ball.damage, ball.half) == (3, "dex", 15, "8d6 fire", True)
    assert (missile.level, missile.attack, missile.damage) == (1, None, "3d4+3 force")
    assert (found["shield"].cost, found["shield"].level) == ("reaction", 1)
    assert "damage" in ball.read
    assert "level" in ball.read


def test_a_spell_that_the_game_has_not_keeps_its_name_and_count() -> None:
    found = read(LICH, dc=15, attack=7)["umbral-step"]
    assert (found.name, found.cost, found.level, found.properties, found.damage) == (
        "Umbral Step",
        "action",
        1,
        ("spell",),
        "",
    )


def test_what_takes_longer_than_a_turn_and_what_is_no_list_stay_in_the_text() -> None:
    found = read(LICH, dc=15)
    assert set(found) == {
        "spellcasting",
        "fire-bolt",
        "mage-hand",
        "magic-missile",
        "shield",
        "umbral-step",
        "fireball",
    }


def test_uses_a_day_are_counted_for_each() -> None:
    found = read(INNATE, dc=17)
    assert {id: (one.uses, one.level, one.per) for id, one in found.items() if id != "spellcasting"} == {
        "detect-magic": (0, None, "day"),
        "fog-cloud": (0, None, "day"),
        "fear": (3, None, "day"),
        "hold-person": (3, None, "day"),
        "command": (1, None, "day"),
    }
    assert (found["fear"].dc, found["fog-cloud"].text.partition(".")[0]) == (17, "self only")


def test_the_list_names_its_actions_and_is_no_attack_itself() -> None:
    casting = read(LICH, dc=15, attack=7, read=("dc", "attack"))["spellcasting"]
    assert [one.use for one in casting.does] == ["fire-bolt", "mage-hand", "magic-missile", "umbral-step", "fireball"]
    assert [one.alternative for one in casting.does] == [False, True, True, True, True]
    assert (casting.attack, casting.dc, casting.read) == (None, 15, ("dc", "does"))


def test_a_spell_that_stands_by_itself_gets_its_uses_only() -> None:
    own = Feature("fear", "Fear", "action", save="wis", dc=12, damage="1d4 psychic")
    found = read(INNATE, own, dc=17)["fear"]
    assert (found.dc, found.damage, found.uses) == (12, "1d4 psychic", 3)


def test_a_newer_list_has_the_figures_of_the_newer_rules() -> None:
    text = "It casts one of the following spells (spell save DC 15):\n\nAt Will: Ice Storm, Fireball (level 5 version), Melf's Acid Arrow, Branding Smite"
    found = read(text, cost="action", dc=15)
    assert (found["ice-storm"].damage, found["fireball"].damage) == ("2d10 bludgeoning + 4d6 cold", "10d6 fire")
    assert (found["melfs-acid-arrow"].name, found["branding-smite"].effect) == ("Acid Arrow", ())


def test_a_multiattack_names_its_spell_and_the_level_at_which_the_list_casts_it() -> None:
    text = "It casts one of the following spells (spell save DC 15):\n\nAt Will: Fireball, Scorching Ray, Light"
    told = "It can replace one attack with a use of (A) Roar or (B) Spellcasting to cast {}."
    ways = ((("rend", 3),), (("rend", 2), ("spellcasting", 1)))
    several = Feature(
        "multiattack", "Multiattack", "action", text=told.format("Fireball (level 5 version)"), multiattack=ways
    )
    again = Feature(
        "flames", "Flames", "legendary", text="It uses Spellcasting to cast Scorching Ray (level 3 version)."
    )
    found = read(text, several, again, cost="action", dc=15, attack=7)
    assert found["multiattack"].multiattack == ((("rend", 3),), (("rend", 2), ("fireball", 1)))
    assert (found["fireball"].damage, len(found["scorching-ray"].does)) == ("10d6 fire", 4)


@pytest.mark.parametrize("as_legend", [True, False])
def test_a_spell_is_cast_with_the_rays_and_targets_of_the_level_in_its_list(as_legend: bool) -> None:
    text = "It casts one of the following spells (spell save DC 15):\n\nAt Will: Scorching Ray (level 3 version), Command (level 2 version)"
    found = read(text, cost="action", dc=15, attack=40)
    flames = Feature("flames", "Flames", "legendary", does=(FeatureStep(use="scorching-ray"),))
    drake = creature("drake", hp=90, features=(*found.values(), flames), legendary=3)
    table = Table(drake, creature("ann", hp=40), creature("bob", hp=40), foes=("drake",), rules=dnd5e())
    table.start(ann=20, drake=15, bob=10)
    table.ends_turn()
    if as_legend:
        table.chooses("flames")
    else:
        table.skips()
        table.does(UseFeature("drake", "scorching-ray", targets=("ann", "bob")))
    for who in ("ann", "ann", "bob", "ann"):
        table.dice(12, 1, 2)
        table.chooses(who)
    assert (table.one("ann").hp, table.one("bob").hp, table.active) == (40 - 9, 40 - 3, "drake")
    if as_legend:
        table.does(UseFeature("drake", "command", targets=("ann", "bob")))
        assert table.prompt.asks[0].who == "drake"  # two targets aren't refused: the drake chooses its word


@pytest.mark.parametrize(
    "text",
    [
        "It casts spells as it likes.",
        "",
        "3/day each:",
        "At will: it dreams of a day on which it would be free of them",
    ],
)
def test_no_list_gives_no_spells(text: str) -> None:
    assert list(read(text, dc=15)) == ["spellcasting"]


# Pathfinder's lists, by ranks ----------------------------------------------------------------------------------------

RANKED = """DC 25
5th: Fireball, Suggestion
3rd: Fireball, Fireball, Lightning Bolt (at will), Haste
1st: Fear (\N{MULTIPLICATION SIGN}3), Umbral Step, Alarm
Cantrips (5th): Light, Daze
Constant (2nd): See Invisibility"""


def ranked(name: str = "Arcane Innate Spells", text: str = RANKED) -> dict[str, Feature]:
    casting = Feature("spells", name, attack=17, dc=25, text=text, properties=("spell", "arcane"))
    return {one.id: one for one in with_ranked_spells((casting,), game_spells("pf2e"), 9)[0]}


@pytest.mark.parametrize(
    ("name", "numbers", "text", "whole"),
    [
        (
            "Magic Missile",
            {},
            "Three arrows hit up to 3 creatures within 120 feet. Each deals 3 (1d4 + 1) force damage.",
            {"damage": "3d4+3 force", "range": "120"},
        ),
        (
            "Web",
            {"save": "dex", "dc": 14, "damage": "2d4 fire"},
            "Webs fill a cube within 60 feet. Fire deals 5 (2d4) fire damage. The webs remain for 1 minute.",
            {"damage": "", "range": "60", "lasts": "1 minute", "dc": 14},
        ),
        (
            "Holy Aura",
            {"save": "con", "dc": 18},
            "Targets have advantage on saves. A fiend that hits one makes a DC 18 Constitution save.",
            {"save": "", "dc": 0, "lasts": "1 minute"},
        ),
        ("Darkness", {}, "It spreads from a point within 30 feet. It remains for 1 minute.", {"range": "30", "lasts": "1 minute"}),
        ("Sacred Flame", {"save": "dex", "dc": 15, "damage": "3d8 radiant"}, "", {"damage": "3d8 radiant", "range": "60"}),
        ("Venomous Ball", {}, "Fire streaks to a point within 120 feet.", {"range": "120"}),
        ("Heat Metal", {"attack": 4, "damage": "2d8 fire"}, "One creature within 90 feet.", {"attack": 4, "range": ""}),
    ],
)  # fmt: skip
def test_a_spell_with_a_text_of_its_own_has_the_parts_that_it_omits(
    name: str, numbers: dict[str, Any], text: str, whole: dict[str, Any]
) -> None:
    own = Feature("own", name, "action", text=f"(2nd-Level; V) {text}", properties=("spell",), **numbers)
    (found,) = with_whole_spells((own,), game_spells("a5e"))
    assert {field: getattr(found, field) for field in whole} == whole


def test_spells_by_rank_are_cast_at_it_so_many_times() -> None:
    found = ranked()
    assert {id: (one.damage, one.uses, one.price, one.dc) for id, one in found.items() if id != "spells"} == {
        "fireball": ("10d6 fire", 1, 2, 25),
        "suggestion": ("", 1, 2, 25),
        "see-invisibility": ("", 0, 1, 0),  # constant
        "fireball-2": ("6d6 fire", 2, 2, 25),
        "lightning-bolt": ("4d12 electricity", 0, 2, 25),
        "haste": ("", 1, 2, 0),
        "fear": ("", 3, 2, 25),
        "umbral-step": ("", 1, 0, 0),
        "light": ("", 0, 2, 0),
        "daze": ("3d6 mental", 0, 2, 25),
    }


def test_the_list_names_those_that_take_as_many_actions_as_most() -> None:
    casting = ranked()["spells"]
    assert (casting.price, casting.attack, casting.dc) == (2, None, 25)
    assert "umbral-step" not in [one.use for one in casting.does]
    assert [one.alternative for one in casting.does] == [False, *[True] * 7]


def test_a_cantrip_is_heightened_to_half_of_the_level_at_least() -> None:
    assert ranked(text="Cantrips: electric arc")["electric-arc"].damage == "6d4 electricity"
    assert ranked(text="Cantrips (1st): electric arc")["electric-arc"].damage == "6d4 electricity"


def test_slots_of_a_rank_are_shared_by_its_spells() -> None:
    text = "DC 25\nrank 3: 2 slots\n3rd: Fireball, Slow\n1st (4 slots): Fear"
    casting = Feature("spells", "Arcane Spontaneous Spells", dc=25, text=text, properties=("spell",))
    features, slots = with_ranked_spells((casting,), game_spells("pf2e"))
    assert slots == {"3": 2, "1": 4}
    assert [(one.id, one.level, one.uses) for one in features[1:]] == [
        ("fireball", 3, 0),
        ("slow", 3, 0),
        ("fear", 1, 0),
    ]


def test_lists_in_a_line_notes_behind_names_and_focus_points() -> None:
    text = "1st charm (2), fear (at will) self only; 4th haste;"
    found = ranked(text=text)
    assert {id: one.uses for id, one in found.items() if id != "spells"} == {"charm": 2, "fear": 0, "haste": 1}
    assert ranked("Devotion Spells", "1 Focus Point\n4th: Lay on Hands")["lay-on-hands"].heals == "24"
    assert ranked("Devotion Spells", "1 Focus Point\n4th: Lay on Hands")["lay-on-hands"].uses == 1


def test_rituals_do_nothing_in_a_fight_and_what_is_constant_reminds_at_the_start() -> None:
    assert ranked("Rituals", "1st: Abyssal Pact")["spells"].automation == "off"
    lasting = ranked(text="DC 25\nConstant (6th): True Seeing")
    assert list(lasting) == ["spells", "true-seeing"]
    assert lasting["true-seeing"].effect
    assert lasting["spells"].automation == "off"
    unknown = ranked(text="DC 25\nConstant (6th): True Seeing\nConstant (5th): Tongues")["spells"]
    assert (unknown.trigger, unknown.automation) == ("starts", "reminds")


def test_a_fireball_of_pathfinder_is_saved_by_degrees_and_spent() -> None:
    block = creature("lich", hp=90, features=tuple(ranked().values()))
    table = Table(creature("ann", hp=90, saves=(("dex", 6),)), block, foes=("lich",), rules=pf2e())
    table.start(lich=20, ann=15)
    before = table.encounter
    table.dice(19, 2, 2, 2, 2, 2, 2)
    table.does(UseFeature("lich", "fireball-2", targets=("ann",)))
    assert (table.one("ann").hp, table.track("lich", "uses.fireball-2"), table.track("lich", "action")) == (84, 1, 1)
    table.session.undo()
    table.session.undo()
    assert table.encounter == before


# At the table --------------------------------------------------------------------------------------------------


def lich(text: str = LICH) -> Table:
    features = tuple(read(text, dc=15, attack=7).values())
    block = creature("lich", hp=90, features=features, slots=(("1", 4), ("3", 1)))
    table = Table("ann", "bob", block, foes=("lich",), rules=dnd5e())
    table.start(lich=20, ann=15, bob=10)
    return table


def test_the_list_is_offered_for_an_action_and_asks_which_spell_and_whom() -> None:
    table = lich()
    offered = {one.action.id: one.refused for one in actions_for(table.encounter, dnd5e(), "lich")}
    assert offered["spellcasting"] == ""
    table.does(UseFeature("lich", "spellcasting"))
    assert (table.prompt.title, table.track("lich", "action")) == ("prompt.feature_step", 0)
    table.session.undo()
    table.does(TakeAction("lich", "spellcasting"))
    assert (table.prompt.title, table.track("lich", "action")) == ("prompt.feature_step", 0)
    table.chooses("use fireball")
    table.dice(3, 20, 1, 1, 1, 1, 1, 1, 1, 2)
    before = table.encounter
    table.chooses("ann", "bob")
    assert (table.one("ann").hp, table.one("bob").hp, table.track("lich", "slots.3")) == (20 - 9, 20 - 4, 0)
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.one("ann").hp == 20 - 9


def test_a_spell_whose_slots_are_spent_is_not_listed() -> None:
    table = lich()
    table.does(TakeAction("lich", "spellcasting"))
    table.chooses("use fireball")
    table.dice(3, 1, 1, 1, 1, 1, 1, 1, 1)
    table.chooses("ann")
    table.ends_turn(3)
    table.does(TakeAction("lich", "spellcasting"))
    assert "use fireball" not in [one.id for one in table.prompt.asks[0].options]


def test_a_missile_hits_without_a_roll() -> None:
    table = lich()
    table.does(TakeAction("lich", "spellcasting"))
    table.chooses("use magic-missile")
    table.dice(1, 2, 3)
    table.chooses("ann")
    assert (table.one("ann").hp, table.track("lich", "slots.1")) == (20 - 9, 3)


PRIEST = """Its spellcasting ability is Wisdom (spell save DC 13, +5 to hit with spell attacks). It has prepared:

1st level (4 slots): cure wounds
2nd level (3 slots): hold person, scorching ray"""


def priest() -> Table:
    casting = Feature("spellcasting", "Spellcasting", text=PRIEST, dc=13, attack=5)
    features = with_spells((casting,), game_spells("dnd5e"), (("wis", 16),))
    block = creature("priest", features=features, slots=(("1", 4), ("2", 3)))
    table = Table(creature("ann", hp=40), block, foes=("priest",), rules=dnd5e())
    table.start(priest=20, ann=15)
    return table


def test_who_is_held_saves_as_each_turn_ends_and_the_end_of_concentration_frees() -> None:
    table = priest()
    table.dice(2)
    table.does(UseFeature("priest", "hold-person", targets=("ann",)))
    assert {"paralyzed"} <= table.effects("ann")
    table.ends_turn()
    table.dice(3)
    table.ends_turn()
    assert "paralyzed" in table.effects("ann")
    before = table.encounter
    table.ends_turn()
    table.dice(19)
    table.ends_turn()
    assert "paralyzed" not in table.effects("ann")
    while table.encounter != before:
        assert table.session.undo() is not None
    assert "paralyzed" in table.effects("ann")


def test_several_rays_are_attacks_of_their_own_for_one_slot() -> None:
    table = priest()
    before = table.encounter
    table.does(TakeAction("priest", "scorching-ray"))
    for faces in ((15, 3, 4), (2,), (16, 1, 1)):
        table.dice(*faces)
        table.chooses("ann")
    assert (table.one("ann").hp, table.track("priest", "slots.2"), table.track("priest", "action")) == (40 - 9, 2, 0)
    while table.encounter != before:
        assert table.session.undo() is not None


def test_a_cure_adds_the_casters_modifier_and_a_higher_slot_a_die() -> None:
    table = priest()
    table.does(ApplyDamage(("ann",), "30"))
    table.dice(4, 5)
    table.does(UseFeature("priest", "cure-wounds", targets=("ann",), level=2))
    assert (table.one("ann").hp, table.track("priest", "slots.2")) == (22, 2)


def test_a_shield_is_asked_about_where_it_turns_the_hit_and_takes_a_slot() -> None:
    casting = Feature("spellcasting", "Spellcasting", text="1st level (4 slots): shield", dc=13, attack=5)
    mage = creature("mage", ac=12, features=with_spells((casting,), game_spells("dnd5e")), slots=(("1", 4),))
    sword = Feature("sword", "Sword", "action", attack=4, damage="1d8 slashing", reach=5)
    table = Table(creature("ann", features=(sword,)), mage, foes=("mage",), rules=dnd5e())
    table.start(ann=20, mage=15)
    before = table.encounter
    table.dice(10)
    table.does(Attack("ann", "mage", "sword"))
    table.chooses(table.prompt.asks[0].options[0].id)
    assert (table.one("mage").hp, table.track("mage", "slots.1"), table.track("mage", "reaction")) == (20, 3, 0)
    while table.encounter != before:
        assert table.session.undo() is not None
    table.dice(18, 3)
    table.does(Attack("ann", "mage", "sword"))
    assert table.one("mage").hp == 17


@pytest.mark.parametrize(
    "said",
    [
        "fly and mirror image at will and has prepared",
        "fly at level 1 and mirror image at level 2 without expending a spell slot. It has",
    ],
)
def test_spells_before_a_list_cost_no_slot(said: str) -> None:
    found = read(LICH.replace("It has prepared:", f"The lich can cast {said} these spells:"), dc=15)
    assert [found[id].level for id in ("fly", "mirror-image", "fireball")] == [None, None, 3]
    uses = [step.use for step in found["spellcasting"].does]
    assert {"fly", "mirror-image"} < set(uses)


def test_a_spell_of_several_rays_is_found_by_its_name_before_its_single_ray() -> None:
    found = [*read("At will: scorching ray", dc=15, attack=7)]
    assert found.index("scorching-ray") < found.index("scorching-ray-each")


def test_spells_that_the_prose_has_at_will_are_listed() -> None:
    text = "The mage can cast light and shield at will and has the following spells prepared:\n• 1st level (4 slots): sleep"
    features = with_spells((Feature("spellcasting", "Spellcasting", text=text),), {})
    assert {"light", "shield", "sleep"} <= {feature.id for feature in features}
    assert {step.use for step in features[0].does} >= {"light", "shield", "sleep"}
