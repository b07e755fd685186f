"""The condition rows of a fight sheet: each condition's effect on rolls and turns, and the sources that inflict it.

To find the effects, the rules are asked again with the condition added to a copy of the encounter.
"""

from collections.abc import Hashable, Iterator
from typing import Final, NamedTuple

import msgspec

from turnwright.dice.expression import RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.state import Lookup, effects_named, scene_of
from turnwright.forecast import sheet
from turnwright.forecast.building.actions import Actions
from turnwright.forecast.building.amounts import Amounts
from turnwright.forecast.building.questions import AskedEffect, Cell, Questions
from turnwright.forecast.building.sources import CANNOT_BE_READ, Notes, SourceFacts, Sources, changing_clauses
from turnwright.rules.parts.actions.spell_features import SELF
from turnwright.rules.parts.attacks.attack_rolls import AttackRoll, attack_roll
from turnwright.rules.parts.attacks.attack_targeting import armor_class_context, attack_kind, is_spell
from turnwright.rules.parts.checks.ability_checks import LADDER, armor_class, fixed_dc, save_roll
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.conditions.condition_rules import GRANT, data_rules_on, is_immune_to
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.system import HookContext
from turnwright.rules.system_data.rounds import rounds_in

WHOLE_TURN: Final = 99
FAILED: Final = 0b0011  # the degrees of a failed save
HIT_AT_ALL: Final = 1 << sheet.HIT | 1 << sheet.CRITICAL
BY_DEGREE_OF_HIT: Final = {"success": 1 << sheet.HIT, "critical-success": 1 << sheet.CRITICAL}
UNTIL: Final = {
    "turn-start": sheet.UNTIL_START,
    "turn-end": sheet.UNTIL_END,
    "owner-start": sheet.UNTIL_END,  # lasts for one turn of the target
    "owner-end": sheet.UNTIL_END,
    "turn": sheet.UNTIL_END,
    "saved": sheet.UNTIL_SAVED,
    "owner-gone": sheet.UNTIL_NEVER,
    "encounter": sheet.UNTIL_NEVER,
    "hurt": sheet.UNTIL_END,  # the party's enemies soon hurt them
    "harmed": sheet.UNTIL_END,
    "hurt-save": sheet.UNTIL_NEVER,
    "saved-hurt": sheet.UNTIL_SAVED,
    "saved-unseen": sheet.UNTIL_NEVER,
    "attacks": sheet.UNTIL_END,
    "opposes": sheet.UNTIL_END,
    "affects": sheet.UNTIL_END,
    "rest": sheet.UNTIL_NEVER,
    "long-rest": sheet.UNTIL_NEVER,
    "world": sheet.UNTIL_WORLD,
    "never": sheet.UNTIL_NEVER,
}
NO_CHANGE: Final = (0, 0, 0, 0, 0)
SAME_DAMAGE: Final = (0, 0, 0, 0)
Change = tuple[int, int, int, int, int]


class HeldCondition(NamedTuple):
    """A condition with its value, ongoing damage with its dice, or the effect of a feature with its rules."""

    name: str
    value: int = 0
    damage: str = ""
    rules: tuple[DataRule, ...] = ()


