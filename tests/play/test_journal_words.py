"""What journal lines say beyond the event: by whom and on what, why so much, out of what."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.table import Table, creature
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Duration
from turnwright.play.attacks.attack_request import FeatureUsed
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.countdown_pools import StartPool
from turnwright.play.journal import lines_of, order_of_telling
from turnwright.play.kernel.events import LabelLookup, line_of, phrase
from turnwright.play.kernel.transaction import Command, Transaction
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import ActionTaken, EffectEnded, EffectGained, UsesSpent
from turnwright.play.table.game_master import Rename, SetStat
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.own_reminders import FeatureRechargeRolled
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook


def fight() -> Table:
    goblins = (creature(f"goblin-{n}", name=f"Goblin {n}") for n in (1, 2, 3, 4))
    table = Table("ann", creature("bob", resistances=("fire",), immunities=("cold",)), *goblins)
    table.start(ann=20, bob=10)
    return table


def told(table: Table) -> list[str]:
    book = Phrasebook(WordCatalogue.load(), table.rules)
    return [book.phrase_text(line.phrase) for line in table.session.journal()]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (ApplyCondition(("bob",), "grappled", by="ann"), "Bob: Grappled (by Ann)"),
        (Concentrate("ann", "Bless"), "Ann: Concentrating (on Bless)"),
        (ApplyDamage(("bob",), "9 fire"), "Bob takes 4 (9 fire, resistant: half): HP 20 to 16"),
        (ApplyDamage(("bob",), "9 cold"), "Bob takes no damage: 9 cold (immune)"),
        (ApplyDamage(("bob",), "9 acid"), "Bob takes 9 acid: HP 20 to 11"),
        (Heal(("bob",), 5), "Bob regains nothing: already at 20 HP"),
    ],
)
def test_a_line_says_by_whom_on_what_and_why(command: Command, line: str) -> None:
    table = fight()
    table.does(command)
    assert told(table)[-1] == line


def test_one_die_is_a_die() -> None:
    table = fight()
    table.does(Add((Countdown("ice", "The ice", dice=1),)))
    table.does(StartPool("ice"))
    assert told(table)[-1] == "Countdown started: The ice (1 die)"


def test_a_check_called_for_surprise_is_named() -> None:
    table = Table("ann")
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.dice(12)
    table.does(CallForChecks(("ann",), "dex:stealth", purpose="surprise"))
    assert "Ann: Dexterity (Stealth) check 12" in told(table)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (FeatureUsed(who=("goblin-1",), feature="Axe"), "Goblin 1 uses Axe"),
        (ActionTaken(who="ann", action="", cost="action"), "Ann spends: Action"),
        (ActionTaken(who="ann", action="Dash", cost="action", targets=("bob",)), "Ann: Dash on Bob (Action)"),
        (FeatureUsed(who=("goblin-1", "goblin-2"), feature="Axe"), "Goblin 1 and Goblin 2 use Axe"),
        (FeatureUsed(who=tuple(f"goblin-{n}" for n in (1, 2, 3, 4)), feature="Axe"), "Goblin 1–4 use Axe"),
        (
            FeatureUsed(who=("goblin-1", "goblin-2", "goblin-4", "ann"), feature="Axe"),
            "Goblin 1, Goblin 2, Goblin 4 and Ann use Axe",
        ),
        (
            FeatureRechargeRolled(who="ann", feature="Breath", recharged=False, face=4, needed=5),
            "Ann doesn't recharge Breath (rolled 4, needs 5+)",
        ),
    ],
)
def test_those_who_act_together_are_a_range_and_a_recharge_says_what_it_needs(event, line):
    table = fight()
    phrase, _ = line_of(event, event.__journal__, LabelLookup(table.encounter, table.encounter))
    assert Phrasebook(WordCatalogue.load(), table.rules).phrase_text(phrase) == line


@for_each(
    ("command", "line"),
    [
        (ApplyCondition(("ann", "bob"), "prone"), "Ann and Bob: Prone"),
        (
            ApplyCondition(("ann",), "poisoned", ends=Duration("turn-end", "ann")),
            "Ann: Poisoned until the end of their turn",
        ),
        (
            ApplyCondition(("ann",), "poisoned", ends=Duration("turn-start", "bob")),
            "Ann: Poisoned until the start of Bob's next turn",
        ),
        (ApplyCondition(("ann",), "poisoned", rounds=2, by="bob"), "Ann: Poisoned (by Bob) for 2 rounds"),
        (SetDead("ann"), "Ann dies"),
        (Rename("ann", "Anna"), "Ann is now called Anna"),
        (SetStat("ann", "passive.perception", 14), "Ann: passive score (Perception) is 14"),
        (
            ApplyDamage(("bob",), "6 slashing + 8 fire"),
            "Bob takes 10 (6 slashing; 8 fire, resistant: half): HP 20 to 10",
        ),
    ],
)
def test_what_belongs_together_is_one_line_with_its_end_and_its_reasons(command: Command, line: str) -> None:
    table = fight()
    table.does(command)
    assert told(table)[-1] == line


def test_a_use_stands_before_what_it_spends_and_holds_on_to() -> None:
    events = (
        EffectEnded(target="ann", name="concentrating", on="Bless"),
        EffectGained(target="ann", name="concentrating", on="Web"),
        UsesSpent(who="ann", use_key="slots.2", what="Web", left=1, maximum=3),
        FeatureUsed(who=("ann",), feature="Web", targets=("bob",), save="dex", dc=15),
    )
    assert [type(event) for event in order_of_telling(events)] == [FeatureUsed, EffectEnded, EffectGained, UsesSpent]


def test_the_use_s_line_says_what_is_left() -> None:
    table = fight()
    use = FeatureUsed(who=("ann",), feature="Web", targets=("bob",), save="dex", dc=15)
    spent = UsesSpent(who="ann", use_key="slots.2", what="Web", left=1, maximum=3)
    lines = lines_of(Transaction(table.encounter, table.rules, 1), (spent, use), 1)
    book = Phrasebook(WordCatalogue.load(), table.rules)
    assert [book.phrase_text(line.phrase) for line in lines if not line.bookkeeping] == [
        "Ann uses Web with a level 2 slot (1 of 3 left) on Bob: Dexterity save, DC 15"
    ]


def test_an_action_paid_for_in_parts_is_one_line() -> None:
    table = fight()
    parts = tuple(ActionTaken(who="ann", action="Move", cost="action", price=price) for price in (1, 2))
    (line,) = lines_of(Transaction(table.encounter, table.rules, 1), parts, 1)
    assert (line.events, dict(line.phrase.params)["price"]) == (2, 3)


@pytest.mark.parametrize(
    ("key", "params", "line"),
    [
        ("journal.feature_used", {"who": "Ann", "what": "Axe", "n": 1}, "Ann uses Axe"),
        ("journal.effect_ended", {"who": "Ann", "what": "<condition.prone>"}, "Prone ends for Ann"),
        ("journal.died", {"who": "Ann"}, "Ann dies"),
        ("journal.joined", {"who": "Ann", "side": "<side.party>"}, "Ann joins (party)"),
        ("journal.teleported", {"who": "Ann", "feet": 5}, "Ann is moved to a random free space within 5 ft"),
        (
            "journal.group_checked",
            {"who": "Ann, Bob", "check": "Strength", "total": 9},
            "Strength by Ann, Bob as a group: 9",
        ),
    ],
)
def test_lines_of_older_fights_read_as_before(key: str, params: dict[str, str | int], line: str) -> None:
    assert Phrasebook(WordCatalogue.load(), fight().rules).phrase_text(phrase(key, **params)) == line
