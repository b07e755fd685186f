"""How an attacker stands to a target on the map: cover with its causes, flanking, distance, sight."""

from __future__ import annotations

import re

import msgspec

from turnwright.battlemap.cover import cover
from turnwright.battlemap.positions import opposite_sides
from turnwright.battlemap.sight import LineBlocker, between_points
from turnwright.battlemap.sight import MapPoint as Spot
from turnwright.encounter.prepared import Feature, Map, Point, StraightLine
from turnwright.encounter.running import Combatant
from turnwright.rules.parts import positions
from turnwright.rules.parts.positions import ProvidedCover
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.rules.system import creature_of
from turnwright.ui.docks.map.drawing import obstacle_at
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr


class Sightline(msgspec.Struct, frozen=True):
    """The line of sight from an attacker to a target.

    `lines` run in squares (x, y, x, y, blocked) from the best corner. `reasons` name the causes of the cover, `cover_squares` are their squares, `walls` the barriers and doors that stop lines, `sources` the rules. `partner` is the
    ally who flanks as well. `sees` is None where the game master decides.
    """

    grade: str
    distance: int | None
    height: int | None
    sees: bool | None
    reasons: tuple[str, ...] = ()
    lines: tuple[tuple[float, float, float, float, bool], ...] = ()
    cover_squares: tuple[Point, ...] = ()
    walls: tuple[StraightLine, ...] = ()
    flanked: bool = False
    partner: str = ""
    sources: tuple[ProvidedCover, ...] = ()


class AttackRange(msgspec.Struct, frozen=True):
    """An attack of a stat block with its range in feet: `normal` and `long` range."""

    name: str
    normal: int
    long: int


def sightline(document: DocumentModel, attacker: str, target: str) -> Sightline:
    """Return the line of sight from an attacker to a target."""
    lookup, rules = document.encounter, document.rules
    found = positions.cover_sources(lookup, rules, attacker, target)
    flanked = bool(positions.flanks(lookup, rules, attacker, target))
    lines, blockers = _lines(document, attacker, target)
    shields = tuple(dict.fromkeys(blocker.square for blocker in blockers if blocker.segment < 0))
    walls, names = named_walls(document, blockers)
    return Sightline(
        grade=positions.cover_of(lookup, rules, attacker, target),
        distance=positions.distance(lookup, rules, attacker, target),
        height=positions.height_above(lookup, attacker, target),
        sees=positions.sees(lookup, rules, attacker, target),
        reasons=(*_reasons(document, [each.reason for each in found], shields, target), *names),
        lines=lines,
        cover_squares=shields,
        walls=walls,
        flanked=flanked,
        partner=_partner(document, attacker, target) if flanked else "",
        sources=found,
    )


def attack_ranges(document: DocumentModel, who: str) -> list[AttackRange]:
    """Return a combatant's attacks with a reach or a range."""
    combatant = document.encounter.get(Combatant, who)
    if combatant is None:
        return []
    creature = creature_of(document.encounter, combatant)
    found = [means for feature in creature.features if (means := _means(feature)) is not None]
    return found or [AttackRange("", creature.reach, creature.reach)]


def _reasons(document: DocumentModel, reasons: list[str], shields: tuple[Point, ...], other: str) -> tuple[str, ...]:
    """Return the causes of the cover, by name where obstacles or creatures on the map give it."""
    field = document.encounter.get(Map, Map.table) or Map()
    named = [found.name for square in shields if (found := obstacle_at(field, square)) is not None and found.name]
    named += [
        each.label
        for each in document.encounter.all(Combatant)
        if each.position in shields and each.id != other and not each.dead
    ]
    grades = {tr(f"ui.map.cover-{grade}").casefold() for grade in ("half", "three-quarters", "total")}
    spoken = [document.phrasebook.expand_keys(reason) for reason in reasons]
    return tuple(dict.fromkeys([*named, *(words for words in spoken if words.casefold() not in grades)]))


def _means(feature: Feature) -> AttackRange | None:
    figures = [int(part) for part in re.findall(r"[0-9]+", feature.range)]
    if figures:
        return AttackRange(feature.name, figures[0], figures[-1])
    if feature.reach:
        return AttackRange(feature.name, feature.reach, feature.reach)
    return None


def _partner(document: DocumentModel, one: str, other: str) -> str:
    """Return the label of an ally who stands opposite across the target, empty for none."""
    lookup, rules = document.encounter, document.rules
    field = lookup.get(Map, Map.table) or Map()
    here, target = positions.space(lookup, rules, one), positions.space(lookup, rules, other)
    side = lookup.need(Combatant, one).side
    for ally in lookup.all(Combatant):
        there = positions.space(lookup, rules, ally.id)
        beside = ally.side == side and ally.id != one and positions.in_reach(lookup, rules, ally.id, other)
        if beside and here and there and target and opposite_sides(here, there, target, cell=field.cell):
            return ally.label
    return ""


def _lines(
    document: DocumentModel, one: str, other: str
) -> tuple[tuple[tuple[float, float, float, float, bool], ...], tuple[LineBlocker, ...]]:
    """Return the four lines from the best corner to a square of the target, and what gives cover."""
    lookup, rules = document.encounter, document.rules
    grid = map_grid(lookup)
    here, there = positions.space(lookup, rules, one), positions.space(lookup, rules, other)
    if grid is None or here is None or there is None:
        return (), ()
    others = [positions.space(lookup, rules, each.id) for each in lookup.all(Combatant) if not each.dead]
    try:
        found = cover(grid, here, there, creatures=[each for each in others if each is not None])
    except ValueError:  # a combatant stands beyond the map's edge
        return (), ()
    corner = Spot(found.corner[0], found.corner[1], here.middle)
    lines = []
    for across, down in ((0, 0), (1, 0), (1, 1), (0, 1)):
        end = Spot(found.square[0] + across, found.square[1] + down, there.middle)
        stopped = not between_points(grid, grid.effect, corner, end).clear
        lines.append((float(corner.x), float(corner.y), float(end.x), float(end.y), stopped))
    return tuple(lines), (*found.obstacles, *(LineBlocker(square, "square") for square in found.creatures))


def named_walls(
    document: DocumentModel, blockers: tuple[LineBlocker, ...]
) -> tuple[tuple[StraightLine, ...], tuple[str, ...]]:
    """Return the segments of barriers and doors among blockers, and their names."""
    grid, field = map_grid(document.encounter), document.encounter.get(Map, Map.table)
    segments = [blocker.segment for blocker in blockers if blocker.segment >= 0]
    if grid is None or field is None or not segments:
        return (), ()
    names: dict[str, None] = {}
    for segment in segments:
        owner = grid.free.owners[segment]
        name = field.doors[owner.number - len(field.barriers)].name if owner.part == "door" else ""
        names[name or tr(f"ui.map.{owner.part}")] = None
    return tuple(grid.free.line(segment) for segment in segments), tuple(names)
