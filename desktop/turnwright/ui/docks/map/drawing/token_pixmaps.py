"""The tokens on the map as plain data, and their pixmaps, each painted once per size and theme and then copied.

Tokens come from the roster before the fight, and from the combatants during it. Squares are (column, row). `size` is in
squares, and `scale` is below 1 for creatures so small that several fit in a square. Sides differ in shape as well as in
colour. Hit points are a ring and, when low, a badge. Hidden and invisible tokens have a broken outline. A pixmap is
larger than its space, to make room for badges and the name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from math import cos, pi, sin
from typing import Final, NamedTuple

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QImage, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.prepared import Creature, Map, Place, Point, RosterEntry
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Encounter, Key, NameCounts, clock_of, member_labels, monograms, name_counts
from turnwright.play.queries.queries import active_combatants, hit_point_state
from turnwright.rules.parts.positions.geometry import effective_side
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.roles import ConditionRole
from turnwright.ui.docks.map.drawing.terrain_patterns import pixel_font
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import Theme, role_font, scaled
from turnwright.ui.look.window_data import window_data
from turnwright.ui.models.row_list_model import side_order
from turnwright.ui.models.turn_order import STATE_ICONS
from turnwright.ui.widgets.paint import smoothly

SHAPES = ("circle", "square", "diamond", "hexagon")
TONES = ("accent", "harm", "world", "warn")
OWN_SHAPE = {"party": 0, "enemies": 1}
VEILS: Final[tuple[ConditionRole, ...]] = ("hidden", "invisible")
HIDDEN = VEILS[0]


class TokenLook(msgspec.Struct, frozen=True):
    """The look of a token's pixmap. `share` is the share of hit points left (0 to 1), or None for roster entries.

    `ring` is the colour of the miniature's ring, and `portrait` the picture file. `state` is `""`, `bloodied`, `down`
    or `dead`; `veil` is `""`, `hidden` or `invisible`.
    """

    label: str = ""
    short: str = ""
    shape: str = ""
    tone: str = ""
    share: float | None = None
    state: str = ""
    veil: str = ""
    elevation: int = 0
    linked: bool = False
    ring: str = ""
    portrait: str = ""


class Token(msgspec.Struct, frozen=True):
    """One creature on the map, or unplaced if `square` is None. `member` is its index in its roster entry.

    `key` is its record. `offset` (in squares) and `scale` adjust its pixmap if several tokens share the space.
    """

    key: Key
    label: str
    side: str
    square: Point | None
    size: int
    look: TokenLook
    member: int = 0
    elevation: int = 0
    active: bool = False
    rides: str = ""
    offset: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0

    @property
    def id(self) -> str:
        """The unique id of the token."""
        return f"{self.key[0]}.{self.key[1]}.{self.member}"

    @property
    def squares(self) -> frozenset[Point]:
        """The squares that the token occupies."""
        if self.square is None:
            return frozenset()
        left, top = self.square
        return frozenset(product(range(left, left + self.size), range(top, top + self.size)))


class TokenSet(msgspec.Struct, frozen=True):
    """All tokens, on the map and unplaced."""

    tokens: tuple[Token, ...] = ()

    def placed(self) -> Iterator[Token]:
        """Yield the tokens on the map."""
        return (token for token in self.tokens if token.square is not None)

    def unplaced(self) -> Iterator[Token]:
        """Yield the tokens without a square."""
        return (token for token in self.tokens if token.square is None)

    def for_record(self, key: Key | None) -> Token | None:
        """Return the token of a record (the first if there are several), or None."""
        return next((token for token in self.tokens if token.key == key), None)

    def with_id(self, id: str) -> Token | None:
        """Return the token with this id, or None."""
        return next((token for token in self.tokens if token.id == id), None)

    def at(self, square: Point) -> list[Token]:
        """Return the tokens on a square, the topmost first."""
        return [token for token in reversed(self.tokens) if square in token.squares]


def neighbour(tokens: Iterable[Token], id: str, by: int) -> Token | None:
    """Return the token after another one in reading order, or before it if `by` is -1. None if there are no tokens."""
    ordered = sorted(tokens, key=lambda token: token.square[::-1] if token.square else (0, 0))
    ids = [token.id for token in ordered]
    index = ids.index(id) if id in ids else -1 if by > 0 else 0
    return ordered[(index + by) % len(ordered)] if ordered else None


class _Facts(NamedTuple):
    """The ids of acting combatants and of mounts, and the hidden or invisible combatants."""

    acting: frozenset[str]
    ridden: frozenset[str]
    veils: Mapping[str, str]


def is_running(encounter: Encounter) -> bool:
    """Whether the fight has started, so that tokens are combatants instead of roster entries."""
    return clock_of(encounter).phase != "preparing"


def token_set_of(encounter: Encounter, rules: RuleSystem) -> TokenSet:
    """Return all tokens of an encounter in its current state."""
    field = encounter.get(Map, Map.table) or Map()
    if is_running(encounter):
        facts = _facts_of(encounter, rules)
        tokens = [_of_combatant(encounter, rules, field, combatant, facts) for combatant in encounter.all(Combatant)]
    else:
        counts, roster = name_counts(encounter), encounter.all(RosterEntry)
        tokens = [token for entry in roster for token in _of_entry(encounter, rules, field, entry, counts)]
    sides = side_order(token.side for token in tokens)
    signs = monograms(token.label for token in tokens)
    looks = [_sided(token, sides, short) for token, short in zip(tokens, signs, strict=True)]
    drawn = [msgspec.structs.replace(token, look=look) for token, look in zip(tokens, looks, strict=True)]
    return TokenSet(tuple(_spread(sorted(drawn, key=lambda token: -token.size))))


def _facts_of(encounter: Encounter, rules: RuleSystem) -> _Facts:
    veils = {rules.role(veil): veil for veil in VEILS}
    return _Facts(
        acting=frozenset(combatant.id for combatant in active_combatants(encounter)),
        ridden=frozenset(combatant.rides for combatant in encounter.all(Combatant) if combatant.rides),
        veils={effect.target: veils[effect.name] for effect in encounter.all(Effect) if effect.name in veils},
    )


def _of_combatant(encounter: Encounter, rules: RuleSystem, field: Map, combatant: Combatant, facts: _Facts) -> Token:
    state = hit_point_state(combatant)
    state = "" if state == "up" else state
    veil = facts.veils.get(combatant.id, HIDDEN if combatant.hidden else "")
    return Token(
        key=(Combatant.table, combatant.id),
        label=combatant.label,
        side=combatant.side,
        square=combatant.position,
        size=_across(effective_side(encounter, rules, combatant.id), field.cell),
        look=TokenLook(
            share=max(0.0, min(1.0, combatant.hp / combatant.hp_max)) if combatant.hp_max else 0.0,
            state=state,
            veil=veil,
            linked=combatant.id in facts.ridden or bool(combatant.rides),
            ring=combatant.ring,
            portrait=portrait_of(encounter, combatant),
        ),
        elevation=combatant.elevation,
        active=combatant.id in facts.acting,
        rides=combatant.rides,
        scale=_smallness(creature_of(encounter, combatant), rules, field.cell),
    )


def _of_entry(
    encounter: Encounter, rules: RuleSystem, field: Map, entry: RosterEntry, counts: NameCounts
) -> Iterator[Token]:
    creature = encounter.get(Creature, entry.creature) or Creature(id=entry.creature, name=entry.creature)
    space = creature.space or next((size.space for size in rules.data.sizes if size.id == creature.size), 5)
    labels = member_labels(encounter, entry, counts=counts)
    portrait = portrait_of(encounter, entry)
    for number, label in zip(range(1, entry.count + 1), labels, strict=False):
        yield Token(
            key=(RosterEntry.table, entry.id),
            label=label,
            side=entry.side,
            square=entry.square_of(number - 1),
            size=_across(space, field.cell),
            look=TokenLook(
                veil=HIDDEN if entry.hidden else "",
                linked=bool(entry.rides),
                ring=entry.rings[number - 1] if number <= len(entry.rings) else "",
                portrait=portrait,
            ),
            member=number - 1,
            elevation=entry.elevation,
            rides=entry.rides,
            scale=_smallness(creature, rules, field.cell),
        )


def _across(space: float, cell: int) -> int:
    return max(1, round(space / cell + 0.499))


def _smallness(creature: Creature, rules: RuleSystem, cell: int) -> float:
    space = creature.space or next((size.space for size in rules.data.sizes if size.id == creature.size), cell)
    return min(1.0, space / cell)


def _sided(token: Token, sides: list[str], short: str) -> TokenLook:
    """Return a token's look with its monogram and the shape and colour of its side. Up to four sides look different."""
    others = [side for side in sides if side not in OWN_SHAPE]
    if (place := OWN_SHAPE.get(token.side)) is None:
        place = 2 + others.index(token.side) % 2
    own = {"label": token.label, "elevation": token.elevation, "short": short}
    return msgspec.structs.replace(token.look, **own, shape=SHAPES[place], tone=TONES[place])


