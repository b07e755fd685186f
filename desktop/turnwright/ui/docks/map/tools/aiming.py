"""Aiming on the map: the attack's range as a ring, lines of sight to the target, and cover and flanking as text."""

from types import MappingProxyType

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainterPath

from turnwright.ui.docks.map import popovers
from turnwright.ui.docks.map.drawing.drawing import MapLabel, ring_path
from turnwright.ui.docks.map.drawing.token_pixmaps import Token
from turnwright.ui.docks.map.map_canvas import MapCanvas
from turnwright.ui.docks.map.tools.line_of_sight_info import AttackRange, Sightline, attack_ranges, sightline
from turnwright.ui.look.style import tr

COVER_TONES = MappingProxyType({"none": "heal", "half": "warn", "three-quarters": "warn", "total": "harm"})
TOO_FAR = "ui.map.too-far"


class Aimer:
    """Aims from `attacker` at `target`. Both are None while not aiming."""

    def __init__(self, canvas: MapCanvas) -> None:
        self.canvas = canvas
        self.attacker: Token | None = None
        self.target: Token | None = None
        self.sightline: Sightline | None = None
        self._means: list[AttackRange] = []
        self._with = 0

    def begin(self, attacker: Token | None) -> bool:
        """Start aiming from a token. If it can't attack, show a status text and return False."""
        if not self.canvas.is_fight_running or attacker is None or attacker.square is None:
            key = "ui.map.select-first" if self.canvas.is_fight_running else "ui.map.aim-later"
            self.canvas.statusChanged.emit(tr(key))
            return False
        self.attacker, self.target = attacker, None
        self._means = attack_ranges(self.canvas.document, attacker.key[1])
        self._with = 0
        self.show()
        return True

    def aim_at(self, target: Token | None) -> None:
        """Set the target, or clear it if it is None or the attacker."""
        can_aim = target is not None and self.attacker is not None and target.key != self.attacker.key
        self.target = target if can_aim else None
        self.show()

    def next_target(self, by: int) -> None:
        """Aim at the next or previous living token of another side, in reading order."""
        attacker = self.attacker
        others = [
            token
            for token in self.canvas.tokens.placed()
            if attacker is not None and token.side != attacker.side and token.look.state != "dead"
        ]
        others.sort(key=lambda token: token.square[::-1] if token.square else (0, 0))
        if others:
            ids = [token.id for token in others]
            index = ids.index(self.target.id) if self.target is not None and self.target.id in ids else None
            first = 0 if by > 0 else -1
            self.aim_at(others[first if index is None else (index + by) % len(others)])

    def next_weapon(self) -> None:
        """Aim with the next attack of the stat block."""
        self._with += 1
        self.show()

    def clear(self) -> None:
        """Stop aiming."""
        self.attacker = self.target = self.sightline = None
        self.canvas.scene.overlay.clear()

    def show(self) -> None:
        """Draw the ring and the lines, and show distance, cover and flanking in the status text."""
        attacker, target = self.attacker, self.target
        if attacker is None:
            return
        self.canvas.scene.overlay.clear()
        self.sightline = None
        self._show_ring(attacker)
        if target is None:
            self.canvas.statusChanged.emit(tr("ui.map.aim-how", who=attacker.label, means=self._words()))
            return
        line = self.sightline = sightline(self.canvas.document, attacker.key[1], target.key[1])
        self._show_line(target, line)
        self.canvas.statusChanged.emit(
            popovers.describe_sightline(attacker, target, line, self._words(), self._stretch(line))
        )

    def _show_line(self, target: Token, line: Sightline) -> None:
        overlay = self.canvas.scene.overlay
        overlay.draw_lines((QLineF(*sight_line[:4]) for sight_line in line.lines if not sight_line[4]), "heal")
        overlay.draw_lines((QLineF(*sight_line[:4]) for sight_line in line.lines if sight_line[4]), "harm", dashed=True)
        overlay.mark(line.cover_squares, "harm")
        overlay.draw_lines((QLineF(*wall) for wall in line.walls), "harm")
        grade = line.grade or "none"
        short = [tr("ui.map.feet", n=line.distance)] if line.distance is not None else []
        short.append(tr(f"ui.map.cover-{grade}"))
        short += [tr("ui.map.flanked")] if line.flanked else []
        stretch = self._stretch(line)
        short += [tr(stretch)] if stretch else []
        column, row = target.square or (0, 0)
        tone = "harm" if stretch == TOO_FAR else COVER_TONES[grade]
        overlay.add_label(MapLabel(" · ".join(short), (column + target.size / 2, row), tone))

    def _show_ring(self, attacker: Token) -> None:
        attack_range = self._chosen()
        if attacker.square is None or attack_range is None:
            return
        field = self.canvas.field
        board = QPainterPath()
        board.addRect(0, 0, field.columns, field.rows)
        rings = [(attack_range.normal, False)]
        if attack_range.long > attack_range.normal:
            rings.append((attack_range.long, True))
        for feet, dashed in rings:
            path = ring_path(attacker.square, attacker.size, feet // field.cell, field.diagonals)
            if not path.contains(board.boundingRect()):  # no ring if the whole map is in range
                self.canvas.scene.overlay.outline(path.intersected(board), "accent", dashed=dashed)

    def _stretch(self, line: Sightline) -> str:
        """Return the word key for long range or out of range, or an empty string within normal range."""
        attack_range = self._chosen()
        if attack_range is None or line.distance is None or line.distance <= attack_range.normal:
            return ""
        return TOO_FAR if line.distance > attack_range.long else "ui.map.long-range"

    def _chosen(self) -> AttackRange | None:
        return self._means[self._with % len(self._means)] if self._means else None

    def _words(self) -> str:
        attack_range = self._chosen()
        if attack_range is None:
            return ""
        long = f"/{attack_range.long}" if attack_range.long > attack_range.normal else ""
        name = attack_range.name or tr("ui.map.reach")
        return tr("ui.map.attack-range", name=name, feet=f"{attack_range.normal}{long}")
