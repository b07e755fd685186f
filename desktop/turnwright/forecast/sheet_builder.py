"""Builds the fight sheet of a started encounter by asking the rules for every chance, and sheets with one change.

To measure a change, the same fights are played again with it. Both runs use the same random numbers, so shared
randomness cancels out, and a few thousand fights are enough to show small differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

from turnwright.encounter import roles, running, state
from turnwright.forecast import compiled, estimate, layout, sheet, worth
from turnwright.forecast.building import leftovers, world
from turnwright.forecast.building.actions import Actions, amounts_of_turn
from turnwright.forecast.building.amounts import Amounts
from turnwright.forecast.building.conditions import Conditions
from turnwright.forecast.building.dying import DownState, Dying
from turnwright.forecast.building.questions import KnownAnswers, Order, Questions, is_surprise_open, set_surprise
from turnwright.forecast.building.sources import Notes, Sources, standing_of
from turnwright.forecast.sheet import DEATH, NO_TRIGGER, FighterRow, Legend, Policy, Pool, Sheet, WaveRow, World
from turnwright.rules.parts.actions.triggered_features import armor_class_of
from turnwright.rules.parts.attacks.attack_targeting import ignores_criticals
from turnwright.rules.parts.checks.ability_checks import LADDER

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from turnwright.rules.system import RuleSystem


NONE_WAIT: Final[Mapping[str, tuple[str, ...]]] = {}
NOT_WAITING: Final = -1


def build_sheet(
    encounter: state.Encounter,
    rules: RuleSystem,
    waiting: Mapping[str, tuple[str, ...]] = NONE_WAIT,
    known: KnownAnswers | None = None,
) -> tuple[Sheet, Legend]:
    """Build the fight sheet of a started encounter, and the legend of its rows.

    The encounter may be in set-up, before any initiative is rolled, or in any round. `waiting` has the combatants of
    each wave, keyed by wave id. `known` contains answers from earlier sheets; this sheet's answers are added to it.
    """
    notes, amounts = Notes(), Amounts()
    questions = Questions(encounter, rules, known)
    sources = Sources(questions, amounts, notes)
    actions = Actions(questions, sources, notes)
    dying = Dying(questions, notes)
    order = Order(questions, waiting)
    falls = {combatant.id: dying.of(combatant) for combatant in questions.combatants}
    surroundings = world.Surroundings(questions, sources, notes, waiting)
    ours = questions.combatants
    combatants = [_combatant(questions, actions, falls, order, each, waiting) for each in ours]
    surroundings.add_all()
    focus = sources.of_focus() if any(row.holds for row in actions.rows) else -1
    conditions = Conditions(questions, sources, amounts, notes)
    conditions.add_all(actions)
    party_first = sorted(ours, key=lambda combatant: not roles.is_character(questions.begun, combatant))
    sides = tuple(dict.fromkeys(combatant.side for combatant in party_first))
    for row, combatant in zip(combatants, questions.combatants, strict=True):
        row.side = sides.index(combatant.side)
        row.regains, row.regain_stop, parry, row.dodges = standing_of(questions, amounts, notes, combatant.id)
        row.parry_supply = -1
        if parry is not None:
            row.parry, row.parry_lasts = armor_class_of(parry), int(bool(parry.effect))
            price = actions.price_of(combatant.id, parry)
            row.parry_price = price.price
            row.parry_supply, row.parry_takes = price.supplies[0] if price.supplies else (-1, 0)
        row.uncritical = int(ignores_criticals(questions.placeless, rules, combatant.id))
    several = questions.known.several
    source_cells = [amounts.packed(cells, several) for cells in sources.cells]
    ending_cells = [amounts.packed(cells, several) for cells in conditions.endings]
    massive_cells = amounts.packed([fall.massive_cell for fall in falls.values()], several)
    layers, shape = conditions.layers(), (len(conditions.held), -1, sheet.ChangeRow.width)
    of_holder, of_target = (
        np.array(conditions.changes(of_target=each), np.int16).reshape(shape) for each in (False, True)
    )
    taken_rows, taken = amounts.taken(questions, layers)
    leftovers.note_the_rest(questions, notes)
    _note_bystanders(encounter, notes)
    _note_assumptions(questions, notes)
    count, condition_count = len(combatants), len(conditions.held)
    built = Sheet(
        die=questions.die,
        halves_up=int(rules.has_option(questions.placeless, rules.role("rounds-halves-up"))),
        least_damage=rules.data.attack.least,
        shifts=int(rules.data.dying.recovery.shifts),
        enmity=_table([[int(side != other) for other in sides] for side in sides], np.int8, len(sides)),
        combatants=_table(combatants, np.int32, sheet.FighterRow.width),
        slots=_table(order.rows, np.int32, sheet.SlotRow.width),
        actions=_table(actions.rows, np.int32, sheet.Action.width),
        routine=np.array(actions.routine, np.int32),
        supplies=_table(actions.supplies, np.int32, sheet.Supply.width),
        sources=_table(sources.rows, np.int32, sheet.Source.width),
        cells=np.array(source_cells, np.int16).reshape(len(sources.rows), count, sheet.Cell.width),
        outcomes=_table(questions.outcomes, np.int8, questions.die),
        degrees=_table(questions.degrees, np.int8, questions.die),
        shares=np.array(sources.shares, np.int8).reshape(len(sources.rows), count, len(LADDER)),
        tallies=_table(sources.tallies, np.int16, 3),
        parts=_table(amounts.parts, np.int32, sheet.Part.width),
        alias=_table(amounts.alias, np.int64, 2),
        taken_rows=np.array(taken_rows, np.int32).reshape(len(layers), count, len(amounts.types)),
        taken=_table(taken, np.int16, sheet.MOST_AMOUNT + 1),
        states=_table(dying.states, np.int32, sheet.Fallen.width),
        deaths=_table(dying.deaths, np.int32, questions.die),
        struck=_table(dying.struck, np.int32, 2),
        drops=_table(dying.drops, np.int32, 2),
        massive_cells=_table(massive_cells, np.int16, sheet.Cell.width),
        conditions=_table(conditions.rows, np.int16, sheet.ConditionRow.width),
        holder_changes=of_holder,
        target_changes=of_target,
        immune=_table(conditions.immune(), np.int8, condition_count),
        inflictions=_table(conditions.inflictions, np.int32, sheet.Infliction.width),
        ending_cells=np.array(ending_cells, np.int16).reshape(-1, count, sheet.Cell.width),
        rounds_away=_table(world.moves_away(questions), np.int8, count),
        world=_table(surroundings.world, np.int32, sheet.World.width),
        world_reach=_table(surroundings.reach, np.int8, count),
        pools=_table(surroundings.pools, np.int32, sheet.Pool.width),
        waves=_table(surroundings.waves, np.int32, sheet.WaveRow.width),
        watched=np.array(surroundings.watched, np.int32),
        turn=order.turn,
        round=state.clock_of(encounter).round,
        focus=focus,
        focus_least=rules.data.dying.concentration.least,
        focus_most=rules.data.dying.concentration.most,
        sustain_price=actions.sustain_price,
    )
    _note_characters(questions, notes, built)
    legend = Legend(
        combatants=tuple(combatant.id for combatant in questions.combatants),
        labels=tuple(combatant.label for combatant in questions.combatants),
        creatures=tuple(combatant.creature for combatant in questions.combatants),
        sides=sides,
        actions=tuple(actions.names),
        sources=tuple(sources.names),
        supplies=actions.supply_names,
        conditions=tuple(condition.name for condition in conditions.held),
        pools=tuple(surroundings.pool_names),
        waves=tuple(surroundings.wave_names),
        world=tuple(surroundings.world_names),
        notes=notes.all(),
    )
    return built, legend


def _combatant(
    questions: Questions,
    actions: Actions,
    falls: Mapping[str, DownState],
    order: Order,
    combatant: running.Combatant,
    waiting: Mapping[str, tuple[str, ...]],
) -> sheet.FighterRow:
    """Add a combatant's actions and return its row."""
    rules, row = questions.rules, sheet.FighterRow()
    row.hp, row.hp_max, row.temp_hp = combatant.hp, combatant.hp_max, combatant.temp_hp
    row.slot = order.slot_of[combatant.id]
    row.wave = next((number for number, who in enumerate(waiting.values()) if combatant.id in who), NOT_WAITING)
    fall = falls[combatant.id]
    row.drop, row.state = fall.drop, fall.state
    row.floor = rules.data.health.lowest(combatant.hp_max)
    row.instant = int(rules.data.dying.instant)
    row.massive = fall.massive
    amounts = amounts_of_turn(questions, combatant.id)
    row.amount = amounts.get(sheet.MAIN_POOL, 1)
    row.bonus = amounts.get(sheet.BONUS_POOL, 0)
    row.reactions = amounts.get(sheet.REACTION_POOL, 0)
    row.legendary = amounts.get(sheet.LEGENDARY_POOL, 0)
    row.first_action, row.last_action = actions.add_all(combatant.id)
    own = actions.rows[row.first_action : row.last_action]
    row.melee = int(any(each.melee and each.pool == sheet.MAIN_POOL for each in own))
    row.resists, row.rerolls = actions.resistance_of(combatant.id)
    set_surprise(questions, combatant.id, row)
    row.party = int(roles.is_character(questions.begun, combatant))
    return row


