"""The scheduler: it advances procedures until the user has to decide, and rolls the dice that it may roll.

A stage is a function of the transaction, its procedure with its data, and the answers to its previous asks. It returns
the procedure at its next stage, or None when it is done. It never waits: it asks, and the scheduler stops.

A step is one command with all its automatic consequences, its changes, its events and its label. Undo, redo, the
journal, recovery and all views are based on steps. `Changed` is the only message that views get.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import msgspec

from turnwright.encounter.procedure_state import Declaration, Procedure, ProcedureData
from turnwright.encounter.procedure_state.asks import FAILED, Ask, AskResult, Prompt
from turnwright.encounter.procedure_state.kinds import ProcedureKind, Stage
from turnwright.encounter.state import Change, Key
from turnwright.play.kernel import optional_modifiers
from turnwright.play.kernel.events import Event, JournalLine, Phrase
from turnwright.play.kernel.transaction import Transaction

Answers = Mapping[str, AskResult]
Next = Procedure | None  # a procedure at its next stage, or None when it is done
StageFunction = Callable[[Transaction, Procedure, Any, Answers], Next]
NO_ANSWERS: Answers = {}
MAX_STAGES = 10_000
Data = TypeVar("Data")


class Interceptor(NamedTuple):
    """A rule that acts on the answers to a prompt before its procedure gets them.

    `ask` adds asks to an answered prompt and returns whether it added any. `apply` returns the changed answers.
    """

    apply: Callable[[Transaction, Prompt, Answers], Answers]
    ask: Callable[[Transaction, Prompt], bool] = lambda _tx, _prompt: False


def bind_stages(
    kinds: Iterable[ProcedureKind], *tables: Mapping[Stage, StageFunction]
) -> Mapping[Stage, StageFunction]:
    """Map all stages to their functions. Raise ValueError unless each declared stage has exactly one function."""
    kinds = tuple(kinds)
    names = Counter(kind.name for kind in kinds)
    if len(names) < len(kinds):
        raise ValueError(f"duplicate procedure kinds: {[name for name, count in names.items() if count > 1]}")
    declared = Counter(stage for kind in kinds for stage in kind.stages)
    bound = Counter(stage for table in tables for stage in table)
    if declared != bound:
        raise ValueError(
            f"stages without a function: {sorted(declared - bound)}; "
            f"functions of undeclared stages, or duplicate functions: {sorted(bound - declared)}"
        )
    return {stage: function for table in tables for stage, function in table.items()}


def stages_in(module: Mapping[str, Any]) -> Mapping[Stage, StageFunction]:
    """Return a module's functions named after stages, keyed by stage.

    Only the procedure kinds among the module's own names count. A module that only begins another kind, and has
    a function with the name of one of that kind's stages, must import the kind's module instead.
    """
    own = {name: value for name, value in module.items() if getattr(value, "__module__", "") == module["__name__"]}
    stages = (stage for kind in module.values() if isinstance(kind, ProcedureKind) for stage in kind.stages)
    return {stage: own[name] for stage in stages if (name := stage.name.replace("-", "_")) in own}


class SubjectGone(Exception):
    """The subject of a procedure no longer exists. A stage raises it to end the procedure."""


class RunawayProcedure(RuntimeError):
    """Stages follow one another endlessly. This is a programming error, and the step is discarded."""


def begin(tx: Transaction, stage: Stage, data: ProcedureData, parent: str = "") -> Procedure:
    """Begin a procedure at a stage; `parent` is the id of the procedure that waits for it."""
    return tx.put(Procedure(id=tx.next_id(stage.kind), kind=stage.kind, stage=stage.name, data=data, parent=parent))


def ask(
    tx: Transaction,
    procedure: Procedure,
    title: str,
    asks: Iterable[Ask],
    *,
    subject: str = "",
    rule: str | None = None,
    blocks: bool = True,
) -> Procedure:
    """Open a prompt for a procedure, unless there are no asks, and return the procedure.

    The prompt cites `rule`, or by default the rule of its first ask.
    """
    listed = tuple(asks)
    if listed:
        tx.put(
            Prompt(
                id=tx.next_id("prompt"),
                procedure=procedure.id,
                title=title,
                subject=subject,
                asks=optional_modifiers.with_offers(tx, listed),
                blocks=blocks,
                rule=listed[0].rule if rule is None else rule,
                revision=tx.serial,
            )
        )
    return procedure


def goto(procedure: Procedure, stage: Stage, data: ProcedureData | None = None, **changes: Any) -> Procedure:
    """Return a procedure at another stage of its kind. `changes` are applied to `data` (default: its present data)."""
    assert stage.kind == procedure.kind, f"{stage} is not a stage of {procedure.kind}"
    data = procedure.data if data is None else data
    changed = msgspec.structs.replace(data, **changes) if changes else data  # the same record is looked up once
    return msgspec.structs.replace(procedure, stage=stage.name, data=changed)


def prompt_of(tx: Transaction, procedure: str) -> Prompt | None:
    """Return the open prompt of a procedure."""
    return next((prompt for prompt in tx.all(Prompt) if prompt.procedure == procedure), None)


def close_prompt(tx: Transaction, procedure: str) -> None:
    """Remove the open prompt of a procedure, if there is one."""
    prompt = prompt_of(tx, procedure)
    if prompt is not None:
        tx.remove(prompt)


def open_asks(prompt: Prompt) -> list[Ask]:
    """Return the unanswered asks of a prompt."""
    answered = {answer.ask for answer in prompt.answers}
    return [question for question in prompt.asks if question.id not in answered]


def data_of(procedure: Procedure, kind: type[Data]) -> Data:
    """Return the data of a procedure. Assert that it is of the given type."""
    assert isinstance(procedure.data, kind)
    return procedure.data


def choices_of(answers: Answers, ask: str) -> tuple[str, ...]:
    """Return the options chosen for an ask, or an empty tuple if it has no answer."""
    return answers[ask].chosen if ask in answers else ()


def choice_of(answers: Answers, ask: str, default: str = "") -> str:
    """Return the first option chosen for an ask, or the default if there is none."""
    return next(iter(choices_of(answers, ask)), default)


def withdraw_asks(tx: Transaction, predicate: Callable[[Ask], bool]) -> None:
    """Withdraw every open ask that matches a predicate. The prompt's other asks stay."""
    for prompt in list(tx.all(Prompt)):
        skipped = tuple(AskResult(ask.id, skipped=True) for ask in open_asks(prompt) if predicate(ask))
        if skipped:
            tx.update(prompt, answers=(*prompt.answers, *skipped))


