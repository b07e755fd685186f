"""The slots of the turn order: which combatants act together, their initiative rolls, and how ties are broken.

The chance of surprise at the start of a fight: checks of sneaking combatants against the others' scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.dice.ast import DiceTerm
from turnwright.dice.expression import parse
from turnwright.encounter.lookups import active_slot, clock_of, effects_named, slot_sort_key
from turnwright.encounter.running import Combatant, Slot
from turnwright.forecast import sheet
from turnwright.rules.parts.checks.ability_checks import check_roll, initiative_roll, initiative_tie_roll
from turnwright.rules.parts.checks.action_checks import known_number
from turnwright.rules.parts.combatants.facts import followers_of, is_follower
from turnwright.rules.parts.damage.damage_steps import is_character

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turnwright.encounter.state import Lookup
    from turnwright.forecast.building.questions import Questions
    from turnwright.rules.system import RuleSystem


FIRST_OF_ALL = 1000  # higher than any roll


class Order:
    """The initiative slots of a fight: existing slots, and slots for combatants that haven't rolled yet."""

    def __init__(self, questions: Questions) -> None:
        self.questions = questions
        self.rows: list[sheet.SlotRow] = []
        self.slot_of: dict[str, int] = {}
        self.turn = -1
        self._add_present()
        self._add_coming()

    def _add_present(self) -> None:
        """Add the existing slots in turn order."""
        encounter = self.questions.begun
        if clock_of(encounter).phase != "rounds":
            return
        active, slots = active_slot(encounter), sorted(encounter.all(Slot), key=slot_sort_key)
        for number, slot in enumerate(slots):
            if active is not None and slot.id == active.id:
                self.turn = len(self.rows)
            row = self._row(rolled=False)
            row.count = len(slots) - number
            self._add(slot.members, row)

    def _add_coming(self) -> None:
        """Add slots for combatants that don't have one.

        Combatants that share a turn share a slot. Combatants that share only a roll have separate slots.
        """
        alike: dict[object, list[list[str]]] = {}
        groups: dict[str, list[str]] = {}
        for combatant in self.questions.combatants:
            if combatant.id in self.slot_of or is_follower(self.questions.begun, combatant.id):
                continue
            if combatant.group in groups:
                groups[combatant.group].append(combatant.id)
                continue
            members = [combatant.id]
            if combatant.group:
                groups[combatant.group] = members
            alike.setdefault(self._shared(combatant), []).append(members)
        for places in alike.values():
            for number, members in enumerate(places):
                led = [follower.id for who in members for follower in followers_of(self.questions.begun, who)]
                present = [who for who in (*members, *led) if who in self.questions.index and who not in self.slot_of]
                row = self._coming(members[0])
                if number > 0 and row.rolled:
                    row.rolled, row.shared = 0, 1
                self._add(present, row)
        for combatant in self.questions.combatants:
            if combatant.id not in self.slot_of:
                self._add([combatant.id], self._coming(combatant.id))

    def _shared(self, combatant: Combatant) -> object:
        """Return a key that is the same for combatants with a shared initiative roll."""
        rules, encounter = self.questions.rules, self.questions.begun
        if combatant.group:
            return combatant.group
        option = rules.data.initiative.together
        if option and rules.has_option(encounter, option) and self._is_foe(combatant):
            return combatant.creature, combatant.side, combatant.initiative_bonus, combatant.check, combatant.edge
        return combatant.id

    def _is_foe(self, combatant: Combatant) -> bool:
        """Return whether a combatant is an enemy of a player character and not one itself."""
        others = (other for other in self.questions.combatants if other.side != combatant.side)
        return not self._is_character(combatant) and any(self._is_character(other) for other in others)

    def _is_character(self, combatant: Combatant) -> bool:
        return is_character(self.questions.begun, self.questions.rules, combatant.id)

    def _coming(self, who: str) -> sheet.SlotRow:
        questions = self.questions
        combatant = questions.combatants[questions.index[who]]
        rules = questions.rules.data.initiative
        spec = initiative_roll(questions.placeless, questions.rules, who)
        row = self._row(rolled=combatant.initiative is None)
        row.bonus = sum(modifier.value for modifier in spec.modifiers)
        row.edge = questions.edge_of(spec)
        row.count = combatant.initiative or 0
        if combatant.first_actor:
            row.rolled, row.count = 0, FIRST_OF_ALL
        character = self._is_character(combatant)
        rank = 0
        for breaker in rules.ties:
            rank *= 2
            rank += int((breaker == "characters-first" and character) or (breaker == "foes-first" and not character))
        row.rank = rank
        if "roll" in rules.ties:
            tie = initiative_tie_roll(questions.placeless, questions.rules, who)
            row.rolls_ties, row.tie_bonus = 1, sum(modifier.value for modifier in tie.modifiers)
        return row

    def _row(self, *, rolled: bool) -> sheet.SlotRow:
        row = sheet.SlotRow()
        die = parse(self.questions.rules.data.initiative.die).terms[0]
        row.rolled = int(rolled)
        row.die = die.sides if isinstance(die, DiceTerm) else 1
        return row

    def _add(self, members: tuple[str, ...] | list[str], row: sheet.SlotRow) -> None:
        for who in members:
            self.slot_of[who] = len(self.rows)
        self.rows.append(row)


