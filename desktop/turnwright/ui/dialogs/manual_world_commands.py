"""Manual commands for time, environments and countdowns."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import CountdownPool
from turnwright.play.damage.commands.pass_time import PassTime
from turnwright.play.environment.commands.adjust_pool import AdjustPool
from turnwright.play.environment.commands.start_pool import StartPool
from turnwright.play.environment.commands.use_entry import UseEntry
from turnwright.play.kernel.commands import Command
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.ui.dialogs.manual_check_commands import CHECK_COMMANDS
from turnwright.ui.dialogs.manual_combatant_commands import COMBATANT_COMMANDS
from turnwright.ui.dialogs.manual_command_base import ManualCommandBase, combatant_ids, number_value, text_value
from turnwright.ui.dialogs.manual_command_dialog import ManualField, Options, Values
from turnwright.ui.translations import tr

OVER = ("expired", "stopped")


class PassTimeForm(ManualCommandBase):
    """Let hours pass outside the rounds."""

    id = "hours"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        return (ManualField("hours", "number", 1, minimum=1, unit=tr("ui.manual.hours-unit")),)

    def command(self, values: Values) -> Command | None:
        return PassTime(number_value(values, "hours") or 1)


class StartEncounterForm(ManualCommandBase):
    """Start the encounter, with the purpose of its rounds."""

    id = "start"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        return (ManualField("reason", "text", hint=tr("ui.manual.reason-hint")),)

    def command(self, values: Values) -> Command | None:
        return StartEncounter(text_value(values, "reason"))


class TriggerEnvironmentForm(ManualCommandBase):
    """Trigger an entry of an environment: actor, targets, and whether by an attack or a spell."""

    id = "trigger-environment"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        rows = self._rows()
        return (
            ManualField("row", "choice", next(iter(dict(rows)), ""), rows),
            ManualField("by", "choice", "", (("", tr("ui.roster-entry.no-combatant")), *self.combatants())),
            ManualField("combatants", "combatants", (), self.combatants()),
            ManualField("attack-total", "number", None, minimum=-20, maximum=99),
            ManualField("spell-level", "number", 0, maximum=9),
        )

    def command(self, values: Values) -> Command | None:
        environment, _, row = text_value(values, "row").partition("/")
        if not row:
            return None
        attack, level = number_value(values, "attack-total"), number_value(values, "spell-level") or 0
        return UseEntry(environment, row, text_value(values, "by"), combatant_ids(values), attack, level)

    def _rows(self) -> Options:
        return tuple(
            (f"{place.id}/{row.id}", f"{place.name}: {row.name}")
            for place in self._bridge.encounter.all(Environment)
            for row in (*place.actions, *place.features)
            if row.enabled
        )


class StartCountdownForm(ManualCommandBase):
    """Start a prepared countdown, or restart one that is over."""

    id = "pool-start"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        lookup = self._bridge.encounter
        known = {pool.id: pool.status for pool in lookup.all(CountdownPool)}
        idle = tuple((one.id, one.name) for one in lookup.all(Countdown) if known.get(one.id) != "running")
        return (ManualField("countdown", "choice", next(iter(dict(idle)), ""), idle),)

    def command(self, values: Values) -> Command | None:
        countdown = text_value(values, "countdown")
        return StartPool(countdown) if countdown else None


class CountdownDiceForm(ManualCommandBase):
    """Add or remove dice of a countdown, with a reason."""

    id = "pool-dice"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        lookup = self._bridge.encounter
        pools = [pool for pool in lookup.all(CountdownPool) if pool.status not in OVER]
        named = tuple((pool.id, lookup.need(Countdown, pool.countdown).name) for pool in pools)
        return (
            ManualField("pool", "choice", next(iter(dict(named)), ""), named),
            ManualField("dice", "number", 1, minimum=-99, maximum=99),
            ManualField("reason", "text", hint=tr("ui.manual.dice-hint")),
        )

    def command(self, values: Values) -> Command | None:
        pool, dice = text_value(values, "pool"), number_value(values, "dice") or 0
        return AdjustPool(pool, dice, text_value(values, "reason")) if pool and dice else None


MANUAL_COMMANDS: tuple[type[ManualCommandBase], ...] = (
    *COMBATANT_COMMANDS,
    *CHECK_COMMANDS,
    PassTimeForm,
    StartEncounterForm,
    TriggerEnvironmentForm,
    StartCountdownForm,
    CountdownDiceForm,
)
