"""Commands of the game master about combatants, dice, notes and snapshots."""

from typing import Annotated

from turnwright.dice.expression import Roll, RollSpec
from turnwright.encounter import field_specs
from turnwright.encounter.prepared import Countdown, NamedNumbers, Reminder, ReminderMoment, TokenRing
from turnwright.encounter.running import Combatant, Dice, DiceMode, InitialForecast, KnownName, kind_id
from turnwright.encounter.state import Lookup, ringed_label, unringed_label
from turnwright.play.kernel.events import CombatantEvent, Event, journal
from turnwright.play.kernel.transaction import (
    CombatantCommand,
    Command,
    Refused,
    TargetsCommand,
    Transaction,
    command,
    copy_fields,
    require,
    require_dice_expression,
    require_running,
    require_targets,
)
from turnwright.play.state.events import StatSet


@journal("journal.renamed")
class Renamed(CombatantEvent, frozen=True):
    """A combatant's label was changed."""

    before: str


@command(script="rename {who} {label:rest}")
class Rename(CombatantCommand, frozen=True):
    """Rename a combatant."""

    label: str

    def handle(self, tx: Transaction) -> None:
        """Change a combatant's label. Refuse an empty one."""
        require(self.label.strip(), "refused.no_name")
        before = tx.need(Combatant, self.who)
        if tx.update(before, label=self.label.strip()).label != before.label:
            tx.emit(Renamed(who=self.who, before=before.label))


@command(script="reveal name {who} [alone {alone=true}] [as {shown_as:rest}] | hide name {who} {forget=true}")
class SetKnownName(Command, frozen=True):
    """Tell players the names of combatants and all others of their kind, or give them another name."""

    who: field_specs.CombatantIds
    shown_as: str = ""
    alone: bool = False
    forget: bool = False

    def handle(self, tx: Transaction) -> None:
        """Record the names by which players know combatants. `alone`: others of their kind aren't included."""
        for who in require_targets(self.who):
            combatant = tx.need(Combatant, who)
            id = combatant.id if self.alone or not combatant.creature else kind_id(combatant.creature)
            if not self.forget:
                tx.put(KnownName(id, self.shown_as.strip()))
                continue
            tx.discard(KnownName, combatant.id)
            tx.discard(KnownName, id)


@journal("journal.side_changed", kind="warn", joins=("who",))
class SideChanged(CombatantEvent, frozen=True):
    """A combatant changed to another side."""

    before: field_specs.Side
    side: field_specs.Side


@command(script="side {targets} {side:rest}", manual="side")
class SetSide(TargetsCommand, frozen=True):
    """Move combatants to another side."""

    side: field_specs.Side

    def handle(self, tx: Transaction) -> None:
        """Change the side of combatants. Refuse an empty side."""
        side = self.side.strip()
        require(side, "refused.no_side")
        for who in require_targets(self.targets):
            combatant = tx.need(Combatant, who)
            if combatant.side != side:
                tx.update(combatant, side=side)
                tx.emit(SideChanged(who=who, before=combatant.side, side=side))


@command(script="ring {ring} {targets} | unring {targets}")
class SetRing(TargetsCommand, frozen=True):
    """Set the ring colour of combatants' miniatures, or remove their rings. The colour becomes part of their names."""

    ring: TokenRing = ""

    def handle(self, tx: Transaction) -> None:
        """Set the ring colour of combatants and add it to their labels."""
        for who in require_targets(self.targets):
            combatant = tx.need(Combatant, who)
            if combatant.ring != self.ring:
                other_labels = {other.label for other in tx.all(Combatant) if other.id != who}
                bare = unringed_label(combatant.label, combatant.ring, other_labels)
                tx.update(combatant, ring=self.ring, label=ringed_label(bare, self.ring, other_labels))


@command(script="portrait {who} [{portrait:rest}]")
class SetPortrait(CombatantCommand, frozen=True):
    """Give a combatant its own portrait (a file next to the encounter), or use its creature's portrait again."""

    portrait: str = ""

    def handle(self, tx: Transaction) -> None:
        """Give a combatant its own portrait, or use its creature's portrait again."""
        tx.update(tx.need(Combatant, self.who), portrait=self.portrait.strip())


@command(script="hide {who} {hidden=true} | reveal {who}")
class SetHidden(Command, frozen=True):
    """Hide combatants from the players, or show them."""

    who: field_specs.CombatantIds
    hidden: bool = False

    def handle(self, tx: Transaction) -> None:
        """Hide combatants from the players' view, or show them."""
        for who in require_targets(self.who):
            tx.update(tx.need(Combatant, who), hidden=self.hidden)


@command(script="plan {who} {text:rest}")
class SetPlan(CombatantCommand, frozen=True):
    """Note what a combatant plans to do on its next turn. The plan isn't binding."""

    text: str

    def handle(self, tx: Transaction) -> None:
        """Note a plan, which costs nothing."""
        tx.update(tx.need(Combatant, self.who), plan=self.text)
        tx.emit(Planned(who=self.who, text=self.text, rule=tx.rule_id("offturn.plan")))


