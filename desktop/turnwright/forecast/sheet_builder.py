"""Builds the fight sheet of a started encounter by asking the rules for every chance, and lists its contents."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Combatant
from turnwright.forecast import sheet
from turnwright.forecast.building.actions import Actions, amounts_of_turn
from turnwright.forecast.building.amounts import Amounts
from turnwright.forecast.building.conditions import Conditions
from turnwright.forecast.building.distances import moves_away
from turnwright.forecast.building.dying import DownState, Dying
from turnwright.forecast.building.leftovers import note_the_rest
from turnwright.forecast.building.notes import Notes
from turnwright.forecast.building.order import Order
from turnwright.forecast.building.questions import Questions
from turnwright.forecast.building.sources import Sources
from turnwright.forecast.building.surprise import is_surprise_open, surprised
from turnwright.forecast.building.traits import standing_of
from turnwright.forecast.building.world import Surroundings
from turnwright.forecast.sheet import Legend, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import DTypeLike, NDArray

    from turnwright.encounter.state import Encounter
    from turnwright.forecast.building.known_answers import KnownAnswers
    from turnwright.rules.system import RuleSystem

NONE_WAIT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
NOT_WAITING: Final = -1


def build_sheet(
    encounter: Encounter,
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
    order = Order(questions)
    falls = {combatant.id: dying.of(combatant) for combatant in questions.combatants}
    surroundings = Surroundings(questions, sources, notes, waiting)
    surprise = surprised(questions, waiting)
    combatants = [
        _combatant(questions, actions, falls, order, combatant, waiting, surprise) for combatant in questions.combatants
    ]
    surroundings.add_all()
    conditions = Conditions(questions, sources, amounts, notes)
    conditions.add_all()
    sides = tuple(
        dict.fromkeys(
            combatant.side for combatant in sorted(questions.combatants, key=lambda combatant: not combatant.player)
        )
    )
    for row, combatant in zip(combatants, questions.combatants, strict=True):
        row.side = sides.index(combatant.side)
        row.regains, row.regain_stop, row.parry = standing_of(questions, amounts, notes, combatant.id)
    taken_rows, taken = amounts.taken(questions)
    note_the_rest(questions, notes)
    _note_bystanders(encounter, notes)
    _note_assumptions(questions, notes)
    count, condition_count = len(combatants), len(conditions.held)
    built = Sheet(
        die=questions.die,
        halves_up=int(rules.has_option(questions.placeless, rules.role("rounds-halves-up"))),
        shifts=int(rules.data.dying.recovery.shifts),
        enmity=_table([[int(side != other) for other in sides] for side in sides], np.int8, len(sides)),
        combatants=_table(combatants, np.int32, sheet.FighterRow.width),
        slots=_table(order.rows, np.int32, sheet.SlotRow.width),
        actions=_table(actions.rows, np.int32, sheet.Action.width),
        routine=np.array(actions.routine, np.int32),
        supplies=_table(actions.supplies, np.int32, sheet.Supply.width),
        sources=_table(sources.rows, np.int32, sheet.Source.width),
        cells=np.array(sources.cells, np.int16).reshape(len(sources.rows), count, sheet.Cell.width),
        outcomes=_table(questions.outcomes, np.int8, questions.die),
        degrees=_table(questions.degrees, np.int8, questions.die),
        shares=_table(sources.shares, np.int8, 4),
        tallies=_table(sources.tallies, np.int16, 3),
        parts=_table(amounts.parts, np.int32, sheet.Part.width),
        alias=_table(amounts.alias, np.int64, 2),
        taken_rows=_table(taken_rows, np.int32, len(amounts.types)),
        taken=_table(taken, np.int16, sheet.MOST_AMOUNT + 1),
        states=_table(dying.states, np.int32, sheet.Fallen.width),
        deaths=_table(dying.deaths, np.int32, questions.die),
        struck=_table(dying.struck, np.int32, 2),
        drops=_table(dying.drops, np.int32, 2),
        massive_cells=_table(
            [falls[combatant.id].massive_cell for combatant in questions.combatants], np.int16, sheet.Cell.width
        ),
        conditions=_table(conditions.rows, np.int16, sheet.ConditionRow.width),
        holder_changes=np.array(conditions.holder_changes(), np.int16).reshape(
            condition_count, -1, sheet.ChangeRow.width
        ),
        target_changes=np.array(conditions.target_changes(), np.int16).reshape(
            condition_count, -1, sheet.ChangeRow.width
        ),
        immune=_table(conditions.immune(), np.int8, condition_count),
        inflictions=_table(conditions.inflictions, np.int32, sheet.Infliction.width),
        ending_cells=np.array(conditions.endings, np.int16).reshape(-1, count, sheet.Cell.width),
        rounds_away=_table(moves_away(questions), np.int8, count),
        world=_table(surroundings.world, np.int32, sheet.World.width),
        world_reach=_table(surroundings.reach, np.int8, count),
        pools=_table(surroundings.pools, np.int32, sheet.Pool.width),
        waves=_table(surroundings.waves, np.int32, sheet.WaveRow.width),
        watched=np.array(surroundings.watched, np.int32),
        turn=order.turn,
        round=clock_of(encounter).round,
    )
    legend = Legend(
        combatants=tuple(combatant.id for combatant in questions.combatants),
        labels=tuple(combatant.label for combatant in questions.combatants),
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
    combatant: Combatant,
    waiting: Mapping[str, tuple[str, ...]],
    surprise: Mapping[str, int],
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
    row.surprised = surprise.get(combatant.id, 0)
    row.party = int(bool(combatant.player))
    return row


def _table(rows: Sequence[Iterable[int]], kind: DTypeLike, columns: int) -> NDArray[Any]:
    return np.array([list(row) for row in rows], kind).reshape(len(rows), columns)


def _note_bystanders(encounter: Encounter, notes: Notes) -> None:
    for combatant in encounter.all(Combatant):
        if combatant.bystander:
            notes.left_out("combatants", combatant.id, "", "bystander")


def _note_assumptions(questions: Questions, notes: Notes) -> None:
    """Note the assumptions that affect the whole fight."""
    if questions.assumes_die:
        notes.assumed("scene", "", "", "check_die", die=f"1d{questions.die}")
    if questions.rules.data.attack.said:
        notes.assumed("scene", "", "", "hits")
    notes.assumed("scene", "", "", "no_places")
    if is_surprise_open(questions):
        by_hand = questions.rules.data.surprise.sides
        notes.assumed("scene", "", "", "nobody_surprised" if by_hand else "surprised_apart")
