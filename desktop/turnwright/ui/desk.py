"""What the rows of the actions table ask and do: one object in front of the document, the files, the docks and the look.

It decides nothing about the game: what may be done is read from the encounter, and commands say the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QMessageBox, QWidget

from turnwright.encounter.pending import Prompt
from turnwright.encounter.prepared import Countdown, Creature, Environment, Handout, RosterEntry
from turnwright.encounter.running import Clock, Combatant, Dice, Effect, Slot
from turnwright.encounter.state import Key, Record, key_of
from turnwright.ui.arrangements import Name
from turnwright.ui.bridge import Bridge
from turnwright.ui.docking import Docks
from turnwright.ui.keeping import Keeper
from turnwright.ui.rules_way import RulesWay
from turnwright.ui.say import say
from turnwright.ui.theme import Choice, ThemeSource

if TYPE_CHECKING:
    from turnwright.play.commands import Command
    from turnwright.play.events import Phrase
    from turnwright.ui.actions import Installed
    from turnwright.ui.dialogs.messages import MessageBar
    from turnwright.ui.dialogs.palette import CommandPalette, PaletteEntry
    from turnwright.ui.exporting import Exporting
    from turnwright.ui.filing import Filing
    from turnwright.ui.importing import Importing
    from turnwright.ui.printing import Printing

SCALES = range(100, 201)


class Stage(Protocol):
    """What the desk asks of the window."""

    arrangement: Name
    installed: Installed[Desk]

    def arrange(self, name: Name) -> None:
        """Take on an arrangement."""

    def lay_out_again(self) -> None:
        """Put the docks back where the arrangement had them at first."""


class Desk:
    """The context of the actions table. `window` holds everything."""

    def __init__(
        self,
        window: QMainWindow,
        stage: Stage,
        bridge: Bridge,
        docks: Docks,
        filing: Filing,
        keeper: Keeper,
        theme: ThemeSource,
        messages: Callable[[], MessageBar],
        importing: Importing,
        exporting: Exporting,
        printing: Printing,
    ) -> None:
        self.importing = importing
        self.exporting = exporting
        self.printing = printing
        self.window = window
        self.bridge = bridge
        self.docks = docks
        self.filing = filing
        self.keeper = keeper
        self._stage = stage
        self._theme = theme
        self._messages = messages
        self._list: CommandPalette | None = None
        self.rules_way = RulesWay(window, docks)

    # What is the case ----------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """Where the encounter stands: `preparing`, `set-up`, `rounds` or `ended`."""
        return self._clock.phase

    @property
    def is_running(self) -> bool:
        """Whether an encounter is set up or goes on."""
        return self.phase in ("set-up", "rounds")

    @property
    def is_blocked(self) -> bool:
        """Whether the turn order waits for a prompt."""
        return any(prompt.blocks for prompt in self.bridge.encounter.all(Prompt))

    @property
    def is_asked(self) -> bool:
        """Whether a prompt waits for an answer."""
        return bool(self.bridge.encounter.ids(Prompt))

    @property
    def has_turn(self) -> bool:
        """Whether there is a turn that may end now."""
        return self.phase == "rounds" and bool(self._clock.active) and not self.is_blocked

    @property
    def undo_label(self) -> Phrase | None:
        """What undo would take back."""
        return self.bridge.document.session.undo_label

    @property
    def redo_label(self) -> Phrase | None:
        """What redo would bring back."""
        return self.bridge.document.session.redo_label

    @property
    def dice_mode(self) -> str:
        """Where faces come from."""
        dice = self.bridge.encounter.get(Dice, "dice")
        return dice.mode if dice else Dice().mode

    @property
    def arrangement(self) -> Name:
        """The arrangement the docks are in."""
        return self._stage.arrangement

    @property
    def theme_choice(self) -> Choice:
        """The theme that was chosen."""
        return self._theme.choice

    @property
    def scale(self) -> int:
        """The size of everything in percent."""
        return round(self._theme.scale * 100)

    @property
    def has_reduced_motion(self) -> bool:
        """Whether nothing fades or falls."""
        return self._theme.reduced_motion

    @property
    def _clock(self) -> Clock:
        return self.bridge.encounter.get(Clock, "clock") or Clock()

    # Preparing -----------------------------------------------------------------------------------------------------

    def add_creature(self) -> None:
        """Add a creature and one of it to the roster, and open it for writing."""
        from turnwright.play.commands import AddToEncounter

        made = self.bridge.rules.new_creature(self._free_id(Creature, "creature"), say("ui.new.creature"))
        entry = RosterEntry(id=self._free_id(RosterEntry, made.id), creature=made.id)
        self._add(AddToEncounter(made, entry), made, "creature")

    def add_environment(self) -> None:
        """Add an environment and open it for writing."""
        from turnwright.play.commands import Add

        made = Environment(id=self._free_id(Environment, "place"), name=say("ui.new.environment"))
        self._add(Add((made,)), made, "environment")

    def add_countdown(self) -> None:
        """Add a countdown and open it for writing."""
        from turnwright.play.commands import Add

        made = Countdown(id=self._free_id(Countdown, "countdown"), name=say("ui.new.countdown"))
        self._add(Add((made,)), made, "countdown")

    def _add(self, command: Command, made: Record, dock: str) -> None:
        if self.bridge.do(command):
            if self.bridge.encounter.record((made.table, made.id)) is not None:
                self.bridge.select((made.table, made.id))
            if self.arrangement == "prepare":
                self.docks.show(dock)

    def _free_id(self, kind: type[Record], stem: str) -> str:
        taken = set(self.bridge.encounter.ids(kind))
        number, id = 1, stem
        while id in taken:
            number += 1
            id = f"{stem}-{number}"
        return id

    # The encounter's course ----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Open the set-up of the encounter, and take on the run arrangement."""
        from turnwright.play.commands import StartEncounter

        if self.bridge.do(StartEncounter()):
            self.arrange("run")

    def reset(self) -> None:
        """Ask, then throw the running fight away."""
        from turnwright.play.commands import ResetToPrepared

        if self.ask(say("ui.reset.question"), say("ui.reset.detail"), say("ui.reset.yes")):
            self.bridge.do(ResetToPrepared())

    def answer(self) -> None:
        """Go to the most urgent of the prompts that wait; where none does, make an attack of whoever acts ready."""
        self.arrange("run")
        if self.is_asked:
            self.docks.enter("turn")
            return
        attack = getattr(self.docks.show("turn"), "open_attack", None)
        if attack is not None:
            attack()

    def write_amount(self, start: str) -> None:
        """Go to the box in the turn dock that takes damage and healing, with `start` written into it."""
        self.arrange("run")
        dock = self.docks.show("turn")
        fill = getattr(dock, "fill_damage", None)
        if fill is not None:
            fill(start)

    def ask(self, text: str, detail: str, yes: str) -> bool:
        """Ask before something is lost; Cancel is what Enter means."""
        box = QMessageBox(QMessageBox.Icon.NoIcon, say("ui.window.name"), text, parent=self.window)
        box.setInformativeText(detail)
        agree = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(say("ui.general.cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        box.exec()
        return box.clickedButton() is agree

    # Choosing ------------------------------------------------------------------------------------------------------

    def choose(self, id: str) -> None:
        """Offer the choices of an action in a list over the window."""
        self._open_list(lambda: self.choices(id))

    def choices(self, id: str) -> Sequence[PaletteEntry]:
        """Return what an action offers to choose from."""
        from turnwright.ui.dialogs.palette import PaletteEntry

        offers = {
            "open-sample": self.filing.sample_choices,
            "open-recent": self.filing.recent_choices,
            "export": self.exporting.choices,
            "go-to-turn": self._turn_choices,
            "call-for-checks": self._check_choices,
            "sudden-action": self._sudden_choices,
        }
        return [PaletteEntry(text, run, hint) for text, hint, run in offers[id]()]

    def _turn_choices(self) -> list[tuple[str, str, Callable[[], object]]]:
        from turnwright.play.commands import GoToTurn, JoinTurn
        from turnwright.play.joining import may_join
        from turnwright.play.procedures.order import turn_order

        along = may_join(self.bridge.encounter, self.bridge.rules)
        joining: list[tuple[str, str, Callable[[], object]]] = []
        if along is not None:
            text = say("ui.sudden.join", who=self._names(along))
            joining.append((text, str(along.count), partial(self.bridge.do, JoinTurn(along.id))))
        return joining + [
            (self._names(slot), str(slot.count), partial(self.bridge.do, GoToTurn(slot.id)))
            for slot in turn_order(self.bridge.encounter, self.bridge.rules)
        ]

    def _names(self, slot: Slot) -> str:
        found = (self.bridge.encounter.get(Combatant, who) for who in slot.members)
        return ", ".join(one.label for one in found if one is not None)

    def _check_choices(self) -> list[tuple[str, str, Callable[[], object]]]:
        from turnwright.play.commands import CallForChecks

        data = self.bridge.rules.catalogue
        checks = [(skill.name, f"{skill.ability}:{skill.id}") for skill in data.skills]
        checks += [(ability.name, ability.id) for ability in data.abilities]
        found: list[tuple[str, str, Callable[[], object]]] = []
        for side, who in self._sides():
            for name, check in checks:
                found.append((name, side, partial(self.bridge.do, CallForChecks(who, check))))
        return found

    def _sudden_choices(self) -> list[tuple[str, str, Callable[[], object]]]:
        from turnwright.play.commands import MarkOpener, SuddenAction

        found: list[tuple[str, str, Callable[[], object]]] = []
        for side, who in self._sides()[1:]:
            text = say("ui.sudden.side", side=side)
            found.append((text, "", partial(self.bridge.do, SuddenAction(who))))
        found.append((say("ui.sudden.nobody"), "", partial(self.bridge.do, SuddenAction())))
        if self.bridge.rules.catalogue.initiative.opener:
            for one in self.bridge.encounter.all(Combatant):
                text = say("ui.sudden.opener", who=one.label)
                found.append((text, one.side, partial(self.bridge.do, MarkOpener(one.id))))
        return found

    def _sides(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return who there is, by side: everyone first."""
        everybody = list(self.bridge.encounter.all(Combatant))
        sides = dict.fromkeys(one.side for one in everybody)
        named = [(side_name(side), tuple(one.id for one in everybody if one.side == side)) for side in sides]
        return [(say("ui.sides.everyone"), tuple(one.id for one in everybody)), *named]

    # Windows of their own ------------------------------------------------------------------------------------------

    def open_palette(self) -> None:
        """Open the list of everything that can be done now."""
        self._open_list(self._everything)

    def _everything(self) -> Sequence[PaletteEntry]:
        from turnwright.ui.dialogs.palette import PaletteEntry, entries_of

        entries = list(entries_of(self._stage.installed))
        lists = ["open-sample", *(["go-to-turn"] if self.phase == "rounds" else [])]
        for id in lists:
            hint = say(f"ui.action.{id}").replace("&", "").rstrip("…")
            entries += [PaletteEntry(one.text, one.run, hint) for one in self.choices(id)]
        return [*entries, *self._prepared(), *self._rules()]

    def _prepared(self) -> list[PaletteEntry]:
        """Return what was prepared, each to go to its editor."""
        from turnwright.ui.dialogs.palette import PaletteEntry

        encounter = self.bridge.encounter
        kinds = (
            (encounter.all(Creature), "creature", "paw"),
            (encounter.all(Environment), "environment", "earth"),
            (encounter.all(Countdown), "countdown", "timer-sand"),
        )
        named = [
            PaletteEntry(record.name, partial(self.edit, key_of(record)), say(f"ui.{word}.title"), icon=sign)
            for records, word, sign in kinds
            for record in records
        ]
        titled = [
            PaletteEntry(
                one.title or one.id, partial(self.edit, key_of(one)), say("ui.handout.title"), icon="email-outline"
            )
            for one in encounter.all(Handout)
        ]
        return named + titled

    def _rules(self) -> list[PaletteEntry]:
        """Return every rule of the ledger, each to be read in full; they show once something is typed."""
        from turnwright.ui.dialogs.palette import PaletteEntry
        from turnwright.ui.docks.explain import explainer

        sign = "book-open-variant"
        return [
            PaletteEntry(
                rule.title, partial(self.rules_way.open, rule.id), say("ui.rules.palette"), icon=sign, sought=True
            )
            for rule in explainer(self.bridge).ledger.rules.values()
        ]

    def edit(self, key: Key) -> None:
        """Go to the editor of something that was prepared."""
        from turnwright.ui.wiring import open_record

        self.arrange("prepare")
        open_record(self, key)

    def _open_list(self, entries: Callable[[], Sequence[PaletteEntry]]) -> None:
        from turnwright.ui.dialogs.palette import CommandPalette

        if self._list is not None:
            self._list.deleteLater()
        self._list = CommandPalette(self.window, entries)
        self._list.open_over(self.window)

    def quick_add(self) -> None:
        """Open the line that brings creatures in."""
        from turnwright.ui.dialogs.quick_add import QuickAddLine

        line = QuickAddLine(self.bridge, self.filing.find_creature, self.filing.creature_names, self.window)
        line.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line.open_over(self.window)

    def players_initiatives(self) -> None:
        """Open the form for all players' initiatives."""
        from turnwright.ui.dialogs.initiative import InitiativeForm

        _show(InitiativeForm(self.bridge, self.window))

    def by_hand(self, id: str) -> None:
        """Open the form for something said by hand."""
        from turnwright.ui.dialogs.hand_form import HandForm
        from turnwright.ui.dialogs.hand_world import ALL

        act = next(kind for kind in ALL if kind.id == id)
        _show(HandForm(self.bridge, act(self.bridge), self.window))

    def put_aside(self) -> None:
        """Put the most urgent of the prompts that wait aside, with all that it asks."""
        from turnwright.play.commands import Withdraw
        from turnwright.play.inquiries import open_prompts

        for prompt in list(open_prompts(self.bridge.encounter))[:1]:
            self.bridge.do(Withdraw(prompt.id))

    @property
    def has_people(self) -> bool:
        """Whether somebody stands on the table, before, in or after the rounds."""
        return bool(self.bridge.encounter.ids(Combatant))

    @property
    def has_effects(self) -> bool:
        """Whether an effect that a person sees holds for somebody."""
        return any(one.shown and one.target for one in self.bridge.encounter.all(Effect))

    @property
    def has_waves(self) -> bool:
        """Whether a fight runs, and a wave that may come waits."""
        from turnwright.play.procedures.waves import waiting_waves

        return self.is_running and bool(waiting_waves(self.bridge.encounter))

    @property
    def has_dead(self) -> bool:
        """Whether one of those on the table is dead."""
        return any(one.dead for one in self.bridge.encounter.all(Combatant))

    def show_keys(self) -> None:
        """Open the list of keys."""
        from turnwright.ui.dialogs.keys import KeyList, field_keys, key_rows

        _show(KeyList(self.window, [*key_rows(self._stage.installed.table), *field_keys()]))

    def about(self) -> None:
        """Say what this program is."""
        from turnwright.ui.dialogs.about import AboutDialog

        _show(AboutDialog(self.window))

    def why(self) -> None:
        """Explain what has the focus, or what it stands in; where nothing has an answer, say how to ask."""
        for widget in _from_focus_up():
            explain = getattr(widget, "explain", None)
            if explain is not None and explain():
                return
        self.tell(say("ui.why.how"))

    def tell(self, text: str, tone: str = "") -> None:
        """Say something in the window's bar."""
        self._messages().tell(text, tone)

    # The look ------------------------------------------------------------------------------------------------------

    def arrange(self, name: Name) -> None:
        """Take on an arrangement."""
        self._stage.arrange(name)

    def lay_out_again(self) -> None:
        """Put the docks back where they were at first."""
        self._stage.lay_out_again()

    def toggle_dock(self, id: str) -> None:
        """Go to a dock that is closed or stands behind another, or close one that is seen."""
        if self.docks.is_seen(id):
            self.docks.set_open(id, is_open=False)
        else:
            self.docks.enter(id)

    def next_dock(self, step: int) -> None:
        """Put the focus into the next dock, or the one before."""
        self.docks.enter_next(step)

    def choose_theme(self, choice: Choice) -> None:
        """Keep to a theme, or follow the system."""
        self._theme.choose(choice)
        self.keeper.change(theme=choice)

    def scale_by(self, percent: int) -> None:
        """Make everything larger or smaller."""
        self.scale_to(self.scale + percent)

    def scale_to(self, percent: int) -> None:
        """Set the size of everything, in percent."""
        held = min(SCALES[-1], max(SCALES[0], percent))
        self._theme.set_scale(held / 100)
        self.keeper.change(font_scale=held)

    def toggle_motion(self) -> None:
        """Let things fade and fall, or not."""
        self._theme.set_reduced_motion(not self._theme.reduced_motion)
        self.keeper.change(reduced_motion=self._theme.reduced_motion)


def _show(dialog: QDialog) -> None:
    """Show a dialog beside the work: nothing waits for it."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()


def side_name(side: str) -> str:
    """Return a side in words; one that a person has named stands as it is."""
    key = f"side.{side}"
    named = say(key)
    return side if named == key else named


def _from_focus_up() -> list[QWidget]:
    widgets = []
    widget = QApplication.focusWidget()
    while widget is not None:
        widgets.append(widget)
        widget = widget.parentWidget()
    return widgets
