"""The command `DealDamageWithSave`: damage entered by the game master that each target saves against."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import (
    AbilityId,
    CombatantId,
    CombatantIds,
    ConditionId,
    DiceText,
    PositiveOrNone,
)
from turnwright.encounter.procedure_state.damage import SAVED_DAMAGE, SavedDamage
from turnwright.play.damage.commands.apply_damage import damage_types_in
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_dice_expression, require_targets
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.system import RuleSystem


@command(
    script="damage-with-save {targets} {damage} [save {save} {dc}] [half] [leaves {condition} [value {value}] "
    "[for {rounds} [by {by} | own turns {counted=affected}]] [ended by {ending_save} {ending_dc}]] [from {source}]"
)
class DealDamageWithSave(Command, frozen=True):
    """Roll damage once, let each target save against it, and apply a condition to those that fail.

    Without a `save`, all targets take full damage. `half`: a success halves the damage, otherwise it prevents all of
    it. `confirm`: each target's damage is confirmed before it is dealt. The condition lasts for `rounds`, counted on
    the turns of `by` (if `counted` is `affected`, on each target's turns), or until a successful save at the end of a
    turn.
    """

    targets: CombatantIds
    damage: DiceText
    save: AbilityId = ""
    dc: PositiveOrNone = 0
    half: bool = False
    source: str = ""
    condition: ConditionId = ""
    value: PositiveOrNone = 0
    rounds: PositiveOrNone = 0
    by: CombatantId = ""
    confirm: bool = False
    counted: Literal["creator", "affected"] = "creator"
    ending_save: AbilityId = ""
    ending_dc: PositiveOrNone = 0

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin the rolls. Refuse a save without a DC."""
        targets = tuple(who for who in require_targets(self.targets) if not is_out_of_play(tx, who))
        require_dice_expression(self.damage)
        if bool(self.save) != bool(self.dc) or bool(self.ending_save) != bool(self.ending_dc):
            raise Refused("refused.save_without_dc")
        if rules.data.health.typed and any(not kind for kind in damage_types_in(self.damage)):
            tx.forbid("refused.untyped", rules.rule_id("damage.form"))
        harm = SavedDamage(
            targets,
            self.damage,
            self.save,
            self.dc,
            self.half,
            self.source,
            self.condition,
            self.value,
            self.rounds,
            self.by,
            self.confirm,
            self.counted,
            self.ending_save,
            self.ending_dc,
        )
        begin(tx, SAVED_DAMAGE.ask_rolls, harm)
