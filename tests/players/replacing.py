"""Pairs of encounters that differ only in what players may not know, made from the table of exposures.

Everything secret is replaced by rubbish of its type, ids by others, hidden combatants by more or fewer.
"""

from __future__ import annotations

import tomllib
import types
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.encounter.prepared import Countdown, Scene
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Effect, Slot, kind_id
from turnwright.encounter.state import RECORD_TYPES, Encounter, Record, clock_of, slot_sort_key
from turnwright.players.secrets import (
    Showing,
    health_word,
    is_countdown_shown,
    is_effect_shown,
    is_named,
    is_visible,
)
from turnwright.rules.system import RuleSystem


class FieldExposure(msgspec.Struct, frozen=True):
    """The visible part of a field and the condition for it. If the condition isn't met, the field is secret."""

    exposure: Literal["public", "unknown", "identity", "band", "rank"]
    when: Literal["", "title shown", "named", "evident", "countdown shown", "explored", "in sight"] = ""


def _exposures(table: dict[str, Any]) -> dict[str, FieldExposure]:
    conditions = table.pop("when", {})
    fields = {name: {"exposure": exposure} for exposure, names in table.items() for name in names.split()}
    shown = {name: {"exposure": "public", "when": when} for when, names in conditions.items() for name in names.split()}
    return msgspec.convert(fields | shown, dict[str, FieldExposure])


EXPOSURES = {
    table: _exposures(lists)
    for table, lists in tomllib.loads(Path(__file__).with_name("exposures.toml").read_text("utf-8")).items()
}
EXPOSURES["guest_creatures"] = EXPOSURES["creatures"]
_SCALARS = {int: lambda r: r.randrange(-5, 500), float: lambda r: r.random() * 50, bool: lambda r: r.random() < 0.5}
_HINTS: dict[type, dict[str, Any]] = {}


def word(random: Random) -> str:
    """Return a word that stands nowhere else."""
    return "".join(random.choices("bcdfghklmnprstvz", k=3) + random.choices("aeiou", k=1)) + str(
        random.randrange(10**6)
    )


def rubbish(kind: Any, random: Random, depth: int = 0) -> Any:
    """Return any value of a type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        found = rubbish(arguments[0], random, depth)
        spec = next((one for one in arguments[1:] if isinstance(one, FieldSpec)), FieldSpec())
        return spec.nearest(found) if isinstance(found, int) else found
    if origin is Literal:
        return random.choice(arguments)
    if origin in (Union, types.UnionType):
        return rubbish(random.choice(arguments), random, depth)
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(
                rubbish(arguments[0], random, depth + 1) for _ in range(random.randrange(3 if depth < 2 else 1))
            )
        return tuple(rubbish(one, random, depth + 1) for one in arguments)
    if kind in _SCALARS:
        return _SCALARS[kind](random)
    if kind is type(None):
        return None
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return rubbish_record(kind, random, depth + 1)
    return word(random)


def hints_of(kind: type) -> dict[str, Any]:
    """Return the types of a record's fields."""
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind, include_extras=True)
    return _HINTS[kind]


def rubbish_record(kind: type, random: Random, depth: int = 0, **fixed: Any) -> Any:
    """Return a record full of rubbish, but for the fields given."""
    hints = hints_of(kind)
    return kind(
        **{
            name: fixed[name] if name in fixed else rubbish(hints[name], random, depth)
            for name in kind.__struct_fields__
        }
    )


def is_seen(encounter: Encounter, rules: RuleSystem, showing: Showing, record: Record) -> bool:
    """Return whether players see anything of a record's subject."""
    if isinstance(record, Scene | Clock):
        return True
    if isinstance(record, Combatant):
        return not record.hidden
    if isinstance(record, Slot):
        return any(is_visible(encounter, who) for who in record.members)
    if isinstance(record, Effect):
        return is_visible(encounter, record.target) and is_effect_shown(encounter, rules, showing, record)
    if isinstance(record, CountdownPool):
        return is_countdown_shown(encounter, record)
    if isinstance(record, Countdown):
        pools = encounter.all(CountdownPool)
        return any(pool.countdown == record.id and is_countdown_shown(encounter, pool) for pool in pools)
    return False


def is_open(encounter: Encounter, showing: Showing, record: Record, field: str) -> bool:
    """Return whether players may know the very value of a field of a record whose subject they see."""
    exposure = EXPOSURES[record.table][field]
    if exposure.exposure == "band" and isinstance(record, Combatant):
        return field != "dead" and showing.health_mode(record.side) == "numbers"
    if exposure.when in ("explored", "in sight"):  # seen on the map alone
        return False
    if exposure.when == "named":
        return is_named(record, showing)
    if exposure.when == "title shown":
        return showing.has_title
    return exposure.exposure == "public"


