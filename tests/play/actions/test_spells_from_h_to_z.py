"""Clauses of spells of D&D and A5E: limits of hit points, later damage, light, chosen damage, and denied reactions."""

from __future__ import annotations

import pytest

from tests.play.actions.test_clauses_of_spells import CLUB, GAMES, mira, table_of
from tests.table import Table, a5e, creature, dnd5e, dnd5e_2024
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import standing_areas
from turnwright.play.actions.contest import BreakFree
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll, spellcasting_roll
from turnwright.rules.parts.economy.limited_uses import spending_vetoes
from turnwright.rules.parts.movement.move_legs import can_react

ALL = GAMES | {"dnd5e-2024": dnd5e_2024}


def hp_of(table: Table, who: str = "ogre") -> tuple[int, bool]:
    one = table.encounter.need(Combatant, who)
    return one.hp, one.dead


@pytest.mark.parametrize(
    ("game", "hp", "after"),
    [
        ("dnd5e", 100, (0, True)),
        ("dnd5e", 101, (101, False)),
        ("dnd5e-2024", 100, (0, True)),
        ("dnd5e-2024", 101, (65, False)),
        ("a5e", 100, (0, True)),
        ("a5e", 101, (51, False)),
    ],
)
def test_a_word_of_power_kills_the_weak_and_may_hurt_the_strong(game: str, hp: int, after: tuple[int, bool]) -> None:
    table = table_of(ALL[game]())
    table.does(ApplyDamage(("ogre",), str(200 - hp)))
    table.dice(*[3] * 12)
    table.does(UseFeature("mira", spell="power-word-kill", targets=("ogre",)))
    assert hp_of(table) == after


@pytest.mark.parametrize(("game", "level", "hurt"), [("dnd5e-2024", 0, 20), ("dnd5e-2024", 5, 25), ("a5e", 4, 20)])
def test_a_nightmare_hurts_with_each_failed_save_until_one_succeeds(game: str, level: int, hurt: int) -> None:
    table = table_of(ALL[game]())
    table.dice(1, *[5] * 5)
    table.does(UseFeature("mira", spell="phantasmal-killer", targets=("ogre",), level=level or None))
    assert hp_of(table)[0] == 200 - hurt
    table.ends_turn(3)
    table.dice(1, *[5] * 5)
    table.ends_turn()
    assert hp_of(table)[0] == 200 - 2 * hurt
    table.ends_turn(4)
    table.dice(20, *[5] * 5)
    table.ends_turn()
    assert hp_of(table)[0] == 200 - 2 * hurt
    assert "ongoing" not in table.effects("ogre")


@pytest.mark.parametrize(
    ("game", "spell", "level", "who", "left"),
    [
        ("dnd5e", "searing-smite", 3, "ogre", "3d6 fire"),
        ("dnd5e", "wall-of-ice", 8, "mira", "7d6 cold"),
        ("a5e", "wall-of-ice", 7, "mira", "6d6 cold"),
        ("a5e", "venomous-succor", 5, "ogre", "4d4"),
        ("a5e", "wall-of-fire", 6, "mira", "7d8 fire"),
        ("dnd5e", "vitriolic-sphere", 6, "ogre", "5d4 acid"),
    ],
)
def test_later_damage_rises_by_its_own_amount(game: str, spell: str, level: int, who: str, left: str) -> None:
    table = table_of(ALL[game]())
    table.dice(*[1] * 40)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",), level=level))
    leaves = [one.leaves for one in table.encounter.of(Effect, who) if one.leaves is not None]
    assert [one.damage or one.heals for one in leaves] == [left]


