"""The transaction of one step, to which commands and stages write, and the refusal that discards it.

The changes of a transaction are invisible outside until the session commits it. An exception discards all of them. All
commands are subclasses of `Command`, which declare their metadata, and share requirements.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, TypeVar, cast

import msgspec

from turnwright.dice.expression import DiceError, OutOfDice, Roll, RollSpec, parse
from turnwright.dice.rolling import RandomFaces, ScriptedFaces, plan_roll, roll
from turnwright.encounter.field_specs import CombatantId, CombatantIds, specs_of
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Clock, Combatant, Dice, IdCounter
from turnwright.encounter.state import Change, Encounter, Key, Lookup, Owned, Record, key_of, numbered, owners_of
from turnwright.play.kernel.events import Event, Phrase, RuleOverridden, Value, phrase
from turnwright.rules.system import RuleSystem, Veto
from turnwright.rules.system_data.roles import RoleName

_NOTHING: Mapping[str, Value] = {}
R = TypeVar("R", bound=Record)


class Refused(Exception):
    """A command was refused; the state is unchanged.

    `key` is a word key with `params`. `rule` is the id of the ledger rule that forbids the command, or empty if there
    is none. The user may override a rule check (`can_be_overridden`), but not a command that makes no sense.
    """

    def __init__(
        self, key: str, *, rule: str = "", params: Mapping[str, Value] = _NOTHING, can_be_overridden: bool = False
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


_WITHOUT_RULES: Final = frozenset({"dice", "ids", "procedures", "prompts"})  # no rule reads these tables


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
        self.memory: dict[Any, Any] = {}  # results from the present records
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
        if not overlay:
            return self.base.all(kind)
        current = {**self.base.table(kind), **overlay}  # a changed record keeps its place
        return [record for record in current.values() if record is not None]

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
        self._forget(record.table)
        self._overlay.setdefault(record.table, {})[record.id] = record
        if index >= 0:
            self._places[key_of(record)] = index
        return record

    def _forget(self, table: str) -> None:
        if table not in _WITHOUT_RULES:
            self.memory.clear()

    def update(self, record: R, **fields: Any) -> R:
        """Change some fields of a record, and return the new record."""
        return self.put(msgspec.structs.replace(record, **fields))

    def remove(self, record: Record) -> None:
        """Remove a record."""
        self._forget(record.table)
        self._overlay.setdefault(record.table, {})[record.id] = None

    def discard(self, kind: type[Record], id: str) -> None:
        """Remove the record of this kind and id, if there is one."""
        record = self.get(kind, id)
        if record is not None:
            self.remove(record)

    def create_id(self, kind: type[Record], stem: str) -> str:
        """Return an unused id for a new record: the stem, or the stem with the lowest unused number."""
        return numbered(stem, {record.id for record in self.all(kind)})

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
        return None if dice.mode == "ask" and plan_roll(spec).throws else self.roll_now(spec)

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


_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
S = TypeVar("S", bound=msgspec.Struct)


class CommandInfo(msgspec.Struct, frozen=True):
    """Metadata of a command for scripts and the window.

    `script` is its grammar in the script language, such as `concentrate {who} [on {on}]`. `label` is the word key of
    its undo label, if that isn't `step.<command>`. `manual` is the id of its form in the *Combatants* menu; the form's
    word keys begin with `ui.manual.<id>`.
    """

    script: str = ""
    label: str = ""
    manual: str = ""


class Command(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all commands; the tag is the class name. A command runs with its method `handle`."""

    __command__: ClassVar[CommandInfo] = CommandInfo()

    def handle(self, tx: Transaction) -> None:
        """Run the command: change records, emit events and begin procedures, or raise Refused."""
        raise NotImplementedError

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of the command's subject for its undo label: the combatants in `who` or `targets`."""
        who = getattr(self, "who", "") or getattr(self, "targets", ())
        return combatant_names(lookup, (who,) if isinstance(who, str) else who)

    @property
    def merge_key(self) -> str:
        """The key that merges successive commands into one step: the field `merge`. Empty for a separate step."""
        return str(getattr(self, "merge", ""))


