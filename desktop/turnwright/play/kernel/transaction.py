"""The transaction of one step, to which handlers and stages write, and the refusal that discards it.

The changes of a transaction are invisible outside until the session commits it. An exception discards all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar, cast

import msgspec

from turnwright.dice.ast import DiceError, OutOfDice
from turnwright.dice.roll import Roll, RollSpec
from turnwright.dice.rolling import RandomFaces, ScriptedFaces, plan_roll, roll
from turnwright.encounter.running import Dice, IdCounter
from turnwright.encounter.state import Change, Encounter, Key, Owned, Record, key_of, owners_of
from turnwright.play.kernel.events import Event, RuleOverridden
from turnwright.rules.hooks import Veto
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.roles import RoleName

Value = str | int
_NOTHING: Mapping[str, Value] = MappingProxyType({})
R = TypeVar("R", bound=Record)


class Refused(Exception):
    """A command was refused; the state is unchanged.

    `key` is a word key with `params`. `rule` is the id of the ledger rule that forbids the command, or empty if there
    is none. The user may override a rule check (`can_be_overridden`), but not a command that makes no sense.
    """

    def __init__(
        self,
        key: str,
        *,
        rule: str = "",
        params: Mapping[str, Value] = _NOTHING,
        can_be_overridden: bool = False,
    ) -> None:
        super().__init__(key)
        self.key = key
        self.rule = rule
        self.params = params
        self.can_be_overridden = can_be_overridden


def require(met: object, refusal: str, *, rule: str = "", **params: Value) -> None:
    """Refuse a command for the reason with this word key, unless its requirement is met."""
    if not met:
        raise Refused(refusal, rule=rule, params=params)


class Transaction:
    """An encounter with uncommitted changes, to read and to write: `put`, `update`, `remove`, `roll`, `emit`, `forbid`.

    `rules` is the rule system of the encounter. `serial` is the number of the step being made. `override` is set if the
    user overrides the rules. `strict` enforces rules that would otherwise only warn.
    """

    def __init__(
        self,
        encounter: Encounter,
        rules: RuleSystem,
        serial: int,
        *,
        override: bool = False,
        strict: bool = False,
        strictness: str = "warn",
    ) -> None:
        self.base = encounter
        self.rules = rules
        self.serial = serial
        self.override = override
        self.strict = strict
        self.strictness = strictness
        self.events: list[Event] = []
        self._overlay: dict[str, dict[str, Record | None]] = {}
        self._places: dict[Key, int] = {}

    # Reading ---------------------------------------------------------------------------------------------

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the current record of this kind and id, or None."""
        overlay = self._overlay.get(kind.table)
        if overlay is not None and id in overlay:
            return cast("R | None", overlay[id])
        return self.base.get(kind, id)

    def need(self, kind: type[R], id: str) -> R:
        """Return the record of this kind and id. Raise Refused if it doesn't exist."""
        record = self.get(kind, id)
        if record is None:
            raise Refused("refused.unknown", params={"what": id or "?"})
        return record

    def record(self, key: Key) -> Record | None:
        """Return the current record under a key, or None."""
        overlay = self._overlay.get(key[0], {})
        return overlay[key[1]] if key[1] in overlay else self.base.record(key)

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return the current records of a kind: committed records in their order, then new records."""
        overlay = cast("dict[str, R | None]", self._overlay.get(kind.table))
        return self._merged(kind, overlay) if overlay else self.base.all(kind)

    def _merged(self, kind: type[R], overlay: dict[str, R | None]) -> Iterator[R]:
        for record in self.base.all(kind):
            current = overlay.get(record.id, record)
            if current is not None:
                yield current
        for id, fresh in [*overlay.items()]:
            if fresh is not None and self.base.get(kind, id) is None:
                yield fresh

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's current tracks, effects or slots: committed ones, then new ones."""
        committed = self.base.of(kind, who)
        overlay = cast("dict[str, Owned | None]", self._overlay.get(kind.table))
        if not overlay:
            return committed
        committed_ids = {record.id for record in committed}
        current = [overlay.get(record.id, record) for record in committed]
        current += [record for id, record in overlay.items() if id not in committed_ids]
        return [record for record in current if record is not None and who in owners_of(record)]

    def rule_id(self, topic: str) -> str:
        """Return the ledger id for a topic, or an empty string if the rule system has none."""
        return self.rules.rule_id(topic)

    def role(self, name: RoleName) -> str:
        """Return the id of the condition or house rule that plays a role in this game, as `RuleSystem.role` does."""
        return self.rules.role(name)

    # Writing ---------------------------------------------------------------------------------------------

    def put(self, record: R, index: int = -1) -> R:
        """Add a record, or replace the record with the same id. `index` is the position of a new record (-1: last)."""
        self._overlay.setdefault(record.table, {})[record.id] = record
        if index >= 0:
            self._places[key_of(record)] = index
        return record

    def update(self, record: R, **fields: Any) -> R:
        """Change some fields of a record, and return the new record."""
        return self.put(msgspec.structs.replace(record, **fields))

    def remove(self, record: Record) -> None:
        """Remove a record."""
        self._overlay.setdefault(record.table, {})[record.id] = None

    def discard(self, kind: type[Record], id: str) -> None:
        """Remove the record of this kind and id, if there is one."""
        record = self.get(kind, id)
        if record is not None:
            self.remove(record)

    def create_id(self, kind: type[Record], stem: str) -> str:
        """Return an unused id for a new record: the stem, or the stem with the lowest unused number."""
        if self.get(kind, stem) is None:
            return stem
        number = 2
        while self.get(kind, f"{stem}-{number}") is not None:
            number += 1
        return f"{stem}-{number}"

    def next_id(self, prefix: str) -> str:
        """Return an id that no record of this encounter has ever had: the prefix and the next number."""
        ids = self.get(IdCounter, "ids") or IdCounter()
        self.update(ids, next=ids.next + 1)
        return f"{prefix}-{ids.next}"

    def emit(self, *events: Event) -> None:
        """Record events of this step."""
        self.events.extend(events)

    def forbid(self, reason: str, rule: str, **params: str | int) -> None:
        """Refuse if the rule is enforced and not overridden. Otherwise record the override, unless checks are off."""
        if self.strictness == "off":
            return
        if (self.strict or self.strictness == "enforce") and not self.override:
            raise Refused(reason, rule=rule, params=params, can_be_overridden=True)
        overridden = RuleOverridden(reason=reason, params=tuple(params.items()), rule=rule)
        if overridden not in self.events:
            self.emit(overridden)

    def forbid_by(self, vetoes: Iterable[Veto]) -> None:
        """Refuse on the grounds of the first veto, as `forbid` does."""
        for veto in vetoes:
            self.forbid(veto.reason, veto.rule, **dict(veto.params))
            break

    # Dice ------------------------------------------------------------------------------------------------

    def roll(self, spec: RollSpec) -> Roll | None:
        """Roll at random or from the script. Return None if the user has to roll, or if the script has run out.

        Plain numbers need no roll. If the system defines no dice for a roll, the user decides the result.
        """
        dice = self.get(Dice, "dice") or Dice()
        if dice.mode == "ask" and plan_roll(spec).throws:
            return None
        return self.roll_now(spec)

    @property
    def rolls_by_itself(self) -> bool:
        """Whether Turnwright rolls at random, rather than using faces from the user or a script."""
        return (self.get(Dice, "dice") or Dice()).mode == "roll"

    def roll_now(self, spec: RollSpec) -> Roll | None:
        """Roll without asking, because the user chose to. Return None if the script has run out or dice are missing."""
        if not spec.dice:
            return None
        dice = self.get(Dice, "dice") or Dice()
        if dice.mode == "script":
            scripted = ScriptedFaces(dice.script)
            try:
                result = roll(spec, scripted)
            except OutOfDice:
                return None
            except DiceError as error:
                raise Refused("refused.script_face", params={"why": str(error)}) from error
            self.update(dice, script=dice.script[scripted.used :])
            return result
        faces = RandomFaces(dice.seed, dice.counter)
        result = roll(spec, faces)
        self.update(dice, counter=faces.counter)
        return result

    def draw(self, count: int) -> int:
        """Return a random index below `count`, whatever the dice mode."""
        dice = self.get(Dice, "dice") or Dice()
        faces = RandomFaces(dice.seed, dice.counter)
        index = faces.face(count) - 1
        self.update(dice, counter=faces.counter)
        return index

    # Ending ----------------------------------------------------------------------------------------------

    def changes(self) -> tuple[Change, ...]:
        """Return the changes to the committed encounter, in the order in which records were first touched."""
        changes: list[Change] = []
        for table, overlay in self._overlay.items():
            for id, after in overlay.items():
                key = (table, id)
                before = self.base.record(key)
                place = self._places.get(key, -1)
                if before is None and after is None:
                    continue
                if after is None:
                    changes.append(Change(key, before, None, self.base.index_of(key)))
                elif place >= 0 and before is not None:
                    changes += self._moved(key, before, after, place)
                elif before != after:
                    changes.append(Change(key, before, after, place))
        return tuple(changes)

    def _moved(self, key: Key, before: Record, after: Record, place: int) -> list[Change]:
        """Return the changes that move a record: a removal and an insertion, so that undo needs no special case."""
        was = self.base.index_of(key)
        if was == place and before == after:
            return []
        return [Change(key, before, None, was), Change(key, None, after, place)]
