"""Names in scripts, the values that scripts print and compare, and statements that aren't commands.

Resolves names in a script. A name can be an id, a full name, or a unique beginning of one.

A name can be an id, a full name, or a unique beginning of one.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from turnwright.cli.script.arguments import alternatives
from turnwright.cli.script.lexer import ScriptError, unknown_name
from turnwright.encounter.field_specs import CombatantId, PoolId, Positive
from turnwright.encounter.prepared import Countdown, Creature, Environment, Feature, Map, Point, RosterEntry, Strictness
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Slot, Snapshot, Track
from turnwright.encounter.state import Encounter, Lookup, clock_of, scene_of, slots_in_order, wave_name
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries.queries import active_combatants, movement_of, open_prompts, resources_of, waiting_asks
from turnwright.play.setup.prepared_records import Edit
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.economy.limited_uses import all_uses
from turnwright.rules.parts.environment.entries import current_map, entry_state
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.statements import facts_in


def resolve_name(text: str, candidates: Iterable[tuple[str, str]], kind: str) -> str:
    """Find a text among (id, name) pairs and return the id. Raise ScriptError if it is unknown or ambiguous."""
    pairs = list(candidates)
    folded = text.casefold()
    for fits in (
        [id for id, _ in pairs if id == text],
        [id for id, name in pairs if folded in (id.casefold(), name.casefold())],
        [
            id
            for id, name in pairs
            if folded and (id.casefold().startswith(folded) or name.casefold().startswith(folded))
        ],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise ScriptError(f"'{text}' is ambiguous; expected {alternatives(fits)}")
    raise unknown_name(kind, text, pairs)


class NameResolver:
    """Resolves names of records in one encounter."""

    def __init__(self, encounter: Encounter, rules: RuleSystem) -> None:
        self.encounter = encounter
        self.rules = rules

    def combatant(self, text: str) -> str:
        """Return the id of one combatant."""
        if text.startswith("-") and text[1:].isdecimal():
            raise ScriptError(f"expected a combatant or a number from 0; found '{text}'")
        if not any(True for _ in self.encounter.all(Combatant)):
            raise ScriptError(f"unknown combatant '{text}': the fight hasn't been started; write `start` first")
        combatants = ((combatant.id, combatant.label) for combatant in self.encounter.all(Combatant))
        return resolve_name(text, combatants, "combatant")

    def combatants(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of combatants. `all` means every combatant, and a roster entry means all its members.

        Names can be followed by commas.
        """
        ids: list[str] = []
        for text in (text.removesuffix(",") for text in texts):
            everyone = self.encounter.all(Combatant)
            ids += [member.id for member in everyone if text in ("all", member.roster)] or [self.combatant(text)]
        return tuple(dict.fromkeys(ids))

    def slot(self, text: str) -> str:
        """Return the id of a combatant's place in the initiative order."""
        if self.encounter.get(Slot, text) is not None:
            return text
        who = self.combatant(text)
        slot_id = next((slot.id for slot in self.encounter.of(Slot, who)), "")
        if not slot_id:
            raise ScriptError(f"{who} isn't in the turn order")
        return slot_id

    def creature(self, text: str) -> str:
        """Return the id of a stat block of the encounter."""
        return resolve_name(text, ((each.id, each.name) for each in self.encounter.all(Creature)), "stat block")

    def roster(self, text: str) -> str:
        """Return the id of a roster entry."""
        return resolve_name(text, ((entry.id, entry.name) for entry in self.encounter.all(RosterEntry)), "roster entry")

    def wave(self, text: str) -> str:
        """Return the id of a wave of the roster, given its id or name."""
        waves = dict.fromkeys(entry.wave for entry in self.encounter.all(RosterEntry) if entry.wave)
        return resolve_name(text, ((wave, wave_name(wave)) for wave in waves), "wave")

    def environment(self, text: str) -> str:
        """Return the id of an environment."""
        return resolve_name(text, ((place.id, place.name) for place in self.encounter.all(Environment)), "environment")

    def entry(self, text: str) -> tuple[str, str]:
        """Return the ids of an environment and its feature, given `frigid.cold-chill` or only the feature's name."""
        rows = [
            (environment, entry)
            for environment in self.encounter.all(Environment)
            for entry in (*environment.features, *environment.actions)
        ]
        environment_name, dot, entry_name = text.partition(".")
        if dot and entry_name:
            environment_id = self.environment(environment_name)
            named = ((entry.id, entry.name) for environment, entry in rows if environment.id == environment_id)
            return environment_id, resolve_name(entry_name, named, "environment feature")
        named = ((f"{environment.id}.{entry.id}", entry.name) for environment, entry in rows)
        environment_id, _, entry_id = resolve_name(text, named, "environment feature").partition(".")
        return environment_id, entry_id

    def countdown(self, text: str) -> str:
        """Return the id of a prepared countdown."""
        countdowns = ((countdown.id, countdown.name) for countdown in self.encounter.all(Countdown))
        return resolve_name(text, countdowns, "countdown")

    def pool(self, text: str) -> str:
        """Return the id of a running countdown pool, given its id or its countdown's name."""
        names = {countdown.id: countdown.name for countdown in self.encounter.all(Countdown)}
        pools = ((pool.id, names.get(pool.countdown, pool.countdown)) for pool in self.encounter.all(CountdownPool))
        return resolve_name(text, pools, "running countdown")

    def effect(self, text: str, who: str = "") -> str:
        """Return the id of an effect, given its id, or its condition and target."""
        effects = [effect for effect in self.encounter.all(Effect) if not who or effect.target == who]
        if any(effect.id == text for effect in effects):
            return text
        return resolve_name(text, ((effect.id, self.condition_name(effect.name)) for effect in effects), "effect")

    def condition_name(self, id: str) -> str:
        """Return the name of a condition, or its id if the rule system doesn't define it."""
        condition = self.rules.conditions.get(id)
        return condition.name if condition else id

    def condition(self, text: str) -> str:
        """Return the id of a condition, or of a granted speed (`speed:fly`)."""
        prefix, colon, mode = text.partition(":")
        if prefix == "speed" and colon:
            return f"speed:{self.speed(mode)}"
        return resolve_name(text, ((data.id, data.name) for data in self.rules.data.conditions), "condition")

    def action(self, text: str, who: str) -> str:
        """Return the id of an action of the rule system, or of a feature of a combatant."""
        known = {feature.id: feature.name for feature in self.features(who)}
        known |= {action.id: action.name for action in self.rules.data.actions}
        return resolve_name(text, known.items(), "action")

    def feature(self, text: str, who: str) -> str:
        """Return the id of a feature of a combatant."""
        return resolve_name(text, ((feature.id, feature.name) for feature in self.features(who)), "feature")

    def features(self, who: str) -> tuple[Feature, ...]:
        """Return the features of a combatant's stat block."""
        return creature_of(self.encounter, self.encounter.need(Combatant, who)).features

    def choosable(self) -> frozenset[str]:
        """Return the ids of everything that can be chosen for a roll: features, and effects that ask."""
        owners, effects = self.encounter.all(Combatant), self.encounter.all(Effect)
        own = {feature.id for owner in owners for feature in creature_of(self.encounter, owner).features}
        statements = (rule.when for effect in effects for rule in effect.rules if rule.when)
        return frozenset(own | {fact.argument for when in statements for fact in facts_in(when)})

    def obstacles(self) -> list[tuple[str, str]]:
        """Return the ids and names of the objects on the map."""
        battle_map = current_map(self.encounter)
        return [(obstacle.id, obstacle.name) for obstacle in (battle_map.obstacles if battle_map else ())]

    def door(self, text: str) -> str:
        """Return the id of a door of the map."""
        battle_map = self.encounter.get(Map, "map")
        doors = [(door.id, door.name) for door in (battle_map.doors if battle_map else ())]
        return resolve_name(text, doors, "door")

    def snapshot(self, text: str) -> str:
        """Return the id of a snapshot."""
        snapshots = [(snapshot.id, snapshot.name) for snapshot in self.encounter.all(Snapshot)]
        return resolve_name(text, snapshots, "snapshot")

    def resource(self, text: str) -> str:
        """Return the id of a resource."""
        return resolve_name(text, ((data.id, data.name) for data in self.rules.data.resources), "resource")

    def speed(self, text: str) -> str:
        """Return the id of a mode of movement."""
        return resolve_name(text, ((data.id, data.name) for data in self.rules.data.speeds), "mode of movement")

    def size(self, text: str) -> str:
        """Return the id of a size."""
        return resolve_name(text, ((data.id, data.name) for data in self.rules.data.sizes), "size")

    def check(self, text: str) -> str:
        """Return a check such as `dex:stealth`, given in full or by its skill."""
        ability, colon, skill = text.partition(":")
        skills = [(data.id, data.name) for data in self.rules.data.skills]
        abilities = [(data.id, data.name) for data in self.rules.data.abilities]
        if colon:
            return f"{resolve_name(ability, abilities, 'ability')}:{resolve_name(skill, skills, 'skill')}"
        check = resolve_name(text, [*abilities, *skills], "ability or skill")
        return next((f"{data.ability}:{check}" for data in self.rules.data.skills if data.id == check), check)


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
        subject = f"feature {statement.row}"
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


