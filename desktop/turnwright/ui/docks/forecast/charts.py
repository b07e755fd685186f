"""The charts of the forecast: falls, duration and sources of damage. Each has a text with the same content."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.encounter.running import Slot
from turnwright.encounter.state import Lookup
from turnwright.forecast.outlook import Outlook
from turnwright.forecast.sentences import falls_of_party, main_sources, owner_name, percent, pool_name, source_name
from turnwright.play.kernel.commands import combatant_names
from turnwright.ui.models.forecast import LiveChance
from turnwright.ui.plots.bars import Bar, BarPlot
from turnwright.ui.plots.chance_line import ChanceLine
from turnwright.ui.plots.fan import FanMark, FanPlot, FanRow
from turnwright.ui.translations import tr

MOST_SOURCES = 8
HUNDRED = tuple((part / 4, f"{25 * part} %") for part in range(5))


def show_falls(plot: BarPlot, outlook: Outlook) -> tuple[str, ...]:
    """Show each party member's chance to fall and to die, the highest first. Return the combatants' ids in this order."""
    party = falls_of_party(outlook)
    bars = tuple(
        Bar(
            one.label,
            one.down.value,
            one.down.low,
            one.down.high,
            tr(sentence.key, **dict(sentence.params)),
            dark=one.dead.value,
        )
        for one, sentence in party
    )
    plot.set_bars(bars, HUNDRED, summary=tr("ui.forecast.falls-summary"))
    return tuple(one.who for one, _ in party)


def show_rounds(plot: FanPlot, lookup: Lookup, outlook: Outlook) -> None:
    """Show the party's hit points by round, and mark the round in which each countdown usually ends."""
    rows = tuple(
        FanRow(
            one.round,
            one.share,
            tr(
                "ui.forecast.round-row",
                n=one.round,
                middle=percent(one.share[2]),
                low=percent(one.share[0]),
                high=percent(one.share[4]),
                going=percent(one.going_on),
            ),
        )
        for one in outlook.by_round
    )
    ended = [pool for pool in outlook.pools if pool.ends.value > 0]
    marks = tuple(FanMark(one.round[1], pool_name(lookup, one.pool)) for one in ended)
    plot.set_rows(rows, marks, axis=tr("ui.chart.axis-round"), summary=tr("ui.forecast.round-summary"))


def show_sources(plot: BarPlot, lookup: Lookup, outlook: Outlook) -> tuple[str, ...]:
    """Show the sources of most damage to the party. Return the owners' ids in this order.

    Bars of creatures are plain, those of the environment hatched.
    """
    found = main_sources(outlook, MOST_SOURCES)
    bars = []
    for one in found:
        name, owner = source_name(lookup, one.owner, one.item), owner_name(lookup, one.owner)
        text = tr("ui.forecast.source-row", name=name, owner=owner, n=f"{one.damage:.1f}")
        bars.append(Bar(f"{name} ({owner})", one.damage, one.damage, one.damage, text, hatched=one.world))
    highest = max((one.damage for one in found), default=1.0)
    step = max(1, round(highest / 4))
    ticks = tuple((float(at), str(at)) for at in range(0, int(highest) + step, step))
    plot.set_bars(tuple(bars), ticks, summary=tr("ui.forecast.source-summary"))
    return tuple(one.owner for one in found)


def show_live(plot: ChanceLine, lookup: Lookup, live: Sequence[LiveChance]) -> None:
    """Show the chance of victory from turn to turn of the current fight."""
    chances = tuple(
        (
            one.won.value,
            one.won.low,
            one.won.high,
            tr(
                "ui.forecast.live-row",
                round=one.round,
                name=slot_name(lookup, one.active),
                n=percent(one.won.value),
                low=percent(one.won.low),
                high=percent(one.won.high),
            ),
        )
        for one in live
    )
    plot.set_chances(chances, axis=tr("ui.forecast.live-axis"), summary=tr("ui.forecast.live-summary"))


def slot_name(lookup: Lookup, slot: str) -> str:
    """Return the names of the combatants in a turn-order slot, or its id if the slot no longer exists."""
    found = lookup.get(Slot, slot)
    return combatant_names(lookup, found.members) if found is not None else slot
