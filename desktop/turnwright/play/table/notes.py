"""Notes in the journal, corrected lines, reminders, and the saved forecast."""

from __future__ import annotations

from turnwright.encounter.field_specs import (
    CombatantId,
    CountdownId,
    Hundred,
    HundredOrNone,
    Natural,
    PositiveOrNone,
    Prose,
    WaveId,
)
from turnwright.encounter.prepared import Countdown, NamedNumbers, Reminder, ReminderMoment
from turnwright.encounter.running import ForeseenFight
from turnwright.play.kernel.commands import Command, command, copy_fields
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@journal("journal.noted", kind="note")
class NoteAdded(Event, frozen=True):
    """A note was added by hand."""

    text: str


@command(script="note {text:rest}")
class AddNote(Command, frozen=True):
    """Add a note to the journal."""

    text: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add a note to the journal; refuse an empty one."""
        if not self.text.strip():
            raise Refused("refused.empty")
        tx.emit(NoteAdded(text=self.text.strip(), rule=""))


@command(script="correct {serial} {line} {text:rest}")
class CorrectLine(Command, frozen=True):
    """Replace an earlier line of the journal. `serial` is its step, and `line` is its position in the step."""

    serial: int
    line: int
    text: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Correct an earlier line. Refuse an empty text."""
        if not self.text.strip():
            raise Refused("refused.empty")
        tx.emit(LineCorrected(serial=self.serial, line=self.line, text=self.text.strip()))


@journal("journal.corrected", kind="correction")
class LineCorrected(Event, frozen=True):
    """An earlier line was corrected."""

    serial: int
    line: int
    text: str


@command(
    script="reminder {at} [round {round}] [about {who}] [countdown {countdown}] [dice {dice}] [wave {wave}] "
    "[each {each_time=true}] says {text:rest}"
)
class AddReminder(Command, frozen=True):
    """Add a reminder for a point in the fight. It appears once, or every time.

    `about` is the combatant that it watches.
    """

    text: Prose
    at: ReminderMoment = "round"
    round: PositiveOrNone = 0
    who: CombatantId = ""
    countdown: CountdownId = ""
    dice: HundredOrNone = 0
    wave: WaveId = ""
    each_time: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add a reminder. Refuse an empty text, or a countdown or wave reminder without the countdown or wave."""
        require_running(tx)
        text = self.text.strip()
        if not text:
            raise Refused("refused.empty")
        countdown = self.countdown if self.at == "countdown" else ""
        if self.at == "countdown":
            tx.need(Countdown, countdown)
        if self.at == "wave" and not self.wave:
            raise Refused("refused.unknown", params={"what": "?"})
        tx.put(
            copy_fields(
                Reminder,
                self,
                id=tx.create_id(Reminder, "reminder"),
                text=text,
                countdown=countdown,
                dice=self.dice if countdown else 0,
                wave=self.wave if self.at == "wave" else "",
            )
        )


@command(script="foreseen {won} percent rounds {rounds} [falls {falls}]")
class KeepForecast(Command, frozen=True):
    """Save the initial forecast with the fight: wins, rounds and how often each character falls.

    All values are percentages, except the rounds, which are tenths.
    """

    won: Hundred
    rounds: Natural
    falls: NamedNumbers = ()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Save the results of a forecast with the fight."""
        require_running(tx)
        tx.put(ForeseenFight(won=self.won, rounds=self.rounds, falls=self.falls))
