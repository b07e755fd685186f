"""The tables that compose the engine: the handler of each command and the function of each stage of a procedure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from turnwright.encounter.procedure_state import KINDS
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.play.actions import action, catch_thrown_item, escape, reaction_stack, sustain_effect
from turnwright.play.actions.commands.break_free import BreakFree, break_free
from turnwright.play.actions.commands.command_followers import CommandFollowers, command_followers
from turnwright.play.actions.commands.take_action import TakeAction, take_action
from turnwright.play.actions.commands.use_feature import UseFeature, use_feature
from turnwright.play.asking import disrupt
from turnwright.play.asking import group_check as group_check_procedure
from turnwright.play.asking.commands.answer import Answer, answer
from turnwright.play.asking.commands.dismiss_prompt import DismissPrompt, dismiss_prompt
from turnwright.play.asking.commands.group_check import GroupCheck, group_check
from turnwright.play.attacks import attack as attack_procedure
from turnwright.play.attacks import declared_feature, hit, mount_command, save_effect
from turnwright.play.attacks.commands.attack import Attack, attack
from turnwright.play.attacks.commands.command_mount import CommandMount, command_mount
from turnwright.play.attacks.commands.group_attack import GroupAttack, group_attack
from turnwright.play.damage import bleed_out, damage_consequences, damage_roll, death_saves, recovery_check
from turnwright.play.damage.commands.apply_damage import ApplyDamage, apply_damage
from turnwright.play.damage.commands.grant_temp_hp import GrantTempHp, grant_temp_hp
from turnwright.play.damage.commands.heal import Heal, heal
from turnwright.play.damage.commands.pass_time import PassTime, pass_time
from turnwright.play.damage.commands.rest import Rest, rest
from turnwright.play.damage.commands.set_dead import SetDead, set_dead
from turnwright.play.damage.commands.set_hit_points import SetHitPoints, set_hit_points
from turnwright.play.damage.commands.set_track import SetTrack, set_track
from turnwright.play.effects import (
    concentration,
    durations,
    legendary_resistance,
    lift_doom,
    lingering_conditions,
    persistent_damage,
)
from turnwright.play.effects.commands.apply_condition import ApplyCondition, apply_condition
from turnwright.play.effects.commands.apply_persistent_damage import ApplyPersistentDamage, apply_persistent_damage
from turnwright.play.effects.commands.concentrate import Concentrate, concentrate_command
from turnwright.play.effects.commands.end_effect import EndEffect, end_effect_command
from turnwright.play.effects.commands.set_effect_note import SetEffectNote, set_effect_note
from turnwright.play.environment import countdown_outcomes, environment_check, environment_effect, unsupported_mechanics
from turnwright.play.environment.commands.adjust_pool import AdjustPool, adjust_pool
from turnwright.play.environment.commands.set_entry_ready import SetEntryReady, set_entry_ready
from turnwright.play.environment.commands.set_pool_unstoppable import SetPoolUnstoppable, set_pool_unstoppable
from turnwright.play.environment.commands.start_pool import StartPool, start_pool_command
from turnwright.play.environment.commands.stop_pool import StopPool, stop_pool
from turnwright.play.environment.commands.use_entry import UseEntry, use_entry
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.scheduler import Interceptor, StageFunction, bind_stages
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement import declared_move, falling, forced_movement, mounting, move
from turnwright.play.movement.commands.drop_prone import DropProne, drop_prone
from turnwright.play.movement.commands.force_move import ForceMove, force_move_command
from turnwright.play.movement.commands.mount_or_dismount import MountOrDismount, mount_or_dismount
from turnwright.play.movement.commands.move_feet import MoveFeet, move_feet
from turnwright.play.movement.commands.move_path import MovePath, move_path
from turnwright.play.movement.commands.stand_up import StandUp, stand_up
from turnwright.play.setup.commands.add import Add, add
from turnwright.play.setup.commands.add_to_encounter import AddToEncounter, add_to_encounter
from turnwright.play.setup.commands.advance_setup import AdvanceSetup, advance_setup
from turnwright.play.setup.commands.bring_party import BringParty, bring_party
from turnwright.play.setup.commands.edit import Edit, edit
from turnwright.play.setup.commands.remove import Remove, remove
from turnwright.play.setup.commands.reorder import Reorder, reorder
from turnwright.play.setup.commands.reset_to_prepared import ResetToPrepared, reset_to_prepared
from turnwright.play.setup.commands.start_encounter import StartEncounter, start_encounter
from turnwright.play.spawning import ask_max_hp, waves
from turnwright.play.spawning.commands.add_combatants import AddCombatants, add_combatants
from turnwright.play.spawning.commands.bring_wave import BringWave, bring_wave
from turnwright.play.state.commands.restore_resource import RestoreResource, restore_resource
from turnwright.play.state.commands.set_position import SetPosition, set_position
from turnwright.play.state.commands.set_relation import SetRelation, set_relation
from turnwright.play.state.commands.set_stat import SetStat, set_stat
from turnwright.play.state.commands.spend_resource import SpendResource, spend_resource
from turnwright.play.table.commands.add_note import AddNote, add_note
from turnwright.play.table.commands.correct_line import CorrectLine, correct_line
from turnwright.play.table.commands.rename import Rename, rename
from turnwright.play.table.commands.set_dice import SetDice, set_dice
from turnwright.play.table.commands.set_hidden import SetHidden, set_hidden
from turnwright.play.table.commands.set_plan import SetPlan, set_plan
from turnwright.play.turn_order import ambush, called_checks, initiative, mount_initiative, surprise
from turnwright.play.turn_order.commands.act_before_initiative import ActBeforeInitiative, act_before_initiative
from turnwright.play.turn_order.commands.call_for_checks import CallForChecks, call_for_checks
from turnwright.play.turn_order.commands.mark_sneaking import MarkSneaking, mark_sneaking
from turnwright.play.turn_order.commands.roll_initiative import RollInitiative, roll_initiative
from turnwright.play.turn_order.commands.set_first_actor import SetFirstActor, set_first_actor
from turnwright.play.turn_order.commands.set_initiative import SetInitiative, set_initiative_command
from turnwright.play.turn_order.commands.set_initiative_check import SetInitiativeCheck, set_initiative_check
from turnwright.play.turn_order.commands.set_surprised import SetSurprised, set_surprised
from turnwright.play.turns import (
    end_of_turn_saves,
    legendary_and_lair_actions,
    offer_end_turn,
    recharge,
    resource_refill_choice,
    rewards,
    round_start,
    turn_triggers,
    turns,
    world_turn,
)
from turnwright.play.turns.commands.end_encounter import EndEncounter, end_encounter
from turnwright.play.turns.commands.end_turn import EndTurn, end_turn_command
from turnwright.play.turns.commands.go_to_turn import GoToTurn, go_to_turn
from turnwright.play.turns.commands.join_turn import JoinTurn, join_turn
from turnwright.play.turns.commands.remove_combatant import RemoveCombatant, remove_combatant
from turnwright.rules.system import RuleSystem

Handler = Callable[[Any, Transaction, RuleSystem], None]
AfterStep = Callable[[Transaction, RuleSystem], bool]

HANDLERS: Mapping[type[Command], Handler] = MappingProxyType(
    {
        Add: add,
        Edit: edit,
        Remove: remove,
        Reorder: reorder,
        AddToEncounter: add_to_encounter,
        BringParty: bring_party,
        StartEncounter: start_encounter,
        AdvanceSetup: advance_setup,
        EndEncounter: end_encounter,
        ResetToPrepared: reset_to_prepared,
        EndTurn: end_turn_command,
        GoToTurn: go_to_turn,
        Rest: rest,
        PassTime: pass_time,
        SetFirstActor: set_first_actor,
        JoinTurn: join_turn,
        MarkSneaking: mark_sneaking,
        CallForChecks: call_for_checks,
        SetSurprised: set_surprised,
        ActBeforeInitiative: act_before_initiative,
        SetInitiativeCheck: set_initiative_check,
        SetInitiative: set_initiative_command,
        RollInitiative: roll_initiative,
        TakeAction: take_action,
        SpendResource: spend_resource,
        RestoreResource: restore_resource,
        MoveFeet: move_feet,
        MovePath: move_path,
        ForceMove: force_move_command,
        StandUp: stand_up,
        DropProne: drop_prone,
        MountOrDismount: mount_or_dismount,
        CommandMount: command_mount,
        SetPlan: set_plan,
        Attack: attack,
        BreakFree: break_free,
        SetTrack: set_track,
        ApplyDamage: apply_damage,
        Heal: heal,
        GrantTempHp: grant_temp_hp,
        SetHitPoints: set_hit_points,
        SetDead: set_dead,
        ApplyCondition: apply_condition,
        ApplyPersistentDamage: apply_persistent_damage,
        Concentrate: concentrate_command,
        SetEffectNote: set_effect_note,
        EndEffect: end_effect_command,
        AddCombatants: add_combatants,
        RemoveCombatant: remove_combatant,
        SetPosition: set_position,
        SetRelation: set_relation,
        SetStat: set_stat,
        Rename: rename,
        SetHidden: set_hidden,
        SetDice: set_dice,
        Answer: answer,
        DismissPrompt: dismiss_prompt,
        AddNote: add_note,
        CorrectLine: correct_line,
        UseEntry: use_entry,
        SetEntryReady: set_entry_ready,
        UseFeature: use_feature,
        GroupAttack: group_attack,
        GroupCheck: group_check,
        CommandFollowers: command_followers,
        BringWave: bring_wave,
        StartPool: start_pool_command,
        AdjustPool: adjust_pool,
        StopPool: stop_pool,
        SetPoolUnstoppable: set_pool_unstoppable,
    }
)

STAGES: Mapping[Stage, StageFunction] = bind_stages(
    KINDS,
    initiative.STAGES,
    mount_initiative.STAGES,
    action.STAGES,
    sustain_effect.STAGES,
    save_effect.STAGES,
    group_check_procedure.STAGES,
    recharge.STAGES,
    legendary_and_lair_actions.STAGES,
    surprise.STAGES,
    called_checks.STAGES,
    rewards.STAGES,
    ambush.STAGES,
    round_start.STAGES,
    countdown_outcomes.STAGES,
    turns.STAGES,
    resource_refill_choice.STAGES,
    durations.STAGES,
    end_of_turn_saves.STAGES,
    turn_triggers.STAGES,
    environment_effect.STAGES,
    unsupported_mechanics.STAGES,
    environment_check.STAGES,
    damage_roll.STAGES,
    move.STAGES,
    world_turn.STAGES,
    forced_movement.STAGES,
    falling.STAGES,
    lingering_conditions.STAGES,
    mounting.STAGES,
    mount_command.STAGES,
    damage_consequences.STAGES,
    death_saves.STAGES,
    bleed_out.STAGES,
    recovery_check.STAGES,
    persistent_damage.STAGES,
    concentration.STAGES,
    lift_doom.STAGES,
    escape.STAGES,
    attack_procedure.STAGES,
    hit.STAGES,
    reaction_stack.STAGES,
    declared_move.STAGES,
    declared_feature.STAGES,
    disrupt.STAGES,
    catch_thrown_item.STAGES,
    ask_max_hp.STAGES,
)

INTERCEPTORS: tuple[Interceptor, ...] = (
    Interceptor(ask=legendary_resistance.offer_success, apply=legendary_resistance.apply_success),
)

# Functions run once a command and all that follows from it is done; each returns whether it began a procedure.
AFTER_EACH_STEP: tuple[AfterStep, ...] = (waves.arrive_on_trigger, offer_end_turn.offer_end_turn)
