"""Spells that roll at a moment of their bearer, fail saves, or leave out the attack in some variants."""

from __future__ import annotations

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, dnd5e_2024, pf2e
from turnwright.encounter.prepared import Creature, Feature, Map
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Effect, LastingArea
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, FeatureReminded
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.queries.queries import waiting_asks
from turnwright.play.setup.prepared_records import Add
from turnwright.play.table.game_master import DiceRolled
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.conditions.condition_rules import rules_held
from turnwright.rules.parts.economy.limited_uses import spending_vetoes
from turnwright.rules.system import HookContext, creature_of

GAMES = {"dnd5e": dnd5e, "dnd5e-2024": dnd5e_2024, "a5e": a5e, "pf2e": pf2e}
SLOTS = tuple((str(level), 4) for level in range(1, 10))
CLUB = Feature("club", "Club", "action", attack=5, reach=5, damage="1d6+1 bludgeoning", properties=("weapon",))
FIST = Feature("fist", "Fist", "action", attack=5, reach=5, damage="4 bludgeoning", properties=("unarmed",))
BOW = Feature("bow", "Bow", "action", attack=5, range="80/320", damage="1d6+1 piercing", properties=("weapon",))
BLAST = Feature("blast", "Blast", "action", save="dex", dc=15, damage="2d6 fire", area="20-foot radius")
SAVES = (("con", 5), ("dex", 5), ("wis", 5), ("cha", 5), ("str", 5))


def mira() -> Creature:
    numbers = {"level": 13, "proficiency": 5, "spellcasting": "wis", "abilities": (("wis", 18),), "slots": SLOTS}
    spells = Feature("spells", "Spellcasting", "trait", dc=20, attack=10)
    return creature("mira", hp=200, ac=12, features=(CLUB, FIST, spells), **numbers)


def table_of(game: str, *, on_map: bool = False) -> Table:
    kinds = {"ann": "humanoid", "ogre": "giant", "imp": "fiend", "shrub": "plant"}
    others = [
        creature(id, hp=200, ac=11, level=3, saves=SAVES, type=kind, features=(CLUB, FIST, BOW))
        for id, kind in kinds.items()
    ]
    table = Table(mira(), *others, foes=("ogre", "imp", "shrub"), rules=GAMES[game]())
    if on_map:
        table.does(Add((Map(columns=60, rows=60),)))
    table.start(mira=20, ann=15, ogre=10, imp=5, shrub=1)
    for number, who in enumerate(table.order if on_map else ()):
        table.does(ForceMove(who, (1 + number, 1), "teleport"))
    return table


def edges_of(table: Table, who: str, weapon: Feature, target: str) -> set[str]:
    roll = attack_roll(table.encounter, table.rules, AttackInProgress(who, weapon, target))
    return {edge.kind for edge in roll.spec.edges}


@pytest.mark.parametrize(
    ("game", "face", "is_away"),
    [("dnd5e", 11, True), ("dnd5e", 10, False), ("dnd5e-2024", 4, True), ("dnd5e-2024", 3, False), ("a5e", 11, True)],
)
def test_a_roll_at_the_end_of_its_turn_takes_a_blinking_caster_away_until_the_next(
    game: str, face: int, *, is_away: bool
) -> None:
    table = table_of(game)
    table.does(UseFeature("mira", spell="blink"))
    table.dice(face, 1, 1, 1, 1)
    table.ends_turn()
    rules = [rule.what for effect in table.encounter.of(Effect, "mira") for rule in effect.rules]
    assert ("being-targeted" in rules, "targeting" in rules) == (is_away, is_away)
    table.ends_turn(4)
    assert table.active == "mira"
    assert not any(effect.rules for effect in table.encounter.of(Effect, "mira"))
    assert "Blink" in table.effects("mira")


