"""How two stand to each other, as chips to click: what the map says, what was said at the table, what nobody knows.

An answer is kept for the pair (`Relate`), so that the next attack finds it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from turnwright.encounter.running import Relation
from turnwright.play.commands import Relate
from turnwright.rules.parts import positions
from turnwright.ui.bridge import Bridge
from turnwright.ui.say import say
from turnwright.ui.widgets.cycle_chip import CycleView

SEEN, SEEN_BY, FLANKED, REACHED, COVER = "seen", "seen-by", "flanked", "reached", "cover"
ASKED_AS: Mapping[str, str] = MappingProxyType(
    {"sees": SEEN, "target.sees": SEEN_BY, "flanks": FLANKED, "reaches": REACHED}
)
DISTANCES = ("within", "target.within")
HEIGHTS = ("higher", "lower", "target.higher", "target.lower")
YES, NO = "yes", "no"


def pair_views(bridge: Bridge, one: str, other: str, unknown: Collection[str], *, melee: bool) -> list[CycleView]:
    """Return the facts of a pair that have a chip; `unknown` are those the roll hangs on, as the engine names them."""
    lookup, rules = bridge.encounter, bridge.rules
    there, back = positions.relation(lookup, one, other), positions.relation(lookup, other, one)
    asked = {ASKED_AS[fact] for fact in unknown if fact in ASKED_AS}
    found = [
        _fact(bridge, SEEN, positions.sees(lookup, rules, one, other), _said(there, "seen"), asked),
        _fact(bridge, SEEN_BY, positions.sees(lookup, rules, other, one), _said(back, "seen"), asked),
    ]
    if melee:
        flanks = positions.flanks(lookup, rules, one, other)
        found.append(_fact(bridge, FLANKED, flanks, _said(there, "flanked"), asked))
    if REACHED in asked or _said(there, "reached"):
        reached = positions.in_reach(lookup, rules, one, other)
        found.append(_fact(bridge, REACHED, reached, _said(there, "reached"), asked))
    return [*found, _cover(bridge, one, other, there)]


def relate(one: str, other: str, fact: str, answer: str) -> Relate:
    """Return the command that keeps an answer about a pair."""
    if fact == COVER:
        return Relate(one, other, cover=answer)  # type: ignore[arg-type]
    holds = answer == YES
    if fact == SEEN_BY:
        return Relate(other, one, seen=holds)
    if fact == FLANKED:
        return Relate(one, other, flanked=holds)
    return Relate(one, other, reached=holds) if fact == REACHED else Relate(one, other, seen=holds)


def is_said(bridge: Bridge, one: str, other: str) -> bool:
    """Return whether anybody has said how the two stand to each other."""
    return any(positions.relation(bridge.encounter, *pair) is not None for pair in ((one, other), (other, one)))


def matters(unknown: Collection[str], words: tuple[str, ...]) -> bool:
    """Return whether a roll hangs on a figure, such as the distance."""
    return any(fact.partition(":")[0] in words for fact in unknown)


def left_over(unknown: Collection[str]) -> list[str]:
    """Return the unknown facts that have no place in a relation: they are said for one attack alone."""
    return [
        fact
        for fact in unknown
        if fact not in ASKED_AS and fact.partition(":")[0] not in (*DISTANCES, *HEIGHTS) and fact != COVER
    ]


def origin(bridge: Bridge, one: str, other: str, *, said: bool) -> str:
    """Return in words where an answer about two comes from."""
    lookup, rules = bridge.encounter, bridge.rules
    if said:
        return say("ui.attack.from-table")
    placed = all(positions.space(lookup, rules, who) is not None for who in (one, other))
    return say("ui.attack.from-map") if placed else say("ui.attack.from-nothing")


def _fact(bridge: Bridge, id: str, value: bool | None, said: bool, asked: set[str]) -> CycleView:
    state = "" if value is None else YES if value else NO
    tip = say(f"ui.attack.fact-{id}-tip")
    where = say("ui.attack.from-table") if said else say("ui.attack.from-map") if _on_map(bridge) and state else ""
    return CycleView(id, say(f"ui.attack.fact-{id}"), state, origin=where, tip=tip, matters=id in asked)


def _cover(bridge: Bridge, one: str, other: str, there: Relation | None) -> CycleView:
    lookup, rules = bridge.encounter, bridge.rules
    said = there is not None and bool(there.cover)
    grade = positions.cover_of(lookup, rules, one, other)
    state = grade if said or grade != "none" or _on_map(bridge) else ""
    names = {each.id: each.name for each in rules.catalogue.cover}
    where = say("ui.attack.from-table") if said else say("ui.attack.from-map") if state else ""
    answers = tuple((id, names.get(id, id).lower()) for id in names)
    label = say("ui.attack.fact-cover") if not state else ""
    return CycleView(COVER, label, state, answers, where, say("ui.attack.fact-cover-tip"))


def _said(pair: Relation | None, name: str) -> bool:
    return pair is not None and {"seen": pair.seen, "flanked": pair.flanked, "reached": pair.reached}[name] is not None


def _on_map(bridge: Bridge) -> bool:
    return positions.grid(bridge.encounter) is not None