class Replacer:
    """Makes another encounter that players can't tell from the first."""

    def __init__(self, encounter: Encounter, rules: RuleSystem, showing: Showing, random: Random) -> None:
        self.before, self.rules, self.showing, self.random = encounter, rules, showing, random
        self.ids: dict[str, str] = {}
        self.seen: list[str] = []  # the combatants whom players see, as they are called in the other one

    def id(self, old: str) -> str:
        """Return the id that stands for another one."""
        return self.ids.setdefault(old, word(self.random))

    def replaced(self) -> tuple[Encounter, Showing]:
        """Return the other encounter and the same choices in its ids."""
        random = self.random
        seen = [self._seen(one) for one in self.before if is_seen(self.before, self.rules, self.showing, one)]
        hidden = [rubbish_record(Combatant, random, hidden=True, id=word(random)) for _ in range(random.randrange(4))]
        slots = self._slots([one for one in seen if isinstance(one, Slot)], [one.id for one in hidden])
        clock = self._clock(next((one for one in seen if isinstance(one, Clock)), Clock()), slots)
        self.seen = [one.id for one in seen if isinstance(one, Combatant)]
        others: list[Record] = [one for one in seen if not isinstance(one, Slot | Clock)]
        for kind in RECORD_TYPES.values():
            if kind not in (Scene, Clock, Combatant, Slot):
                others += self._unseen(kind)
        shown = [one for one in others if isinstance(one, Combatant)]
        rest = [one for one in others if not isinstance(one, Combatant)]
        return Encounter([*self._shuffled_in(shown, hidden), *slots, clock, *rest]), self._showing()

    def _seen(self, record: Record) -> Record:
        changes: dict[str, Any] = {}
        hints = hints_of(type(record))
        for field, exposure in EXPOSURES[record.table].items():
            value = getattr(record, field)
            if is_open(self.before, self.showing, record, field):
                continue
            if exposure.exposure == "identity":
                changes[field] = self.id(value) if isinstance(value, str) else tuple(map(self.id, value))
            elif exposure.exposure == "unknown" or exposure.when:
                changes[field] = rubbish(hints[field], self.random)
        if isinstance(record, Combatant):
            if is_named(record, self.showing) and self.random.random() < 0.5:
                changes["label"] = record.label.rstrip(" 0123456789") + f" {self.random.randrange(1, 99)}"
            if not is_open(self.before, self.showing, record, "hp"):
                changes |= self._health(record)
            elif record.dead or record.hp <= 0:
                changes["dead"] = self.random.random() < 0.5
        if isinstance(record, Slot):
            visible = [who for who in record.members if is_visible(self.before, who)]
            changes["members"] = tuple(map(self.id, visible))
        if isinstance(record, Scene | Clock):
            changes.pop("id", None)
        return msgspec.structs.replace(record, **changes)

    def _health(self, record: Combatant) -> dict[str, Any]:
        """Return other hit points with the same word."""
        if self.showing.health_mode(record.side) == "nothing":
            return {"hp": self.random.randrange(-9, 99), "hp_max": self.random.randrange(99), "dead": False}
        most = self.random.randrange(4, 300)
        match health_word(record):
            case "":
                return {"hp": self.random.randrange(99), "hp_max": 0, "dead": False}
            case "unhurt":
                return {"hp": most, "hp_max": most, "dead": False}
            case "hurt":
                return {"hp": self.random.randrange(most // 2 + 1, most), "hp_max": most, "dead": False}
            case "bloodied":
                return {"hp": self.random.randrange(1, most // 2 + 1), "hp_max": most, "dead": False}
        dead = self.random.random() < 0.5
        return {"hp": self.random.randrange(-20, 1), "hp_max": most, "dead": dead}

    def _slots(self, seen: list[Slot], hidden: list[str]) -> list[Slot]:
        """Return the seen slots in their order, with those of hidden combatants among them."""
        before = sorted(
            (one for one in self.before.all(Slot) if is_seen(self.before, self.rules, self.showing, one)),
            key=slot_sort_key,
        )
        by_id = {one.id: one for one in seen}
        order = [by_id[self.id(one.id)] for one in before]
        for who in hidden:
            place = self.random.randrange(len(order) + 1)
            if order and self.random.random() < 0.2:
                joined = order[place - 1]
                order[place - 1] = msgspec.structs.replace(joined, members=(who, *joined.members))
            elif self.random.random() < 0.9:
                order.insert(place, rubbish_record(Slot, self.random, id=word(self.random), members=(who,)))
        counts = sorted(self.random.sample(range(1000), len(order)), reverse=True)
        fixed = [
            msgspec.structs.replace(
                one, count=count, tie_rolls=rubbish(tuple[int, ...], self.random), first_actor=place == 0 and count % 2 == 0,
                fixed=count % 3 == 0,
            )
            for place, (one, count) in enumerate(zip(order, counts, strict=True))
        ]  # fmt: skip
        self.random.shuffle(fixed)
        return fixed

    def _clock(self, clock: Clock, slots: list[Slot]) -> Clock:
        """Return the clock at a slot where players see the same one marked as acting."""
        active, marked = clock_of(self.before).active, ""
        if active:
            for slot in sorted(self.before.all(Slot), key=slot_sort_key):
                if is_seen(self.before, self.rules, self.showing, slot):
                    marked = self.id(slot.id)
                if slot.id == active:
                    break
        order = sorted(slots, key=slot_sort_key)
        start = next((place for place, one in enumerate(order) if one.id == marked), -1)
        choices = [marked]
        known = set(self.ids.values())
        for slot in order[start + 1 :]:
            if slot.id in known:
                break
            choices.append(slot.id)
        return msgspec.structs.replace(clock, active=self.random.choice(choices))

    def _unseen(self, kind: type[Record]) -> Iterable[Record]:
        for _ in range(self.random.randrange(3)):
            fixed: dict[str, Any] = {"id": word(self.random)}
            if kind is Countdown:
                fixed["secret"] = True
            if kind is Effect and self.seen:  # one that can't be seen on somebody who can
                is_evident = self.random.random() < 0.5
                name = self.random.choice(self.rules.data.presentation.evident) if is_evident else "blocked-critical"
                fixed |= {"target": self.random.choice(self.seen), "name": name, "shown": not is_evident}
            yield rubbish_record(kind, self.random, **fixed)

    def _shuffled_in(self, shown: list[Combatant], hidden: list[Combatant]) -> list[Combatant]:
        for one in hidden:
            shown.insert(self.random.randrange(len(shown) + 1), one)
        return shown

    def _known(self, id: str) -> str:
        """Return the new id of the name of a combatant, or of all of a creature."""
        own, creature = id.removeprefix(kind_id("")), id.startswith(kind_id(""))
        return kind_id(self.id(own)) if creature else self.id(own)

    def _showing(self) -> Showing:
        numbers = tuple(msgspec.structs.replace(one, combatant=self.id(one.combatant)) for one in self.showing.numbers)
        return msgspec.structs.replace(
            self.showing,
            met=frozenset(map(self._known, self.showing.met)),
            shown_as=tuple((self._known(id), name) for id, name in self.showing.shown_as),
            numbers=numbers,
        )


def random_fight(rules: RuleSystem, random: Random) -> tuple[Encounter, Showing]:
    """Return a fight with something of every table, of which some is hidden, and what is shown of it."""
    kinds = [word(random) for _ in range(4)]
    evident = rules.data.presentation.evident
    combatants, slots, effects = [], [], []
    for place in range(random.randrange(1, 10)):
        most = random.choice((0, 10, 20, 31))
        combatants.append(
            rubbish_record(
                Combatant, random, id=word(random), creature=random.choice(kinds), hp_max=most,
                label=f"{random.choice(('Goblin', 'Wolf', 'Aria'))} {place}", hp=random.randrange(-3, most + 1),
                side=random.choice(("party", "enemies", "hostile to all")), dead=random.random() < 0.1,
            )
        )  # fmt: skip
        effects += [
            rubbish_record(
                Effect,
                random,
                id=word(random),
                target=combatants[-1].id,
                name=random.choice((*evident, "charmed", "Bless", "Hex")),
            )
            for _ in range(random.randrange(3))
        ]
    waiting = [one.id for one in combatants]
    while waiting:
        members, waiting = waiting[: random.randrange(1, 3)], waiting[2:]
        slots.append(
            rubbish_record(
                Slot, random, id=word(random), members=tuple(members), count=random.randrange(6), tie_rolls=()
            )
        )
    countdowns = [
        rubbish_record(Countdown, random, id=word(random), secret=random.random() < 0.3)
        for _ in range(random.randrange(3))
    ]
    pools = [
        rubbish_record(CountdownPool, random, id=one.id, countdown=one.id, status=random.choice(("running", "waiting")))
        for one in countdowns
    ]
    clock = rubbish_record(
        Clock, random, id="clock", phase="rounds", active=random.choice(("", *(one.id for one in slots)))
    )
    scene = rubbish_record(Scene, random, id="scene")
    made = (Scene, Clock, Combatant, Slot, Effect, Countdown, CountdownPool)
    others = [rubbish_record(kind, random) for kind in RECORD_TYPES.values() if kind not in made]
    encounter = Encounter([scene, clock, *combatants, *slots, *effects, *countdowns, *pools, *others])
    met = frozenset(map(kind_id, random.sample(kinds, random.randrange(3))))
    false = ((random.choice(combatants).id, "The pale lady"), (kind_id(kinds[0]), "Thing"))
    showing = Showing(
        met=met, shown_as=false[: random.randrange(3)], has_title=random.random() < 0.5,
        has_own_effects=random.random() < 0.7, has_other_effects=random.random() < 0.3,
        health=tuple((side, random.choice(("words", "numbers", "nothing"))) for side in ("party", "enemies")),
        text="The door opens.",
    )  # fmt: skip
    return encounter, showing
