"""What a hook returns is begun, whichever hook it is: nothing is asked of the rules and then forgotten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.for_each import for_each
from tests.table import Table, a5e, creature
from turnwright.encounter.prepared import Countdown, Feature, Scene
from turnwright.encounter.procedure_state.attacks import FEATURE_TRIGGER, FeatureTrigger, TriggeredFeature
from turnwright.encounter.state import Lookup
from turnwright.play.attacks.attack_request import Attack, FeatureReminded
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.system import Hook, HookContext, HookResult, RuleSystem, StartProcedure

GAZE = Feature("gaze", "Gaze", text="It looks at you.")
SWORD = Feature("sword", "Sword", "action", attack=5, reach=5, damage="1d6 slashing")


def reminding(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the procedure that reminds of the gaze."""
    waiting = (TriggeredFeature("orc", "gaze", reminds=True),)
    return HookResult(procedures=(StartProcedure(FEATURE_TRIGGER, FeatureTrigger("starts", waiting)),))


def strike(table: Table) -> None:
    table.dice(15, 3)
    table.does(Attack("ann", "orc", "sword"))


ACTS: dict[Hook, Callable[[Table], object]] = {
    Hook.ROUND_STARTED: lambda table: table.ends_turn(2),
    Hook.COUNTDOWN_ROLLED: lambda table: table.ends_turn(2),
    Hook.TURN_STARTED: lambda table: table.ends_turn(),
    Hook.TURN_ENDING: lambda table: table.ends_turn(),
    Hook.ATTACK_ROLLED: strike,
    Hook.ATTACK_SETTLED: strike,
    Hook.DAMAGE_ROLLED: strike,
    Hook.DAMAGE_TAKEN: lambda table: table.does(ApplyDamage(("orc",), "3")),
    Hook.HEALED: lambda table: table.does(Heal(("ann",), 3)),
    Hook.DROPPING: lambda table: table.does(ApplyDamage(("orc",), "500")),
    Hook.DIED: lambda table: table.does(SetDead("ann")),
    Hook.EFFECT_GAINED: lambda table: table.does(ApplyCondition(("ann",), "prone")),
}


@for_each("hook", ACTS, ids=lambda hook: hook.name)
def test_what_a_hook_returns_is_begun(hook: Hook) -> None:
    rules = a5e()
    table = Table(
        creature("ann", hp=60, features=(SWORD,)),
        creature("orc", hp=60, features=(GAZE,)),
        foes=("orc",),
        countdowns=[Countdown("fuse", "Fuse", starts=2)],
        scene=Scene(strictness="warn"),
    )
    table.dice(*(6,) * 8)
    table.start(ann=20, orc=10)
    table.dice(*(6,) * 8)
    table.does(ApplyDamage(("ann",), "5"))
    table.session.rules = replace(rules, hooks={**rules.hooks, hook: (*rules.hooks.get(hook, ()), reminding)})
    assert table.happened(FeatureReminded) == []
    ACTS[hook](table)
    assert [one.feature for one in table.happened(FeatureReminded)] == ["Gaze"]