class UndoStatement(msgspec.Struct, frozen=True):
    """Undo a number of steps (default: 1)."""

    steps: Positive = 1


class RedoStatement(msgspec.Struct, frozen=True):
    """Redo a number of steps (default: 1)."""

    steps: Positive = 1


class SaveStatement(msgspec.Struct, frozen=True):
    """Save the prepared encounter, and save the fight in a separate file in the same folder."""


class RollStatement(msgspec.Struct, frozen=True):
    """Answer the open rolls in order with these results. By default, Turnwright rolls them."""

    typed: tuple[str, ...] = ()


class PickStatement(msgspec.Struct, frozen=True):
    """Answer the most urgent open choice of options or targets."""

    options: tuple[str, ...]


class ReplyStatement(msgspec.Struct, frozen=True):
    """Answer one question, chosen by its id or by the combatant it asks."""

    ask: str
    values: tuple[str, ...]


class SkipStatement(msgspec.Struct, frozen=True):
    """Skip the most urgent question and all its parts."""


class WallStatement(msgspec.Struct, frozen=True):
    """Draw a wall on the map from one corner of a square to another, or remove it."""

    here: Point
    there: Point
    removed: bool = False

    def edit(self, lookup: Lookup) -> Edit:
        """Return the command that draws or removes the wall. Raise ScriptError if there is no map or wall."""
        battle_map, line = lookup.get(Map, "map"), (*self.here, *self.there)
        if battle_map is None:
            raise ScriptError("can't draw a wall: the encounter has no map")
        walls = tuple(wall for wall in battle_map.walls if wall != line)
        if self.removed and walls == battle_map.walls:
            corners = f"{self.here[0]},{self.here[1]} to {self.there[0]},{self.there[1]}"
            raise ScriptError(f"can't remove the wall: the map has none from {corners}")
        return Edit(msgspec.structs.replace(battle_map, walls=walls if self.removed else (*walls, line)))


