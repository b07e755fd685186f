"""Verifies a forecast by playing its fights in the real engine, one command at a time, which is far slower.

Combatants choose with the same functions and the same sheet as the compiled forecast. The sheet's state is updated from
the running encounter before each choice.
"""

from collections.abc import Sequence

import msgspec

from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, Map
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt, Reply
from turnwright.encounter.procedure_state.attacks import HIT, MISS, SaveEffect
from turnwright.encounter.procedure_state.environment import EnvironmentEffect
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Change, Encounter, clock_of, key_of, scene_of
from turnwright.forecast import estimate, kernel, layout, policy, random_stream, sheet
from turnwright.forecast.building import questions, sources
from turnwright.forecast.sentences import Sentence
from turnwright.forecast.sheet import MOST_ROUNDS, Legend, Policy, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.autoplay import AutoPlayer
from turnwright.play.effects.conditions import sustained_effects
from turnwright.play.effects.legendary_resistance import NO, OFFER_PREFIX, YES
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement import commanded_move, forced_movement
from turnwright.play.session import Session
from turnwright.play.state.action_economy import PASS, attacks_made
from turnwright.play.state.hit_points import HALF
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SCORE_PREFIX
from turnwright.rules.parts.actions.action_options import action_vetoes, feature_of, sustaining_action
from turnwright.rules.parts.actions.triggered_features import armor_class_of, steps_of
from turnwright.rules.parts.attacks.attack_targeting import is_attack
from turnwright.rules.parts.combatants.facts import CRAWL, cannot_act_vetoes, condition_names
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, denial_vetoes, remaining, remaining_uses
from turnwright.rules.parts.movement.move_legs import remaining_movement
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.workspace.fight_forecast import begun_copy

OUTCOMES = ("undecided", "won", "lost")
POOL_RESOURCES = ((sheet.MAIN_POOL, "action"), (sheet.BONUS_POOL, "bonus"), (sheet.REACTION_POOL, "reaction"))


class EngineFight(msgspec.Struct, frozen=True):
    """The result of a fight in the engine. `left` are the remaining hit points by combatant.

    `fell` and `died` are the combatants that fell or died at any time.
    """

    outcome: int
    rounds: int
    left: tuple[tuple[str, int], ...]
    fell: frozenset[str]
    died: frozenset[str]


