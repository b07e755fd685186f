"""The union of all commands: frozen records, named in the imperative, that handlers carry out.

Ids are those of records. A command that names several targets acts on all or none.
"""

from __future__ import annotations

from turnwright.play.actions.commands.break_free import BreakFree
from turnwright.play.actions.commands.command_followers import CommandFollowers
from turnwright.play.actions.commands.take_action import TakeAction
from turnwright.play.actions.commands.use_feature import UseFeature
from turnwright.play.asking.commands.answer import Answer, Reply
from turnwright.play.asking.commands.dismiss_prompt import DismissPrompt
from turnwright.play.asking.commands.group_check import GroupCheck
from turnwright.play.attacks.commands.attack import Attack, AttackPurpose
from turnwright.play.attacks.commands.command_mount import CommandMount
from turnwright.play.attacks.commands.group_attack import GroupAttack
from turnwright.play.damage.commands.apply_damage import ApplyDamage, DamageShare
from turnwright.play.damage.commands.grant_temp_hp import GrantTempHp
from turnwright.play.damage.commands.heal import Heal
from turnwright.play.damage.commands.pass_time import PassTime
from turnwright.play.damage.commands.rest import Rest
from turnwright.play.damage.commands.set_dead import SetDead
from turnwright.play.damage.commands.set_hit_points import SetHitPoints
from turnwright.play.damage.commands.set_track import SetTrack
from turnwright.play.effects.commands.apply_condition import ApplyCondition
from turnwright.play.effects.commands.apply_persistent_damage import ApplyPersistentDamage
from turnwright.play.effects.commands.concentrate import Concentrate
from turnwright.play.effects.commands.end_effect import EndEffect
from turnwright.play.effects.commands.set_effect_note import SetEffectNote
from turnwright.play.environment.commands.adjust_pool import AdjustPool
from turnwright.play.environment.commands.set_entry_ready import SetEntryReady
from turnwright.play.environment.commands.set_pool_unstoppable import SetPoolUnstoppable
from turnwright.play.environment.commands.start_pool import StartPool
from turnwright.play.environment.commands.stop_pool import StopPool
from turnwright.play.environment.commands.use_entry import UseEntry
from turnwright.play.kernel.commands import Command
from turnwright.play.movement.commands.drop_prone import DropProne
from turnwright.play.movement.commands.force_move import ForceMove
from turnwright.play.movement.commands.mount_or_dismount import MountOrDismount
from turnwright.play.movement.commands.move_feet import MoveFeet
from turnwright.play.movement.commands.move_path import MovePath
from turnwright.play.movement.commands.stand_up import StandUp
from turnwright.play.setup.commands.add import Add
from turnwright.play.setup.commands.add_to_encounter import AddToEncounter
from turnwright.play.setup.commands.advance_setup import AdvanceSetup
from turnwright.play.setup.commands.bring_party import BringParty
from turnwright.play.setup.commands.edit import Edit
from turnwright.play.setup.commands.remove import Remove
from turnwright.play.setup.commands.reorder import Reorder
from turnwright.play.setup.commands.reset_to_prepared import ResetToPrepared
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.play.spawning.commands.add_combatants import AddCombatants
from turnwright.play.spawning.commands.bring_wave import BringWave
from turnwright.play.state.commands.restore_resource import RestoreResource
from turnwright.play.state.commands.set_position import SetPosition
from turnwright.play.state.commands.set_relation import SetRelation
from turnwright.play.state.commands.set_stat import SetStat
from turnwright.play.state.commands.spend_resource import SpendResource
from turnwright.play.table.commands.add_note import AddNote
from turnwright.play.table.commands.correct_line import CorrectLine
from turnwright.play.table.commands.rename import Rename
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.play.table.commands.set_hidden import SetHidden
from turnwright.play.table.commands.set_plan import SetPlan
from turnwright.play.turn_order.commands.act_before_initiative import ActBeforeInitiative
from turnwright.play.turn_order.commands.call_for_checks import CallForChecks
from turnwright.play.turn_order.commands.mark_sneaking import MarkSneaking
from turnwright.play.turn_order.commands.roll_initiative import RollInitiative
from turnwright.play.turn_order.commands.set_first_actor import SetFirstActor
from turnwright.play.turn_order.commands.set_initiative import SetInitiative
from turnwright.play.turn_order.commands.set_initiative_check import SetInitiativeCheck
from turnwright.play.turn_order.commands.set_surprised import SetSurprised
from turnwright.play.turns.commands.end_encounter import EndEncounter
from turnwright.play.turns.commands.end_turn import EndTurn
from turnwright.play.turns.commands.go_to_turn import GoToTurn
from turnwright.play.turns.commands.join_turn import JoinTurn
from turnwright.play.turns.commands.remove_combatant import RemoveCombatant