class StrictnessStatement(msgspec.Struct, frozen=True):
    """Set whether breaches of rules are marked in the journal (`warn`), refused (`enforce`) or ignored (`off`)."""

    strictness: Strictness

    def edit(self, lookup: Lookup) -> Edit:
        """Return the command that sets how the encounter's rules are checked."""
        return Edit(msgspec.structs.replace(scene_of(lookup), strictness=self.strictness))


EDITS = (WallStatement, StrictnessStatement)  # statements that edit a record
Statement = (
    Command | UndoStatement | RedoStatement | SaveStatement | RollStatement | PickStatement | ReplyStatement
    | SkipStatement | ShowStatement
)  # fmt: skip
SCRIPTS: Mapping[type[msgspec.Struct], str] = {
    RollStatement: "roll [{typed:results}]",
    ReplyStatement: "answer {ask} {values}",
    PickStatement: "targets {options} | choose {options}",
    SkipStatement: "skip",
    UndoStatement: "undo [{steps}]",
    RedoStatement: "redo [{steps}]",
    SaveStatement: "save",
    ShowStatement: "show ({encounter} | countdown {countdown} [{fact:word}] | feature {row:row} [{fact:word}] "
    "| {who} [{fact:word}])",
    ExpectStatement: "expect ({encounter} | countdown {countdown} {fact:word} | feature {row:row} {fact:word} "
    "| {who} {fact:word}) {expected:rest}",
    WallStatement: "wall {here} {there} [removed]",
    StrictnessStatement: "rule checks {strictness}",
}