class PolicyChooser:
    """Makes the same choices as the forecast, using a sheet's policies. `drawn` is the seed of its random choices."""

    def __init__(self, rules: RuleSystem, built: Sheet, legend: Legend, packed: layout.PackedSheet, drawn: int) -> None:
        self.fell: set[str] = set()
        self._rules, self._sheet, self._legend = rules, built, legend
        self._fight = packed.plain(1)
        self._index = {who: number for number, who in enumerate(legend.combatants)}
        self._turn: tuple[str, int] = ("", 0)
        self._strikes: list[int] = []
        self._waiting: list[Command] = []
        self._targets, self._action, self._aim = 1, -1, -1
        self._attack = (-1, -1)
        random_stream.begin_stream(self._fight, 0, drawn)
        for now in self._fight.now:
            now.aim = -1

    def command(self, encounter: Encounter, who: str) -> Command | None:
        """Return the next strike of the current action, or the first strike of a new action."""
        me = self._index.get(who)
        if me is None or not self._read(encounter, who):
            return None
        if self._rules.role("surprised") in condition_names(encounter, self._rules, who):
            return None
        turn = (who, clock_of(encounter).round)
        if turn != self._turn:
            self._turn, self._strikes, self._waiting = turn, [], []
            self._forget_uses(me)
            if self._can_stand_up(encounter, who):
                return forced_movement.StandUp(who)
        if self._waiting:
            return self._waiting.pop(0)
        sustain = sustaining_action(self._rules) if policy.holds_another(self._fight, me) else None
        if sustain is not None and sustained_effects(encounter, who):
            return TakeAction(who, sustain.id)
        for _ in range(len(self._legend.actions) + 1):
            while self._strikes:
                command = self._strike(encounter, who, me, self._strikes.pop(0))
                if command is not None:
                    return command
            action = policy.action_for(self._fight, me, 0)
            if action < 0:
                return None
            command = self._begin(encounter, who, action)
            if command is not None:
                return command
        return None

    def _can_stand_up(self, encounter: Encounter, who: str) -> bool:
        """Whether a combatant is prone and can stand up. In the forecast, that always comes first."""
        if self._rules.role("prone") not in condition_names(encounter, self._rules, who):
            return False
        by = self._rules.data.movement.stand_by
        if by:
            return not action_vetoes(encounter, self._rules, who, self._rules.actions[by])
        feet_left = remaining_movement(encounter, self._rules, who, CRAWL)
        return (
            feet_left is not None
            and feet_left > 0
            and feet_left >= commanded_move.stand_up_cost(encounter, self._rules, who)
        )

    def reply(self, encounter: Encounter, prompt: Prompt, ask: Ask) -> Reply | None:
        """Return the reply to an offered legendary action, world action or parry.

        None means to use the suggested reply.
        """
        if prompt.title == f"prompt.{LEGENDARY}" and ask.kind == "choice":
            return Reply(ask.id, chosen=(self._legendary(encounter, ask),))
        if prompt.title == "prompt.feature_attacked" and ask.kind == "choice":
            parry = feature_of(encounter, ask.who, ask.id.partition(" ")[2])  # its options may be levels of slots
            return Reply(ask.id, chosen=(ask.options[0].id,)) if parry is not None and armor_class_of(parry) else None
        if prompt.title == "prompt.feature_damage" and ask.kind == "choice":
            dodges = self._sheet.combatants[self._index[ask.who], sheet.FighterRow.dodges]
            halving = (
                each.id
                for each in ask.options
                if (found := feature_of(encounter, ask.who, each.id)) and found.reduces == HALF
            )
            return Reply(ask.id, chosen=tuple(halving)[:1]) if dodges else None
        if ask.id.startswith(OFFER_PREFIX):
            return Reply(ask.id, chosen=(YES if self._is_resisted(encounter, prompt, ask.who) else NO,))
        if ask.label == "ask.feature_applies":  # the sheet only counts effects that surely apply
            return Reply(ask.id, chosen=(ask.options[-1].id,))
        if ask.label == "ask.feature_moment" and ask.kind == "choice":
            trait = feature_of(encounter, ask.who, ask.options[0].id)
            regains = trait is not None and trait.trigger == "turn-start" and trait.heals
            return Reply(ask.id, chosen=(ask.options[0].id,)) if regains else None
        if ask.kind == "choice" and ask.label in ("ask.attack", "ask.attack_outcome"):  # the game master decides
            return Reply(ask.id, chosen=(HIT if self._hits() else MISS,))
        if ask.id.startswith(SCORE_PREFIX):
            who = ask.id.removeprefix(SCORE_PREFIX)
            return Reply(ask.id, number=questions.score_against_sneaking(encounter, self._rules, who))
        if ask.kind != "targets" or not ask.options:
            return None
        self._fill(encounter)
        options = [option.id for option in ask.options if option.id in self._index]
        if prompt.title in (f"prompt.{LEGENDARY}", "prompt.feature_step") and ask.who in self._index:
            me = self._index[ask.who]
            enemies = [enemy for enemy in options if policy.may_be_attacked(self._fight, me, self._index[enemy], 0)]
            best = self._aim_of(me, int(self._sheet.actions[self._action, sheet.Action.melee]))
            ordered = sorted(enemies, key=lambda enemy: self._index[enemy] != best)
            return Reply(ask.id, chosen=tuple(ordered[: ask.max_choices or self._targets]))
        if prompt.title == "prompt.world_action":
            if ask.max_choices != 1 and self._reaches_each(encounter, prompt):
                return Reply(ask.id, chosen=tuple(options))
            up = [candidate for candidate in options if self._now(candidate).state == layout.IS_UP]
            return Reply(ask.id, chosen=(up[random_stream.draw_below(self._fight, len(up))],) if up else ())
        return None

    def is_over(self, encounter: Encounter) -> bool:
        """Whether the party's side or all its enemies are down or have fled."""
        return self.outcome(encounter) != layout.UNDECIDED

    def outcome(self, encounter: Encounter) -> int:
        """Return the outcome of the fight for the party."""
        self._fill(encounter)
        return kernel.outcome_so_far(self._fight)

    def is_beaten(self, who: str, outcome: int) -> bool:
        """Whether a combatant is on the side that an outcome defeats: the party's side, or any other."""
        return outcome != layout.UNDECIDED and who in self._index and (self._side(who) == 0) == (outcome == layout.LOST)

    def _side(self, who: str) -> int:
        return int(self._sheet.combatants[self._index[who], sheet.FighterRow.side])

    def _now(self, who: str) -> layout.Now:
        return self._fight.now[self._index[who]]

    def _begin(self, encounter: Encounter, who: str, action: int) -> Command | None:
        """Begin an action. Its strikes follow as commands, unless one command makes all attacks of an activity."""
        row = self._sheet.actions[action]
        self._targets, self._action, self._aim = int(row[sheet.Action.targets]), action, -1
        first, count = int(row[sheet.Action.first]), int(row[sheet.Action.count])
        self._strikes = [int(strike) for strike in self._sheet.routine[first : first + count]]
        self._fight.used[action] += 1
        now = self._now(who)
        now.cast = max(now.cast, int(row[sheet.Action.spell]))
        feature = feature_of(encounter, who, self._legend.actions[action][1])
        if not self._strikes:
            return TakeAction(who, self._legend.actions[action][1])
        attacks = self._sheet.sources[self._strikes[0], sheet.Source.kind] == sheet.ATTACK
        is_activity = feature is not None and not is_attack(feature) and attacks
        if not is_activity or feature is None or not steps_of(feature, paid=self._rules.data.attack.priced):
            return None
        source, self._strikes = self._strikes[0], []
        aim = self._aim_of(self._index[who], int(self._sheet.sources[source, sheet.Source.ranged] == 0))
        if aim < 0 or not self._rules.data.places.forecast_flanks:
            return TakeAction(who, feature.id)
        target, flanked = self._legend.combatants[aim], bool(kernel.flanks(self._fight, self._index[who], aim))
        self._waiting = [TakeAction(who, feature.id), SetRelation(who, target, forget=True)]
        return SetRelation(who, target, flanked=flanked)

    def _strike(self, encounter: Encounter, who: str, me: int, source: int) -> Command | None:
        """Return the command for one strike of an action, or None if it has no target."""
        row, feature = self._sheet.sources[source], self._legend.sources[source][1]
        near = int(row[sheet.Source.ranged] == 0)
        if row[sheet.Source.kind] == sheet.ATTACK:
            aim = self._aim_of(me, near)
            self._attack = (source, aim)
            if aim < 0:
                return None
            if self._sheet.actions[self._action, [sheet.Action.starts, sheet.Action.needs]].any():
                return self._use(who, feature, (self._legend.combatants[aim],))
            return Attack(who, self._legend.combatants[aim], feature, facts=self._facts(encounter, me, source, aim))
        if row[sheet.Source.kind] == sheet.HEAL:
            healed = policy.healed_by(self._fight, me, self._action)
            others = (
                one for one in range(len(self._index)) if one != healed and policy.is_healed_too(self._fight, me, one)
            )
            named = tuple(self._legend.combatants[one] for one in [healed, *others][: self._targets])
            return self._use(who, feature, named) if healed >= 0 else None
        first = policy.first_target(self._fight, me, self._action, near)
        if first < 0:
            return None
        enemies = [one for one in range(len(self._index)) if policy.is_caught(self._fight, me, self._action, one)]
        targets = [first, *(enemy for enemy in enemies if enemy != first)][: self._targets]
        named = tuple(self._legend.combatants[index] for index in sorted(targets))
        return self._use(who, feature, named)

    def _use(self, who: str, feature: str, targets: tuple[str, ...]) -> UseFeature:
        """Return the command for a use of a feature, or for a later use of a lasting spell."""
        if self._sheet.actions[self._action, sheet.Action.needs]:
            return UseFeature(who, spell=feature, targets=targets, purpose="again")
        return UseFeature(who, feature, targets=targets, level=self._level())

    def _level(self) -> int | None:
        """Return the level of the slot that pays for the current action, or None without a slot."""
        supply = int(self._sheet.actions[self._action, sheet.Action.supply])
        kind, _, level = self._legend.supplies[supply][1].partition(".") if supply >= 0 else ("", "", "")
        return int(level) if kind == "slots" else None

    def _aim_of(self, me: int, near: int) -> int:
        """Return the target of the current action's next attack: the previous one, as long as it can be attacked."""
        if self._aim < 0 or not policy.may_be_attacked(self._fight, me, self._aim, 0):
            self._aim = policy.target_for(self._fight, me, near, self._action)
        self._fight.now[me].aim = self._aim
        if self._aim >= 0:
            kernel.come_near(self._fight, me, self._aim, 1 - near)
        return self._aim

    def _facts(self, encounter: Encounter, me: int, source: int, target: int) -> tuple[str, ...]:
        """Return the game master's answers about damage dealt once per turn.

        The damage is always dealt. An ally is near if it is near in the state. No enemy is next to a ranged attacker.
        """
        row = self._sheet.sources[source]
        at = sheet.Source
        afar = (sources.UNTHREATENED,) if row[at.ranged] else ()
        if not row[[at.extra_count, at.near_edges, at.flank_edges, at.flank_adds, at.flank_die]].any():
            return afar
        near = kernel.extra_holds(self._fight, me, target, sheet.ALLY_NEAR, 0)
        creature = creature_of(encounter, encounter.need(Combatant, self._legend.combatants[me]))
        asking = (each for each in creature.features if each.automation == "asks")
        rules = ((feature.id, rule.kind, rule.what) for feature in asking for rule in feature.rules)
        chosen = [f"chosen:{id}" for id, *extra in rules if extra == ["extra", "damage"]]
        flank = (sources.FLANKS,) if not row[at.ranged] and kernel.flanks(self._fight, me, target) else ()
        return (*afar, *chosen, *flank, *(sources.facts_of_allies(creature) if near else ()))

    def _is_resisted(self, encounter: Encounter, prompt: Prompt, who: str) -> bool:
        """Whether a combatant would spend a use to succeed on a failed save: against a source of conditions."""
        procedure = encounter.get(Procedure, prompt.procedure)
        data = procedure.data if procedure is not None else None
        if not isinstance(data, SaveEffect) or not self._sheet.combatants[self._index[who], sheet.FighterRow.resists]:
            return False
        row = self._sheet.sources[self._legend.sources.index((data.members[0], data.feature.id))]
        return bool(row[sheet.Source.first_infliction] < row[sheet.Source.last_infliction])

    def _reaches_each(self, encounter: Encounter, prompt: Prompt) -> bool:
        """Whether the sheet lets a prompt's world action affect all combatants in its area, instead of only one."""
        procedure = encounter.get(Procedure, prompt.procedure)
        data = procedure.data if procedure is not None else None
        if not isinstance(data, EnvironmentEffect) or (data.environment, data.entry) not in self._legend.world:
            return True
        row = self._sheet.world[self._legend.world.index((data.environment, data.entry))]
        return bool(row[sheet.World.reaches_each])

    def _hits(self) -> bool:
        """Whether the current attack hits according to the sheet's tables."""
        source, target = self._attack
        me = self._index[self._turn[0]]
        own, *_ = kernel.changed_by_conditions(self._fight, me, source, self._fight.holder_changes)
        edges, _, certain, _ = kernel.changed_by_conditions(self._fight, target, source, self._fight.target_changes)
        cell = self._sheet.cells[source, target]
        if sheet.CERTAIN_FAILURE in (certain, cell[sheet.Cell.certain]):
            return False
        face = kernel.roll_check(
            self._fight, self._sheet.die, kernel.joined_edge(int(cell[sheet.Cell.edge]), own | edges)
        )
        row = self._sheet.sources[source, sheet.Source.table] + cell[sheet.Cell.margin] + sheet.MARGIN
        return bool(self._sheet.outcomes[row, face - 1] != sheet.MISS)

    def _legendary(self, encounter: Encounter, ask: Ask) -> str:
        """Return the policy's choice among the offered legendary actions, or the option to pass."""
        if ask.who not in self._index or not self._read(encounter, ask.who):
            return PASS
        action = policy.action_for(self._fight, self._index[ask.who], 1)
        feature = self._legend.actions[action][1] if action >= 0 else PASS
        if action >= 0:
            self._targets, self._action, self._aim = int(self._sheet.actions[action][sheet.Action.targets]), action, -1
        return feature if feature in {option.id for option in ask.options} else PASS

    # The loop's state, read from the encounter -----------------------------------------------------------------------

    def _read(self, encounter: Encounter, who: str) -> bool:
        """Update the state from the encounter and a combatant's resources. Return whether the combatant can act."""
        self._fill(encounter)
        me = self._index[who]
        if self._now(who).state != layout.IS_UP or cannot_act_vetoes(encounter, self._rules, who):
            return False
        self._now(who).tally = attacks_made(encounter, self._rules, who)
        purse, first = self._fight.purse, me * sheet.POOLS
        for pool, resource in POOL_RESOURCES:
            is_denied = denial_vetoes(encounter, self._rules, who, resource)
            purse[first + pool] = 0 if is_denied else remaining(encounter, who, resource)
        purse[first + sheet.LEGENDARY_POOL] = remaining_uses(encounter, who, LEGENDARY)
        for number, (owner, name) in enumerate(self._legend.supplies):
            if owner == who:
                pooled = name in self._rules.resources
                amount = remaining(encounter, who, name) if pooled else remaining_uses(encounter, who, name)
                self._fight.left[number] = amount
        return True

    def _fill(self, encounter: Encounter) -> None:
        """Update the state of all combatants: standing, down, dying, dead, or not arrived yet."""
        for side in range(len(self._sheet.enmity)):
            self._fight.standing[side] = self._fight.against[side] = 0
        dying = next((n for n, row in enumerate(self._sheet.states) if row[sheet.Fallen.kind] == sheet.DYING), 0)
        for who, number in self._index.items():
            now = self._fight.now[number]
            combatant = encounter.get(Combatant, who)
            if combatant is None:
                now.state = layout.IS_AWAY
                continue
            up = combatant.hp > 0 and not combatant.dead
            now.hp = combatant.hp
            effects = (effect.name for effect in encounter.of(Effect, who))
            conditions = {*condition_names(encounter, self._rules, who), *effects}
            now.conditions = sum(1 << place for place, name in enumerate(self._legend.conditions) if name in conditions)
            now.moves, now.holds = MOST_ROUNDS, 0
            now.state = layout.IS_UP if up else sheet.DEATH if combatant.dead else dying
            if up:
                policy.count_standing(self._fight, number, 1)
            else:
                self.fell.add(who)
        for held in self._fight.held:
            held.by = 0
        for effect in encounter.all(Effect):
            holder = self._index.get(effect.concentrator)
            if holder is not None and effect.target in self._index and effect.name in self._legend.conditions:
                at = self._index[effect.target] * len(self._legend.conditions)
                self._fight.held[at + self._legend.conditions.index(effect.name)].by = holder + 1
                self._fight.now[holder].holds += 1

    def _forget_uses(self, me: int) -> None:
        row = self._sheet.combatants[me]
        for action in range(int(row[sheet.FighterRow.first_action]), int(row[sheet.FighterRow.last_action])):
            self._fight.used[action] = 0
        self._fight.now[me].cast = 0


