"""Damage that is rolled once for all targets, with or without a save of each target, and temporary hit points."""

from typing import Literal

from turnwright.dice.expression import Modifier, RollSpec, parse
from turnwright.encounter.field_specs import AbilityId, CombatantId, ConditionId, DiceText, PositiveOrNone
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    Ask,
    Option,
    choice_ask,
)
from turnwright.encounter.procedure_state.damage import (
    DAMAGE_ROLL,
    SAVED_DAMAGE,
    TEMP_HP,
    DamageRoll,
    SavedDamage,
    TempHpChoice,
)
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import is_out_of_play
from turnwright.play.asking.checks import degree_of
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, goto
from turnwright.play.kernel.transaction import (
    Refused,
    TargetsCommand,
    Transaction,
    command,
    copy_fields,
    require_amount,
    require_dice_expression,
    require_targets,
)
from turnwright.play.state.events import Rolled, Skipped, Unaffected
from turnwright.play.state.hit_points import Damage, deal_damage
from turnwright.rules.parts.attacks.attack_targeting import damage_save_tags
from turnwright.rules.parts.checks.ability_checks import is_success, save_roll
from turnwright.rules.parts.conditions.condition_rules import data_rules_on, spared_share

NEW, OLD = "new", "old"
DamageShare = Literal["full", "half", "double"]


@journal("journal.temporary", kind="heal", who="target")
class TempHpGained(Event, frozen=True):
    """Temporary hit points were offered; `after` is the resulting number."""

    target: CombatantId
    offered: int
    before: int
    after: int
    source: str = ""

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether the old number is kept."""
        return "journal.temporary_kept" if self.before == self.after and self.before else "journal.temporary"


def ask_damage(tx: Transaction, procedure: Procedure, data: DamageRoll, answers: Answers) -> Procedure:
    """Ask for one damage roll for all targets."""
    rule = tx.rule_id("damage.multi-target" if len(data.targets) > 1 else "damage.form")
    spec = RollSpec(data.damage, data.modifiers)
    question = Ask("damage", "roll", "ask.damage", detail=data.source, spec=spec, rule=rule)
    return ask(tx, goto(procedure, DAMAGE_ROLL.apply_damage), "prompt.damage", [question], subject=data.source)


def apply_damage(tx: Transaction, procedure: Procedure, data: DamageRoll, answers: Answers) -> None:
    """Deal the rolled damage to each target."""
    answer = answers.get("damage")
    if answer is None or answer.skipped or answer.roll is None or answer.roll.total is None:
        tx.emit(Skipped(purpose="ask.damage", detail=data.source))
        return
    if answer.roll.origin != "fixed":
        tx.emit(Rolled(purpose="ask.damage", roll=answer.roll, detail=data.source, rule=tx.rule_id("damage.form")))
    for who in data.targets:
        if tx.get(Combatant, who) is not None:
            damage = copy_fields(
                Damage,
                data,
                parts=answer.roll.parts,
                nonmagical=data.mundane,
                roll=answer.roll,
                melee=data.attack == "melee",
                cause="attack" if data.attack else "other",
            )
            deal_damage(tx, who, damage, procedure.id)


def ask_temp_hp(tx: Transaction, procedure: Procedure, data: TempHpChoice, answers: Answers) -> Procedure:
    """Ask which temporary hit points to keep, because they don't stack."""
    combatant = tx.need(Combatant, data.target)
    better = NEW if data.amount > combatant.temp_hp else OLD
    options = (Option(NEW, f"{data.amount}", "option.new"), Option(OLD, f"{combatant.temp_hp}", "option.old"))
    rule = tx.rule_id("temp.no-stack")
    question = Ask("keep", "choice", "ask.temporary", data.target, options=options, suggested=(better,), rule=rule)
    return ask(tx, goto(procedure, TEMP_HP.take_temp_hp), "prompt.temporary", [question], subject=combatant.label)


def take_temp_hp(tx: Transaction, procedure: Procedure, data: TempHpChoice, answers: Answers) -> None:
    """Keep the chosen temporary hit points. Keep the old ones if none were chosen."""
    combatant = tx.get(Combatant, data.target)
    if combatant is not None:
        set_temp_hp(tx, combatant, data.amount, data.source, is_taken=NEW in choices_of(answers, "keep"))


