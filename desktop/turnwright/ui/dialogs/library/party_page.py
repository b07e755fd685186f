"""The page of a library party: the state and presence of each member, rests, and adding it to the encounter."""

from collections.abc import Iterator
from functools import partial

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QWidget

from turnwright.encounter import roles, running
from turnwright.encounter.prepared import CharacterState, Creature, Party, RosterEntry
from turnwright.encounter.state import Encounter, entry_name
from turnwright.rules.system import RuleSystem
from turnwright.ui.look.style import GAP, SPACE, escaped_tooltip, scaled, tr
from turnwright.ui.widgets import dialog, fields, layout
from turnwright.ui.widgets.records.resource_pips import HitPointBar, ResourcePip, ResourcePips
from turnwright.ui.widgets.text import named, plain_label, push_button
from turnwright.workspace.party_states import at_session_start, with_tracks
from turnwright.workspace.text import Phrasebook

HOW = ("stood", "short", "long", "fresh")
LAST_AWARDS = 3
MOST_PIPS = 6


class PartyPage(dialog.StandardDialog):
    """The members of a library party. Enter adds it to the encounter.

    Emits `changed(party)` when the user changes slots, uses, points or the ticks of present members, `restRequested()`,
    `editRequested(rises)` with whether levels rise, and `addRequested(how)` with one of `HOW`.
    """

    changed = Signal(object)
    restRequested = Signal()
    editRequested = Signal(bool)
    addRequested = Signal(str)

    def __init__(self, party: Party, rules: RuleSystem, words: Phrasebook, parent: QWidget | None = None) -> None:
        super().__init__(party.name, parent, spacing=GAP)
        self._rules, self._words = rules, words
        self._points = [resource for resource in rules.data.resources if resource.characters is not None]
        self._area = layout.frameless_scroll_area(QWidget())
        self.column.addWidget(self._area, 1)
        texts = (tr(f"ui.party.{key}") for key in ("as-stood", "short", "long", "new"))
        self.how = fields.with_options(named(QComboBox(), tr("ui.party.how")), zip(HOW, texts, strict=True))
        self.add_button = push_button(tr("ui.party.add"), self._add, "primary", "plus")
        self.add_button.setDefault(True)
        self.rest_button = push_button(tr("ui.party.rest"), self.restRequested.emit, icon_name="bed")
        self.session_button = push_button(tr("ui.party.session"), self._begin_session, icon_name="calendar-today")
        self.session_button.setToolTip(escaped_tooltip(tr("ui.party.session-tip")))
        self.session_button.setVisible(any(each.characters and each.characters.session for each in self._points))
        edit = push_button(tr("ui.party.edit"), lambda: self.editRequested.emit(False), icon_name="pencil")
        edit.setShortcut("F2")
        rise = push_button(tr("ui.party.level-up"), lambda: self.editRequested.emit(True), icon_name="arrow-up")
        close = push_button(tr("ui.general.close"), self.reject)
        buttons = (edit, rise, self.rest_button, self.session_button)
        self.column.addLayout(
            layout.fill(layout.horizontal(), *buttons, layout.STRETCH, self.how, close, self.add_button)
        )
        self.show_party(party)
        self.resize(scaled(940), min(scaled(640), self._content.sizeHint().height() + scaled(110)))

    def show_party(self, party: Party) -> None:
        """Show a party's members."""
        self.party = party
        self.ticks: dict[str, QCheckBox] = {}
        self.pips: dict[str, ResourcePips] = {}
        content = self._content = QWidget()
        column, grid = layout.vertical(content), layout.grid_layout(across=16, down=16)
        column.addLayout(grid)
        for place, head in enumerate(("ui.party.present", "ui.stat.ac", "ui.stat.hp", "ui.party.spent")):
            grid.addWidget(plain_label(tr(head), "caption"), 0, place)
        for row, member in enumerate(party.roster, 1):
            self._add_row(grid, row, member)
        grid.setColumnMinimumWidth(0, scaled(170))
        grid.setColumnMinimumWidth(2, scaled(170))
        grid.setColumnStretch(3, 1)
        for text in (*self._awards(), *self._fights()):
            column.addWidget(plain_label(text, "caption", "muted", wraps=True))
        column.addStretch(1)
        self._area.setWidget(content)
        self.how.setVisible(any(member.state for member in party.roster))
        self.add_button.setFocus()

    def _add_row(self, grid: QGridLayout, row: int, member: RosterEntry) -> None:
        lookup = self._lookup()
        block = lookup.get(Creature, member.creature) or Creature(member.creature, member.creature)
        name, most = entry_name(lookup, member), member.hp or block.hp
        state = member.state or CharacterState(most)
        tick = self.ticks[member.id] = QCheckBox(name.replace("&", "&&"))
        tick.setChecked(not member.absent)
        tick.toggled.connect(partial(self._set_absent, member.id))
        level, owner = member.level or block.level, lookup.get(RosterEntry, member.controller)
        parts = [block.classes] if block.classes else []
        parts = parts or ([tr("ui.party.level", n=level)] if level and roles.is_character(lookup, member) else [])
        parts += [tr("ui.party.owner", who=entry_name(lookup, owner))] if owner is not None else []
        about = layout.ElidedLabel(" · ".join((*parts, *filter(None, (member.player,)))), "caption", tone="muted")
        grid.addLayout(layout.fill(layout.vertical(spacing=0), layout.STRETCH, tick, about, layout.STRETCH), row, 0)
        grid.addWidget(plain_label(str(block.ac if member.ac is None else member.ac), "strong"), row, 1)
        bar = HitPointBar()
        bar.set_hit_points(state.hp, most, state.temp_hp, "down" if state.dead else None)
        grid.addWidget(bar, row, 2)
        pips = self.pips[member.id] = ResourcePips()
        pips.set_pips([*self._pips(lookup, member)])
        pips.changeRequested.connect(partial(self._set_track, member.id))
        ills = [self._condition(each.name, each.value) for each in state.conditions]
        ills = [tr("ui.party.dead"), *ills] if state.dead else ills
        ill = plain_label(", ".join(ills), tone="warn", wraps=True)
        ill.setVisible(bool(ills))
        grid.addLayout(layout.fill(layout.vertical(spacing=SPACE), layout.STRETCH, pips, ill, layout.STRETCH), row, 3)
        grid.addWidget(plain_label(self._experience(member, level), "caption"), row, 4, Qt.AlignmentFlag.AlignRight)

    def _pips(self, lookup: Encounter, member: RosterEntry) -> Iterator[ResourcePip]:
        """Yield the slots, the spent uses and the points of a member, and other numbers that are carried over."""
        block = lookup.get(Creature, member.creature) or Creature(member.creature, member.creature)
        left = dict(member.state.tracks) if member.state is not None else {}
        features = {f"{running.USES}{feature.id}": feature for feature in block.features if feature.uses}
        for level, most in block.slots:
            track = f"{running.SLOTS}{level}"
            label = tr("ui.party.slot", level=level)
            yield ResourcePip(track, label, left.pop(track, most), most, is_counted=most > MOST_PIPS)
        for resource in self._points if roles.is_character(lookup, member) else ():
            most = resource.characters.most if resource.characters is not None else 0
            yield ResourcePip(resource.id, resource.name, left.pop(resource.id, 0), most)
        for track, feature in features.items():
            if track in left:
                count = left.pop(track)
                yield ResourcePip(track, feature.name, count, feature.uses, is_counted=feature.uses > MOST_PIPS)
        for track, count in left.items():
            yield ResourcePip(track, self._words.expand_keys(f"<track.{track}>"), count, max(count, 1), is_counted=True)

    def _condition(self, name: str, value: int) -> str:
        text = self._words.expand_keys(f"<condition.{name}>")
        return f"{text} {value}" if value else text

    def _experience(self, member: RosterEntry, level: int) -> str:
        """Return the experience that a character has earned, and needs for the next level."""
        if not member.xp_earned:
            return ""
        rewards = self._rules.data.awards
        every, levels = rewards.every, rewards.levels
        following = every or (levels[level - 1] if 0 < level <= len(levels) else 0)
        earned = member.xp_earned % every if every else member.xp_earned
        return tr("ui.party.xp" if following else "ui.party.xp-last", earned=f"{earned:,}", next=f"{following:,}")

    def _awards(self) -> Iterator[str]:
        """Yield lines about the last awards, newest first."""
        names = {member.id: entry_name(self._lookup(), member) for member in self.party.roster}
        for award in self.party.awards[: -LAST_AWARDS - 1 : -1]:
            got = tr("ui.party.award-xp", n=f"{award.xp:,}") if award.xp else ""
            who = ", ".join(names[id] for id in award.who if id in names)
            parts = (award.at, award.encounter or tr("ui.window.untitled"), got, award.what, who)
            yield " · ".join(filter(None, parts))

    def _fights(self) -> Iterator[str]:
        """Yield a line that compares the forecasts of past fights with their results."""
        fights = self.party.fights
        if fights:
            expected, rounds = sum(each.expected for each in fights) / 100, sum(each.rounds for each in fights)
            counts = {"n": len(fights), "won": sum(each.won for each in fights)}
            means = {"before": sum(each.expected_rounds for each in fights) / 10, "after": rounds}
            texts = {name: f"{total / len(fights):.1f}" for name, total in means.items()}
            yield tr("ui.party.fights", **counts, expected=f"{expected:.1f}", **texts)

    def _replace(self, changed: RosterEntry) -> None:
        roster = (changed if member.id == changed.id else member for member in self.party.roster)
        self.party = msgspec.structs.replace(self.party, roster=tuple(roster))
        self.changed.emit(self.party)

    def _lookup(self) -> Encounter:
        return Encounter(self.party.creatures + self.party.roster)

    def _member(self, id: str) -> RosterEntry:
        return next(member for member in self.party.roster if member.id == id)

    def _set_absent(self, id: str, present: bool) -> None:
        self._replace(msgspec.structs.replace(self._member(id), absent=not present))

    def _set_track(self, id: str, track: str, left: int) -> None:
        self._replace(with_tracks(self.party, self._member(id), {track: left}))
        self.pips[id].set_pips([*self._pips(self._lookup(), self._member(id))])

    def _begin_session(self) -> None:
        self.show_party(at_session_start(self.party, self._rules))
        self.changed.emit(self.party)

    def _add(self) -> None:
        self.addRequested.emit(self.how.currentData())
        self.accept()
