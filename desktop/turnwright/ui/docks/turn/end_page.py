"""The page after a fight: experience with its arithmetic, treasure to give out, and the state of the party."""

import re
from datetime import datetime
from fractions import Fraction
from functools import partial

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFormLayout, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from turnwright.encounter import adventure, prepared, state
from turnwright.encounter.roles import is_ours, role_of
from turnwright.encounter.running import Award, Combatant
from turnwright.play.kernel.events import game_time
from turnwright.play.turns import awards
from turnwright.report import fight_report, markdown
from turnwright.rules.parts.preparation.experience import ExperienceLine, fight_experience, shares
from turnwright.rules.system import label_of, labels_of
from turnwright.rules.word_keys import amount_text
from turnwright.storage.library.parties import party_members
from turnwright.ui.look.style import GROUP_GAP, escaped_tooltip, scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets import fields, layout
from turnwright.ui.widgets.text import IconLabel, discard, named, plain_label, push_button
from turnwright.workspace.party_states import party_states
from turnwright.workspace.print_job import report_of
from turnwright.workspace.text import state_text

MOST_EXTRA = 999_999
FATE_TONES = {"down": "harm", "place": "world"}
EVERYONE = "everyone"
WIDE = 960  # px at 100 % from which there are two columns
LONGEST = 36  # characters of a name at its tick
_COINS = re.compile(r"(\d[\d,]*) ?([cseagp]p)\b")


