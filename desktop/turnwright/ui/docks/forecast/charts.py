"""The forecast's charts of falls, duration and sources of damage. Each has a text with the same content."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.encounter.running import Slot
from turnwright.encounter.state import Lookup
from turnwright.forecast.outlook import Outlook
from turnwright.forecast.sentences import falls_of_party, main_sources, owner_name, percent, pool_name, source_name
from turnwright.play.kernel.commands import combatant_names
from turnwright.ui.look.translations import tr
from turnwright.ui.models.forecast import LiveChance
from turnwright.ui.plots.bars import Bar, BarPlot
from turnwright.ui.plots.chance_line import ChanceLine
from turnwright.ui.plots.fan import FanMark, FanPlot, FanRow

MOST_SOURCES = 8
HUNDRED = tuple((part / 4, f"{25 * part} %") for part in range(5))


def show_falls(plot: BarPlot, outlook: Outlook) -> tuple[str, ...]:
    """Show each party member's chances of falling and dying, most likely first. Return the ids in the same order."""
    party = falls_of_party(outlook)
    bars = tuple(
        Bar(
            member.label,
            member.down.value,
            member.down.low,
            member.down.high,
            tr(sentence.key, **dict(sentence.params)),
            dark=member.dead.value,
        )
        for member, sentence in party
    )
    plot.set_bars(bars, HUNDRED, summary=tr("ui.forecast.falls-summary"))
    return tuple(member.who for member, _ in party)


def show_rounds(plot: FanPlot, lookup: Lookup, outlook: Outlook) -> None:
    """Show the party's hit points by round, and mark the round in which each countdown usually ends."""
    rows = tuple(
        FanRow(
            round_chances.round,
            round_chances.share,
            tr(
                "ui.forecast.round-row",
                n=round_chances.round,
                middle=percent(round_chances.share[2]),
                low=percent(round_chances.share[0]),
                high=percent(round_chances.share[4]),
                going=percent(round_chances.going_on),
            ),
        )
        for round_chances in outlook.by_round
    )
    ended = [pool for pool in outlook.pools if pool.ends.value > 0]
    marks = tuple(FanMark(pool.round[1], pool_name(lookup, pool.pool)) for pool in ended)
    plot.set_rows(rows, marks, axis=tr("ui.chart.axis-round"), summary=tr("ui.forecast.round-summary"))


def show_sources(plot: BarPlot, lookup: Lookup, outlook: Outlook) -> tuple[str, ...]:
    """Show the main sources of damage to the party. Return the owners' ids in the same order.

    Creatures have plain bars and environments hatched ones.
    """
    sources = main_sources(outlook, MOST_SOURCES)
    bars = []
    for source in sources:
        name, owner = source_name(lookup, source.owner, source.item), owner_name(lookup, source.owner)
        text = tr("ui.forecast.source-row", name=name, owner=owner, n=f"{source.damage:.1f}")
        bars.append(Bar(f"{name} ({owner})", source.damage, source.damage, source.damage, text, hatched=source.world))
    highest = max((source.damage for source in sources), default=1.0)
    step = max(1, round(highest / 4))
    ticks = tuple((float(at), str(at)) for at in range(0, int(highest) + step, step))
    plot.set_bars(tuple(bars), ticks, summary=tr("ui.forecast.source-summary"))
    return tuple(source.owner for source in sources)


def show_live(plot: ChanceLine, lookup: Lookup, live: Sequence[LiveChance]) -> None:
    """Show the chance of victory at each turn of the current fight."""
    chances = tuple(
        (
            turn.won.value,
            turn.won.low,
            turn.won.high,
            tr(
                "ui.forecast.live-row",
                round=turn.round,
                name=slot_name(lookup, turn.active),
                n=percent(turn.won.value),
                low=percent(turn.won.low),
                high=percent(turn.won.high),
            ),
        )
        for turn in live
    )
    plot.set_chances(chances, axis=tr("ui.forecast.live-axis"), summary=tr("ui.forecast.live-summary"))


def slot_name(lookup: Lookup, slot: str) -> str:
    """Return the names of the combatants in a turn-order slot, or its id if the slot no longer exists."""
    record = lookup.get(Slot, slot)
    return combatant_names(lookup, record.members) if record is not None else slot
