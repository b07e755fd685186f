"""Journal lines of a step: each event becomes a word key with names and numbers, as its class declares it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnwright.encounter.running import Clock
from turnwright.play.attacks.events import FeatureUsed
from turnwright.play.facts import StepFacts
from turnwright.play.kernel.events import Event, JournalLine, Phrase, line_of, phrase
from turnwright.play.kernel.journal import LabelLookup, Value, label_list
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import (
    ActionTaken,
    DamageTaken,
    EffectEnded,
    EffectGained,
    Healed,
    ResourceRestored,
    Skipped,
    UsesSpent,
)
from turnwright.play.turn_order.events import InitiativeSet
from turnwright.play.turns.events import RoundStarted, TurnStarted

Params = dict[str, Value]
# Of effects: where one comes from is told by the line before, a strength and whose turn it ends with only in some.
UNTOLD = frozenset({"source", "value", "whose"})


def lines_of(tx: Transaction, events: Sequence[Event], serial: int, seconds: int = 0) -> tuple[JournalLine, ...]:
    """Return the journal lines of a step's events, with the round and turn they fell in and the facts they state.

    `seconds` is the clock of the table.
    """
    names = LabelLookup(tx, tx.base)
    facts = StepFacts(tx, names, seconds)
    before = tx.base.get(Clock, "clock") or Clock()
    round_number, turn = before.round, before.active
    told = _merged(order_of_telling(events))
    lines: list[JournalLine] = []
    listed: list[Params] = []  # the parameters of each line that the last one is made of
    for place, (event, count) in enumerate(told):
        if isinstance(event, RoundStarted):
            round_number, turn = event.round, ""
        elif isinstance(event, TurnStarted):
            turn = event.who[0] if event.who else ""
        template = type(event).__journal__
        if template is None or (isinstance(event, Skipped) and not names.knows(event.who)):
            continue  # nothing is told of asks of combatants who are gone
        line_phrase, subject = line_of(event, template, names)
        following = told[place + 1][0] if place + 1 < len(told) else None
        if isinstance(event, FeatureUsed) and isinstance(following, UsesSpent):
            line_phrase = _with_uses(line_phrase, following)
        line = JournalLine(
            serial=serial,
            index=len(lines),
            round=round_number,
            phrase=line_phrase,
            kind=event.journal_kind,
            turn=turn,
            subject=subject,
            rule=event.rule,
            roll=getattr(event, "roll", None),
            why=event.why if isinstance(event, DamageTaken) else (),
            bookkeeping=event.is_bookkeeping,
            events=count,
            facts=facts.of(event),
        )
        params = dict(line_phrase.params)
        name = _list_name(lines[-1], listed, line, params) if lines else ""
        if name in event.journal_joins:
            listed.append(params)
            joined = msgspec.structs.replace(lines[-1], facts=(*lines[-1].facts, *line.facts))
            lines[-1] = _with_list(joined, listed, name, is_subject=name == event.journal_joins[0])
        else:
            lines.append(line)
            listed = [params]
    return tuple(lines)


def order_of_telling(events: Sequence[Event]) -> list[Event]:
    """Return events with the use of a feature before what it spends, and the concentration that it ends and begins."""
    told: list[Event] = []
    for event in events:
        place, begins = len(told), False
        while place and (_comes_of(told[place - 1], event) or (begins and isinstance(told[place - 1], EffectEnded))):
            place -= 1
            begins = begins or isinstance(told[place], EffectGained)
        told.insert(place, event)
    return told


def _merged(events: Sequence[Event]) -> list[tuple[Event, int]]:
    """Return events with how many each stands for: an action paid for in parts is one with the whole price."""
    merged: list[tuple[Event, int]] = []
    for event in events:
        last, count = merged[-1] if merged else (None, 0)
        if isinstance(event, ActionTaken) and isinstance(last, ActionTaken) and event.price and last.price:
            whole = msgspec.structs.replace(last, price=last.price + event.price)
            if whole == msgspec.structs.replace(event, price=whole.price):
                merged[-1] = whole, count + 1
                continue
        merged.append((event, 1))
    return merged


def _comes_of(event: Event, use: Event) -> bool:
    """Return whether an event is what a use of a feature, reported after it, spends or begins."""
    if isinstance(use, DamageTaken):  # what is absorbed heals
        absorbs = any(one.reason == "why.absorbed" for one in use.why)
        return absorbs and isinstance(event, Healed) and (event.target, event.source) == (use.target, use.source)
    if isinstance(use, EffectGained):  # a place in the order moves because of what makes unconscious
        return isinstance(event, InitiativeSet) and event.how == "shifted" and event.who == use.target
    if isinstance(use, FeatureUsed):
        who, name = use.who, use.feature
    elif isinstance(use, ActionTaken):
        who, name = (use.who,), use.action
    else:
        return False
    if isinstance(event, UsesSpent):
        return event.who in who and event.what == name
    if isinstance(event, ResourceRestored):
        return isinstance(use, ActionTaken) and event.who in who and event.after is not None
    return isinstance(event, EffectGained) and event.target in who and event.on == name


def _list_name(last: JournalLine, listed: Sequence[Params], line: JournalLine, params: Params) -> str:
    """Return the one parameter in which a line differs from all that the last one lists, empty where there is none."""
    alike = (last.phrase.key, last.kind, last.turn, last.bookkeeping)
    if alike != (line.phrase.key, line.kind, line.turn, line.bookkeeping):
        return ""
    told = last.phrase.key.endswith("_at"), not str(params.get("until", "")).startswith("<ends.own")
    untold = UNTOLD - {name for name, is_told in zip(("value", "whose"), told, strict=True) if is_told}
    differing = {
        name for before in listed for name in before if name not in untold and before[name] != params.get(name)
    }
    return differing.pop() if len(differing) == 1 else ""


def _with_list(line: JournalLine, listed: Sequence[Params], name: str, *, is_subject: bool) -> JournalLine:
    """Return a line with a list in the place of one parameter; `n` is how many there are in it of its subject."""
    joined = label_list(str(params[name]) for params in listed)
    count = {"n": len(listed)} if is_subject else {}
    told = phrase(line.phrase.key, **{**listed[0], name: joined, **count})
    return msgspec.structs.replace(line, phrase=told, events=line.events + 1)


def _with_uses(told: Phrase, spent: UsesSpent) -> Phrase:
    """Return the phrase of a feature's use with how many uses are left."""
    uses = {"slots": "slot_left", "legendary": "legendary_left"}.get(spent.use_key.partition(".")[0], "uses_left")
    params: Params = {"spent": f"<journal.{uses}>", "level": spent.level, "left": spent.left, "most": spent.maximum}
    return phrase(told.key, **{**dict(told.params), **params})
