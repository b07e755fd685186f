"""Positions and relations set by hand, and their consequences: elevation, unknown relations, effects that end."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter import field_specs, floors, prepared, state
from turnwright.encounter.procedure_state.attacks import FEATURE_TRIGGER, FeatureTrigger, TriggeredFeature
from turnwright.encounter.running import Combatant, Duration, Effect, LastingArea, Relation, relation_id
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import CombatantCommand, Transaction, combatant_names, command, require
from turnwright.play.state.effect_records import end_effect, is_hold, release_held_effects
from turnwright.rules.parts.actions.triggered_features import ENTERED
from turnwright.rules.parts.combatants.facts import ENGAGED
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.movement.move_legs import carried_by
from turnwright.rules.parts.positions import geometry, squares
from turnwright.rules.system import RuleSystem

RELATION_FACTS = ("distance", "height", "cover", "seen", "flanked", "reached")


@journal("journal.near_said_nobody", when={"near": "journal.near_said"})
class NearSaid(CombatantEvent, frozen=True):
    """The user entered which combatants are within a distance of another, because it was unknown."""

    near: field_specs.CombatantIds
    feet: int


@journal("journal.parted", bookkeeping=True)
class RelationCleared(CombatantEvent, frozen=True):
    """A combatant moved, so its position relative to others, as entered, is unknown again."""

    others: field_specs.CombatantIds


def elevation_under(tx: Transaction, who: str, square: prepared.Point) -> int:
    """Return a combatant's elevation in feet on a square: the highest ground under its space."""
    field = current_map(tx)
    across = squares_across(geometry.effective_side(tx, tx.rules, who), field.cell) if field is not None else 1
    return geometry.ground_elevation(tx, square, across)


def snap_to_ground(tx: Transaction, who: str) -> None:
    """Set a combatant's elevation to the ground level of its square, if no elevation was entered."""
    combatant = tx.need(Combatant, who)
    if combatant.position is not None and not combatant.elevation:
        tx.update(combatant, elevation=elevation_under(tx, who, combatant.position))


def clear_relations(
    tx: Transaction, movers: Iterable[str], *, unchanged: Iterable[str] = (), climbs: bool = False, on_map: bool = False
) -> tuple[str, ...]:
    """Clear the entered relations between movers and others. Return these others.

    On a map, the squares determine all of them. Without one, distance, reach, flanking and cover become unknown, and
    also the height if a mover `climbs`. Sight stays, because it depends on light and senses. Relations among the movers
    and to `unchanged` combatants stay.
    """
    moving, staying = set(movers), set(unchanged)
    separated: list[str] = []
    for pair in list(tx.all(Relation)):
        others = {pair.who, pair.other} - moving
        if len(others) != 1 or others & staying:
            continue
        cleared = Relation(pair.id, pair.who, pair.other, seen=pair.seen, height=None if climbs else pair.height)
        if on_map or cleared != pair:
            put_relation(tx, Relation(pair.id, pair.who, pair.other) if on_map else cleared)
            separated += [other for other in others if other not in separated]
    for mark in [mark for mark in tx.all(Effect) if mark.name == ENGAGED and len({mark.source, mark.by} & moving) == 1]:
        tx.remove(mark)
    return tuple(separated)


def keep_near(tx: Transaction, who: str, feet: int, near: Mapping[str, bool]) -> None:
    """Record which combatants are within `feet` of another and which aren't, until one of the two moves."""
    for other, is_near in near.items():
        id = relation_id(who, other)
        pair = tx.get(Relation, id) or Relation(id, who, other)
        fact = "within" if is_near else "beyond"
        previous = pair.within if is_near else pair.beyond
        nearest = feet if previous is None else min(previous, feet) if is_near else max(previous, feet)
        tx.update(pair, **{fact: nearest})
    nearby = tuple(other for other, is_near in near.items() if is_near)
    tx.emit(NearSaid(who=who, near=nearby, feet=feet, rule=tx.rule_id("position.distance")))


def put_relation(tx: Transaction, relation: Relation) -> None:
    """Store a relation, or remove it if it contains no facts."""
    if relation == Relation(relation.id, relation.who, relation.other):
        tx.remove(relation)
    else:
        tx.put(relation)


def forget_relations(tx: Transaction, who: str) -> None:
    """Remove all relations of a combatant that leaves the fight."""
    for pair in [pair for pair in tx.all(Relation) if who in (pair.who, pair.other)]:
        tx.remove(pair)