class EndPage(QWidget):
    """The page after a fight. Nothing is awarded until a button is pressed.

    Emits `focusReleased` after an award, and `awardUndone` if one was undone. Buttons emit `reportRequested`, `partyRequested`, `againRequested` and
    `resetRequested`.
    """

    focusReleased = Signal()
    awardUndone = Signal()
    reportRequested = Signal()
    partyRequested = Signal()
    againRequested = Signal()
    resetRequested = Signal()
    nextRequested = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self._unticked: set[str] = set()  # the user's changes of the proposal
        self._ticked: set[str] = set()
        self._proposed: int | None = None
        self._filled = ("", 0)  # the note and the amount that the last award filled in
        self._awards = frozenset[str]()  # the ids of those that were shown
        self.summary = plain_label("", tone="muted", wraps=True)
        self.report_button = push_button(tr("ui.report.open"), self.reportRequested.emit, icon_name="chart-bar")
        self.party_button = push_button(tr("ui.party.keep"), self.partyRequested.emit, icon_name="content-save-outline")
        self.next_button = fields.KeyButton(tr("ui.step.go-on"), self.nextRequested.emit, "Ctrl+PgDn", icon="play")
        self.next_button.hide()
        self._lay_out_experience()
        self.treasure = layout.Card()
        self.treasure_rows: list[tuple[awards.Find, QCheckBox, fields.ComboBox]] = []
        self._found: object = None
        self._rows = layout.vertical()
        self.give_button = push_button(tr("ui.end.give"), self.give_out, icon_name="check")
        head = layout.SectionHeader(tr("ui.end.treasure"), "treasure-chest-outline", "accent")
        head.add_widget(self.give_button)
        layout.fill(self.treasure.body, head, self._rows)
        party = layout.Card()
        self._states = QFormLayout()
        layout.fill(party.body, layout.SectionHeader(tr("ui.end.party"), "account-group", "accent"), self._states)
        title = plain_label(tr("ui.end.title"), "banner")
        titles = layout.fill(layout.vertical(spacing=0), title, self.summary)
        top = layout.fill(layout.horizontal(), IconLabel("flag-checkered", "heal", 28), (titles, 1), self.report_button)
        again = push_button(tr("ui.end.again"), self.againRequested.emit, "quiet", "restart")
        reset = push_button(tr("ui.end.reset"), self.resetRequested.emit, "quiet", "restore")
        self.course = layout.Card()
        self._course = layout.grid_layout(across=24)
        layout.fill(self.course.body, layout.SectionHeader(tr("ui.end.course"), "chart-bar", "accent"), self._course)
        cards, self._columns = QWidget(), layout.horizontal(spacing=GROUP_GAP)
        self._columns.addWidget(self.experience, 1, Qt.AlignmentFlag.AlignTop)
        right = layout.fill(layout.vertical(spacing=GROUP_GAP), self.treasure, party, layout.STRETCH)
        self._columns.addLayout(right, 1)
        column = layout.vertical(cards, margins=(24, 0, 24, 0), spacing=GROUP_GAP)
        layout.fill(column, self._columns, self.course, layout.STRETCH)
        page = layout.vertical(self, margins=(0, GROUP_GAP, 0, GROUP_GAP), spacing=GROUP_GAP)
        foot = layout.fill(layout.horizontal(), self.next_button, self.party_button, again, reset, layout.STRETCH)
        for part in (top, foot):
            part.setContentsMargins(scaled(24), 0, scaled(24), 0)
        layout.fill(page, top, (layout.frameless_scroll_area(cards), 1), foot)

    def _lay_out_experience(self) -> None:
        self.experience = layout.Card()
        self.ticks: list[tuple[ExperienceLine, QCheckBox]] = []
        self._lines = layout.vertical()
        self.note = QLineEdit(placeholderText=tr("ui.end.else"))
        self.extra = named(fields.NumberField(0, MOST_EXTRA), tr("ui.end.else-xp"))
        self.total = plain_label("", "number")
        self.state = plain_label("", "caption", "heal")
        self.sharing = plain_label("", "caption", "muted", wraps=True)
        self.award_button = fields.KeyButton("", self.award_experience, "Enter", "primary", "check", role="strong")
        self.who_button = push_button(tr("ui.end.who"), lambda: None, "quiet")
        self._who_menu = fields.CheckMenu(self.who_button)
        self._who_menu.aboutToShow.connect(self._fill_who)
        self.who_button.setMenu(self._who_menu)
        self.milestone_button = push_button(tr("ui.end.milestone"), self.award_milestone, "quiet", "flag-outline")
        self._xp = QWidget()
        self.note.textEdited.connect(self._recount)
        self.extra.valueEdited.connect(self._recount)
        head = layout.SectionHeader(tr("ui.end.experience"), "star-four-points-outline", "accent")
        extra = layout.fill(layout.horizontal(), (self.note, 1), self.extra)
        result = layout.fill(layout.horizontal(), self.award_button, self.state, layout.STRETCH)
        column = layout.vertical(self._xp)
        layout.fill(column, self._lines, extra, layout.HorizontalLine(), self.total, result, self.sharing)
        buttons = layout.fill(layout.horizontal(), self.who_button, self.milestone_button, layout.STRETCH)
        layout.fill(self.experience.body, head, self._xp, buttons)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.course.setVisible(self.width() >= scaled(WIDE))
        direction = QBoxLayout.Direction.TopToBottom if self.course.isHidden() else QBoxLayout.Direction.LeftToRight
        self._columns.setDirection(direction)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), fields.ComboBox):
            self.give_out()
        else:
            super().keyPressEvent(event)

    def start_over(self) -> None:
        """Forget what the user changed, because another document or fight is shown."""
        self._unticked, self._ticked = set(), set()
        self._filled, self._awards = ("", 0), frozenset()
        self.note.clear()
        self.extra.set_number(self._proposed or 0)

    def join_adventure(self, step: adventure.AdventureStep | None) -> None:
        """Offer the next step of an adventure, and propose the experience of this one unless some was awarded."""
        self.next_button.setVisible(step is not None)
        xp = step.xp if step is not None else None
        if xp != self._proposed and awards.award_of(self._document.encounter, "xp") is None:
            self._proposed = xp
            self.extra.set_number(xp or 0)

    def take_focus(self) -> bool:
        """Focus the button for the next award, the owner of a treasure, or after the last award the party's button."""
        left = awards.open_award(self._document.encounter, self._document.rules)
        takers = (taker for find, _, taker in self.treasure_rows if find.kind == "treasure" and find.award is None)
        last = self.party_button if self.next_button.isHidden() else self.next_button
        widget = {"xp": self.award_button, "treasure": next(takers, None)}.get(left) or last
        widget.setFocus(Qt.FocusReason.OtherFocusReason)
        return not widget.isHidden()

    # Contents ----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the fight's result and the possible awards."""
        encounter, rules = self._document.encounter, self._document.rules
        self.summary.setText(self._summary())
        award = awards.award_of(encounter, "xp")
        _clear(self._lines)
        self.ticks = []
        for line in fight_experience(encounter, rules):
            usual = line.counts and self._proposed is None
            chosen = set(line.names) <= set(award.counted) if award is not None else usual
            tick = self._tick(f"{line.fate} {line.name}", f"{line.count} × {line.name}", chosen)
            fate = plain_label(tr(f"ui.end.{line.fate}"), "caption", FATE_TONES.get(line.fate, "muted"))
            self.ticks.append((line, tick))
            tick.toggled.connect(self._recount)
            worth = plain_label(amount_text(line.worth), "strong")
            self._lines.addLayout(layout.fill(layout.horizontal(), tick, fate, layout.STRETCH, worth))
        for part in (self._xp, self.who_button):
            part.setVisible(bool(rules.data.awards.xp))
        key = "ui.end.awarded" if award is not None and award.at else "ui.end.awarded-before"
        self.state.setText(tr(key, n=f"{award.xp:,}", at=award.at[-5:]) if award is not None else "")
        self._fill_extra(award)
        marked = awards.award_of(encounter, "milestone") is not None
        self.milestone_button.setText(tr("ui.end.milestone-marked" if marked else "ui.end.milestone"))
        self.milestone_button.setEnabled(not marked)
        self._recount()
        self._refresh_treasure()
        self._refresh_party()
        self._refresh_course()
        shown, self._awards = self._awards, frozenset(award.id for award in encounter.all(Award))
        if shown - self._awards:
            self.awardUndone.emit()

    def _fill_extra(self, award: Award | None) -> None:
        """Show the note and the other experience of an award, unless the user typed their own."""
        if (self.note.text(), self.extra.value()) != self._filled:
            return
        shared = self._document.rules.data.awards.xp == "shared"
        whole = award.xp * (len(award.who) if shared else 1) if award is not None else 0
        worth = sum(line.worth for line, tick in self.ticks if tick.isChecked())
        self._filled = (award.what, max(0, int(whole - worth))) if award is not None else ("", 0)
        self.note.setText(self._filled[0])
        self.extra.set_number(self._filled[1])

    def _summary(self) -> str:
        encounter, clock = self._document.encounter, state.clock_of(self._document.encounter)
        people = list(encounter.all(Combatant))
        ours = [one.label for one in people if is_ours(encounter, one) and (one.dead or one.hp <= 0)]
        foes = [one for one in people if not (one.bystander or is_ours(encounter, one))]
        down = sum(one.dead or one.hp <= 0 for one in foes)
        parts = [tr("ui.end.rounds", n=clock.round), game_time(clock.elapsed_seconds)]
        parts.append(tr("ui.end.foes", n=down, of=len(foes)))
        parts.append(tr("ui.end.fell", who=", ".join(ours)) if ours else tr("ui.end.nobody-fell"))
        return " · ".join(parts)

    def _tick(self, key: str, text: str, chosen: bool) -> QCheckBox:
        tick = QCheckBox((text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…").replace("&", "&&"))
        tick.setToolTip(escaped_tooltip(text) if len(text) > LONGEST else "")
        tick.setAccessibleName(text)
        tick.setChecked((chosen or key in self._ticked) and key not in self._unticked)
        tick.toggled.connect(partial(self._remember, key))
        return tick

    def _remember(self, key: str, on: bool) -> None:
        (self._ticked if on else self._unticked).add(key)
        (self._unticked if on else self._ticked).discard(key)

    def _recount(self, *_: object) -> None:
        """Update the arithmetic and the button."""
        each, rest = shares(self._document.rules, self._sum(), len(self._sharers()))
        shared = self._document.rules.data.awards.xp == "shared"
        total, size = amount_text(self._sum()), len(self._sharers())
        text = tr("ui.end.shared" if shared else "ui.end.each", total=total, n=size, each=f"{each:,}")
        self.total.setText(f"{text} {tr('ui.end.rest', n=rest)}" if rest else text)
        award = awards.award_of(self._document.encounter, "xp")
        again = award and awards.AwardExperience(award.xp, award.who, award.what, award.counted)
        self.award_button.setText(tr("ui.end.change" if award is not None else "ui.end.award", n=f"{each:,}"))
        self.award_button.set_kind("" if award is not None else "primary")
        self.award_button.set_icon("pencil" if award is not None else "check")
        self.award_button.setVisible(again is None or self._award(each) != again)
        self.award_button.setEnabled(each > 0)
        encounter, sharers = self._document.encounter, self._sharers()
        text = labels_of(encounter, sharers)
        others = [(label_of(encounter, id), role) for id, role in self._sharing() if id not in sharers]
        left_out = ", ".join(f"{name} ({tr(f'ui.end.role-{role}')})" for name, role in others)
        self.sharing.setText(f"{text}. {tr('ui.end.not', who=left_out)}" if left_out else text)

    def _sum(self) -> Fraction:
        return sum((line.worth for line, tick in self.ticks if tick.isChecked()), Fraction(self.extra.value()))

    def _sharing(self) -> list[tuple[str, str]]:
        """Return the combatants on the party's side with their roles."""
        encounter = self._document.encounter
        return [(one.id, role_of(encounter, one)) for one in encounter.all(Combatant) if is_ours(encounter, one)]

    def _sharers(self) -> tuple[str, ...]:
        award = awards.award_of(self._document.encounter, "xp")
        usual = award.who if award is not None else awards.characters_present(self._document.encounter)
        chosen = self._ticked.union(usual) - self._unticked
        return tuple(id for id, _ in self._sharing() if id in chosen)

    def _fill_who(self) -> None:
        self._who_menu.clear()
        for id, _ in self._sharing():
            name = label_of(self._document.encounter, id)
            fields.add_check(self._who_menu, name, lambda on, id=id: self._share(id, on), checked=id in self._sharers())

    def _share(self, id: str, on: bool) -> None:
        self._remember(id, on)
        self._recount()

    def _refresh_treasure(self) -> None:
        people = [(id, label_of(self._document.encounter, id)) for id, _ in self._sharing()]
        found = awards.finds(self._document.encounter)
        if self._found == (found, people):  # keeps the chosen owners
            return
        self._found = (found, people)
        _clear(self._rows)
        self.treasure_rows = []
        sharers = len(awards.characters_present(self._document.encounter))
        for number, find in enumerate(found):
            tick = self._tick(f"find {number}", find.name, find.award is not None or find.kind == "treasure")
            coins = _COINS.match(find.known)
            note = find.known if find.known != find.name else ""
            if coins is not None and sharers:
                note = tr("ui.end.coins", n=int(coins[1].replace(",", "")) // sharers, unit=coins[2])
            elif find.kind == "handout":
                note = tr("ui.end.handout")
            note = tr("ui.end.given") if find.award is not None else note
            takers = [("", tr("ui.end.nobody")), (EVERYONE, tr("ui.end.everyone")), *people]
            taker = fields.with_options(named(fields.ComboBox(), tr("ui.end.taker", what=find.name)), takers)
            who = find.award.who if find.award is not None else ()
            usual = EVERYONE if len(who) > 1 or (coins is not None and find.award is None) else who[0] if who else ""
            taker.setCurrentIndex(max(0, taker.findData(usual)))
            taker.setMinimumContentsLength(12)
            self.treasure_rows.append((find, tick, taker))
            remark = layout.ElidedLabel(note, "caption", "muted")
            self._rows.addLayout(layout.fill(layout.horizontal(), tick, (remark, 1), taker))
            tick.toggled.connect(self._enable_giving)
            taker.currentIndexChanged.connect(self._enable_giving)
        self.treasure.setVisible(bool(self.treasure_rows))
        self._enable_giving()

    def _gifts(self) -> list[tuple[awards.Find, tuple[str, ...]]]:
        """Return the ticked treasure that is new or has another owner, with its owners."""
        everyone, gifts = awards.characters_present(self._document.encounter), []
        for find, tick, taker in self.treasure_rows:
            who = everyone if taker.currentData() == EVERYONE else tuple(filter(None, (taker.currentData(),)))
            if tick.isChecked() and (find.award is None or find.award.who != who):
                gifts.append((find, who))
        return gifts

    def _enable_giving(self, *_: object) -> None:
        self.give_button.setEnabled(bool(self._gifts()))

    def _refresh_course(self) -> None:
        """Show what each member of the party, and the opponents together, did in the fight."""
        _clear(self._course)
        report = report_of(self._document.source.session)
        foes = [one for one in report.combatants if not one.party]
        sums = {name: sum(getattr(one, name) for one in foes) for name in ("dealt", "taken", "healed")}
        party = (one for one in report.combatants if one.party)
        people = (*party, fight_report.CombatantReport("", tr("ui.end.opponents"), **sums))
        rows = markdown.table(msgspec.structs.replace(report, combatants=people), self._document.phrasebook.text)
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                role = "caption" if not row else "body" if column else "strong"
                self._course.addWidget(plain_label(text, role), row, column)

    def _refresh_party(self) -> None:
        encounter, rules = self._document.encounter, self._document.rules
        while self._states.rowCount():
            self._states.removeRow(0)
        states = party_states(encounter, rules)
        for entry in party_members(encounter):
            creature = encounter.get(prepared.Creature, entry.creature)
            if entry.id in states:
                line = state_text(states[entry.id], creature, entry, self._document.phrasebook)
                name = plain_label(state.entry_name(encounter, entry), "strong")
                self._states.addRow(name, plain_label(line, wraps=True))
        self.party_button.setVisible(bool(states) and self.next_button.isHidden())

    # Awards ------------------------------------------------------------------------------------------------------

    def award_experience(self) -> None:
        """Award the experience, or change the award."""
        each, _ = shares(self._document.rules, self._sum(), len(self._sharers()))
        award = awards.award_of(self._document.encounter, "xp")
        command = self._award(each)
        self._do(msgspec.structs.replace(command, award=award.id if award is not None else "", at=_now()))

    def _award(self, each: int) -> awards.AwardExperience:
        counted = tuple(name for line, tick in self.ticks if tick.isChecked() for name in line.names)
        return awards.AwardExperience(each, self._sharers(), self.note.text().strip(), counted)

    def give_out(self) -> None:
        """Give out the ticked treasure that is new or has another owner."""
        for find, who in self._gifts():
            award = find.award.id if find.award is not None else ""
            self._document.execute(awards.AwardTreasure(find.known, who, award, _now()))
        self.focusReleased.emit()

    def award_milestone(self) -> None:
        """Record a milestone."""
        self._do(awards.AwardMilestone(self.note.text().strip(), at=_now()))

    def _do(self, command: awards.AwardExperience | awards.AwardMilestone) -> None:
        self._document.execute(command)
        self.focusReleased.emit()


def _now() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"


def _clear(rows: QVBoxLayout | QGridLayout) -> None:
    while (row := rows.takeAt(0)) is not None:
        discard(row.widget())
        inner = row.layout()
        while inner is not None and (item := inner.takeAt(0)) is not None:
            discard(item.widget())