@pytest.mark.parametrize(("game", "dice"), [("dnd5e", "1d10"), ("dnd5e-2024", "1d10"), ("a5e", "1d8")])
def test_the_confused_roll_at_the_start_of_each_turn(game: str, dice: str) -> None:
    table = table_of(game)
    table.dice(1, 5, 1, 3, 20)
    table.does(UseFeature("mira", spell="confusion", targets=("ogre",)))
    table.ends_turn(2)
    rolled, told = table.happened(DiceRolled)[-1], table.happened(FeatureReminded)[-1]
    assert (rolled.dice, rolled.roll.total, told.who, dice[1:] in told.text) == (dice, 5, "ogre", True)
    table.ends_turn(5)
    assert table.happened(DiceRolled)[-1].roll.total == 3
    table.ends_turn()  # it saves
    assert not {"Confusion", "confused"} & table.effects("ogre")


@for_each("game", [*GAMES])
def test_an_area_spreads_from_a_square_in_range(game: str) -> None:
    table = table_of(game, on_map=True)
    table.does(ForceMove("mira", (1, 1), "teleport"))
    cloud = Feature("cloud", "Cloud", "action", range="60", area="10-foot radius", save="con", dc=15, damage="7 poison")
    breath = msgspec.structs.replace(cloud, range="", area="15-foot cone")
    refused = table.refuses(UseFeature("mira", given=cloud, targets=("ogre",), origin=(14, 1)))
    assert (refused.key, refused.params["feet"], refused.params["range"]) == ("refused.out_of_range", 65, 60)
    table.dice(1, 1)
    table.does(UseFeature("mira", given=cloud, targets=("ogre",), origin=(13, 1)))
    table.ends_turn(5)
    table.does(UseFeature("mira", given=breath, targets=("ogre",), origin=(40, 1)))  # a direction


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize(("is_held", "hurt"), [(True, True), (False, False)])
def test_the_restrained_fail_against_tentacles_without_a_roll(game: str, *, is_held: bool, hurt: bool) -> None:
    table = table_of(game, on_map=True)
    table.does(UseFeature("mira", spell="black-tentacles", origin=(30, 30)), anyway=True)
    table.dice(20, *[2] * 9)
    table.does(ForceMove("ogre", (30, 30), "teleport"))
    assert table.one("ogre").hp == 200
    if is_held:
        table.does(ApplyCondition(("ogre",), "restrained"))
    table.dice(*([] if is_held else [20]), *[2] * 9)
    table.ends_turn(2)
    assert (table.one("ogre").hp < 200) is hurt


@pytest.mark.parametrize(("game", "lost"), [("dnd5e", 64), ("dnd5e-2024", 16), ("a5e", 64)])
def test_plants_wither(game: str, lost: int) -> None:
    table = table_of(game)
    table.dice(*([20, 1] if game != "dnd5e-2024" else []), *[2] * 9)
    table.does(UseFeature("mira", spell="blight", targets=("shrub",)))
    assert table.one("shrub").hp == 200 - lost
    table.ends_turn(5)
    table.dice(20, *[2] * 9)
    table.does(UseFeature("mira", spell="blight", targets=("ogre",)))
    assert table.one("ogre").hp == 200 - 8


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
def test_a_spell_on_its_caster_with_a_later_attack_protects_the_caster_alone(game: str) -> None:
    table = table_of(game)
    table.does(UseFeature("mira", spell="dispel-evil-and-good"))
    assert [edges_of(table, who, CLUB, "mira") for who in ("imp", "ogre")] == [{"disadvantage"}, set()]
    table.ends_turn(5)
    table.dice(15, 1, *[1] * 9)
    table.does(UseFeature("mira", spell="dispel-evil-and-good", targets=("imp",), purpose="again"))
    assert [edges_of(table, "shrub", CLUB, target) for target in ("imp", "mira")] == [
        {"advantage"} if game == "a5e" else set(),  # it is stunned there
        set(),
    ]
    assert edges_of(table, "imp", CLUB, "mira") == ({"disadvantage"} if game == "a5e" else set())  # it has ended


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
@pytest.mark.parametrize("number", range(5))
def test_only_one_variant_of_the_hand_attacks(game: str, number: int) -> None:
    table = table_of(game)
    table.does(UseFeature("mira", spell="arcane-hand", targets=("ogre",), level=6))
    variant = table.prompt.asks[0].options[number].id
    saves = game == "dnd5e-2024" and variant in ("forceful hand", "grasping hand")
    fist = {"dnd5e": 6, "dnd5e-2024": 7, "a5e": 6}[game]
    table.dice(*([15] if variant in ("clenched fist", "smash") else [1] if saves else []), *[1] * 9)
    table.chooses(variant)
    crushed = {"dnd5e": 4, "dnd5e-2024": 6, "a5e": 4}[game]
    lost = fist if variant in ("clenched fist", "smash") else crushed if variant.startswith("crush") else 0
    assert (200 - table.one("ogre").hp, table.prompts) == (lost, [])
    assert ("grappled" in table.effects("ogre")) is (variant in ("grasping hand", "snatch"))
    assert {"Arcane Hand", "concentrating"} <= {each.removesuffix(" (2024)") for each in table.effects("mira")}