def advance(tx: Transaction, stages: Mapping[Stage, StageFunction], interceptors: Iterable[Interceptor] = ()) -> None:
    """Advance all procedures that aren't waiting, newest first, until each waits for the user or a child."""
    for _ in range(MAX_STAGES):
        ready = next_ready(tx)
        if ready is None:
            return
        prompt = prompt_of(tx, ready.id)
        if prompt is not None and any(interceptor.ask(tx, prompt) for interceptor in interceptors):
            continue
        answers = NO_ANSWERS
        if prompt is not None:
            answers = {answer.ask: answer for answer in prompt.answers if not optional_modifiers.is_offer(answer.ask)}
            for interceptor in interceptors:
                answers = interceptor.apply(tx, prompt, answers)
            tx.remove(prompt)
        after = None
        with suppress(SubjectGone):
            after = stages[ready.at](tx, ready, ready.data, answers)
        if after is None:
            tx.remove(ready)
            _reparent_children(tx, ready)
        else:
            tx.put(after)
    raise RunawayProcedure(str([procedure.kind for procedure in tx.all(Procedure)]))


def _reparent_children(tx: Transaction, finished: Procedure) -> None:
    """Give the children of a finished procedure to its parent."""
    for procedure in list(tx.all(Procedure)):
        if procedure.parent == finished.id:
            tx.update(procedure, parent=finished.parent)


def next_ready(tx: Transaction) -> Procedure | None:
    """Return the newest procedure that isn't waiting for a child, an answer or a declaration."""
    procedures = list(tx.all(Procedure))
    parents = {each.parent for each in procedures} | {declaration.procedure for declaration in tx.all(Declaration)}
    for procedure in reversed(procedures):
        if procedure.id in parents:
            continue
        prompt = prompt_of(tx, procedure.id)
        if prompt is None or not open_asks(answer_rolls(tx, prompt)):
            return procedure
    return None


def answer_rolls(tx: Transaction, prompt: Prompt) -> Prompt:
    """Roll for a prompt's asks that don't need the user, and return the updated prompt."""
    prompt = optional_modifiers.apply_offer_answers(tx, prompt)
    answers = list(prompt.answers)
    for question in open_asks(prompt):
        if question.kind != "roll" or question.spec is None or optional_modifiers.waits_for_offer(prompt, question):
            continue
        if question.spec.fails and (
            tx.strictness == "enforce" or optional_modifiers.fails_automatically(tx, prompt, question)
        ):
            answers.append(AskResult(ask=question.id, chosen=(FAILED,)))
        else:
            result = tx.roll(question.spec)
            if result is not None:
                answers.append(AskResult(ask=question.id, roll=result))
    return prompt if len(answers) == len(prompt.answers) else tx.update(prompt, answers=tuple(answers))


class Step(msgspec.Struct, frozen=True):
    """One step. `serial` is unique in a document and never reused; a following step with the same `merge` joins it.

    `lines` are the journal lines of its events. They are formatted when the step is made, so that renaming doesn't
    change them.
    """

    serial: int
    label: Phrase
    changes: tuple[Change, ...]
    events: tuple[Event, ...] = ()
    lines: tuple[JournalLine, ...] = ()
    merge: str = ""


class Changed(msgspec.Struct, frozen=True):
    """The message to views after a step, an undo or a redo: keys added or removed, and changed fields by key."""

    label: Phrase
    added: tuple[Key, ...]
    removed: tuple[Key, ...]
    updated: Mapping[Key, frozenset[str]]

    @property
    def tables(self) -> frozenset[str]:
        """The tables in which records were added, removed or updated."""
        return frozenset(key[0] for keys in (self.added, self.removed, self.updated) for key in keys)

    def touches(self, *tables: str) -> bool:
        """Return whether a record in any of these tables was added, removed or updated."""
        return not self.tables.isdisjoint(tables)


def changed_by(label: Phrase, changes: Iterable[Change]) -> Changed:
    """Return the message that reports these changes."""
    added: list[Key] = []
    removed: list[Key] = []
    updated: dict[Key, frozenset[str]] = {}
    for change in changes:
        if change.before is None:
            added.append(change.key)
        elif change.after is None:
            removed.append(change.key)
        else:
            before, after = change.before, change.after
            updated[change.key] = frozenset(
                name for name in after.__struct_fields__ if getattr(before, name) != getattr(after, name)
            )
    return Changed(label, tuple(added), tuple(removed), updated)
