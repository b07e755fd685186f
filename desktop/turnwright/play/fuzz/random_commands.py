"""Random commands of any type, by and for any combatant, legal or not, and random answers to asks.

The fields of each command are drawn at random to fit their annotations. For commands that would mostly be refused this
way, makers choose some sensible values; a maker returns None if it finds no suitable subject.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from turnwright.encounter.field_specs import FieldSpec, Kind, specs_of
from turnwright.encounter.prepared import Countdown, Environment, Feature, Map, RosterEntry
from turnwright.encounter.procedure_state.asks import FAILED, Ask, Reply
from turnwright.encounter.running import Combatant, CountdownPool, Duration, Effect, Slot, Snapshot, Track
from turnwright.encounter.state import Encounter
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.contest import BreakFree
from turnwright.play.actions.use_feature import CommandFollowers, UseFeature
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.group_attack import CommandMount, GroupAttack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.countdown_pools import AdjustPool
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.queries.queries import active_combatants
from turnwright.play.registry import command_types
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, ResetToPrepared, StartEncounter
from turnwright.play.spawning.spawning import AddCombatants, BringWave
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndEncounter, EndTurn, RemoveCombatant
from turnwright.rules.system import RuleSystem, creature_of

C = TypeVar("C", bound=Command)
Drawn = Mapping[str, Any]
NUMBERS = range(21)
LEAST_NUMBER = -5
SQUARE = (3, 3)
DICE = ("3", "2d6", "1d8+2", "4d10", "60")
FACTS = ((), ("advantage",), ("flanks",), ("cover:half",))


class RandomFields:
    """Draws commands field by field from the encounter and the system's data; the same seed gives the same commands."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self.chance = rng
        self._session = session

    @property
    def encounter(self) -> Encounter:
        """Return the current encounter."""
        return self._session.encounter

    @property
    def rules(self) -> RuleSystem:
        """Return the rule system in use."""
        return self._session.rules

    def draw(self, kind: type[C], **fixed: Any) -> C | None:
        """Return a random command with these `fixed` fields, or None if a required field has no possible value.

        Optional fields are usually omitted.
        """
        drawn = dict(fixed)
        for spec in specs_of(kind):
            if spec.name in drawn or (not spec.required and self.chance.random() < 0.65):
                continue
            choices = self._choices(spec, drawn)
            if choices:
                drawn[spec.name] = self.chance.choice(choices)
            elif spec.required:
                return None
        return kind(**drawn)

    def _choices(self, spec: FieldSpec, drawn: Drawn) -> Sequence[Any]:
        if spec.name == "who" and spec.kind == "combatant":
            return [self.actor()]
        if spec.kind == "choice":
            return spec.options
        if spec.kind == "number":
            least = max(spec.least, LEAST_NUMBER) if spec.is_limited else NUMBERS.start
            numbers = range(least, min(spec.most + 1, NUMBERS.stop))
            return [5 * number for number in numbers] if spec.unit == "feet" else numbers
        choices = CHOICES.get(spec.kind)
        return choices(self, drawn) if choices else ()

    def all_ids(self) -> list[str]:
        """Return the ids of all combatants."""
        return [combatant.id for combatant in self.encounter.all(Combatant)]

    def actor(self) -> str:
        """Return the id of a combatant, usually one whose turn it is."""
        active = [active_combatant.id for active_combatant in active_combatants(self.encounter)]
        return self.chance.choice(active if active and self.chance.random() < 0.8 else self.all_ids() or [""])

    def other(self, *excluded: str) -> str:
        """Return the id of a combatant that isn't excluded, or an empty string if there is none."""
        return self.chance.choice([id for id in self.all_ids() if id not in excluded] or [""])

    def some(self) -> tuple[str, ...]:
        """Return the ids of one to three combatants."""
        all_ids = self.all_ids()
        return tuple(self.chance.sample(all_ids, min(len(all_ids), self.chance.randint(1, 3))))

    def features(self, who: str) -> list[Feature]:
        """Return the features of a combatant."""
        combatant = self.encounter.get(Combatant, who)
        return list(creature_of(self.encounter, combatant).features) if combatant else []

    def squares(self, drawn: Drawn, steps: int) -> Iterator[tuple[int, int]]:
        """Yield squares of a path that starts at the drawn combatant's position, each adjacent to the previous one."""
        combatant = self.encounter.get(Combatant, drawn.get("who", ""))
        column, row = combatant.position if combatant is not None and combatant.position is not None else SQUARE
        for _ in range(steps):
            column, row = max(0, column + self.chance.randint(-1, 1)), max(0, row + self.chance.randint(-1, 1))
            yield column, row

    def damages(self) -> list[str]:
        """Return damage expressions, with and without a type."""
        kinds = ["", *(damage_type.id for damage_type in self.rules.data.damage_types)]
        return [f"{dice} {kind}".strip() for dice in DICE for kind in kinds]

    def checks(self) -> list[str]:
        """Return the ids of ability and skill checks."""
        data = self.rules.data
        return [*(ability.id for ability in data.abilities), *(f"{skill.ability}:{skill.id}" for skill in data.skills)]

    def entries(self, drawn: Drawn) -> list[str]:
        """Return the ids of the drawn environment's features and actions."""
        place = self.encounter.get(Environment, drawn.get("environment", ""))
        return [row.id for row in (*place.features, *place.actions)] if place else []

    def tracks(self, drawn: Drawn) -> list[str]:
        """Return the names of the drawn combatant's tracks."""
        return [track.name for track in self.encounter.of(Track, drawn.get("who", ""))]

    def ids_of(self, kind: type[Effect | Environment | Countdown | CountdownPool | RosterEntry | Slot]) -> list[str]:
        """Return the ids of all records of a kind."""
        return [record.id for record in self.encounter.all(kind)]


