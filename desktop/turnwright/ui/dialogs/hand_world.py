"""What can be said by hand about time, the surroundings and countdowns, each as a short form."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Pool
from turnwright.play.commands import AdjustPool, Command, PassTime, StartEncounter, StartPool, UseEntry
from turnwright.ui.dialogs.hand_act import ByHand, number_of, people_of, text_of
from turnwright.ui.dialogs.hand_acts import ACTS
from turnwright.ui.dialogs.hand_checks import CHECKS
from turnwright.ui.dialogs.hand_form import Item, Options, Values
from turnwright.ui.say import say

OVER = ("expired", "stopped")


class Hours(ByHand):
    """Let hours go by outside the rounds."""

    id = "hours"

    def items(self, values: Values) -> tuple[Item, ...]:
        return (Item("hours", "number", 1, least=1, unit=say("ui.hand.hours-unit")),)

    def command(self, values: Values) -> Command | None:
        return PassTime(number_of(values, "hours") or 1)


class Beginning(ByHand):
    """Start the encounter, saying why play goes by turns."""

    id = "start"

    def items(self, values: Values) -> tuple[Item, ...]:
        return (Item("reason", "text", hint=say("ui.hand.reason-hint")),)

    def command(self, values: Values) -> Command | None:
        return StartEncounter(text_of(values, "reason"))


class SetOff(ByHand):
    """Set off a row of the surroundings: by whom, on whom, by an attack on it or a spell."""

    id = "set-off"

    def items(self, values: Values) -> tuple[Item, ...]:
        rows = self._rows()
        return (
            Item("row", "choice", next(iter(dict(rows)), ""), rows),
            Item("by", "choice", "", (("", say("ui.place.nobody")), *self.everybody())),
            Item("people", "people", (), self.everybody()),
            Item("attack-total", "number", None, least=-20, most=99),
            Item("spell-level", "number", 0, most=9),
        )

    def command(self, values: Values) -> Command | None:
        environment, _, row = text_of(values, "row").partition("/")
        if not row:
            return None
        attack, level = number_of(values, "attack-total"), number_of(values, "spell-level") or 0
        return UseEntry(environment, row, text_of(values, "by"), people_of(values), attack, level)

    def _rows(self) -> Options:
        return tuple(
            (f"{place.id}/{row.id}", f"{place.name}: {row.name}")
            for place in self._bridge.encounter.all(Environment)
            for row in (*place.actions, *place.features)
            if row.enabled
        )


class PoolStart(ByHand):
    """Start a prepared countdown, or one that is over anew."""

    id = "pool-start"

    def items(self, values: Values) -> tuple[Item, ...]:
        lookup = self._bridge.encounter
        known = {pool.id: pool.status for pool in lookup.all(Pool)}
        idle = tuple((one.id, one.name) for one in lookup.all(Countdown) if known.get(one.id) != "running")
        return (Item("countdown", "choice", next(iter(dict(idle)), ""), idle),)

    def command(self, values: Values) -> Command | None:
        countdown = text_of(values, "countdown")
        return StartPool(countdown) if countdown else None


class PoolDice(ByHand):
    """Add dice to a countdown or take some, saying why."""

    id = "pool-dice"

    def items(self, values: Values) -> tuple[Item, ...]:
        lookup = self._bridge.encounter
        pools = [pool for pool in lookup.all(Pool) if pool.status not in OVER]
        named = tuple((pool.id, lookup.need(Countdown, pool.countdown).name) for pool in pools)
        return (
            Item("pool", "choice", next(iter(dict(named)), ""), named),
            Item("dice", "number", 1, least=-99, most=99),
            Item("reason", "text", hint=say("ui.hand.dice-hint")),
        )

    def command(self, values: Values) -> Command | None:
        pool, dice = text_of(values, "pool"), number_of(values, "dice") or 0
        return AdjustPool(pool, dice, text_of(values, "reason")) if pool and dice else None


ALL: tuple[type[ByHand], ...] = (*ACTS, *CHECKS, Hours, Beginning, SetOff, PoolStart, PoolDice)