@pytest.mark.parametrize(("level", "dice"), [(2, "2d10+4"), (4, "4d10+4")])
def test_a_reaction_lessens_damage_by_more_in_a_higher_slot(level: int, dice: str) -> None:
    table = table_of("a5e")
    table.does(UseFeature("mira", spell="force-of-will", level=level))
    assert [each.leaves.reduces for each in table.encounter.of(Effect, "mira") if each.leaves] == [dice]


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_a_bead_that_waits_explodes_with_a_die_for_each_turn(game: str) -> None:
    table = table_of(game)
    table.does(UseFeature("mira", spell="delayed-blast-fireball", level=8))
    table.chooses("at once")
    assert table.one("ogre").hp == 200
    table.ends_turn(10)
    table.dice(1, *[1] * 15)
    table.does(UseFeature("mira", spell="delayed-blast-fireball", targets=("ogre",), purpose="again"))
    table.chooses("after 2 turns")
    assert table.one("ogre").hp == 200 - 15


def test_an_aura_gives_a_hit_point_to_the_fallen() -> None:
    table = table_of("dnd5e-2024")
    table.does(UseFeature("mira", spell="aura-of-life", targets=("ann", "mira")))
    table.ends_turn()
    assert table.one("ann").hp == 200
    table.ends_turn(4)
    table.does(ApplyDamage(("ann",), "210 fire"))
    assert table.one("ann").hp == 0
    table.ends_turn()
    assert table.one("ann").hp == 1


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
def test_pass_without_trace_is_for_its_caster_too(game: str) -> None:
    table = table_of(game, on_map=True)
    table.does(UseFeature("mira", spell="pass-without-trace"))
    assert any(one.rules for one in table.encounter.of(Effect, "mira") if one.name.startswith("Pass Without Trace"))


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024"])
@pytest.mark.parametrize(("variant", "squares"), [("cage", 4), ("box", 2)])
def test_the_form_of_a_cage_decides_its_size(game: str, variant: str, squares: int) -> None:
    table = table_of(game, on_map=True)
    table.does(UseFeature("mira", spell="forcecage", origin=(20, 20)))
    table.chooses(variant)
    (area,) = table.encounter.all(LastingArea)
    assert [row[2:] for row in area.squares] == [(squares, squares)]
    assert ("concentrating" in table.effects("mira")) is (game == "dnd5e-2024")


def hampered_by(game: str, number: int) -> set[str]:
    table = table_of(game)
    table.does(UseFeature("mira", spell="contagion", targets=("ogre",)))
    table.dice(15)
    table.chooses(table.prompt.asks[0].options[number].id)
    return {weapon.id for weapon in (CLUB, BOW) if "disadvantage" in edges_of(table, "ogre", weapon, "ann")}