def _ids(records: Sequence[Any]) -> list[str]:
    return [record.id for record in records]


CHOICES: Mapping[Kind, Callable[[RandomFields, Drawn], Sequence[Any]]] = {
    "ability": lambda fields, _: _ids(fields.rules.data.abilities),
    "action": lambda fields, _: _ids(fields.rules.data.actions),
    "check": lambda fields, _: fields.checks(),
    "combatant": lambda fields, drawn: [fields.other(drawn.get("who", ""))],
    "combatants": lambda fields, _: [fields.some()],
    "condition": lambda fields, _: _ids(fields.rules.data.conditions),
    "countdown": lambda fields, _: fields.ids_of(Countdown),
    "dice": lambda fields, _: fields.damages(),
    "door": lambda fields, _: [door.id for field in fields.encounter.all(Map) for door in field.doors],
    "snapshot": lambda fields, _: [snapshot.id for snapshot in fields.encounter.all(Snapshot)],
    "effect": lambda fields, _: fields.ids_of(Effect),
    "entry": lambda fields, drawn: fields.entries(drawn),
    "environment": lambda fields, _: fields.ids_of(Environment),
    "environments": lambda fields, _: [tuple(id for id in fields.ids_of(Environment) if fields.chance.random() < 0.5)],
    "facts": lambda _fields, _: FACTS,
    "feature": lambda fields, drawn: _ids(fields.features(drawn.get("who", ""))),
    "flag": lambda _fields, _: (False, True),
    "numbers": lambda fields, _: [tuple((id, fields.chance.choice(NUMBERS)) for id in fields.some())],
    "pool": lambda fields, _: fields.ids_of(CountdownPool),
    "prose": lambda _fields, _: ("at random",),
    "resource": lambda fields, _: _ids(fields.rules.data.resources),
    "roster": lambda fields, _: fields.ids_of(RosterEntry),
    "slot": lambda fields, _: fields.ids_of(Slot),
    "speed": lambda fields, _: ["walk", *_ids(fields.rules.data.speeds)],
    "spell": lambda fields, _: _ids(fields.rules.data.spells),
    "square": lambda fields, drawn: [*fields.squares(drawn, 1)],
    "squares": lambda fields, drawn: [tuple(fields.squares(drawn, fields.chance.randint(1, 6)))],
    "stat": lambda _fields, _: ("passive.perception",),
    "text": lambda _fields, _: ("at random",),
    "track": lambda fields, drawn: fields.tracks(drawn),
    "wave": lambda fields, _: sorted({entry.wave for entry in fields.encounter.all(RosterEntry) if entry.wave}),
}


Maker = Callable[[], Command | None]
FIST = Feature("fist", "Fist", "action", attack=3, reach=5, damage="1d4 bludgeoning")
LEAST_COMBATANTS = 3
MOST_COMBATANTS = 30
# The runner gives these commands itself, because they begin or end the fight, or answer prompts.
GIVEN_BY_RUNNER = frozenset(
    {Answer, DismissPrompt, StartEncounter, AdvanceSetup, ResetToPrepared, EndTurn, EndEncounter}
)
BEFORE_ROUNDS = "turnwright.play.turn_order."


