"""The places in the order: who acts together, what they roll, and how ties are broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.dice.ast import DiceTerm
from turnwright.dice.expression import parse
from turnwright.encounter.lookups import active_slot, clock_of, slot_sort_key
from turnwright.encounter.running import Combatant, Slot
from turnwright.forecast import sheet
from turnwright.rules.parts.checks.ability_checks import initiative_roll, initiative_tie_roll
from turnwright.rules.parts.combatants.controlled_creatures import followers_of, is_follower
from turnwright.rules.parts.damage.dying import is_character

if TYPE_CHECKING:
    from turnwright.forecast.building.questions import Questions

FIRST_OF_ALL = 1000  # a count that nobody rolls


class Order:
    """The slots of a fight: as they stand, and those of combatants who have yet to roll."""

    def __init__(self, questions: Questions) -> None:
        self.questions = questions
        self.rows: list[list[int]] = []
        self.slot_of: dict[str, int] = {}
        self.turn = -1
        self._add_present()
        self._add_coming()

    def _add_present(self) -> None:
        """Add the slots that there are, by their places."""
        begun = self.questions.begun
        if clock_of(begun).phase != "rounds":
            return
        active, slots = active_slot(begun), sorted(begun.all(Slot), key=slot_sort_key)
        for number, slot in enumerate(slots):
            if active is not None and slot.id == active.id:
                self.turn = len(self.rows)
            row = self._row(rolled=False)
            row[sheet.SLOT_COUNT] = len(slots) - number
            self._add(slot.members, row)

    def _add_coming(self) -> None:
        """Add a slot for each combatant without one, with all who share its turn; those who share its roll have their own."""
        alike: dict[object, list[list[str]]] = {}
        groups: dict[str, list[str]] = {}
        for one in self.questions.combatants:
            if one.id in self.slot_of or is_follower(self.questions.begun, one.id):
                continue
            if one.group in groups:
                groups[one.group].append(one.id)
                continue
            members = [one.id]
            if one.group:
                groups[one.group] = members
            alike.setdefault(self._shared(one), []).append(members)
        for places in alike.values():
            for number, members in enumerate(places):
                led = [each.id for who in members for each in followers_of(self.questions.begun, who)]
                known = [who for who in (*members, *led) if who in self.questions.index and who not in self.slot_of]
                row = self._coming(members[0])
                if number > 0 and row[sheet.SLOT_ROLLED]:
                    row[sheet.SLOT_ROLLED], row[sheet.SLOT_SHARED] = 0, 1
                self._add(known, row)
        for one in self.questions.combatants:
            if one.id not in self.slot_of:
                self._add([one.id], self._coming(one.id))

    def _shared(self, one: Combatant) -> object:
        """Return what all have in common who roll together."""
        rules, begun = self.questions.rules, self.questions.begun
        if one.group:
            return one.group
        option = rules.data.initiative.together
        if option and rules.has_option(begun, option) and self._is_foe(one):
            return one.creature, one.side, one.initiative_bonus, one.check, one.edge
        return one.id

    def _is_foe(self, one: Combatant) -> bool:
        """Return whether a combatant is no player character and opposes one."""
        others = (other for other in self.questions.combatants if other.side != one.side)
        return not self._is_character(one) and any(self._is_character(other) for other in others)

    def _is_character(self, one: Combatant) -> bool:
        return is_character(self.questions.begun, self.questions.rules, one.id)

    def _coming(self, who: str) -> list[int]:
        questions = self.questions
        combatant = questions.combatants[questions.index[who]]
        figures = questions.rules.data.initiative
        spec = initiative_roll(questions.placeless, questions.rules, who)
        row = self._row(rolled=combatant.initiative is None)
        row[sheet.SLOT_BONUS] = sum(one.value for one in spec.modifiers)
        row[sheet.SLOT_EDGE] = questions.edge_of(spec)
        row[sheet.SLOT_COUNT] = combatant.initiative or 0
        if combatant.first_actor:
            row[sheet.SLOT_ROLLED], row[sheet.SLOT_COUNT] = 0, FIRST_OF_ALL
        character = self._is_character(combatant)
        rank = 0
        for breaker in figures.ties:
            rank *= 2
            rank += int((breaker == "characters-first" and character) or (breaker == "foes-first" and not character))
        row[sheet.SLOT_RANK] = rank
        if "roll" in figures.ties:
            tie = initiative_tie_roll(questions.placeless, questions.rules, who)
            row[sheet.SLOT_ROLLS_TIES], row[sheet.SLOT_TIE_BONUS] = 1, sum(one.value for one in tie.modifiers)
        return row

    def _row(self, *, rolled: bool) -> list[int]:
        row = [0] * sheet.SLOT_COLUMNS
        die = parse(self.questions.rules.data.initiative.die).terms[0]
        row[sheet.SLOT_ROLLED] = int(rolled)
        row[sheet.SLOT_DIE] = die.sides if isinstance(die, DiceTerm) else 1
        return row

    def _add(self, members: tuple[str, ...] | list[str], row: list[int]) -> None:
        for who in members:
            self.slot_of[who] = len(self.rows)
        self.rows.append(row)