def _spread(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens. Tokens that share a square are shrunk and moved apart."""
    tokens = list(tokens)
    mounts = {other.key: other for other in tokens if other.square is not None}
    places: dict[tuple[Point | None, bool], list[Token]] = {}
    for token in tokens:
        places.setdefault((token.square, token.scale < 1), []).append(token)
    for token in tokens:
        together = places[token.square, token.scale < 1]
        if token.square is None:
            yield token
        elif token.rides and (token.key[0], token.rides) in mounts:
            yield _mounted(token, mounts[token.key[0], token.rides])
        elif token.scale < 1:
            yield _in_part(token, together)
        elif len(together) > 1 and all(other.size == token.size for other in together):
            aside = 0.26 * together.index(token) / (len(together) - 1) * token.size
            yield msgspec.structs.replace(token, scale=0.74, offset=(aside, aside))
        else:
            yield token


def _mounted(rider: Token, mount: Token) -> Token:
    """Return a rider, shrunk so that its mount stays visible. On the same square, it is at the mount's upper right."""
    scale = 0.62 * rider.scale
    aside = max(0.0, mount.size - scale * rider.size) if rider.square == mount.square else 0.0
    return msgspec.structs.replace(rider, scale=scale, offset=(aside, 0.0))


def _in_part(token: Token, together: list[Token]) -> Token:
    """Return a small token, shrunk and moved to its part of the square, which has four parts, or nine if needed."""
    parts = 2 if len(together) <= 4 else 3
    row, column = divmod(together.index(token) % (parts * parts), parts)
    return msgspec.structs.replace(token, scale=1 / parts, offset=(column / parts, row / parts))


VEIL_ICONS: Mapping[str, str] = dict(zip(VEILS, ("eye-off", "ghost"), strict=True))
RINGS = window_data("map.rings", dict[str, str])
MARGIN = 0.08  # share of the side of a space, added on each side for badges
MAX_MARGIN = 8
NAME_MIN_SIDE = 44  # tokens show their names if a square has at least this side, in pixels
BADGE_MIN_SIDE = 18
PORTRAIT_MIN_SIDE = 24  # in smaller tokens, letters are easier to recognise than a face
MAX_CACHED = 1500
Portraits = Callable[[str], QImage | None]  # the picture in a file, or None while it isn't loaded


class PixmapKey(NamedTuple):
    """The key of a pixmap: the look, its side in pixels, the device's pixel ratio, and whether the name is shown."""

    look: TokenLook
    side: int
    ratio: float
    shows_name: bool


class TokenPixmaps:
    """The pixmaps of one theme, painted on first use."""

    def __init__(self, theme: Theme, portrait: Portraits = lambda _file: None) -> None:
        self._theme = theme
        self._portrait = portrait
        self._pictures: dict[PixmapKey, QPixmap] = {}

    def set_theme(self, theme: Theme) -> None:
        """Set the theme (also after a change of the font scale) and drop all pixmaps."""
        self._theme = theme
        self._pictures.clear()

    def pixmap(self, look: TokenLook, side: int, ratio: float = 1.0, *, shows_name: bool = False) -> QPixmap:
        """Return the pixmap of a token with a space of `side` pixels. It is `margin_of(side)` larger on each side."""
        kind = PixmapKey(look, side, ratio, shows_name)
        if (pixmap := self._pictures.get(kind)) is None:
            if len(self._pictures) >= MAX_CACHED:
                self._pictures.clear()
            portrait = self._portrait(look.portrait) if side >= PORTRAIT_MIN_SIDE else None
            pixmap = self._pictures[kind] = _painted(kind, self._theme, portrait)
        return pixmap

    def forget_portrait(self, file: str) -> None:
        """Drop the pixmaps with a portrait that has just been loaded."""
        for kind in [kind for kind in self._pictures if kind.look.portrait == file]:
            del self._pictures[kind]


def ring_icon(ring: str) -> QIcon:
    """Return a disc in the colour of a ring."""
    disc = QPixmap(32, 32)
    disc.fill(Qt.GlobalColor.transparent)
    with QPainter(disc) as painter, smoothly(painter):
        painter.setPen(QPen(QColor(120, 120, 120), 2))
        painter.setBrush(QColor(RINGS[ring]))
        painter.drawEllipse(3, 3, 26, 26)
    return QIcon(disc)


def margin_of(side: int) -> int:
    """Return the margin in pixels between a token's space and the border of its pixmap."""
    return max(1, min(round(side * MARGIN), scaled(MAX_MARGIN)))


def outline_of(shape: str, box: QRectF) -> QPainterPath:
    """Return the outline of a shape inside a box."""
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(box)
    elif shape == "square":
        inner = box.adjusted(box.width() * 0.04, box.height() * 0.04, -box.width() * 0.04, -box.height() * 0.04)
        path.addRoundedRect(inner, box.width() * 0.12, box.width() * 0.12)
    else:
        corners, turn = (4, 0.0) if shape == "diamond" else (6, pi / 6)
        middle, radius = box.center(), box.width() / 2
        angles = [turn + 2 * pi * n / corners for n in range(corners)]
        points = [QPointF(middle.x() + radius * cos(angle), middle.y() + radius * sin(angle)) for angle in angles]
        path.addPolygon(QPolygonF([*points, points[0]]))
        path.closeSubpath()
    return path


def _painted(kind: PixmapKey, theme: Theme, portrait: QImage | None) -> QPixmap:
    margin = margin_of(kind.side)
    whole = kind.side + 2 * margin
    picture = QPixmap(round(whole * kind.ratio), round(whole * kind.ratio))
    picture.setDevicePixelRatio(kind.ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    look, side = kind.look, kind.side
    gap = max(1.0, min(side * 0.05, scaled(4)))
    box = QRectF(margin + gap, margin + gap, side - 2 * gap, side - 2 * gap)
    if look.ring:
        box = _coloured_ring(painter, box, look, theme)
    _body(painter, box, look, theme, portrait)
    if look.share is not None and look.state != "dead":
        _ring(painter, box, look, theme)
    if portrait is None:
        _initials(painter, box, look, theme, lifted=kind.shows_name)
    elif not kind.shows_name and side >= BADGE_MIN_SIDE:
        _monogram(painter, box, look, theme)
    frame = QRectF(0, 0, whole, whole)
    name = _name(painter, frame, look, theme) if kind.shows_name else 0.0
    if side >= BADGE_MIN_SIDE:
        _badges(painter, frame.adjusted(0, 0, 0, -name), look, theme, side)
    painter.end()
    return picture


def _coloured_ring(painter: QPainter, box: QRectF, look: TokenLook, theme: Theme) -> QRectF:
    """Paint the miniature's ring around the token. Return the box that remains for the token."""
    width = max(2.0, min(box.width() * 0.09, scaled(6)))
    painter.setPen(QPen(theme.colour("text"), 1))
    painter.setBrush(QColor(RINGS[look.ring]))
    painter.drawPath(outline_of(look.shape, box))
    return box.adjusted(width, width, -width, -width)


def _body(painter: QPainter, box: QRectF, look: TokenLook, theme: Theme, portrait: QImage | None) -> None:
    ink = theme.colour("muted" if look.state == "dead" else look.tone)
    soft = theme.colour("sunken" if look.state == "dead" else f"{look.tone}_soft", 110 if look.veil else 255)
    pen = QPen(ink, max(1.25, min(box.width() * 0.055, scaled(4))))
    if look.veil:
        pen.setDashPattern([2.2, 1.6])
    painter.setPen(pen)
    painter.setBrush(soft)
    outline = outline_of(look.shape, box)
    painter.drawPath(outline)
    if portrait is not None:
        _face(painter, outline, look, portrait)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline)


def _face(painter: QPainter, outline: QPainterPath, look: TokenLook, portrait: QImage) -> None:
    """Paint a portrait within an outline: in grey for the dead, faint for hidden tokens."""
    if look.state == "dead":
        portrait = portrait.convertToFormat(QImage.Format.Format_Grayscale8)
    with smoothly(painter):
        painter.setClipPath(outline)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(0.45 if look.veil or look.state == "dead" else 1.0)
        box = outline.boundingRect()
        size = painter.deviceTransform().mapRect(box).size().toSize() * painter.device().devicePixelRatio()
        how = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        painter.drawImage(box, portrait.scaled(size, *how))


def _monogram(painter: QPainter, box: QRectF, look: TokenLook, theme: Theme) -> None:
    """Paint the monogram along the lower edge of a portrait."""
    ink = theme.colour("muted" if look.state == "dead" else "text")
    painter.setFont(pixel_font(box.width() * 0.26, 7, 13))
    _pill(painter, box, (0.5, 1), look.short, ink, theme.colour("raised", 232))


def _ring(painter: QPainter, box: QRectF, look: TokenLook, theme: Theme) -> None:
    """Paint hit points as a band inside the outline, clockwise. Nothing is painted at full hit points."""
    share = look.share or 0.0
    if share >= 1:
        return
    width = max(2.0, min(box.width() * 0.085, scaled(6)))
    inset = width * (1.15 if look.shape in ("circle", "square") else 1.5)
    band = box.adjusted(inset, inset, -inset, -inset)
    path = outline_of(look.shape, band)
    if look.shape == "circle":  # Qt's ellipses begin at the right, the hit point ring at the top
        path.clear()
        path.arcMoveTo(band, 90)
        path.arcTo(band, 90, -360)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.colour("raised"), width))
    painter.drawPath(path)
    if share > 0:
        length = path.length() / width
        pen = QPen(theme.colour("harm" if look.state else "heal"), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([share * length, (1 - share) * length + 1])
        painter.setPen(pen)
        painter.drawPath(path)


def _initials(painter: QPainter, box: QRectF, look: TokenLook, theme: Theme, *, lifted: bool) -> None:
    font = QFont(role_font("strong"))
    fit = 0.42 if len(look.short) < 3 else max(0.12, 1 / len(look.short))
    fit *= 0.88 if look.share is not None and look.share < 1 else 1
    fit *= 0.82 if look.shape in ("diamond", "hexagon") else 1
    font.setPixelSize(max(5, round(box.width() * fit)))
    painter.setFont(font)
    painter.setPen(theme.colour("muted" if look.state == "dead" else "text"))
    where = box.translated(0, -box.height() * 0.05) if lifted else box
    painter.drawText(where, Qt.AlignmentFlag.AlignCenter, look.short)


def _badges(painter: QPainter, frame: QRectF, look: TokenLook, theme: Theme, side: int) -> None:
    """Paint badges at the corners: state lower left, hidden or invisible lower right, riding upper left."""
    size = min(max(side * 0.36, 11), 22)
    if look.state:
        _sign(painter, QRectF(0, frame.bottom() - size, size, size), STATE_ICONS[look.state], "harm", theme)
    if look.veil:
        place = QRectF(frame.right() - size, frame.bottom() - size, size, size)
        _sign(painter, place, VEIL_ICONS[look.veil], "text", theme)
    if look.linked:
        _sign(painter, QRectF(0, 0, size, size), "link-variant", "text", theme)
    if look.elevation:
        _height(painter, frame, look.elevation, theme, side)


def _sign(painter: QPainter, box: QRectF, icon: str, tone: str, theme: Theme) -> None:
    painter.setPen(QPen(theme.colour("edge"), 1))
    painter.setBrush(theme.colour("raised"))
    painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
    inset = box.width() * 0.12
    draw_icon(painter, icon, box.adjusted(inset, inset, -inset, -inset), theme.colour(tone))


def _height(painter: QPainter, frame: QRectF, elevation: int, theme: Theme, side: int) -> None:
    painter.setFont(pixel_font(side * 0.22, 7, 13))
    figures = f"{'+' if elevation > 0 else '−'}{abs(elevation)}"
    text, ink = f"{figures} ft" if side >= NAME_MIN_SIDE else figures, theme.colour("world")
    _pill(painter, frame, (1, 0), text, ink, theme.colour("world_soft"), ink)


def _name(painter: QPainter, frame: QRectF, look: TokenLook, theme: Theme) -> float:
    """Paint the name along the lower edge. Return its height."""
    painter.setFont(pixel_font(frame.width() * 0.17, 9))
    text = QFontMetricsF(painter.font()).elidedText(look.label, Qt.TextElideMode.ElideRight, frame.width() - 6)
    ink = theme.colour("muted" if look.state == "dead" else "text")
    return _pill(painter, frame, (0.5, 1), text, ink, theme.colour("raised", 232))


def _pill(
    painter: QPainter, frame: QRectF, align: Place, text: str, ink: QColor, ground: QColor, edge: QColor | None = None
) -> float:
    """Paint a text on a rounded ground in a frame, from left and top (0, 0) to right and bottom. Return its height."""
    metrics = QFontMetricsF(painter.font())
    width, height = metrics.horizontalAdvance(text) + 6, metrics.height()
    across, down = align
    left, top = frame.left() + (frame.width() - width) * across, frame.top() + (frame.height() - height) * down
    box = QRectF(left, top, width, height)
    painter.setPen(QPen(edge, 1) if edge is not None else Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), box.height() / 3, box.height() / 3)
    painter.setPen(ink)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    return height