def test_a_smite_hurts_at_once_and_at_the_start_of_turns() -> None:
    table = table_of(dnd5e_2024())
    table.dice(4)
    table.does(UseFeature("mira", spell="searing-smite", targets=("ogre",)))
    assert hp_of(table)[0] == 196
    table.dice(5, 1)
    table.ends_turn(3)
    assert hp_of(table)[0] == 191


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
@pytest.mark.parametrize("kind", ["radiant", "necrotic"])
def test_the_damage_of_guardians_is_chosen_for_all_turns(game: str, kind: str) -> None:
    table = table_of(ALL[game](), on_map=True)
    table.does(ForceMove("ogre", (2, 2), "teleport"))
    table.does(UseFeature("mira", spell="spirit-guardians"))
    table.chooses(kind)
    left = next(one.leaves for one in table.encounter.of(Effect, "mira") if one.leaves is not None)
    assert left.damage.endswith(kind)
    table.ends_turn(2)
    table.dice(1, *[5] * 3)
    table.ends_turn(2)
    assert hp_of(table)[0] == 185


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
def test_a_flame_in_the_hand_lights_its_surroundings(game: str) -> None:
    table = table_of(ALL[game](), on_map=True)
    table.does(UseFeature("mira", spell="produce-flame"))
    radius = 20 if game == "dnd5e-2024" else 10
    assert [(one.light, one.radius) for one in standing_areas(table.encounter)] == [("bright", radius)]
    table.ends_turn(5)
    table.dice(15, *[3] * 2)
    table.does(ForceMove("ogre", (5, 1), "teleport"))
    table.does(UseFeature("mira", spell="produce-flame", targets=("ogre",), purpose="again"))
    assert hp_of(table)[0] == 194


def test_spores_stay_on_those_in_the_cloud_when_it_appeared() -> None:
    table = table_of(a5e(), on_map=True)
    table.does(UseFeature("mira", spell="sporesight", targets=("ogre",), origin=(19, 1)), anyway=True)
    table.does(ForceMove("ogre", (35, 35), "teleport"))
    assert "Sporesight" in table.effects("ogre")
    table.does(UseFeature("mira", spell="fog-cloud", targets=("ann",), origin=(7, 1)), anyway=True)
    assert "Fog Cloud" not in table.effects("ann")  # the fog on the map hinders sight


@pytest.mark.parametrize(("game", "any_reaction"), [("dnd5e", False), ("dnd5e-2024", True), ("a5e", False)])
def test_a_shock_denies_reactions_or_only_opportunity_attacks(game: str, any_reaction: bool) -> None:
    table = table_of(ALL[game]())
    table.dice(15, *[3] * 2)
    table.does(UseFeature("mira", spell="shocking-grasp", targets=("ogre",)))
    if not any_reaction:
        table.chooses("no metal armor")
    assert can_react(table.encounter, table.rules, "ogre") is any_reaction
    assert not can_react(table.encounter, table.rules, "ogre", "opportunity")
    assert can_react(table.encounter, table.rules, "imp", "opportunity")
    table.ends_turn(3)
    assert can_react(table.encounter, table.rules, "ogre", "opportunity")


@pytest.mark.parametrize(("kind", "hurt"), [("bludgeoning", 5), ("fire", 7)])
def test_resistance_takes_dice_off_the_damage_of_a_type(kind: str, hurt: int) -> None:
    table = table_of(dnd5e_2024())
    table.does(UseFeature("mira", spell="resistance", targets=("ann",)))
    table.chooses(kind)
    table.ends_turn(3)
    table.dice(15, 6, *[2] * (kind == "bludgeoning"))
    table.does(Attack("ogre", "ann", "club"))
    assert hp_of(table, "ann")[0] == 200 - hurt


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize("type", ["fiend", "giant"])
def test_protection_helps_against_charms_of_such_creatures(game: str, type: str) -> None:
    table = Table(mira(), "ann", creature("imp", type=type), foes=("imp",), rules=ALL[game]())
    table.start(mira=20, ann=10, imp=5)
    table.does(UseFeature("mira", spell="protection-from-evil-and-good", targets=("ann",)))
    threats = ("frightened", "charmed", "poisoned")
    specs = [save_roll(table.encounter, table.rules, "ann", "wis", "imp", (f"against:{each}",)) for each in threats]
    assert [bool(spec.edges) for spec in specs] == [type == "fiend", type == "fiend", False]


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
@pytest.mark.parametrize("is_blind", [False, True])
def test_images_fool_only_attackers_that_can_see(game: str, is_blind: bool) -> None:
    table = table_of(ALL[game]())
    table.does(UseFeature("mira", spell="mirror-image"))
    if is_blind:
        table.does(ApplyCondition(("ogre",), "blinded"))
    table.ends_turn(3)
    table.dice(15, *([15] if is_blind else [6] * (3 if game == "dnd5e-2024" else 1)))
    table.does(Attack("ogre", "mira", "club"))
    (images,) = [one for one in table.encounter.of(Effect, "mira") if one.name.startswith("Mirror Image")]
    assert images.uses_left == 2 + is_blind


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
def test_a_slow_creature_acts_or_takes_a_bonus_action(game: str) -> None:
    table = table_of(ALL[game]())
    table.dice(1)
    table.does(UseFeature("mira", spell="slow", targets=("ogre",)))
    table.ends_turn(3)
    costs = ("action", "bonus")
    assert not any(spending_vetoes(table.encounter, table.rules, "ogre", cost, 1) for cost in costs)
    table.dice(2)
    table.does(Attack("ogre", "ann", "club"))
    assert all(spending_vetoes(table.encounter, table.rules, "ogre", cost, 1) for cost in costs)


