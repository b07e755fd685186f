"""Random commands during set-up and rounds: by and for any combatant, legal or not.

The fields of each command are drawn at random to fit their annotations. For commands that would mostly be refused this
way, makers choose some sensible values; a maker returns None if it finds no suitable subject.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.command_followers import CommandFollowers
from turnwright.play.actions.escape import BreakFree
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.group_attack import GroupAttack
from turnwright.play.attacks.mount_command import CommandMount
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.countdown_pools import AdjustPool
from turnwright.play.fuzz.random_fields import RandomFields
from turnwright.play.kernel.commands import Command
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.registry import command_types
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, ResetToPrepared, StartEncounter
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.spawning.waves import BringWave
from turnwright.play.table.dice import SetDice
from turnwright.play.turns.encounter_end import EndEncounter, RemoveCombatant
from turnwright.play.turns.turns import EndTurn

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
        weapon = self._weapon(who)
        return self._fields.draw(
            Attack, who=who, target=self._fields.other(who), weapon=weapon.id, given=weapon, at=None
        )

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
        features = [
            feature for feature in self._fields.features(who) if feature.attack is None and feature.cost != "trait"
        ]
        if not features:
            return None
        chosen_feature = self._chance.choice(features)
        level = self._chance.choice((None, None, chosen_feature.level, 1))
        return UseFeature(who, chosen_feature.id, targets=self._fields.some(), level=level)

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
        grappled = self._fields.rules.role("grappled")
        escapable = [
            effect.id for effect in self._fields.encounter.all(Effect) if effect.break_free or effect.name == grappled
        ]
        return BreakFree(self._chance.choice(escapable)) if escapable else None

    def _command_followers(self) -> Command | None:
        followers = [combatant for combatant in self._all() if combatant.controller]
        first = self._one(followers)
        if first is None:
            return None
        members = [follower.id for follower in followers if follower.group and follower.group == first.group] or [
            first.id
        ]
        action = self._chance.choice(("attack", "dash", "dodge"))
        return self._fields.draw(CommandFollowers, who=first.controller, creatures=tuple(members), action=action)

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
