"""What journal lines say beyond the event: by whom and on what, why so much, out of what."""

from __future__ import annotations

import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import Countdown
from turnwright.play.attacks.events import FeatureUsed
from turnwright.play.damage.commands.apply_damage import ApplyDamage
from turnwright.play.damage.commands.heal import Heal
from turnwright.play.effects.commands.apply_condition import ApplyCondition
from turnwright.play.effects.commands.concentrate import Concentrate
from turnwright.play.environment.commands.start_pool import StartPool
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.events import line_of
from turnwright.play.kernel.journal import LabelLookup
from turnwright.play.setup.commands.add import Add
from turnwright.play.setup.commands.advance_setup import AdvanceSetup
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.play.turn_order.commands.call_for_checks import CallForChecks
from turnwright.play.turns.events import FeatureRechargeRolled
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
        (ApplyDamage(("bob",), "9 cold"), "Bob takes nothing of 9 cold (immune)"),
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
    assert told(table)[-1] == "The ice: a countdown of 1 die"


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
        (FeatureUsed(who=("goblin-1", "goblin-2"), feature="Axe"), "Goblin 1, Goblin 2 use Axe"),
        (FeatureUsed(who=tuple(f"goblin-{n}" for n in (1, 2, 3, 4)), feature="Axe"), "Goblin 1–4 use Axe"),
        (
            FeatureUsed(who=("goblin-1", "goblin-2", "goblin-4", "ann"), feature="Axe"),
            "Goblin 1, Goblin 2, Goblin 4, Ann use Axe",
        ),
        (
            FeatureRechargeRolled(who="ann", feature="Breath", recharged=False, face=4, needed=5),
            "Ann: Breath not recharged (rolled 4, needs 5+)",
        ),
    ],
)
def test_those_who_act_together_are_a_range_and_a_recharge_says_what_it_needs(event, line):
    table = fight()
    phrase, _ = line_of(event, event.__journal__, LabelLookup(table.encounter, table.encounter))
    assert Phrasebook(WordCatalogue.load(), table.rules).phrase_text(phrase) == line