@pytest.mark.parametrize(("game", "dexterity"), [("dnd5e", {"bow"}), ("a5e", {"club", "bow"})])  # or rattled
def test_a_disease_hampers_attacks_with_one_ability(game: str, dexterity: set[str]) -> None:
    usual = hampered_by(game, 2)
    assert [hampered_by(game, number) - usual for number in (1, 3, 5)] == [{"club"}, set(), set()]
    assert {"bow"} <= hampered_by(game, 4) <= dexterity


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_slimy_doom_stuns_its_bearer_when_it_is_damaged(game: str) -> None:
    table = table_of(game)
    table.does(UseFeature("mira", spell="contagion", targets=("ogre",)))
    table.dice(15)
    table.chooses("slimy doom")
    table.does(ApplyDamage(("ogre",), "5 fire", by="ann"))
    table.chooses(table.prompt.asks[0].options[0].id)
    assert ("stunned" in table.effects("ogre"), "stunned" in table.effects("ann")) == (True, False)
    table.dice(1, 1)
    table.ends_turn(3)
    assert "stunned" not in table.effects("ogre")


@pytest.mark.parametrize(
    ("game", "spell", "hurts"),
    [
        ("dnd5e", "cloudkill", False),
        ("dnd5e-2024", "cloudkill", True),
        ("a5e", "cloudkill", False),
        ("a5e", "eldritch-cube", False),
        ("dnd5e", "moonbeam", False),
    ],
)
def test_an_area_used_again_at_another_place_moves_there(game: str, spell: str, *, hurts: bool) -> None:
    table = table_of(game, on_map=True)
    table.does(UseFeature("mira", spell=spell, origin=(20, 20)))
    table.ends_turn(5)
    table.does(ForceMove("ogre", (40, 40), "teleport"))
    table.dice(1, *[1] * 9)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), origin=(40, 40), purpose="again"))
    (area,) = table.encounter.all(LastingArea)
    assert min(column for column, *_ in area.squares) > 30
    # Only newer rules count the area's own movement, once on a turn.
    assert table.one("ogre").hp == (195 if hurts else 200)
    table.does(ForceMove("imp", (20, 20), "teleport"))
    assert (table.prompts, table.one("imp").hp) == ([], 200)
    table.dice(1, *[1] * 9)
    table.does(UseFeature("mira", spell=spell, targets=("imp",), purpose="again"), anyway=True)
    assert table.one("imp").hp < 200  # without a place, it does what it does to creatures in its area


@pytest.mark.parametrize(
    ("game", "spell", "number", "damage"),
    [
        ("dnd5e-2024", "conjure-elemental", 2, "9d8 fire"),
        ("dnd5e-2024", "conjure-elemental", 3, "9d8 cold"),
        ("dnd5e", "control-water", 3, "2d8 bludgeoning"),
    ],
)
def test_a_variant_decides_what_a_spell_does_in_its_area_later(game: str, spell: str, number: int, damage: str) -> None:
    table = table_of(game, on_map=True)
    table.does(UseFeature("mira", spell=spell, origin=(20, 20), level=6), anyway=True)
    table.chooses(table.prompt.asks[0].options[number].id)
    assert [each.leaves.damage for each in table.encounter.of(Effect, "mira") if each.leaves] == [damage]


@pytest.mark.parametrize(
    ("game", "spell"),
    [("dnd5e", "banishment"), ("dnd5e-2024", "banishment"), ("a5e", "banishment"), ("dnd5e", "maze"), ("a5e", "maze")],
)
def test_no_area_reaches_a_creature_that_a_spell_has_taken_away(game: str, spell: str) -> None:
    table = table_of(game)
    table.dice(*[1] * 9)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    if (game, spell) == ("dnd5e", "banishment"):
        table.chooses("to a demiplane")
    if (game, spell) == ("a5e", "banishment"):
        table.chooses()  # it is at home here
    table.ends_turn()
    table.dice(1, 1, *[1] * 20)
    table.does(UseFeature("ann", given=BLAST, targets=("ogre", "imp")))
    assert (table.one("ogre").hp, table.one("imp").hp < 200) == (200, True)
    table.ends_turn(4)
    table.dice(*[20] * 9)
    table.does(UseFeature("mira", spell="dispel-magic", targets=("ogre",), level=9))
    table.ends_turn()
    table.dice(1, 1, *[1] * 20)
    table.does(UseFeature("ann", given=BLAST, targets=("ogre",)))
    assert table.one("ogre").hp < 200