def _table(rows: Sequence[Iterable[int]], kind: DTypeLike, columns: int) -> NDArray[Any]:
    return np.array([list(row) for row in rows], kind).reshape(len(rows), columns)


def _note_bystanders(encounter: state.Encounter, notes: Notes) -> None:
    for combatant in encounter.all(running.Combatant):
        if combatant.bystander:
            notes.left_out("combatants", combatant.id, "", "bystander")


def _note_characters(questions: Questions, notes: Notes, built: Sheet) -> None:
    """Note the characters with usual numbers, and idle ones, without an action of any use."""
    is_of_use = (worth.worths(built)[0] > 0).any(axis=1)
    for combatant, row in zip(questions.combatants, built.combatants, strict=True):
        creature = questions.creature(combatant.id)
        if not roles.is_character(questions.begun, combatant):
            continue
        if creature.assumed or any(feature.assumed for feature in creature.features):
            notes.assumed("creatures", creature.id, "", "preset", classes=creature.classes)
        if not is_of_use[row[FighterRow.first_action] : row[FighterRow.last_action]].any():
            notes.left_out("combatants", combatant.id, "", "idle")


def _note_assumptions(questions: Questions, notes: Notes) -> None:
    """Note the assumptions that affect the whole fight."""
    if questions.assumes_die:
        notes.assumed("scene", "", "", "check_die", die=f"1d{questions.die}")
    if questions.rules.data.attack.asks_outcome:
        notes.assumed("scene", "", "", "hits")
    notes.assumed("scene", "", "", "no_places")
    initiative = questions.rules.data.initiative
    changes = (initiative.rerolled, initiative.by_side, initiative.passed_on, initiative.unordered)
    if any(questions.rules.has_option(questions.begun, option) for option in changes):
        notes.assumed("scene", "", "", "order_stays")
    if is_surprise_open(questions) and questions.rules.data.surprise.sides:
        notes.assumed("scene", "", "", "nobody_surprised")