def test_a_spellcasting_check_uses_the_casters_own_ability() -> None:
    abilities = (("int", 20), ("wis", 14))
    casters = [creature(id, abilities=abilities, spellcasting=own) for id, own in (("ann", "wis"), ("bob", ""))]
    table = Table(*casters, rules=dnd5e())
    table.start(ann=10, bob=5)
    own, best = (spellcasting_roll(table.encounter, table.rules, who) for who in ("ann", "bob"))
    assert own == check_roll(table.encounter, table.rules, "ann", "wis")
    assert best == check_roll(table.encounter, table.rules, "bob", "int")


@pytest.mark.parametrize(("size", "is_moved"), [("huge", True), ("gargantuan", False)])
@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024"])
def test_the_force_of_a_mind_lifts_only_huge_creatures_or_smaller(game: str, size: str, is_moved: bool) -> None:
    table = Table(mira(), creature("ogre", size=size), foes=("ogre",), rules=ALL[game]())
    table.start(mira=20, ogre=5)
    cast = UseFeature("mira", spell="telekinesis", targets=("ogre",))
    if is_moved:
        table.dice(10, 1)
        table.does(cast)
        assert "restrained" in table.effects("ogre")
    else:
        table.refuses(cast)


def test_a_creature_that_saved_against_an_aura_of_hell_is_spared() -> None:
    table = table_of(a5e())
    table.does(UseFeature("mira", spell="heart-of-dis"), anyway=True)
    table.ends_turn(2)
    table.dice(20)
    table.ends_turn()
    table.chooses("ogre")
    table.ends_turn(4)
    table.dice(1)
    table.ends_turn()
    assert "frightened" not in table.effects("ogre")


@pytest.mark.parametrize(("face", "is_slowed"), [(20, True), (15, False)])
def test_an_infernal_spear_slows_with_a_critical_hit(face: int, is_slowed: bool) -> None:
    table = table_of(a5e())
    table.does(UseFeature("mira", spell="infernal-weapon"))
    table.ends_turn(5)
    table.dice(face, *[3] * 10)
    table.does(UseFeature("mira", spell="infernal-weapon", targets=("ogre",), purpose="again"))
    table.chooses("ice spear")
    if table.prompts:
        table.chooses("pass")  # it doesn't let its shield break
    slowed = [(one.save, one.dc) for one in table.encounter.of(Effect, "ogre") if one.name == "slowed"]
    assert slowed == [("con", 20)] * is_slowed


@pytest.mark.parametrize(
    ("game", "face", "is_poisoned"), [("dnd5e", 1, True), ("dnd5e", 20, False), ("dnd5e-2024", 20, True)]
)
def test_a_sickening_ray_allows_a_save_only_in_the_older_rules(game: str, face: int, is_poisoned: bool) -> None:
    table = table_of(ALL[game]())
    table.dice(15, 3, 3, *[face] * (game == "dnd5e"))
    table.does(UseFeature("mira", spell="ray-of-sickness", targets=("ogre",)))
    assert (hp_of(table)[0], "poisoned" in table.effects("ogre")) == (194, is_poisoned)


