"""States of combatants at 0 hit points (death saves, a dying value or bleeding), tabulated by die result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from turnwright.encounter.state import effects_named, track_value
from turnwright.forecast import sheet
from turnwright.forecast.building.questions import NO_CELL, Cell, Questions
from turnwright.rules.parts.attacks.attack_targeting import MASSIVE_DAMAGE_TAGS
from turnwright.rules.parts.checks.ability_checks import LADDER, degree_of
from turnwright.rules.parts.combatants.facts import level_or_hit_dice
from turnwright.rules.parts.damage.damage_steps import (
    FAILURES,
    SUCCESSES,
    death_save,
    makes_saves,
    massive_damage_threshold,
)

if TYPE_CHECKING:
    from turnwright.encounter.running import Combatant
    from turnwright.forecast.building.sources import Notes

UP: Final = -1
MOST_WORSE: Final = 3  # blocks of states: each earlier fall makes the next one worse, up to this number


class DownState(NamedTuple):
    """The drop row of a combatant, its current state, and its threshold and save for massive damage."""

    drop: int
    state: int
    massive: int = 0
    massive_cell: Cell = NO_CELL


class Dying:
    """Collects the states at 0 hit points: one block for each combination of rules and bonuses."""

    def __init__(self, questions: Questions, notes: Notes) -> None:
        self.questions, self.notes = questions, notes
        self.figures = questions.rules.data.dying
        self.states: list[sheet.Fallen] = []
        self.deaths: list[list[int]] = []
        self.struck: list[list[int]] = []
        self.drops: list[list[int]] = []
        self.dead = self._state(sheet.DEAD)
        self._blocks: dict[object, int] = {}

    def of(self, combatant: Combatant) -> DownState:
        """Return a combatant's drop row and current state, and its rules for massive damage."""
        rules, encounter = self.questions.rules, self.questions.begun
        tags = {*self.questions.creature(combatant.id).tags}
        if self.figures.mechanism == "bleeding-out":
            fall = self._bleeding(combatant)
        elif tags & {*self.figures.devices.tags} or not makes_saves(encounter, rules, combatant.id):
            fall = DownState(self._drop((self.dead, self.dead)), UP)
        elif self.figures.mechanism == "recovery-checks":
            fall = self._recovering(combatant)
        else:
            fall = self._saving(combatant)
        if combatant.dead:
            return fall._replace(state=self.dead)
        return fall if combatant.hp <= 0 else fall._replace(state=UP)

    # Death saves ------------------------------------------------------------------------------------------------------

    def _saving(self, combatant: Combatant) -> DownState:
        """Return the state of a combatant that makes death saves; each count of successes and failures is a state."""
        rules, encounter, save = self.questions.rules, self.questions.begun, self.figures.save
        bonus = sum(each.value for each in death_save(self.questions.placeless, rules, combatant.id).modifiers)
        key = ("saves", bonus)
        if key not in self._blocks:
            self._blocks[key] = self._block_of_saves(bonus)
        first = self._blocks[key]
        successes, failures = (track_value(encounter, combatant.id, name) for name in (SUCCESSES, FAILURES))
        state = first + min(successes, 2) * save.failures + min(failures, 2)
        if effects_named(encounter, combatant.id, rules.role("stable")):
            state = first + save.successes * save.failures
        massive, cell = self._massive(combatant)
        return DownState(self._drop((first, first)), state, massive, cell)

    def _block_of_saves(self, bonus: int) -> int:
        save, first = self.figures.save, len(self.states)
        counts = [(successes, failures) for successes in range(save.successes) for failures in range(save.failures)]
        if not save.failures:
            counts = [(0, 0)]
        for _ in counts:
            self._state(sheet.DYING)
        stable, up = self._state(sheet.STABLE), self._state(sheet.UP, hp=save.best_hp)

        def state(successes: int, failures: int) -> int:
            if not save.failures:
                return first
            if failures >= save.failures:
                return self.dead
            if save.successes and successes >= save.successes:
                return stable
            return first + successes * save.failures + failures

        hurts = (1, self.figures.critical_failures)
        for number, (successes, failures) in enumerate(counts):
            for face in range(1, self.questions.die + 1 if save.failures else 1):
                if face == save.best and self.questions.die == 20:
                    after = up
                elif face == save.worst and self.questions.die == 20:
                    after = state(successes, failures + save.worst_failures)
                elif face + bonus >= save.dc:
                    after = state(successes + 1, failures)
                else:
                    after = state(successes, failures + 1)
                self.deaths[first + number][face - 1] = after
            self.struck[first + number] = [state(successes, failures + more) for more in hurts]
        self.struck[stable] = [state(0, more) for more in hurts]
        for number in range(first, up + 1):
            self.states[number].next_drop = self._drop((first, first))
        return first

    def _massive(self, combatant: Combatant) -> tuple[int, Cell]:
        """Return the damage that counts as massive for a combatant, and the save against dying at once."""
        figures, rules = self.figures.massive, self.questions.rules
        if not figures.is_possible:
            return 0, NO_CELL
        threshold = massive_damage_threshold(self.questions.begun, rules, combatant.id)
        if threshold is None:
            return 0, NO_CELL
        return threshold, self.questions.save_cell(combatant.id, figures.ability, figures.dc, MASSIVE_DAMAGE_TAGS)

    # A dying value ----------------------------------------------------------------------------------------------------

    def _recovering(self, combatant: Combatant) -> DownState:
        """Return the state of a combatant with a dying value; states depend on the value and the earlier falls."""
        rules, figures = self.questions.rules, self.figures.recovery
        worse, sooner = (self._value(combatant.id, name) for name in (figures.worse, figures.sooner))
        kills = max(1, figures.kills - sooner)
        if ("recovery", kills) not in self._blocks:
            self._blocks["recovery", kills] = self._blocks_of_values(kills)
        first = self._blocks["recovery", kills] + min(worse, MOST_WORSE - 1) * kills
        value = self._value(combatant.id, rules.role("dying"))
        state = first + min(value, kills - 1) - 1 if value else first + kills - 1
        return DownState(self._drop(self._starts(first, kills, worse)), state)

    def _value(self, who: str, name: str) -> int:
        effects = effects_named(self.questions.begun, who, name) if name else []
        return max((max(1, effect.value) for effect in effects), default=0)

    def _blocks_of_values(self, kills: int) -> int:
        """Add blocks of states for 0, 1 and 2 earlier falls; return the first state.

        Each block has one state for each dying value below the fatal one, and the stable state.
        """
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
                self.states[number].next_drop = self._drop(next_starts)
        return first

    def _starts(self, block: int, kills: int, worse: int) -> tuple[int, int]:
        """Return the states after falling to a normal hit and to a critical hit, given `worse` earlier falls."""
        figures = self.figures.recovery
        values = (figures.start + worse, figures.critical_start + worse)
        plain, critical = (self.dead if value >= kills else block + value - 1 for value in values)
        return plain, critical

    # Bleeding ---------------------------------------------------------------------------------------------------------

    def _bleeding(self, combatant: Combatant) -> DownState:
        """Return the state of a combatant that keeps losing hit points below 0."""
        level = level_or_hit_dice(self.questions.begun, combatant.id)
        if level is None:
            self.notes.assumed("combatants", combatant.id, "", "level_unknown")
        bleed = self.figures.bleeding_out.per_level * (level or 0)
        key = ("bleeding", bleed)
        if key not in self._blocks:
            first = self._state(sheet.DYING, bleed=bleed)
            self._state(sheet.STABLE)
            self.struck[first] = self.struck[first + 1] = [first, first]
            self._blocks[key] = first
            for number in (first, first + 1):
                self.states[number].next_drop = self._drop((first, first))
        first = self._blocks[key]
        stable = bool(effects_named(self.questions.begun, combatant.id, self.questions.rules.role("stable")))
        return DownState(self._drop((first, first)), first + int(stable))

    # Rows -------------------------------------------------------------------------------------------------------------

    def _state(self, kind: int, *, bleed: int = 0, hp: int = 0) -> int:
        number = len(self.states)
        self.states.append(sheet.Fallen(kind, bleed, hp, -1))
        self.deaths.append([number] * self.questions.die)
        self.struck.append([number, number])
        return number

    def _drop(self, states: tuple[int, int]) -> int:
        if [*states] not in self.drops:
            self.drops.append([*states])
        return self.drops.index([*states])
