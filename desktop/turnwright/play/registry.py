"""Which handler carries out which command, and which function goes on with which stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from turnwright.play import commands
from turnwright.play.handlers import acting, course, harming, preparing, table, world
from turnwright.play.procedures import awareness, expiry, hazards, hurts, order, rounds, trials, turns
from turnwright.play.procedures.loop import Stage
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

Handler = Callable[[Any, Transaction, RuleSystem], None]

HANDLERS: Mapping[type[commands.Command], Handler] = MappingProxyType(
    {
        commands.Add: preparing.add,
        commands.Edit: preparing.edit,
        commands.Remove: preparing.remove,
        commands.Rearrange: preparing.rearrange,
        commands.AddToEncounter: preparing.add_to_encounter,
        commands.StartEncounter: course.start_encounter,
        commands.AdvanceSetup: course.advance_setup,
        commands.EndEncounter: course.end_encounter,
        commands.ResetToPrepared: course.reset_to_prepared,
        commands.EndTurn: course.end_turn_command,
        commands.GoToTurn: course.go_to_turn,
        commands.Rest: course.rest,
        commands.MarkSneaking: course.mark_sneaking,
        commands.CallForChecks: course.call_for_checks,
        commands.SetSurprised: course.set_surprised,
        commands.SuddenAction: course.sudden_action,
        commands.SetInitiativeCheck: course.set_initiative_check,
        commands.SetInitiative: course.set_initiative_command,
        commands.RollInitiative: course.roll_initiative,
        commands.TakeAction: acting.take_action,
        commands.Spend: acting.spend_resource,
        commands.Regain: acting.regain,
        commands.Move: acting.move,
        commands.SetPlan: acting.set_plan,
        commands.BreakFree: acting.break_free,
        commands.SetTrack: acting.set_track,
        commands.ApplyDamage: harming.apply_damage,
        commands.Heal: harming.heal,
        commands.GrantTemporary: harming.grant_temporary,
        commands.SetHitPoints: harming.set_hit_points,
        commands.SetDead: harming.set_dead,
        commands.ApplyCondition: harming.apply_condition,
        commands.EndEffect: harming.end_effect_command,
        commands.Join: table.join,
        commands.RemoveCombatant: table.remove_combatant,
        commands.Place: table.place,
        commands.Rename: table.rename,
        commands.Reveal: table.reveal,
        commands.SetDice: table.set_dice,
        commands.Answer: table.answer,
        commands.Withdraw: table.withdraw,
        commands.AddNote: table.add_note,
        commands.Correct: table.correct,
        commands.UseEntry: world.use_entry,
        commands.SetReady: world.set_ready,
        commands.StartPool: world.start_pool_command,
        commands.AdjustPool: world.adjust_pool,
        commands.StopPool: world.stop_pool,
        commands.SetUnstoppable: world.set_unstoppable,
    }
)

STAGES: Mapping[tuple[str, str], Stage] = MappingProxyType(
    {
        **order.STAGES,
        **awareness.STAGES,
        **rounds.STAGES,
        **expiry.STAGES,
        **turns.STAGES,
        **hazards.STAGES,
        **trials.STAGES,
        **hurts.STAGES,
    }
)