@journal("journal.planned")
class Planned(CombatantEvent, frozen=True):
    """A combatant's plan was noted."""

    text: str


@command(script="display {targets} (damage | hp {counts_damage=false})", manual="damage-count")
class SetDamageCount(TargetsCommand, frozen=True):
    """Show the damage taken or the remaining hit points (`hp`) of combatants."""

    counts_damage: bool = True

    def handle(self, tx: Transaction) -> None:
        """Set whether the damage taken or the remaining hit points of combatants are shown."""
        for who in require_targets(self.targets):
            tx.update(tx.need(Combatant, who), counts_damage=self.counts_damage)


@command(script="stat {who} {stat} {value}")
class SetStat(CombatantCommand, frozen=True):
    """Enter a number that is missing from a stat block, such as `passive.perception`, for the rest of the fight."""

    stat: field_specs.StatName
    value: Annotated[int, field_specs.FieldSpec(least=0, most=field_specs.MAX_NUMBER, label="set-stat.number")]

    def handle(self, tx: Transaction) -> None:
        """Record a number missing from a stat block. It applies until another value is entered."""
        require(self.stat.strip(), "refused.empty")
        combatant = tx.need(Combatant, self.who)
        numbers = dict(combatant.supplied_numbers) | {self.stat: self.value}
        tx.update(combatant, supplied_numbers=tuple(numbers.items()))
        rule = tx.rule_id("passive.scores") if self.stat.startswith("passive.") else ""
        tx.emit(StatSet(who=self.who, stat=self.stat, value=self.value, rule=rule))


@command(
    script="dice {script:faces} {mode=script} | dice roll {mode=roll} | dice ask {mode=ask} "
    "| dice seed {seed} {mode:dice-mode}"
)
class SetDice(Command, frozen=True):
    """Set whether dice results are typed by you, rolled by Turnwright or listed in a script.

    If `seed` is None, the seed doesn't change.
    """

    mode: DiceMode
    seed: int | None = None
    script: tuple[int, ...] = ()

    def handle(self, tx: Transaction) -> None:
        """Set the source of dice results. A new seed restarts its sequence."""
        seeded = (tx.get(Dice, "dice") or Dice()) if self.seed is None else Dice(seed=self.seed)
        tx.update(seeded, mode=self.mode, script=self.script)


@command(script="roll dice {dice} [{purpose}]")
class RollDice(Command, frozen=True):
    """Roll dice and record the result in the journal, without further effects."""

    dice: field_specs.DiceText
    purpose: field_specs.Prose = ""

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the purpose of the roll, or its dice."""
        return self.purpose or self.dice

    def handle(self, tx: Transaction) -> None:
        """Roll the dice automatically, or take the results from the script."""
        require_dice_expression(self.dice)
        rolled = tx.roll_now(RollSpec(self.dice))
        if rolled is None:
            raise Refused("refused.no_faces")
        tx.emit(DiceRolled(dice=self.dice, roll=rolled, purpose=self.purpose.strip()))


@journal("journal.dice_rolled", kind="roll", when={"purpose": "journal.dice_rolled_for"}, total="roll")
class DiceRolled(Event, frozen=True):
    """Dice were rolled."""

    dice: str
    roll: Roll
    purpose: str = ""


@journal("journal.noted", kind="note")
class NoteAdded(Event, frozen=True):
    """A note was added by hand."""

    text: str


@command(script="note {text:rest}")
class AddNote(Command, frozen=True):
    """Add a note to the journal."""

    text: str

    def handle(self, tx: Transaction) -> None:
        """Add a note to the journal; refuse an empty one."""
        require(self.text.strip(), "refused.empty")
        tx.emit(NoteAdded(text=self.text.strip(), rule=""))


@command(
    script="reminder {at} [round {round}] [about {who}] [countdown {countdown}] [dice {dice}] [wave {wave}] "
    "[each {each_time=true}] says {text:rest}"
)
class AddReminder(Command, frozen=True):
    """Add a reminder for a point in the fight. It appears once, or every time.

    `about` is the combatant that it watches.
    """

    text: field_specs.Prose
    at: ReminderMoment = "round"
    round: field_specs.PositiveOrNone = 0
    who: field_specs.CombatantId = ""
    countdown: field_specs.CountdownId = ""
    dice: field_specs.HundredOrNone = 0
    wave: field_specs.WaveId = ""
    each_time: bool = False

    def handle(self, tx: Transaction) -> None:
        """Add a reminder. Refuse an empty text, or a countdown or wave reminder without the countdown or wave."""
        require_running(tx)
        text = self.text.strip()
        require(text, "refused.empty")
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


@command(script="forecast {won} percent rounds {rounds} [falls {falls}]")
class KeepForecast(Command, frozen=True):
    """Save the initial forecast with the fight: wins, rounds and how often each character falls.

    All values are percentages, except the rounds, which are tenths.
    """

    won: field_specs.Hundred
    rounds: field_specs.Natural
    falls: NamedNumbers = ()

    def handle(self, tx: Transaction) -> None:
        """Save the results of a forecast with the fight."""
        require_running(tx)
        tx.put(InitialForecast(won=self.won, rounds=self.rounds, falls=self.falls))
