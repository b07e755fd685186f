"""Features that help: they ask for their targets, and their temporary hit points last as long as their texts say."""

import pytest

from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, Map
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.position_changes import SetPosition

DISPLAY = Feature(
    "display", "Display", "action", range="30", temp="4", targets=1, until="owner-start",
    when="target.type:kobold, not target.within:0", requires="Its last action was a spell",
)  # fmt: skip


GAMES = {"a5e": a5e, "dnd5e": dnd5e, "pf2e": pf2e}


def lair(game: str) -> Table:
    ann, bob = (creature(id, tags=("kobold",), features=(DISPLAY,)) for id in ("ann", "bob"))
    table = Table(ann, bob, "cid", "ogre", foes=("ogre",), rules=GAMES[game]())
    table.start(ann=20, bob=15, cid=12, ogre=10)
    table.does(Add((Map(columns=30, rows=30),)))
    for who, column in (("ann", 1), ("bob", 3), ("cid", 4), ("ogre", 9)):
        table.does(SetPosition(who, position=(column, 1)))
    return table


@pytest.mark.parametrize("game", GAMES)
def test_temporary_hit_points_end_when_their_feature_says(game: str) -> None:
    table = lair(game)
    table.does(UseFeature("ann", "display"))
    table.chooses("met")
    assert [option.id for option in table.prompt.asks[0].options] == ["bob"]  # another kobold, in range
    table.answers(who=("bob",))
    while table.prompts:
        table.answers(temp="4")
    assert (table.one("bob").temp_hp, table.one("ann").temp_hp) == (4, 0)
    table.ends_turn(3)
    assert table.one("bob").temp_hp == 4
    table.ends_turn()
    assert table.one("bob").temp_hp == 0


def test_a_target_of_another_kind_is_refused() -> None:
    table = lair("pf2e")
    assert "target_not_meant" in str(table.refuses(UseFeature("ann", "display", targets=("cid",))))
    assert "target_not_meant" in str(table.refuses(UseFeature("ann", "display", targets=("ann",))))
