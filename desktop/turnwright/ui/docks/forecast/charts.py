"""Charts, collapsible sections, and the question about the die in the Forecast panel.

The forecast's charts of falls, duration and sources of damage. Each has a text with the same content.

Each chart has a text with the same content. If the rules don't define a die, a question asks for it, and the answer
becomes a house rule of the encounter.
"""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import Encounter, Lookup, scene_of
from turnwright.forecast.estimate import Outlook
from turnwright.forecast.sentences import (
    Sentence,
    Share,
    change_label,
    change_sentence,
    falls_of_party,
    main_actions,
    main_sources,
    percent,
    pool_name,
)
from turnwright.forecast.sheet_builder import ChangeOutlook
from turnwright.play.kernel.transaction import Command, combatant_names
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.models.forecast import LiveChance
from turnwright.ui.plots.bars import Bar, BarPlot
from turnwright.ui.plots.chance_line import ChanceLine
from turnwright.ui.plots.fan import FanMark, FanPlot, FanRow
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import FlowRow, fill, horizontal, vertical
from turnwright.ui.widgets.text import mute, plain_label, push_button, text_button
from turnwright.workspace.fight_tuning import Variable, VariableKind, commands_for, variables_of

MOST_SOURCES, MOST_ACTIONS = 8, 12
HUNDRED = tuple((part / 4, f"{25 * part} %") for part in range(5))


def show_falls(plot: BarPlot, outlook: Outlook) -> tuple[str, ...]:
    """Show each party member's chances of falling and dying, most likely first. Return the ids in the same order."""
    party = falls_of_party(outlook)
    bars = []
    for member, sentence in party:
        down, text = member.down, sentence_text(sentence)
        bars.append(Bar(member.label, down.value, down.low, down.high, text, dark=member.dead.value))
    plot.set_bars(tuple(bars), HUNDRED, summary=tr("ui.forecast.falls-summary"))
    return tuple(member.who for member, _ in party)


def show_rounds(plot: FanPlot, lookup: Lookup, outlook: Outlook) -> None:
    """Show the party's hit points by round, and mark the round in which each countdown usually ends."""
    rows = []
    for chances in outlook.by_round:
        shares = {name: percent(chances.share[at]) for name, at in (("middle", 2), ("low", 0), ("high", 4))}
        text = tr("ui.forecast.round-row", n=chances.round, going=percent(chances.going_on), **shares)
        rows.append(FanRow(chances.round, chances.share, text))
    ended = [pool for pool in outlook.pools if pool.ends.value > 0]
    marks = tuple(FanMark(pool.round[1], pool_name(lookup, pool.pool)) for pool in ended)
    plot.set_rows(tuple(rows), marks, axis=tr("ui.chart.axis-round"), summary=tr("ui.forecast.round-summary"))


def show_sources(plot: BarPlot, lookup: Lookup, outlook: Outlook) -> tuple[str, ...]:
    """Show the main sources of damage to the party. Return the owners' ids in the same order.

    Creatures have plain bars and environments hatched ones.
    """
    return _show_shares(plot, "source", main_sources(lookup, outlook, MOST_SOURCES))


def show_actions(plot: BarPlot, lookup: Lookup, outlook: Outlook) -> tuple[str, ...]:
    """Show what the party's actions do: damage, and hatched the healing. Return the owners' ids in the same order."""
    return _show_shares(plot, "action", main_actions(lookup, outlook, MOST_ACTIONS, party=True))


def _show_shares(plot: BarPlot, kind: str, shares: Sequence[Share]) -> tuple[str, ...]:
    """Show a bar for each share of the damage or healing."""
    bars = []
    for share in shares:
        numbers = {"n": share.damage, "healing": share.healing, "uses": share.uses}
        text = tr(f"ui.forecast.{kind}-row", name=share.name, **{name: f"{each:.1f}" for name, each in numbers.items()})
        done, healing = share.damage + share.healing, share.healing
        bars.append(Bar(share.name, done, done, done, text, dark=healing, hatched=share.world))
    highest = max((bar.value for bar in bars), default=1.0)
    step = max(1, round(highest / 4))
    ticks = tuple((float(at), str(at)) for at in range(0, int(highest) + step, step))
    plot.set_bars(tuple(bars), ticks, summary=tr(f"ui.forecast.{kind}-summary"))
    return tuple(share.owner for share in shares)