def report_separated(tx: Transaction, who: str, separated: tuple[str, ...]) -> None:
    """Report in a single line the combatants whose relation to a combatant is unknown again."""
    if separated:
        tx.emit(RelationCleared(who=who, others=separated, rule=tx.rule_id("position.distance")))


def end_movement_limited_effects(tx: Transaction, who: str | Iterable[str]) -> None:
    """End effects that last until a combatant moves, on the movers or caused by them. Holds end if only the holder moves."""
    movers = {who} if isinstance(who, str) else set(who)
    for effect in list(tx.all(Effect)):
        condition = tx.rules.conditions.get(effect.name)
        rules = (*(condition.rules if condition is not None else ()), *effect.rules)
        if not rules or not ({effect.target, effect.by} & movers):
            continue
        for rule in rules:
            let_go = (
                rule.what == "source-moved"
                and {effect.by, effect.target} & movers == {effect.by}
                and is_hold(tx, effect)
            )
            if rule.kind == "duration" and (rule.what == "moved" or let_go):
                end_effect(tx, effect, rule.ledger)
                break


@command(script="place {who} {place:rest} | enter {who} {outside:inside} | leave {who} {outside:outside}")
class SetPosition(CombatantCommand, frozen=True):
    """Set a combatant's square, elevation or place in words, or put it inside or outside environments.

    None leaves a field unchanged. The position -1, -1 takes the combatant off the map.
    """

    place: str | None = None
    position: tuple[int, int] | None = None
    outside: field_specs.EnvironmentIds | None = None
    elevation: field_specs.SignedFeet | None = None

    def handle(self, tx: Transaction) -> None:
        """Set a combatant's position. On the map it is on the ground, unless an elevation is given.

        Its riders move with it, and so does everyone in an object that is a vehicle.
        """
        combatant = tx.need(Combatant, self.who)
        carried = carried_by(tx, tx.rules, self.who) if self.position not in (None, combatant.position) else ()
        if self.position == prepared.OFF_MAP:
            for mover in (combatant, *carried):
                tx.update(mover, position=None)
            ids = (self.who, *(rider.id for rider in carried))
            report_separated(tx, self.who, clear_relations(tx, ids, on_map=True))
            end_movement_limited_effects(tx, ids)
            release_held_effects(tx, moved=ids)
            return
        if self.position not in (None, combatant.position):
            end_movement_limited_effects(tx, (self.who, *(rider.id for rider in carried)))
        elevation = self.elevation
        if elevation is None and self.position is not None and current_map(tx) is not None:
            elevation = elevation_under(tx, self.who, self.position)
        tx.update(
            combatant,
            place=combatant.place if self.place is None else self.place,
            position=combatant.position if self.position is None else self.position,
            outside=combatant.outside if self.outside is None else self.outside,
            elevation=combatant.elevation if elevation is None else elevation,
        )
        field = current_map(tx)
        if field is not None and field.floors and self.position is not None and combatant.position is not None:
            before, floor = floors.floor_at(field, combatant.position[1]), floors.floor_at(field, self.position[1])
            if floor is not None and floor != before:
                tx.emit(FloorChanged(who=self.who, floor=floor.name))
        if combatant.position is None or self.position is None or self.position == combatant.position:
            release_held_effects(tx, moved=(self.who,))
            return
        across = self.position[0] - combatant.position[0], self.position[1] - combatant.position[1]
        raised = 0 if elevation is None else elevation - combatant.elevation
        for rider in carried:
            if rider.position is not None:
                square = rider.position[0] + across[0], rider.position[1] + across[1]
                tx.update(rider, position=square, elevation=rider.elevation + raised)
        movers = (self.who, *(rider.id for rider in carried))
        report_separated(tx, self.who, clear_relations(tx, movers, on_map=current_map(tx) is not None))
        release_held_effects(tx, moved=movers)


@journal("journal.floor_changed", kind="world")
class FloorChanged(CombatantEvent, frozen=True):
    """A combatant is on another floor of the map."""

    floor: str


