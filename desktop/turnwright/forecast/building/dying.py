"""The states of those who are down: death saves, a dying value or bleeding, as tables of states by the faces of the die."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from turnwright.encounter.lookups import effects_named, track_value
from turnwright.forecast import sheet
from turnwright.forecast.building.questions import NO_CELL, Cell, Questions
from turnwright.rules.parts.attacks.save_tags import MASSIVE_DAMAGE_TAGS
from turnwright.rules.parts.checks.degrees import LADDER, degree_of
from turnwright.rules.parts.damage.dying import (
    FAILURES,
    SUCCESSES,
    death_save,
    level_or_hit_dice,
    makes_saves,
    massive_damage_threshold,
)

if TYPE_CHECKING:
    from turnwright.encounter.running import Combatant
    from turnwright.forecast.building.notes import Notes

UP: Final = -1
MOST_WORSE: Final = 3  # how often a fall that follows another can be worse


class DownState(NamedTuple):
    """What is in store for a combatant: the row of its drops, its state now, and its massive damage."""

    drop: int
    state: int
    massive: int = 0
    massive_cell: Cell = NO_CELL


class Dying:
    """Collects the states of those who are down, a block of them for each way in which a combatant fares there."""

    def __init__(self, questions: Questions, notes: Notes) -> None:
        self.questions, self.notes = questions, notes
        self.figures = questions.rules.data.dying
        self.states: list[list[int]] = []
        self.deaths: list[list[int]] = []
        self.struck: list[list[int]] = []
        self.drops: list[list[int]] = []
        self.dead = self._state(sheet.DEAD)
        self._blocks: dict[object, int] = {}

    def of(self, one: Combatant) -> DownState:
        """Return how a combatant fares at 0 hit points."""
        rules, begun = self.questions.rules, self.questions.begun
        tags = {*self.questions.creature(one.id).tags}
        if self.figures.way == "bleeding":
            fall = self._bleeding(one)
        elif tags & {*self.figures.things.tags} or not makes_saves(begun, rules, one.id):
            fall = DownState(self._drop((self.dead, self.dead)), UP)
        elif self.figures.way == "recovery":
            fall = self._recovering(one)
        else:
            fall = self._saving(one)
        if one.dead:
            return fall._replace(state=self.dead)
        return fall if one.hp <= 0 else fall._replace(state=UP)

    # Death saves ------------------------------------------------------------------------------------------------------

    def _saving(self, one: Combatant) -> DownState:
        """Return how one fares who makes death saves: a state for each count of those made and failed."""
        rules, begun, save = self.questions.rules, self.questions.begun, self.figures.save
        spec = death_save(self.questions.placeless, rules, one.id)
        bonus = sum(each.value for each in spec.modifiers)
        key = ("saves", bonus)
        if key not in self._blocks:
            self._blocks[key] = self._block_of_saves(bonus)
        first = self._blocks[key]
        made, failed = (track_value(begun, one.id, name) for name in (SUCCESSES, FAILURES))
        stable = bool(effects_named(begun, one.id, rules.role("stable")))
        state = (
            first + save.successes * save.failures if stable else first + min(made, 2) * save.failures + min(failed, 2)
        )
        massive, cell = self._massive(one)
        return DownState(self._drop((first, first)), state, massive, cell)

    def _block_of_saves(self, bonus: int) -> int:
        save, first = self.figures.save, len(self.states)
        counts = [(made, failed) for made in range(save.successes) for failed in range(save.failures)]
        if not save.failures:
            counts = [(0, 0)]
        for _ in counts:
            self._state(sheet.DYING)
        stable, up = self._state(sheet.STABLE), self._state(sheet.UP, hp=save.best_hp)

        def state(made: int, failed: int) -> int:
            if not save.failures:
                return first
            if failed >= save.failures:
                return self.dead
            return stable if save.successes and made >= save.successes else first + made * save.failures + failed

        for number, (made, failed) in enumerate(counts):
            for face in range(1, self.questions.die + 1 if save.failures else 1):
                if face == save.best and self.questions.die == 20:
                    after = up
                elif face == save.worst and self.questions.die == 20:
                    after = state(made, failed + save.worst_failures)
                elif face + bonus >= save.dc:
                    after = state(made + 1, failed)
                else:
                    after = state(made, failed + 1)
                self.deaths[first + number][face - 1] = after
            self.struck[first + number] = [
                state(made, failed + 1),
                state(made, failed + self.figures.critical_failures),
            ]
        self.struck[stable] = [state(0, 1), state(0, self.figures.critical_failures)]
        for number in range(first, up + 1):
            self.states[number][sheet.NEXT_DROP] = self._drop((first, first))
        return first

    def _massive(self, one: Combatant) -> tuple[int, Cell]:
        """Return the damage from which a combatant saves against dying at once, and the cell of that save."""
        figures, rules = self.figures.massive, self.questions.rules
        if not figures.is_possible:
            return 0, NO_CELL
        threshold = massive_damage_threshold(self.questions.begun, rules, one.id)
        if threshold is None:
            return 0, NO_CELL
        return threshold, self.questions.save_cell(one.id, figures.ability, figures.dc, MASSIVE_DAMAGE_TAGS)

    # A dying value ----------------------------------------------------------------------------------------------------

    def _recovering(self, one: Combatant) -> DownState:
        """Return how one fares whose dying has a value: a state for each value, a row of drops for each worse start."""
        rules, figures = self.questions.rules, self.figures.recovery
        worse, sooner = (self._value(one.id, name) for name in (figures.worse, figures.sooner))
        kills = max(1, figures.kills - sooner)
        if ("recovery", kills) not in self._blocks:
            self._blocks["recovery", kills] = self._blocks_of_values(kills)
        first = self._blocks["recovery", kills] + min(worse, MOST_WORSE - 1) * kills
        value = self._value(one.id, rules.role("dying"))
        state = first + min(value, kills - 1) - 1 if value else first + kills - 1
        return DownState(self._drop(self._starts(first, kills, worse)), state)

    def _value(self, who: str, name: str) -> int:
        held = effects_named(self.questions.begun, who, name) if name else []
        return max((max(1, each.value) for each in held), default=0)

    def _blocks_of_values(self, kills: int) -> int:
        """Return the first state of blocks for falls after none, one and two others, each as long as the value that kills."""
        figures, first = self.figures.recovery, len(self.states)
        for _ in range(MOST_WORSE):
            for _ in range(1, kills):
                self._state(sheet.DYING)
            self._state(sheet.STABLE)
        for worse in range(MOST_WORSE):
            block = first + worse * kills
            later = min(worse + 1, MOST_WORSE - 1)
            next_starts = self._starts(first + later * kills, kills, later)

            def state(value: int, block: int = block) -> int:
                return block + kills - 1 if value <= 0 else self.dead if value >= kills else block + value - 1

            for value in range(1, kills):
                for face in range(1, self.questions.die + 1):
                    degree = degree_of(self.questions.rules, self.questions.rolled(face, 0), figures.dc + value)
                    step = figures.steps[LADDER.index(degree or LADDER[0])]
                    self.deaths[block + value - 1][face - 1] = state(value + step)
                self.struck[block + value - 1] = [state(value + figures.hurt), state(value + figures.critical_hurt)]
            self.struck[block + kills - 1] = [*next_starts]
            for number in range(block, block + kills):
                self.states[number][sheet.NEXT_DROP] = self._drop(next_starts)
        return first

    def _starts(self, block: int, kills: int, worse: int) -> tuple[int, int]:
        """Return the states of a fall after so many others: by a hit, and by a critical hit."""
        figures = self.figures.recovery
        values = (figures.start + worse, figures.critical_start + worse)
        plain, critical = (self.dead if value >= kills else block + value - 1 for value in values)
        return plain, critical

    # Bleeding ---------------------------------------------------------------------------------------------------------

    def _bleeding(self, one: Combatant) -> DownState:
        """Return how one fares who goes on losing hit points below 0."""
        level = level_or_hit_dice(self.questions.begun, one.id)
        if level is None:
            self.notes.assumed("combatants", one.id, "", "level_unknown")
        bleed = self.figures.bleeding.per_level * (level or 0)
        key = ("bleeding", bleed)
        if key not in self._blocks:
            first = self._state(sheet.DYING, bleed=bleed)
            self._state(sheet.STABLE)
            self.struck[first] = self.struck[first + 1] = [first, first]
            self._blocks[key] = first
            for number in (first, first + 1):
                self.states[number][sheet.NEXT_DROP] = self._drop((first, first))
        first = self._blocks[key]
        stable = bool(effects_named(self.questions.begun, one.id, self.questions.rules.role("stable")))
        return DownState(self._drop((first, first)), first + int(stable))

    # Rows -------------------------------------------------------------------------------------------------------------

    def _state(self, kind: int, *, bleed: int = 0, hp: int = 0) -> int:
        row = [0] * sheet.STATE_COLUMNS
        row[sheet.STATE_KIND], row[sheet.BLEED], row[sheet.UP_HP], row[sheet.NEXT_DROP] = kind, bleed, hp, -1
        number = len(self.states)
        self.states.append(row)
        self.deaths.append([number] * self.questions.die)
        self.struck.append([number, number])
        return number

    def _drop(self, states: tuple[int, int]) -> int:
        if [*states] not in self.drops:
            self.drops.append([*states])
        return self.drops.index([*states])