def show_live(plot: ChanceLine, lookup: Lookup, live: Sequence[LiveChance]) -> None:
    """Show the chance of victory at each turn of the current fight."""
    chances = []
    for turn in live:
        won, name = turn.won, slot_name(lookup, turn.active)
        numbers = {"n": percent(won.value), "low": percent(won.low), "high": percent(won.high)}
        text = tr("ui.forecast.live-row", round=turn.round, name=name, **numbers)
        chances.append((won.value, won.low, won.high, text))
    plot.set_chances(tuple(chances), axis=tr("ui.forecast.live-axis"), summary=tr("ui.forecast.live-summary"))


def slot_name(lookup: Lookup, slot: str) -> str:
    """Return the names of the combatants in a turn-order slot, or its id if the slot no longer exists."""
    record = lookup.get(Slot, slot)
    return combatant_names(lookup, record.members) if record is not None else slot


class DieQuestion(QWidget):
    """Asks which die to roll for checks and attacks, with a button for each. Hidden once the encounter defines one."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self._options: tuple[tuple[str, str], ...] = ()
        self.label = plain_label("", "body", wraps=True)
        self.buttons: list[QPushButton] = []
        self._answers = FlowRow()
        fill(vertical(self, spacing=4), self.label, self._answers)

    def refresh(self) -> None:
        """Show the question if no die is defined yet, or hide it."""
        rules = self._document.rules
        options = rules.data.checks.die_options if not rules.check_die(self._document.encounter) else ()
        self.setVisible(bool(options))
        if not options or options == self._options:
            return
        self._options = options
        self.label.setText(tr("ui.forecast.which-die", die=_die(options[0][1])))
        self._answers.clear()
        self.buttons = [push_button(_die(die), partial(self._answer, option)) for option, die in options]
        fill(self._answers, *self.buttons)

    def _answer(self, option: str) -> None:
        scene = scene_of(self._document.encounter)
        self._document.execute(Edit(msgspec.structs.replace(scene, options=(*scene.options, option))))


def _die(dice: str) -> str:
    return dice.removeprefix("1")


class FoldSection(QWidget):
    """A title button that expands or collapses `body`, which has the layout `column`. Initially collapsed."""

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self.button = text_button("chevron-right", title)
        self.body = QWidget()
        self.column = vertical(self.body, spacing=4, margins=(16, 0, 0, 0))
        self.button.clicked.connect(lambda _on=False: self.set_open(is_open=self.body.isHidden()))
        fill(vertical(self, spacing=4), self.button, self.body)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.body.hide()

    def set_open(self, *, is_open: bool) -> None:
        """Expand or collapse the section."""
        self.body.setVisible(is_open)
        self.button.setIcon(icon("chevron-down" if is_open else "chevron-right"))


MOST_CHANGES = 8
VARIED = window_data("forecast.varied", dict[str, tuple[VariableKind, ...]])


def distinct(encounter: Encounter, changes: tuple[ChangeOutlook, ...]) -> tuple[ChangeOutlook, ...]:
    """Return the changes with the greatest noticeable effect, counting the members of a roster entry only once."""
    greatest: dict[tuple[str, str, str], ChangeOutlook] = {}
    for change in changes:
        combatant = encounter.get(Combatant, change.subject) if change.kind == "combatant" else None
        subject = combatant.roster if combatant is not None and combatant.roster else change.subject
        if change.difference.seen:
            greatest.setdefault((change.kind, subject, change.item), change)
    return tuple(greatest.values())[:MOST_CHANGES]


def show_changes(plot: BarPlot, encounter: Encounter, changes: tuple[ChangeOutlook, ...]) -> None:
    """Show each change as a bar to the left or right of zero, in percentage points of the chance of victory."""
    bars = []
    for outlook in changes:
        text = sentence_text(change_sentence(encounter, outlook))
        difference = outlook.difference
        label = sentence_text(change_label(encounter, outlook))
        bars.append(Bar(label, difference.value, difference.low, difference.high, text))
    edges = (edge for change in changes for edge in (change.difference.low, change.difference.high))
    reach = max(map(abs, edges), default=0.1)
    far_left, left, right, far_right = (
        (share * reach, f"{round(100 * share * reach):+}") for share in (-1.0, -0.5, 0.5, 1.0)
    )
    plot.set_bars(tuple(bars), (far_left, left, (0.0, "0"), right, far_right), summary=tr("ui.forecast.changes"))


def commands_for_change(begun: Encounter, encounter: Encounter, change: ChangeOutlook, merge: str) -> list[Command]:
    """Return the commands that apply a change to the prepared encounter as one undo step.

    If the change can't be applied, the list is empty. `begun` is the encounter with its fight started, on which the
    forecast is based.
    """
    subject = change.subject
    if change.kind == "combatant":
        combatant = begun.get(Combatant, change.subject)
        subject = combatant.roster if combatant is not None else ""

    def is_about(candidate: Variable) -> bool:
        return candidate.kind in VARIED[change.kind] and (candidate.subject, candidate.item) == (subject, change.item)

    variable = next((candidate for candidate in variables_of(encounter) if is_about(candidate)), None)
    if variable is None:
        return []
    value = {"combatant": variable.now - 1, "pool": variable.now + 1}.get(change.kind, 0)
    return commands_for(encounter, {variable: value}, {}, merge)


def sentence_text(sentence: Sentence) -> str:
    """Return a sentence in the language of the window."""
    return tr(sentence.key, **dict(sentence.params))


class ChangeRows(QWidget):
    """Lines of text. Those of changes have a button to apply them, which emits `requested(row)`."""

    requested = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[QLabel] = []
        self.buttons: list[QPushButton] = []
        self._column = vertical(self, spacing=4)

    def show_changes(
        self, encounter: Encounter, changes: tuple[ChangeOutlook, ...], can_be_made: Callable[[ChangeOutlook], bool]
    ) -> None:
        """List these changes. A change that can't be applied now has no button."""
        texts = map(sentence_text, (change_sentence(encounter, change) for change in changes))
        names = [sentence_text(change_label(encounter, change)) for change in changes]
        self.show_lines(list(zip(texts, names, map(can_be_made, changes), strict=True)))

    def show_sentences(self, sentences: Sequence[Sentence]) -> None:
        """Show sentences, without buttons."""
        self.show_lines([(sentence_text(sentence), "", False) for sentence in sentences])

    def show_lines(self, lines: Sequence[tuple[str, str, bool]]) -> None:
        """Show lines: the text and the name of a change, and whether it has a button."""
        while len(self.labels) < len(lines):
            self._add_row()
        for row, (label, button) in enumerate(zip(self.labels, self.buttons, strict=True)):
            text, name, has_button = lines[row] if row < len(lines) else ("", "", False)
            label.setVisible(row < len(lines))
            button.setVisible(has_button)
            label.setText(text)
            button.setAccessibleName(tr("ui.forecast.make-change-of", name=name))

    def set_stale(self, *, is_stale: bool) -> None:
        """Grey out the lines while they are out of date."""
        mute(self.labels, is_muted=is_stale)

    def _add_row(self) -> None:
        number = len(self.labels)
        self.labels.append(plain_label("", "body", wraps=True))
        button = push_button(tr("ui.forecast.make-change"), lambda: self.requested.emit(number), kind="quiet")
        self.buttons.append(button)
        self._column.addLayout(fill(horizontal(), (self.labels[-1], 1), button))