def engine_fights(
    encounter: Encounter, rules: RuleSystem, *, seed: int, count: int, policies: Sequence[Policy] = (),
    sessions: list[Session] | None = None,
) -> tuple[list[EngineFight], int]:  # fmt: skip
    """Play a prepared encounter `count` times in the engine. Return the fights and the number of refused commands.

    The encounter must be the result of `playable_by_sheet`. Each fight's session is added to `sessions`.
    """
    copy = begun_copy(encounter, rules)
    built, legend = build_sheet(copy.encounter, rules, copy.waiting)
    packed = estimate.packed_sheet(built, policies)
    fights, refused = [], 0
    for number in range(count):
        session, drawn = Session(encounter, rules), (seed * 1_000_003 + number) % 2**32
        session.do(SetDice("roll", seed=drawn))
        chooser = PolicyChooser(rules, built, legend, packed, drawn)
        player = AutoPlayer(session, chooser, most_rounds=MOST_ROUNDS)
        player.play()
        refused += player.refused
        fights.append(_fight(session, chooser))
        if sessions is not None:
            sessions.append(session)
    return fights, refused


def play_fight(
    encounter: Encounter, rules: RuleSystem, number: int, *, seed: int, policies: Sequence[Policy] = ()
) -> tuple[tuple[Sentence, ...], Session]:
    """Play the fight with a number, starting with 1, from an encounter's current state, which doesn't change.

    Return the outcome and the characters that fell as sentences, and the session.
    """
    playable, played = playable_by_sheet(encounter, rules), list[Session]()
    (fight,), _ = engine_fights(playable, rules, seed=seed + number, count=1, policies=policies, sessions=played)
    party = [each for each in played[0].encounter.all(Combatant) if is_character(played[0].encounter, each)]
    names = ", ".join(each.label for each in party if each.id in fight.fell)
    outcome = Sentence(f"forecast.played-{OUTCOMES[fight.outcome]}", (("number", number), ("round", fight.rounds)))
    falls = Sentence("forecast.played-down", (("names", names),)) if names else Sentence("forecast.played-none-down")
    return (outcome, falls), played[0]


