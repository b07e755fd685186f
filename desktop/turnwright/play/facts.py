"""Facts of a step: the data from its events that reports need."""

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.encounter.facts import FightFact
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.play.attacks.attack_request import Attacked, FeatureUsed
from turnwright.play.damage.zero_hit_points import Died
from turnwright.play.environment.countdown_pools import PoolExpired, PoolRolled
from turnwright.play.environment.environment_effect import EntryUsed
from turnwright.play.kernel.events import Event, LabelLookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.spawning import PoolStarted, WaveJoined
from turnwright.play.state.events import DamageTaken, DroppedToZero, Healed, HitPointsSet, Rolled
from turnwright.play.table.snapshots import SnapshotRestored
from turnwright.play.turns.turns import CombatantRemoved, RoundStarted, TurnStarted, WorldTurnStarted
from turnwright.rules.system import creature_of

SAVES = frozenset({"ask.save", "ask.death_save"})


class StepFacts:
    """The facts of a step's events. `seconds` is the real time since the session was opened."""

    def __init__(self, tx: Transaction, names: LabelLookup, seconds: int) -> None:
        self.tx = tx
        self.names = names
        self.seconds = seconds
        self.last_to_damage: dict[str, str] = {}  # the combatant who dealt the last damage, keyed by target

    def of(self, event: Event) -> tuple[FightFact, ...]:
        """Return the facts of an event. Most events have none."""
        make = MAKERS.get(type(event))
        return make(self, event) if make is not None else ()


def _doer(step: StepFacts, by: str, source: str) -> str:
    """Return the combatant who caused an event: the recorded one, or one whose label or id was entered as the source.

    If the source is a feature, return the active combatant who has it, or else its only owner.
    """
    if by or not source:
        return by
    combatants, entered = tuple(step.tx.all(Combatant)), source.casefold()
    source_id = next((one.id for one in combatants if entered in (one.label.casefold(), one.id)), "")
    if source_id:
        return source_id
    owners = [combatant.id for combatant in combatants if _has_feature(step.tx, combatant, source)]
    clock = step.tx.base.get(Clock, "clock")
    slot = step.tx.get(Slot, clock.active) if clock is not None else None
    active = next((id for id in owners if slot is not None and id in slot.members), "")
    return active or (owners[0] if len(owners) == 1 else "")


def _has_feature(tx: Transaction, combatant: Combatant, name: str) -> bool:
    """Return whether a combatant's stat block has a feature of this name."""
    creature = creature_of(tx, combatant)
    return creature is not None and any(feature.name == name for feature in creature.features)


def _damage(step: StepFacts, event: DamageTaken) -> tuple[FightFact, ...]:
    by = _doer(step, event.by, event.source)
    step.last_to_damage[event.target] = by
    target = step.tx.get(Combatant, event.target)
    lost = max(0, event.hp_before) - max(0, event.hp_after) + event.temp_before - event.temp_after
    amount = lost if target is None or target.hp_max else event.taken  # one without hit points only counts damage
    return (FightFact("damage", event.target, by, amount, event.hp_before, event.hp_after, what=event.source),)


def _healed(step: StepFacts, event: Healed) -> tuple[FightFact, ...]:
    by = _doer(step, event.by, event.source)
    return (FightFact("healed", event.target, by, event.gained, event.hp_before, event.hp_after, what=event.source),)


def _set(step: StepFacts, event: HitPointsSet) -> tuple[FightFact, ...]:
    before = step.tx.base.get(Combatant, event.who)
    return (FightFact("set", event.who, before=before.hp if before else event.hp, left=event.hp),)


def _attack(step: StepFacts, event: Attacked) -> tuple[FightFact, ...]:
    if event.outcome not in ("miss", "fumble", "hit", "critical"):
        return ()
    return (FightFact(event.outcome, event.target, event.who, what=event.weapon),)  # type: ignore[arg-type]


def _save(step: StepFacts, event: Rolled) -> tuple[FightFact, ...]:
    if event.purpose not in SAVES or event.passed is None:
        return ()
    return (FightFact("save", event.who, amount=int(event.passed), what=event.detail),)


def _pool(step: StepFacts, event: PoolStarted | PoolRolled | PoolExpired) -> tuple[FightFact, ...]:
    dice = event.dice if isinstance(event, PoolStarted) else event.left if isinstance(event, PoolRolled) else 0
    return (FightFact("pool", amount=dice, what=step.names.countdown(event.countdown)),)


def _left(step: StepFacts, event: CombatantRemoved) -> tuple[FightFact, ...]:
    removed = next((combatant for combatant in step.tx.base.all(Combatant) if combatant.label == event.label), None)
    if removed is None:
        return (FightFact("left", what=event.label),)
    return (
        FightFact(
            "left", removed.id, what=removed.label, side=removed.side, creature=removed.creature, hidden=removed.hidden
        ),
    )


MAKERS: Mapping[type[Event], Callable[[StepFacts, Any], tuple[FightFact, ...]]] = {
    DamageTaken: _damage,
    Healed: _healed,
    HitPointsSet: _set,
    Attacked: _attack,
    Rolled: _save,
    DroppedToZero: lambda step, event: (FightFact("down", event.who, step.last_to_damage.get(event.who, "")),),
    Died: lambda step, event: (FightFact("dead", event.who, step.last_to_damage.get(event.who, "")),),
    TurnStarted: lambda step, event: tuple(FightFact("turn", who, amount=step.seconds) for who in event.who),
    WorldTurnStarted: lambda step, _: (FightFact("turn", amount=step.seconds),),
    RoundStarted: lambda _, event: (FightFact("round", amount=event.round),),
    FeatureUsed: lambda _, event: tuple(FightFact("use", by=who, what=event.feature) for who in event.who),
    EntryUsed: lambda step, event: (
        FightFact("world", by=event.actor, what=step.names.entry(event.environment, event.entry)),
    ),
    PoolStarted: _pool,
    PoolRolled: _pool,
    PoolExpired: _pool,
    WaveJoined: lambda _, event: (FightFact("wave", what=event.wave),),
    CombatantRemoved: _left,
    SnapshotRestored: lambda _, event: (FightFact("back", amount=event.serial),),
}
