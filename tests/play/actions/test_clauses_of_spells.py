"""Clauses of spells that many of them share: what ends them, what they forbid, and where they count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, dnd5e_2024, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, Map
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant, Effect, LastingArea
from turnwright.encounter.state import standing_areas
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.attacks.save_effect import SpellTold
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.environment.map_changes import EndArea
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.queries import queries
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import EffectEnded, EffectUsed, Rolled, Skipped
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.table.game_master import DiceRolled
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.rules.parts.checks.ability_checks import check_roll
from turnwright.rules.parts.combatants.facts import speeds_of
from turnwright.rules.parts.economy.limited_uses import denial_vetoes
from turnwright.rules.parts.environment.entries import size_of, space_side
from turnwright.rules.parts.movement.move_legs import melee_attacks
from turnwright.rules.parts.positions.sight import sees
from turnwright.rules.system import RuleSystem

SLOTS = tuple((str(level), 4) for level in range(1, 10))
CLUB = Feature("club", "Club", "action", attack=5, reach=5, damage="1d6+1 bludgeoning", properties=("weapon",))
GAMES = {"dnd5e": dnd5e, "a5e": a5e, "pf2e": pf2e}
SAVES = (("con", 5), ("dex", 5), ("wis", 5))


def mira() -> Creature:
    numbers = {"level": 9, "proficiency": 4, "spellcasting": "wis", "abilities": (("wis", 18),), "slots": SLOTS}
    spells = Feature("spells", "Spellcasting", "trait", dc=20, attack=10)
    return creature("mira", hp=200, features=(CLUB, spells), **numbers)


def table_of(rules: RuleSystem, *more: Feature, on_map: bool = False) -> Table:
    ann = creature("ann", hp=200, ac=13, level=3, saves=SAVES, features=(CLUB, *more))
    others = [creature(id, hp=200, ac=11, level=3, saves=SAVES, features=(CLUB,)) for id in ("bob", "ogre", "imp")]
    table = Table(mira(), ann, *others, foes=("ogre", "imp"), rules=rules)
    if on_map:
        table.does(Add((Map(columns=40, rows=40),)))
    table.start(mira=20, ann=15, bob=12, ogre=10, imp=5)
    for number, who in enumerate(("mira", "ann", "bob", "ogre", "imp") if on_map else ()):
        table.does(ForceMove(who, (1 + 6 * number, 1), "teleport"))
    return table


@for_each("game", ["dnd5e", "a5e"])
@for_each(("by", "is_over"), [("imp", False), ("ogre", False), ("ann", True), ("mira", True)])
def test_only_harm_by_the_casters_side_ends_a_charm(game: str, by: str, is_over: bool) -> None:
    table = table_of(GAMES[game]())
    table.dice(1, *[10] * 9)
    table.does(UseFeature("mira", spell="suggestion", targets=("ogre",)))
    if game == "dnd5e":
        table.chooses()  # it understands the caster
    table.does(ApplyDamage(("ogre",), "5 fire", by=by))
    assert ("Suggestion" in table.effects("ogre")) is not is_over
    assert ("concentrating" in table.effects("mira")) is not is_over  # nothing is left of the spell


@pytest.mark.parametrize(("spell", "kept"), [("entangle", True), ("hold-person", False), ("spike-growth", True)])
def test_concentration_ends_with_its_last_effect_or_area(spell: str, kept: bool) -> None:
    table = table_of(dnd5e(), on_map=True)
    table.dice(*[1] * 9)
    origin = None if spell == "hold-person" else (19, 1)
    table.does(UseFeature("mira", spell=spell, targets=() if spell == "spike-growth" else ("bob",), origin=origin))
    for one in [each for each in table.encounter.of(Effect, "bob") if each.shown]:
        table.does(EndEffect(one.id))
    assert ("concentrating" in table.effects("mira")) is kept
    for area in list(table.encounter.all(LastingArea)):
        table.does(EndArea(area.id))
    assert "concentrating" not in table.effects("mira")


@for_each("game", ["dnd5e", "a5e"])
@for_each(
    ("spells", "is_refused"),
    [
        (("shield-of-faith", "bless"), True),
        (("bless", "shield-of-faith"), True),
        (("shield-of-faith", "guidance"), False),
        (("guidance", "shield-of-faith"), False),
    ],
)
def test_beside_a_bonus_action_spell_only_a_cantrip_is_cast(
    game: str,
    spells: tuple[str, str],
    is_refused: bool,
) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell=spells[0], targets=("mira",)))
    second = UseFeature("mira", spell=spells[1], targets=("mira",))
    if is_refused:
        assert "second_spell" in str(table.refuses(second))
        table.ends_turn(5)
    table.does(second)


@pytest.mark.parametrize("game", ["dnd5e", "a5e", "pf2e"])
def test_a_globe_keeps_spells_from_those_in_its_place(game: str) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell="globe-of-invulnerability"))
    place = (2, 2)
    inside = [one.target for one in table.encounter.all(Effect) if one.id.startswith("in-area")]
    assert inside == ["mira"]
    table.does(ForceMove("ogre", place, "teleport"))
    assert "Globe of Invulnerability" in table.effects("ogre")
    table.does(ForceMove("mira", (20, 20), "teleport"))
    assert [one.source for one in table.encounter.of(Effect, "mira") if one.id.startswith("in-area")] == []
    area = next(iter(table.encounter.all(LastingArea)))
    table.does(EndArea(area.id))
    assert "Globe of Invulnerability" not in table.effects("ogre")


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_the_guardian_of_faith_ends_after_its_total(game: str) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell="guardian-of-faith", origin=(10, 10)), anyway=True)
    left = []
    for _ in range(3):
        table.ends_turn(3)
        table.dice(*[1] * 9)
        table.does(ForceMove("ogre", (10, 10), "teleport"))
        left += [one.value for one in table.encounter.of(Effect, "mira") if one.name == "Guardian of Faith"]
        table.does(ForceMove("ogre", (30, 30), "teleport"))
        table.ends_turn(2)
    assert (left, table.one("ogre").hp) == ([40, 20], 140)
    assert list(standing_areas(table.encounter)) == []


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_spikes_hurt_for_each_square(game: str) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell="spike-growth", origin=(25, 25)))
    table.does(ForceMove("ann", (20, 25), "teleport"))
    table.ends_turn()
    table.dice(*[1] * 12)
    table.does(MovePath("ann", ((21, 25), (22, 25), (23, 25))))
    assert table.one("ann").hp == 200 - 3 * 2


def test_a_form_of_mist_only_flies_and_keeps_its_own_concentration() -> None:
    table = table_of(dnd5e())
    table.does(UseFeature("mira", spell="gaseous-form", targets=("mira",)))
    assert {"concentrating", "Gaseous Form"} <= table.effects("mira")
    speeds = speeds_of(table.encounter, table.rules, "mira")
    assert ("walk" in speeds, speeds["fly"].value) == (False, 10)
    table.ends_turn(5)
    table.refuses(Attack("mira", "ogre", "club"))
    assert "no_casting" in str(table.refuses(UseFeature("mira", spell="sacred-flame", targets=("ogre",))))


@pytest.mark.parametrize(
    ("spell", "faces", "left"),
    [
        ("phantasmal-killer", (1, 1), {"dead"}),
        ("phantasmal-killer", (1, 19, *[1] * 12), {"frightened", "fleeing"}),
        ("phantasmal-calamity", (1, *[1] * 11, 1), {"stunned"}),
        ("divine-decree", (1, *[1] * 7, 5), {"enfeebled", "paralyzed"}),
    ],
)
def test_a_second_save_follows_a_critical_failure(spell: str, faces: tuple[int, ...], left: set[str]) -> None:
    table = table_of(pf2e())
    table.dice(*faces)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    if table.prompts:
        table.skips()  # about alignments
    dead = {"dead"} if table.one("ogre").dead else set()
    assert dead or {one.name for one in table.encounter.of(Effect, "ogre") if one.shown} == left


@pytest.mark.parametrize(
    ("game", "spell"), [("pf2e", "darkness"), ("pf2e", "mist"), ("dnd5e", "fog-cloud"), ("a5e", "darkness")]
)
def test_an_attack_in_the_dark_assumes_that_nobody_sees(game: str, spell: str) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(ForceMove("ogre", (8, 1), "teleport"))
    attack = lambda: attack_roll(table.encounter, table.rules, AttackInProgress("ann", CLUB, "ogre"))  # noqa: E731
    assert (attack().flat_check, attack().spec.edges) == (None, ())
    table.does(UseFeature("mira", spell=spell, origin=(8, 1)))
    if (game, spell) == ("a5e", "darkness"):
        table.chooses("a point")
    flat = attack().flat_check
    assert (flat.steps if flat else 0) == {"darkness": 11, "mist": 5}.get(spell, 0) * (game == "pf2e")
    assert bool(attack().spec.edges) is (game != "pf2e")


@for_each("on_map", [True, False])
@for_each("rule", ["dark", "darkness"])
@for_each("game", ["dnd5e", "a5e"])
def test_a_sight_through_darkness_sees_in_the_spell(game: str, rule: str, on_map: bool) -> None:
    sight = Feature("sight", "Devil's Sight", rules=(DataRule("senses", rule),))
    table = table_of(GAMES[game](), sight, on_map=on_map)
    aim: Any = {"origin": (13, 1)} if on_map else {"targets": ("ann", "bob", "ogre")}
    table.does(UseFeature("mira", spell="darkness", **aim))
    table.chooses("a point")
    answers = [sees(table.encounter, table.rules, who, "ogre") for who in ("ann", "bob")]
    assert (answers[0] is True, answers[1] is True) == (rule == "darkness", False)
    table.does(ApplyCondition(("ann",), "blinded"))
    assert sees(table.encounter, table.rules, "ann", "ogre") is False


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize(("variant", "size", "space"), [("enlarge", "large", 10), ("reduce", "small", 5)])
def test_a_spell_changes_a_size(game: str, variant: str, size: str, space: int) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.dice(*[1] * 9)
    table.does(UseFeature("mira", spell="enlarge-reduce", targets=("ann",)))
    table.chooses(variant)
    table.chooses("ann")  # who is willing
    assert (size_of(table.encounter, table.rules, "ann"), space_side(table.encounter, table.rules, "ann")) == (
        size,
        space,
    )
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "ann") if one.shown)))
    assert size_of(table.encounter, table.rules, "ann") == "medium"


@for_each("game", ["dnd5e", "a5e"])
@for_each(
    ("target", "willing", "is_affected"),
    [("mira", None, True), ("ann", ("ann",), True), ("ann", (), False), ("ogre", None, False)],
)
def test_only_the_unwilling_save(game: str, target: str, willing: tuple[str, ...] | None, *, is_affected: bool) -> None:
    table = table_of(GAMES[game]())
    table.dice(20, 1)
    table.does(UseFeature("mira", spell="levitate", targets=(target,)))
    if game == "dnd5e":
        table.chooses()  # it isn't too heavy
    if willing is not None:
        table.chooses(*willing)
    assert ("Levitate" in table.effects(target)) is is_affected


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize("targets", [(), ("ogre",)])
def test_a_wall_stands_even_if_nobody_is_caught(game: str, targets: tuple[str, ...]) -> None:
    table = table_of(GAMES[game]())
    table.dice(20)
    table.does(UseFeature("mira", spell="wall-of-stone", targets=targets))
    assert {"concentrating", "Wall of Stone"} <= table.effects("mira")


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_a_spells_own_weapon_strikes_where_it_is(game: str) -> None:
    own = Feature("weapon", "Spiritual Weapon", "bonus", attack=9, reach=5, range="60", damage="1d8 force", level=2)
    table = table_of(GAMES[game](), own)
    table.does(SetRelation("ann", "ogre", distance=40))
    table.ends_turn()
    table.dice(15, 4)
    table.does(Attack("ann", "ogre", "weapon"), anyway=True)
    assert table.one("ogre").hp == 196
    assert "Spiritual Weapon" in table.effects("ann")
    table.ends_turn(5)
    table.does(SetRelation("ann", "ogre", distance=65))
    assert table.refuses(Attack("ann", "ogre", "weapon")).key == "refused.out_of_reach"


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_a_mishap_of_a_teleport_hurts_all_and_is_rolled_again(game: str) -> None:
    table = table_of(GAMES[game]())
    table.dice(5, 1, 2, 3, 13)
    table.does(UseFeature("mira", spell="teleport", targets=("mira", "ann")))
    table.chooses("very familiar")
    assert [table.one(who).hp for who in ("mira", "ann", "bob")] == [194, 194, 200]
    rolls = [(one.purpose, one.roll.total) for one in table.happened(DiceRolled)]
    assert rolls == [("Teleport: mishap", 5), ("Teleport: an area like the goal", 13)]
    assert {one.target for one in table.encounter.all(Effect) if one.name == "Teleport"} == {"mira", "ann"}
    table.session.undo()
    assert table.one("ann").hp == 200


@pytest.mark.parametrize(("game", "spell", "feet"), [("dnd5e", "warding-bond", 60), ("pf2e", "share-life", 30)])
@pytest.mark.parametrize("by_distance", [True, False])
def test_a_bond_ends_with_its_caster_or_the_distance(game: str, spell: str, feet: int, *, by_distance: bool) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell=spell, targets=("ann",)))
    table.does(SetRelation("mira", "ann", distance=feet))
    assert len(table.effects("ann")) == 1
    table.does(ApplyDamage(("ann",), "20 fire"))
    assert [table.one(who).hp for who in ("ann", "mira")] == [190, 190]  # half each
    if by_distance:
        table.does(SetRelation("mira", "ann", distance=feet + 5))
    else:
        table.does(ApplyDamage(("mira",), "250 fire"))
    assert not table.effects("ann") & {"Warding Bond", "Share Life"}


def test_a_disguise_only_counts_where_it_is_chosen() -> None:
    table = table_of(pf2e())
    table.does(UseFeature("mira", spell="humanoid-form"))
    offered = check_roll(table.encounter, table.rules, "mira", "cha:deception").offered
    assert [(one.reason, one.value, one.is_choice) for one in offered] == [("Humanoid Form", 4, True)]


def test_guidance_helps_one_roll_of_the_targets_choice() -> None:
    table = table_of(pf2e())
    table.does(UseFeature("mira", spell="guidance", targets=("ann",)))
    table.ends_turn()
    for facts, left in (((), True), (("chosen:guidance",), False)):
        table.dice(10, 3)
        table.does(Attack("ann", "ogre", "club", facts=facts))
        assert ("Guidance" in table.effects("ann")) is left
    totals = [one.roll.total for one in table.happened(Attacked) if one.roll is not None]
    assert totals == [15, 15 + 1 - 5]


@for_each("game", ["dnd5e", "a5e"])
def test_guidance_is_offered_for_a_check(game: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="guidance", targets=("ann",)))
    spec = check_roll(table.encounter, table.rules, "ann", "str:athletics")
    assert [(one.dice, one.is_choice) for one in spec.offered] == [("1d4", True)]


@pytest.mark.parametrize(("face", "conditions"), [(20, {"immobilized", "Tanglefoot"}), (5, {"Tanglefoot"})])
def test_one_escape_ends_all_of_a_tangle(face: int, conditions: set[str]) -> None:
    table = table_of(pf2e())
    table.dice(face)
    table.does(UseFeature("mira", spell="tanglefoot", targets=("ogre",)))
    assert table.effects("ogre") & {"immobilized", "Tanglefoot"} == conditions
    if "immobilized" in conditions:
        table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "ogre") if one.name == "immobilized")))
        assert not table.effects("ogre") & {"immobilized", "Tanglefoot"}


@pytest.mark.parametrize("spell", ["entangle", "entangling-flora", "web"])
@pytest.mark.parametrize("on_map", [True, False])
def test_plants_and_webs_hinder_at_the_start_of_a_turn(spell: str, *, on_map: bool) -> None:
    table = table_of(pf2e(), on_map=on_map)
    aim: dict[str, Any] = {"origin": (19, 1)} if on_map else {"targets": ("ogre",)}
    table.dice(1, 1)
    table.does(UseFeature("mira", spell=spell, **aim), anyway=True)
    assert not table.effects("ogre")
    table.ends_turn(3)
    if not on_map:
        table.chooses(next(option.id for option in queries.waiting_asks(table.prompt)[0].options))
    name = {"web": "Web", "entangle": "Entangle"}.get(spell, "Entangling Flora")
    assert table.effects("ogre") >= {"immobilized", name}
    (penalty,) = [one for one in table.encounter.of(Effect, "ogre") if one.name == name]
    assert (penalty.escape, penalty.value) == ("str:athletics", 20)


@pytest.mark.parametrize(
    ("game", "spell", "rolls", "outcomes"),
    [
        ("dnd5e", "mirror-image", ([6], [7], [8], [10]), (True, False, True, False)),
        ("dnd5e", "mirror-image-2024", ([1, 2, 3], [1, 2]), (True, False)),
        ("pf2e", "mirror-image", ([2], [2], [3]), (True, False, True)),
    ],
)
def test_dice_decide_whether_an_image_is_hit(
    game: str, spell: str, rolls: tuple[list[int], ...], outcomes: tuple[bool, ...]
) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell=spell))
    table.ends_turn(3)
    left = 3
    for faces, is_image in zip(rolls, outcomes, strict=True):
        hp = table.one("mira").hp
        table.dice(14 if game == "pf2e" else 19, *faces, 3)
        table.does(Attack("ogre", "mira", "club", purpose="free"), anyway=True)
        left -= is_image
        assert (table.one("mira").hp == hp, table.happened(EffectUsed)[-1].left) == (is_image, left)


@pytest.mark.parametrize(("face", "piercing"), [(1, 0), (15, 4), (20, 8)])
@pytest.mark.parametrize(("level", "cold"), [(1, 6), (2, 9)])
def test_an_ice_knife_bursts_hit_or_miss(face: int, piercing: int, level: int, cold: int) -> None:
    table = table_of(dnd5e())
    table.does(SetRelation("ogre", "imp", distance=5))
    table.dice(face, *([4] * (piercing // 4)), 1, 20, *[3] * (level + 1))
    table.does(UseFeature("mira", spell="ice-knife", targets=("ogre",), level=level))
    saves = [one.who for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (saves, table.one("ogre").hp, table.one("imp").hp) == (["ogre", "imp"], 200 - piercing - cold, 200)


@pytest.mark.parametrize(
    ("form", "size", "speeds"),
    [
        ("Tiny bat (walk 5, fly 30)", "tiny", {"walk": 5, "fly": 30}),
        ("Large bear", "large", {"walk": 30, "swim": 20}),
        ("Wolf (large, walk 40)", "large", {"walk": 40}),
        ("Crow (swim 0)", "medium", {"walk": 30}),
        ("Bear (walk +10, climb 40)", "medium", {"walk": 40, "swim": 20, "climb": 40}),
        ("Medium or smaller beast", "medium", {"walk": 30, "swim": 20}),
    ],
)
def test_a_form_has_its_own_size_and_speeds(form: str, size: str, speeds: dict[str, int]) -> None:
    steps = (FeatureStep(gains="changed-shape", form=form), FeatureStep(ends="changed-shape", alternative=True))
    own = (("walk", 30), ("swim", 20))
    table = Table(creature("cat", speeds=own, features=(Feature("shape", "Shape", "action", does=steps),)), "brand")
    table.start(cat=12, brand=5)
    table.does(UseFeature("cat", "shape"))
    current = speeds_of(table.encounter, table.rules, "cat")
    assert {mode: current[mode].value for mode in current if mode != "jump"} == speeds
    assert size_of(table.encounter, table.rules, "cat") == size


@pytest.mark.parametrize(
    ("form", "faces", "came"),
    [
        ("2d4 imps (30 percent)", (30, 1, 2), 3),
        ("One ogre (30 percent)", (7,), 1),
        ("One ogre (30 percent)", (31,), 0),
        ("1d4 cats of its kind (25 percent)", (25, 2), 2),
        ("1d4 demons (25 percent)", (25, 2), 0),
        ("1d4+1 imps with 3 hit points", (2,), 3),
        ("One imp limb", (1,), 0),
        ("One imp on its initiative", (1,), 1),
    ],
)
def test_a_summons_rolls_whether_and_how_many_come(form: str, faces: tuple[int, ...], came: int) -> None:
    summon = Feature("call", "Call", "action", does=(FeatureStep(gains="summoning", form=form, value=10),))
    others = [creature(id) for id in ("imp", "ogre")]
    table = Table(creature("cat", features=(summon,)), *others, foes=("imp", "ogre"))
    table.start(cat=12, imp=5, ogre=2)
    table.dice(*faces, *[10] * 9)
    table.does(UseFeature("cat", "call"))
    assert len(list(table.encounter.all(Combatant))) == 3 + came
    assert ("summoning" in table.effects("cat")) is (faces[0] <= 30)
    hp = {one.hp for one in table.encounter.all(Combatant) if one.id not in ("cat", "imp", "ogre")}
    assert not form.endswith("hit points") or hp == {3}


@pytest.mark.parametrize(
    ("form", "size", "initiative"),
    [
        ("One of its kind with half its hit points", "large", [12, 11]),
        ("One smaller of its kind with half its hit points", "medium", [12, 11]),
        ("One smaller of its kind on its initiative with half its hit points", "medium", [12, 12]),
    ],
)
def test_an_ooze_splits_into_two_with_half_of_its_hit_points(form: str, size: str, initiative: list[int]) -> None:
    split = Feature("split", "Split", "action", does=(FeatureStep(gains="followed", form=form),))
    table = Table(creature("ooze", size="large", hp=31, features=(split,)), "cat")
    table.start(ooze=12, cat=5)
    table.dice(*[11] * (initiative[1] == 11))
    table.does(UseFeature("ooze", "split"))
    oozes = [one for one in table.encounter.all(Combatant) if one.id != "cat"]
    assert [(one.creature, one.hp) for one in oozes] == [("ooze", 15)] * 2
    assert [size_of(table.encounter, table.rules, one.id) for one in oozes] == [size] * 2
    assert [one.initiative for one in oozes] == initiative


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
@pytest.mark.parametrize(("face", "place", "keeps"), [(2, "held", False), (19, "held", True), (0, "worn", True)])
def test_hot_metal_hurts_in_any_case_and_hampers_whoever_keeps_it(
    game: str, face: int, place: str, keeps: bool
) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="heat-metal", targets=("ogre",)))
    table.dice(*[face or 2] * (game == "dnd5e" or face > 0), 3, 3)
    own = {"held": "an object that it can drop", "worn": "armor or the like"}
    table.chooses(own[place] if game == "dnd5e" else place)
    assert (table.one("ogre").hp, "Heat Metal" in table.effects("ogre")) == (194, keeps)


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_a_club_with_shillelagh_strikes_with_the_spellcasting_ability(game: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="shillelagh"))
    table.dice(4, 5)
    table.does(UseFeature("mira", spell="shillelagh", targets=("ogre",), purpose="again"))
    assert table.one("ogre").hp == 200 - 5 - 4


def test_the_weapon_of_a_spell_also_makes_opportunity_attacks_while_the_spell_lasts() -> None:
    words = ("spell", "weapon")
    club = Feature(
        "shillelagh", "Shillelagh", "bonus", attack=4, reach=5, damage="1d8 bludgeoning", level=0, properties=words
    )
    table = Table(creature("druid", level=3, features=(club,)), creature("ogre"), foes=("ogre",), rules=dnd5e())
    table.start(druid=20, ogre=10)
    found = [[one.id for one in melee_attacks(table.encounter, table.rules, "druid")]]
    table.does(UseFeature("druid", "shillelagh"))
    assert [*found, [one.id for one in melee_attacks(table.encounter, table.rules, "druid")]] == [
        ["unarmed"],
        ["shillelagh"],
    ]


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_only_magic_cannot_hold_who_moves_freely(game: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="freedom-of-movement", targets=("ann",)))
    table.does(ApplyCondition(("ann",), "paralyzed"))
    assert "paralyzed" in table.effects("ann")
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "ann") if one.name == "paralyzed")))
    table.ends_turn(5)
    table.dice(1)
    table.does(UseFeature("mira", spell="hold-person", targets=("ann",)))
    assert "paralyzed" not in table.effects("ann")


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_light_moves_with_who_carries_it(game: str) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell="light"))
    assert [(one.light, one.radius) for one in standing_areas(table.encounter)] == [("bright", 20)]


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_a_glib_tongue_counts_at_least_fifteen(game: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="glibness"))
    spec = check_roll(table.encounter, table.rules, "mira", "cha:deception")
    assert spec.again == -15


@for_each(("game", "spell", "name"), [("dnd5e", "plane-shift", "Plane Shift"), ("a5e", "plane-shift", "Plane Shift"), ("pf2e", "plane-shift", "Plane Shift")])  # fmt: skip
def test_a_text_is_told_if_the_effect_is_on_nobody(game: str, spell: str, name: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell=spell), anyway=True)
    assert [one.spell for one in table.happened(SpellTold)] == [name]


@for_each(("face", "effects", "modifier"), [(2, {"Feeblemind"}, -5), (10, {"stupefied"}, -4), (18, {"stupefied"}, -2)])
def test_a_feeble_mind_has_lost_all_modifiers_after_a_critical_failure(
    face: int, effects: set[str], modifier: int
) -> None:
    table = table_of(pf2e())
    table.dice(face)
    table.does(UseFeature("mira", spell="feeblemind", targets=("ogre",)))
    assert table.effects("ogre") == effects
    assert sum(each.value for each in check_roll(table.encounter, table.rules, "ogre", "int").modifiers) == modifier


def test_what_no_rule_counts_is_told() -> None:
    table = table_of(dnd5e())
    table.dice(*[1] * 20)
    table.does(UseFeature("mira", spell="cone-of-cold", targets=("ogre",)))
    assert [one.spell for one in table.happened(SpellTold)] == ["Cone of Cold"]


@pytest.mark.parametrize(
    ("variant", "bonus"),
    [("only known by hearsay", 5), ("met before", 0), ("well known, with a part of the body", -15)],
)
def test_what_the_caster_knows_of_its_target_changes_the_save_against_scrying(variant: str, bonus: int) -> None:
    table = table_of(dnd5e())
    table.dice(10)
    table.does(UseFeature("mira", spell="scrying", targets=("ogre",)), anyway=True)
    table.chooses(variant)
    (save,) = [event.roll for event in table.happened(Rolled) if event.who == "ogre"]
    assert save.total == 10 + 5 + bonus


def test_a_door_into_an_occupied_place_hurts_and_leads_nowhere() -> None:
    table = table_of(dnd5e(), on_map=True)
    table.does(ForceMove("ann", (2, 1), "teleport"))
    table.does(UseFeature("mira", spell="dimension-door", targets=("ann",)))
    table.dice(1, 1, 1, 1)
    table.chooses("occupied place")
    assert (table.one("mira").hp, table.one("ann").hp, table.prompts) == (196, 196, [])


@for_each("game", ["dnd5e", "a5e"])
@for_each(("depth", "face", "stays"), [("deeper", 1, True), ("deeper", 19, False), ("surface thoughts", 19, True)])
def test_a_saved_deeper_probe_of_a_mind_ends_the_spell(game: str, depth: str, face: int, stays: bool) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="detect-thoughts"))
    table.chooses("surface thoughts")
    table.ends_turn(5)
    table.dice(face)
    table.does(UseFeature("mira", spell="detect-thoughts", targets=("ogre",), purpose="again"))
    table.chooses()  # it isn't mindless
    table.chooses(depth)
    assert ("concentrating" in table.effects("mira")) is stays
    assert ("Detect Thoughts" in table.effects("ogre")) is (game == "dnd5e" and depth == "surface thoughts")


@for_each("game", ["dnd5e", "a5e"])
def test_a_higher_slot_and_a_lasting_area_do_not_pass_a_globe(game: str) -> None:
    vex, ann = msgspec.structs.replace(mira(), id="vex", name="Vex"), creature("ann", hp=200, ac=13, saves=SAVES)
    table = Table(mira(), vex, ann, foes=("vex",), rules=GAMES[game]())
    table.does(Add((Map(columns=40, rows=40),)))
    table.start(mira=20, vex=15, ann=10)
    for who, square in (("mira", (10, 10)), ("ann", (11, 10)), ("vex", (25, 10))):
        table.does(ForceMove(who, square, "teleport"))
    table.does(UseFeature("mira", spell="globe-of-invulnerability"))
    table.ends_turn()
    table.dice(*[1] * 60)
    table.does(UseFeature("vex", spell="fireball", targets=("ann",), origin=(11, 10), level=6))
    table.ends_turn(3)
    table.does(UseFeature("vex", spell="insect-plague", targets=("ann",), origin=(11, 10), level=6))
    table.ends_turn(2)
    assert table.one("ann").hp == 200
    table.does(ForceMove("ann", (14, 10), "teleport"))
    table.ends_turn(3)
    assert table.one("ann").hp < 200


@for_each("game", ["dnd5e", "a5e"])
def test_a_club_with_shillelagh_strikes_twice_with_an_extra_attack(game: str) -> None:
    table = Table(msgspec.structs.replace(mira(), attacks=2), "ogre", foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="shillelagh"))
    table.dice(19, 5, 19, 5)
    for _ in range(2):
        table.does(UseFeature("mira", spell="shillelagh", targets=("ogre",), purpose="again"))
    assert len(table.happened(Attacked)) == 2
    table.refuses(UseFeature("mira", spell="shillelagh", targets=("ogre",), purpose="again"))


@for_each("game", ["dnd5e", "a5e"])
@for_each(("level", "is_over"), [(2, True), (4, False)])
def test_daylight_ends_weak_darkness_and_darkness_ends_weak_light(game: str, level: int, is_over: bool) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell="light"))
    table.ends_turn(5)
    table.does(UseFeature("mira", spell="darkness", origin=(3, 1), level=level))
    table.chooses("a point")
    assert ("Light" in table.effects("mira"), "concentrating" in table.effects("mira")) == (False, True)
    table.ends_turn(5)
    table.does(UseFeature("mira", spell="daylight", origin=(3, 1)))
    table.chooses("a point")
    assert ("concentrating" in table.effects("mira")) is not is_over


@for_each("game", ["dnd5e", "a5e"])
@for_each(
    ("spell", "level", "is_over"), [("daylight", 3, False), ("continual-flame", 2, True), ("continual-flame", 3, False)]
)
def test_darkness_ends_light_by_the_level_of_its_spell(game: str, spell: str, level: int, is_over: bool) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell=spell, origin=(3, 1), level=level))
    if table.prompts:
        table.chooses("a point" if spell == "daylight" else "mira")
    table.ends_turn(5)
    table.does(UseFeature("mira", spell="darkness", origin=(3, 1)))
    table.chooses("a point")
    lit = [area for area in standing_areas(table.encounter) if area.light == "bright"]
    assert (not lit) is is_over


@for_each(
    ("game", "face", "is_still", "is_held"),
    [
        ("dnd5e", 1, False, True), ("dnd5e", 4, True, True), ("dnd5e", 8, False, False),
        ("a5e", 2, True, True), ("a5e", 6, False, True), ("a5e", 8, False, False),
    ],
)  # fmt: skip
def test_the_roll_of_confusion_forbids_acting_and_moving(game: str, face: int, is_still: bool, is_held: bool) -> None:
    table = table_of(GAMES[game]())
    table.dice(*[1] * 3)
    table.does(UseFeature("mira", spell="confusion", targets=("ogre",)))
    table.dice(face, 1)
    table.ends_turn(3)
    assert [event.roll.total for event in table.happened(DiceRolled)] == [face]
    assert any(rule.what == "speed" for one in table.encounter.of(Effect, "ogre") for rule in one.rules) is is_still
    assert bool(denial_vetoes(table.encounter, table.rules, "ogre", "action")) is is_held
    table.ends_turn()
    assert not denial_vetoes(table.encounter, table.rules, "ogre", "action")


@for_each(("game", "total"), [("dnd5e", 27), ("a5e", 27), ("pf2e", 14)])
def test_metal_armor_makes_a_shocking_grasp_easier(game: str, total: int) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="shocking-grasp", targets=("ogre",)))
    table.dice(*([3, 17] if game != "pf2e" else [3]), *[1] * 9)
    table.chooses("metal armor")
    (attack,) = table.happened(Attacked)
    assert attack.roll.total == total


@for_each(("variant", "is_calm"), [("suppress charms and fear", True), ("make indifferent", False)])
def test_calm_emotions_suppresses_fear_or_makes_indifferent(variant: str, is_calm: bool) -> None:
    table = table_of(dnd5e())
    table.does(ApplyCondition(("ogre",), "frightened"))
    table.does(UseFeature("mira", spell="calm-emotions", targets=("ogre",)))
    table.dice(1)
    table.chooses(variant)
    roll = attack_roll(table.encounter, table.rules, AttackInProgress("ogre", CLUB, "mira"))
    assert (not roll.spec.edges, "frightened" in table.effects("ogre")) == (is_calm, True)


@for_each(("game", "variant"), [("dnd5e", "make indifferent"), ("a5e", "hostility")])
def test_an_attack_that_misses_ends_the_indifference_of_calm_emotions(game: str, variant: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="calm-emotions", targets=("ogre",)))
    table.dice(1)
    table.chooses(variant)
    assert "Calm Emotions" in table.effects("ogre")
    table.ends_turn()
    table.dice(1)
    table.does(Attack("ann", "ogre", "club"))
    assert "Calm Emotions" not in table.effects("ogre")


@for_each(("game", "type_", "hits"), [("dnd5e", "fiend", False), ("dnd5e", "beast", True), ("a5e", "fiend", False)])
def test_a_magic_circle_hinders_attacks_on_those_inside(game: str, type_: str, hits: bool) -> None:
    imp, ann = creature("imp", type=type_, features=(CLUB,)), creature("ann", hp=200, ac=13)
    table = Table(mira(), ann, imp, foes=("imp",), rules=GAMES[game]())
    table.does(Add((Map(columns=40, rows=40),)))
    table.start(mira=20, imp=15, ann=10)
    for who, square in (("mira", (5, 10)), ("ann", (11, 10)), ("imp", (12, 10))):
        table.does(ForceMove(who, square, "teleport"))
    table.does(UseFeature("mira", spell="magic-circle", origin=(11, 10)), anyway=True)
    table.ends_turn()
    table.dice(18, *([3] * (not hits)), 1)
    table.does(Attack("imp", "ann", "club"))
    assert (table.one("ann").hp < 200) is hits


@for_each("game", ["dnd5e", "a5e"])
def test_silence_around_its_caster_keeps_its_concentration(game: str) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell="silence", origin=(2, 1)))
    assert "concentrating" in table.effects("mira")


@for_each("game", ["dnd5e", "a5e"])
def test_no_magic_missile_harms_a_creature_behind_a_shield(game: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="shield"))
    table.ends_turn(4)
    table.dice(*[1] * 9)
    table.does(UseFeature("imp", spell="magic-missile", targets=("mira", "ann")), anyway=True)
    assert (table.one("mira").hp, table.one("ann").hp) == (200, 194)


@for_each("game", ["dnd5e", "a5e"])
@for_each(("face", "luck", "left_over"), [(8, 10, 2), (8, 5, 3), (2, 20, 3)])
def test_an_attack_that_misses_can_strike_an_illusory_double(game: str, face: int, luck: int, left_over: int) -> None:
    table = Table(creature("mira", ac=19, abilities=(("dex", 14),)), "ogre", foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ogre=10)
    table.does(UseFeature("mira", spell="mirror-image"), anyway=True)
    table.ends_turn()
    table.dice(face, luck)  # the double has AC 12
    table.does(Attack("ogre", "mira", given=msgspec.structs.replace(CLUB, attack=5)))
    assert table.happened(Attacked)[0].outcome == "miss"
    (images,) = (one for one in table.encounter.of(Effect, "mira") if one.leaves)
    assert images.uses_left == left_over


@for_each("game", ["dnd5e"])
@for_each("spell", ["raise-dead", "revivify", "resurrection", "true-resurrection", "reincarnate"])
def test_only_the_dead_return_to_life(game: str, spell: str) -> None:
    table = table_of(GAMES[game]())
    refused = table.refuses(UseFeature("mira", spell=spell, targets=("ann",)))
    assert refused.key == "refused.target_not_meant"


@for_each("game", ["dnd5e", "a5e"])
@for_each(("senses", "hits"), [((), False), ((("blindsight", 30),), True), ((("truesight", 60),), True)])
def test_a_blur_only_fools_those_that_rely_on_sight(game: str, senses: tuple[tuple[str, int], ...], hits: bool) -> None:
    table = Table(mira(), creature("bat", features=(CLUB,), senses=senses), foes=("bat",), rules=GAMES[game]())
    table.start(mira=20, bat=10)
    table.does(UseFeature("mira", spell="blur"))
    table.ends_turn()
    table.dice(19, 2)
    table.does(Attack("bat", "mira", "club"))
    assert table.happened(Attacked)[-1].outcome == ("hit" if hits else "miss")


@for_each("game", ["dnd5e", "a5e"])
@for_each(("type_", "hp", "rises"), [("humanoid", 20, True), ("giant", 20, False), ("humanoid", 200, False)])
def test_a_finger_of_death_raises_the_humanoids_that_it_fells(game: str, type_: str, hp: int, rises: bool) -> None:
    zombie = creature("zombie", type="undead")
    table = Table(mira(), creature("ogre", hp=hp, type=type_), foes=("ogre",), rules=GAMES[game]())
    table.does(Add((zombie,)))
    table.start(mira=20, ogre=10)
    table.dice(1, *[4] * 7)
    table.does(UseFeature("mira", spell="finger-of-death", targets=("ogre",)))
    assert [prompt.title for prompt in table.prompts] == ["prompt.summons"] * rises


@for_each(("level", "most"), [(2, 0), (4, 1), (6, 2), (7, 3)])
def test_spiders_come_with_a_web_of_a_higher_level(level: int, most: int) -> None:
    table = table_of(a5e(), on_map=True)
    table.does(Add((creature("spider", type="beast"),)))
    table.does(UseFeature("mira", spell="web", origin=(19, 9), level=level), anyway=True)
    asks = {ask.id: ask for prompt in table.prompts for ask in prompt.asks}
    assert ("summons" in asks, asks["many"].max_choices if "many" in asks else most) == (most > 0, most)


@for_each("game", ["dnd5e", "a5e"])
@for_each(("spell", "level"), [("guiding-bolt", 3), ("plane-shift", None)])
def test_a_spell_attack_of_a_stat_block_is_rolled(game: str, spell: str, level: int | None) -> None:
    rules = GAMES[game]()
    listed = next(one for one in rules.data.spells if one.id == spell)
    own = msgspec.structs.replace(spell_feature(listed, Caster(20, 10)), level=listed.level)
    caster = msgspec.structs.replace(mira(), features=(*mira().features, own))
    table = Table(caster, creature("ogre", ac=16, saves=SAVES), foes=("ogre",), rules=rules)
    table.start(mira=20, ogre=10)
    table.dice(2, *[1] * 9)
    table.does(UseFeature("mira", spell, targets=("ogre",), level=level))
    assert [event.outcome for event in table.happened(Attacked)] == ["miss"]
    assert not table.effects("ogre")


@for_each("game", ["dnd5e", "a5e"])
@for_each(("face", "is_hit"), [(19, True), (1, False)])
def test_concentration_holds_the_effect_of_a_spell_attack_that_hits(game: str, face: int, is_hit: bool) -> None:
    table = table_of(GAMES[game]())
    table.dice(face)
    table.does(UseFeature("mira", spell="ray-of-enfeeblement", targets=("ogre",)))
    assert ["concentrating" in table.effects("mira"), "Ray of Enfeeblement" in table.effects("ogre")] == [is_hit] * 2
    table.does(ApplyCondition(("mira",), "incapacitated"))
    assert "Ray of Enfeeblement" not in table.effects("ogre")


def test_a_check_of_a_spell_is_made_now_and_on_later_turns() -> None:
    table = table_of(a5e())
    table.dice(12, 9)
    table.does(UseFeature("mira", spell="detect-evil-and-good"))
    table.ends_turn(5)
    table.does(UseFeature("mira", spell="detect-evil-and-good", purpose="again"))
    assert [event.roll.total for event in table.happened(Rolled) if event.roll is not None] == [16, 13]


@for_each("game", ["dnd5e", "a5e"])
@for_each("spell", ["fire-bolt", "hold-person", "cure-wounds", "scorching-ray", "sacred-flame"])
def test_a_spell_at_a_target_needs_one(game: str, spell: str) -> None:
    table = table_of(GAMES[game]())
    assert table.refuses(UseFeature("mira", spell=spell)).key == "refused.no_target"


@for_each("game", ["dnd5e", "a5e"])
@for_each("spell", ["shillelagh", "flame-blade"])
def test_a_spell_that_attacks_later_attacks_nobody_when_it_is_cast(game: str, spell: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)))
    assert not table.prompts
    assert not table.happened(Rolled)


@for_each("game", ["dnd5e", "a5e"])
@for_each("spell", ["produce-flame", "mage-armor", "fireball", "detect-thoughts"])
def test_a_spell_for_its_caster_an_area_or_later_needs_no_target(game: str, spell: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell=spell))


@for_each("game", ["dnd5e", "a5e"])
@for_each("spell", ["hold-person", "magic-missile", "healing-word", "sacred-flame", "polymorph"])
def test_a_target_that_its_caster_does_not_see_is_refused(game: str, spell: str) -> None:
    table = table_of(GAMES[game]())
    table.does(SetRelation("mira", "ann", seen=False))
    assert table.refuses(UseFeature("mira", spell=spell, targets=("ann",))).key == "refused.target_not_meant"
    table.does(SetRelation("mira", "ann", seen=True))
    table.does(UseFeature("mira", spell=spell, targets=("ann",)))


def _cast_from_a_list(table: Table, spell: str) -> None:
    table.does(UseFeature("ann", "spellcasting"))
    table.chooses(f"use {spell}")


@for_each("way", [_cast_from_a_list, lambda table, spell: table.does(CastSpell("ann", spell))])
@for_each(
    ("rules", "spell", "edition"),
    [(dnd5e, "dispel-evil-and-good", ""), (dnd5e_2024, "dispel-evil-and-good", " (2024)"),
     (a5e, "dispel-evil-and-good", ""), (dnd5e, "flame-blade", ""), (dnd5e_2024, "flame-blade", " (2024)"),
     (a5e, "faithful-hound", "")],
)  # fmt: skip
def test_a_spell_that_attacks_later_only_begins_when_it_is_cast_from_a_list(
    rules: Callable[[], RuleSystem], spell: str, edition: str, way: Callable[[Table, str], None]
) -> None:
    listed = next(one for one in rules().data.spells if one.id == spell)
    cast = msgspec.structs.replace(spell_feature(listed, Caster(15, 7, 9, 4)), cost="action")
    own = msgspec.structs.replace(cast, name=listed.name + edition, uses=1, level=None)
    steps = (FeatureStep(use=spell), FeatureStep(use="club", alternative=True))
    table = table_of(rules(), Feature("spellcasting", "Spellcasting", "action", attack=7, dc=15, does=steps), own)
    table.ends_turn()
    way(table, spell)
    assert table.effects("ann") - {"cast", "concentrating"} == {listed.name}
    assert not table.prompts
    table.ends_turn(5)
    table.does(UseFeature("ann", spell, targets=("ogre",), purpose="again"), anyway=True)
    if listed.choices:
        assert [option.id for option in table.prompt.asks[0].options] == [one.name for one in listed.choices]
    elif rules is not dnd5e_2024:  # which asks for the caster's modifier
        assert table.prompt.title == "prompt.attack"


@for_each(
    ("game", "spell", "fields", "is_kept"),
    [
        ("dnd5e", "suggestion", {"immunities": ("charmed",)}, False),
        ("dnd5e", "hold-person", {"type": "humanoid", "immunities": ("paralyzed",)}, False),
        ("a5e", "hold-person", {"type": "humanoid", "immunities": ("paralyzed",)}, False),
        ("dnd5e", "hold-person", {"type": "humanoid"}, True),
    ],
)
def test_a_spell_that_spares_all_its_targets_leaves_no_concentration(
    game: str, spell: str, fields: dict[str, Any], is_kept: bool
) -> None:
    table = Table(mira(), creature("ogre", hp=99, ac=11, **fields), foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ogre=10)
    table.dice(1)
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)), anyway=True)
    while table.prompts:
        table.skips()
    assert ("concentrating" in table.effects("mira")) is is_kept


@for_each("game", ["dnd5e", "a5e"])
def test_each_effect_of_a_spell_ends_once(game: str) -> None:
    table = table_of(GAMES[game]())
    table.dice(1)
    table.does(UseFeature("mira", spell="hypnotic-pattern", targets=("ogre",)), anyway=True)
    table.does(ApplyDamage(("ogre",), "5 fire"))
    ended = [one.name for one in table.happened(EffectEnded) if one.target == "ogre"]
    assert len(ended) == len(set(ended)) > 1


@for_each("game", ["dnd5e", "a5e"])
def test_a_later_beam_asks_for_its_targets(game: str) -> None:
    table = table_of(GAMES[game](), on_map=True)
    table.does(UseFeature("mira", spell="sunbeam", targets=("ann",), origin=(9, 1)))
    while table.prompts:
        table.skips()
    table.ends_turn(5)
    table.does(UseFeature("mira", spell="sunbeam", origin=(9, 1), purpose="again"))
    assert "ann" in table.prompt.asks[0].suggested


@for_each(("level", "is_over"), [(3, False), (4, False), (5, True)])
def test_a_weaker_slot_does_not_remove_a_curse(level: int, is_over: bool) -> None:
    table = table_of(a5e())
    table.dice(1)
    table.does(UseFeature("mira", spell="bestow-curse", targets=("ogre",), level=5), anyway=True)
    table.chooses("disadvantage: Strength")
    table.ends_turn(5)
    table.does(UseFeature("mira", spell="remove-curse", targets=("ogre",), level=level), anyway=True)
    assert ("Bestow Curse" not in table.effects("ogre")) is is_over


def test_what_ends_at_0_hit_points_ends_with_death() -> None:
    table = table_of(a5e())
    table.does(UseFeature("mira", spell="gaseous-form", targets=("ogre",)), anyway=True)
    table.does(SetDead("ogre"))
    assert "Gaseous Form" not in table.effects("ogre")
    assert "concentrating" not in table.effects("mira")


@for_each(("who", "condition"), [("mira", "paralyzed"), ("mira", "incapacitated"), ("ogre", "deafened")])
def test_nobody_is_enthralled_by_silence(who: str, condition: str) -> None:
    table = table_of(a5e())
    table.dice(1, 1)
    table.does(UseFeature("mira", spell="enthrall", targets=("ogre",)))
    assert "Enthrall" in table.effects("ogre")
    table.does(ApplyCondition((who,), condition))
    assert "Enthrall" not in table.effects("ogre")


@for_each(("word", "is_hurt"), [((), True), (("imp",), False)])
def test_a_password_is_asked_for_once_where_it_is_forbidden(word: tuple[str, ...], is_hurt: bool) -> None:
    imp = creature("imp", hp=200, ac=11, type="fiend", features=(CLUB,))
    table = Table(mira(), imp, foes=("imp",), rules=a5e())
    table.does(Add((Map(columns=40, rows=40),)))
    table.start(mira=20, imp=10)
    table.does(ForceMove("mira", (1, 1), "teleport"), anyway=True)
    table.does(ForceMove("imp", (9, 1), "teleport"), anyway=True)
    table.does(UseFeature("mira", spell="forbiddance", origin=(5, 1)), anyway=True)
    table.chooses("radiant")
    table.ends_turn()
    table.chooses(*word)
    assert bool(table.prompts) is is_hurt  # its damage
    while table.prompts:
        table.answers(damage=20)
    table.ends_turn(2)
    assert [one.label for prompt in table.prompts for one in prompt.asks] == ["ask.damage"] * is_hurt


def test_a_glyph_waits_and_ends_when_it_is_set_off() -> None:
    table = table_of(a5e())
    table.does(UseFeature("mira", spell="glyph-of-warding"), anyway=True)
    table.chooses("explosive runes: fire")
    assert "Glyph of Warding" in table.effects("mira")
    table.ends_turn()
    table.dice(1)
    table.does(UseFeature("mira", spell="glyph-of-warding", targets=("ogre",), purpose="again"), anyway=True)
    table.chooses("explosive runes: fire")
    assert "Glyph of Warding" not in table.effects("mira")
    assert [one.label for one in table.prompt.asks] == ["ask.damage"]


def test_a_creature_that_comes_under_reversed_gravity_falls_upwards_too() -> None:
    table = table_of(a5e(), on_map=True)
    table.does(UseFeature("mira", spell="reverse-gravity", origin=(22, 1)))
    while table.prompts:
        table.skips()
    table.ends_turn()
    table.dice(1)
    table.does(MovePath("ann", tuple((x, 2) for x in range(8, 14))))
    ann = table.encounter.need(Combatant, "ann")
    assert (ann.position, ann.elevation) == ((12, 2), 100)  # its move ends there


@for_each(("game", "spell", "level"), [("a5e", "conjure-animals", 3), ("dnd5e", "conjure-animals", 3)])
@for_each(("rating", "asked", "come"), [("2", 3, 1), ("1", 3, 2), ("1/2", 3, 3), ("1/4", 3, 3), ("3", 0, 0)])
def test_fewer_beasts_come_the_mightier_they_are(
    game: str, spell: str, level: int, rating: str, asked: int, come: int
) -> None:
    beast = creature("wolf", hp=20, ac=11, type="beast", rating=rating)
    table = Table(mira(), creature("ogre", hp=99, ac=11), beast, foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ogre=10, wolf=5)
    table.does(UseFeature("mira", spell=spell, level=level), anyway=True)
    if come:
        table.answers(summons=("wolf",), many=asked)
    while table.prompts:
        table.skips()
    assert len([one for one in table.encounter.all(Combatant) if one.creature == "wolf"]) == 1 + come
    assert bool([one for one in table.happened(Skipped) if one.purpose == "ask.summons"]) is not bool(come)


def test_three_mighty_beasts_come_for_a_higher_slot() -> None:
    beast = creature("bear", hp=20, ac=11, type="beast", rating="2")
    table = Table(mira(), creature("ogre", hp=99, ac=11), beast, foes=("ogre",), rules=a5e())
    table.start(mira=20, ogre=10, bear=5)
    table.does(UseFeature("mira", spell="conjure-animals", level=5), anyway=True)
    table.answers(summons=("bear",), many=3)
    assert len([one for one in table.encounter.all(Combatant) if one.creature == "bear"]) == 4


@for_each(("level", "most"), [(3, 0), (4, 3), (6, 7)])
def test_more_dead_rise_for_a_higher_slot(level: int, most: int) -> None:
    zombie = creature("zombie", hp=20, ac=8, type="undead")
    table = Table(mira(), creature("ogre", hp=99, ac=11), zombie, foes=("ogre",), rules=a5e())
    table.start(mira=20, ogre=10, zombie=5)
    table.does(UseFeature("mira", spell="animate-dead", level=level), anyway=True)
    assert [one.max_choices for one in table.prompt.asks if one.id == "many"] == [most] * bool(most)


@for_each(("game", "level", "bonus"), [("dnd5e", 2, 1), ("a5e", 2, 1), ("a5e", 5, 2)])
def test_a_changed_shape_has_another_option_of_its_slots_level(game: str, level: int, bonus: int) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="alter-self", level=level))
    table.chooses("amphibian" if game == "a5e" else "aquatic adaptation")
    table.ends_turn(5)
    table.does(UseFeature("mira", spell="alter-self", purpose="again"))
    table.chooses("natural weapons")
    (left,) = (one for one in table.encounter.of(Effect, "mira") if one.rules)
    assert [rule.add for rule in left.rules if rule.what == "attack"] == [bonus]


@for_each(("level", "dice"), [(3, "5d8 fire"), (5, "7d8 fire")])
def test_a_glyph_has_the_damage_of_its_slots_level(level: int, dice: str) -> None:
    table = table_of(a5e())
    table.does(UseFeature("mira", spell="glyph-of-warding", level=level), anyway=True)
    table.chooses("explosive runes: fire")
    table.ends_turn(5)
    table.dice(1)
    table.does(UseFeature("mira", spell="glyph-of-warding", targets=("ogre",), purpose="again"), anyway=True)
    table.chooses("explosive runes: fire")
    assert table.prompt.asks[0].spec is not None
    assert table.prompt.asks[0].spec.dice == dice


@for_each("game", ["dnd5e", "a5e"])
def test_a_faithful_hound_bites_at_the_start_of_its_masters_turns(game: str) -> None:
    table = table_of(GAMES[game]())
    table.does(UseFeature("mira", spell="faithful-hound"))
    table.ends_turn(5)
    table.chooses(table.prompt.asks[0].options[0].id)
    assert {"ogre", "imp"} <= {option.id for option in table.prompt.asks[0].options}
    table.dice(15)
    table.chooses("imp")
    assert [one.outcome for one in table.happened(Attacked)] == ["hit"]
    assert "Faithful Hound" not in table.effects("imp")


@for_each("game", ["dnd5e", "a5e"])
def test_harm_kills_nobody_by_a_lower_maximum(game: str) -> None:
    table = Table(mira(), creature("ogre", hp=30, ac=11), foes=("ogre",), rules=GAMES[game]())
    table.start(mira=20, ogre=10)
    table.dice(1, *[6] * 14)
    table.does(UseFeature("mira", spell="harm", targets=("ogre",)), anyway=True)
    while table.prompts:
        table.skips()
    ogre = table.encounter.need(Combatant, "ogre")
    assert (ogre.hp, ogre.hp_max, ogre.dead) == (1, 1, False)


@for_each("game", ["dnd5e", "a5e"])
def test_eyes_that_a_holy_aura_has_blinded_see_again_when_it_ends(game: str) -> None:
    fiend = creature("imp", hp=200, ac=11, type="fiend", features=(msgspec.structs.replace(CLUB, attack=30),))
    table = Table(mira(), creature("ann", hp=200, ac=13), fiend, foes=("imp",), rules=GAMES[game]())
    table.start(mira=20, ann=15, imp=10)
    table.does(UseFeature("mira", spell="holy-aura", targets=("ann",)), anyway=True)
    table.ends_turn(2)
    table.dice(15, 15, 1, 1)
    table.does(Attack("imp", "ann", "club"))
    while table.prompts:
        table.skips()
    assert "blinded" in table.effects("imp")
    (held,) = (one for one in table.encounter.of(Effect, "mira") if one.name == "concentrating")
    table.does(EndEffect(held.id))
    assert "blinded" not in table.effects("imp")