def playable_by_sheet(encounter: Encounter, rules: RuleSystem) -> Encounter:
    """Return an encounter reduced to the parts that its sheet includes, so that both play the same fight.

    The map is also removed. If the rule system doesn't define a die for checks, the option that the sheet assumes is
    set. Rules are enforced: saves that always fail aren't rolled.
    """
    field = encounter.get(Map, "map")
    placeless = encounter.with_changes([Change(key_of(field), field, None)]) if field is not None else encounter
    copy = begun_copy(placeless, rules)
    _, legend = build_sheet(copy.encounter, rules, copy.waiting)
    out = {(note.table, note.subject, note.item) for note in legend.notes if note.list == "left-out"}
    records: list[Creature | Environment] = [*placeless.all(Creature), *placeless.all(Environment)]
    changed = [(each, _without(each, {item for *key, item in out if tuple(key) == key_of(each)})) for each in records]
    changes = [Change(key_of(before), before, without) for before, without in changed if without != before]
    options, scene = rules.data.checks.die_options, scene_of(placeless)
    option_ids = (*scene.options, options[0][0]) if options and not rules.check_die(placeless) else scene.options
    enforced = msgspec.structs.replace(scene, options=option_ids, strictness="enforce")
    changes.append(Change(key_of(scene), placeless.record(key_of(scene)), enforced))
    return placeless.with_changes(changes)


