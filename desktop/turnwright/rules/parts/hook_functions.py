"""The rule functions of each hook, in order."""

from collections.abc import Mapping
from typing import Final

from turnwright.rules.parts.actions import action_options, triggered_features
from turnwright.rules.parts.combatants import facts
from turnwright.rules.parts.conditions import condition_rules, numbers
from turnwright.rules.parts.environment import entries
from turnwright.rules.parts.movement import move_legs, routes
from turnwright.rules.parts.positions import sight
from turnwright.rules.system import Hook, HookFunction

HOOKS: Final[Mapping[Hook, tuple[HookFunction, ...]]] = {
    Hook.ROUND_STARTED: (triggered_features.on_round_started,),
    Hook.TURN_STARTED: (triggered_features.on_turn_started,),
    Hook.CHECK_MADE: (condition_rules.on_rolls, numbers.on_rolls, sight.on_rolls, entries.on_rolls),
    Hook.ACTION_DECLARED: (condition_rules.on_actions, action_options.on_actions),
    Hook.FOE_ACTED: (triggered_features.on_foe_acted,),
    Hook.MOVED: (entries.on_moved,),
    Hook.CAME_NEAR: (triggered_features.on_came_near,),
    Hook.ATTACK_ROLLED: (triggered_features.on_attack_rolled,),
    Hook.DAMAGE_ROLLED: (triggered_features.on_damage_rolled,),
    Hook.ATTACK_SETTLED: (triggered_features.on_attack_settled,),
    Hook.DAMAGE_INCOMING: (entries.damage_per_die_bonus,),
    Hook.DAMAGE_TAKEN: (facts.on_damage_taken, triggered_features.on_damage_taken),
    Hook.DROPPING: (triggered_features.on_dropping,),
    Hook.DIED: (triggered_features.on_died,),
    Hook.EFFECT_GAINED: (condition_rules.on_gained, move_legs.on_knocked_prone, routes.on_gained),
    Hook.EFFECT_ENDED: (routes.on_ended,),
    Hook.TURN_ENDING: (entries.on_turn_ending, triggered_features.on_turn_ending),
}