FEWEST: Final = 10  # if fewer fights than this end differently, no difference counts as seen
Kind = Literal["combatant", "world", "wave", "pool", "character", "rest", "level"]
Variant = tuple[Kind, str, str, Sheet]  # the kind, subject and item of a change, and the changed sheet


class Difference(msgspec.Struct, frozen=True):
    """A change's effect on the chance of victory, its 95 % interval, and how many fights end differently."""

    value: float
    low: float
    high: float
    otherwise: int

    @property
    def seen(self) -> bool:
        """Whether enough fights end differently to prove a difference."""
        return self.otherwise >= FEWEST and not self.low <= 0 <= self.high


class ChangeOutlook(msgspec.Struct, frozen=True):
    """The effect of removing an enemy, a world action or a wave, of adding a die to a pool, or of changing the party.

    `subject` is the id of the combatant, environment, wave or countdown, or the new character's class; `item` is the id of
    the world action.
    """

    kind: Kind
    subject: str
    item: str
    difference: Difference


def wins(sheet: Sheet, *, seed: int, count: int, policies: Sequence[Policy] = ()) -> NDArray[np.int64]:
    """Return for each simulated fight 1 if the party wins, else 0."""
    fights, _ = compiled.fight_loop().play(estimate.packed_sheet(sheet, policies), seed, 0, count)
    return np.asarray(fights[:, layout.FightResult.outcome] == layout.WON, np.int64)


