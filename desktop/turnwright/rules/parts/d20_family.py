"""The parts that most games of the d20 family share. A system takes them all and replaces those that differ."""

from __future__ import annotations

from turnwright.encounter.procedure_state.turns import ROUND
from turnwright.encounter.running import Slot
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Hook, HookContext
from turnwright.rules.parts.actions import followers
from turnwright.rules.parts.attacks import attack_rolls, attack_targeting
from turnwright.rules.parts.checks import ability_checks, degrees
from turnwright.rules.parts.conditions import condition_rules
from turnwright.rules.parts.damage import damage_steps, dying
from turnwright.rules.parts.environment import entries, scene_effects
from turnwright.rules.parts.movement import allowance, falling, riding
from turnwright.rules.parts.positions import cover
from turnwright.rules.system import (
    AttackRules,
    CheckRules,
    DamageRules,
    DyingRules,
    InitiativeRules,
    MovementRules,
    RoundRules,
    RuleSystem,
    WorldRules,
)
from turnwright.rules.system_data import SystemData


def armor_class(lookup: Lookup, rules: RuleSystem, who: str, context: HookContext | None = None) -> ExplainedNumber:
    """Return a combatant's AC with what conditions add to it. Cover is added by the attack."""
    moved = condition_rules.number_modifiers(lookup, rules, who, "ac", context)
    return rules.explained_sum(ability_checks.own_armor_class(lookup, who), *moved)


def slot_sort_key(slot: Slot) -> tuple[int, ...]:
    """Return the sort key of a slot: first actor, highest count, given before rolled, then tie rolls."""
    return (0 if slot.first_actor else 1, -slot.count, 0 if slot.fixed else 1, *(-roll for roll in slot.tie_rolls))


def d20_system(data: SystemData) -> RuleSystem:
    """Return the d20 rule system over a game's data."""
    return RuleSystem(
        data=data,
        checks=CheckRules(
            check=ability_checks.check_roll,
            save=ability_checks.save_roll,
            contested=ability_checks.spellcasting_roll,
            degree=degrees.degree_of,
        ),
        initiative=InitiativeRules(
            roll=ability_checks.initiative_roll, tie=ability_checks.initiative_tie_roll, sort_key=slot_sort_key
        ),
        movement=MovementRules(allowance=allowance.allowance, cost=allowance.movement_cost),
        damage=DamageRules(
            steps=(
                damage_steps.mundane_immunity,
                damage_steps.immunity,
                damage_steps.resistance,
                damage_steps.vulnerability,
            )
        ),
        armor_class=armor_class,
        attack=AttackRules(
            roll=attack_rolls.attack_roll,
            target_ac=attack_targeting.target_armor_class,
            outcome=attack_rolls.outcome_of,
            damage=attack_rolls.damage_roll,
            vetoes=attack_targeting.targeting_vetoes,
            unknown_facts=attack_rolls.unknown_facts,
        ),
        dying=DyingRules(
            makes_saves=dying.makes_saves,
            death_save=dying.death_save,
            massive_damage_threshold=dying.massive_damage_threshold,
        ),
        rounds=RoundRules(
            round_start=(
                ROUND.begin_round,
                ROUND.expire_effects,
                ROUND.roll_countdowns,
                ROUND.run_outcomes,
                ROUND.roll_recharges,
                ROUND.begin_world_actions,
                ROUND.begin_turns,
            )
        ),
        world=WorldRules(),
        hooks={
            Hook.CHECK_MADE: (condition_rules.on_rolls, cover.on_rolls, scene_effects.on_rolls),
            Hook.ACTION_DECLARED: (
                condition_rules.on_actions,
                followers.on_actions,
            ),
            Hook.MOVED: (entries.on_moved,),
            Hook.DAMAGE_INCOMING: (entries.damage_per_die_bonus,),
            Hook.EFFECT_GAINED: (condition_rules.on_gained, riding.on_knocked_prone, falling.on_gained),
            Hook.EFFECT_ENDED: (falling.on_ended,),
            Hook.TURN_ENDING: (entries.on_turn_ending,),
        },
    )
