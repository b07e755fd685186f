"""What damage, conditions and the end of effects do to records: the acts that handlers and stages share."""

from __future__ import annotations

from turnwright.dice.roll import Part, Roll
from turnwright.encounter.pending import Procedure, TurnEnd
from turnwright.encounter.prepared import Affliction, Entry, Environment
from turnwright.encounter.running import Clock, Combatant, Effect, EndMoment, Ends, Slot, Track
from turnwright.play.events import (
    Adjustment,
    DamageTaken,
    DroppedToZero,
    EffectEnded,
    EffectGained,
    TrackSet,
    Unaffected,
)
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.conditions import is_immune_to
from turnwright.rules.system import RuleSystem

SHARES = {"full": (1, 1), "half": (1, 2), "double": (2, 1)}


def deal(
    tx: Transaction,
    rules: RuleSystem,
    target: str,
    parts: tuple[Part, ...],
    *,
    source: str = "",
    mundane: bool = False,
    share: str = "full",
    roll: Roll | None = None,
) -> int:
    """Deal rolled damage to one combatant and return the hit points, temporary ones included, that it cost."""
    combatant = tx.need(Combatant, target)
    why: list[Adjustment] = []
    rule = rules.cite("damage.types-used") if len(parts) > 1 else rules.cite("hp.damage")
    taken = sum(_on_its_way(tx, rules, target, part, mundane, share, why) for part in parts)
    absorbed = min(taken, combatant.temp_hp)
    if absorbed:
        why.append(Adjustment("why.temporary", taken, taken - absorbed, rules.cite("temp.first")))
    hp_after = max(0, combatant.hp - (taken - absorbed))
    after = tx.update(combatant, hp=hp_after, temp_hp=combatant.temp_hp - absorbed)
    tx.emit(
        DamageTaken(
            target=target,
            dealt=tuple((part.kind, part.total) for part in parts),
            taken=taken,
            hp_before=combatant.hp,
            hp_after=hp_after,
            temp_before=combatant.temp_hp,
            temp_after=after.temp_hp,
            source=source,
            why=tuple(why),
            roll=roll,
            rule=rule,
        )
    )
    if hp_after == 0 and combatant.hp > 0:
        tx.emit(DroppedToZero(who=target, rule=rules.cite("hp.range")))
    contributions(tx, rules, Hook.DAMAGE_TAKEN, Moment(target, source))
    return taken


def _on_its_way(
    tx: Transaction, rules: RuleSystem, target: str, part: Part, mundane: bool, share: str, why: list[Adjustment]
) -> int:
    """Take one typed part through everything that changes it, noting each change; bonuses first, never below 0."""
    total = part.total
    for modifier in contributions(tx, rules, Hook.DAMAGE_INCOMING, Moment(target, part=part)).modifiers:
        why.append(Adjustment(modifier.reason, total, total + modifier.value, modifier.rule))
        total += modifier.value
    if total < rules.damage.floor:
        why.append(Adjustment("why.floor", total, rules.damage.floor, rules.cite("damage.minimum-zero")))
        total = rules.damage.floor
    times, over = SHARES[share]
    if share != "full":
        why.append(Adjustment(f"why.{share}", total, total * times // over))
        total = total * times // over
    for step in rules.damage.steps:
        if total == 0:
            break
        adjusted = step(tx, rules, target, Part(total, part.kind, part.dice), mundane)
        if adjusted is not None:
            why.append(Adjustment(adjusted.reason, adjusted.before, adjusted.after, adjusted.rule))
            total = adjusted.after
    return total


def put_condition(
    tx: Transaction,
    rules: RuleSystem,
    target: str,
    condition: str,
    *,
    value: int = 0,
    ends: Ends = Ends(),  # noqa: B008 - frozen
    source: str = "",
    break_free: str = "",
    rule: str = "",
) -> bool:
    """Put a condition on somebody who is not immune to it, and return whether it took. The same one is replaced."""
    if is_immune_to(tx, target, condition):
        reason = rules.cite("immunity.conditions")
        tx.emit(Unaffected(who=target, what=f"<condition.{condition}>", reason="why.condition_immune", rule=reason))
        return False
    held = next((one for one in tx.all(Effect) if one.target == target and one.name == condition), None)
    id = held.id if held else tx.next_id("effect")
    put_effect(tx, rules, Effect(id, target, condition, source, value, ends, break_free))
    tx.emit(
        EffectGained(target=target, name=condition, value=value, ends=ends.moment, source=source, rule=rule),
    )
    return True


def put_effect(tx: Transaction, rules: RuleSystem, effect: Effect) -> None:
    """Let an effect begin."""
    tx.put(effect)
    contributions(tx, rules, Hook.EFFECT_GAINED, Moment(effect.target, effect.name))


def ends_for(tx: Transaction, affliction: Affliction, target: str, environment: str) -> Ends:
    """Return when an affliction ends: "its next turn" said during one's own turn skips the one under way."""
    if affliction.ends == "world":
        return Ends("world", environment)
    if affliction.ends == "never":
        return Ends()
    moment: EndMoment = affliction.ends
    skip = 1 if moment == "turn-end" and is_active(tx, target) and not is_turn_ending(tx) else 0
    return Ends(moment, target, skip)


def is_active(tx: Transaction, who: str) -> bool:
    """Return whether it is somebody's turn."""
    clock = tx.get(Clock, "clock")
    slot = tx.get(Slot, clock.active) if clock and clock.active else None
    return slot is not None and who in slot.members


def is_turn_ending(tx: Transaction) -> bool:
    """Return whether the end of a turn is under way."""
    return any(isinstance(procedure.data, TurnEnd) for procedure in tx.all(Procedure))


def end_effect(tx: Transaction, rules: RuleSystem, effect: Effect, rule: str = "") -> None:
    """End an effect, saying so where it was one that shows."""
    tx.remove(effect)
    if effect.shown:
        tx.emit(EffectEnded(target=effect.target, name=effect.name, rule=rule))
    contributions(tx, rules, Hook.EFFECT_ENDED, Moment(effect.target, effect.name))


def end_effects_at(
    tx: Transaction, rules: RuleSystem, moment: EndMoment, who: str | None = None, rule: str = ""
) -> None:
    """End what lasts until this moment (of `who`, or of anybody); what skips one moment is now one nearer its end."""
    for effect in list(tx.all(Effect)):
        if effect.ends.moment != moment or (who is not None and effect.ends.who != who):
            continue
        if effect.ends.skip:
            tx.update(effect, ends=Ends(moment, effect.ends.who, effect.ends.skip - 1))
        else:
            end_effect(tx, rules, effect, rule)


def change_track(tx: Transaction, who: str, name: str, by: int, rule: str = "") -> None:
    """Add to a track, making it where there is none."""
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    after = max(0, track.value + by)
    tx.update(track, value=after)
    tx.emit(TrackSet(who=who, track=name, before=track.value, after=after, rule=rule))


def track_id(who: str, name: str) -> str:
    """Return the id of somebody's track."""
    return f"{who}.{name}"


def row_name(environment: Environment, row: Entry) -> str:
    """Return how a row is named as the source of something."""
    return f"{environment.name}: {row.name}"
