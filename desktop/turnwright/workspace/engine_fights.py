"""The same fights in the real engine, one command after another: the referee of the forecast, which is far slower.

Those who fight choose by the very functions that the forecast's loop compiles, over the same sheet, filled from the running
encounter before each choice.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnwright.encounter.lookups import clock_of, scene_of
from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, Map
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt
from turnwright.encounter.procedure_state.attacks import HIT, MISS
from turnwright.encounter.procedure_state.environment import EnvironmentEffect
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Change, Encounter, key_of
from turnwright.forecast import sheet
from turnwright.forecast.building.sources import BESIDE
from turnwright.forecast.building.surprise import score_against_sneaking
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.kernel import changed_by_conditions, extra_holds, joined_edge, outcome_so_far, roll_check
from turnwright.forecast.layout import (
    AGAINST,
    AT_HOLDER,
    AT_TARGET,
    IS_AWAY,
    IS_UP,
    LOST,
    NOW_AIM,
    NOW_COLUMNS,
    NOW_CONDITIONS,
    NOW_HP,
    NOW_MOVES,
    NOW_POOLS,
    NOW_STATE,
    STANDING,
    STATE_COMBATANTS,
    STATE_SUPPLIES,
    STATE_USED,
    UNDECIDED,
    PackedSheet,
)
from turnwright.forecast.policy import action_for, count_standing, healed_by, may_be_attacked, target_for
from turnwright.forecast.policy_figures import Policy
from turnwright.forecast.random_stream import begin_stream, draw_below
from turnwright.forecast.sheet import MOST_ROUNDS, Legend, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.actions.commands.use_feature import UseFeature
from turnwright.play.asking.commands.answer import Reply
from turnwright.play.attacks.commands.attack import Attack
from turnwright.play.autoplay import AutoPlayer
from turnwright.play.kernel.commands import Command
from turnwright.play.movement.commands.stand_up import StandUp
from turnwright.play.movement.move_costs import stand_up_cost
from turnwright.play.session import Session
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.play.turn_order.passive_perception import SCORE_PREFIX
from turnwright.play.turns.legendary_and_lair_actions import PASS
from turnwright.rules.parts.actions.action_options import action_vetoes, feature_of
from turnwright.rules.parts.actions.triggered_features import armor_class_of
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.combatants.incapacitation import cannot_act_vetoes
from turnwright.rules.parts.combatants.speeds import CRAWL
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, remaining_uses
from turnwright.rules.parts.economy.resources import remaining
from turnwright.rules.parts.movement.remaining import remaining_movement
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.statements import facts_in
from turnwright.workspace.fight_forecast import begun_copy

POOL_RESOURCES = ((sheet.MAIN_POOL, "action"), (sheet.BONUS_POOL, "bonus"), (sheet.REACTION_POOL, "reaction"))


class EngineFight(msgspec.Struct, frozen=True):
    """How a fight in the engine ended: `left` are hit points by combatant, `fell` and `died` who of them did at any time."""

    outcome: int
    rounds: int
    left: tuple[tuple[str, int], ...]
    fell: frozenset[str]
    died: frozenset[str]


class PolicyChooser:
    """Chooses by the policies of a sheet, as the forecast's loop does; `drawn` is the number of what it draws by lot."""

    def __init__(self, rules: RuleSystem, built: Sheet, legend: Legend, packed: PackedSheet, drawn: int) -> None:
        self.fell: set[str] = set()
        self._rules, self._sheet, self._legend = rules, built, legend
        self._data = packed.data.tolist()
        self._state = [0] * packed.state_size
        self._index = {who: number for number, who in enumerate(legend.combatants)}
        self._party = {who for who, row in zip(legend.combatants, built.combatants, strict=True) if row[sheet.PARTY]}
        self._turn: tuple[str, int] = ("", 0)
        self._strikes: list[int] = []
        self._targets, self._action, self._aim = 1, -1, -1
        self._attack = (-1, -1)
        begin_stream(self._state, 0, drawn)
        for who in range(len(legend.combatants)):
            self._state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_AIM] = -1

    def command(self, encounter: Encounter, who: str) -> Command | None:
        """Return the next strike of the action under way, or the first of the action chosen next."""
        me = self._index.get(who)
        if me is None or not self._read(encounter, who):
            return None
        if self._rules.role("surprised") in condition_names(encounter, self._rules, who):
            return None
        turn = (who, clock_of(encounter).round)
        if turn != self._turn:
            self._turn, self._strikes = turn, []
            self._forget_uses(me)
            if self._can_stand_up(encounter, who):
                return StandUp(who)
        for _ in range(len(self._legend.actions) + 1):
            while self._strikes:
                found = self._strike(encounter, who, me, self._strikes.pop(0))
                if found is not None:
                    return found
            action = action_for(self._data, self._state, me, 0)
            if action < 0:
                return None
            self._begin(action)
        return None

    def _can_stand_up(self, encounter: Encounter, who: str) -> bool:
        """Return whether a combatant lies prone and can get up, which the forecast has it do first of all."""
        if self._rules.role("prone") not in condition_names(encounter, self._rules, who):
            return False
        by = self._rules.data.movement.stand_by
        if by:
            return not action_vetoes(encounter, self._rules, who, self._rules.actions[by])
        left = remaining_movement(encounter, self._rules, who, CRAWL)
        return left is not None and left > 0 and left >= stand_up_cost(encounter, self._rules, who)

    def reply(self, encounter: Encounter, prompt: Prompt, ask: Ask) -> Reply | None:
        """Return the reply to an offer of a legendary or world action or a parry; None, for the suggested one, to all else."""
        if prompt.title == f"prompt.{LEGENDARY}" and ask.kind == "choice":
            return Reply(ask.id, chosen=(self._legendary(encounter, ask),))
        if prompt.title == "prompt.feature_attacked" and ask.kind == "choice":
            features = [feature_of(encounter, ask.who, option.id) for option in ask.options]
            parries = [one.id for one in features if one is not None and armor_class_of(one) > 0]
            return Reply(ask.id, chosen=tuple(parries[:1])) if parries else None
        if ask.label == "ask.feature_moment" and ask.kind == "choice":
            one = feature_of(encounter, ask.who, ask.options[0].id)
            regains = one is not None and one.trigger == "turn-start" and one.heals
            return Reply(ask.id, chosen=(ask.options[0].id,)) if regains else None
        if ask.label == "ask.attack_said":  # a game that leaves to a person what hits
            return Reply(ask.id, chosen=(HIT if self._hits() else MISS,))
        if ask.id.startswith(SCORE_PREFIX):
            who = ask.id.removeprefix(SCORE_PREFIX)
            return Reply(ask.id, number=score_against_sneaking(encounter, self._rules, who))
        if ask.kind != "targets" or not ask.options:
            return None
        self._fill(encounter)
        options = [option.id for option in ask.options if option.id in self._index]
        if prompt.title in (f"prompt.{LEGENDARY}", "prompt.feature_step") and ask.who in self._index:
            me = self._index[ask.who]
            enemies = [one for one in options if may_be_attacked(self._data, self._state, me, self._index[one], 0)]
            best = target_for(self._data, self._state, me, 0)
            first = self._legend.combatants[best] if best >= 0 else ""
            ordered = [one for one in enemies if one == first] + [one for one in enemies if one != first]
            return Reply(ask.id, chosen=tuple(ordered[: ask.max_choices or self._targets]))
        if prompt.title == "prompt.world_action":
            if ask.max_choices != 1 and self._reaches_each(encounter, prompt):
                return Reply(ask.id, chosen=tuple(options))
            up = [one for one in options if self._now(one, NOW_STATE) == IS_UP]
            return Reply(ask.id, chosen=(up[draw_below(self._state, len(up))],) if up else ())
        return None

    def is_over(self, encounter: Encounter) -> bool:
        """Return whether the party's side, or all who fight against it, are down or have fled."""
        return self.outcome(encounter) != UNDECIDED

    def outcome(self, encounter: Encounter) -> int:
        """Return how the fight has ended for the party."""
        self._fill(encounter)
        return outcome_so_far(self._data, self._state)

    def is_beaten(self, who: str, outcome: int) -> bool:
        """Return whether a combatant is on the side that such an outcome is the defeat of: the party's, or any other."""
        return outcome != UNDECIDED and who in self._index and (self._side(who) == 0) == (outcome == LOST)

    def _side(self, who: str) -> int:
        return int(self._sheet.combatants[self._index[who], sheet.SIDE])

    def _now(self, who: str, column: int) -> int:
        return self._state[STATE_COMBATANTS + self._index[who] * NOW_COLUMNS + column]

    def _begin(self, action: int) -> None:
        """Begin an action: its strikes follow as commands."""
        row = self._sheet.actions[action]
        self._targets, self._action, self._aim = int(row[sheet.TARGETS]), action, -1
        self._strikes = [
            int(one) for one in self._sheet.routine[row[sheet.FIRST] : row[sheet.FIRST] + row[sheet.COUNT]]
        ]
        self._state[self._data[STATE_USED] + action] += 1

    def _strike(self, encounter: Encounter, who: str, me: int, source: int) -> Command | None:
        """Return the command of one strike of an action, None where it finds no target."""
        row, feature = self._sheet.sources[source], self._legend.sources[source][1]
        near = int(row[sheet.RANGED] == 0)
        if row[sheet.KIND] == sheet.ATTACK:
            aim = self._aim
            if aim < 0 or not may_be_attacked(self._data, self._state, me, aim, 0):
                self._aim = aim = target_for(self._data, self._state, me, near)
            self._state[STATE_COMBATANTS + me * NOW_COLUMNS + NOW_AIM] = aim
            self._attack = (source, aim)
            if aim < 0:
                return None
            target = self._legend.combatants[aim]
            return Attack(who, target, feature, facts=self._facts(encounter, me, source, aim))
        if row[sheet.KIND] == sheet.HEAL:
            healed = healed_by(self._data, self._state, me, self._action)
            return UseFeature(who, feature, targets=(self._legend.combatants[healed],)) if healed >= 0 else None
        first = target_for(self._data, self._state, me, near)
        if first < 0:
            return None
        others = [
            other
            for other in range(len(self._legend.combatants))
            if other != first and may_be_attacked(self._data, self._state, me, other, 0)
        ]
        chosen = [first, *others][: self._targets]
        return UseFeature(who, feature, targets=tuple(self._legend.combatants[one] for one in sorted(chosen)))

    def _facts(self, encounter: Encounter, me: int, source: int, target: int) -> tuple[str, ...]:
        """Return what the engine asks a person about damage dealt once a turn: it is dealt, and an ally is near if so."""
        if not self._sheet.sources[source, sheet.EXTRA_COUNT]:
            return ()
        near = extra_holds(self._data, self._state, me, target, sheet.ALLY_NEAR, 0)
        found = []
        for feature in creature_of(encounter, encounter.need(Combatant, self._legend.combatants[me])).features:
            for rule in feature.rules:
                if rule.kind == "extra":
                    found += [f"chosen:{feature.id}"] if feature.plays == "asks" else []
                    found += [one.name for one in facts_in(rule.when) if near and one.word in BESIDE]
        return tuple(found)

    def _reaches_each(self, encounter: Encounter, prompt: Prompt) -> bool:
        """Return whether the sheet has the world action of a card reach all in its area, not one of them."""
        procedure = encounter.get(Procedure, prompt.procedure)
        data = procedure.data if procedure is not None else None
        if not isinstance(data, EnvironmentEffect) or (data.environment, data.entry) not in self._legend.world:
            return True
        row = self._sheet.world[self._legend.world.index((data.environment, data.entry))]
        return bool(row[sheet.REACHES_EACH])

    def _hits(self) -> bool:
        """Return whether the present attack hits by the sheet's own tables."""
        source, target = self._attack
        me = self._index[self._turn[0]]
        edges = changed_by_conditions(self._data, self._state, me, source, AT_HOLDER, sheet.CHANGE_EDGES)
        edges |= changed_by_conditions(self._data, self._state, target, source, AT_TARGET, sheet.CHANGE_EDGES)
        certain = changed_by_conditions(self._data, self._state, target, source, AT_TARGET, sheet.CHANGE_CERTAIN)
        if sheet.CERTAIN_FAILURE in (certain, self._sheet.cells[source, target, sheet.CERTAIN]):
            return False
        edge = joined_edge(int(self._sheet.cells[source, target, sheet.EDGE]), edges)
        face = roll_check(self._state, self._sheet.die, edge)
        row = (
            self._sheet.sources[source, sheet.TABLE] + self._sheet.cells[source, target, sheet.MARGIN_OF] + sheet.MARGIN
        )
        return bool(self._sheet.outcomes[row, face - 1] != sheet.MISS)

    def _legendary(self, encounter: Encounter, ask: Ask) -> str:
        """Return the legendary action that the policy takes of those offered, or the pass."""
        if ask.who not in self._index or not self._read(encounter, ask.who):
            return PASS
        action = action_for(self._data, self._state, self._index[ask.who], 1)
        chosen = self._legend.actions[action][1] if action >= 0 else PASS
        if action >= 0:
            self._targets = int(self._sheet.actions[action][sheet.TARGETS])
        return chosen if chosen in {option.id for option in ask.options} else PASS

    # The encounter as the state of the loop -------------------------------------------------------------------------

    def _read(self, encounter: Encounter, who: str) -> bool:
        """Fill the state from the encounter, with what a combatant has; return whether it can act."""
        self._fill(encounter)
        me = self._index[who]
        if self._now(who, NOW_STATE) != IS_UP or cannot_act_vetoes(encounter, self._rules, who):
            return False
        pools = STATE_COMBATANTS + me * NOW_COLUMNS + NOW_POOLS
        for pool, resource in POOL_RESOURCES:
            self._state[pools + pool] = remaining(encounter, who, resource)
        self._state[pools + sheet.LEGENDARY_POOL] = remaining_uses(encounter, who, LEGENDARY)
        for number, (owner, name) in enumerate(self._legend.supplies):
            if owner == who:
                pooled = name in self._rules.resources
                left = remaining(encounter, who, name) if pooled else remaining_uses(encounter, who, name)
                self._state[self._data[STATE_SUPPLIES] + number] = left
        return True

    def _fill(self, encounter: Encounter) -> None:
        """Fill in who stands, who is down and dying or dead, and who is not there yet."""
        for side in range(len(self._sheet.enmity)):
            self._state[STANDING + side] = self._state[AGAINST + side] = 0
        dying = next((n for n, row in enumerate(self._sheet.states) if row[sheet.STATE_KIND] == sheet.DYING), 0)
        for who, number in self._index.items():
            now = STATE_COMBATANTS + number * NOW_COLUMNS
            one = encounter.get(Combatant, who)
            if one is None:
                self._state[now + NOW_STATE] = IS_AWAY
                continue
            up = one.hp > 0 and not one.dead
            self._state[now + NOW_HP] = one.hp
            held = condition_names(encounter, self._rules, who)
            known = enumerate(self._legend.conditions)
            self._state[now + NOW_CONDITIONS] = sum(1 << place for place, name in known if name in held)
            self._state[now + NOW_MOVES] = MOST_ROUNDS
            self._state[now + NOW_STATE] = IS_UP if up else sheet.DEATH if one.dead else dying
            if up:
                count_standing(self._data, self._state, number, 1)
            else:
                self.fell.add(who)

    def _forget_uses(self, me: int) -> None:
        row = self._sheet.combatants[me]
        for action in range(int(row[sheet.FIRST_ACTION]), int(row[sheet.LAST_ACTION])):
            self._state[self._data[STATE_USED] + action] = 0


