"""What the rules of D&D 5e leave to pages of their own: it is asked for, or said to be missing, and never made up."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.systems.dnd5e.fights import STRONG, Fight, pair
from tests.table import creature, dnd5e
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack, Attacked, AttackFailed
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import Skipped, StatSet
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.positions import geometry
from turnwright.storage.resources import resource_root
from turnwright.storage.system_data import SystemDataError, read_system_data

CROSSBOW = Feature(
    "crossbow", "Crossbow", "action", ability="dex", damage="1d8 piercing", properties=("weapon", "ranged")
)
SHOT = Feature("bolt", "Bolt", "action", range="80/320", level=0, attack=3, damage="1d10 fire")
HALF_SPELL = Feature("hex", "Old Hex", level=1)


@pytest.mark.rule("dnd5e.external.size_categories")
def test_sizes_are_a_table_and_one_without_it_is_told() -> None:
    table = Fight(creature("ogre", size="large"), creature("imp", size="small"), field=None)
    sizes = [geometry.size_index(table.encounter, table.rules, who) for who in ("ogre", "imp")]
    assert sizes[0] - sizes[1] == 2
    assert {one.ledger for one in dnd5e().data.sizes} == {("dnd5e.external.size_categories",)}


@pytest.mark.rule("dnd5e.external.size_categories")
def test_a_game_without_its_table_of_sizes_is_not_played(tmp_path: Path) -> None:
    folder = tmp_path / "dnd5e"
    shutil.copytree(resource_root() / "systems" / "dnd5e", folder)
    data = (folder / "system.toml").read_text(encoding="utf-8")
    kept = [line for line in data.splitlines() if "around = " not in line and line != "[sizes]"]
    (folder / "system.toml").write_text("\n".join(kept), encoding="utf-8")
    with pytest.raises(SystemDataError) as found:
        read_system_data("dnd5e", folder=folder)
    assert found.value.key == "sizes"


@pytest.mark.rule("dnd5e.external.weapons")
@pytest.mark.parametrize(("normal", "outcome"), [(30, ""), (60, "hit")])
def test_a_normal_range_that_nobody_knows_is_asked(normal: int, outcome: str) -> None:
    table = pair(CROSSBOW, scene=Scene(strictness="enforce", suspended=("water",))).puts(ann=(1, 1), orc=(9, 1))
    table.does(Attack("ann", "orc", "crossbow"))
    (asked,) = table.prompt.asks
    assert (asked.id, asked.kind, asked.rule) == ("range", "number", "dnd5e.external.weapons")
    if not outcome:
        table.answers(range=None)
        assert [one.purpose for one in table.happened(Skipped)] == ["ask.attack"]
        assert table.left("ann")["action"] == 1
        return
    table.dice(15, 4)
    table.answers(range=normal)
    assert [one.outcome for one in table.happened(Attacked)] == [outcome]


@pytest.mark.rule("dnd5e.external.weapons")
def test_a_shot_beyond_the_range_given_is_not_made() -> None:
    table = pair(CROSSBOW, scene=Scene(strictness="enforce", suspended=("water",))).puts(ann=(1, 1), orc=(9, 1))
    table.does(Attack("ann", "orc", "crossbow"))
    prompt = table.prompt
    refused = table.refuses(Answer(prompt.id, (Reply("range", number=30),), prompt.revision))
    assert refused.key == "refused.out_of_range"
    assert (table.prompt, table.happened(Attacked), table.happened(AttackFailed)) == (prompt, [], [])


@pytest.mark.rule("dnd5e.external.spellcasting")
def test_a_spell_of_unknown_casting_time_is_incomplete() -> None:
    table = pair(SHOT, HALF_SPELL)
    offers = table.offers("ann")
    assert (offers["hex"].refused, offers["hex"].rule) == ("refused.no_casting_time", "dnd5e.external.spellcasting")
    by_action = [id for id, offer in offers.items() if offer.feature is not None and offer.action.cost == "action"]
    assert by_action == ["bolt"]
    for command in (TakeAction("ann", "hex"), UseFeature("ann", "hex", targets=("orc",))):
        refused = table.refuses(command)
        assert (refused.key, refused.rule) == ("refused.no_casting_time", "dnd5e.external.spellcasting")


@pytest.mark.rule("dnd5e.external.armor_class")
@pytest.mark.parametrize(("face", "outcome"), [(10, "hit"), (9, "miss")])
def test_an_armor_class_that_nobody_gave_is_asked_once(face: int, outcome: str) -> None:
    club = Feature("club", "Club", "action", attack=3, reach=5, damage="1d4 bludgeoning")
    table = pair(club, abilities=STRONG, orc={"ac": 0}, attacks=2)
    table.does(Attack("ann", "orc", "club"))
    (asked,) = table.prompt.asks
    assert (asked.id, asked.rule) == ("ac", "dnd5e.external.armor_class")
    table.dice(face, *([2] if outcome == "hit" else []))
    table.answers(ac=13)
    assert [(one.outcome, one.ac) for one in table.happened(Attacked)] == [(outcome, 13)]
    assert [(one.who, one.stat, one.value) for one in table.happened(StatSet)] == [("orc", "ac", 13)]
    table.dice(1)
    table.does(Attack("ann", "orc", "club"))
    assert len(table.happened(Attacked)) == 2


@pytest.mark.rule("dnd5e.external.armor_class")
def test_without_an_answer_there_is_no_attack() -> None:
    table = pair(orc={"ac": 0})
    table.does(Attack("ann", "orc", "longsword"))
    table.skips()
    assert (table.happened(Attacked), table.prompts) == ([], [])


@pytest.mark.parametrize(
    ("declined", "left"), [("poisoned", {"frightened"}), ("frightened", {"poisoned"}), ("", {"poisoned", "frightened"})]
)
def test_each_condition_s_usual_effect_is_declined_by_itself(declined: str, left: set[str]) -> None:
    table = pair(scene=Scene(strictness="warn"))
    for name in ("poisoned", "frightened"):
        table.marks("ann", name, by="orc")
    table.does(CallForChecks(("ann",), "str"))
    offers = {one.detail: one for one in table.prompt.asks if one.kind == "choice"}
    assert set(offers) == {"<condition.poisoned>", "<condition.frightened>"}
    assert {one.rule for one in offers.values()} == {"dnd5e.external.conditions"}
    replies = tuple(
        Reply(one.id, chosen=(one.options[int(declined in name and bool(declined))].id,))
        for name, one in offers.items()
    )
    table.does(Answer(table.prompt.id, replies, table.prompt.revision))
    (rolled,) = [one for one in table.prompt.asks if one.kind == "roll"]
    assert rolled.spec is not None
    assert {edge.reason for edge in rolled.spec.edges} == {f"<condition.{name}>" for name in left}


@pytest.mark.parametrize(("level", "penalty", "feet"), [(1, -2, 25), (2, -4, 20), (6, -12, 0)])
def test_exhaustion_of_2024_counts_each_level(level: int, penalty: int, feet: int) -> None:
    scene = Scene(options=("exhaustion-2024",))
    table = Fight(creature("ann"), "orc", foes=("orc",), field=None, scene=scene)
    table.does(ApplyCondition(("ann",), "exhaustion", level))
    roll = save_roll(table.encounter, table.rules, "ann", "wis")
    assert (sum(modifier.value for modifier in roll.modifiers), table.feet("ann")) == (penalty, feet)
    assert not roll.edges
    assert table.one("ann").dead is (level == 6)
