"""The values that `show` prints and `expect` compares: of the encounter, combatants, countdowns and environments."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.cli.script.lexer import ScriptError
from turnwright.cli.script.resolve import resolve_name
from turnwright.encounter.field_specs import CombatantId, PoolId
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Track
from turnwright.encounter.state import Encounter
from turnwright.play.queries.queries import active_combatants, movement_of, open_prompts, resources_of, waiting_asks
from turnwright.play.turn_order.initiative import slots_in_order
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.economy.limited_uses import all_uses
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.system import RuleSystem

Fact = int | str | tuple[str, ...] | None
Facts = dict[str, Fact]


class ShowStatement(msgspec.Struct, frozen=True):
    """Print the state of a combatant, countdown, environment feature or encounter, or just one value from it."""

    encounter: Literal["", "round", "turn", "phase", "order", "questions"] = ""
    countdown: PoolId = ""
    row: str = ""
    who: CombatantId = ""
    fact: str = ""


class ExpectStatement(ShowStatement, frozen=True, kw_only=True):
    """Stop the script unless a value, as printed by `show`, matches the expected value."""

    expected: str


def shown_facts(statement: ShowStatement, encounter: Encounter, rules: RuleSystem) -> tuple[str, Facts]:
    """Return the subject of a statement and its values. Raise ScriptError if the statement asks for an unknown value.

    If the subject is the encounter, its text is empty.
    """
    fact = statement.encounter or statement.fact
    subject, facts, hidden = "", Facts(), Facts()
    if statement.encounter:
        facts = _encounter_facts(encounter, rules)
    elif statement.countdown:
        pool = encounter.need(CountdownPool, statement.countdown)
        facts = {"dice": pool.dice, "status": pool.status, "faces": " ".join(map(str, pool.last_faces))}
        subject = f"countdown {pool.id}"
    elif statement.row:
        place, _, row = statement.row.partition(".")
        state = entry_state(encounter, place, row)
        subject = f"row {statement.row}"
        facts = {"ready": _yes(state.ready), "broken": _yes(state.broken), "revealed": _yes(state.revealed)}
    else:
        subject, facts = statement.who, _combatant_facts(encounter, rules, statement.who)
        names = condition_names(encounter, rules, statement.who)
        hidden |= {id: _yes(id in names) for id in rules.conditions}
        hidden |= {track.name: track.value for track in encounter.of(Track, statement.who)}
    if not fact:
        return subject, facts
    known = hidden | facts
    fact = resolve_name(fact, ((name, name) for name in known), "value")
    return subject, {fact: known[fact]}


def fact_text(value: Fact) -> str:
    """Format a value as `show` prints it."""
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return "none" if value is None else text or "none"


def shown_line(subject: str, facts: Facts) -> str:
    """Return the line that `show` prints as plain text."""
    words = (f"{name} {fact_text(value)}" for name, value in facts.items())
    return f"{subject} {'; '.join(words)}".strip()


def require_expected(statement: ExpectStatement, encounter: Encounter, rules: RuleSystem) -> None:
    """Raise ScriptError if a value doesn't match the expected value."""
    subject, facts = shown_facts(statement, encounter, rules)
    ((fact, value),) = facts.items()
    if fact_text(value).casefold() != statement.expected.casefold():
        raise ScriptError(f"{f'{subject} {fact}'.strip()} is {fact_text(value)}; expected {statement.expected}")


def _encounter_facts(encounter: Encounter, rules: RuleSystem) -> Facts:
    clock = clock_of(encounter)
    return {
        "round": clock.round,
        "turn": tuple(combatant.id for combatant in active_combatants(encounter)),
        "phase": clock.phase,
        "order": tuple(who for slot in slots_in_order(encounter) for who in slot.members),
        "questions": tuple(ask.id for prompt in open_prompts(encounter) for ask in waiting_asks(prompt)),
    }


def _combatant_facts(encounter: Encounter, rules: RuleSystem, who: str) -> Facts:
    combatant = encounter.need(Combatant, who)
    effects = (effect for effect in encounter.of(Effect, who) if effect.shown)
    return {
        "hp": combatant.hp,
        "hp-max": combatant.hp_max,
        "temp": combatant.temp_hp,
        "dead": _yes(combatant.dead),
        "ac": armor_class(encounter, rules, who).total,
        "initiative": combatant.initiative,
        "side": combatant.side,
        "position": ",".join(map(str, combatant.position or ())),
        "elevation": combatant.elevation,
        "place": combatant.place,
        "conditions": tuple(_effect_text(effect) for effect in effects),
        **{state.resource.id: state.left for state in resources_of(encounter, rules, who)},
        **{track.name: track.value for track in all_uses(encounter, who)},
        **{f"feet.{movement.mode}": movement.left for movement in movement_of(encounter, rules, who)},
    }


def _effect_text(effect: Effect) -> str:
    """Describe a condition with its value and remaining duration: `frightened 2 until turn-end of mira`."""
    ends = effect.ends
    until = f"until {ends.moment}" if ends.moment != "never" else ""
    parts = (
        effect.name,
        str(effect.value or ""),
        until and f"{until} of {ends.who}" if ends.who else until,
        f"skipping {ends.skip}" if ends.skip else "",
        f"for {effect.rounds_left} rounds" if effect.rounds_left else "",
    )
    return " ".join(part for part in parts if part)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
