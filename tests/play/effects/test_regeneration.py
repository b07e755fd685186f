"""Damage that stops regeneration stops it at one start of a turn, whenever it comes."""

from __future__ import annotations

from collections.abc import Callable

from tests.for_each import for_each
from tests.play.map_table import Field
from tests.table import a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Effect
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyPersistentDamage, EndEffect
from turnwright.play.kernel.transaction import Command
from turnwright.play.state.events import Healed
from turnwright.rules.system import RuleSystem

REGENERATION = Feature("regeneration", "Regeneration", trigger="turn-start", when="not suffered:fire", heals="10")
BURNT: dict[str, tuple[int, Command]] = {
    "on its own turn": (0, ApplyDamage(("troll",), "5 fire")),
    "at its turn's end": (0, ApplyPersistentDamage(("troll",), "5 fire")),
    "on another's turn": (1, ApplyDamage(("troll",), "5 fire")),
    "by frost": (1, ApplyDamage(("troll",), "5 cold")),
}


@for_each("game", [a5e, dnd5e, pf2e])
@for_each("how", BURNT)
def test_a_burn_stops_regeneration_once(game: Callable[[], RuleSystem], how: str) -> None:
    table = Field(creature("troll", hp=90, features=(REGENERATION,)), "ada", foes=("troll",), rules=game())
    table.does(SetHitPoints("troll", 40))
    turns, burn = BURNT[how]
    table.ends_turn(turns)
    table.does(burn)
    table.dice(*[20] * 12)
    rounds = []
    while table.clock.round < 5:
        before = len(table.happened(Healed))
        table.ends_turn()
        while table.prompts:
            ask = table.prompt.asks[0]
            table.answers(order=tuple(one.id for one in ask.options)) if ask.kind == "order" else table.skips()
        rounds += [table.clock.round] * (len(table.happened(Healed)) - before)
        for effect in [one for one in table.encounter.all(Effect) if one.damage]:
            table.does(EndEffect(effect.id))
    assert rounds == ([2, 3, 4, 5] if how == "by frost" else [3, 4, 5])