@pytest.mark.parametrize(("column", "lost"), [(2, 2), (7, 2), (8, 0)])
def test_a_weapon_attack_of_a_spell_reaches_as_far_as_the_spell(column: int, lost: int) -> None:
    table = table_of("a5e", on_map=True)
    table.does(ForceMove("ogre", (column, 1), "teleport"))
    swing = UseFeature("mira", spell="air-wave", targets=("ogre",))
    if not lost:
        assert table.refuses(swing).params["feet"] == 35
        return
    table.does(swing)
    table.dice(15, 1)
    table.chooses(table.prompt.asks[0].options[0].id)
    assert table.one("ogre").hp == 200 - lost


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
def test_animal_shapes_are_of_a_rating_up_to_four_and_keep_the_mind(game: str) -> None:
    mind = {"abilities": (("int", 16), ("str", 8)), "level": 1}
    beasts = {"bear": "4", "mammoth": "6", "hydra": "3"}
    blocks = [
        creature(id, hp=30, type="monstrosity" if id == "hydra" else "beast", rating=rating, abilities=(("int", 2),))
        for id, rating in beasts.items()
    ]
    table = Table(mira(), creature("ann", hp=20, **mind), *blocks, foes=tuple(beasts), rules=GAMES[game]())
    table.start(mira=20, ann=15, bear=3, mammoth=2, hydra=1)
    table.does(UseFeature("mira", spell="animal-shapes", targets=("ann",)))
    assert [option.id for option in table.prompt.asks[0].options] == ["bear", "pass"]
    table.chooses("bear")
    assert dict(creature_of(table.encounter, table.one("ann")).abilities)["int"] == 16
    table.does(ApplyDamage(("ann",), "32 fire"))
    shaped = "animal-shape" in {each.removesuffix("-2024") for each in table.effects("ann")}
    # Older rules replace the hit points, and newer ones protect them with temporary ones.
    assert (table.one("ann").hp, shaped) == (18, game == "dnd5e-2024")


@pytest.mark.parametrize(
    ("game", "roll", "acts", "moves"),
    [
        ("a5e", 4, False, False),
        ("a5e", 6, False, True),
        ("a5e", 7, True, True),
        ("dnd5e", 1, False, True),
        ("dnd5e", 6, False, False),
        ("dnd5e", 9, True, True),
        ("dnd5e-2024", 8, True, False),
        ("dnd5e-2024", 10, True, True),
    ],
)
def test_the_roll_of_the_confused_decides_what_they_can_do(game: str, roll: int, *, acts: bool, moves: bool) -> None:
    table = table_of(game)
    table.dice(1, roll, 20)
    table.does(UseFeature("mira", spell="confusion", targets=("ogre",)))
    table.ends_turn(2)
    speed = table.rules.allowance(table.encounter, table.rules, "ogre", "walk")
    assert bool(spending_vetoes(table.encounter, table.rules, "ogre", "action")) is not acts
    assert (speed is not None and speed.total > 0) is moves
    table.ends_turn()
    assert "Confusion" not in table.effects("ogre")


@pytest.mark.parametrize("game", GAMES)
def test_temporary_hit_points_of_a_spell_outlast_the_turn_in_which_it_was_cast(game: str) -> None:
    table = table_of(game)
    table.dice(4, 4)
    table.does(UseFeature("mira", spell="false-life"))
    gained = table.one("mira").temp_hp
    table.ends_turn(2)
    assert gained == table.one("mira").temp_hp > 4


