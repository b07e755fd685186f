"""Aiming at somebody: the ring of the attack chosen, the lines to the target, and in words what stands between."""

from __future__ import annotations

from types import MappingProxyType

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainterPath

from turnwright.ui.docks.map import describe
from turnwright.ui.docks.map.overlay import Label
from turnwright.ui.docks.map.rings import ring_path
from turnwright.ui.docks.map.sightlines import Means, Sightline, means_of, sightline
from turnwright.ui.docks.map.stage import Stage
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.say import say

GRADE_TONES = MappingProxyType({"none": "heal", "half": "warn", "three-quarters": "warn", "total": "harm"})
TOO_FAR = "ui.map.too-far"


class Aimer:
    """Aims for `one` at `target`, both None while nobody does."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.one: Token | None = None
        self.target: Token | None = None
        self.line: Sightline | None = None
        self._means: list[Means] = []
        self._with = 0

    @property
    def one_id(self) -> str:
        """The id of whoever aims, empty for nobody."""
        return self.one.id if self.one is not None else ""

    @property
    def target_id(self) -> str:
        """The id of whoever is aimed at, empty for nobody."""
        return self.target.id if self.target is not None else ""

    def begin(self, one: Token | None) -> bool:
        """Begin to aim from where somebody stands; False, and said so, where nobody can."""
        if not self.stage.runs or one is None or one.at is None:
            self.stage.said.emit(say("ui.map.select-first" if self.stage.runs else "ui.map.aim-later"))
            return False
        self.one, self.target = one, None
        self._means = means_of(self.stage.bridge, one.key[1])
        self._with = 0
        self.show()
        return True

    def at(self, target: Token | None) -> None:
        """Aim at somebody, or nobody."""
        self.target = target if target is not None and self.one is not None and target.key != self.one.key else None
        self.show()

    def next_target(self, by: int) -> None:
        """Aim at the next of those on other sides, from the top left."""
        one = self.one
        others = [
            each
            for each in self.stage.crowd.placed()
            if one is not None and each.side != one.side and each.look.state != "dead"
        ]
        others.sort(key=lambda each: each.at[::-1] if each.at else (0, 0))
        if others:
            ids = [each.id for each in others]
            now = ids.index(self.target.id) if self.target is not None and self.target.id in ids else None
            first = 0 if by > 0 else -1
            self.at(others[first if now is None else (now + by) % len(others)])

    def next_means(self) -> None:
        """Aim with the next attack of the stat block."""
        self._with += 1
        self.show()

    def clear(self) -> None:
        """Aim no longer."""
        self.one = self.target = self.line = None
        self.stage.scene.overlay.clear()

    def show(self) -> None:
        """Draw ring and lines, and say how the two stand to each other."""
        one, target = self.one, self.target
        if one is None:
            return
        self.stage.scene.overlay.clear()
        self.line = None
        self._show_ring(one)
        if target is None:
            self.stage.said.emit(say("ui.map.aim-how", who=one.label, means=self._words()))
            return
        line = self.line = sightline(self.stage.bridge, one.key[1], target.key[1])
        self._show_line(target, line)
        self.stage.said.emit(describe.of_sightline(one, target, line, self._words(), self._stretch(line)))

    def _show_line(self, target: Token, line: Sightline) -> None:
        over = self.stage.scene.overlay
        over.draw_lines((QLineF(*each[:4]) for each in line.lines if not each[4]), "heal")
        over.draw_lines((QLineF(*each[:4]) for each in line.lines if each[4]), "harm", dashed=True)
        over.mark(line.shields, "harm")
        grade = line.grade or "none"
        short = [say("ui.map.feet", n=line.distance)] if line.distance is not None else []
        short.append(say(f"ui.map.cover-{grade}"))
        short += [say("ui.map.flanked")] if line.flanked else []
        stretch = self._stretch(line)
        short += [say(stretch)] if stretch else []
        column, row = target.at or (0, 0)
        tone = "harm" if stretch == TOO_FAR else GRADE_TONES[grade]
        over.write(Label(" · ".join(short), (column + target.across / 2, row), tone))

    def _show_ring(self, one: Token) -> None:
        means = self._chosen()
        if one.at is None or means is None:
            return
        field = self.stage.field
        board = QPainterPath()
        board.addRect(0, 0, field.columns, field.rows)
        for feet, dashed in ((means.near, False), *(((means.far, True),) if means.far > means.near else ())):
            path = ring_path(one.at, one.across, feet // field.cell, field.diagonals)
            if not path.contains(board.boundingRect()):  # else nothing on the map is too far
                self.stage.scene.overlay.outline(path.intersected(board), "accent", dashed=dashed)

    def _stretch(self, line: Sightline) -> str:
        """Return the word key of how far a target is for the attack chosen, empty where it is near enough."""
        means = self._chosen()
        if means is None or line.distance is None or line.distance <= means.near:
            return ""
        return TOO_FAR if line.distance > means.far else "ui.map.long-range"

    def _chosen(self) -> Means | None:
        return self._means[self._with % len(self._means)] if self._means else None

    def _words(self) -> str:
        means = self._chosen()
        if means is None:
            return ""
        feet = f"{means.near}/{means.far}" if means.far > means.near else str(means.near)
        return say("ui.map.means", name=means.name or say("ui.map.reach"), feet=feet)
