"""Rounds, the order, set-up and surprise by the rules of D&D 5e."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import Fight, before_rounds
from tests.table import Table, creature
from turnwright.encounter.prepared import Creature, Map, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Combatant
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.events import Rolled
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turn_order.initiative import InitiativeOrderSet
from turnwright.play.turn_order.surprise import MarkSneaking, NoSurprise, SetInitiative, SetSurprised, Surprised
from turnwright.play.turns.turns import EndEncounter, EndTurn, RoundEnded, TurnStarted


def at_initiative(*people: str, **totals: int) -> Table:
    """A table at the step of initiative, with some totals entered."""
    table = before_rounds(*people)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), SetInitiative(tuple(totals.items()))):
        table.does(command)
    return table


@pytest.mark.rule("dnd5e.round.one_turn_each")
def test_everybody_has_one_turn_a_round() -> None:
    table = before_rounds("a", "b", "c")
    table.start(a=18, b=12, c=7)
    table.ends_turn(3)
    assert [one.who for one in table.happened(TurnStarted)] == [("a",), ("b",), ("c",), ("a",)]
    assert [table.one(who).turns_ended for who in "abc"] == [1, 1, 1]
    assert (table.clock.round, table.active) == (2, "a")
    assert {one.rule for one in table.happened(TurnStarted)} == {"dnd5e.round.one_turn_each"}


@pytest.mark.rule("dnd5e.round.duration")
def test_ten_rounds_take_a_minute() -> None:
    table = before_rounds("a")
    table.start(a=10)
    table.ends_turn(10)
    assert table.clock.elapsed_seconds == 60
    assert table.rules.default_round_seconds("combat") * 10 == 60
    assert {one.rule for one in table.happened(RoundEnded)} == {"dnd5e.round.duration"}


@pytest.mark.rule("dnd5e.initiative.everyone_rolls", "dnd5e.setup.sequence")
def test_no_turn_begins_before_everybody_has_a_place() -> None:
    table = at_initiative("a", "b", "c", "d", a=17, b=12, c=5)
    table.does(AdvanceSetup())
    assert [ask.who for ask in table.prompt.asks] == ["d"]
    assert table.prompt.rule == "dnd5e.initiative.everyone_rolls"
    assert table.clock.phase == "set-up"
    assert table.refuses(EndTurn()).rule == "dnd5e.setup.sequence"
    table.answers(d="9")
    assert (table.clock.phase, table.order) == ("rounds", ["a", "b", "d", "c"])


@pytest.mark.rule("dnd5e.setup.positions")
def test_everybody_is_put_where_the_table_likes_before_initiative() -> None:
    table = before_rounds("a", "b", "c", "d", "e", surroundings=[Map(columns=6, rows=6)])
    table.does(StartEncounter())
    for column, who in enumerate("abcde"):
        table.does(SetPosition(who, position=(column, 2)))
    assert [table.one(who).position for who in "abcde"] == [(column, 2) for column in range(5)]
    assert [table.track(who, "moved") for who in "abcde"] == [0] * 5


@pytest.mark.rule("dnd5e.initiative.order")
def test_higher_totals_act_earlier() -> None:
    table = before_rounds("ana", "bor", "cai")
    table.start(ana=9, bor=17, cai=13)
    assert table.order == ["bor", "cai", "ana"]
    (settled,) = table.happened(InitiativeOrderSet)
    assert settled.rule == "dnd5e.initiative.order"


@pytest.mark.rule("dnd5e.initiative.order_fixed")
def test_the_order_stays_for_the_whole_fight() -> None:
    table = before_rounds("ana", "bor", "cai")
    table.start(ana=9, bor=17, cai=13)
    table.dice(20, 20, 20, 20)
    rolled = len(table.happened(Rolled))
    table.ends_turn(6)
    assert (table.clock.round, table.order, len(table.happened(Rolled))) == (3, ["bor", "cai", "ana"], rolled)


@pytest.mark.rule("dnd5e.initiative.dex_check")
def test_initiative_is_a_dexterity_check() -> None:
    table = before_rounds(creature("ana", abilities=(("dex", 16),)))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        table.does(command)
    table.dice(11)
    table.does(AdvanceSetup())
    assert table.one("ana").initiative == 14
    assert [one.rule for one in table.happened(Rolled)] == ["dnd5e.initiative.dex_check"]


@pytest.mark.rule("dnd5e.combat.end")
def test_rounds_go_on_until_somebody_ends_them() -> None:
    table = before_rounds("ana", "orc", foes=("orc",))
    table.start(ana=15, orc=10)
    table.ends_turn(4)
    table.does(ApplyDamage(("orc",), "20"))
    table.ends_turn(2)
    assert table.clock.round >= 4
    table.does(EndEncounter())
    assert table.clock.phase == "ended"


# Ties -----------------------------------------------------------------------------------------------------------


def level(*people: Creature | str, foes: tuple[str, ...] = (), **totals: int) -> Table:
    """Some of whom two are level, at the moment when the order is settled."""
    table = before_rounds(*people, foes=foes)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), SetInitiative(tuple(totals.items()))):
        table.does(command)
    table.does(AdvanceSetup())
    return table


def puts_first(table: Table, who: str) -> None:
    """Say who of those who are level goes first."""
    (asked,) = table.prompt.asks
    others = [one.id for one in asked.options if one.id != who]
    table.does(Answer(table.prompt.id, (Reply(asked.id, chosen=(who, *others)),), table.prompt.revision))


@pytest.mark.rule("dnd5e.initiative.tie_pcs")
def test_players_say_who_of_their_characters_goes_first() -> None:
    ana, bor = (creature(who, tags=("player character",)) for who in ("ana", "bor"))
    table = level(ana, bor, "orc", foes=("orc",), ana=14, bor=14, orc=9)
    assert table.prompt.asks[0].rule == "dnd5e.initiative.tie_pcs"
    puts_first(table, "bor")
    assert table.order == ["bor", "ana", "orc"]
    table.ends_turn(6)
    assert (table.clock.round, table.order) == (3, ["bor", "ana", "orc"])


@pytest.mark.rule("dnd5e.initiative.tie_npcs")
def test_the_dungeon_master_orders_others_who_are_level() -> None:
    ana = creature("ana", tags=("player character",))
    table = level(ana, "orc", "wolf", foes=("orc", "wolf"), ana=5, orc=11, wolf=11)
    assert table.prompt.asks[0].rule == "dnd5e.initiative.tie_npcs"
    assert {one.id for one in table.prompt.asks[0].options} == {"orc", "wolf"}
    puts_first(table, "wolf")
    table.ends_turn(6)
    assert (table.clock.round, table.order) == (3, ["wolf", "orc", "ana"])


def test_characters_go_before_others_who_are_level_with_them() -> None:
    ana = creature("ana", tags=("player character",))
    table = level("orc", ana, foes=("orc",), ana=11, orc=11)
    assert (table.prompts, table.order) == ([], ["ana", "orc"])


@pytest.mark.rule("dnd5e.initiative.group_roll")
@pytest.mark.parametrize(("options", "dice"), [((), 2), (("not shared-initiative",), 5)])
def test_identical_foes_roll_once_unless_the_table_says_otherwise(options: tuple[str, ...], dice: int) -> None:
    ana = creature("ana", tags=("player character",))
    goblin, ogre = creature("goblin", abilities=(("dex", 14),)), creature("ogre")
    goblins = RosterEntry("goblins", "goblin", count=4, side="enemies")
    scene = Scene(strictness="enforce", options=options)
    table = before_rounds(ana, goblin, ogre, foes=("ogre",), roster=[goblins], scene=scene)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), SetInitiative((("ana", 25),))):
        table.does(command)
    table.dice(10, 10, 10, 10, 10)
    table.does(AdvanceSetup())
    assert len([one for one in table.happened(Rolled) if one.purpose == "ask.initiative"]) == dice
    assert {one.initiative for one in table.encounter.all(Combatant) if one.creature == "goblin"} == {12}


# Surprise -------------------------------------------------------------------------------------------------------


def sneaking(*guards: int | None) -> Table:
    """The step of surprise: a rogue sneaks up on guards of these passive scores."""
    people = [
        creature(f"g{number}", passives=(("perception", score),) if score is not None else ())
        for number, score in enumerate(guards, 1)
    ]
    table = before_rounds("rogue", *people, foes=tuple(one.id for one in people))
    for command in (StartEncounter(), MarkSneaking(("rogue",))):
        table.does(command)
    table.does(AdvanceSetup())
    return table


@pytest.mark.rule("dnd5e.surprise.stealth_vs_passive")
def test_stealth_has_to_exceed_the_passive_score() -> None:
    table = sneaking(13, 14, 15)
    (asked,) = table.prompt.asks
    assert (asked.who, asked.detail, asked.rule) == (
        "rogue",
        "<check.dex:stealth>",
        "dnd5e.surprise.stealth_vs_passive",
    )
    table.dice(14)
    assert table.prompt.asks[0].suggested == ("g1",)
    table.chooses("g1")
    assert [one.who for one in table.happened(Surprised)] == ["g1"]
    assert table.one("rogue").initiative is None


@pytest.mark.rule("dnd5e.surprise.needs_stealth")
def test_nobody_is_surprised_where_nobody_sneaks() -> None:
    guard = creature("guard", passives=(("perception", 1),))
    table = before_rounds("rogue", guard, foes=("guard",))
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        table.does(command)
    assert (table.prompts, table.effects("guard")) == ([], set())
    assert [one.rule for one in table.happened(NoSurprise)] == ["dnd5e.surprise.needs_stealth"]


@pytest.mark.rule("dnd5e.surprise.per_creature")
def test_some_may_be_surprised_and_others_not() -> None:
    table = sneaking(10, 12, 16)
    table.dice(13)
    assert table.prompt.asks[0].suggested == ("g1", "g2")
    table.chooses("g1", "g2")
    assert [table.effects(who) for who in ("g1", "g2", "g3")] == [{"surprised"}, {"surprised"}, set()]


@pytest.mark.rule("dnd5e.external.passive_perception")
def test_a_passive_score_that_nobody_gave_is_asked() -> None:
    table = sneaking(None)
    asks = {one.id: (one.kind, one.rule) for one in table.prompt.asks}
    assert asks["score.g1"] == ("number", "dnd5e.external.passive_perception")
    table.answers(rogue="14", score__g1=13)
    assert table.prompt.asks[0].suggested == ("g1",)


def caught(who: str, **totals: int) -> Fight:
    """Round 1, and one of them surprised."""
    table = Table.__new__(Fight)
    Table.__init__(
        table,
        *totals,
        rules=before_rounds("x").rules,
        foes=(who,),
        surroundings=[Map(columns=12, rows=12)],
    )
    for command in (StartEncounter(), AdvanceSetup(), SetSurprised((who,)), AdvanceSetup()):
        table.does(command)
    table.does(SetInitiative(tuple(totals.items())))
    table.does(AdvanceSetup())
    return table


@pytest.mark.rule("dnd5e.surprise.no_move_no_action")
def test_the_surprised_neither_move_nor_act_on_their_first_turn() -> None:
    table = caught("orc", orc=15, ann=10)
    assert table.active == "orc"
    assert table.feet("orc") == 0
    dash = table.offers("orc")["dash"]
    assert (bool(dash.refused), dash.rule) == (True, "dnd5e.surprise.no_move_no_action")
    table.ends_turn(2)
    assert (table.clock.round, table.feet("orc"), table.offers("orc")["dash"].refused) == (2, 30, "")
    assert table.left("orc")["action"] == 1


@pytest.mark.rule("dnd5e.surprise.no_reaction")
def test_the_surprised_do_not_react_until_their_first_turn_has_ended() -> None:
    table = caught("orc", ann=15, orc=8, bob=5)
    table.puts(ann=(1, 0), orc=(0, 0), bob=(0, 1))
    table.does(MovePath("ann", ((2, 0), (3, 0))))
    assert table.reactors() == {}
    table.ends_turn(2)
    table.does(MovePath("bob", ((0, 2), (0, 3))))
    assert list(table.reactors()) == ["orc"]


@pytest.mark.rule("dnd5e.space.controlled_area")
def test_a_space_is_all_the_squares_it_covers() -> None:
    table = Fight(creature("ogre", size="large"), "ann", foes=("ogre",)).puts(ogre=(3, 3), ann=(0, 0))
    from turnwright.rules.parts.attacks.attack_targeting import occupies_square

    covered = [
        (column, row)
        for column in range(8)
        for row in range(8)
        if occupies_square(table.encounter, table.rules, "ogre", (column, row))
    ]
    assert covered == [(3, 3), (3, 4), (4, 3), (4, 4)]
    assert table.encounter.need(Combatant, "ogre").position == (3, 3)
