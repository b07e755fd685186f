"""What is said of the map: under it, and to ears. Squares are named as people name them: a letter and a number."""

from __future__ import annotations

from turnwright.encounter.prepared import Environment, Map, Point
from turnwright.encounter.running import Combatant
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.map.carrying import Carry
from turnwright.ui.docks.map.drawing import feet_at, mark_at, obstacle_at, square_name, squares_of
from turnwright.ui.docks.map.sightlines import Sightline
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.say import say

GROUNDS = {",": "difficult", "#": "wall", "~": "water", "^": "climb"}
LIGHTS = {":": "lightly", "%": "heavily"}


def of_map(field: Map) -> str:
    """Return how large the map is."""
    return say("ui.map.size", columns=field.columns, rows=field.rows, feet=field.cell)


def of_token(bridge: Bridge, token: Token, at: Point | None = None) -> str:
    """Return who somebody is, where, how high, and in what state."""
    square = at or token.at
    parts = [token.label, square_name(square) if square is not None else say("ui.map.off")]
    if token.elevation:
        parts.append(height_words(token.elevation))
    combatant = bridge.encounter.get(Combatant, token.key[1]) if token.key[0] == Combatant.table else None
    if combatant is not None:
        parts.append(say("ui.hp.points", now=combatant.hp, maximum=combatant.hp_max))
    if token.look.state:
        parts.append(say(f"ui.map.state-{token.look.state}"))
    if token.look.veil:
        parts.append(say(f"ui.map.{token.look.veil}"))
    if token.active:
        parts.append(say("ui.map.active"))
    return " · ".join(parts)


def of_square(bridge: Bridge, field: Map, square: Point, token: Token | None = None) -> str:
    """Return a square by its name with what is there."""
    parts = [square_name(square)]
    ground = GROUNDS.get(mark_at(field, "ground", square))
    if ground:
        parts.append(say(f"ui.map.ground-{ground}"))
    feet = feet_at(field, square)
    if feet:
        parts.append(height_words(feet))
    light = LIGHTS.get(mark_at(field, "light", square))
    if light:
        parts.append(say(f"ui.map.light-{light}"))
    obstacle = obstacle_at(field, square)
    if obstacle is not None:
        cover = say(f"ui.map.cover-{obstacle.cover or 'none'}")
        parts.append(", ".join(part for part in (obstacle.name or say("ui.map.obstacle"), cover) if part))
    parts += [name_of_area(bridge, one.environment, one.feature) for one in field.areas if square in squares_of(one)]
    if token is not None:
        parts.append(token.label)
    return " · ".join(parts)


def name_of_area(bridge: Bridge, environment: str, feature: str) -> str:
    """Return what an area is called: the feature's name, else the place's, else its own word."""
    place = bridge.encounter.get(Environment, environment) if environment else None
    if place is None:
        kind = next((one.name for one in bridge.rules.catalogue.terrains if one.id == feature), "")
        return kind or feature.replace("-", " ") or environment
    rows = (*place.features, *place.actions)
    return next((row.name for row in rows if row.id == feature), "") or place.name


def of_carry(bridge: Bridge, carry: Carry) -> str:
    """Return where somebody would come to, what it costs, what it provokes, or why it can't be done."""
    way = carry.way
    parts = [carry.token.label, square_name(carry.at) if carry.at is not None else ""]
    if way.feet is not None and not way.refused:
        parts.append(say("ui.map.costs", feet=way.feet, left=way.left if way.left is not None else 0))
    if carry.mode != "walk":
        parts.append(bridge.speech.name(f"<speed.{carry.mode}>"))
    if carry.elevation is not None:
        parts.append(height_words(carry.elevation))
    if way.refused:
        parts.append(way.refused)
    if way.provokes:
        parts.append(say("ui.map.provokes", who=", ".join(dict.fromkeys(who for _, who in way.provokes))))
    return " · ".join(part for part in parts if part)


def of_sightline(one: Token, other: Token, line: Sightline, means: str, stretch: str = "") -> str:
    """Return how one stands to another: distance, height, cover and what gives it, flanking, sight.

    `stretch` is the word key of a distance that is too long, or long, for the attack.
    """
    parts = [say("ui.map.aims", one=one.label, other=other.label)]
    if means:
        parts.append(means)
    if line.distance is not None:
        parts.append(say("ui.map.feet", n=line.distance))
    if stretch:
        parts.append(say(stretch))
    if line.height:
        parts.append(say("ui.map.above" if line.height > 0 else "ui.map.below", n=abs(line.height)))
    why = f" ({', '.join(line.reasons)})" if line.reasons else ""
    parts.append(say(f"ui.map.cover-{line.grade or 'none'}") + why)
    if line.flanked:
        key = "ui.map.flanks-with" if line.partner else "ui.map.flanks"
        parts.append(say(key, who=line.partner))
    if line.sees is not True:
        parts.append(say("ui.map.unseen" if line.sees is False else "ui.map.perhaps-seen"))
    return " · ".join(parts)


def height_words(feet: int) -> str:
    """Return a height in words."""
    return say("ui.map.up" if feet > 0 else "ui.map.down", n=abs(feet))