def set_temp_hp(tx: Transaction, combatant: Combatant, amount: int, source: str, *, is_taken: bool) -> None:
    """Set temporary hit points to a new amount, or keep the old ones (not `is_taken`). In some systems they stack."""
    health = tx.rules.data.health
    after = amount if is_taken else combatant.temp_hp
    if health.temporary_adds:
        after += combatant.temp_hp
    most = health.most_temporary(combatant.hp_max)
    after = after if most is None else min(after, most)
    who, before = combatant.id, combatant.temp_hp
    source_of_all = source if is_taken and not (before and health.temporary_adds) else combatant.temp_from
    tx.update(combatant, temp_hp=after, temp_from=source_of_all)
    rule = tx.rule_id("temp.no-stack" if before else "temp.separate")
    tx.emit(TempHpGained(target=who, offered=amount, before=before, after=after, source=source, rule=rule))


@command(script="damage {targets} {damage} [from {source}] [by {by}] [mundane] [critical] [{share}]")
class ApplyDamage(TargetsCommand, frozen=True):
    """Roll a damage expression once (`7`, `2d6+3 fire`, `6 slashing + 8 fire`) and apply it to all targets.

    `mundane`: from a nonmagical weapon. `share` halves or doubles the damage. `source` names the cause. `modifiers` are
    bonuses and penalties to the roll, each with a reason. `attack` is the type of attack that dealt it, if any, and
    `by` is the attacker. `critical`: it was a critical hit (the given dice are rolled unchanged).
    """

    damage: DiceText
    source: str = ""
    mundane: bool = False
    share: DamageShare = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: CombatantId = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False

    def handle(self, tx: Transaction) -> None:
        """Roll damage once and deal it to every target. A plain number needs no roll."""
        targets = require_targets(self.targets)
        require_dice_expression(self.damage)
        if tx.rules.data.health.typed and any(not kind for kind in damage_types_in(self.damage)):
            tx.forbid("refused.untyped", tx.rule_id("damage.form"))
        begin(tx, DAMAGE_ROLL.ask_damage, copy_fields(DamageRoll, self, targets=targets))


def damage_types_in(damage: str) -> tuple[str, ...]:
    """Return the damage types in an expression, with an empty string for untyped damage."""
    return tuple(dict.fromkeys(term.kind for term in parse(damage).terms))


@command(script="temp {targets} {amount} [from {source}]")
class GrantTempHp(TargetsCommand, frozen=True):
    """Grant temporary hit points."""

    amount: int
    source: str = ""

    def handle(self, tx: Transaction) -> None:
        """Grant temporary hit points. Ask a target that already has some which to keep."""
        targets = require_targets(self.targets)
        require_amount(self.amount)
        for who in targets:
            grant_temp_hp(tx, who, self.amount, self.source)


def grant_temp_hp(tx: Transaction, who: str, amount: int, source: str, parent: str = "") -> None:
    """Grant temporary hit points. Ask about a combatant that already has some which to keep."""
    combatant = tx.need(Combatant, who)
    if any(data_rules_on(tx, tx.rules, who, "deny", "temporary")):
        tx.emit(Unaffected(who=who, what=source or "<why.temporary_hp>", reason="why.no_temporary"))
    elif combatant.temp_hp and not tx.rules.data.health.temporary_adds:
        begin(tx, TEMP_HP.ask_temp_hp, TempHpChoice(who, amount, source), parent)
    else:
        set_temp_hp(tx, combatant, amount, source, is_taken=True)


DAMAGE = "*damage"  # the id of the damage ask; save asks have their combatants' ids
NONE = "none"
SHARES = ("full", "half", "double")


def ask_rolls(tx: Transaction, procedure: Procedure, data: SavedDamage, answers: Answers) -> Procedure:
    """Ask for each target's save, and for one damage roll."""
    rule = tx.rule_id("damage.multi-target" if len(data.targets) > 1 else "damage.form")
    save, tags = f"<save.{data.save}>", damage_save_tags(data.damage)
    asks = [
        Ask(who, "roll", "ask.save", who, save, save_roll(tx, tx.rules, who, data.save, tags=tags), data.dc, rule=rule)
        for who in (data.targets if data.save else ())
    ]
    asks.append(Ask(DAMAGE, "roll", "ask.damage", detail=data.source, spec=RollSpec(data.damage), rule=rule))
    title = "prompt.saved_damage" if data.save else "prompt.damage"
    return ask(tx, goto(procedure, SAVED_DAMAGE.after_rolls), title, asks, subject=data.source)