def _without(record: Creature | Environment, left_out: set[str]) -> Creature | Environment:
    """Return a record with some features and world actions switched off.

    If `left_out` contains an empty id, the phases are removed.
    """
    if isinstance(record, Creature):
        features = [
            msgspec.structs.replace(feature, automation="off") if feature.id in left_out else feature
            for feature in record.features
        ]
        return msgspec.structs.replace(record, features=tuple(features), phases=() if "" in left_out else record.phases)

    def kept(entries: tuple[EnvironmentEntry, ...]) -> tuple[EnvironmentEntry, ...]:
        return tuple(msgspec.structs.replace(one, enabled=False) if one.id in left_out else one for one in entries)

    return msgspec.structs.replace(record, features=kept(record.features), actions=kept(record.actions))


def _fight(session: Session, chooser: PolicyChooser) -> EngineFight:
    """Return the result of a fight when it was decided. Its last step may extend into the next round."""
    encounter, step = session.encounter, session.history.last
    outcome = chooser.outcome(encounter)
    facts = [(line.round, fact) for line in step.lines for fact in line.facts] if step is not None else []
    falls = {fact.who: number for number, fact in facts if fact.before > 0 >= fact.left}
    beaten = [number for who, number in falls.items() if chooser.is_beaten(who, outcome)]
    last_round = max(beaten, default=min(clock_of(encounter).round, MOST_ROUNDS))
    late = [fact for number, fact in facts if number > last_round]
    everyone: Sequence[Combatant] = list(encounter.all(Combatant))
    hit_points = {combatant.id: combatant.hp for combatant in everyone}
    hit_points |= {fact.who: fact.before for fact in reversed(late) if fact.before != fact.left}
    return EngineFight(
        outcome,
        last_round,
        tuple(hit_points.items()),
        frozenset(chooser.fell - {who for who, number in falls.items() if number > last_round}),
        frozenset(combatant.id for combatant in everyone if combatant.dead)
        - {fact.who for fact in late if fact.kind == "dead"},
    )
