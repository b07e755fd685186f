"""The rows of conditions: what each does to every roll and to a turn, asked with it put on a copy, and what inflicts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.forecast import sheet
from turnwright.forecast.building.questions import AskedEffect
from turnwright.forecast.building.sources import CANNOT_BE_READ
from turnwright.rules.parts.attacks.attack_rolls import AttackRoll, attack_roll
from turnwright.rules.parts.attacks.attack_targeting import armor_class_context
from turnwright.rules.parts.attacks.weapon_kind import attack_kind, is_spell
from turnwright.rules.parts.checks.ability_checks import armor_class, save_roll
from turnwright.rules.parts.checks.degrees import LADDER
from turnwright.rules.parts.conditions.condition_rules import GRANT, is_immune_to
from turnwright.rules.parts.economy import resources

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from turnwright.dice.roll import RollSpec
    from turnwright.encounter.data_rules import DataRule
    from turnwright.encounter.prepared import Feature, InflictedCondition
    from turnwright.encounter.state import Lookup
    from turnwright.forecast.building.amounts import Amounts
    from turnwright.forecast.building.notes import Notes
    from turnwright.forecast.building.questions import Cell, Questions
    from turnwright.forecast.building.sources import SourceFacts, Sources

WHOLE_TURN: Final = 99
FAILED: Final = 0b0011  # a save's degrees without success
HIT_AT_ALL: Final = 1 << sheet.HIT | 1 << sheet.CRITICAL
BY_DEGREE_OF_HIT: Final = {"success": 1 << sheet.HIT, "critical-success": 1 << sheet.CRITICAL}
UNTIL: Final = {
    "turn-start": sheet.UNTIL_START,
    "turn-end": sheet.UNTIL_END,
    "owner-start": sheet.UNTIL_END,  # it is there for one turn of the target
    "owner-end": sheet.UNTIL_END,
    "saved": sheet.UNTIL_SAVED,
    "world": sheet.UNTIL_WORLD,
    "never": sheet.UNTIL_NEVER,
}
NO_CHANGE: Final = (0, 0, 0)
Change = tuple[int, int, int]


class HeldCondition(NamedTuple):
    """A condition with its value, or ongoing damage by its dice."""

    name: str
    value: int = 0
    damage: str = ""


class Conditions:
    """Collects the conditions that sources inflict; the first is that of those who are down."""

    def __init__(self, questions: Questions, sources: Sources, amounts: Amounts, notes: Notes) -> None:
        self.questions, self.sources, self.amounts, self.notes = questions, sources, amounts, notes
        self.held: list[HeldCondition] = [HeldCondition(questions.rules.role("unconscious"))]
        self.rows: list[list[int]] = []
        self.inflictions: list[tuple[int, ...]] = []
        self.endings: list[list[Cell]] = []
        self._bare: dict[object, tuple[AttackRoll, int]] = {}
        self._asks_for_weapons: dict[str, bool] = {}

    def add_all(self) -> None:
        """Add every condition that a source inflicts and that changes something, and what it does to a turn."""
        for number, facts in enumerate(self.sources.facts):
            row = self.sources.rows[number]
            row[sheet.FIRST_INFLICTION] = len(self.inflictions)
            for one in facts.afflictions:
                self._add_inflicted(number, row, one)
            if facts.ongoing:
                self._add_ongoing(row, facts.ongoing)
            row[sheet.LAST_INFLICTION] = len(self.inflictions)
        waking = self._on_waking()
        self.rows = [self._row(one, waking.get(one, -1)) for one in self.held]

    def _add_inflicted(self, number: int, row: list[int], one: InflictedCondition) -> None:
        known = self.questions.rules.conditions.get(one.condition)
        if known is None or not (known.rules or known.implies):
            return
        attack = row[sheet.KIND] == sheet.ATTACK
        if one.degree:
            on = BY_DEGREE_OF_HIT.get(one.degree, 0) if attack else 1 << LADDER.index(one.degree)
        else:
            on = HIT_AT_ALL if attack else FAILED
        until = UNTIL[one.ends]
        if one.condition == self.questions.rules.role("prone"):
            until = sheet.UNTIL_START  # whoever lies there stands up first of all
        elif known.falls:
            until = sheet.UNTIL_END
        value, ending = one.value or int(known.has_levels), -1
        if until == sheet.UNTIL_SAVED and self.sources.facts[number].ability:
            ending = self._ending(self.sources.cells[number])
        elif until == sheet.UNTIL_SAVED:
            until = sheet.UNTIL_NEVER
        self.inflictions.append((self._number(HeldCondition(one.condition, value)), on, until, ending))

    def _add_ongoing(self, row: list[int], damage: str) -> None:
        """Add damage that comes anew with each turn's end, until a flat check ends it where the game has one."""
        figures = self.questions.rules.data.turns
        on = HIT_AT_ALL if row[sheet.KIND] == sheet.ATTACK else FAILED
        until, ending = sheet.UNTIL_NEVER, -1
        if figures.flat_dc:
            flat: Cell = (-figures.flat_dc, 0, 0, 0, sheet.NOT_CERTAIN)
            until, ending = sheet.UNTIL_SAVED, self._ending([flat] * len(self.questions.combatants))
        held = HeldCondition(self.questions.rules.role("ongoing"), 0, damage)
        self.inflictions.append((self._number(held), on, until, ending))

    def _ending(self, cells: list[Cell]) -> int:
        """Return the row of the save that ends something as a turn ends."""
        if cells not in self.endings:
            self.endings.append(cells)
        return self.endings.index(cells)

    def _number(self, held: HeldCondition) -> int:
        if held not in self.held:
            self.held.append(held)
        return self.held.index(held)

    # What they do to a turn -------------------------------------------------------------------------------------------

    def _on_waking(self) -> dict[HeldCondition, int]:
        """Return the conditions that a combatant has as it gets up, with when each ends."""
        rules = self.questions.rules
        down, roused = rules.conditions.get(rules.role("unconscious")), rules.data.dying.bleeding.roused
        came = [one.what for one in down.rules if one.kind == GRANT] if down is not None else []
        found = {
            HeldCondition(name): sheet.UNTIL_START if name == rules.role("prone") else sheet.UNTIL_NEVER
            for name in came
        }
        if roused:
            found[HeldCondition(roused)] = sheet.UNTIL_END
        for held in found:
            self._number(held)
        return found

    def _row(self, held: HeldCondition, on_waking: int) -> list[int]:
        row = [0] * sheet.CONDITION_COLUMNS
        row[sheet.ON_WAKING] = on_waking + 1
        row[sheet.HURTS_PARTS] = -1
        if held.damage:
            try:
                row[sheet.HURTS_PARTS], row[sheet.HURTS_COUNT] = self.amounts.add(held.damage)
            except CANNOT_BE_READ:
                row[sheet.HURTS_COUNT] = 0
            return row
        who, rules = self.questions.combatants[0].id, self.questions.rules
        bare, under = self.questions.placeless, self._with(who, held)
        if held.name == rules.role("prone") and rules.data.movement.stand_by:
            row[sheet.ENDED_FOR] = rules.actions[rules.data.movement.stand_by].price
        row[sheet.TURN_LOSS] = self._loss(bare, under, who, "action")
        row[sheet.STOPS_REACTIONS] = int(self._loss(bare, under, who, "reaction") > 0)
        speed = rules.allowance(under, rules, who, "walk")
        row[sheet.STOPS_MOVING] = int(speed is not None and not speed.total)
        return row

    def _loss(self, bare: Lookup, under: Lookup, who: str, resource: str) -> int:
        """Return how many of a resource a turn loses under a condition."""
        rules = self.questions.rules
        definition = rules.resources.get(resource)
        if definition is None:
            return 0
        if resources.denial_vetoes(under, rules, who, resource):
            return WHOLE_TURN
        before, after = (resources.refill_amount(one, rules, who, definition) for one in (bare, under))
        return WHOLE_TURN if not after else max(0, before - after)

    # What they do to rolls --------------------------------------------------------------------------------------------

    def holder_changes(self) -> list[list[Change]]:
        """Return what each condition of its user does to each source."""
        return [[self._of_holder(held, number) for number in range(len(self.sources.rows))] for held in self.held]

    def target_changes(self) -> list[list[Change]]:
        """Return what each condition of a target does to each source."""
        return [[self._of_target(held, number) for number in range(len(self.sources.rows))] for held in self.held]

    def immune(self) -> list[list[int]]:
        """Return who is immune to which condition."""
        begun = self.questions.begun
        return [
            [int(is_immune_to(begun, who.id, held.name)) for held in self.held] for who in self.questions.combatants
        ]

    def _of_holder(self, held: HeldCondition, number: int) -> Change:
        facts, who = self.sources.facts[number], self.sources.names[number][0]
        target = self._enemy_of(who)
        if held.damage or facts.weapon is None or not target:
            return NO_CHANGE
        return self._attack_change(AttackInProgress(who, facts.weapon, target), held, who)

    def _of_target(self, held: HeldCondition, number: int) -> Change:
        facts, who = self.sources.facts[number], self.sources.names[number][0]
        if held.damage:
            return NO_CHANGE
        if facts.weapon is None:
            return self._save_change(held, facts) if facts.ability else NO_CHANGE
        target = self._enemy_of(who)
        if not target:
            return NO_CHANGE
        return self._attack_change(AttackInProgress(who, facts.weapon, target), held, target)

    def _save_change(self, held: HeldCondition, facts: SourceFacts) -> Change:
        """Return what a condition does to a save of those who have it, asked of the first combatant."""
        who, rules = self.questions.combatants[0].id, self.questions.rules

        def ask() -> Change:
            bare, under = (
                save_roll(lookup, rules, who, facts.ability, "", facts.tags)
                for lookup in (self.questions.placeless, self._with(who, held))
            )
            certain = sheet.CERTAIN_FAILURE if under.fails and not bare.fails else sheet.NOT_CERTAIN
            return _edge_bits(bare, under), _sum(under) - _sum(bare), certain

        return self.questions.remembered(
            ("save under", held, self.questions.class_of[who], facts.ability, facts.tags), ask
        )

    def _attack_change(self, attack: AttackInProgress, held: HeldCondition, holder: str) -> Change:
        """Return what a condition of one of the two does to an attack."""
        classes = (self.questions.class_of[attack.attacker], self.questions.class_of[attack.target])
        key = ("attack under", held, holder == attack.target, *classes, self._kind(held, attack.weapon))
        return self.questions.remembered(key, lambda: self._asked_change(attack, self._with(holder, held)))

    def _asked_change(self, attack: AttackInProgress, under: Lookup) -> Change:
        key = (
            self.questions.class_of[attack.attacker],
            self.questions.class_of[attack.target],
            self._kind_of(attack.weapon),
        )
        if key not in self._bare:
            self._bare[key] = self._rolled(attack, self.questions.placeless)
        (before, meets_before), (after, meets_after) = self._bare[key], self._rolled(attack, under)
        certain = sheet.NOT_CERTAIN
        if after.auto_miss is not None and before.auto_miss is None:
            certain = sheet.CERTAIN_FAILURE
        elif after.critical is not None and before.critical is None:
            certain = sheet.CERTAIN_CRITICAL
        adds = _sum(after.spec) - _sum(before.spec) - (meets_after - meets_before)
        return _edge_bits(before.spec, after.spec), adds, certain

    def _rolled(self, attack: AttackInProgress, lookup: Lookup) -> tuple[AttackRoll, int]:
        """Return an attack's roll and the AC that it has to meet."""
        rules = self.questions.rules
        meets = armor_class(lookup, rules, attack.target, armor_class_context(lookup, rules, attack))
        return attack_roll(lookup, rules, attack), meets.total

    def _with(self, who: str, held: HeldCondition) -> Lookup:
        return self.questions.with_effect(who, AskedEffect(held.name, held.value))

    def _enemy_of(self, who: str) -> str:
        number = self.questions.index.get(who)
        if number is None:
            return ""
        side = self.questions.combatants[number].side
        return next((one.id for one in self.questions.combatants if one.side != side), "")

    def _kind(self, held: HeldCondition, weapon: Feature) -> Hashable:
        """Return all of a weapon that the rules of a condition may ask about."""
        if held.name not in self._asks_for_weapons:
            texts = (rule.when for rule in self._all_rules(held.name))
            self._asks_for_weapons[held.name] = any("with:" in text for text in texts)
        return self._kind_of(weapon) if self._asks_for_weapons[held.name] else (attack_kind(weapon), is_spell(weapon))

    def _kind_of(self, weapon: Feature) -> Hashable:
        return weapon.id, weapon.properties, attack_kind(weapon), weapon.level, weapon.ability, weapon.attack

    def _all_rules(self, name: str) -> Iterator[DataRule]:
        known = self.questions.rules.conditions.get(name)
        if known is not None:
            yield from known.rules
            for implied in known.implies:
                yield from self._all_rules(implied)


def _sum(spec: RollSpec) -> int:
    return sum(one.value for one in spec.modifiers)


def _edge_bits(before: RollSpec, after: RollSpec) -> int:
    """Return the edges that a roll has more of, as bits: 1 advantage, 2 disadvantage."""
    bits = 0
    for bit, kind in ((1, "advantage"), (2, "disadvantage")):
        more = sum(one.kind == kind for one in after.edges) - sum(one.kind == kind for one in before.edges)
        bits |= bit if more > 0 else 0
    return bits
