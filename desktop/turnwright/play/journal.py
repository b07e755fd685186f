"""Journal lines of a step. Each event is converted to a word key with names and numbers, as declared in its class."""

from collections.abc import Sequence

import msgspec

from turnwright.encounter.running import Clock
from turnwright.play.attacks.attack_request import FeatureUsed
from turnwright.play.facts import StepFacts
from turnwright.play.kernel.events import Event, JournalLine, LabelLookup, Phrase, Value, label_list, line_of, phrase
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
from turnwright.play.turn_order.initiative import InitiativeSet
from turnwright.play.turns.turns import RoundStarted, TurnStarted

Params = dict[str, Value]
# Effect parameters: the previous line names the source, and only some lines show the strength or the last turn.
UNTOLD = frozenset({"source", "value", "whose"})


def lines_of(tx: Transaction, events: Sequence[Event], serial: int, seconds: int = 0) -> tuple[JournalLine, ...]:
    """Return the journal lines of a step's events, each with its round, its turn and its facts.

    `seconds` is the real time since the session was opened.
    """
    names = LabelLookup(tx, tx.base)
    facts = StepFacts(tx, names, seconds)
    before = tx.base.get(Clock, "clock") or Clock()
    round_number, turn = before.round, before.active
    ordered_events = _merged(order_of_telling(events))
    lines: list[JournalLine] = []
    merged_params: list[Params] = []  # parameters of each line that was merged into the last line
    for place, (event, count) in enumerate(ordered_events):
        if isinstance(event, RoundStarted):
            round_number, turn = event.round, ""
        elif isinstance(event, TurnStarted):
            turn = event.who[0] if event.who else ""
        template = type(event).__journal__
        if template is None or (isinstance(event, Skipped) and not names.knows(event.who)):
            continue  # skipped asks of removed combatants aren't reported
        line_phrase, subject = line_of(event, template, names)
        following = ordered_events[place + 1][0] if place + 1 < len(ordered_events) else None
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
        name = _list_name(lines[-1], merged_params, line, params) if lines else ""
        if name in event.journal_joins:
            merged_params.append(params)
            joined = msgspec.structs.replace(lines[-1], facts=(*lines[-1].facts, *line.facts))
            lines[-1] = _with_list(joined, merged_params, name, is_subject=name == event.journal_joins[0])
        else:
            lines.append(line)
            merged_params = [params]
    return tuple(lines)


def order_of_telling(events: Sequence[Event]) -> list[Event]:
    """Return events in journal order: the use of a feature precedes its costs and its effects on concentration."""
    ordered: list[Event] = []
    for event in events:
        place, begins = len(ordered), False
        while place and (
            _comes_of(ordered[place - 1], event) or (begins and isinstance(ordered[place - 1], EffectEnded))
        ):
            place -= 1
            begins = begins or isinstance(ordered[place], EffectGained)
        ordered.insert(place, event)
    return ordered


def _merged(events: Sequence[Event]) -> list[tuple[Event, int]]:
    """Merge actions that are paid for in several parts. Return each event with the number of events merged into it."""
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
    """Return whether an event is a cost or effect of a feature's use that is reported after it."""
    if isinstance(use, DamageTaken):  # absorbed damage heals
        absorbs = any(adjustment.reason == "why.absorbed" for adjustment in use.why)
        return absorbs and isinstance(event, Healed) and (event.target, event.source) == (use.target, use.source)
    if isinstance(use, EffectGained):  # falling unconscious moves a combatant in the turn order
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
    return isinstance(event, EffectGained) and event.target in who and name in (event.on, event.name)


def _list_name(last: JournalLine, merged_params: Sequence[Params], line: JournalLine, params: Params) -> str:
    """Return the only parameter in which a line differs from the merged ones, or an empty string."""
    alike = (last.phrase.key, last.kind, last.turn, last.bookkeeping)
    if alike != (line.phrase.key, line.kind, line.turn, line.bookkeeping):
        return ""
    shown_flags = last.phrase.key.endswith("_at"), not str(params.get("until", "")).startswith("<ends.own")
    ignored = UNTOLD - {name for name, is_shown in zip(("value", "whose"), shown_flags, strict=True) if is_shown}
    differing = {
        name for before in merged_params for name in before if name not in ignored and before[name] != params.get(name)
    }
    return differing.pop() if len(differing) == 1 else ""


def _with_list(line: JournalLine, merged_params: Sequence[Params], name: str, *, is_subject: bool) -> JournalLine:
    """Return a line in which one parameter is replaced by a list. `n` is the number of subjects in it."""
    joined = label_list(str(params[name]) for params in merged_params)
    count = {"n": len(merged_params)} if is_subject else {}
    list_phrase = phrase(line.phrase.key, **{**merged_params[0], name: joined, **count})
    return msgspec.structs.replace(line, phrase=list_phrase, events=line.events + 1)


def _with_uses(use_phrase: Phrase, spent: UsesSpent) -> Phrase:
    """Add the remaining uses to the phrase for the use of a feature."""
    uses = {"slots": "slot_left", "legendary": "legendary_left"}.get(spent.use_key.partition(".")[0], "uses_left")
    params: Params = {"spent": f"<journal.{uses}>", "level": spent.level, "left": spent.left, "most": spent.maximum}
    return phrase(use_phrase.key, **{**dict(use_phrase.params), **params})