@pytest.mark.parametrize(("rolled", "asleep"), [(1, []), (10, ["weak"])])
def test_a_sleep_that_nobody_falls_into_rattles_the_weakest(rolled: int, asleep: list[str]) -> None:
    table = Table(mira(), creature("weak", hp=30), creature("strong", hp=60), foes=("weak", "strong"), rules=a5e())
    table.start(mira=20, weak=10, strong=5)
    table.dice(*[rolled] * 4)
    table.does(UseFeature("mira", spell="sleep", targets=("strong", "weak")))
    assert [who for who in ("weak", "strong") if "unconscious" in table.effects(who)] == asleep
    assert [who for who in ("weak", "strong") if "rattled" in table.effects(who)] == ["weak"] * (not asleep)


@pytest.mark.parametrize(("game", "weapon", "hurt"), [("dnd5e", "club", 5), ("a5e", "club", 5), ("a5e", "bow", 2)])
def test_an_enchanted_weapon_is_magical_and_others_of_its_bearer_are_not(game: str, weapon: str, hurt: int) -> None:
    ogre = creature("ogre", hp=200, ac=5, mundane_resistance=True)
    ann = creature("ann", hp=50, features=(CLUB, BOW))
    table = Table(mira(), ann, ogre, foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ann=15, ogre=10)
    table.does(UseFeature("mira", spell="magic-weapon", targets=("ann",)))
    table.chooses("Club")
    table.ends_turn()
    table.dice(10, 3)
    table.does(Attack("ann", "ogre", weapon))
    assert 200 - table.one("ogre").hp == hurt


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize("targets", [(), ("ogre",)])
def test_a_flame_burns_on_only_if_it_isnt_thrown_at_once(game: str, targets: tuple[str, ...]) -> None:
    table = table_of(game, on_map=True)
    table.dice(15, 3, 3, 3)
    table.does(UseFeature("mira", spell="produce-flame", targets=targets))
    assert ("Produce Flame" in table.effects("mira")) is not targets
    assert bool(list(table.encounter.all(LastingArea))) is not targets


def test_each_round_on_another_plane_makes_the_save_to_return_harder() -> None:
    table = table_of("a5e")
    table.dice(1, 4)
    table.does(UseFeature("mira", spell="banishment", targets=("ogre",)))
    table.chooses()
    table.ends_turn(2)
    needed = []
    for _ in range(3):
        needed.append(sum(each.value for each in save_roll(table.encounter, table.rules, "ogre", "cha").modifiers))
        table.dice(1)
        table.ends_turn(5)
    assert needed == [5, 4, 3]


def test_a_misleading_caster_is_invisible_until_it_casts_another_spell() -> None:
    table = table_of("a5e")
    table.does(UseFeature("mira", spell="mislead"))
    table.ends_turn(5)
    table.dice(15, 3)
    table.does(Attack("mira", "ogre", "club"))
    assert "out-of-sight" in table.effects("mira")
    table.does(UseFeature("mira", spell="healing-word", targets=("mira",)))
    assert {"Mislead"} == {"out-of-sight", "Mislead"} & set(table.effects("mira"))