AnyCommand = (
    Add | Edit | Remove | Reorder | AddToEncounter | BringParty
    | StartEncounter | AdvanceSetup | EndEncounter | ResetToPrepared | EndTurn | GoToTurn | Rest
    | SetFirstActor | JoinTurn | MarkSneaking | CallForChecks | SetSurprised | ActBeforeInitiative | SetInitiativeCheck | SetInitiative | RollInitiative
    | TakeAction | SpendResource | RestoreResource | MoveFeet | SetPlan
    | Attack | GroupAttack | UseFeature | CommandFollowers | GroupCheck | SetRelation | SetStat | MovePath | ForceMove | MountOrDismount
    | StandUp | DropProne | CommandMount
    | ApplyDamage | Heal | GrantTempHp | SetHitPoints | SetDead | ApplyCondition | EndEffect | BreakFree | SetTrack
    | ApplyPersistentDamage | Concentrate | SetEffectNote | PassTime
    | AddCombatants | RemoveCombatant | SetPosition | Rename | SetHidden
    | UseEntry | SetEntryReady | BringWave | StartPool | AdjustPool | StopPool | SetPoolUnstoppable
    | SetDice | Answer | DismissPrompt | AddNote | CorrectLine
)  # fmt: skip


__all__ = [
    "ActBeforeInitiative",
    "Add",
    "AddCombatants",
    "AddNote",
    "AddToEncounter",
    "AdjustPool",
    "AdvanceSetup",
    "Answer",
    "AnyCommand",
    "ApplyCondition",
    "ApplyDamage",
    "ApplyPersistentDamage",
    "Attack",
    "AttackPurpose",
    "BreakFree",
    "BringParty",
    "BringWave",
    "CallForChecks",
    "Command",
    "CommandFollowers",
    "CommandMount",
    "Concentrate",
    "CorrectLine",
    "DamageShare",
    "DismissPrompt",
    "DropProne",
    "Edit",
    "EndEffect",
    "EndEncounter",
    "EndTurn",
    "ForceMove",
    "GoToTurn",
    "GrantTempHp",
    "GroupAttack",
    "GroupCheck",
    "Heal",
    "JoinTurn",
    "MarkSneaking",
    "MountOrDismount",
    "MoveFeet",
    "MovePath",
    "PassTime",
    "Remove",
    "RemoveCombatant",
    "Rename",
    "Reorder",
    "Reply",
    "ResetToPrepared",
    "Rest",
    "RestoreResource",
    "RollInitiative",
    "SetDead",
    "SetDice",
    "SetEffectNote",
    "SetEntryReady",
    "SetFirstActor",
    "SetHidden",
    "SetHitPoints",
    "SetInitiative",
    "SetInitiativeCheck",
    "SetPlan",
    "SetPoolUnstoppable",
    "SetPosition",
    "SetRelation",
    "SetStat",
    "SetSurprised",
    "SetTrack",
    "SpendResource",
    "StandUp",
    "StartEncounter",
    "StartPool",
    "StopPool",
    "TakeAction",
    "UseEntry",
    "UseFeature",
]
