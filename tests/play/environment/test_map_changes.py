"""Areas that last on the map: laid, carried along, thought of at their moment, ended, saved and undone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.play.map_table import YARD, Field
from tests.table import creature, dnd5e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, LeftFeature, Map, Scene
from turnwright.encounter.running import Effect, LastingArea
from turnwright.encounter.state import Encounter, standing_areas
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.manual_hit_points import PassTime, SetDead
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.environment.map_changes import (
    AreaEnded,
    AreaLaid,
    EndArea,
    LayArea,
    SetAreaHidden,
    SetAreaTerrain,
)
from turnwright.play.movement.commanded_move import MovePath, cheapest_route
from turnwright.play.movement.move import Moved
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.positions import sight
from turnwright.rules.parts.positions.geometry import is_in_area, lasting_squares
from turnwright.rules.parts.positions.sight import light_at, obscured_between, party_sight
from turnwright.storage.fights import fight_text, parse_fight

CLOUD = ((5, 5), (6, 5), (5, 6), (6, 6))


def yard() -> Field:
    return Field("ada", "orc", foes=("orc",)).puts(ada=(2, 2), orc=(6, 6))


def standing(table: Field) -> list[str]:
    return [one.name for one in standing_areas(table.encounter)]


def asked(table: Field) -> list[tuple[str, str]]:
    return [(ask.who, ask.detail) for prompt in table.prompts for ask in prompt.asks if ask.label == "ask.in_area"]


def test_an_area_is_laid_ended_and_undone() -> None:
    table = yard()
    step = table.does(LayArea("Cloud", "ada", CLOUD))
    assert step is not None
    assert [event.name for event in step.events if isinstance(event, AreaLaid)] == ["Cloud"]
    (area,) = table.encounter.all(LastingArea)
    assert area.squares == ((5, 5, 2, 2),)
    assert lasting_squares(table.encounter, table.rules, area) == set(CLOUD)
    assert [is_in_area(table.encounter, table.rules, who, area) for who in ("ada", "orc")] == [False, True]
    step = table.does(EndArea(area.id))
    assert step is not None
    assert [event.name for event in step.events if isinstance(event, AreaEnded)] == ["Cloud"]
    assert standing(table) == []
    table.session.undo()
    assert standing(table) == ["Cloud"]


def test_an_area_is_hidden_and_shown_and_both_undone() -> None:
    table = yard()
    table.does(LayArea("Snare", squares=CLOUD, reminds="entering", hidden=True))
    (area,) = table.encounter.all(LastingArea)
    assert area.hidden
    assert is_in_area(table.encounter, table.rules, "orc", area)
    for command, hidden in ((SetAreaHidden(area.id), False), (SetAreaHidden(area.id, hidden=True), True)):
        assert table.does(command) is not None
        assert table.encounter.need(LastingArea, area.id).hidden == hidden
        table.session.undo()
        assert table.encounter.need(LastingArea, area.id).hidden != hidden
        table.session.redo()
    assert table.refuses(SetAreaHidden("none")).key == "refused.unknown"


def test_what_cannot_be_laid_is_refused() -> None:
    table = yard()
    assert table.refuses(LayArea("Cloud")).key == "refused.empty"
    assert table.refuses(LayArea("Cloud", "ada", CLOUD, radius=10)).key == "refused.empty"
    assert table.refuses(LayArea("Cloud", "ada", CLOUD, held=True)).key == "refused.not_concentrating"
    assert table.refuses(EndArea("area")).key == "refused.unknown"


def test_an_aura_goes_with_its_owner_who_is_not_in_it() -> None:
    table = yard()
    table.does(LayArea("Aura", "ada", radius=10))
    (area,) = table.encounter.all(LastingArea)
    assert len(lasting_squares(table.encounter, table.rules, area)) == 25
    assert not is_in_area(table.encounter, table.rules, "orc", area)
    table.does(SetPosition("ada", position=(8, 6)))
    assert is_in_area(table.encounter, table.rules, "orc", area)
    assert not is_in_area(table.encounter, table.rules, "ada", area)


def test_walls_cut_an_aura_off() -> None:
    table = Field("ada", "orc", foes=("orc",), field=Map(columns=16, rows=16, walls=((4, 0, 4, 16),)))
    table.puts(ada=(2, 2), orc=(4, 2)).does(LayArea("Aura", "ada", radius=10))
    (area,) = table.encounter.all(LastingArea)
    assert len(lasting_squares(table.encounter, table.rules, area)) == 20
    assert not is_in_area(table.encounter, table.rules, "orc", area)


def test_an_area_ends_with_the_concentration_that_holds_it() -> None:
    table = yard()
    table.does(Concentrate("ada", "Cloud"))
    table.does(LayArea("Cloud", "ada", CLOUD, held=True))
    assert standing(table) == ["Cloud"]
    table.does(Concentrate("ada", "Another spell"))
    assert standing(table) == []
    table.session.undo()
    assert standing(table) == ["Cloud"]


def test_an_area_ends_after_its_rounds() -> None:
    table = yard()
    table.does(LayArea("Cloud", "ada", CLOUD, rounds=1))
    for lasts in (True, True, True, True, False):
        assert bool(standing(table)) is lasts
        table.does(EndTurn())
        while table.prompts:
            table.skips()


def test_it_reminds_as_somebody_ends_a_turn_in_it() -> None:
    table = yard()
    table.does(LayArea("Cloud", "ada", CLOUD, reminds="turn-end"))
    table.does(EndTurn())
    assert asked(table) == []
    table.does(EndTurn())
    assert asked(table) == [("orc", "Cloud")]


def test_it_reminds_as_somebody_comes_in_and_not_while_they_stay() -> None:
    table = yard()
    table.does(LayArea("Cloud", "ada", CLOUD, reminds="entering"))
    assert asked(table) == []
    table.does(SetPosition("orc", position=(5, 5)))
    assert asked(table) == []
    table.does(SetPosition("ada", position=(6, 6)))
    assert asked(table) == [("ada", "Cloud")]


DARK_HALL = Map(columns=16, rows=16, walls=((9, 0, 9, 16),))


def in_the_dark(**squares: tuple[int, int]) -> Field:
    table = Field("ada", "orc", foes=("orc",), field=DARK_HALL).puts(**({"ada": (2, 2), "orc": (6, 2)} | squares))
    table.has(Scene(light="dark"))
    return table


def light_of_the_orc(table: Field) -> str:
    return light_at(table.encounter, table.rules, "orc")


def test_a_carried_light_is_bright_and_dim_as_far_again_and_walls_stop_it() -> None:
    for square, light in (((4, 2), "bright"), ((6, 2), "dim"), ((8, 2), "dark")):
        table = in_the_dark(orc=square)
        assert "dark" in sight.sight_hindrances(table.encounter, table.rules, "ada", "orc")
        table.does(LayArea("Torch", "ada", radius=10, light="bright"))
        assert light_of_the_orc(table) == light
        hindered = sight.sight_hindrances(table.encounter, table.rules, "ada", "orc")
        assert ("dark" in hindered) == (light == "dark")
    table.does(SetPosition("ada", position=(7, 2)))
    assert light_of_the_orc(table) == "bright"
    table.does(SetPosition("orc", position=(9, 2)))
    assert light_of_the_orc(table) == "dark"


def test_a_light_ends_with_what_holds_it() -> None:
    table = in_the_dark()
    table.does(Concentrate("ada", "Fires"))
    table.does(LayArea("Fires", "ada", CLOUD, held=True, light="bright"))
    table.does(SetPosition("orc", position=(6, 6)))
    assert light_of_the_orc(table) == "bright"
    assert (6, 6) in party_sight(table.encounter, table.rules, ("ada",))
    table.does(Concentrate("ada", "Another spell"))
    assert light_of_the_orc(table) == "dark"
    assert (6, 6) not in party_sight(table.encounter, table.rules, ("ada",))


def test_darkness_puts_out_lights_and_dim_light_dims_nothing() -> None:
    table = yard()
    table.does(LayArea("Gloom", squares=CLOUD, light="dim"))
    assert light_of_the_orc(table) == "bright"
    (area,) = table.encounter.all(LastingArea)
    table.does(LayArea("Lamp", squares=CLOUD, light="bright"))
    table.does(SetAreaTerrain(area.id, "dark"))
    assert light_of_the_orc(table) == "dark"
    table.session.undo()
    assert light_of_the_orc(table) == "bright"
    assert table.refuses(SetAreaTerrain("none")).key == "refused.unknown"


def test_difficult_ground_of_an_area_costs_more_and_routes_go_round_it() -> None:
    table = yard()
    table.does(LayArea("Web", "ada", tuple((3, row) for row in range(8)), difficult=True))
    (area,) = table.encounter.all(LastingArea)
    route = cheapest_route(table.encounter, table.rules, "ada", (5, 2))
    assert route is not None
    assert route.cost.total == 20
    table.does(MovePath("ada", ((3, 2), (4, 2))))
    assert table.track("ada", "moved") == 15
    (moved,) = table.happened(Moved)
    assert "Web" in {part.reason for part in moved.why}
    table.session.undo()
    table.does(SetAreaTerrain(area.id))
    table.does(MovePath("ada", ((3, 2), (4, 2))))
    assert table.track("ada", "moved") == 10


def test_the_ground_around_somebody_is_difficult_for_others_alone() -> None:
    table = yard()
    table.does(LayArea("Guardians", "ada", radius=15, difficult=True))
    table.does(MovePath("ada", ((3, 2), (4, 2))))
    assert table.track("ada", "moved") == 10
    table.does(EndTurn())
    table.does(MovePath("orc", ((5, 5), (5, 4))))
    assert table.track("orc", "moved") == 20


def test_an_area_is_saved_with_the_fight() -> None:
    table = yard()
    table.does(LayArea("Cloud", "ada", CLOUD, reminds="turn-start"))
    table.does(LayArea("Aura", "orc", radius=10, hidden=True, light="dim", difficult=True))
    text = fight_text(table.encounter, (), "yard.toml")
    assert "[lasting_areas." in text
    assert "squares = [[5, 5, 2, 2]]" in text
    prepared = Encounter(
        record for record in table.encounter if record.table in ("scene", "map", "creatures", "roster")
    )
    again = parse_fight(text.encode(), Path("a.fight.toml"), prepared)
    assert again.records is not None
    assert [one for one in again.records if isinstance(one, LastingArea)] == [*table.encounter.all(LastingArea)]


def test_a_feature_hides_or_hampers_its_area_as_long_as_its_effect_lasts() -> None:
    ink = Feature("ink", "Ink", "free", area="5-foot radius", lasts="1 minute", properties=("heavily-obscured",))
    gloom = Feature(
        "gloom", "Gloom", "free", area="10-foot radius", until="hurt", properties=("darkness", "carried-area")
    )
    far = Feature("far", "Far", "free", area="5-foot radius", range="60", properties=("difficult-terrain",))
    table = Field(creature("ada", features=(ink, gloom, far)), "orc", foes=("orc",)).puts(ada=(2, 2), orc=(9, 9))
    table.does(UseFeature("ada", "ink"))
    (area,) = table.encounter.all(LastingArea)
    assert (area.squares, area.obscured) == (((1, 1, 3, 3),), "heavily")
    assert obscured_between(table.encounter, table.rules, "orc", "ada") == "heavily obscured"
    table.does(SetPosition("ada", position=(9, 8)))
    assert obscured_between(table.encounter, table.rules, "orc", "ada") == "clear"
    table.does(EndEffect(area.effect))
    table.does(UseFeature("ada", "gloom"))
    assert standing(table) == ["Gloom"]
    assert light_at(table.encounter, table.rules, "orc") == "dark"
    table.does(UseFeature("ada", "far"))
    assert "Far" not in standing(table)
    table.does(UseFeature("ada", "far", origin=(8, 8)))
    assert "Far" in standing(table)


def test_a_creature_sheds_light_from_the_start_until_it_dies() -> None:
    words = ("bright-light", "carried-area")
    glow = Feature(
        "glow", "Glow", trigger="starts", range="self", area="10-foot emanation", until="owner-gone", properties=words
    )
    table = Field(
        creature("ada", features=(glow,)), "orc", foes=("orc",), scene=Scene(strictness="enforce", light="dark")
    ).puts(ada=(2, 2), orc=(4, 2))
    assert [light_at(table.encounter, table.rules, who) for who in ("ada", "orc")] == ["bright", "bright"]
    table.does(SetPosition("orc", position=(6, 2)))
    assert light_at(table.encounter, table.rules, "orc") == "dim"
    table.does(SetDead("ada"))
    assert (standing(table), light_at(table.encounter, table.rules, "orc")) == ([], "dark")


def test_a_dim_glow_lights_only_its_area() -> None:
    glow = Feature(
        "glow", "Glow", "bonus", range="self", area="10-foot emanation", properties=("dim-light", "carried-area")
    )
    table = Field(
        creature("ada", features=(glow,)), "orc", foes=("orc",), scene=Scene(strictness="enforce", light="dark")
    ).puts(ada=(2, 2), orc=(4, 2))
    table.does(UseFeature("ada", "glow"))
    assert [light_at(table.encounter, table.rules, who) for who in ("ada", "orc")] == ["dim", "dim"]
    table.does(SetPosition("orc", position=(8, 2)))
    assert light_at(table.encounter, table.rules, "orc") == "dark"


def test_a_feature_keeps_its_effect_and_its_damage_in_its_area() -> None:
    hidden = DataRule("flat", "attack-against", set=5)
    left = LeftFeature("other-starts", damage="1d6 cold", enters="once")
    words = ("lightly-obscured", "stays-in-area")
    storm = Feature(
        "storm", "Storm", "free", area="5-foot radius", range="60", lasts="1 minute", properties=words, effect=(hidden,)
    )
    storm = msgspec.structs.replace(storm, leaves=left)
    table = Field(creature("ada", features=(storm,)), "orc", foes=("orc",)).puts(ada=(2, 2), orc=(9, 9))
    table.does(UseFeature("ada", "storm", origin=(9, 9)))
    assert ["Storm" in table.effects(who) for who in ("ada", "orc")] == [True, True]  # she holds it, he is in it
    assert [rule.what for each in table.encounter.of(Effect, "orc") for rule in each.rules] == ["attack-against"]
    assert not any(each.rules for each in table.encounter.of(Effect, "ada"))
    table.dice(4)
    table.ends_turn()
    assert table.one("orc").hp == 16
    table.does(SetPosition("orc", position=(5, 5)))
    assert table.effects("orc") == set()
    table.dice(3)
    table.does(SetPosition("orc", position=(9, 9)))
    assert table.effects("orc") == {"Storm"}


@pytest.mark.parametrize(("condition", "stays"), [("incapacitated", False), ("prone", True)])
def test_a_rule_of_duration_ends_the_area_of_a_feature(condition: str, stays: bool) -> None:
    lost = DataRule("duration", "lost", when="incapacitated")
    ring = Feature("ring", "Ring", "free", area="10-foot radius ring", lasts="1 minute", rules=(lost,))
    ring = msgspec.structs.replace(
        ring, properties=("stays-in-area",), leaves=LeftFeature("other-ends", damage="5 fire")
    )
    table = Field(creature("ada", features=(ring,)), "orc", foes=("orc",)).puts(ada=(5, 5), orc=(9, 9))
    table.does(UseFeature("ada", "ring"))
    assert standing(table) == ["Ring"]
    table.does(ApplyCondition(("ada",), condition))
    assert standing(table) == (["Ring"] if stays else [])


def test_a_cone_stays_where_it_points() -> None:
    breath = Feature(
        "breath", "Breath", "free", area="15-foot cone", lasts="1 minute", properties=("difficult-terrain",)
    )
    table = Field(creature("ada", features=(breath,)), "orc", foes=("orc",)).puts(ada=(2, 2), orc=(5, 2))
    table.does(UseFeature("ada", "breath", targets=("orc",)))
    (area,) = table.encounter.all(LastingArea)
    squares = lasting_squares(table.encounter, table.rules, area)
    assert (5, 2) in squares
    assert (1, 2) not in squares


def test_the_time_of_an_area_is_rolled() -> None:
    ice = Feature("ice", "Ice", "free", area="5-foot radius", lasts="2d4 rounds", properties=("difficult-terrain",))
    table = Field(creature("ada", features=(ice,)), "orc", foes=("orc",)).puts(ada=(2, 2), orc=(9, 9))
    table.dice(1, 2)
    table.does(UseFeature("ada", "ice"))
    assert [effect.rounds_left for effect in table.encounter.all(Effect) if effect.name == "Ice"] == [3]


def test_an_aura_that_hides_is_there_from_the_start_and_moves_with_its_owner() -> None:
    words = ("carried-area", "lightly-obscured", "stays-in-area")
    blind = DataRule("flat", "attack", set=5, when="not is-source")
    smoke = Feature("smoke", "Smoke", range="self", area="10-foot emanation", trigger="starts", properties=words)
    smoke = msgspec.structs.replace(smoke, effect=(blind,))
    table = Field(creature("mare", features=(smoke,)), "ann", foes=("mare",)).puts(mare=(5, 5), ann=(6, 6))
    assert standing(table) == ["Smoke"]
    assert "Smoke" in table.effects("ann")
    table.does(SetPosition("mare", position=(12, 12)))
    assert table.effects("ann") == set()


@pytest.mark.parametrize("on_map", [True, False])
def test_an_aura_hurts_those_who_enter_it_or_start_their_turn_in_it(on_map: bool) -> None:
    left = LeftFeature("other-starts", damage="4 slashing", within=10, enters="once")
    words = ("carried-area", "stays-in-area")
    shards = Feature("shards", "Shards", range="self", area="10-foot emanation", trigger="starts", properties=words)
    mare = creature("mare", features=(msgspec.structs.replace(shards, leaves=left),))
    table = Field(mare, "ann", foes=("mare",), field=YARD if on_map else None)
    if on_map:
        table.puts(mare=(5, 5), ann=(12, 5))
        table.ends_turn()
        table.does(MovePath("ann", ((11, 5), (10, 5), (9, 5), (8, 5), (7, 5))))
        assert table.one("ann").hp == 16
        table.ends_turn(2)
        assert table.one("ann").hp == 12
    else:
        table.ends_turn()
        table.chooses("ann")  # the distance is unknown
        assert table.one("ann").hp == 16


@pytest.mark.parametrize(("spell", "hours", "holds"), [("fog-cloud", 2, False), ("web", 2, False), ("web", 0, True)])
def test_concentration_on_an_area_ends_with_the_spell(spell: str, hours: int, holds: bool) -> None:
    mira = creature("ada", features=(Feature("sp", "Spellcasting", "trait", dc=15),), slots=(("1", 1), ("2", 1)))
    table = Field(mira, "orc", foes=("orc",), rules=dnd5e()).puts(ada=(2, 2), orc=(9, 9))
    table.does(UseFeature("ada", spell=spell, origin=(8, 2)))
    assert {"concentrating"} <= table.effects("ada")
    if hours:
        table.does(PassTime(hours))
    assert ("concentrating" in table.effects("ada")) is holds
    assert bool(standing(table)) is holds