CERTAIN: Final = 1000
SNEAK, NOTICE = "dex:stealth", "wis:perception"  # the default checks
Totals = dict[int, float]


def is_surprise_open(questions: Questions) -> bool:
    """Return whether surprise is still undecided: some combatants sneak, and the fight hasn't begun."""
    clock, rules = clock_of(questions.begun), questions.rules
    sneaks = {combatant.sneaking for combatant in questions.combatants}
    return rules.has_surprise and clock.phase != "rounds" and not clock.surprise_settled and len(sneaks) > 1


def surprised(questions: Questions, waiting: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return each combatant's chance of being surprised, in thousandths."""
    role = questions.rules.role("surprised")
    chances = {
        combatant.id: CERTAIN
        for combatant in questions.combatants
        if effects_named(questions.begun, combatant.id, role)
    }
    if not is_surprise_open(questions) or questions.rules.data.surprise.sides:
        return chances
    away = {who for members in waiting.values() for who in members}
    here = [combatant for combatant in questions.combatants if combatant.id not in away]
    hidden = [_totals(questions, combatant, _check(questions, combatant)) for combatant in here if combatant.sneaking]
    if hidden:
        for combatant in here:
            if not combatant.sneaking:
                chance = sum(
                    share * _all_above(hidden, total) for total, share in _held_against(questions, combatant).items()
                )
                chances[combatant.id] = round(CERTAIN * chance)
    return chances


def _check(questions: Questions, combatant: Combatant) -> str:
    return questions.rules.data.surprise.check or combatant.check or (SNEAK if combatant.sneaking else NOTICE)


def _held_against(questions: Questions, combatant: Combatant) -> Totals:
    """Return the chances of each number that a sneaking combatant must exceed to surprise a combatant."""
    if not questions.rules.data.surprise.against:
        return _totals(questions, combatant, _check(questions, combatant))
    return {score_against_sneaking(questions.placeless, questions.rules, combatant.id): 1.0}


def score_against_sneaking(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the score that a sneaking combatant must exceed.

    If the stat block doesn't list it, it is the base DC plus the bonus to the check.
    """
    score = known_number(lookup, rules, who, rules.data.surprise.against)
    if score is not None:
        return score
    return rules.data.checks.dc_base + sum(
        modifier.value for modifier in check_roll(lookup, rules, who, NOTICE).modifiers
    )


def _totals(questions: Questions, combatant: Combatant, check: str) -> Totals:
    """Return the chance of each total of a check."""
    spec, die = check_roll(questions.placeless, questions.rules, combatant.id, check), questions.die
    bonus, more = sum(modifier.value for modifier in spec.modifiers), questions.edge_of(spec)
    count = 1 + abs(more)

    def up_to(face: int) -> float:
        return (face / die) ** count if more >= 0 else 1 - (1 - face / die) ** count

    return {face + bonus: up_to(face) - up_to(face - 1) for face in range(1, die + 1)}


def _all_above(hidden: list[Totals], total: int) -> float:
    """Return the chance that all sneaking combatants exceed a total."""
    chance = 1.0
    for totals in hidden:
        chance *= sum(share for each, share in totals.items() if each > total)
    return chance
