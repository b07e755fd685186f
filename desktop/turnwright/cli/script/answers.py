"""Converts a script's answers to open prompts into commands, one prompt after another."""

from collections.abc import Callable, Iterable

from turnwright.cli.script.lexer import ScriptError
from turnwright.cli.script.resolve import PickStatement, ReplyStatement, RollStatement, SkipStatement, resolve_name
from turnwright.encounter.procedure_state.asks import FAILED, Ask, Prompt, Reply
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries.queries import open_prompts, waiting_asks

Execute = Callable[[Command], None]
DECLINING = ("none", "nobody", "pass")  # options that decline; `none` selects the available one
AnswerStatement = RollStatement | PickStatement | ReplyStatement | SkipStatement


def run_answer(statement: AnswerStatement, current: Callable[[], Encounter], execute: Execute) -> None:
    """Answer an open question. Raise ScriptError if it doesn't exist. `current` returns the current encounter."""
    if isinstance(statement, RollStatement):
        if statement.typed:
            _type_rolls(list(statement.typed), current, execute)
        else:
            _roll_all(current, execute)
        return
    encounter = current()
    if isinstance(statement, ReplyStatement):
        prompt, ask = _find(statement.ask, encounter)
        execute(_answer(prompt, [_reply(ask, statement.values)]))
        return
    prompts = open_prompts(encounter)
    if isinstance(statement, SkipStatement):
        if not prompts:
            raise ScriptError("no question is open")
        execute(DismissPrompt(prompts[0].id))
        return
    for prompt, ask in _asks(prompts):
        if ask.kind in ("choice", "targets", "order"):
            execute(_answer(prompt, [_reply(ask, statement.options)]))
            return
    raise ScriptError("no choice is pending")


def open_questions(encounter: Encounter) -> list[tuple[Prompt, Ask]]:
    """Return the open questions, the most urgent first."""
    return list(_asks(open_prompts(encounter)))


def _asks(prompts: Iterable[Prompt]) -> Iterable[tuple[Prompt, Ask]]:
    return ((prompt, ask) for prompt in prompts for ask in waiting_asks(prompt))


def _type_rolls(typed: list[str], current: Callable[[], Encounter], execute: Execute) -> None:
    while typed:
        rolls = _open_rolls(current())
        if not rolls:
            raise ScriptError(f"no roll is pending for '{' '.join(typed)}'")
        prompt = rolls[0][0]
        asks = [ask for other, ask in rolls if other.id == prompt.id]
        now, typed = typed[: len(asks)], typed[len(asks) :]
        execute(_answer(prompt, [_reply(ask, (text,)) for ask, text in zip(asks, now, strict=False)]))


def _roll_all(current: Callable[[], Encounter], execute: Execute) -> None:
    rolls = _open_rolls(current())
    if not rolls:
        raise ScriptError("no roll is pending")
    for id in dict.fromkeys(prompt.id for prompt, _ in rolls):
        prompt = current().get(Prompt, id)
        asks = [ask for ask in waiting_asks(prompt) if ask.kind == "roll"] if prompt is not None else []
        if prompt is not None and asks:
            execute(_answer(prompt, [Reply(ask.id, roll=True) for ask in asks]))


def _open_rolls(encounter: Encounter) -> list[tuple[Prompt, Ask]]:
    return [(prompt, ask) for prompt, ask in open_questions(encounter) if ask.kind == "roll"]


def _find(text: str, encounter: Encounter) -> tuple[Prompt, Ask]:
    """Return the most urgent question that has this id or asks this combatant."""
    questions = open_questions(encounter)
    for prompt, ask in questions:
        if ask.id == text:
            return prompt, ask
    if not questions:
        raise ScriptError("no question is open")
    asked = {name: (prompt, ask) for prompt, ask in reversed(questions) for name in (ask.id, ask.who) if name}
    labels = {combatant.id: combatant.label for combatant in encounter.all(Combatant)}
    return asked[resolve_name(text, ((name, labels.get(name, name)) for name in asked), "question")]


def _answer(prompt: Prompt, replies: list[Reply]) -> Command:
    return Answer(prompt.id, tuple(replies), prompt.revision)


def _reply(ask: Ask, values: tuple[str, ...]) -> Reply:
    if values == ("skip",):
        return Reply(ask.id, skip=True)
    if ask.kind == "roll" and values == ("fail",):
        if ask.spec is None or not ask.spec.fails:
            raise ScriptError("no rule makes this roll fail; expected its result, 'roll' or 'skip'")
        return Reply(ask.id, chosen=(FAILED,))
    if ask.kind == "roll":
        return Reply(ask.id, roll=True) if values == ("roll",) else Reply(ask.id, typed=" ".join(values))
    if ask.kind == "number":
        return Reply(ask.id, typed=" ".join(values))
    ids = tuple(option.id for option in ask.options)
    if ask.kind == "targets" and values == ("all",):
        return Reply(ask.id, chosen=ids)
    if ask.kind == "targets" and values == ("none",):
        return Reply(ask.id, chosen=())
    declining = next((id for id in DECLINING if id in ids), "")
    if ask.kind == "choice" and values == ("none",) and declining:
        return Reply(ask.id, chosen=(declining,))
    if values == ("suggested",):
        return Reply(ask.id, chosen=ids if ask.kind == "order" else ask.suggested)
    options = [(option.id, option.label) for option in ask.options]
    return Reply(ask.id, chosen=tuple(resolve_name(value, options, "answer") for value in values))
