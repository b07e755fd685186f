"""Damage that each target saves against: one prompt for all rolls, then each target's share."""

from __future__ import annotations

from typing import Literal

from turnwright.dice.roll import RollSpec
from turnwright.encounter.field_specs import (
    AbilityId,
    CombatantId,
    CombatantIds,
    ConditionId,
    DiceText,
    PositiveOrNone,
)
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    Ask,
    Option,
    choice_ask,
)
from turnwright.encounter.procedure_state.damage import SAVED_DAMAGE, SavedDamage
from turnwright.encounter.running import Combatant
from turnwright.play.asking.checks import degree_of
from turnwright.play.damage.damage_roll import damage_types_in
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.commands import Command, command, copy_fields, require_dice_expression, require_targets
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.state.hit_points import Damage, deal_damage
from turnwright.rules.parts.attacks.save_tags import damage_save_tags
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.checks.degrees import is_success
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play, spared_share
from turnwright.rules.system import RuleSystem

DAMAGE = "*damage"  # the id of the damage ask; save asks have their combatants' ids
NONE = "none"
SHARES = ("full", "half", "double")


def ask_rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for each target's save, and for one damage roll."""
    data = data_of(procedure, SavedDamage)
    rule = rules.rule_id("damage.multi-target" if len(data.targets) > 1 else "damage.form")
    save, tags = f"<save.{data.save}>", damage_save_tags(data.damage)
    asks = [
        Ask(who, "roll", "ask.save", who, save, save_roll(tx, rules, who, data.save, tags=tags), data.dc, rule=rule)
        for who in (data.targets if data.save else ())
    ]
    asks.append(Ask(DAMAGE, "roll", "ask.damage", detail=data.source, spec=RollSpec(data.damage), rule=rule))
    title = "prompt.saved_damage" if data.save else "prompt.damage"
    return ask(tx, goto(procedure, SAVED_DAMAGE.after_rolls), title, asks, subject=data.source)


def after_rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Calculate each target's share from its save. Ask for the share if it has to be confirmed."""
    data = data_of(procedure, SavedDamage)
    answer = answers.get(DAMAGE)
    rolled = answer.roll if answer is not None else None
    shares, failed = [], []
    for who in data.targets:
        share, fails = _share(tx, rules, data, who, answers)
        shares += [(who, share)] if share else []
        failed += [who] if fails else []
    if rolled is None or rolled.total is None:
        tx.emit(Skipped(purpose="ask.damage", detail=data.source))
    elif rolled.origin != "fixed":
        tx.emit(Rolled(purpose="ask.damage", roll=rolled, detail=data.source, rule=rules.rule_id("damage.form")))
    procedure = goto(procedure, SAVED_DAMAGE.deal_shares, rolled=rolled, shares=tuple(shares), failed=tuple(failed))
    if data.confirms and rolled is not None and rolled.total is not None:
        options = tuple(Option(id, f"option.share_{id}") for id in (*SHARES, NONE))
        rule = rules.rule_id("damage.form")
        asks = [choice_ask(who, "ask.share", options, who, suggested=share, rule=rule) for who, share in shares]
        ask(tx, procedure, "prompt.shares", asks, subject=data.source)
    return procedure


def _share(tx: Transaction, rules: RuleSystem, data: SavedDamage, who: str, answers: Answers) -> tuple[str, bool]:
    """Return a target's share (empty if its save was skipped), and whether it failed the save."""
    if not data.save:
        return "full", True
    answer, detail = answers.get(who), f"<save.{data.save}>"
    if tx.get(Combatant, who) is None or answer is None or answer.skipped:
        tx.emit(Skipped(purpose="ask.save", who=who, detail=detail))
        return "", False
    degree = degree_of(tx, rules, answer, "ask.save", who, detail, data.dc, rules.rule_id("damage.form")) or FAILURE
    if is_success(degree):
        none = not data.half or (bool(rules.data.checks.degrees) and degree == CRITICAL_SUCCESS)
        return NONE if none else spared_share(tx, rules, who, data.save, "half", saved=True)[0], False
    worse = data.half and bool(rules.data.checks.degrees) and degree == CRITICAL_FAILURE
    share = "double" if worse else "full"
    return spared_share(tx, rules, who, data.save, share, saved=False)[0] if data.half else share, True


def deal_shares(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deal each target its share, and apply the condition to those that failed their save."""
    data = data_of(procedure, SavedDamage)
    rolled = data.rolled
    for who, suggested in data.shares:
        share = choice_of(answers, who, suggested)
        if rolled is not None and share in SHARES and tx.get(Combatant, who) is not None:
            damage = Damage(rolled.parts, source=data.source, share=share, roll=rolled)
            deal_damage(tx, rules, who, damage, procedure.id)
    failed = tuple(who for who in data.failed if not is_out_of_play(tx, who))
    if data.condition and failed:
        put = copy_fields(ApplyCondition, data, targets=failed, save=data.ending_save, dc=data.ending_dc)
        put.handle(tx, rules)


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
        harm = copy_fields(SavedDamage, self, targets=targets, confirms=self.confirm)
        begin(tx, SAVED_DAMAGE.ask_rolls, harm)


STAGES = stages_in(globals(), SAVED_DAMAGE)