def test_a_tidal_wave_weakens_by_a_die_each_round() -> None:
    table = table_of(dnd5e_2024())
    table.dice(1, *[3] * 6)
    table.does(UseFeature("mira", spell="tsunami", targets=("ogre",)), anyway=True)
    table.chooses("when the wall appears")
    assert hp_of(table)[0] == 182
    table.ends_turn(5)
    table.dice(20)
    table.does(UseFeature("mira", spell="tsunami", targets=("ogre",), purpose="again"))
    table.chooses("second round")
    assert hp_of(table)[0] == 182


@pytest.mark.parametrize(
    ("game", "spell", "target", "lasts"),
    [
        ("dnd5e", "bless", "ann", True),
        ("a5e", "bless", "ann", True),
        ("dnd5e-2024", "bless", "ann", False),
        ("dnd5e", "sacred-flame", "ogre", False),
        ("a5e", "sacred-flame", "ogre", False),
        ("a5e", "club", "ogre", False),
    ],
)
def test_a_sanctuary_ends_with_a_spell_at_an_enemy(game: str, spell: str, target: str, lasts: bool) -> None:
    table = table_of(ALL[game]())
    table.does(UseFeature("mira", spell="sanctuary", targets=("mira",)))
    table.ends_turn(5)
    table.dice(*[5] * 3)
    means = Attack("mira", target, "club") if spell == "club" else UseFeature("mira", spell=spell, targets=(target,))
    table.does(means)
    assert ("Sanctuary" in table.effects("mira")) is lasts


def test_the_rage_of_a_mage_denies_other_spells_but_not_its_own_strikes() -> None:
    table = table_of(a5e())
    table.does(UseFeature("mira", spell="rage-of-the-meek"))
    table.dice(15, *[3] * 4)
    table.does(UseFeature("mira", spell="rage-of-the-meek", targets=("ogre",), purpose="again"))
    assert hp_of(table)[0] == 188
    assert "no_casting" in str(table.refuses(UseFeature("mira", spell="bless", targets=("ann",))))
    table.ends_turn(3)
    table.dice(15, 5)
    table.does(Attack("ogre", "mira", "club"))
    assert hp_of(table, "mira")[0] == 197


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_a_caster_who_dispels_evil_is_protected_before_any_attack(game: str) -> None:
    imp = creature("imp", type="fiend", features=(CLUB,))
    table = Table(
        mira(), imp, creature("ogre", type="giant", features=(CLUB,)), foes=("imp", "ogre"), rules=ALL[game]()
    )
    table.start(mira=20, imp=10, ogre=5)
    table.does(UseFeature("mira", spell="dispel-evil-and-good"))
    rolls = [attack_roll(table.encounter, table.rules, AttackInProgress(who, CLUB, "mira")) for who in ("imp", "ogre")]
    assert [[edge.kind for edge in roll.spec.edges] for roll in rolls] == [["disadvantage"], []]


@pytest.mark.parametrize(
    ("choice", "who", "had"), [("dismissal", "imp", set()), ("break enchantment", "mira", {"charmed"})]
)
def test_dispelling_evil_by_the_rules_of_2024_ends_with_a_dismissal_or_a_touch(
    choice: str, who: str, had: set[str]
) -> None:
    imp = creature("imp", type="fiend", features=(CLUB,))
    table = Table(mira(), imp, foes=("imp",), rules=dnd5e_2024())
    table.start(mira=20, imp=10)
    table.does(UseFeature("mira", spell="dispel-evil-and-good"))
    for condition in had:
        table.does(ApplyCondition((who,), condition))
    table.ends_turn(2)
    table.dice(1)
    table.does(UseFeature("mira", spell="dispel-evil-and-good", targets=(who,), purpose="again"), anyway=True)
    table.chooses(choice)
    assert ("Dispel Evil and Good" in table.effects("imp")) is (choice == "dismissal")
    assert not had & table.effects(who)
    assert "concentrating" not in table.effects("mira")


