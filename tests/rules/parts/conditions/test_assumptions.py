"""What unknown facts count as, off the map: assumed, asked about or left out, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.play.any_game import GAMES, AnyGame
from tests.play.attack_table import AXE, SHORTBOW, Fray
from tests.table import creature
from turnwright.cli.script.lexer import split_words
from turnwright.cli.script.parser import parse
from turnwright.cli.script.resolve import NameResolver
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Effect, Relation
from turnwright.encounter.state import scene_of
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack import FactAssumed
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.queries import queries
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.attacks.attack_rolls import attack_roll, open_facts, with_assumptions
from turnwright.rules.parts.checks.ability_checks import save_roll

SHIPPED = tuple(GAMES)
ASK, OUT = "unknown-facts-ask", "unknown-facts-out"


class Four(AnyGame, Fray):
    """A table of any game at which attacks are made."""


def table_of(game: str, *rules: DataRule, options: tuple[str, ...] = (), **scene: Any) -> Four:
    """Ann, who has a trait with these rules, Bob beside her somewhere, and an orc; no map."""
    trait = Feature("trait", "Trait", rules=rules)
    orc = creature("orc", hp=90, ac=12, reach=5, features=(AXE,))
    people = creature("ann", features=(AXE, SHORTBOW, trait)), creature("bob", features=(AXE,)), orc
    about = Scene(system=game, options=options, **({"strictness": "warn"} | scene))
    return Four(*people, foes=("orc",), field=None, rules=GAMES[game](), scene=about)


def begin(table: Four, who: str, target: str, means: str) -> list[str]:
    """Attack, and return the ids of the asks once something about the attack itself is asked."""
    table.dice(*[1] * 9)
    table.does(Attack(who, target, means, purpose="free"), anyway=True)
    while table.prompts and table.prompt.title != "prompt.attack":
        table.skips()
    return [ask.id for ask in queries.waiting_asks(table.prompt)] if table.prompts else []


def strike(table: Four, who: str, target: str, means: str) -> None:
    """Attack with a 1 on each die, and choose the last option of every question."""
    begin(table, who, target, means)
    while table.prompts:
        first = queries.waiting_asks(table.prompt)[0]
        if first.kind == "choice":
            reply = Reply(first.id, chosen=(first.options[-1].id,))
            table.does(Answer(table.prompt.id, (reply,), table.prompt.revision))
        else:
            table.skips()


def kinds(table: Four, means: str, **how: Any) -> list[str]:
    """The edges on Ann's attack on the orc that her trait gives."""
    roll = table.preview("ann", "orc", means, **how).roll
    return [edge.kind for edge in roll.edges if edge.reason == "Trait"]


NEAR = DataRule("advantage", "attack", when="within:5"), DataRule("disadvantage", "attack", when="not within:5")


@pytest.mark.parametrize("game", SHIPPED)
def test_a_shot_comes_from_afar_and_a_blow_from_near(game: str) -> None:
    table = table_of(game, *NEAR)
    assert kinds(table, "shortbow") == ["disadvantage"]
    assert kinds(table, "axe") == ["advantage"]
    for near in ("within:5", "target.within:5"):  # what is entered wins
        assert kinds(table, "shortbow", facts=(near,)) == ["advantage"]
    table.does(SetRelation("ann", "orc", distance=5))
    assert kinds(table, "shortbow") == ["advantage"]


@for_each("game", SHIPPED)
@for_each(("option", "shot"), [(ASK, []), (OUT, [])])
def test_house_rules_assume_nothing(game: str, option: str, shot: list[str]) -> None:
    table = table_of(game, *NEAR, options=(option,))
    assert kinds(table, "shortbow") == shot
    assert ("fact:within:5" in begin(table, "ann", "orc", "shortbow")) is (option == ASK)


@pytest.mark.parametrize("game", SHIPPED)
def test_both_sides_of_an_attack_assume_the_same(game: str) -> None:
    table = table_of(game, DataRule("advantage", "attack", when="not within:5"))
    guard = Feature("guard", "Guard", rules=(DataRule("disadvantage", "attack-against", when="not attacker.within:5"),))
    orc = creature("orc", hp=90, ac=12, features=(guard,))
    trait = Feature("trait", "Trait", rules=(DataRule("advantage", "attack", when="not within:5"),))
    table = Four(
        creature("ann", features=(SHORTBOW, trait)), orc, foes=("orc",), field=None, rules=table.rules,
        scene=Scene(system=game),
    )  # fmt: skip
    shot = AttackInProgress("ann", SHORTBOW, "orc")
    roll = attack_roll(table.encounter, table.rules, shot)
    assert {edge.kind for edge in roll.spec.edges if edge.reason in ("Trait", "Guard")} == {"advantage", "disadvantage"}
    settled = with_assumptions(table.encounter, table.rules, shot)
    assert [fact for fact in settled.facts if "within" in fact] == ["not within:5"]


@pytest.mark.parametrize("game", SHIPPED)
def test_a_shooter_is_threatened_after_a_blow_until_the_foe_acts_again_or_one_of_them_moves(game: str) -> None:
    table = table_of(game, DataRule("disadvantage", "attack", when="ranged, threatened"))
    assert kinds(table, "shortbow") == []
    table.waits_for("orc")
    strike(table, "orc", "ann", "axe")
    assert kinds(table, "shortbow") == ["disadvantage"]
    assert kinds(table, "shortbow", facts=("not threatened",)) == []
    table.waits_for("ann")
    assert kinds(table, "shortbow") == ["disadvantage"]
    table.does(MoveFeet("ann", 5), anyway=True)
    while table.prompts:
        table.skips()
    assert kinds(table, "shortbow") == []


