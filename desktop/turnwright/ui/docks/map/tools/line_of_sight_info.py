"""An attacker's line of sight to a target on the map: cover with its causes, flanking, distance, visibility."""

import re

import msgspec

from turnwright.battlemap.sight import LineBlocker, between_points, cover
from turnwright.battlemap.sight import MapPoint as Spot
from turnwright.battlemap.spaces import opposite_sides
from turnwright.encounter.prepared import Feature, Map, Point, StraightLine
from turnwright.encounter.running import Combatant
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import creature_of
from turnwright.ui.docks.map.drawing.drawing import obstacle_at
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel


class Sightline(msgspec.Struct, frozen=True):
    """The line of sight from an attacker to a target.

    `lines` start at the attacker's best corner: (x, y, x, y, blocked), in squares. `reasons` are the causes of the
    cover as text, `sources` list them with their rules, and `cover_squares` are their squares. `walls` are the barriers
    and doors that block lines. `partner` is the other flanking ally. `sees` is None if the game master decides.
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
    sources: tuple[sight.ProvidedCover, ...] = ()


class AttackRange(msgspec.Struct, frozen=True):
    """An attack of a stat block with its `normal` and `long` range in feet."""

    name: str
    normal: int
    long: int


def sightline(document: DocumentModel, attacker: str, target: str) -> Sightline:
    """Return the line of sight from an attacker to a target."""
    lookup, rules = document.encounter, document.rules
    sources = sight.cover_sources(lookup, rules, attacker, target)
    flanked = bool(sight.flanks(lookup, rules, attacker, target))
    lines, blockers = _lines(document, attacker, target)
    shields = tuple(dict.fromkeys(blocker.square for blocker in blockers if blocker.segment < 0))
    walls, names = named_walls(document, blockers)
    return Sightline(
        grade=sight.cover_of(lookup, rules, attacker, target),
        distance=geometry.distance_on_floor(lookup, rules, attacker, target),
        height=geometry.height_above(lookup, attacker, target),
        sees=sight.sees(lookup, rules, attacker, target),
        reasons=(*_reasons(document, [source.reason for source in sources], shields, target), *names),
        lines=lines,
        cover_squares=shields,
        walls=walls,
        flanked=flanked,
        partner=_partner(document, attacker, target) if flanked else "",
        sources=sources,
    )


def attack_ranges(document: DocumentModel, who: str) -> list[AttackRange]:
    """Return a combatant's attacks that have a reach or a range."""
    if (combatant := document.encounter.get(Combatant, who)) is None:
        return []
    creature = creature_of(document.encounter, combatant)
    ranges = [attack_range for feature in creature.features if (attack_range := _means(feature)) is not None]
    return ranges or [AttackRange("", creature.reach, creature.reach)]


def _reasons(document: DocumentModel, reasons: list[str], shields: tuple[Point, ...], other: str) -> tuple[str, ...]:
    """Return the causes of the cover. Obstacles and creatures on the map are named."""
    field = document.encounter.get(Map, Map.table) or Map()
    named = [
        obstacle.name for square in shields if (obstacle := obstacle_at(field, square)) is not None and obstacle.name
    ]
    named += [
        combatant.label
        for combatant in document.encounter.all(Combatant)
        if combatant.position in shields and combatant.id != other and not combatant.dead
    ]
    grades = {tr(f"ui.map.cover-{grade}").casefold() for grade in ("half", "three-quarters", "total")}
    spoken = [document.phrasebook.expand_keys(reason) for reason in reasons]
    return tuple(dict.fromkeys([*named, *(words for words in spoken if words.casefold() not in grades)]))


def _means(feature: Feature) -> AttackRange | None:
    if numbers := [int(part) for part in re.findall(r"[0-9]+", feature.range)]:
        return AttackRange(feature.name, numbers[0], numbers[-1])
    return AttackRange(feature.name, feature.reach, feature.reach) if feature.reach else None


def _partner(document: DocumentModel, attacker: str, target: str) -> str:
    """Return the label of an ally on the opposite side of the target, or an empty string if there is none."""
    lookup, rules = document.encounter, document.rules
    field = lookup.get(Map, Map.table) or Map()
    attacker_space, target_space = geometry.space(lookup, rules, attacker), geometry.space(lookup, rules, target)
    side = lookup.need(Combatant, attacker).side
    for ally in lookup.all(Combatant):
        ally_space = geometry.space(lookup, rules, ally.id)
        threatens = ally.side == side and ally.id != attacker and geometry.in_reach(lookup, rules, ally.id, target)
        if not (threatens and attacker_space and ally_space and target_space):
            continue
        if opposite_sides(attacker_space, ally_space, target_space, cell=field.cell):
            return ally.label
    return ""


def _lines(
    document: DocumentModel, attacker: str, target: str
) -> tuple[tuple[tuple[float, float, float, float, bool], ...], tuple[LineBlocker, ...]]:
    """Return the four lines from the best corner to a square of the target, and the obstructions that provide cover."""
    lookup, rules = document.encounter, document.rules
    grid = geometry.map_grid(lookup)
    attacker_space, target_space = geometry.space(lookup, rules, attacker), geometry.space(lookup, rules, target)
    if grid is None or attacker_space is None or target_space is None:
        return (), ()
    others = [geometry.space(lookup, rules, combatant.id) for combatant in lookup.all(Combatant) if not combatant.dead]
    try:
        best = cover(grid, attacker_space, target_space, creatures=[space for space in others if space is not None])
    except ValueError:  # a combatant is outside the map
        return (), ()
    corner = Spot(best.corner[0], best.corner[1], attacker_space.middle)
    lines = []
    for across, down in ((0, 0), (1, 0), (1, 1), (0, 1)):
        end = Spot(best.square[0] + across, best.square[1] + down, target_space.middle)
        stopped = not between_points(grid, grid.effect, corner, end).clear
        lines.append((float(corner.x), float(corner.y), float(end.x), float(end.y), stopped))
    return tuple(lines), (*best.obstacles, *(LineBlocker(square, "square") for square in best.creatures))


def named_walls(
    document: DocumentModel, blockers: tuple[LineBlocker, ...]
) -> tuple[tuple[StraightLine, ...], tuple[str, ...]]:
    """Return the segments and names of the barriers and doors among the blockers."""
    grid, field = geometry.map_grid(document.encounter), document.encounter.get(Map, Map.table)
    segments = [blocker.segment for blocker in blockers if blocker.segment >= 0]
    if grid is None or field is None or not segments:
        return (), ()
    names: dict[str, None] = {}
    for segment in segments:
        owner = grid.free.owners[segment]
        name = field.doors[owner.number - len(field.barriers)].name if owner.part == "door" else ""
        names[name or tr(f"ui.map.{owner.part}")] = None
    return tuple(grid.free.line(segment) for segment in segments), tuple(names)