@pytest.mark.parametrize(("level", "count"), [(2, 1), (4, 3), (6, 5)])
def test_protection_from_energy_counts_for_more_types_at_higher_levels(level: int, count: int) -> None:
    table = table_of(a5e())
    table.does(UseFeature("mira", spell="protection-from-energy", targets=("ann",), level=level))
    if table.prompts:
        table.chooses(table.prompts[0].asks[0].options[-1].id)
    assert [len(one.rules) for one in table.encounter.of(Effect, "ann")] == [count]


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
@pytest.mark.parametrize(
    ("spell", "shapes"),
    [
        ("polymorph", {"wolf"}),
        ("true-polymorph", {"wolf", "ogre", "zombie"}),
        ("shapechange", {"wolf", "ogre", "zombie"}),
    ],
)
def test_a_shape_is_a_beast_or_any_creature_of_a_fitting_rating(game: str, spell: str, shapes: set[str]) -> None:
    blocks = (("wolf", "beast", "1"), ("ogre", "giant", "2"), ("zombie", "undead", "1/4"), ("dragon", "dragon", "17"))
    others = [creature(id, type=type, rating=rating) for id, type, rating in blocks]
    table = Table(mira(), *others, foes=("ogre",), rules=ALL[game]())
    table.start(mira=20, ogre=5, wolf=4, zombie=3, dragon=2)
    table.does(UseFeature("mira", spell=spell, targets=("mira",)))
    assert {option.id for option in table.prompts[0].asks[0].options} - {"pass"} == shapes


@pytest.mark.parametrize(
    ("game", "spell", "save"),
    [
        ("dnd5e", "irresistible-dance", "save.wis"),
        ("dnd5e-2024", "irresistible-dance", "save.wis"),
        ("a5e", "maze", "save.int"),
        ("dnd5e", "maze", "int"),
        ("dnd5e-2024", "maze", "int:investigation"),
        ("dnd5e", "phantasmal-force", "int:investigation"),
    ],
)
@pytest.mark.parametrize(("face", "is_free"), [(20, True), (2, False)])
def test_an_action_and_a_save_or_a_check_end_some_spells(
    game: str, spell: str, save: str, face: int, is_free: bool
) -> None:
    dancer = creature("ogre", hp=200, saves=(("wis", 5), ("int", 5)), skills=(("investigation", 5),))
    table = Table(mira(), dancer, foes=("ogre",), rules=ALL[game]())
    table.start(mira=20, ogre=10)
    table.dice(1)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    if table.prompts:
        table.chooses("harmless")
    table.ends_turn()
    held = next(one for one in table.encounter.of(Effect, "ogre") if one.break_free)
    table.dice(face)
    table.does(BreakFree(held.id))
    assert table.prompt.asks[0].suggested == (save,)
    table.chooses(save)
    assert (held.source not in {one.source for one in table.encounter.of(Effect, "ogre")}) is is_free


@pytest.mark.parametrize("game", ["dnd5e", "dnd5e-2024", "a5e"])
def test_a_feast_raises_hit_points_by_a_roll_until_it_ends(game: str) -> None:
    table = table_of(ALL[game]())
    table.does(ApplyDamage(("ann",), "50"))
    table.dice(3, 4, 5, 6)
    table.does(UseFeature("mira", spell="heroes-feast", targets=("ann", "bob")), anyway=True)
    ann, bob = (table.encounter.need(Combatant, who) for who in ("ann", "bob"))
    assert (ann.hp, ann.hp_max, bob.hp, bob.hp_max) == (161, 211, 207, 207)  # Bob rolls first
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "ann") if one.name == "well-fed")))
    assert table.one("ann").hp_max == 200


@pytest.mark.parametrize(("game", "hp"), [("dnd5e", 1), ("dnd5e-2024", 0), ("a5e", 1)])
def test_harm_leaves_a_hit_point_where_the_rules_say_so(game: str, hp: int) -> None:
    table = table_of(ALL[game]())
    table.does(ApplyDamage(("ogre",), "180"))
    table.dice(1, *[3] * 14)
    table.does(UseFeature("mira", spell="harm", targets=("ogre",)), anyway=True)
    one = table.encounter.need(Combatant, "ogre")
    assert (one.hp, one.hp_max) == (hp, 158)
