"""A block for each combatant to keep count in: hit points, conditions, what is spent, and how near death somebody is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.handouts.members import Company, Member
from turnwright.handouts.packet import Section
from turnwright.handouts.source import Kind, Leaf, Source
from turnwright.handouts.world import faces_of, one_line
from turnwright.rules.parts.economy import most

ID: Final = "tracking-sheets"
MOST_BOXES: Final = 20  # of one row; beyond them there is a line to write on
RECHARGE_BOXES: Final = 4


def make(source: Source) -> Leaf:
    """Return a block for each combatant, nothing where there is nobody."""
    company = Company(source)
    blocks = [_block(source, company, one) for one in company.chosen()]
    say = source.say
    temporary = source.rules.term("hp.temporary")
    words = {
        "ac": say("ui.roster.ac"),
        "hp": say("ui.roster.hp"),
        "temporary": say("handout.tracking-sheets.temporary") if temporary == "hp.temporary" else temporary,
    }
    return Leaf((Section(ID, {"blocks": blocks, "words": words}),)) if blocks else Leaf()


def _block(source: Source, company: Company, member: Member) -> dict[str, Any]:
    rows = [*_resources(source, company, member), *_supplies(source, member), *_dying(source, company, member)]
    lowest = source.rules.catalogue.health.lowest(member.hp)
    return {
        "name": member.label,
        "kind": member.kind,
        "player": one_line(member.entry.player),
        "ac": member.ac,
        "hp": member.hp,
        "lowest": lowest,
        "rows": [row for row in rows if row["boxes"] > 0],
        "more": member.more,
    }


def _row(lead: str, boxes: int, note: str = "", *, short: bool = False) -> dict[str, Any]:
    """Return a row of boxes, beyond so many a figure with a line to write on; a `short` one stands beside others."""
    return {"lead": lead, "boxes": boxes, "counted": boxes <= MOST_BOXES, "note": note, "short": short}


def _resources(source: Source, company: Company, member: Member) -> Iterable[dict[str, Any]]:
    """Yield what somebody may spend of what the game counts."""
    for resource in source.rules.catalogue.resources:
        yield _row(resource.name, most(company.table, member.id, resource), short=True)


def _supplies(source: Source, member: Member) -> Iterable[dict[str, Any]]:
    """Yield what runs out: slots by level, uses, what has to recharge, legendary actions."""
    say, creature = source.say, member.creature
    for level, count in creature.slots:
        yield _row(say("ui.stat-block.slots", level=level), count)
    for feature in creature.features:
        if feature.uses or feature.recharge:
            yield _supply(source, feature)
    yield _row(say("ui.stat-block.legendary"), creature.legendary, say("ui.stat.a-round", n=creature.legendary))


def _supply(source: Source, feature: Feature) -> dict[str, Any]:
    parts = [source.say(f"ui.feature.per-{feature.per}")] if feature.uses else []
    parts += [source.say("ui.stat.recharge", faces=faces_of(feature.recharge))] if feature.recharge else []
    return _row(one_line(feature.name), feature.uses or RECHARGE_BOXES, ", ".join(parts))


def _dying(source: Source, company: Company, member: Member) -> Iterable[dict[str, Any]]:
    """Yield what counts how near death somebody is, in the way of the game."""
    rules, say = source.rules, source.say
    figures = rules.catalogue.dying
    if figures.fall_fatigue or figures.doomed_at:
        yield _row(say("ui.stat-block.fatigue"), figures.doomed_at)
    if not member.hp or not rules.dying.makes_saves(company.table, rules, member.id):
        return
    yield _row(say("handout.tracking-sheets.saves-made"), figures.save.successes)
    yield _row(say("handout.tracking-sheets.saves-failed"), figures.save.failures)
    recovery = figures.recovery
    if recovery.kills:
        yield _row(say("handout.tracking-sheets.dying"), recovery.kills)
        for condition in (recovery.worse, recovery.sooner):
            if condition in rules.conditions:
                yield _row(rules.conditions[condition].name, recovery.kills - 1)


KIND = Kind(ID, make)
