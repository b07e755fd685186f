"""What comes back at a turn's start, where somebody both gains and loses some of it: which of it is lost is theirs to say."""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Option, Procedure, Watch
from turnwright.encounter.running import Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.resources import refill
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import Resource
from turnwright.rules.parts import economy
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.regaining import regained
from turnwright.rules.system import RuleSystem, label_of

USUAL, EXTRA = "usual", "extra"


def give_back(tx: Transaction, rules: RuleSystem, who: tuple[str, ...], parent: str = "") -> None:
    """Give back to each what a turn's start gives back; where a choice is theirs, once they have made it."""
    for one in who:
        choosing = _choosing(tx, rules, one)
        if choosing:
            begin(tx, "regain", "choose", Watch(one, what=choosing[0].id), parent)
        else:
            refill(tx, rules, one, "turn-start")


def _choosing(lookup: Lookup, rules: RuleSystem, who: str) -> list[Resource]:
    """Return the resources of which somebody gains and loses some at once."""
    found = []
    for resource in rules.catalogue.resources:
        if resource.amount and resource.refill == "turn-start":
            change = regained(lookup, rules, who, resource)
            if change.more and change.fewer:
                found.append(resource)
    return found


def choose(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask which of all there would be are lost: of the usual ones, or of those that came besides."""
    data = watch_of(procedure)
    resource = rules.resources[data.what]
    most, change = economy.most(tx, data.who, resource), regained(tx, rules, data.who, resource)
    usual = tuple(Option(f"{USUAL}.{n}", "option.usual_one") for n in range(1, most + 1))
    extra = tuple(Option(f"{EXTRA}.{n}", "option.extra_one") for n in range(1, change.more + 1))
    lost = min(change.fewer, most + change.more)
    rule = rules.cite("turn.choose-lost")
    asked = Ask(
        "lost",
        "targets",
        "ask.lost",
        data.who,
        f"{resource.name}: {lost}",
        options=(*usual, *extra),
        suggested=tuple(one.id for one in (*usual, *extra)[:lost]),
        most=lost,
        rule=rule,
    )
    ask(tx, procedure, "prompt.lost", [asked], subject=label_of(tx, data.who), rule=rule)
    return at(procedure, "chosen")


def chosen(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Give back the rest, and keep how many of those that came besides are among it."""
    data = watch_of(procedure)
    if is_out(tx, data.who):
        return
    more = regained(tx, rules, data.who, rules.resources[data.what]).more
    lost = answers["lost"].chosen if "lost" in answers else ()
    kept = more - sum(one.startswith(EXTRA) for one in lost)
    refill(tx, rules, data.who, "turn-start")
    name = f"{data.what}-{EXTRA}"
    tx.put(Track(track_id(data.who, name), data.who, name, kept))


STAGES: dict[tuple[str, str], Stage] = {
    ("regain", "choose"): choose,
    ("regain", "chosen"): chosen,
}
