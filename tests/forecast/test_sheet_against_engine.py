"""The fight sheet against the engine without chance: scripted dice give in a session what the sheet's tables say.

Every attack and every save of every shipped encounter is tried on each kind of target, at the highest and the lowest
face and at each face where the outcome changes. All dice of damage show 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec
import numpy as np
import pytest

from tests.automatic import suggested_answer
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.running import Combatant, Dice
from turnwright.encounter.state import Change, Encounter, key_of, scene_of
from turnwright.forecast import sheet
from turnwright.forecast.building.questions import Questions
from turnwright.forecast.sheet import Legend, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries.queries import open_prompts
from turnwright.play.session import Session
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.rules.parts.actions.action_options import feature_of
from turnwright.rules.parts.checks.ability_checks import LADDER, armor_class, is_success
from turnwright.rules.system import RuleSystem
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
ONES = (1,) * 60
OUTCOMES = {"hit": sheet.HIT, "critical": sheet.CRITICAL}
MOST_ANSWERS = 8


def without_places(encounter: Encounter, rules: RuleSystem) -> Encounter:
    """The encounter as the sheet asks about it: nobody has a place, and nobody falls while it is tried."""
    placeless = Questions(encounter, rules).placeless
    scene = scene_of(placeless)
    changes = [Change(key_of(scene), scene, msgspec.structs.replace(scene, strictness="off"))]
    changes += [
        Change(key_of(one), one, msgspec.structs.replace(one, hp=5000, hp_max=5000, hidden=False))
        for one in placeless.all(Combatant)
    ]
    return placeless.with_changes(changes)


@lru_cache
def built(name: str) -> tuple[Encounter, RuleSystem, Sheet, Legend]:
    loaded = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert loaded is not None
    rules = SYSTEMS.get(scene_of(loaded).system)
    begun = begun_copy(loaded, rules)
    encounter = without_places(begun.encounter, rules)
    return encounter, rules, *build_sheet(encounter, rules, begun.waiting)


def events_of(encounter: Encounter, rules: RuleSystem, command: Command, faces: tuple[int, ...]) -> list[Event]:
    """What happens when a command is carried out with scripted dice, every other question answered as suggested."""
    dice = encounter.need(Dice, "dice")
    scripted = msgspec.structs.replace(dice, mode="script", script=(*faces, *ONES))
    session = Session(encounter.with_changes([Change(key_of(dice), dice, scripted)]), rules)
    step = session.do(command, override=True)
    found = list(step.events) if step else []
    for _ in range(MOST_ANSWERS):
        waiting = open_prompts(session.encounter)
        if not waiting:
            break
        step = session.do(suggested_answer(waiting[0]), override=True)
        found += step.events if step else []
    return found


def faces_that_matter(row: np.ndarray) -> Iterator[int]:
    """The lowest face, the highest, and those on both sides of each change."""
    changes = {place + side for place in np.flatnonzero(np.diff(row)) for side in (1, 2)}
    return iter(sorted({1, len(row), *(int(face) for face in changes)}))


def rows_to_try(built_sheet: Sheet, legend: Legend, kind: int) -> Iterator[tuple[int, list[int]]]:
    """The sources of a kind that combatants use, one of those that are alike, with one target of each kind."""
    seen = set()
    for number, source in enumerate(built_sheet.sources):
        owner, feature = legend.sources[number]
        if source[sheet.Source.kind] != kind or owner not in legend.combatants:
            continue
        if number in built_sheet.sources[:, sheet.Source.next]:
            continue  # the save that follows a hit is tried with it
        cells = built_sheet.cells[number]
        alike = (feature, cells.tobytes())
        if alike in seen:
            continue
        seen.add(alike)
        mine = legend.combatants.index(owner)
        targets = {
            (tuple(cells[target]), tuple(built_sheet.taken_rows[0, target])): target
            for target in range(len(legend.combatants))
            if built_sheet.combatants[target, sheet.FighterRow.side]
            != built_sheet.combatants[mine, sheet.FighterRow.side]
        }
        yield number, [*targets.values()]


def least_damage(built_sheet: Sheet, number: int, target: int, *, critical: bool, halves: int = 2) -> int:
    """What a target loses when every die of damage shows 1; absorbed damage takes nothing."""
    at, count = (
        (sheet.Source.critical_parts, sheet.Source.critical_count)
        if critical
        else (sheet.Source.parts, sheet.Source.part_count)
    )
    source, lost = built_sheet.sources[number], 0
    for part in built_sheet.parts[source[at] : source[at] + source[count]] if source[at] >= 0 else ():
        amount = int(part[sheet.Part.least]) * halves // 2 or min(built_sheet.least_damage, int(part[sheet.Part.least]))
        row = built_sheet.taken_rows[0, target, part[sheet.Part.type]]
        lost += max(0, int(built_sheet.taken[row, amount]))
    return lost


def damage_of_hit(built_sheet: Sheet, number: int, target: int, outcome: int) -> int:
    """What a hit takes with the save that follows it, whose die shows 1 too."""
    critical, source = outcome == sheet.CRITICAL, built_sheet.sources[number]
    due = least_damage(built_sheet, number, target, critical=critical)
    following = source[sheet.Source.next]
    if following < 0:
        return due
    cell = built_sheet.cells[following, target]
    certain = cell[sheet.Cell.certain] == sheet.CERTAIN_FAILURE
    degree = sheet.FAILURE if certain else built_sheet.degrees[cell[sheet.Cell.margin] + sheet.MARGIN, 0]
    halves = int(built_sheet.shares[following, target, degree])
    more = least_damage(built_sheet, following, target, critical=critical, halves=halves)
    return due + (more if halves else 0)


def damage_by(happened: list[Event], who: str, source: str) -> int:
    return sum(
        one.taken for one in happened if isinstance(one, DamageTaken) and (one.target, one.source) == (who, source)
    )


def name_of(encounter: Encounter, owner: str, feature: str) -> str:
    found = feature_of(encounter, owner, feature)
    assert found is not None
    return found.name


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", sorted(FILES))
def test_attacks_come_out_as_the_tables_say(name: str):
    encounter, rules, built_sheet, legend = built(name)
    tried = 0
    for number, targets in rows_to_try(built_sheet, legend, sheet.ATTACK):
        owner, feature = legend.sources[number]
        source = built_sheet.sources[number]
        for target in targets:
            cell = built_sheet.cells[number, target]
            row = built_sheet.outcomes[source[sheet.Source.table] + cell[sheet.Cell.margin] + sheet.MARGIN]
            for face in faces_that_matter(row):
                dice = (face,) * (1 + abs(int(cell[sheet.Cell.edge])))
                command = Attack(owner, legend.combatants[target], feature, purpose="free")
                happened = events_of(encounter, rules, command, dice)
                attacked = next(one for one in happened if isinstance(one, Attacked))
                if rules.data.attack.asks_outcome:
                    total = attacked.roll.total if attacked.roll else None
                    assert total == face + cell[sheet.Cell.margin] + armor_class_of(encounter, legend, target)
                    tried += 1
                    continue
                expected = int(row[face - 1])
                certain = int(cell[sheet.Cell.certain])
                if expected == sheet.HIT and (certain == sheet.CERTAIN_CRITICAL or (certain < 0 and face >= -certain)):
                    expected = sheet.CRITICAL
                where = (owner, feature, legend.combatants[target], face)
                assert OUTCOMES.get(attacked.outcome, sheet.MISS) == expected, where
                due = damage_of_hit(built_sheet, number, target, expected) if expected != sheet.MISS else 0
                assert damage_by(happened, legend.combatants[target], name_of(encounter, owner, feature)) == due, where
                tried += 1
    assert tried > 20


def armor_class_of(encounter: Encounter, legend: Legend, target: int) -> int:
    rules = SYSTEMS.get(scene_of(encounter).system)
    return armor_class(encounter, rules, legend.combatants[target]).total


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(FILES))
def test_saves_come_out_as_the_tables_say(name: str):
    encounter, rules, built_sheet, legend = built(name)
    tried = 0
    for number, targets in rows_to_try(built_sheet, legend, sheet.SAVE):
        owner, feature = legend.sources[number]
        for target in targets:
            cell = built_sheet.cells[number, target]
            row = built_sheet.degrees[cell[sheet.Cell.margin] + sheet.MARGIN]
            for face in faces_that_matter(row):
                dice = (face,) * (1 + abs(int(cell[sheet.Cell.edge])))
                who = legend.combatants[target]
                command = UseFeature(owner, feature, targets=(who,), purpose="free")
                happened = events_of(encounter, rules, command, dice)
                saved = next(one for one in happened if isinstance(one, Rolled) and one.who == who)
                expected = sheet.FAILURE if cell[sheet.Cell.certain] == sheet.CERTAIN_FAILURE else int(row[face - 1])
                where = (owner, feature, who, face)
                assert saved.passed == is_success(LADDER[expected]), where
                assert not saved.degree or saved.degree == LADDER[expected], where
                halves = int(built_sheet.shares[number, target, expected])
                due = least_damage(built_sheet, number, target, critical=False, halves=halves)
                lost = damage_by(happened, who, name_of(encounter, owner, feature))
                assert lost == (due if halves else 0), where
                tried += 1
    assert tried or not any(built_sheet.sources[:, sheet.Source.kind] == sheet.SAVE)