def after_rolls(tx: Transaction, procedure: Procedure, data: SavedDamage, answers: Answers) -> Next:
    """Calculate each target's share from its save. Ask for the share if it has to be confirmed."""
    answer = answers.get(DAMAGE)
    rolled = answer.roll if answer is not None else None
    shares, failed = [], []
    for who in data.targets:
        share, fails = _share(tx, data, who, answers)
        shares += [(who, share)] if share else []
        failed += [who] if fails else []
    if rolled is None or rolled.total is None:
        tx.emit(Skipped(purpose="ask.damage", detail=data.source))
    elif rolled.origin != "fixed":
        tx.emit(Rolled(purpose="ask.damage", roll=rolled, detail=data.source, rule=tx.rule_id("damage.form")))
    procedure = goto(procedure, SAVED_DAMAGE.deal_shares, rolled=rolled, shares=tuple(shares), failed=tuple(failed))
    if data.confirms and rolled is not None and rolled.total is not None:
        options = tuple(Option(id, f"option.share_{id}") for id in (*SHARES, NONE))
        rule = tx.rule_id("damage.form")
        asks = [choice_ask(who, "ask.share", options, who, suggested=share, rule=rule) for who, share in shares]
        ask(tx, procedure, "prompt.shares", asks, subject=data.source)
    return procedure


def _share(tx: Transaction, data: SavedDamage, who: str, answers: Answers) -> tuple[str, bool]:
    """Return a target's share (empty if its save was skipped), and whether it failed the save."""
    if not data.save:
        return "full", True
    answer, detail = answers.get(who), f"<save.{data.save}>"
    if tx.get(Combatant, who) is None or answer is None or answer.skipped:
        tx.emit(Skipped(purpose="ask.save", who=who, detail=detail))
        return "", False
    degree = degree_of(tx, answer, "ask.save", who, detail, data.dc, tx.rule_id("damage.form")) or FAILURE
    if is_success(degree):
        none = not data.half or (bool(tx.rules.data.checks.degrees) and degree == CRITICAL_SUCCESS)
        return NONE if none else spared_share(tx, tx.rules, who, data.save, "half", saved=True)[0], False
    share = "double" if data.half and tx.rules.data.checks.degrees and degree == CRITICAL_FAILURE else "full"
    return spared_share(tx, tx.rules, who, data.save, share, saved=False)[0] if data.half else share, True


def deal_shares(tx: Transaction, procedure: Procedure, data: SavedDamage, answers: Answers) -> None:
    """Deal each target its share, and apply the condition to those that failed their save."""
    rolled = data.rolled
    for who, suggested in data.shares:
        share = choice_of(answers, who, suggested)
        if rolled is not None and share in SHARES and tx.get(Combatant, who) is not None:
            deal_damage(tx, who, Damage(rolled.parts, source=data.source, share=share, roll=rolled), procedure.id)
    failed = tuple(who for who in data.failed if not is_out_of_play(tx, who))
    if data.condition and failed:
        copy_fields(ApplyCondition, data, targets=failed, save=data.ending_save, dc=data.ending_dc).handle(tx)


@command(
    script="damage-with-save {targets} {damage} [save {save} {dc}] [half] [leaves {condition} [value {value}] "
    "[for {rounds} [by {by} | own turns {counted=affected}]] [ended by {ending_save} {ending_dc}]] [from {source}]"
)
class DealDamageWithSave(TargetsCommand, frozen=True):
    """Roll damage once, let each target save against it, and apply a condition to those that fail.

    Without a `save`, all targets take full damage. `half`: a success halves the damage, otherwise it prevents all of
    it. `confirm`: each target's damage is confirmed before it is dealt. The condition lasts for `rounds`, counted on
    the turns of `by` (if `counted` is `affected`, on each target's turns), or until a successful save at the end of a
    turn.
    """

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

    def handle(self, tx: Transaction) -> None:
        """Begin the rolls. Refuse a save without a DC."""
        targets = tuple(who for who in require_targets(self.targets) if not is_out_of_play(tx, who))
        require_dice_expression(self.damage)
        if bool(self.save) != bool(self.dc) or bool(self.ending_save) != bool(self.ending_dc):
            raise Refused("refused.save_without_dc")
        if tx.rules.data.health.typed and any(not kind for kind in damage_types_in(self.damage)):
            tx.forbid("refused.untyped", tx.rule_id("damage.form"))
        begin(tx, SAVED_DAMAGE.ask_rolls, copy_fields(SavedDamage, self, targets=targets, confirms=self.confirm))