@pytest.mark.parametrize(("target", "stays"), [("mira", True), ("ann", False)])
def test_a_hit_ends_a_blur_except_on_its_caster(target: str, *, stays: bool) -> None:
    table = table_of("a5e")
    table.does(UseFeature("mira", spell="blur", targets=("mira", "ann"), level=4))
    table.ends_turn(2)
    table.dice(19, 18, 3, 20)
    table.does(Attack("ogre", target, "club"))
    assert ("Blur" in table.effects(target)) is stays


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_an_order_hurts_only_once_a_day(game: str) -> None:
    table = table_of(game)
    table.dice(1)
    table.does(UseFeature("mira", spell="geas", targets=("ogre",), cost="none"), anyway=True)
    if game == "a5e":
        table.chooses()  # it understands the caster
    table.ends_turn(3)
    (ask,) = waiting_asks(table.prompt)
    table.dice(*[2] * 5)
    table.chooses(ask.options[0].id)
    hurt = 200 - table.one("ogre").hp
    table.ends_turn(6)
    assert (hurt, table.prompts) == (10, [])


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize(("answer", "hurt", "again"), [("shield", 0, 0), ("pass", 9, 18)])
def test_a_shield_can_stop_magic_missiles_at_once_and_while_it_lasts(
    game: str, answer: str, hurt: int, again: int
) -> None:
    rules = GAMES[game]()
    shield = next(spell for spell in rules.data.spells if spell.id == "shield")
    ann = creature("ann", hp=50, slots=SLOTS, features=(spell_feature(shield, Caster(15, 5, 3, 5)),))
    table = Table(mira(), ann, foes=("ann",), rules=rules)
    table.start(mira=20, ann=10)
    losses = []
    for chosen in (answer, "pass"):
        table.dice(2, 2, 2)
        table.does(UseFeature("mira", spell="magic-missile", targets=("ann",)), anyway=True)
        table.chooses(chosen) if table.prompts else None
        losses.append(50 - table.one("ann").hp)
    assert losses == [hurt, again]


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize(("spell", "condition"), [("calm-emotions", "frightened"), ("faerie-fire", "invisible")])
def test_immunity_by_a_spell_suppresses_a_condition_only_while_it_lasts(game: str, spell: str, condition: str) -> None:
    table = table_of(game)
    table.does(ApplyCondition(("ann",), condition))
    what = {"frightened": ("disadvantage", "attack"), "invisible": ("deny", "being-seen")}[condition]

    def applies() -> bool:
        found = rules_held(table.encounter, table.rules, "ann", {what[1]}, HookContext("ann"), what[0])
        return any(getattr(each.source, "id", "") == condition for each in found)

    before = applies()
    table.dice(1)
    table.does(UseFeature("mira", spell=spell, targets=("ann",)))
    while table.prompts:
        (ask,) = waiting_asks(table.prompt)
        table.chooses(*[one.id for one in ask.options][:1])
    during = applies()
    table.does(Concentrate("mira", ""))
    assert (before, during, applies(), condition in table.effects("ann")) == (True, False, True, True)


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize(
    ("globe", "spell", "slot", "is_hurt"),
    [(6, "fireball", 8, False), (6, "disintegrate", 6, True), (7, "disintegrate", 8, False)],
)
def test_a_globe_counts_the_level_of_a_spell_without_that_of_its_slot(
    game: str, globe: int, spell: str, slot: int, *, is_hurt: bool
) -> None:
    caster = msgspec.structs.replace(mira(), id="ann", name="Ann")
    table = Table(mira(), caster, foes=("ann",), rules=GAMES[game]())
    table.does(Add((Map(columns=60, rows=60),)))
    table.start(mira=20, ann=10)
    table.does(ForceMove("mira", (1, 1), "teleport"))
    table.does(ForceMove("ann", (8, 1), "teleport"))
    table.does(UseFeature("mira", spell="globe-of-invulnerability", level=globe))
    table.ends_turn()
    table.dice(2, *[2] * 20)
    table.does(UseFeature("ann", spell=spell, targets=("mira",), level=slot, origin=(1, 1)))
    assert (table.one("mira").hp < 200) is is_hurt


def test_contact_with_another_plane_risks_a_mind_once_against_its_own_dc() -> None:
    table = table_of("a5e")
    table.does(UseFeature("mira", spell="contact-other-plane", cost="none"), anyway=True)
    table.dice(14, *[2] * 6)
    table.ends_turn()
    assert (table.one("mira").hp, table.track("mira", "strife")) == (200 - 12, 4)
    table.ends_turn(6)
    assert "Contact Other Plane" not in table.effects("mira")
