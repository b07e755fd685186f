"""The start page: which game, the last encounter, recent files and samples, and the ways to begin.

It is painted from the settings alone. The files are read in the background afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from turnwright.storage.adventures import RUN, encounter_at, found_adventures, plan_of, read_adventure, read_run
from turnwright.storage.resources import sample_encounters, sample_files
from turnwright.ui.docks.dock import Dock
from turnwright.ui.look.style import GAP, GROUP_GAP, scaled, time_text, tr
from turnwright.ui.services.actions import native_keys
from turnwright.ui.services.workers import BackgroundTask
from turnwright.ui.widgets import layout
from turnwright.ui.widgets.fields import KeyButton, KeyCap
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import MODIFIERS, IconLabel, PushButton, plain_label, pressed_character, push_button
from turnwright.workspace.files import games as games_of
from turnwright.workspace.files import in_head, system_title, title_in

if TYPE_CHECKING:
    from turnwright.ui.services.services import Services
    from turnwright.workspace.files import Recoverable
    from turnwright.workspace.settings import Folders

MOST_ROWS = 7
WIDTH, FIRST_WIDTH = 1400, 880


class StartEntry(msgspec.Struct, frozen=True):
    """A file on the page. `system` is the id of its rule system, and `detail` its folder and the time of its last change.

    `leftover` is the unsaved work of a crashed process, if there is any. Without a file, `path` is that of its log.
    """

    path: Path
    title: str
    system: str = ""
    detail: str = ""
    leftover: Recoverable | None = None


class EntryButton(PushButton):
    """A wide button with an icon, a title, a caption below it, a note at its end, and a key cap."""

    def __init__(
        self, icon_name: str, title: str, caption: str, slot: Callable[[], object], *, note: str = "", keys: str = ""
    ) -> None:
        super().__init__()
        self.keys = keys
        self.setAutoDefault(False)
        self.setAccessibleName(", ".join(text for text in (title, caption, note) if text))
        self.clicked.connect(lambda _checked=False: slot())
        row = self._row = layout.horizontal(self, spacing=12, margins=(12, GAP, 12, GAP))
        words = layout.fill(layout.vertical(spacing=2), ElidedLabel(title, "strong", lines=2))
        if caption:
            words.addWidget(ElidedLabel(caption, "caption", lines=2, tone="muted"))
        layout.fill(row, IconLabel(icon_name, "accent", 24), (words, 1))
        if note:
            row.addWidget(plain_label(note, "caption", "muted"))
        if keys:
            row.addWidget(KeyCap(keys))

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    minimumSizeHint = sizeHint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setMinimumHeight(self.sizeHint().height())  # the style sheet has set a lower one


class StartDock(Dock):
    """The start page, which fills the window until an encounter is opened or begun.

    Emits `gameRequested(system)` to choose a rule system, `openRequested(path)`, `sampleRequested(path)`, and
    `restoreRequested(leftover)` for unsaved work without a file.
    """

    name = "start"
    gameRequested = Signal(str)
    openRequested = Signal(object)
    restoreRequested = Signal(object)
    sampleRequested = Signal(object)

    _services: Any = None  # those of the window, or None in other windows

    def use_services(self, services: Services) -> None:
        self._services = services
        self._asks = False  # whether the page asks for the game
        self._recent: Sequence[StartEntry] = ()
        self._samples: Sequence[StartEntry] = ()
        self._adventures: Sequence[StartEntry] = ()
        self.buttons: dict[str, QAbstractButton] = {}  # by key
        self.first: QAbstractButton | None = None  # what Enter presses
        self._document.documentChanged.connect(self.refresh)
        self._theme.changed.connect(self.refresh)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._asks = False
        self.refresh()

    def refresh(self) -> None:
        """Show the page again if it is visible, first from the settings, then with what the files contain."""
        if self._services is None or not self.isVisible():
            return
        store = self._services.settings_store
        store.refresh()
        recent = tuple(map(Path, store.settings.recent))
        self._asks = self._services.status.is_unused and (self._asks or not (store.settings.game_chosen or recent))
        known = {entry.path: entry for entry in self._recent}
        self._recent = [known.get(path) or StartEntry(path, path.stem, detail=_folder(path)) for path in recent]
        self._build()
        systems, folders = self._document.source.systems.ids, self._services.workspace.folders
        BackgroundTask(lambda _progress: _read(recent, systems, folders), self).finished.connect(self._take_files)

    def _take_files(self, found: Sequence[list[StartEntry]]) -> None:
        """Show the titles of the files, and mark those with unsaved work."""
        if not self.isVisible():
            return
        leftovers = self._services.workspace.recoverable()
        unsaved = {leftover.path: leftover for leftover in leftovers if leftover.path is not None}
        unnamed = [_unnamed(leftover) for leftover in leftovers if leftover.path is None]
        recent = [msgspec.structs.replace(entry, leftover=unsaved.get(entry.path)) for entry in found[0]]
        self._recent, self._samples, self._adventures = [*unnamed, *recent], found[1], found[2]
        self._build()

    # The page --------------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        had_focus = self.first is None or layout.holds_focus(self)
        page, whole = QWidget(), QWidget()
        layout.fill(layout.horizontal(page, margins=24), whole)  # centred, if the window is wider
        whole.setMaximumWidth(scaled(WIDTH if self._recent else FIRST_WIDTH))
        body = layout.vertical(whole, spacing=12)
        self.buttons, self.first = {}, None
        if not self._recent:
            lead = plain_label(tr("ui.start.lead"), "body", "muted", wraps=True)
            layout.fill(body, plain_label(tr("ui.start.welcome"), "banner"), lead)
        if self._asks:
            self._add_games(body)
        if self._recent:
            self._add_last(body, self._recent[0])
            self._add_lists(body)
        else:
            self._add_ways(body)
        body.addStretch(1)
        self._add_foot(body)
        old = self.widget()
        self.setWidget(layout.frameless_scroll_area(page, self))
        page.setAutoFillBackground(False)  # otherwise Qt takes the panel for covered
        if old is not None:
            old.deleteLater()
        if had_focus:
            self.focus_prompt()

    def focus_prompt(self) -> bool:
        """Move the focus to the button that Enter presses. Return whether there is one."""
        if self.first is not None:
            self.first.setFocus(Qt.FocusReason.OtherFocusReason)
        return self.first is not None

    def _add_games(self, body: QVBoxLayout) -> None:
        """Add a button for each game, and tick the game of new encounters."""
        grid = layout.grid_layout(across=12, down=12)
        systems, chosen = self._document.source.systems, self._document.rules.id
        is_chosen = self._services.settings_store.settings.game_chosen
        games = [game.data for game in games_of(systems)]
        for number, game in enumerate(games):
            id = chosen if chosen in dict(game.editions) else game.id
            name, hint = game.name, tr(f"ui.start.plays-{game.id}")
            choose = partial(self.gameRequested.emit, id)
            button = self._button("dice-d20-outline", name, hint, choose, str(number + 1))
            button.setProperty("kind", "bulk")
            button.setCheckable(True)
            button.setChecked(id == chosen)
            grid.addWidget(button, number // 2, number % 2)
            if id == chosen and not is_chosen:
                self.first = button
        note = plain_label(tr("ui.start.game-hint"), "caption", "muted", wraps=True)
        layout.fill(body, plain_label(tr("ui.start.which-game"), "strong"), grid)
        for game in games:
            if game.editions:
                row = layout.fill(layout.horizontal(), plain_label(tr("ui.start.edition", name=game.name), "caption"))
                for id, edition in game.editions:
                    choice = push_button(edition, partial(self.gameRequested.emit, id), "quiet")
                    choice.setCheckable(True)
                    choice.setChecked(id == chosen)
                    choice.setAccessibleName(f"{game.name} ({edition})")
                    row.addWidget(choice)
                layout.fill(body, layout.fill(row, layout.STRETCH))
        layout.fill(body, note)

    def _add_ways(self, body: QVBoxLayout) -> None:
        """Add the ways to begin without recent files."""
        row = layout.horizontal(spacing=12)
        for name, keys, icon_name, slot in (
            ("sample", "S", "play-circle-outline", self._open_sample),
            ("party", "P", "account-group", partial(self._run, "add-party")),
            ("new", "N", "file-plus-outline", partial(self._run, "new")),
        ):
            button = self._button(icon_name, tr(f"ui.start.{name}"), tr(f"ui.start.{name}-hint"), slot, keys)
            row.addWidget(button, 1)
            self.first = self.first or button
        links = layout.fill(layout.horizontal(), self._link("new-adventure", "A"), self._link("open"))
        layout.fill(links, self._link("import-files"), layout.STRETCH)
        layout.fill(body, plain_label(tr("ui.start.how"), "strong"), row, links)

    def _add_last(self, body: QVBoxLayout, last: StartEntry) -> None:
        """Add the actions, and the card of the last encounter."""
        new, party = self._link("new", "N", tr("ui.start.new")), self._link("add-party", "P", tr("ui.start.party"))
        head = layout.fill(layout.horizontal(), plain_label(tr("ui.start.continue"), "strong"), layout.STRETCH)
        layout.fill(head, new, self._link("new-adventure", "A"), party, self._link("open"))
        card = layout.Card("accent")
        unsaved = tr("ui.start.unsaved") if last.leftover is not None else ""
        detail = " · ".join(part for part in (unsaved, self._game(last.system), last.detail) if part)
        words = layout.fill(layout.vertical(spacing=4), ElidedLabel(last.title, "number"), ElidedLabel(detail))
        go_on = KeyButton(tr("ui.start.continue"), partial(self._open, last), "Enter", "primary", "play", "strong")
        row = layout.horizontal(spacing=GROUP_GAP)
        card.body.addLayout(layout.fill(row, IconLabel("file-outline", "accent", 32), (words, 1), go_on))
        self.first = self.first or go_on
        layout.fill(body, head, card)

    def _add_lists(self, body: QVBoxLayout) -> None:
        """Add the adventures, the other recent files, and the samples, those of the chosen game first."""
        games = [self._document.rules.id, *self._document.source.systems.ids]
        samples = sorted(self._samples, key=lambda sample: games.index(sample.system))
        columns = layout.horizontal(spacing=24)
        for title, entries, action, icon_name in (
            ("adventures", self._adventures, "", "map-marker-path"),
            ("recent", self._recent[1:], "open-recent", "file-outline"),
            ("samples", samples, "open-sample", "book-open-variant"),
        ):
            if not entries:
                continue
            more = push_button(tr("ui.start.all"), partial(self._run, action), "quiet")
            more.setAccessibleName(f"{tr(f'ui.start.{title}')}: {tr('ui.start.all')}")
            head = layout.SectionHeader(tr(f"ui.start.{title}"))
            head.setFixedHeight(more.sizeHint().height() + GAP)
            if action and len(entries) > MOST_ROWS:
                head.add_widget(more)
            column = layout.fill(layout.vertical(spacing=2), head)
            for entry in entries[:MOST_ROWS]:
                note = tr("ui.start.unsaved") if entry.leftover is not None else self._game(entry.system)
                is_sample = title == "samples"
                slot = partial(self.sampleRequested.emit, entry.path) if is_sample else partial(self._open, entry)
                row = EntryButton(icon_name, entry.title, entry.detail, slot, note=note)
                row.setProperty("kind", "quiet")
                column.addWidget(row)
            column.addStretch(1)
            columns.addLayout(column, 1)
        body.addLayout(columns)

    def _add_foot(self, body: QVBoxLayout) -> None:
        foot = layout.fill(layout.horizontal(), IconLabel("lightbulb-outline", "muted"))
        layout.fill(foot, plain_label(tr("ui.start.commands"), "caption", "muted"), layout.STRETCH)
        if self._services.status.is_unused and not self._asks:
            name = system_title(self._document.source.systems, self._document.rules.id)
            layout.fill(foot, plain_label(tr("ui.start.game-now", name=name), "caption", "muted"))
            layout.fill(foot, push_button(tr("ui.start.change-game"), self._ask_game, "quiet"))
        body.addLayout(foot)

    def _button(self, icon_name: str, title: str, hint: str, slot: Callable[[], object], keys: str) -> EntryButton:
        button = self.buttons[keys] = EntryButton(icon_name, title, hint, slot, keys=keys)
        return button

    def _link(self, action: str, keys: str = "", text: str = "") -> KeyButton:
        """Return a quiet button for an action of the window, with a key of the page or the action's own."""
        spec = self._services.actions.table.spec(action)
        shown = keys or next(map(native_keys, spec.look.shortcuts), "")
        button = KeyButton(text or spec.plain_text, partial(self._run, action), shown, "quiet", spec.look.icon)
        if keys:
            self.buttons[keys] = button
        return button

    def _run(self, action: str) -> None:
        self._services.actions.run(action)

    def _ask_game(self) -> None:
        self._asks = True
        self._build()

    # Choices ---------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button whose key is typed, or the first one for Enter. Esc leaves the page."""
        plain = not event.modifiers() & MODIFIERS
        button = self.buttons.get(character) if (character := pressed_character(event)) else None
        if plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            button = self.first
        if button is not None:
            button.click()
        elif plain and event.key() == Qt.Key.Key_Escape:
            self._run("prepare")
        else:
            super().keyPressEvent(event)

    def _open(self, entry: StartEntry) -> None:
        if entry.leftover is not None and entry.leftover.path is None:
            self.restoreRequested.emit(entry.leftover)
        else:
            self.openRequested.emit(entry.path)

    def _open_sample(self) -> None:
        """Open the first sample of the chosen game, or of any game if it has none."""
        own = {self._document.rules.id, *dict(self._document.rules.data.editions)}
        samples = [(in_head(path, "system") not in own, path) for path in sample_encounters()]
        self.sampleRequested.emit(min(samples)[1])

    def _game(self, system: str) -> str:
        systems = self._document.source.systems
        return systems.get(system).word("system.short") if system in systems.ids else ""


