"""The command `ApplyDamage`: damage entered by the game master, rolled once for all targets."""

from __future__ import annotations

from typing import Literal

from turnwright.dice.expression import parse
from turnwright.dice.roll import Modifier
from turnwright.encounter.field_specs import CombatantId, CombatantIds, DiceText
from turnwright.encounter.procedure_state.damage import DAMAGE_ROLL, DamageRoll
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.requirements import require_dice_expression, require_targets
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem

DamageShare = Literal["full", "half", "double"]


@command(script="damage {targets} {damage} [from {source}] [by {by}] [mundane] [critical] [{share}]")
class ApplyDamage(Command, frozen=True):
    """Roll a damage expression once (`7`, `2d6+3 fire`, `6 slashing + 8 fire`) and apply it to all targets.

    `mundane`: from a nonmagical weapon. `share` halves or doubles the damage. `source` names the cause. `modifiers` are
    bonuses and penalties to the roll, each with a reason. `attack` is the type of attack that dealt it, if any, and
    `by` is the attacker. `critical`: it was a critical hit (the given dice are rolled unchanged).
    """

    targets: CombatantIds
    damage: DiceText
    source: str = ""
    mundane: bool = False
    share: DamageShare = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: CombatantId = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Roll damage once and deal it to every target. A plain number needs no roll."""
        targets = require_targets(self.targets)
        require_dice_expression(self.damage)
        if rules.data.health.typed and any(not kind for kind in damage_types_in(self.damage)):
            tx.forbid("refused.untyped", rules.rule_id("damage.form"))
        harm = DamageRoll(
            targets,
            self.damage,
            self.source,
            self.mundane,
            self.share,
            self.modifiers,
            self.by,
            self.attack,
            self.critical,
        )
        begin(tx, DAMAGE_ROLL.ask_damage, harm)


def damage_types_in(damage: str) -> tuple[str, ...]:
    """Return the damage types in an expression, with an empty string for untyped damage."""
    return tuple(dict.fromkeys(term.kind for term in parse(damage).terms))