@pytest.mark.parametrize("game", SHIPPED)
def test_a_known_distance_wins_over_a_blow(game: str) -> None:
    table = table_of(game, DataRule("disadvantage", "attack", when="ranged, threatened"))
    table.waits_for("orc")
    strike(table, "orc", "ann", "axe")
    table.does(SetRelation("orc", "ann", distance=40))
    assert kinds(table, "shortbow") == []


@pytest.mark.parametrize("game", SHIPPED)
def test_an_ally_is_at_the_target_after_its_blow(game: str) -> None:
    table = table_of(game, DataRule("advantage", "attack", when="ally-at-target:5"))
    table.waits_for("bob")
    assert kinds(table, "axe") == []
    assert kinds(table, "axe", facts=("ally-at-target:5",)) == ["advantage"]
    strike(table, "bob", "orc", "axe")
    assert kinds(table, "axe") == kinds(table, "shortbow") == ["advantage"]
    table.does(SetRelation("bob", "orc", distance=60))
    assert kinds(table, "axe") == []


@for_each(
    ("fact", "game"),
    [
        ("flanks", "pf2e"),
        *((fact, game) for fact in ("higher:10", "lower:10", "allies-reaching:1", "in:sunlight") for game in SHIPPED),
    ],
)
def test_what_is_out_of_the_ordinary_is_false_until_it_is_ticked(game: str, fact: str) -> None:
    table = table_of(game, DataRule("advantage", "attack", when=fact))
    assert (kinds(table, "axe"), kinds(table, "axe", facts=(fact,))) == ([], ["advantage"])
    (found,) = (one for one in table.preview("ann", "orc", "axe").deciding if one.fact.name == fact)
    assert (found.fact.assumed, found.applied) == (False, ())


@pytest.mark.parametrize("game", SHIPPED)
def test_the_journal_tells_what_is_assumed_once(game: str) -> None:
    table = table_of(game, *NEAR)
    strike(table, "ann", "orc", "shortbow")
    assert [event.fact for event in table.happened(FactAssumed)] == ["not within:5"]
    strike(table, "ann", "orc", "axe")
    assert len(table.happened(FactAssumed)) == 1


@pytest.mark.parametrize("game", SHIPPED)
def test_daylight_is_asked_once_and_kept_if_facts_are_asked_about(game: str) -> None:
    for answer, light, edge in (("in:sunlight", "sunlight", ["disadvantage"]), ("not in:sunlight", "bright", [])):
        table = table_of(game, DataRule("disadvantage", "attack", when="in:sunlight"), options=(ASK,))
        begin(table, "ann", "orc", "axe")
        table.answers(**{"fact:in:sunlight": (answer,)})
        while table.prompts and queries.waiting_asks(table.prompt)[0].kind == "choice":
            table.skips()
        assert scene_of(table.encounter).light == light
        assert kinds(table, "axe") == edge
        assert "in:sunlight" not in table.preview("ann", "orc", "axe").unknown_facts
        assert not [one for one in open_facts(table.encounter, table.rules, AttackInProgress("ann", AXE, "orc"))
                    if one.word == "in"]  # fmt: skip


@pytest.mark.parametrize("game", SHIPPED)
def test_an_assumption_never_refuses_an_act(game: str) -> None:
    table = table_of(game, strictness="enforce")
    for means in ("axe", "shortbow"):
        reasons = {veto.reason for veto in table.preview("ann", "orc", means, purpose="free").vetoes}
        assert not reasons & {"refused.out_of_reach", "refused.out_of_range", "refused.not_in_reach"}


@pytest.mark.parametrize("game", SHIPPED)
def test_squares_win_over_assumptions(game: str) -> None:
    table = table_of(game, *NEAR)
    table.does(SetRelation("orc", "ann", distance=5))
    assert kinds(table, "shortbow") == ["advantage"]
    assert table.encounter.get(Relation, "orc>ann") is not None


@for_each("game", SHIPPED)
@for_each(("option", "offers"), [("", 1), (ASK, 1), (OUT, 0)])
def test_a_condition_s_rule_about_a_save_is_offered_if_a_fact_is_unknown(game: str, option: str, offers: int) -> None:
    table = table_of(game, options=(option,) if option else ())
    table.has(Effect("e", "ann", "Ward", rules=(DataRule("advantage", "save", when="magic"),)))
    spec = save_roll(table.encounter, table.rules, "ann", table.rules.data.abilities[0].id)
    assert len([one for one in spec.offered if one.reason == "Ward"]) == offers


@pytest.mark.parametrize("game", ["a5e", "dnd5e"])
@pytest.mark.parametrize("fact", ["within:5", "target.within:5"])
def test_a_script_enters_a_distance_from_either_side(game: str, fact: str) -> None:
    table = table_of(game)
    table.does(ApplyCondition(("orc",), "prone"))
    words = split_words(f"attack ann orc with shortbow if {fact}")
    command = parse(words, NameResolver(table.encounter, table.rules)).statement
    assert isinstance(command, Attack)
    found = table.preview("ann", "orc", "shortbow", facts=command.facts)
    assert {edge.kind for edge in found.roll.edges} == {"advantage"}


@pytest.mark.parametrize(("when", "noted"), [("ranged, threatened", True), ("flanks", False)])
def test_melee_attacks_are_noted_only_for_a_rule_that_asks_about_them(when: str, noted: bool) -> None:
    table = table_of("action_points", DataRule("disadvantage", "attack", when=when))
    strike(table, "bob", "orc", "axe")
    assert bool(list(table.encounter.of(Effect, ""))) is noted