def paired(before: NDArray[np.int64], after: NDArray[np.int64]) -> Difference:
    """Return the change in the party's win rate between two runs of the same fights."""
    change = after - before
    value, error = float(change.mean()), float(change.std()) / sqrt(len(change))
    return Difference(
        value, value - estimate.SURE * error, value + estimate.SURE * error, int(np.count_nonzero(change))
    )


def change_outlooks(
    sheet: Sheet, variants: Iterable[Variant], *, seed: int, count: int, policies: Sequence[Policy] = ()
) -> Iterator[tuple[ChangeOutlook, ...]]:
    """Try changed sheets one by one; after each, yield the effects of all so far, the greatest first."""
    before = wins(sheet, seed=seed, count=count, policies=policies)
    outlooks: list[ChangeOutlook] = []
    for kind, subject, item, changed in variants:
        after = wins(changed, seed=seed, count=count, policies=policies)
        outlooks.append(ChangeOutlook(kind, subject, item, paired(before, after)))
        yield tuple(sorted(outlooks, key=lambda outlook: -abs(outlook.difference.value)))


def variants(sheet: Sheet, legend: Legend) -> Iterator[Variant]:
    """Yield each possible change: its kind, subject and item, and the changed sheet. A single enemy isn't removed."""
    rows = sheet.combatants
    is_enemy = sheet.enmity[0][rows[:, FighterRow.side]] != 0
    there = np.flatnonzero(is_enemy & (rows[:, FighterRow.wave] < 0) & (rows[:, FighterRow.state] < 0))
    for who in there.tolist() if np.count_nonzero(is_enemy) > 1 else ():
        yield "combatant", legend.combatants[who], "", _with(sheet, "combatants", who, (FighterRow.state, DEATH))
    for number, (place, entry) in enumerate(legend.world):
        off = (World.ready, 0), (World.recharge, 0), (World.source, -1), (World.lesser, -1)
        yield "world", place, entry, _with(sheet, "world", number, *off)
    for number, wave in enumerate(legend.waves):
        pools = sheet.pools.copy()
        pools[pools[:, Pool.calls_wave] == number, Pool.calls_wave] = -1
        never = (WaveRow.round, 0), (WaveRow.when, NO_TRIGGER)
        yield "wave", wave, "", replace(_with(sheet, "waves", number, *never), pools=pools)
    for number, pool in enumerate(legend.pools):
        dice = int(sheet.pools[number, Pool.dice])
        if dice > 0:
            yield "pool", pool, "", _with(sheet, "pools", number, (Pool.dice, dice + 1))


def _with(sheet: Sheet, table: str, row: int, *numbers: tuple[int, int]) -> Sheet:
    """Return a copy of a sheet with some numbers changed in one row of a table."""
    changed = getattr(sheet, table).copy()
    for column, number in numbers:
        changed[row, column] = number
    return replace(sheet, **{table: changed})