def _folder(path: Path) -> str:
    """Return the folder of a file, with `~` for the user's home."""
    home, folder = Path.home(), path.parent
    return str(Path("~") / folder.relative_to(home) if folder.is_relative_to(home) else folder)


def _unnamed(leftover: Recoverable) -> StartEntry:
    """Return the entry of unsaved work without a file."""
    title, detail = leftover.title or tr("ui.window.untitled"), tr("ui.start.never-saved")
    return StartEntry(leftover.log, title, "", f"{detail} · {time_text(leftover.time.timestamp())}", leftover)


def _read(recent: Iterable[Path], systems: Collection[str], folders: Folders) -> Sequence[list[StartEntry]]:
    """Return the recent files that still exist, the samples, and the adventures, with what the files contain.

    If the last file belongs to an adventure, the adventure comes first.
    """
    found: list[StartEntry] = []
    last: list[StartEntry] = []
    plans = [plan for plan, _ in found_adventures(folders.adventures)]
    for path in recent:
        with suppress(OSError, ValueError):
            plan = plan_of(path)
            plans += [plan] if plan is not None and plan not in plans else []
            last += _adventure(plan, systems) if plan is not None and not found else []
            place = title_in(plan) if plan is not None else _folder(path)
            detail = f"{place} · {time_text(path.stat().st_mtime)}"
            found.append(StartEntry(path, title_in(path), in_head(path, "system"), detail))
    samples = [StartEntry(path, title_in(path), in_head(path, "system")) for path in sample_files()]
    return [*last, *found], samples, [entry for plan in plans for entry in _adventure(plan, systems)]


def _adventure(path: Path, systems: Collection[str]) -> Iterator[StartEntry]:
    """Yield the entry of an adventure, which opens its current step, or the first encounter that wasn't played."""
    plan, (run, _) = read_adventure(path, systems).adventure, read_run(path.with_name(RUN))
    steps = {key: step for key, step in zip(plan.keys, plan.steps, strict=True) if step.encounter} if plan else {}
    if plan is not None and steps:
        done = run.by_key
        step = next((steps[key] for key in steps if key not in done), next(iter(steps.values())))
        place = plan.place_of(run.at)
        here = encounter_at(path.parent, plan, run.at) if place >= 0 else None
        file = here or path.parent / step.encounter
        step = plan.steps[place] if place >= 0 else step
        now = title_in(file) if step.encounter and not step.title and file.is_file() else step.text
        detail = tr("ui.start.done", n=sum(key in done for key in steps), of=len(steps), now=now)
        yield StartEntry(file, plan.title or path.parent.name, plan.system, detail)