class CombatantCommand(Command, frozen=True):
    """Base of the commands that are first of all about a combatant, `who`."""

    who: CombatantId


class TargetsCommand(Command, frozen=True):
    """Base of the commands that are first of all about some combatants, `targets`."""

    targets: CombatantIds


C = TypeVar("C", bound=Command)


def command(*, script: str = "", label: str = "", manual: str = "") -> Callable[[type[C]], type[C]]:
    """Return the decorator that sets a command's `__command__`."""

    def declare(decorated: type[C]) -> type[C]:
        decorated.__command__ = CommandInfo(script, label, manual)
        return decorated

    return declare


def copy_fields(kind: type[S], source: msgspec.Struct, **fields: Any) -> S:
    """Return a new record with the values of the source's fields of the same names, and with these other fields."""
    shared = {name: getattr(source, name) for name in source.__struct_fields__ if name in kind.__struct_fields__}
    return kind(**shared | fields)


def combatant_names(lookup: Lookup, ids: Sequence[str]) -> str:
    """Return the labels of up to three combatants as a list."""
    labels = [combatant.label if (combatant := lookup.get(Combatant, id)) else id for id in ids[:3]]
    return ", ".join(labels) + (" …" if len(ids) > 3 else "")


def record_name(record: msgspec.Struct) -> str:
    """Return the name or title of a prepared record, or its id if it has neither."""
    return str(getattr(record, "name", "") or getattr(record, "title", "") or getattr(record, "id", ""))


def undo_label(command: Command, lookup: Lookup) -> Phrase:
    """Return the command's label, usually `step.<command>`, with the name of its subject."""
    default_key = "step." + _WORDS.sub("_", type(command).__name__).lower()
    return phrase(command.__command__.label or default_key, what=command.subject(lookup))


def require_no_open_prompt(tx: Transaction) -> None:
    """Refuse the command while a prompt that blocks the turn order is open."""
    blocking = next((prompt for prompt in tx.all(Prompt) if prompt.blocks), None)
    if blocking is not None:
        raise Refused("refused.prompt_open", params={"what": blocking.subject or f"<{blocking.title}>"})


def require_check(rules: RuleSystem, check: str) -> None:
    """Refuse an ability or skill check that the system doesn't have. The refusal lists the known checks."""
    ability, colon, skill = check.partition(":")
    abilities = [ability_data.id for ability_data in rules.data.abilities]
    skills = [skill_data.id for skill_data in rules.data.skills]
    if ability not in abilities or (colon and skill not in skills):
        available = {"abilities": ", ".join(abilities), "skills": ", ".join(skills)}
        raise Refused("refused.no_such_check", params={"what": check, **available})


def require_combatants(tx: Transaction, command: Command) -> None:
    """Refuse a command if any of its combatant fields names a combatant that doesn't exist."""
    for spec in specs_of(type(command)):
        ids = getattr(command, spec.name) if spec.kind in ("combatant", "combatants") else ()
        for who in (ids,) if isinstance(ids, str) else ids:
            if who or spec.required:
                tx.need(Combatant, who)


def require_targets(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the targets without duplicates. Raise Refused if there are none."""
    require(targets, "refused.no_target")
    return tuple(dict.fromkeys(targets))


@contextmanager
def require_dice(text: str) -> Iterator[None]:
    """Refuse text in which the code inside the block finds a mistake, with the parser's reason."""
    try:
        yield
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": text, "why": str(error)}) from error


def require_dice_expression(expression: str) -> None:
    """Refuse text that isn't a dice expression, with the parser's reason."""
    with require_dice(expression):
        parse(expression)


def require_amount(amount: int) -> None:
    """Refuse a negative amount."""
    require(amount >= 0, "refused.negative")


def require_running(tx: Transaction) -> None:
    """Refuse a command that needs a running encounter."""
    require(tx.get(Clock, "clock") is not None, "refused.not_running")
