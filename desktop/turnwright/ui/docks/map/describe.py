"""Descriptions of the map for the status text and screen readers. Squares are named by a letter and a number."""

from __future__ import annotations

from turnwright.battlemap.square_sets import square_name
from turnwright.encounter.prepared import Environment, Map, Point
from turnwright.encounter.running import Combatant
from turnwright.ui.docks.map.drawing.drawing import feet_at, mark_at, obstacle_at, squares_of
from turnwright.ui.docks.map.drawing.tokens import Token
from turnwright.ui.docks.map.tools.drag_preview import DragPreview
from turnwright.ui.docks.map.tools.line_of_sight_info import Sightline
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel

GROUNDS = {",": "difficult", "#": "wall", "~": "water", "^": "climb"}
SHADES = {":": "dim", "#": "dark"}
LIGHTS = {":": "lightly", "%": "heavily"}


def describe_map(field: Map) -> str:
    """Return the size of the map."""
    return tr("ui.map.size", columns=field.columns, rows=field.rows, feet=field.cell)


def describe_token(document: DocumentModel, token: Token) -> str:
    """Return a token's name, square, elevation and state."""
    parts = [token.label, square_name(token.square) if token.square is not None else tr("ui.map.off")]
    if token.elevation:
        parts.append(height_text(token.elevation))
    combatant = document.encounter.get(Combatant, token.key[1]) if token.key[0] == Combatant.table else None
    if combatant is not None:
        parts.append(tr("ui.hp.points", now=combatant.hp, maximum=combatant.hp_max))
    if token.look.state:
        parts.append(tr(f"ui.map.state-{token.look.state}"))
    if token.look.veil:
        parts.append(tr(f"ui.map.{token.look.veil}"))
    if token.active:
        parts.append(tr("ui.map.active"))
    return " · ".join(parts)


def describe_square(
    document: DocumentModel, field: Map, square: Point, token: Token | None = None, shade: str = " "
) -> str:
    """Describe a square: name, terrain, light, obstacle, areas and token. `shade` is the character of its darkness."""
    parts = [square_name(square)]
    ground = GROUNDS.get(mark_at(field, "ground", square))
    if ground:
        parts.append(tr(f"ui.map.ground-{ground}"))
    feet = feet_at(field, square)
    if feet:
        parts.append(height_text(feet))
    if shade in SHADES:
        parts.append(tr(f"ui.map.shade-{SHADES[shade]}"))
    light = LIGHTS.get(mark_at(field, "light", square))
    if light:
        parts.append(tr(f"ui.map.light-{light}"))
    obstacle = obstacle_at(field, square)
    if obstacle is not None:
        cover = tr(f"ui.map.cover-{obstacle.cover or 'none'}")
        parts.append(", ".join(part for part in (obstacle.name or tr("ui.map.obstacle"), cover) if part))
    parts += [area_name(document, area.environment, area.feature) for area in field.areas if square in squares_of(area)]
    if token is not None:
        parts.append(token.label)
    return " · ".join(parts)


def area_name(document: DocumentModel, environment: str, feature: str) -> str:
    """Return the name of an area, which is the name of its feature, its environment or its terrain."""
    place = document.encounter.get(Environment, environment) if environment else None
    if place is None:
        kind = next((terrain.name for terrain in document.rules.data.terrains if terrain.id == feature), "")
        return kind or feature.replace("-", " ") or environment
    rows = (*place.features, *place.actions)
    return next((row.name for row in rows if row.id == feature), "") or place.name


def describe_drag(document: DocumentModel, drag: DragPreview) -> str:
    """Return a dragged token's destination, cost and opportunity attacks, or the reason why it can't move there."""
    route = drag.route
    parts = [drag.token.label, square_name(drag.square) if drag.square is not None else ""]
    if route.feet is not None and not route.refusal:
        parts.append(tr("ui.map.costs", feet=route.feet, left=route.feet_left if route.feet_left is not None else 0))
    if drag.mode != "walk":
        parts.append(document.phrasebook.expand_keys(f"<speed.{drag.mode}>"))
    if drag.elevation is not None:
        parts.append(height_text(drag.elevation))
    if route.refusal:
        parts.append(route.refusal)
    if route.provokes:
        parts.append(tr("ui.map.provokes", who=", ".join(dict.fromkeys(who for _, who in route.provokes))))
    return " · ".join(part for part in parts if part)


def describe_sightline(attacker: Token, target: Token, line: Sightline, attack: str, stretch: str = "") -> str:
    """Describe an attack: attacker and target, distance, height, cover with its causes, flanking, visibility.

    `stretch` is the word key for long range or out of range.
    """
    parts = [tr("ui.map.aims", one=attacker.label, other=target.label)]
    if attack:
        parts.append(attack)
    if line.distance is not None:
        parts.append(tr("ui.map.feet", n=line.distance))
    if stretch:
        parts.append(tr(stretch))
    if line.height:
        parts.append(tr("ui.map.above" if line.height > 0 else "ui.map.below", n=abs(line.height)))
    why = f" ({', '.join(line.reasons)})" if line.reasons else ""
    parts.append(tr(f"ui.map.cover-{line.grade or 'none'}") + why)
    if line.flanked:
        key = "ui.map.flanks-with" if line.partner else "ui.map.flanks"
        parts.append(tr(key, who=line.partner))
    if line.sees is not True:
        parts.append(tr("ui.map.unseen" if line.sees is False else "ui.map.sight-unknown"))
    return " · ".join(parts)


def height_text(feet: int) -> str:
    """Return a height as text."""
    return tr("ui.map.up" if feet > 0 else "ui.map.down", n=abs(feet))