@command(
    script="relate {who} {other} [distance {distance}] [height {height}] [cover {cover}] [sees {seen=true} "
    "| unseen {seen=false}] [flanks {flanked=true} | unflanked {flanked=false}] [reached {reached=true} "
    "| unreached {reached=false}] [forget]+"
)
class SetRelation(CombatantCommand, frozen=True):
    """Set one combatant's distance, cover, sight or reach in relation to another. `forget` removes all of these.

    None (or an empty cover) leaves a value unchanged.
    """

    other: field_specs.CombatantId
    distance: int | None = None
    height: int | None = None
    cover: prepared.CoverLevel = ""
    seen: bool | None = None
    flanked: bool | None = None
    reached: bool | None = None
    forget: bool = False

    def subject(self, lookup: state.Lookup, /) -> str:
        """Return the names of both combatants."""
        return combatant_names(lookup, (self.who, self.other))

    def handle(self, tx: Transaction) -> None:
        """Set the relation between two combatants. Distance and height apply in both directions."""
        require(self.who != self.other, "refused.same_one")
        require((self.distance or 0) >= 0, "refused.feet")
        if self.forget:
            _clear_relation(tx, self)
            return
        facts = {name: value for name in RELATION_FACTS if (value := getattr(self, name)) not in (None, "")}
        near = tx.rules.data.places.near
        if self.distance is not None and self.distance <= near and _was_farther(tx, self, near):
            _require_room(tx, self)
        _clear_reverse(tx, self, facts)
        id = relation_id(self.who, self.other)
        pair = tx.get(Relation, id) or Relation(id, self.who, self.other)
        if facts:
            tx.update(pair, **facts)
        for name, value in facts.items():
            text, rule = _as_text(value), _rule(tx.rules, name)
            tx.emit(RelationSet(who=self.who, other=self.other, fact=name, value=text, rule=rule))
        release_held_effects(tx, moved=(self.who, self.other))


@journal("journal.related_{fact}", one="who", value="value_text")
class RelationSet(CombatantEvent, frozen=True):
    """A fact about the relation between two combatants, such as `distance` or `seen`, was set."""

    other: field_specs.CombatantId
    fact: str
    value: str = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key of the fact. Yes and no have different keys."""
        return f"journal.related_{self.fact}" + (f"_{self.value}" if self.value in ("yes", "no") else "")

    @property
    def is_bookkeeping(self) -> bool:
        """Whether only a position was set. Actions that depend on it have their own journal lines."""
        return self.bookkeeping or self.fact in ("distance", "height")

    @property
    def value_text(self) -> str:
        """The value, or its word key for cover."""
        return f"<cover.{self.value}>" if self.fact == "cover" else self.value


def _was_farther(tx: Transaction, command: SetRelation, near: int) -> bool:
    apart = geometry.distance(tx, tx.rules, command.who, command.other)
    return apart is None or apart > near


def _require_room(tx: Transaction, command: SetRelation) -> None:
    """Refuse to put a combatant next to another that has no room left around it."""
    for who, target in ((command.who, command.other), (command.other, command.who)):
        veto = squares.join_veto(tx, tx.rules, who, target)
        if veto is not None:
            tx.forbid(veto.reason, veto.rule, **dict(veto.params))


def _clear_reverse(tx: Transaction, command: SetRelation, facts: dict[str, Any]) -> None:
    """Clear distance and height from the reverse relation if new values were set."""
    turned = tx.get(Relation, relation_id(command.other, command.who))
    both = {name: None for name in ("distance", "height") if name in facts}
    if turned is not None and both:
        put_relation(tx, msgspec.structs.replace(turned, **both))


def _clear_relation(tx: Transaction, command: SetRelation) -> None:
    turned = tx.get(Relation, relation_id(command.other, command.who))
    tx.discard(Relation, relation_id(command.who, command.other))
    if turned is not None:
        put_relation(tx, msgspec.structs.replace(turned, distance=None, height=None))
    tx.emit(RelationSet(who=command.who, other=command.other, fact="forgotten", rule=_rule(tx.rules, "")))


def _rule(rules: RuleSystem, fact: str) -> str:
    return rules.rule_id(f"position.{fact}") or rules.rule_id("position.told")


def _as_text(value: str | int) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def was_in(tx: Transaction, who: str, area: LastingArea) -> bool:
    """Return whether a combatant was in an area before this step, or whether the area is new."""
    before = tx.base.get(LastingArea, area.id)
    return before is None or geometry.is_in_area(tx.base, tx.rules, who, before)


def begin_entered(tx: Transaction, due: Iterable[TriggeredFeature], parent: str = "") -> bool:
    """Begin the features of areas that combatants have entered. Return whether there are any."""
    hurts = tuple(due)
    for each in hurts:
        id = f"{ENTERED}-{each.other}-{each.feature}"
        tx.put(Effect(id, each.other, ENTERED, each.feature, ends=Duration("turn"), shown=False))
    if hurts:
        begin(tx, FEATURE_TRIGGER.ask_use, FeatureTrigger("enters", hurts), parent)
    return bool(hurts)