def engine_fights(
    encounter: Encounter, rules: RuleSystem, *, seed: int, count: int, policies: Sequence[Policy] = ()
) -> tuple[list[EngineFight], int]:
    """Play a prepared encounter so often in the engine; return the fights, and how many choices it refused.

    The encounter is one of `playable_by_sheet`.
    """
    copy = begun_copy(encounter, rules)
    built, legend = build_sheet(copy.encounter, rules, copy.waiting)
    packed = packed_sheet(built, policies)
    fights, refused = [], 0
    for number in range(count):
        session, drawn = Session(encounter, rules), (seed * 1_000_003 + number) % 2**32
        session.do(SetDice("roll", seed=drawn))
        chooser = PolicyChooser(rules, built, legend, packed, drawn)
        player = AutoPlayer(session, chooser, most_rounds=MOST_ROUNDS)
        player.play()
        refused += player.refused
        fights.append(_fight(session, chooser))
    return fights, refused


def playable_by_sheet(encounter: Encounter, rules: RuleSystem) -> Encounter:
    """Return an encounter without its map and all that its sheet leaves out, so that the engine plays the same.

    Where the game names no die for checks, it has the option that the sheet assumes. Rules are enforced: a save that fails
    for certain is not rolled.
    """
    field = encounter.get(Map, "map")
    placeless = encounter.with_changes([Change(key_of(field), field, None)]) if field is not None else encounter
    copy = begun_copy(placeless, rules)
    _, legend = build_sheet(copy.encounter, rules, copy.waiting)
    out = {(note.table, note.subject, note.item) for note in legend.notes if note.list == "left-out"}
    records: list[Creature | Environment] = [*placeless.all(Creature), *placeless.all(Environment)]
    changed = [(one, _without(one, {item for *key, item in out if tuple(key) == key_of(one)})) for one in records]
    changes = [Change(key_of(one), one, without) for one, without in changed if without != one]
    options, scene = rules.data.checks.die_options, scene_of(placeless)
    chosen = (*scene.options, options[0][0]) if options and not rules.check_die(placeless) else scene.options
    enforced = msgspec.structs.replace(scene, options=chosen, strictness="enforce")
    changes.append(Change(key_of(scene), placeless.record(key_of(scene)), enforced))
    return placeless.with_changes(changes)