class RandomCommands:
    """Random commands for a session, drawn from a random generator."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self._fields = RandomFields(session, rng)
        self._chance = rng
        makers: dict[type[Command], tuple[int, Maker]] = {
            Attack: (16, self._attack),
            TakeAction: (12, self._action),
            MovePath: (10, self._move),
            UseFeature: (5, self._feature),
            CastSpell: (2, self._cast),
            ApplyDamage: (4, lambda: self._fields.draw(ApplyDamage, targets=self._fields.some())),
            ApplyCondition: (4, self._condition),
            Heal: (3, lambda: self._fields.draw(Heal)),
            CommandMount: (2, self._command_mount),
            BreakFree: (2, self._break_free),
            CommandFollowers: (2, self._command_followers),
            AdjustPool: (2, lambda: self._fields.draw(AdjustPool, by=rng.choice((1, 1, -1)))),
            GroupAttack: (1, self._group_attack),
            SetDead: (1, self._set_dead),
            SetDice: (1, lambda: SetDice(rng.choice(("roll", "ask")))),
            RemoveCombatant: (1, self._remove),
            AddCombatants: (1, lambda: self._join(AddCombatants)),
            BringWave: (1, lambda: self._join(BringWave)),
        }
        drawn = {kind: (1, self._maker(kind)) for kind in command_types().values() if kind not in GIVEN_BY_RUNNER}
        all_makers = {**drawn, **makers}
        self._makers = [maker for _, maker in all_makers.values()]
        self._weights = [weight for weight, _ in all_makers.values()]
        self._before_rounds = [maker for kind, (_, maker) in drawn.items() if kind.__module__.startswith(BEFORE_ROUNDS)]

    def next_command(self) -> Command | None:
        """Return a random command, or None if the chosen maker finds no suitable subject."""
        (maker,) = self._chance.choices(self._makers, self._weights)
        return maker()

    def before_rounds(self) -> Command | None:
        """Return a random surprise or initiative command, for use before the first round."""
        return self._chance.choice(self._before_rounds)()

    def _maker(self, kind: type[Command]) -> Maker:
        return lambda: self._fields.draw(kind)

    def _one(self, of: Sequence[Combatant]) -> Combatant | None:
        return self._chance.choice(of) if of else None

    def _all(self) -> list[Combatant]:
        return [*self._fields.encounter.all(Combatant)]

    def _weapon(self, who: str) -> Feature:
        weapons = [feature for feature in self._fields.features(who) if feature.attack is not None or feature.ability]
        return self._chance.choice(weapons or [FIST])

    def _attack(self) -> Command | None:
        who = self._fields.actor()
        weapon, target = self._weapon(who), self._fields.other(who)
        return self._fields.draw(Attack, who=who, target=target, weapon=weapon.id, given=weapon, at=None)

    def _action(self) -> Command | None:
        who = self._fields.actor()
        options = {action.id: action for action in self._fields.rules.data.actions}
        feature_ids = [feature.id for feature in self._fields.features(who) if feature.cost != "trait"]
        action = self._chance.choice([*options, *feature_ids])
        option = options.get(action)
        sets_choices = self._chance.random() < 0.5
        return self._fields.draw(
            TakeAction,
            who=who,
            action=action,
            targets=(self._fields.other(who),) if self._chance.random() < 0.7 else (),
            cost=self._chance.choice(option.costs) if option and option.costs and sets_choices else "",
            choice=self._chance.choice(option.choices).id if option and option.choices and sets_choices else "",
            points=self._chance.choice((None, 0, 1, 2, 4)) if option and not option.price else None,
        )

    def _move(self) -> Command | None:
        mover = self._fields.encounter.get(Combatant, self._fields.actor())
        if mover is None:
            return None
        mode = self._chance.choice(["walk", "walk", *(speed.id for speed in self._fields.rules.data.speeds)])
        drags = self._fields.other(mover.id) if self._chance.random() < 0.05 else ""
        if mover.position is not None and self._chance.random() < 0.7:
            return self._fields.draw(MovePath, who=mover.id, mode=mode, drags=drags, heights=())
        feet = 5 * self._chance.randint(0, 8)
        up = self._chance.choice((0, 0, feet, -feet)) if mode in ("fly", "climb", "swim") else 0
        leaves = (self._fields.other(mover.id),) if self._chance.random() < 0.3 else ()
        return MoveFeet(mover.id, feet, mode, up=up, leaves=leaves, drags=drags)

    def _feature(self) -> Command | None:
        who = self._fields.actor()
        spells = self._fields.rules.data.spells
        if spells and self._chance.random() < 0.1:
            spell = self._chance.choice(spells)
            cubes = tuple((number, 0, 0) for number in range(spell.cubes))
            return UseFeature(who, spell=spell.id, targets=self._fields.some(), cubes=cubes)
        features = [each for each in self._fields.features(who) if each.attack is None and each.cost != "trait"]
        if not features:
            return None
        chosen_feature = self._chance.choice(features)
        level = self._chance.choice((None, None, chosen_feature.level, 1))
        return UseFeature(who, chosen_feature.id, targets=self._fields.some(), level=level)

    def _cast(self) -> Command | None:
        spells = [spell.id for spell in self._fields.rules.data.spells]
        spell = self._chance.choice(spells) if spells and self._chance.random() < 0.6 else ""
        level, targets = self._chance.choice((None, None, 1, 3)), self._fields.some()
        if spell:
            return CastSpell(self._fields.actor(), spell=spell, targets=targets, level=level)
        return self._fields.draw(CastSpell, feature="", spell="", name="Glimmer", targets=targets, level=level)

    def _condition(self) -> Command | None:
        condition = self._chance.choice(self._fields.rules.data.conditions)
        moments = (Duration(), Duration("turn-start", self._fields.other()), Duration("turn-end", self._fields.other()))
        return self._fields.draw(
            ApplyCondition,
            condition=condition.id,
            value=self._chance.randint(0, 3) if condition.valued else 0,
            ends=self._chance.choice((*moments, Duration("turn"))),
        )

    def _command_mount(self) -> Command | None:
        rider = self._one([combatant for combatant in self._all() if combatant.rides])
        movement = self._fields.rules.data.movement
        orders = [*movement.free_orders, *movement.paid_orders]
        if rider is None or not orders:
            return None
        weapon = self._weapon(rider.rides).id
        return self._fields.draw(CommandMount, who=rider.id, action=self._chance.choice(orders), weapon=weapon)

    def _break_free(self) -> Command | None:
        grappled, effects = self._fields.rules.role("grappled"), self._fields.encounter.all(Effect)
        escapable = [effect.id for effect in effects if effect.break_free or effect.name == grappled]
        return BreakFree(self._chance.choice(escapable)) if escapable else None

    def _command_followers(self) -> Command | None:
        followers = [combatant for combatant in self._all() if combatant.controller]
        first = self._one(followers)
        if first is None:
            return None
        group = tuple(follower.id for follower in followers if follower.group and follower.group == first.group)
        action = self._chance.choice(("attack", "dash", "dodge"))
        return self._fields.draw(CommandFollowers, who=first.controller, creatures=group or (first.id,), action=action)

    def _group_attack(self) -> Command | None:
        grouped = [combatant for combatant in self._all() if combatant.group]
        first = self._one(grouped)
        if first is None:
            return None
        members = tuple(combatant.id for combatant in grouped if combatant.group == first.group)
        weapon = self._weapon(first.id)
        return GroupAttack(members, self._fields.other(first.id), weapon.id, weapon)

    def _set_dead(self) -> Command | None:
        fallen = self._one([combatant for combatant in self._all() if combatant.dead])
        if fallen is not None and self._chance.random() < 0.8:
            return SetDead(fallen.id, dead=False, hp=self._chance.choice((0, 1, 5)))
        return SetDead(self._fields.other())

    def _join(self, kind: type[Command]) -> Command | None:
        return self._fields.draw(kind) if len(self._all()) < MOST_COMBATANTS else None

    def _remove(self) -> Command | None:
        return RemoveCombatant(self._fields.other()) if len(self._all()) > LEAST_COMBATANTS else None


TYPED = ("?", "1!", "20!")


class RandomAnswers:
    """Random replies from a random generator; the same seed gives the same replies."""

    def __init__(self, rng: random.Random) -> None:
        self._chance = rng

    def reply(self, ask: Ask) -> Reply:
        """Return a random reply of the type that the ask needs, or occasionally skip the ask."""
        if self._chance.random() < 0.05:
            return Reply(ask.id, skip=True)
        if ask.kind == "roll":
            return self._roll(ask)
        if ask.kind == "number":
            return Reply(ask.id, number=self._chance.randint(0, min(ask.max_choices or 20, 30)))
        options = [option.id for option in ask.options]
        if ask.kind == "choice":
            return Reply(ask.id, chosen=(self._chance.choice(options),))
        if ask.kind == "order":
            return Reply(ask.id, chosen=self._order(options, ask.must_follow))
        many = self._chance.randint(0, min(ask.max_choices or len(options), len(options)))
        return Reply(ask.id, chosen=tuple(self._chance.sample(options, many)))

    def _roll(self, ask: Ask) -> Reply:
        draw = self._chance.random()
        if draw < 0.7:
            return Reply(ask.id, roll=True)
        if draw < 0.75 and ask.spec is not None and ask.spec.fails:
            return Reply(ask.id, chosen=(FAILED,))
        if draw < 0.8 and ask.options:
            return Reply(ask.id, chosen=(self._chance.choice(ask.options).id,))
        return Reply(ask.id, typed=self._chance.choice((*TYPED, str(self._chance.randint(1, 25)))))

    def _order(self, options: list[str], after: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
        """Return the options in an order allowed by `after` (pairs of option and predecessor), rarely in any order."""
        if self._chance.random() < 0.1:
            return tuple(self._chance.sample(options, len(options)))
        order: list[str] = []
        while len(order) < len(options):
            remaining = [option for option in options if option not in order]
            waiting = {late for late, early in after if early in remaining}
            order.append(self._chance.choice([option for option in remaining if option not in waiting] or remaining))
        return tuple(order)
