"""What spells do to the ground: walls in sections, light that is carried, fog that drifts, and where targets may be."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.play.actions.test_clauses_of_spells import GAMES, mira, table_of
from tests.table import Table, a5e, creature, dnd5e
from turnwright.encounter.prepared import Map
from turnwright.encounter.running import Combatant, Effect, LastingArea
from turnwright.encounter.state import effect_value, standing_areas
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.feature_steps import Teleports
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.save_effect import CHOICE, TARGETS
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Rest
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import Rolled
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.economy.limited_uses import all_uses
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions.geometry import is_in_area
from turnwright.rules.parts.positions.sight import cover_of, sees


def field(game: str) -> Table:
    """Mira at column 1, Ann at 7, Bob at 13, the ogre at 19 and the imp at 25, all on one row in the middle of a map."""
    table = table_of(GAMES[game](), on_map=True)
    for number, who in enumerate(("mira", "ann", "bob", "ogre", "imp")):
        table.does(ForceMove(who, (1 + 6 * number, 15), "teleport"))
    table.dice(*[1] * 40)
    return table


def cast(table: Table, spell: str, origin: tuple[int, int] | None = None, *targets: str) -> None:
    table.does(UseFeature("mira", spell=spell, origin=origin, targets=targets), anyway=True)
    choose_shape(table)


def choose_shape(table: Table, shape: str = "") -> None:
    """Answer which shape a spell has (by default, the first) and that it has no targets at once, if that is asked."""
    for ask in table.prompt.asks if table.prompts else ():
        if (ask.id == CHOICE and ask.options[0].id in ("a point", "panels")) or "straight" in ask.options[0].id:
            table.chooses(shape or ask.options[0].id)
    if table.prompts and table.prompt.asks[0].id == TARGETS:
        table.chooses()


@for_each("game", ["dnd5e", "a5e"])
@for_each(
    ("spell", "cover", "seen", "hp"),
    [
        ("wall-of-force", "total", True, 0), ("wall-of-ice", "total", True, 30), ("wall-of-stone", "total", False, 180),
        ("blade-barrier", "three-quarters", True, 0),
    ],
)  # fmt: skip
def test_a_wall_of_a_spell_is_on_the_map(game: str, spell: str, cover: str, seen: bool, hp: int) -> None:
    table = field(game)
    cast(table, spell, (16, 15))
    assert cover_of(table.encounter, table.rules, "bob", "ogre") == cover
    assert sees(table.encounter, table.rules, "bob", "ogre") is seen
    sections = next(area for area in standing_areas(table.encounter) if area.sections).sections
    assert {each.hp for each in sections} == {hp}
    table.ends_turn(2)
    way = ((14, 15), (15, 15), (16, 15), (17, 15))
    if cover == "total":
        table.refuses(MovePath("bob", way[:3]))
        table.refuses(Attack("bob", "ogre", "club"))
    else:
        table.does(MovePath("bob", way[:1]))
    concentration = next(one for one in table.encounter.of(Effect, "mira") if one.name == "concentrating")
    table.does(EndEffect(concentration.id))
    assert cover_of(table.encounter, table.rules, "bob", "ogre") == "none"
    assert current_map(table.encounter).obstacles == ()


@for_each(("spell", "rank", "hp"), [("wall-of-stone", 6, 50), ("wall-of-stone", 7, 65), ("wall-of-thorns", 5, 30)])
def test_a_wall_from_a_higher_slot_has_more_hit_points(spell: str, rank: int, hp: int) -> None:
    table = field("pf2e")
    table.does(UseFeature("mira", spell=spell, origin=(19, 15), level=rank), anyway=True)
    sections = next(area for area in standing_areas(table.encounter) if area.sections).sections
    assert {each.hp for each in sections} == {hp}


@for_each("game", ["dnd5e", "a5e"])
def test_a_section_of_a_wall_can_be_broken(game: str) -> None:
    table = field(game)
    cast(table, "wall-of-ice", (14, 15))
    sections = next(area for area in standing_areas(table.encounter) if area.sections).sections
    near = next(each for each in sections if each.at[1] <= 15 < each.at[1] + each.size[1])
    table.ends_turn(2)
    table.dice(12, 6)
    table.does(Attack("bob", near.id, "club"))
    (struck,) = (each for each in current_map(table.encounter).obstacles if each.id == near.id)
    assert struck.hp == 23


@for_each("game", ["dnd5e", "a5e"])
def test_a_wall_moves_creatures_in_its_way_aside(game: str) -> None:
    table = field(game)
    cast(table, "wall-of-stone", (19, 15))
    assert table.prompt.asks[0].who == "ogre"
    table.chooses("20,15")
    assert table.one("ogre").position == (20, 15)


@for_each("game", ["dnd5e", "a5e"])
@for_each(
    ("at", "is_hurt"), [((16, 15), True), ((17, 15), True), ((18, 15), True), ((19, 15), False), ((15, 15), False)]
)
def test_a_wall_of_fire_burns_on_its_far_side(game: str, at: tuple[int, int], is_hurt: bool) -> None:
    table = field(game)
    cast(table, "wall-of-fire", (16, 15))
    table.does(ForceMove("ogre", at, "teleport"))
    table.does(ApplyDamage(("ogre",), str(table.one("ogre").hp - 150)))
    before = table.one("ogre").hp
    table.ends_turn(4)
    assert (table.one("ogre").hp < before) is is_hurt


@for_each("game", ["dnd5e", "a5e"])
@for_each(
    ("shape", "at", "is_hurt"),
    [
        ("hot on the near side", (14, 15), True), ("hot on the near side", (17, 15), False),
        ("ring, hot inside", (16, 15), True), ("ring, hot inside", (16, 18), False),
        ("ring, hot outside", (16, 15), False), ("ring, hot outside", (16, 18), True),
        ("ring, hot outside", (16, 20), False),
    ],
)  # fmt: skip
def test_a_wall_of_fire_burns_on_the_side_that_its_caster_chooses(
    game: str, shape: str, at: tuple[int, int], is_hurt: bool
) -> None:
    table = field(game)
    table.does(ForceMove("ogre", at, "teleport"))
    table.does(UseFeature("mira", spell="wall-of-fire", origin=(16, 15)), anyway=True)
    if table.prompt.asks[0].id == TARGETS:
        table.chooses()
    table.chooses(next(each.id for each in table.prompt.asks[0].options if each.id.endswith(shape)))
    before = table.one("ogre").hp
    table.ends_turn(4)
    assert (table.one("ogre").hp < before) is is_hurt


@for_each("game", ["dnd5e", "a5e"])
def test_a_dome_of_force_keeps_a_creature_in(game: str) -> None:
    table = field(game)
    table.does(UseFeature("mira", spell="wall-of-force", origin=(19, 15)), anyway=True)
    choose_shape(table, "dome or sphere")
    table.ends_turn(3)
    for way in (((20, 15), (21, 15)), ((18, 15), (17, 15)), ((19, 16), (19, 17)), ((20, 16), (21, 17))):
        table.refuses(MovePath("ogre", way))


@for_each("game", ["dnd5e", "a5e"])
def test_a_spell_by_name_has_its_area_at_a_square(game: str) -> None:
    table = field(game)
    table.does(CastSpell("mira", spell="fog-cloud", origin=(19, 15)), anyway=True)
    (area,) = standing_areas(table.encounter)
    assert is_in_area(table.encounter, table.rules, "ogre", area)


@for_each("game", ["dnd5e", "a5e"])
def test_darkness_moves_with_the_object_of_its_caster(game: str) -> None:
    table = field(game)
    table.does(UseFeature("mira", spell="darkness"), anyway=True)
    table.chooses("an object that the caster holds")  # then it has no place of its own
    table.does(ForceMove("mira", (18, 15), "teleport"))
    (area,) = standing_areas(table.encounter)
    inside = [is_in_area(table.encounter, table.rules, who, area) for who in ("ann", "bob", "ogre")]
    assert (inside, area.light) == ([False, False, True], "dark")


@for_each(
    ("spell", "falls"), [("fly", True), ("fly-2024", False), ("gaseous-form", False), ("gaseous-form-2024", False)]
)
def test_some_spells_let_creatures_hover(spell: str, *, falls: bool) -> None:
    table = field("dnd5e")
    table.does(ForceMove("ann", (2, 15), "teleport"))
    cast(table, spell, None, "ann")
    table.does(SetPosition("ann", elevation=20))
    table.does(ApplyCondition(("ann",), "stunned"))
    assert ("falling" in table.effects("ann")) is falls


@for_each("game", ["dnd5e", "a5e"])
def test_true_seeing_sees_through_the_darkness_of_a_spell(game: str) -> None:
    table = field(game)
    cast(table, "darkness", (19, 15))
    assert not sees(table.encounter, table.rules, "bob", "ogre")
    table.ends_turn(5)
    table.does(ForceMove("bob", (2, 15), "teleport"))
    table.does(UseFeature("mira", spell="true-seeing", targets=("bob",)), anyway=True)
    assert sees(table.encounter, table.rules, "bob", "ogre") is True


@for_each("game", ["dnd5e", "a5e"])
def test_truesight_sees_through_the_darkness_of_a_spell(game: str) -> None:
    table = Table(
        mira(), creature("solar", senses=(("truesight", 120),)), creature("ogre"), foes=("ogre",), rules=GAMES[game]()
    )
    table.does(Add((Map(columns=40, rows=30),)))
    table.start(mira=20, solar=15, ogre=10)
    for who, square in (("mira", (1, 15)), ("solar", (8, 15)), ("ogre", (16, 15))):
        table.does(ForceMove(who, square, "teleport"))
    cast(table, "darkness", (16, 15))
    found = [sees(table.encounter, table.rules, who, "ogre") for who in ("mira", "solar")]
    assert [bool(one) for one in found] == [False, True]


def test_a_zone_of_truth_binds_only_inside() -> None:
    table = field("dnd5e")
    cast(table, "zone-of-truth", (8, 15))
    table.ends_turn()
    assert "Zone of Truth" in table.effects("ann")
    table.does(ForceMove("ann", (20, 15)))
    assert "Zone of Truth" not in table.effects("ann")


@for_each("game", ["dnd5e", "a5e"])
@for_each(("spell", "holder", "feet"), [("light", "ann", 20), ("sunbeam", "mira", 30), ("fire-shield", "mira", 10)])
def test_light_goes_with_its_bearer(game: str, spell: str, holder: str, feet: int) -> None:
    table = field(game)
    table.does(ForceMove("ann", (2, 15), "teleport"))
    cast(table, spell, None, *(("ann",) if spell == "light" else ("ogre",) if spell == "sunbeam" else ()))
    while table.prompts:
        table.chooses("warm")
    (area,) = standing_areas(table.encounter)
    assert (area.owner, area.radius, area.light) == (holder, feet, "bright")
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "mira") if one.id == area.effect)))
    assert list(standing_areas(table.encounter)) == []


@for_each(("face", "is_lit"), [(1, True), (20, False)])
def test_a_hostile_bearer_saves_against_light(face: int, is_lit: bool) -> None:
    table = field("dnd5e")
    table.refuses(UseFeature("mira", spell="light", targets=("ogre",)))  # out of reach
    table.does(ForceMove("ogre", (2, 15), "teleport"))
    table.dice(face)
    table.does(UseFeature("mira", spell="light", targets=("ogre",)))
    assert [area.owner for area in standing_areas(table.encounter)] == ["ogre"] * is_lit


@for_each("game", ["dnd5e", "a5e"])
def test_a_cantrip_of_light_moves_to_another_bearer(game: str) -> None:
    table = field(game)
    for who, square in (("ann", (2, 15)), ("bob", (1, 16))):
        table.does(ForceMove(who, square, "teleport"))
        cast(table, "light", None, who)
        table.ends_turn(5)
    assert [area.owner for area in standing_areas(table.encounter)] == ["bob"]


@for_each("game", ["dnd5e", "a5e"])
def test_daylight_fades_into_dim_light(game: str) -> None:
    table = field(game)
    table.does(ForceMove("imp", (38, 15), "teleport"))
    cast(table, "daylight", (19, 15))
    assert sorted(area.light for area in standing_areas(table.encounter)) == ["bright", "dim"]


@for_each("game", ["dnd5e", "a5e"])
def test_poisonous_fog_drifts_away_from_its_caster(game: str) -> None:
    table = field(game)
    cast(table, "cloudkill", (16, 15))
    (cloud,) = table.encounter.all(LastingArea)
    reached = [is_in_area(table.encounter, table.rules, "ogre", cloud)]
    table.does(SetDice("roll"))
    table.ends_turn(5)
    (moved,) = table.encounter.all(LastingArea)
    assert {here[0] - there[0] for here, there in zip(moved.squares, cloud.squares, strict=True)} == {2}
    assert {here[1] - there[1] for here, there in zip(moved.squares, cloud.squares, strict=True)} == {0}
    assert reached == [True]


@for_each("game", ["dnd5e", "a5e"])
@for_each(("spell", "far"), [("hold-person", False), ("hold-person", True), ("charm-person", True), ("command", True)])
def test_targets_have_to_be_near_each_other(game: str, spell: str, far: bool) -> None:
    table = field(game)
    table.does(ForceMove("ogre", (3, 10), "teleport"))
    table.does(ForceMove("imp", (3, 20 if far else 11), "teleport"))
    use = UseFeature("mira", spell=spell, targets=("ogre", "imp"), level=4)
    if far:
        assert table.refuses(use).key == "refused.targets_apart"
    else:
        table.does(use)
        assert "paralyzed" in table.effects("imp")


@for_each("game", ["dnd5e", "a5e"])
@for_each("spell", ["silent-image", "major-image", "dancing-lights", "call-lightning"])
def test_a_spell_used_again_asks_for_its_place_within_range(game: str, spell: str) -> None:
    table = field(game)
    cast(table, spell, (5, 13))
    while table.prompts:
        table.skips()
    table.ends_turn(5)
    far = UseFeature("mira", spell=spell, origin=(35, 15), purpose="again")
    assert table.refuses(far).key == "refused.out_of_range"
    table.does(UseFeature("mira", spell=spell, purpose="again"))
    asks = {ask.id for ask in table.prompt.asks}
    if spell == "call-lightning":
        assert TARGETS in asks
        return
    assert "place" in asks
    table.answers(place="ann")
    (area,) = table.encounter.all(LastingArea)
    assert is_in_area(table.encounter, table.rules, "ann", area)


@for_each("game", ["dnd5e", "a5e"])
def test_a_thrown_flame_is_gone(game: str) -> None:
    table = field(game)
    cast(table, "produce-flame")
    table.ends_turn(5)
    table.does(ForceMove("ogre", (5, 15), "teleport"))
    table.does(UseFeature("mira", spell="produce-flame", targets=("ogre",), purpose="again"))
    assert "Produce Flame" not in table.effects("mira")
    assert list(standing_areas(table.encounter)) == []


@for_each("game", ["dnd5e", "a5e"])
@for_each(("spell", "feet"), [("faerie-fire", 10), ("holy-aura", 5)])
def test_targets_that_shed_light_do_so_while_the_effect_is_on_them(game: str, spell: str, feet: int) -> None:
    table = field(game)
    cast(table, spell, None, "ann", "bob") if spell == "holy-aura" else cast(table, spell, (7, 15), "ann", "bob")
    lights = [(area.owner, area.radius, area.light) for area in standing_areas(table.encounter)]
    assert lights == [("ann", feet, "dim"), ("bob", feet, "dim")]
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "ann") if one.shown)))
    assert [area.owner for area in standing_areas(table.encounter)] == ["bob"]


@for_each("game", ["dnd5e", "a5e"])
@for_each(("spell", "asks"), [("entangle", True), ("darkness", True), ("fireball", False), ("bless", False)])
def test_a_spell_that_stays_on_the_map_asks_for_its_place(game: str, spell: str, asks: bool) -> None:
    table = field(game)
    cast(table, spell, None, "ann")
    assert bool(table.prompts and table.prompt.title == "prompt.area_place") is asks
    if asks:
        table.chooses("bob")
        choose_shape(table)
        (area,) = standing_areas(table.encounter)
        assert is_in_area(table.encounter, table.rules, "bob", area)


@for_each("game", ["dnd5e", "a5e"])
@for_each(("spell", "order"), [("fear", ""), ("command", "flee")])
def test_creatures_that_flee_dash_and_do_nothing_else(game: str, spell: str, order: str) -> None:
    table = field(game)
    table.does(ForceMove("ogre", (4, 20), "teleport"))
    cast(table, spell, None, "ogre")
    if order:
        table.chooses()  # it understands the caster
        table.chooses(order)
    table.ends_turn(3)
    table.refuses(TakeAction("ogre", "dodge"))
    table.chooses(table.prompt.asks[0].options[0].id)
    table.does(MovePath("ogre", tuple((column, 20) for column in range(5, 11))))
    table.chooses("done")
    table.does(MovePath("ogre", tuple((column, 20) for column in range(11, 17))))
    assert table.one("ogre").position == (16, 20)


@for_each("game", ["dnd5e", "a5e"])
def test_a_companion_steps_through_the_door_too(game: str) -> None:
    table = field(game)
    table.does(ForceMove("ann", (2, 15), "teleport"))
    table.does(UseFeature("mira", spell="dimension-door", targets=("ann",)))
    table.chooses("free place")
    assert [event.who for event in table.happened(Teleports)] == ["mira", "ann"]


@for_each("game", ["dnd5e", "a5e"])
def test_a_teleport_ends_within_its_distance(game: str) -> None:
    table = field(game)
    cast(table, "misty-step")
    assert table.refuses(ForceMove("mira", (8, 15), "teleport")).key == "refused.leap"
    for square in ((7, 12), (1, 9)):  # measured from where it began
        table.does(ForceMove("mira", square, "teleport"))
    table.chooses("done")
    table.does(ForceMove("mira", (30, 15), "teleport"))


@for_each("game", ["dnd5e", "a5e"])
@for_each(("by", "roll"), [("resurrection", 4)])
def test_the_dead_return_weakened_and_recover_with_rests(game: str, by: str, roll: int) -> None:
    table = field(game)
    table.does(ForceMove("ann", (2, 15), "teleport"))
    table.does(ApplyDamage(("ann",), "999"))
    cast(table, by, None, "ann")
    assert effect_value(table.encounter, "ann", "returned") == roll
    table.does(EndEncounter())
    table.does(Rest("long"))
    assert effect_value(table.encounter, "ann", "returned") == roll - 1


@for_each("game", ["dnd5e", "a5e"])
@for_each(
    ("targets", "gone"),
    [(("mira", "ann", "bob"), {"mira", "ann", "bob"}), (("ogre",), {"ogre"}), (("ogre", "imp"), None)],
)
def test_a_plane_shift_takes_companions_or_one_enemy(
    game: str, targets: tuple[str, ...], gone: set[str] | None
) -> None:
    table = field(game)
    for number, who in enumerate(targets):
        table.does(ForceMove(who, (1, 14 + number), "teleport")) if who != "mira" else None
    table.dice(15, *[1] * 9)
    use = UseFeature("mira", spell="plane-shift", targets=targets)
    if gone is None:
        assert table.refuses(use).key == "refused.too_many_rays"
        return
    table.does(use)
    if table.prompts:
        table.chooses(*targets)
    assert {one.target for one in table.encounter.all(Effect) if one.name in ("Plane Shift", "sent-home")} == gone
    assert ("mira" in gone) == (len(gone) > 1)


@for_each("game", ["dnd5e", "a5e"])
def test_hail_hinders_until_the_end_of_its_casters_next_turn(game: str) -> None:
    table = field(game)
    cast(table, "ice-storm", (16, 15), "ogre")
    table.ends_turn(5)
    assert [area.difficult for area in standing_areas(table.encounter)] == [True]
    table.ends_turn()
    assert list(standing_areas(table.encounter)) == []


@for_each("game", ["dnd5e", "a5e"])
def test_a_divine_word_sends_fiends_home(game: str) -> None:
    block = creature("devil", hp=200 if game == "dnd5e" else 45, type="fiend", saves=(("cha", 0),))
    table = Table(mira(), block, creature("orc", hp=200), foes=("devil", "orc"), rules=GAMES[game]())
    table.start(mira=20, devil=10, orc=5)
    table.dice(*[1] * 9)
    table.does(UseFeature("mira", spell="divine-word", targets=("devil", "orc")))
    if game == "a5e":
        table.chooses()  # the devil isn't at home
    assert ["banished" in table.effects(who) for who in ("devil", "orc")] == [True, False]


@for_each("game", ["dnd5e", "a5e"])
@for_each("inside", [True, False])
@for_each("spell", ["guiding-bolt", "hold-person", "fireball", "magic-missile"])
@for_each("anyway", [True, False])
def test_spells_in_an_antimagic_field_cost_their_slots_without_effect(
    game: str, inside: bool, spell: str, anyway: bool
) -> None:
    table = field(game)
    table.does(UseFeature("ann", spell="antimagic-field"), anyway=True)
    table.ends_turn(5)
    table.does(ForceMove("ogre", (8, 15), "teleport"))
    if inside:
        table.does(ForceMove("ann", (2, 15), "teleport"))
    assert "Antimagic Field" in table.effects("mira" if inside else "ogre")
    before = [each.value for each in all_uses(table.encounter, "mira")]
    table.does(UseFeature("mira", spell=spell, targets=("ogre",)), anyway=anyway)
    while table.prompts:
        table.skips()
    assert table.one("ogre").hp == 200
    assert not {each.name for each in table.encounter.of(Effect, "ogre")} - {"Antimagic Field"}
    assert sum(before) - 1 == sum(each.value for each in all_uses(table.encounter, "mira"))
    if inside:
        assert "concentrating" not in table.effects("mira")


@pytest.mark.parametrize(("feet", "rows"), [(10, 2), (5, 1)])
def test_a_line_is_as_wide_as_its_text_says(feet: int, rows: int) -> None:
    table = field("a5e")
    spell = "burning-gust-of-wind" if feet == 10 else "gust-of-wind"
    cast(table, spell, (9, 15))
    (area,) = standing_areas(table.encounter)
    assert sum(high for _, _, _, high in area.squares) == rows


@pytest.mark.parametrize(("level", "rounds"), [(4, 3), (6, 5)])
def test_a_rolled_number_of_rounds_ends_banishment(level: int, rounds: int) -> None:
    table = table_of(a5e())
    table.dice(1, 1)  # the save, and 1d4
    table.does(UseFeature("mira", spell="banishment", targets=("ogre",), level=level))
    table.chooses()  # it is at home here
    (banished,) = (one for one in table.encounter.of(Effect, "ogre") if one.name == "banished")
    assert (banished.rounds_left, banished.value) == (rounds, 0)


@for_each(("game", "lasts"), [("dnd5e", True), ("dnd5e", False), ("a5e", True), ("a5e", False)])
def test_banishment_to_its_end_keeps_a_creature_on_its_own_plane(game: str, lasts: bool) -> None:
    table = table_of(GAMES[game]())
    table.dice(1, 1)  # the save, and 1d4
    table.does(UseFeature("mira", spell="banishment", targets=("ogre",)))
    table.chooses("ogre" if game == "a5e" else "home to another plane")
    table.dice(*[1] * 20)
    table.ends_turn(4)
    if not lasts:
        (held,) = (one for one in table.encounter.of(Effect, "mira") if one.name == "concentrating")
        table.does(EndEffect(held.id))
    for _ in range(60):
        table.ends_turn()
    assert ("sent-home" in table.effects("ogre")) is lasts


@for_each("game", ["dnd5e", "a5e"])
def test_an_antimagic_field_suppresses_spells_in_force(game: str) -> None:
    table = field(game)
    table.does(UseFeature("mira", spell="longstrider", targets=("mira",)))
    table.ends_turn()
    speeds = []
    for column in (7, 3, 7):  # the field moves with Ann
        table.does(ForceMove("ann", (column, 15), "teleport"))
        if not speeds:
            table.does(UseFeature("ann", spell="antimagic-field"), anyway=True)
        speeds.append(table.rules.allowance(table.encounter, table.rules, "mira", "walk").total)
    assert speeds == [40, 30, 40]
    table.does(ForceMove("ann", (3, 15), "teleport"))
    table.ends_turn(4)
    table.does(UseFeature("mira", spell="bless", targets=("mira",)))
    assert "Bless" not in table.effects("mira")


@for_each("game", ["dnd5e", "a5e"])
def test_an_area_at_a_square_asks_for_the_creatures_in_it(game: str) -> None:
    table = field(game)
    table.does(CastSpell("mira", spell="fireball", origin=(19, 15)))
    (question,) = table.prompt.asks
    assert (question.id, question.suggested) == (TARGETS, ("ogre",))
    table.chooses("ogre")
    assert (table.one("ogre").hp < 200, table.one("imp").hp) == (True, 200)


@for_each("game", ["dnd5e", "a5e"])
def test_telekinesis_holds_a_creature_in_the_air_until_it_ends(game: str) -> None:
    table = field(game)
    table.does(ForceMove("ogre", (8, 15), "teleport"))
    table.dice(*([15, 1] if game == "dnd5e" else [1]))
    table.does(UseFeature("mira", spell="telekinesis", targets=("ogre",)))
    table.chooses("8,15@30")
    assert table.one("ogre").elevation == 30
    table.ends_turn(6)
    assert "restrained" not in table.effects("ogre")
    assert table.prompt.asks[0].who == "ogre"  # it falls


def test_a_rolled_value_stays_a_value() -> None:
    table = table_of(dnd5e())
    table.dice(7, 4)
    table.does(UseFeature("mira", spell="heroes-feast", targets=("ann",)), anyway=True)
    assert any(one.value for one in table.encounter.of(Effect, "ann"))
    assert table.encounter.get(Combatant, "ann").hp_max > 200


@for_each(
    ("spell", "rank", "held"),
    [("silence", 2, {"ann"}), ("silence", 4, {"ann", "bob", "ogre"}), ("protection", 3, {"ann", "bob"})],
)
def test_a_spell_around_its_target_moves_with_it(spell: str, rank: int, held: set[str]) -> None:
    table = field("pf2e")
    for number, who in enumerate(("ann", "bob", "ogre")):
        table.does(ForceMove(who, (2 + number, 15), "teleport"))
    table.does(UseFeature("mira", spell=spell, targets=("ann",), level=rank), anyway=True)
    table.does(ForceMove("mira", (30, 30), "teleport"))
    name = spell.capitalize()
    assert {who for who in ("mira", "ann", "bob", "ogre") if name in table.effects(who) and who != "mira"} == held
    table.does(ForceMove("ann", (20, 15), "teleport"))
    assert {who for who in ("ann", "bob", "ogre") if name in table.effects(who)} == {"ann"}


def test_reversed_gravity_lifts_all_in_its_area_and_lets_them_fall_at_its_end() -> None:
    table = field("pf2e")
    cast(table, "reverse-gravity", (13, 15))
    assert (table.one("bob").elevation, table.one("ann").elevation) == (40, 0)
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.target == "bob")))
    assert table.prompt.title == "prompt.fall"


@for_each(
    ("game", "spell", "shapes"),
    [
        ("dnd5e", "wall-of-fire", ("straight wall, hot on the far side", "ring, hot inside")),
        ("a5e", "wall-of-fire", ("straight wall, hot on the far side", "ring, hot outside")),
        ("dnd5e", "blade-barrier-2024", ("straight wall", "ring")),
    ],
)
@for_each(("number", "inside"), [(0, {"bob"}), (1, {"ann"})])
def test_a_spell_that_has_several_areas_affects_those_in_the_one_chosen(
    game: str, spell: str, shapes: tuple[str, str], number: int, inside: set[str]
) -> None:
    table = field(game)
    feet = 10 if "fire" in spell else 30
    for who, column in (("bob", 10), ("ann", 10 + feet // 5 - 1), ("ogre", 25)):
        table.does(ForceMove(who, (column, 15), "teleport"))
    table.does(UseFeature("mira", spell=spell, origin=(10, 15)), anyway=True)
    table.chooses(next(option.id for option in table.prompt.asks[0].options if option.id.startswith(shapes[number])))
    assert {*table.prompt.asks[0].suggested} == inside
    table.chooses(*table.prompt.asks[0].suggested)
    assert {one.who for one in table.happened(Rolled) if one.purpose == "ask.save"} == inside
