"""What the surroundings do to those in them, read from environment rows: whom a row reaches and when it speaks."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Entry, Environment
from turnwright.encounter.running import Combatant, Effect, EntryState, entry_state_id
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NOTHING, Contribution, Moment, Offer
from turnwright.rules.parts.areas import lies_in
from turnwright.rules.parts.statements import holds
from turnwright.rules.parts.table_rules import change_of, is_left_alone
from turnwright.rules.system import RuleSystem

HEARING_LIMITED = "hearing-limited"


def entry_in(environment: Environment, entry: str) -> Entry | None:
    """Return a row of an environment by its id."""
    return next((row for row in (*environment.features, *environment.actions) if row.id == entry), None)


def state_of(lookup: Lookup, environment: str, entry: str) -> EntryState:
    """Return what running has made of a row; one that nothing has happened to is ready and whole."""
    id = entry_state_id(environment, entry)
    return lookup.get(EntryState, id) or EntryState(id=id, environment=environment, entry=entry)


def stands_in(lookup: Lookup, who: str, environment: str, feature: str = "", rules: RuleSystem | None = None) -> bool:
    """Return whether somebody stands in the area of an environment, or of one feature of it.

    Those whom nobody put outside do, unless a map says where it lies. Without `rules` a space counts as one square.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None or environment in combatant.outside:
        return False
    return lies_in(lookup, who, environment, feature, rules) is not False


def rows_around(lookup: Lookup, who: str, rules: RuleSystem | None = None) -> Iterator[tuple[Environment, Entry]]:
    """Yield each standing feature that is switched on and whole where somebody stands."""
    for environment in lookup.all(Environment):
        for row in environment.features:
            if is_there(lookup, environment, row) and stands_in(lookup, who, environment.id, row.id, rules):
                yield environment, row


def is_there(lookup: Lookup, environment: Environment, row: Entry) -> bool:
    """Return whether a row is switched on and whole."""
    return row.enabled and not state_of(lookup, environment.id, row.id).broken


def eligible(lookup: Lookup, environment: Environment, row: Entry, rules: RuleSystem | None = None) -> list[Combatant]:
    """Return whom a row can reach: the living in its area, less those it has had once for all or leaves alone."""
    had = state_of(lookup, environment.id, row.id).targeted if row.once == "encounter" else ()
    change = change_of(lookup, rules, environment, row.id) if rules else None
    where = (change.where if change else "") or row.id
    return [
        combatant
        for combatant in lookup.all(Combatant)
        if not combatant.dead
        and combatant.id not in had
        and not (rules and is_left_alone(lookup, rules, combatant.id))
        and stands_in(lookup, combatant.id, environment.id, where, rules)
    ]


def spared_by(lookup: Lookup, rules: RuleSystem, who: str, row: Entry) -> str:
    """Return the statement that spares somebody from a row, empty where none does."""
    return next((statement for statement in row.spared if holds(lookup, rules, who, statement)), "")


def ending_turn_in(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At TURN_ENDING: rows that concern whoever ends a turn in them."""
    offers = tuple(
        Offer(environment.id, row.id, moment.who)
        for environment, row in rows_around(lookup, moment.who, rules)
        if row.trigger == "turn-end"
    )
    return Contribution(offers=offers) if offers else NOTHING


def dashing_through(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At MOVED: rows of the ground `what` that concern whoever dashes over it."""
    ground = lookup.get(Environment, moment.what)
    if ground is None or not holds(lookup, rules, moment.who, "dashing"):
        return NOTHING
    rows = [row for row in ground.features if is_there(lookup, ground, row) and row.trigger == "dash"]
    return Contribution(offers=tuple(Offer(ground.id, row.id, moment.who) for row in rows))


def extra_per_die(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At DAMAGE_INCOMING: a point for every die rolled of a type that the place makes worse."""
    part = moment.part
    if part is None or not part.dice or not part.kind:
        return NOTHING
    modifiers = tuple(
        Modifier(part.dice, row.name, ledger_for(row, rules.cite("env.rule.thunder-per-die")))
        for _, row in rows_around(lookup, moment.who, rules)
        if row.per_die == part.kind
    )
    return Contribution(modifiers=modifiers)


def ledger_for(row: Entry, rule: str = "") -> str:
    """Return the ledger id a row cites for something: the rule asked for where it is one of its own, else its first."""
    return rule if rule and rule in row.rules else row.rules[0] if row.rules else ""


def ground_cost(lookup: Lookup, environment: str, turned: bool) -> Modifier | None:
    """Return the surcharge for each foot on an environment's ground: 1 where it is difficult, however often."""
    ground = lookup.get(Environment, environment)
    for row in ground.features if ground else ():
        if row.enabled and row.terrain == "difficult" and (turned or not row.redirect):
            return Modifier(1, row.name, ledger_for(row))
    return None


def hears(lookup: Lookup, listener: str, distance: int, loud: bool = False) -> bool:
    """Return whether a sound that carries so many feet of quiet air reaches a listener: nothing drowns out a loud one."""
    return loud or distance <= hearing_limit(lookup, listener)


def hearing_limit(lookup: Lookup, listener: str) -> int:
    """Return the feet within which a listener hears what is not loud; a great number where nothing limits it."""
    limits = [row.hearing for _, row in rows_around(lookup, listener) if row.hearing]
    limits += [
        effect.value for effect in lookup.all(Effect) if effect.name == HEARING_LIMITED and effect.target == listener
    ]
    return min(limits, default=1_000_000)


def sound_carries(lookup: Lookup, who: str, feet: int) -> int:
    """Return how far a sound that elsewhere is heard at `feet` carries where somebody stands."""
    for _, row in rows_around(lookup, who):
        feet *= row.sound
    return feet


def visibility(lookup: Lookup, who: str, rules: RuleSystem | None = None) -> str:
    """Return `clear`, `lightly obscured` or `heavily obscured` for where somebody stands."""
    found = {row.obscured for _, row in rows_around(lookup, who, rules)}
    return next((f"{grade} obscured" for grade in ("heavily", "lightly") if grade in found), "clear")
