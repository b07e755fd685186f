"""The worth of each action against each target, by which combatants choose their actions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from turnwright.forecast import sheet
from turnwright.forecast.sheet import Action, Cell, ChangeRow, ConditionRow, FighterRow, Infliction, Part, Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

SAVED: Final = 3  # the column of the lowest degree of a save, after the three outcomes of an attack
FAILED, RESULTS = SAVED + sheet.FAILURE, SAVED + 4
MOST_EDGE: Final = 3  # further dice of a roll aren't counted
FIRST_OF_ALL: Final = 10_000  # the worth of healing, which comes before attacks if an ally needs it
BEFORE: Final = 100  # times the worth of support that costs no action, which comes before attacks
FOR_CONDITION: Final = 0.01  # the least worth of inflicting a condition: more than nothing
UNCHANGED: Final = np.zeros(ChangeRow.width, int)
MOST_TURNS: Final = 3.0  # conditions that last longer aren't worth more: the fight may end, or their holder fall
NO_CERTAINTY: Final = (1, 1, 0, 1, 1, 1, 1, 1, 1)  # columns of a change: the target's conditions make hits certain
WHOLE: Final = 2**32  # the thresholds of alias tables are parts of it


def worths(built: sheet.Sheet) -> Numbers:
    """Return the worth of each action against each target: the expected damage per unit of its price, in hundredths.

    There is a layer for each number of attacks made before in the turn, then the changes of the worth by each condition
    of the target, and by each condition of the attacker.
    """
    sources, tallied, sides = _Sources(built), built.tallies.shape[1], built.combatants[:, FighterRow.side]
    sources.add_conditions()
    bare = [sources.worth(built.tallies[:, [earlier]]) for earlier in range(tallied)]
    changes = [(change, number) for number, change in enumerate(built.target_changes, 1)]
    changes += [(change * NO_CERTAINTY, 0) for change in built.holder_changes]
    changed = [sources.changed(*change) - bare[0] if sources.differs(*change) else 0 * bare[0] for change in changes]
    for condition, dealt in sources.prevented.items():  # a target that has the condition isn't given it again
        changed[condition] -= sources.worth(built.tallies[:, [0]], dealt=dealt)
    layers = np.stack([*bare, *changed])
    found, place = np.zeros((len(layers), len(built.actions), len(sides))), np.arange(len(layers))
    for number, row in enumerate(built.actions):
        earlier = 0
        for source in built.routine[row[Action.first] : row[Action.first] + row[Action.count]]:
            found[:, number] += layers[
                np.where(place < tallied, np.minimum(place + earlier, tallied - 1), place), source
            ]
            earlier += 0 if row[Action.together] else built.sources[source, Source.tally]
        if row[Action.later] and built.actions[row[Action.later] - 1, Action.price] == 0:
            found[:, number] *= MOST_TURNS  # its effect comes again in each turn
        found[:tallied, number] += row[Action.gains]
        if row[Action.to] == sheet.TO_ENEMIES:
            found[:, number] *= built.enmity[sides[row[Action.owner]], sides]
        elif row[Action.to] in (sheet.FOR_SELF, sheet.FOR_ALLIES):
            is_first = row[Action.pool] != sheet.MAIN_POOL or row[Action.price] == 0
            found[:, number] *= (1 - built.enmity[sides[row[Action.owner]], sides]) * (BEFORE if is_first else 1)
        else:
            found[:tallied, number] += FIRST_OF_ALL * (1 + (row[Action.pool] == sheet.BONUS_POOL))
    found *= 100 / np.maximum(1, built.actions[:, [Action.price]])
    return np.where(found > 0, np.ceil(found.round(6)), found).astype(np.int32)


class _Sources:
    """The expected damage of each source to each target, and the worth of its conditions."""

    def __init__(self, built: sheet.Sheet) -> None:
        self.built, kind, attacks = built, built.sources[:, Source.kind], len(built.outcomes)
        is_attack, is_save = kind == sheet.ATTACK, kind == sheet.SAVE
        self.rolled = (is_attack | is_save)[:, None]
        surely = attacks + len(built.degrees)  # the row of sources without a roll
        self.first = np.where(is_attack, built.sources[:, Source.table], np.where(is_save, attacks, surely))[:, None]
        faces = np.arange(built.die + 1) / built.die
        best = [np.diff(faces ** (1 + edge)) for edge in range(MOST_EDGE + 1)]
        weights = np.array([*(chances[::-1] for chances in best[:0:-1]), *best])
        results = np.vstack((built.outcomes, built.degrees + SAVED, np.full((1, built.die), FAILED)))
        self.chances = weights @ (results[:, :, None] == np.arange(RESULTS)).astype(float)  # [row, edge, result]
        self.taken = np.vstack((np.arange(sheet.MOST_AMOUNT + 1), built.taken))
        self.mean = cache(self._mean)
        self.dealt = np.array([self._dealt(number) for number in range(len(built.sources))])
        self.dealt = self.dealt.reshape(len(built.sources), len(built.combatants), RESULTS)
        self.prevented: dict[int, Numbers] = {}  # the worth of each condition by source, target and result

    def add_conditions(self) -> None:
        """Add the worth of inflicted conditions: the damage that they prevent, and that which they deal.

        It is the expected damage of the target's best action in a turn, times the share that the condition takes from
        it and its turns. Conditions that last longer than `MOST_TURNS` aren't worth more.
        """
        built, harms = self.built, self._harms()
        for number, source in enumerate(built.sources):
            kind = int(source[Source.kind])
            columns = range(sheet.HIT, SAVED) if kind == sheet.ATTACK else range(SAVED, RESULTS)
            temporary = self.mean(int(source[Source.parts]), int(source[Source.part_count]), 2)
            for row in built.inflictions[source[Source.first_infliction] : source[Source.last_infliction]]:
                inflicted, results = int(row[Infliction.inflicts]), row[Infliction.on_results]
                worth = self._turns(row) * harms[inflicted]
                is_support = kind == sheet.SUPPORT
                worth = np.maximum(-worth if is_support else worth, 0) + (temporary if is_support else FOR_CONDITION)
                temporary = 0 * temporary
                worth = np.where(built.immune[:, inflicted] == 0, worth, 0)
                dealt = self.prevented.setdefault(inflicted, np.zeros_like(self.dealt))
                for column in columns:
                    if results >> (column if kind == sheet.ATTACK else column - SAVED) & 1:
                        dealt[number, :, column] += worth
        self.dealt = self.dealt + sum(self.prevented.values())

    def _harms(self) -> Numbers:
        """Return the damage that each condition prevents, or deals to its holder, in a turn of each combatant.

        It is negative if the condition supports its holder. Attacks on it are shared by its side.
        """
        built = self.built
        hurts = (row[[ConditionRow.hurts_parts, ConditionRow.hurts_count]].tolist() for row in built.conditions)
        found = np.array([self.mean(*parts, 2) for parts in hurts]).reshape(-1, len(built.combatants))
        bare, sides = self.worth(built.tallies[:, [0]]), built.combatants[:, FighterRow.side]
        for who, fighter in enumerate(built.combatants):
            own = built.actions[fighter[FighterRow.first_action] : fighter[FighterRow.last_action]]
            own = own[(own[:, Action.to] == sheet.TO_ENEMIES) & (own[:, Action.pool] == sheet.MAIN_POOL)]
            routines = [built.routine[row[Action.first] : row[Action.first] + row[Action.count]] for row in own]
            enemies = np.flatnonzero(built.enmity[fighter[FighterRow.side]][sides])
            if not len(own) or not len(enemies):
                continue
            amount = max(1, int(fighter[FighterRow.amount]))
            times = amount / np.maximum(1, own[:, Action.price])
            best = int(np.argmax([bare[routine][:, enemies].sum(0).mean() for routine in routines] * times))
            usual = bare[routines[best]][:, enemies].sum(0).mean() * times[best]
            for condition, row in enumerate(built.conditions):
                change = built.holder_changes[condition] * NO_CERTAINTY
                lost = min(1.0, max(0, row[ConditionRow.turn_loss]) / amount)
                if lost < 1 and change[routines[best]].any():
                    after = self.changed(change)[routines[best]][:, enemies].sum(0).mean() * times[best]
                    lost = max(lost, 1 - after / usual if usual else 0) if lost else 1 - after / max(usual, 0.01)
                added = min(0, row[ConditionRow.turn_loss]) / max(amount, len(routines[best]))
                found[condition, who] += (lost + added) * usual
                if self.differs(built.target_changes[condition][routines[best]], condition + 1):
                    after = self.changed(built.target_changes[condition], condition + 1)
                    more = (after - bare)[routines[best]][:, enemies].sum(0)
                    found[condition, enemies] += more * times[best] / np.bincount(sides)[sides[enemies]]
        return found

    def _turns(self, infliction: Numbers) -> Any:
        """Return the expected number of turns for which a condition lasts on each combatant."""
        if infliction[Infliction.until] == sheet.UNTIL_NEVER:
            return MOST_TURNS
        if infliction[Infliction.until] != sheet.UNTIL_SAVED:
            return 1.0
        cells = self.built.ending_cells[infliction[Infliction.ending]].astype(int)
        margin = np.clip(cells[:, Cell.margin], -sheet.MARGIN, sheet.MARGIN) + sheet.MARGIN
        edge = np.clip(cells[:, Cell.edge], -MOST_EDGE, MOST_EDGE) + MOST_EDGE
        saved = self.chances[len(self.built.outcomes) + margin, edge, SAVED + sheet.SUCCESS :].sum(-1)
        return 1 / np.maximum(saved, 1 / MOST_TURNS)

    def differs(self, change: Numbers, layer: int) -> bool:
        """Return whether a condition changes anything: rolls, damage dealt or, in its layer, damage taken."""
        return bool(change.any() or (self.built.taken_rows[layer] != self.built.taken_rows[0]).any())

    def changed(self, change: Numbers, layer: int = 0) -> Numbers:
        """Return the worth of each source if a condition changes its rolls or damage, or the damage taken in a layer."""
        adds, sharpened = change[:, [ChangeRow.adds]] + _average(change[:, [ChangeRow.die]]), self.dealt
        if self.differs(change[:, ChangeRow.parts :], layer):
            others = [self._dealt(number, layer, row) - self._dealt(number) for number, row in enumerate(change)]
            sharpened = self.dealt + np.array(others)
        found: Numbers = self.worth(adds, change[:, [ChangeRow.edges]], change[:, [ChangeRow.certain]], sharpened)
        found *= 1 - np.maximum(change[:, [ChangeRow.flat]] - 1, 0) / 20
        return found

    def worth(
        self, adds: Numbers, edges: Numbers | int = 0, certain: Numbers | int = 0, dealt: Numbers | None = None
    ) -> Numbers:
        """Return the worth of each source with a bonus, edges as bits, and a certain result.

        `dealt` is the worth of each result, if it isn't that of all damage and conditions.
        """
        cells, dealt = self.built.cells.astype(int), self.dealt if dealt is None else dealt
        edge, die, flat = cells[..., Cell.edge], cells[..., Cell.die], cells[..., Cell.flat]
        more, less = np.bitwise_and(edges, 1), np.right_shift(edges, 1)
        edge = np.where(abs(edge) > 1, edge + more - less, np.maximum(more, edge) - np.maximum(less, -edge))
        margin = np.clip(cells[..., Cell.margin] + adds + _average(die), -sheet.MARGIN, sheet.MARGIN) + sheet.MARGIN
        chance = self.chances[self.first + self.rolled * margin, np.clip(edge, -MOST_EDGE, MOST_EDGE) + MOST_EDGE]
        hits = chance[..., sheet.HIT] + chance[..., sheet.CRITICAL]
        surely = np.where(self.rolled, np.maximum(cells[..., Cell.certain], certain), sheet.NOT_CERTAIN)
        made = dealt[..., SAVED + sheet.SUCCESS] + (1 - chance[..., sheet.CRITICAL]) * dealt[..., sheet.HIT]
        made += chance[..., sheet.CRITICAL] * dealt[..., sheet.CRITICAL]
        found: Numbers = np.select(
            [surely == each for each in (sheet.CERTAIN_FAILURE, sheet.CERTAIN_CRITICAL, sheet.CERTAIN_SUCCESS)],
            [dealt[..., FAILED], hits * dealt[..., sheet.CRITICAL], made],
            (chance * dealt).sum(-1),
        )
        found *= np.where(flat > 0, np.clip(21 - flat, 0, 20) / 20, 1) * self.built.shares.any(-1)
        after = self.built.sources[:, [Source.next]]
        found += np.where(after >= 0, hits * found[after[:, 0]], 0)
        return found

    def _dealt(self, number: int, layer: int = 0, change: Numbers = UNCHANGED) -> Numbers:
        """Return the damage of a source to the targets in a layer, by result. A change may have other parts of damage."""
        source, built = self.built.sources[number], self.built
        dealt = np.zeros((len(built.combatants), RESULTS))
        own = source[[Source.parts, Source.part_count, Source.critical_parts, Source.critical_count]]
        *plain, first, count = (change[ChangeRow.parts :] if change[ChangeRow.part_count] else own).tolist()
        if source[Source.kind] == sheet.ATTACK:
            dealt[:, sheet.HIT] = self.mean(*plain, 2, layer)
            critical = self.mean(first, count, 2, layer)
            uncritical = built.combatants[:, FighterRow.uncritical] != 0
            dealt[:, sheet.CRITICAL] = np.where(uncritical, dealt[:, sheet.HIT], critical)
        elif source[Source.kind] == sheet.SAVE:
            for degree, shares in enumerate(built.shares[number].T):
                for share in set(shares.tolist()):
                    dealt[:, SAVED + degree] += self.mean(*plain, share, layer) * (shares == share)
        elif source[Source.kind] != sheet.SUPPORT:  # temporary hit points count with its effects
            dealt[:, FAILED] = self.mean(*plain, 2, layer)
        return dealt

    def _mean(self, first: int, count: int, halves: int, layer: int = 0) -> Numbers:
        """Return the average damage of some parts to each target, of which `halves` halves are dealt."""
        built, total = self.built, np.zeros(len(self.built.combatants))
        for row in built.parts[first : first + count].tolist() if halves else ():
            at, size = row[Part.alias_first], row[Part.alias_count]
            own, other = built.alias[at : at + size].T
            chances = (own + np.bincount(other, WHOLE - own, size)) / (WHOLE * size)
            rolled = np.maximum((np.arange(size) + row[Part.least]) * row[Part.times] >> 1, 0)
            dealt = np.maximum(rolled * halves + built.halves_up >> 1, np.minimum(rolled, built.least_damage))
            kind = row[Part.type]
            rows = built.taken_rows[layer, :, kind] + 1 if kind >= 0 else np.zeros(len(total), int)
            total += self.taken[rows[:, None], np.minimum(dealt, sheet.MOST_AMOUNT)] @ chances
        return total


def _average(die: Numbers) -> Numbers:
    """Return the average of extra dice, as in `Cell`."""
    return np.where(die < sheet.SEVERAL, (abs(die) + 1) // 2 * np.sign(die), 0)