class Conditions:
    """Collects the conditions that sources inflict. The first one is the condition of combatants at 0 hit points."""

    def __init__(self, questions: Questions, sources: Sources, amounts: Amounts, notes: Notes) -> None:
        self.questions, self.sources, self.amounts, self.notes = questions, sources, amounts, notes
        self.held: list[HeldCondition] = [HeldCondition(questions.rules.role("unconscious"))]
        self.rows: list[sheet.ConditionRow] = []
        self.inflictions: list[tuple[int, ...]] = []
        self.endings: list[list[Cell]] = []
        self._bare: dict[object, tuple[AttackRoll, int]] = {}
        self._asks_for_weapons: dict[HeldCondition, bool] = {}

    def add_all(self, actions: Actions) -> None:
        """Add every inflicted condition that affects rolls or turns, and those of the casters of lasting spells."""
        for name, cast in actions.lasting:
            cast.starts = actions.rows[cast.later - 1].needs = self._number(HeldCondition(name)) + 1
        for number, facts in enumerate(self.sources.facts):
            row = self.sources.rows[number]
            row.first_infliction = len(self.inflictions)
            for affliction in facts.afflictions:
                self._add_inflicted(number, row, affliction)
            if facts.effect is not None:
                self._add_effect(number, facts.effect)
            if facts.ongoing:
                self._add_ongoing(row, facts)
            row.last_infliction = len(self.inflictions)
        waking = self._on_waking()
        self.rows = [self._row(condition, waking.get(condition, -1)) for condition in self.held]
        for who, feature, action in actions.limited:
            needed = self._needed(who, feature)
            action.on, action.on_high = needed % (1 << sheet.BITS), needed >> sheet.BITS

    def _needed(self, who: str, feature: Feature) -> int:
        """Return the conditions, as bits, one of which a feature's target needs; 0 if it doesn't need any.

        If none of the fight's conditions is enough, the feature is left out, and its target needs one that doesn't exist.
        """
        target, rules = self.questions.enemy_of(who), self.questions.rules
        statement = changing_clauses(feature)
        if not statement or not target:
            return 0

        def holds(lookup: Lookup) -> bool | None:
            return evaluate(lookup, rules, who, statement, HookContext(who, "attack", other=target))

        if holds(self.questions.placeless) is not False:
            return 0
        copies = (self.questions.with_effect(target, self._effect(each), who) for each in self.held)
        needed = sum(1 << number for number, copy in enumerate(copies) if holds(copy))
        if not needed:
            creature = self.questions.creature(who).id
            self.notes.left_out("creatures", creature, feature.id, "hangs_on_facts", when=feature.when)
        return needed or 1 << 2 * sheet.BITS - 1

    def _add_inflicted(self, number: int, row: sheet.Source, inflicted: InflictedCondition) -> None:
        condition = self.questions.rules.conditions.get(inflicted.condition)
        is_known = condition is not None and not (inflicted.value_of or inflicted.value_dice)
        if condition is None or not is_known or not (condition.rules or condition.implies):
            return  # a value that depends on damage or dice isn't worked out
        attack = row.kind == sheet.ATTACK
        if inflicted.margin and row.kind != sheet.SAVE:
            return  # without a save, nothing fails by a margin
        if inflicted.degree:
            on = BY_DEGREE_OF_HIT.get(inflicted.degree, 0) if attack else 1 << LADDER.index(inflicted.degree)
        else:
            on = HIT_AT_ALL if attack else FAILED
        until = UNTIL[inflicted.ends]
        if inflicted.condition == self.questions.rules.role("prone"):
            until = sheet.UNTIL_START  # a prone combatant stands up first
        elif condition.falls:
            until = sheet.UNTIL_END
        value, ending = inflicted.value or int(condition.has_levels), -1
        if until == sheet.UNTIL_SAVED and self.sources.facts[number].ability:
            ending = self._ending(self.sources.cells[number])
        elif until == sheet.UNTIL_SAVED:
            until = sheet.UNTIL_NEVER
        held = self.sources.facts[number].held and inflicted.condition != self.questions.rules.role("prone")
        condition_number = self._number(HeldCondition(inflicted.condition, value))
        self.inflictions.append((condition_number, on, until, ending, inflicted.margin, int(held)))

    def _add_effect(self, number: int, feature: Feature) -> None:
        """Add the effect that a feature leaves on its targets, or on those that fail the save."""
        is_short = feature.lasts and rounds_in(feature.lasts, scene_of(self.questions.begun).round_seconds) == 1
        is_own = self.sources.rows[number].kind == sheet.SUPPORT and feature.range in ("", SELF)
        own_start = is_own and feature.until == "owner-start"
        until = sheet.UNTIL_START if own_start else sheet.UNTIL_END if is_short else UNTIL[feature.until]
        ending = self._ending(self.sources.cells[number]) if until == sheet.UNTIL_SAVED else -1
        on = HIT_AT_ALL if self.sources.rows[number].kind == sheet.ATTACK else FAILED
        effect = self._number(HeldCondition(feature.name, 0, "", feature.effect))
        self.inflictions.append((effect, on, until, ending, 0, int(feature.concentration)))

    def _add_ongoing(self, row: sheet.Source, facts: SourceFacts) -> None:
        """Add damage at the end of each turn. If the rules include flat checks against it, a success ends it."""
        turns = self.questions.rules.data.turns
        on = HIT_AT_ALL if row.kind == sheet.ATTACK else FAILED
        until, ending = sheet.UNTIL_NEVER, -1
        if turns.flat_dc:
            flat: Cell = (-turns.flat_dc, 0, 0, 0, sheet.NOT_CERTAIN)
            until, ending = sheet.UNTIL_SAVED, self._ending([flat] * len(self.questions.combatants))
        condition = HeldCondition(self.questions.rules.role("ongoing"), 0, facts.ongoing)
        self.inflictions.append((self._number(condition), on, until, ending, 0, int(facts.held)))

    def _ending(self, cells: list[Cell]) -> int:
        """Return the row of the save that ends an effect at the end of a turn."""
        if cells not in self.endings:
            self.endings.append(cells)
        return self.endings.index(cells)

    def _number(self, condition: HeldCondition) -> int:
        if condition not in self.held:
            self.held.append(condition)
        return self.held.index(condition)

    # Effects on a turn ------------------------------------------------------------------------------------------------

    def _on_waking(self) -> dict[HeldCondition, int]:
        """Return the conditions that a combatant has on getting up, and when each of them ends."""
        rules = self.questions.rules
        down, revived = rules.conditions.get(rules.role("unconscious")), rules.data.dying.bleeding_out.revived
        granted = [rule.what for rule in down.rules if rule.kind == GRANT] if down is not None else []
        prone = rules.role("prone")
        ends = {HeldCondition(name): sheet.UNTIL_START if name == prone else sheet.UNTIL_NEVER for name in granted}
        if revived:
            ends[HeldCondition(revived)] = sheet.UNTIL_END
        for condition in ends:
            self._number(condition)
        return ends

    def _row(self, condition: HeldCondition, on_waking: int) -> sheet.ConditionRow:
        row = sheet.ConditionRow()
        row.on_waking = on_waking + 1
        row.hurts_parts = -1
        if condition.damage:
            try:
                row.hurts_parts, row.hurts_count = self.amounts.add(condition.damage)
            except CANNOT_BE_READ:
                row.hurts_count = 0
            return row
        who, rules = self.questions.combatants[0].id, self.questions.rules
        bare, under = self.questions.placeless, self._with(who, condition)
        if condition.name == rules.role("prone") and rules.data.movement.stand_by:
            row.ended_for = rules.actions[rules.data.movement.stand_by].price
        row.turn_loss = self._loss(bare, under, who, "action")
        row.stops_reactions = int(self._loss(bare, under, who, "reaction") > 0)
        is_incapacitated = rules.role("incapacitated") in condition_names(under, rules, who)
        row.stops_focus = int(is_incapacitated or any(data_rules_on(under, rules, who, "deny", "casting")))
        speed = rules.allowance(under, rules, who, "walk")
        row.stops_moving = int(speed is not None and not speed.total)
        return row

    def _loss(self, bare: Lookup, under: Lookup, who: str, resource: str) -> int:
        """Return the amount of a resource that a condition removes each turn; it is negative if the condition adds some."""
        rules = self.questions.rules
        definition = rules.resources.get(resource)
        if definition is None:
            return 0
        if limited_uses.denial_vetoes(under, rules, who, resource):
            return WHOLE_TURN
        before, after = (limited_uses.refill_amount(lookup, rules, who, definition) for lookup in (bare, under))
        return WHOLE_TURN if not after else before - after

    # Effects on rolls -------------------------------------------------------------------------------------------------

    def changes(self, *, of_target: bool) -> list[list[tuple[int, ...]]]:
        """Return the change of each source's roll by each condition of the attacker, or else of the target.

        Conditions of the attacker may also change the damage of its attacks.
        """
        damage = (lambda *_: SAME_DAMAGE) if of_target else self._damage
        numbers = range(len(self.sources.rows))
        return [
            [self._change(each, number, of_target) + damage(each, number) for number in numbers] for each in self.held
        ]

    def _damage(self, condition: HeldCondition, number: int) -> tuple[int, int, int, int]:
        """Return the damage parts of an attack by the holder of a condition that changes them, or zeros."""
        who, weapon = self.sources.names[number][0], self.sources.facts[number].weapon
        if weapon is None or not any(rule.what == "damage" for rule in self._rules_of(condition)):
            return SAME_DAMAGE
        return self.sources.damage_under(number, who, weapon, self._effect(condition))

    def layers(self) -> list[AskedEffect | None]:
        """Return each condition that changes damage taken as an effect, else None, after a first layer without conditions."""
        asks = (any(rule.kind == "damage" for rule in self._rules_of(each)) for each in self.held)
        return [None, *(self._effect(each) if ask else None for each, ask in zip(self.held, asks, strict=True))]

    def immune(self) -> list[list[int]]:
        """Return whether each combatant is immune to each condition."""
        encounter = self.questions.begun
        return [
            [int(is_immune_to(encounter, who.id, each.name) or self._has(who.id, each)) for each in self.held]
            for who in self.questions.combatants
        ]

    def _has(self, who: str, condition: HeldCondition) -> bool:
        """Return whether a combatant has a feature's effect from the beginning."""
        return bool(condition.rules and effects_named(self.questions.begun, who, condition.name))

    def _change(self, condition: HeldCondition, number: int, of_target: bool) -> Change:
        facts, who = self.sources.facts[number], self.sources.names[number][0]
        if condition.damage:
            return NO_CHANGE
        if facts.weapon is None and facts.ability:
            return self._save_change(condition, facts) if of_target else self._dc_change(condition, facts, who)
        target = self.questions.enemy_of(who)
        if facts.weapon is None or not target:
            return NO_CHANGE
        return self._attack_change(AttackInProgress(who, facts.weapon, target), condition, target if of_target else who)

    def _save_change(self, condition: HeldCondition, facts: SourceFacts) -> Change:
        """Return the changes of a condition to its holder's saves, based on the first combatant."""
        who, rules = self.questions.combatants[0].id, self.questions.rules

        def ask() -> Change:
            bare, under = (
                save_roll(lookup, rules, who, facts.ability, "", facts.tags)
                for lookup in (self.questions.placeless, self._with(who, condition))
            )
            certain = sheet.CERTAIN_FAILURE if under.fails and not bare.fails else sheet.NOT_CERTAIN
            return _edge_bits(bare, under), _sum(under) - _sum(bare), certain, self._more_dice(bare, under), 0

        key = ("save under", condition, self.questions.class_of[who], facts.ability, facts.tags)
        return self.questions.remembered(key, ask)

    def _dc_change(self, condition: HeldCondition, facts: SourceFacts, who: str) -> Change:
        """Return the change of saves against a feature by a condition of its owner, which changes its DC."""
        if not facts.dc or who not in self.questions.index:
            return NO_CHANGE

        def ask() -> Change:
            lookups = self.questions.placeless, self._with(who, condition)
            before, after = (fixed_dc(each, self.questions.rules, who, facts.dc, facts.dc_tags) for each in lookups)
            return 0, before - after, sheet.NOT_CERTAIN, 0, 0

        key = ("dc under", condition, self.questions.class_of[who], facts.dc, facts.dc_tags)
        return self.questions.remembered(key, ask)

    def _attack_change(self, attack: AttackInProgress, condition: HeldCondition, holder: str) -> Change:
        """Return the change of an attack roll by a condition of the attacker or the target."""
        classes = (self.questions.class_of[attack.attacker], self.questions.class_of[attack.target])
        key = ("attack under", condition, holder == attack.target, *classes, self._kind(condition, attack.weapon))
        return self.questions.remembered(key, lambda: self._asked_change(attack, self._with(holder, condition)))

    def _asked_change(self, attack: AttackInProgress, under: Lookup) -> Change:
        class_of = self.questions.class_of
        key = (class_of[attack.attacker], class_of[attack.target], self._kind_of(attack.weapon))
        if key not in self._bare:
            self._bare[key] = self._rolled(attack, self.questions.placeless)
        (before, meets_before), (after, meets_after) = self._bare[key], self._rolled(attack, under)
        certain = sheet.NOT_CERTAIN
        if after.auto_miss is not None and before.auto_miss is None:
            certain = sheet.CERTAIN_FAILURE
        elif after.always_critical and not before.always_critical:
            certain = sheet.CERTAIN_CRITICAL
        adds = _sum(after.spec) - _sum(before.spec) - (meets_after - meets_before)
        flat = after.flat_check.steps if after.flat_check is not None else 0
        return _edge_bits(before.spec, after.spec), adds, certain, self._more_dice(before.spec, after.spec), flat

    def _more_dice(self, before: RollSpec, after: RollSpec) -> int:
        """Return the extra die that a roll gained, as in `sheet.Cell`."""
        more = tuple(extra for extra in after.extra if extra not in before.extra)
        die = self.questions.further_dice(msgspec.structs.replace(after, extra=more))
        return self.amounts.packed([(0, 0, die, 0, 0)], self.questions.known.several)[0][sheet.Cell.die]

    def _rolled(self, attack: AttackInProgress, lookup: Lookup) -> tuple[AttackRoll, int]:
        """Return an attack's roll and the target's AC."""
        rules = self.questions.rules
        meets = armor_class(lookup, rules, attack.target, armor_class_context(lookup, rules, attack))
        return attack_roll(lookup, rules, attack), meets.total

    def _with(self, who: str, condition: HeldCondition) -> Lookup:
        return self.questions.with_effect(who, self._effect(condition))

    def _effect(self, condition: HeldCondition) -> AskedEffect:
        return AskedEffect(condition.name, condition.value, condition.rules)

    def _kind(self, condition: HeldCondition, weapon: Feature) -> Hashable:
        """Return the properties of a weapon that a condition's rules may ask about."""
        if condition not in self._asks_for_weapons:
            texts = (rule.when for rule in self._rules_of(condition))
            self._asks_for_weapons[condition] = any("with:" in text for text in texts)
        by_weapon = self._asks_for_weapons[condition]
        return self._kind_of(weapon) if by_weapon else (attack_kind(weapon), is_spell(weapon))

    def _kind_of(self, weapon: Feature) -> Hashable:
        return weapon.id, weapon.properties, attack_kind(weapon), weapon.level, weapon.ability, weapon.attack

    def _rules_of(self, condition: HeldCondition) -> tuple[DataRule, ...]:
        return *condition.rules, *self._all_rules(condition.name)

    def _all_rules(self, name: str) -> Iterator[DataRule]:
        condition = self.questions.rules.conditions.get(name)
        if condition is not None:
            yield from condition.rules
            for implied in condition.implies:
                yield from self._all_rules(implied)


def _sum(spec: RollSpec) -> int:
    return sum(modifier.value for modifier in spec.modifiers)


def _edge_bits(before: RollSpec, after: RollSpec) -> int:
    """Return which edges a roll gained, as bits: 1 advantage, 2 disadvantage."""
    bits = 0
    for bit, kind in ((1, "advantage"), (2, "disadvantage")):
        more = sum(edge.kind == kind for edge in after.edges) - sum(edge.kind == kind for edge in before.edges)
        bits |= bit if more > 0 else 0
    return bits
