"""The command that adds a reminder to a running fight."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CountdownId, HundredOrNone, PositiveOrNone, Prose, WaveId
from turnwright.encounter.prepared import Countdown, Reminder, ReminderMoment
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


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
            Reminder(
                tx.create_id(Reminder, "reminder"),
                text,
                self.at,
                self.round,
                self.who,
                countdown,
                self.dice if countdown else 0,
                self.wave if self.at == "wave" else "",
                self.each_time,
            )
        )