def _without(record: Creature | Environment, left_out: set[str]) -> Creature | Environment:
    """Return a record with some of its features and world actions switched off, without phases where they are left out."""
    if isinstance(record, Creature):
        features = [msgspec.structs.replace(one, plays="off") if one.id in left_out else one for one in record.features]
        return msgspec.structs.replace(record, features=tuple(features), phases=() if "" in left_out else record.phases)

    def kept(entries: tuple[EnvironmentEntry, ...]) -> tuple[EnvironmentEntry, ...]:
        return tuple(msgspec.structs.replace(one, enabled=one.enabled and one.id not in left_out) for one in entries)

    return msgspec.structs.replace(record, features=kept(record.features), actions=kept(record.actions))


def _fight(session: Session, chooser: PolicyChooser) -> EngineFight:
    """Return how a fight ended, as it stood when it was decided: its last step may go on into the next round."""
    encounter, step = session.encounter, session.history.last
    outcome = chooser.outcome(encounter)
    facts = [(line.round, fact) for line in step.lines for fact in line.facts] if step is not None else []
    falls = {fact.who: number for number, fact in facts if fact.before > 0 >= fact.left}
    beaten = [number for who, number in falls.items() if chooser.is_beaten(who, outcome)]
    last_round = max(beaten, default=min(clock_of(encounter).round, MOST_ROUNDS))
    late = [fact for number, fact in facts if number > last_round]
    everyone: Sequence[Combatant] = list(encounter.all(Combatant))
    left = {one.id: one.hp for one in everyone}
    left |= {fact.who: fact.before for fact in reversed(late) if fact.before != fact.left}
    return EngineFight(
        outcome,
        last_round,
        tuple(left.items()),
        frozenset(chooser.fell - {who for who, number in falls.items() if number > last_round}),
        frozenset(one.id for one in everyone if one.dead) - {fact.who for fact in late if fact.kind == "dead"},
    )
