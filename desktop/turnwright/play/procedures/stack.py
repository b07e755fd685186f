"""The stack of what has been announced: who answers it and how, and then all of it, the newest first and moves last."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Announcement, Ask, Deed, Onslaught, Option, Procedure
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.assaults import assault_on, means_of
from turnwright.play.procedures.announcing import STACK, WINDOW, release, watch_in
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.procedures.questions import begin_deed
from turnwright.play.supplies import lacks
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts.actions import feature_of, own_options, possible_targets, refusals
from turnwright.rules.parts.announced import in_turn, is_asked, pending, reactors
from turnwright.rules.parts.means import is_attack
from turnwright.rules.system import RuleSystem, label_of

NOBODY = "nobody"
WHO, HOW, ANSWERED, WHOM = "who", "how", "answered", "whom"


def window(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask who reacts, of all who can; where nobody can, all that is announced is done."""
    found = reactors(tx, rules) if is_asked(tx, rules) and pending(tx) else ()
    if not found:
        return at(procedure, "resolve")
    options = (*(Option(one, label_of(tx, one)) for one in found), Option(NOBODY, "option.reacts_nobody"))
    rule = rules.cite("reaction.trigger")
    asked = Ask(WHO, "choice", "ask.who_reacts", options=options, suggested=(NOBODY,), rule=rule)
    ask(tx, procedure, "prompt.stack", [asked], subject=told(tx), rule=rule)
    return at(procedure, "react")


def told(lookup: Lookup) -> str:
    """Return in words what is announced, in the order of announcement."""
    return " > ".join(f"{label_of(lookup, one.who)}: {one.name}" for one in pending(lookup))


def react(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask whoever reacts how, and to what where more than one thing is announced."""
    who = next(iter(answers[WHO].chosen), NOBODY) if WHO in answers else NOBODY
    if who == NOBODY or tx.get(Combatant, who) is None:
        return at(procedure, "resolve")
    rule = rules.cite("round.off-turn")
    options = tuple(Option(id, name) for id, name in ways_to_react(tx, rules, who))
    asks = [Ask(HOW, "choice", "ask.reacts_how", who, label_of(tx, who), options=options, rule=rule)] if options else []
    newest_first = tuple(Option(one.id, f"{label_of(tx, one.who)}: {one.name}") for one in reversed(pending(tx)))
    if asks and len(newest_first) > 1:
        suggested, rule = (newest_first[0].id,), rules.cite("reaction.trigger")
        asks.append(
            Ask(ANSWERED, "choice", "ask.answers_what", who, options=newest_first, suggested=suggested, rule=rule)
        )
    ask(tx, procedure, "prompt.stack", asks, subject=told(tx), rule=rule)
    return at(procedure, "chosen", msgspec.structs.replace(watch_in(procedure), by=who, what=""))


def ways_to_react(tx: Transaction, rules: RuleSystem, who: str) -> list[tuple[str, str]]:
    """Return what somebody could do in answer, by id and name: what is theirs first, then what everybody can do.

    What takes more than they have left is no way, nor is what only turns one resource into another. What needs words is
    ordered by its own command.
    """
    found = [
        (one.id, one.name)
        for one, feature in own_options(tx, rules, who)
        if not refusals(tx, rules, who, one) and not lacks(tx, rules, who, feature)
    ]
    listed = [one for one in rules.catalogue.actions if _is_way(tx, rules, who, one)]
    return found + [(one.id, one.name) for one in listed]


def _is_way(tx: Transaction, rules: RuleSystem, who: str, option: ActionOption) -> bool:
    if option.gives or "note" in option.asks or refusals(tx, rules, who, option):
        return False
    return option.targets != "one" or bool(possible_targets(tx, rules, who, option))


def chosen(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Begin what somebody reacts with; of an attack or a feature it is asked first on whom."""
    data = watch_in(procedure)
    how = next(iter(answers[HOW].chosen), "") if HOW in answers else ""
    if not how or tx.get(Combatant, data.by) is None:
        return at(procedure, WINDOW)
    answered = next(iter(answers[ANSWERED].chosen), "") if ANSWERED in answers else ""
    feature = feature_of(tx, data.by, how) if how not in rules.actions else None
    data = msgspec.structs.replace(data, what=answered, source=how)
    if feature is None or not takes_targets(feature):
        begin_deed(tx, rules, Deed(data.by, how), procedure.id)
        return at(procedure, WINDOW, data)
    trigger = tx.get(Announcement, answered) or pending(tx)[-1]
    options = tuple(Option(one.id, one.label) for one in tx.all(Combatant) if one.id != data.by and not one.dead)
    suggested = (trigger.who,) if trigger.who != data.by else ()
    most = 1 if is_attack(feature) else 0
    rule = rules.cite("round.off-turn")
    asked = Ask(
        WHOM,
        "targets",
        "ask.reacts_at",
        data.by,
        feature.name,
        options=options,
        suggested=suggested,
        most=most,
        rule=rule,
    )
    ask(tx, procedure, "prompt.stack", [asked], subject=told(tx), rule=rule)
    return at(procedure, "aimed", data)


def takes_targets(feature: Feature) -> bool:
    """Return whether it has to be said on whom a feature is used: it is an attack, or somebody saves against it."""
    return is_attack(feature) or bool(feature.save)


def aimed(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Begin an attack, or a feature that some save against, in answer."""
    data = watch_in(procedure)
    feature = feature_of(tx, data.by, data.source)
    whom = tuple(one for one in answers[WHOM].chosen if tx.get(Combatant, one)) if WHOM in answers else ()
    if feature is None or not whom:
        return at(procedure, WINDOW)
    if is_attack(feature):
        assault = assault_on(tx, rules, data.by, whom[0], means_of(tx, rules, data.by, feature.id))
        begin(tx, "attack", "declare", assault, procedure.id)
    else:
        onslaught = Onslaught((data.by,), feature, whom, feature.save, feature.dc, feature.half)
        begin(tx, "onslaught", "announce", onslaught, procedure.id)
    return at(procedure, WINDOW)


def resolve(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let the next of what is announced be done; when nothing is left the stack is over."""
    following = next(iter(in_turn(tx)), None)
    if following is None:
        return None
    release(tx, rules, procedure, following)
    return at(procedure, "resolve")


STAGES: dict[tuple[str, str], Stage] = {
    (STACK, WINDOW): window,
    (STACK, "react"): react,
    (STACK, "chosen"): chosen,
    (STACK, "aimed"): aimed,
    (STACK, "resolve"): resolve,
}
