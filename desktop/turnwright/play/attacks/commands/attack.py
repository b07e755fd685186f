"""The command `Attack`: one attack on a combatant, an object or a square."""

from __future__ import annotations

from typing import Literal

from turnwright.dice.roll import Modifier
from turnwright.encounter.field_specs import CombatantId, DiceText, Facts, FeatureId
from turnwright.encounter.prepared import Feature, Point
from turnwright.encounter.procedure_state.attacks import ATTACK
from turnwright.play.attacks.attack_request import AttackChoices, attack_on, weapon_for
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_no_open_action, require_running
from turnwright.rules.system import RuleSystem

AttackPurpose = Literal["", "off-hand", "opportunity", "readied", "commanded", "legendary", "free"]


@command(
    script="attack {who} [{target:target}] [with {weapon}] [thrown] [as {purpose}] [at {at}] "
    "[bonus {bonus}] [dealing {other_damage}] [if {facts}]"
)
class Attack(Command, frozen=True):
    """Attack a combatant, an obstacle on the map or a square with a feature from the stat block.

    `weapon` is the id of the feature; `given` describes an attack that isn't in the stat block. `purpose` decides the
    cost: empty for the Attack action, or `off-hand`, `opportunity`, `readied`, `commanded`, `legendary` or `free`. `at`
    is the square to attack if the target's square has to be guessed. `thrown`: a melee weapon is thrown. `facts` are
    statements about this attack that you enter (`advantage`, `cover:half`, `not target.sees`, `flanks`). `modifiers`
    are bonuses with a reason, and `bonus` is a bonus by ruling, a number or dice (`2`, `1d4`, `-1`). `other_damage`
    names an alternative damage of the weapon (`with two hands`), or is `usual` to prevent an alternative that would
    apply automatically.
    """

    who: CombatantId
    target: str = ""
    weapon: FeatureId = ""
    given: Feature | None = None
    purpose: AttackPurpose = ""
    at: Point | None = None
    thrown: bool = False
    facts: Facts = ()
    modifiers: tuple[Modifier, ...] = ()
    bonus: DiceText = ""
    other_damage: str = ""


def handle(command: Attack, tx: Transaction, rules: RuleSystem) -> None:
    """Begin an attack on a combatant, an object or a square."""
    require_running(tx)
    require_no_open_action(tx, rules, command.who)
    attack = attack_on(
        tx,
        rules,
        command.who,
        command.target,
        weapon_for(tx, rules, command.who, command.weapon, command.given, command.purpose),
        AttackChoices(
            command.purpose,
            command.at,
            command.thrown,
            command.facts,
            command.modifiers,
            command.bonus,
            command.other_damage,
        ),
    )
    begin(tx, ATTACK.declare, attack)
