"""A running fight in words: the same description whatever the program calls its records, fields, kinds and stages.

Texts come from the catalogue of words, names from the encounter. No id, stage, kind or field name stands in it, so a
description made by an older version of the program can be compared with that of the same fight today.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.play import ScriptRunner
from turnwright.dice.expression import Roll, RollSpec
from turnwright.encounter.prepared import Countdown, Environment, Map, Wave
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt, Reply
from turnwright.encounter.running import (
    ArrivedWave,
    Clock,
    Combatant,
    CountdownPool,
    Dice,
    Effect,
    EntryState,
    ObstacleState,
    Relation,
    Slot,
    Track,
)
from turnwright.encounter.state import slots_in_order, wave_name
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.kernel.events import JournalLine
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.queries.queries import (
    actions_for,
    active_combatants,
    movement_of,
    open_prompts,
    resources_of,
    waiting_asks,
)
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.system import Veto
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import Document
from turnwright.workspace.text import Phrasebook

Description = dict[str, Any]


@cache
def rule_systems() -> RuleSystems:
    """Return the rule systems that ship."""
    return RuleSystems()


@cache
def words() -> WordCatalogue:
    """Return the words that ship."""
    return WordCatalogue.load()


def describe(document: Document) -> Description:
    """Return a document's fight in words: its prompts, procedures, turn order, combatants, world and journal."""
    describer = Describer(document)
    encounter = describer.encounter
    parts = {
        "title": document.title,
        "system": describer.rules.id,
        "findings": [str(finding.message) for finding in document.findings],
        **describer.clock(),
        "prompts": [describer.prompt(prompt) for prompt in open_prompts(encounter)],
        "procedures": describer.procedures(),
        "declarations": describer.declarations(),
        "turn order": [describer.slot(slot) for slot in slots_in_order(encounter)],
        "combatants": [describer.combatant(combatant) for combatant in encounter.all(Combatant)],
        "actions": describer.actions(),
        "relations": sorted(describer.relation(relation) for relation in encounter.all(Relation)),
        "scene effects": [describer.effect(effect) for effect in encounter.all(Effect) if not effect.target],
        "world": describer.world(),
        "dice": describer.dice(),
        "journal": [describer.line(line) for line in document.session.journal()],
    }
    plain: Description = msgspec.to_builtins({key: value for key, value in parts.items() if value not in ([], {}, "")})
    return plain


def describe_history(document: Document) -> Description:
    """Return a recovered document in words: each step of its undo history, and the fight at four places in it."""
    session = document.session
    describer = Describer(document)
    opened = describe(document)
    redone = 0
    while session.redo():
        redone += 1
    steps = [
        {
            "label": describer.phrasebook.phrase_text(step.label),
            "changes": [describer.digest([change.before, change.after]) for change in step.changes],
            "events": [describer.digest(event) for event in step.events],
            "journal": [describer.line(line) for line in step.lines],
        }
        for step in session.history.applied
    ]
    all_redone = describe(document)
    for _ in range(redone):
        session.undo()
    undone_again = describe(document)
    for _ in range(session.history.depth // 2):
        session.undo()
    half_undone = describe(document)
    while session.undo():
        pass
    return {
        "recovered": document.was_recovered,
        "redone": redone,
        "opened": opened,
        "all redone": all_redone,
        "same after undo": undone_again == opened,
        "half undone": half_undone,
        "all undone": describe(document),
        "steps": steps,
    }


class Describer:
    """Puts the records of one document's encounter into words."""

    def __init__(self, document: Document) -> None:
        self.encounter = document.encounter
        self.rules = document.session.rules
        self.phrasebook = Phrasebook(words(), self.rules)

    # Names and texts ---------------------------------------------------------------------------------------------

    def label(self, id: str) -> str:
        """Return a combatant's label or an environment's name; empty for no id."""
        combatant = self.encounter.get(Combatant, id) if id else None
        if combatant is not None:
            return combatant.label
        environment = self.encounter.get(Environment, id) if id else None
        return environment.name if environment is not None else ("unknown" if id else "")

    def labels(self, ids: Iterable[str]) -> list[str]:
        """Return the labels of several."""
        return [self.label(id) for id in ids]

    def text(self, text: str) -> str:
        """Return a text with its word keys in words."""
        return self.phrasebook.expand_keys(text)

    def reason(self, veto: Veto | None) -> str:
        """Return the condition that denies a resource, empty for none."""
        return self.text(str(dict(veto.params).get("condition", ""))) if veto is not None else ""

    def term(self, kinds: Sequence[str], name: str, otherwise: str) -> str:
        """Return the system's words for a name of one of these kinds, or others where it has none."""
        for kind in kinds:
            found = self.phrasebook.expand_keys(f"<{kind}.{name}>")
            if found not in (name, f"{kind}.{name}"):
                return found
        return otherwise

    def digest(self, record: Any) -> list[str | int]:
        """Return the labels of the combatants in a record and the numbers in it, wherever they stand."""
        leaves = list(_leaves(msgspec.to_builtins(record)))
        named = {self.label(leaf) for leaf in leaves if isinstance(leaf, str) and self.encounter.get(Combatant, leaf)}
        numbers = sorted(leaf for leaf in leaves if isinstance(leaf, int) and not isinstance(leaf, bool) and leaf)
        return [*sorted(named), *numbers]

    # Rolls and the journal ---------------------------------------------------------------------------------------

    def modifiers(self, modifiers: Iterable[Any]) -> list[str]:
        """Return modifiers with their reasons and rules."""
        return [f"{one.value:+} {self.text(one.reason)} {one.kind}".strip() + _rule(one.rule) for one in modifiers]

    def spec(self, spec: RollSpec) -> Description:
        """Return what is to be rolled, with every reason."""
        return _filled(
            dice=spec.dice,
            modifiers=self.modifiers(spec.modifiers),
            edges=[f"{one.kind}: {self.text(one.reason)}{_rule(one.rule)}" for one in spec.edges],
            extra=[f"{one.dice} {self.text(one.reason)}{_rule(one.rule)}" for one in spec.extra],
            fails=self.text(spec.fails),
            counted=spec.counted,
            doubled=spec.doubled,
            offered=[f"{self.text(one.reason)}{_rule(one.rule)}" for one in spec.offered],
        )

    def roll(self, roll: Roll) -> str:
        """Return a roll as it fell."""
        parts = (
            " ".join(f"{one.face}/{one.sides}{'' if one.kept else ' dropped'}" for one in roll.dice),
            ", ".join(self.modifiers(roll.modifiers)),
            ", ".join(f"{one.total} {one.kind}".strip() for one in roll.parts),
            ", ".join(f"{one.kind}: {self.text(one.reason)}" for one in roll.edges),
            roll.text,
            f"total {roll.total} natural {roll.natural}",
        )
        return "; ".join(part for part in parts if part)

    def line(self, line: JournalLine) -> str:
        """Return a line of the journal with its round, whose turn it was, its roll and why damage changed."""
        text = f"{line.round} {self.label(line.turn) or '-'}: {self.phrasebook.phrase_text(line.phrase)}"
        text += _rule(line.rule)
        if line.roll is not None:
            text += f" [{self.roll(line.roll)}]"
        for one in line.why:
            text += f" [{self.text(one.reason)}: {one.before} to {one.after}{_rule(one.rule)}]"
        return text

    # Prompts and procedures --------------------------------------------------------------------------------------

    def prompt(self, prompt: Prompt) -> Description:
        """Return a prompt with the asks that wait and what was answered already."""
        waiting = {ask.id for ask in waiting_asks(prompt)}
        return _filled(
            title=self.phrasebook.text(prompt.title, subject=prompt.subject),
            subject=self.text(prompt.subject),
            rule=prompt.rule,
            blocks=prompt.blocks,
            asks=[self.ask(ask) for ask in prompt.asks if ask.id in waiting],
            answered=[
                _filled(
                    ask=self.ask_label(next(ask for ask in prompt.asks if ask.id == result.ask)),
                    roll=self.roll(result.roll) if result.roll is not None else "",
                    chosen=len(result.chosen),
                    number=result.number,
                    skipped=result.skipped,
                )
                for result in prompt.answers
            ],
        )

    def ask_label(self, ask: Ask) -> str:
        """Return who is asked what."""
        detail = self.text(ask.detail)
        label = self.phrasebook.text(ask.label, detail=detail)
        if detail not in label:
            label = f"{label} ({detail})" if label else detail
        return f"{self.label(ask.who)}: {label}" if ask.who else label

    def ask(self, ask: Ask) -> Description:
        """Return an ask with its roll, its options and their order."""
        suggested = [option for id in ask.suggested for option in ask.options if option.id == id]
        labels = {option.id: self.text(option.label) for option in ask.options}
        return _filled(
            kind=ask.kind,
            label=self.ask_label(ask),
            detail=self.text(ask.detail),
            roll=self.spec(ask.spec) if ask.spec is not None else None,
            dc=ask.dc,
            options=[
                self.text(option.label) + (f" — {self.text(option.why)}" if option.why else "")
                for option in ask.options
            ],
            suggested=[self.text(option.label) for option in suggested],
            maximum=ask.max_choices,
            rule=ask.rule,
            after=[f"{labels.get(late, '?')} after {labels.get(early, '?')}" for late, early in ask.must_follow],
        )

    def procedures(self) -> list[Description]:
        """Return the procedures: which waits for which (by number), which has a prompt, and their combatants and numbers."""
        procedures = list(self.encounter.all(Procedure))
        numbers = {one.id: number for number, one in enumerate(procedures)}
        asking = {prompt.procedure for prompt in self.encounter.all(Prompt)}
        return [
            _filled(
                number=number,
                parent=numbers.get(one.parent, "unknown") if one.parent else None,
                asks=one.id in asking,
                data=self.digest(one.data),
            )
            for number, one in enumerate(procedures)
        ]

    def declarations(self) -> list[Description]:
        """Return what has been declared, and which declaration each responds to (by number)."""
        declarations = list(self.encounter.all(Declaration))
        numbers = {one.id: number for number, one in enumerate(declarations)}
        return [
            _filled(
                who=self.label(one.who),
                name=self.text(one.name),
                responds_to=numbers.get(one.responds_to, "unknown") if one.responds_to else None,
                reserved=[f"{self.term(('resource',), name, name)} {value}" for name, value in one.reserved],
                targets=self.labels(one.targets),
                is_movement=one.is_movement,
                rules_overridden=one.rules_overridden,
            )
            for one in declarations
        ]

    # Clock, order and combatants ---------------------------------------------------------------------------------

    def clock(self) -> Description:
        """Return where the encounter stands and whose turn it is."""
        clock = self.encounter.get(Clock, "clock") or Clock()
        slot = self.encounter.get(Slot, clock.active) if clock.active else None
        return _filled(
            phase=clock.phase,
            setup_step=clock.setup_step,
            round=clock.round,
            active=self.labels(slot.members) if slot is not None else [],
            elapsed_seconds=clock.elapsed_seconds,
            reason=clock.reason,
            end_declined=clock.end_declined,
        )

    def slot(self, slot: Slot) -> str:
        """Return a place in the turn order."""
        joined = self.encounter.get(Slot, slot.joined_to) if slot.joined_to else None
        parts = (
            f"{slot.count} {', '.join(self.labels(slot.members))}",
            f"tie {slot.tie_rolls}" if slot.tie_rolls else "",
            "fixed" if slot.fixed else "",
            "first actor" if slot.first_actor else "",
            f"joined to {', '.join(self.labels(joined.members))}" if joined is not None else "",
            "has acted" if slot.acted else "",
        )
        return ", ".join(part for part in parts if part)

    def combatant(self, one: Combatant) -> Description:
        """Return a combatant with its effects, tracks, resources and movement."""
        encounter, rules = self.encounter, self.rules
        effects = [self.effect(effect) for effect in encounter.all(Effect) if effect.target == one.id]
        tracks = [
            f"{self.term(('track', 'resource', 'condition'), track.name, 'a track')} {track.value}/{track.maximum}"
            for track in encounter.all(Track)
            if track.owner == one.id
        ]
        return _filled(
            label=one.label,
            side=one.side,
            hp=f"{one.hp}/{one.hp_max}",
            temp_hp=one.temp_hp,
            ac=armor_class(encounter, rules, one.id).total,
            initiative=one.initiative,
            dead=one.dead,
            hidden=one.hidden,
            sneaking=one.sneaking,
            bystander=one.bystander,
            first_actor=one.first_actor,
            place=one.place,
            position=list(one.position) if one.position is not None else None,
            elevation=one.elevation,
            outside=self.labels(one.outside),
            gear=list(one.gear),
            plan=one.plan,
            player=one.player,
            turns_ended=one.turns_ended,
            rides=self.label(one.rides),
            controlled=one.controlled,
            controller=self.label(one.controller),
            group=one.group,
            supplied_numbers=[value for _, value in one.supplied_numbers],
            effects=[effect for effect in effects if effect],
            tracks=sorted(tracks),
            resources=[
                f"{each.resource.name} {each.left}/{each.maximum} {self.reason(each.denied)}".strip()
                for each in resources_of(encounter, rules, one.id)
            ],
            movement=[
                f"{self.term(('speed',), each.mode, each.mode)} {each.left}/{each.allowance.total}"
                for each in movement_of(encounter, rules, one.id)
            ],
        )

    def effect(self, one: Effect) -> str:
        """Return an effect; the name of an internal mark is left out."""
        ends = one.ends
        parts = (
            self.term(("condition",), one.name, one.name if one.shown else "a mark"),
            "" if one.shown else "not shown",
            f"value {one.value}" if one.value else "",
            f"from {self.text(one.source)}" if one.source else "",
            f"ends {ends.moment} of {self.label(ends.who)} skipping {ends.skip}" if ends.moment != "never" else "",
            f"ended by {self.term(('resource', 'action'), one.break_free, 'an action')}" if one.break_free else "",
            f"by {self.label(one.by)}" if one.by else "",
            f"uses {one.uses_left}" if one.uses_left else "",
            f"concentrator {self.label(one.concentrator)}" if one.concentrator else "",
            f"damage {one.damage}" if one.damage else "",
            f"until {one.end_condition}" if one.end_condition else "",
            f"note {one.note}" if one.note else "",
            f"since {one.since_round}" if one.since_round else "",
            f"rounds {one.rounds_left} of the {one.counted_on}" if one.rounds_left else "",
            "sustained" if one.sustained else "",
            f"save {self.term(('save', 'check'), one.save, one.save)} against {one.dc}" if one.save else "",
            f"reminder {one.reminder_at}" if one.reminder_at else "",
        )
        return ", ".join(part for part in parts if part)

    def actions(self) -> list[str]:
        """Return the actions of the active combatants, with why one is not possible."""
        return [
            f"{one.label}: {offer.action.name}"
            + (
                f" — {self.phrasebook.text(offer.refused, **dict(offer.params))}{_rule(offer.rule)}"
                if offer.refused
                else ""
            )
            for one in active_combatants(self.encounter)
            for offer in actions_for(self.encounter, self.rules, one.id)
        ]

    # The world ---------------------------------------------------------------------------------------------------

    def relation(self, one: Relation) -> str:
        """Return how one combatant stands to another."""
        return (
            f"{self.label(one.who)} to {self.label(one.other)}: {one.distance} feet, {one.height} above,"
            f" cover {one.cover or '?'}, seen {one.seen}, flanked {one.flanked}, reached {one.reached}"
        )

    def world(self) -> Description:
        """Return countdown pools, the state of environment entries and obstacles, and the waves that have come."""
        encounter = self.encounter
        countdowns = {one.id: one.name for one in encounter.all(Countdown)}
        waves = {one.id: wave_name(one.id) for one in encounter.all(Wave)}
        pools = [
            f"{countdowns.get(one.countdown, '?')}: {one.dice} dice, {one.status},"
            f" faces {' '.join(map(str, one.last_faces))}, rolled {one.rolls}"
            f"{', unstoppable' if one.unstoppable else ''}"
            for one in encounter.all(CountdownPool)
        ]
        names = {
            (environment.id, entry.id): f"{environment.name}, {entry.name}"
            for environment in encounter.all(Environment)
            for entry in (*environment.features, *environment.actions)
        }
        entries = [
            f"{names.get((one.environment, one.entry), '?')}: {'ready' if one.ready else 'spent'},"
            f" rolled {one.recharge_rolled}, due {one.due_round}{', broken' if one.broken else ''}"
            f"{', revealed' if one.revealed else ''} {', '.join(self.labels(one.targeted))}".strip()
            for one in encounter.all(EntryState)
        ]
        field = next(iter(encounter.all(Map)), None)
        obstacles = {one.id: one.name for one in field.obstacles} if field is not None else {}
        states = [
            f"{obstacles.get(one.id, '?')}: {one.hp} hit points{', broken' if one.broken else ''}"
            f"{', burning' if one.burning else ''}"
            for one in encounter.all(ObstacleState)
        ]
        arrived = [f"{waves.get(one.id) or one.id} in round {one.round}" for one in encounter.all(ArrivedWave)]
        return _filled(pools=pools, entries=entries, obstacles=states, waves=arrived)

    def dice(self) -> str:
        """Return where faces come from."""
        dice = self.encounter.get(Dice, "dice") or Dice()
        script = " ".join(map(str, dice.script))
        return f"{dice.mode}, seed {dice.seed}, {dice.counter} thrown, then {script}".strip()


# Going on --------------------------------------------------------------------------------------------------------


def continue_fight(document: Document, steps: Iterable[str]) -> list[Description]:
    """Carry out steps; return for each what it adds to the journal and what is asked then.

    A step is a line of a script, or an answer to the first open prompt: `>` and, parted by ` | `, one for each of its
    waiting asks in turn: `roll`, `skip`, `suggested`, a typed result, or the words of options parted by ` + ` (`none`
    for no option). `*` gives the likely answer, or ends the turn where nothing is asked.
    """
    descriptions = []
    for step in steps:
        before = list(document.session.journal())
        if step == "*":
            refused = _take_likely_step(document)
        elif step.startswith(">"):
            refused = _answer(document, step[1:])
        else:
            refused = _run_line(document, step)
        descriptions.append(_describe_step(document, step, before, refused))
    return descriptions


def continue_by_likely_answers(document: Document, steps: int = 12) -> list[Description]:
    """Let the program roll, give the likely answer to every prompt and end turns; return as `continue_fight` does."""
    _do(document, SetDice("roll"))
    descriptions = []
    for _ in range(steps):
        before = list(document.session.journal())
        descriptions.append(_describe_step(document, "", before, _take_likely_step(document)))
    return descriptions


def _describe_step(document: Document, step: str, before: list[JournalLine], refused: str) -> Description:
    describer = Describer(document)
    lines = list(document.session.journal())
    return _filled(
        step=step,
        refused=refused,
        journal=[describer.line(line) for line in lines[len(before) :]],
        fewer=len(lines) < len(before),
        prompts=[
            f"{describer.phrasebook.text(prompt.title, subject=prompt.subject)}: "
            + "; ".join(describer.ask_label(ask) for ask in waiting_asks(prompt))
            for prompt in open_prompts(describer.encounter)
        ],
    )


def _take_likely_step(document: Document) -> str:
    prompts = open_prompts(document.encounter)
    if not prompts:
        return _do(document, EndTurn(), override=True)
    prompt = prompts[0]
    refused = _do(document, Answer(prompt.id, tuple(map(_likely, waiting_asks(prompt))), prompt.revision))
    return f"{refused} / {_do(document, DismissPrompt(prompt.id))}" if refused else ""


def _do(document: Document, command: Command, *, override: bool = False) -> str:
    """Carry out a command; return why it was refused, or an empty text."""
    try:
        document.do(command, override=override)
    except Refused as refused:
        return Phrasebook(words(), document.session.rules).refusal_text(refused) + _rule(refused.rule)
    return ""


def _run_line(document: Document, line: str) -> str:
    return "" if ScriptRunner(document, "fight", words()).run(line) == 0 else "the script stops"


def _answer(document: Document, text: str) -> str:
    describer = Describer(document)
    prompts = open_prompts(document.encounter)
    if not prompts:
        return "nothing is asked"
    prompt = prompts[0]
    replies = []
    for ask, wanted in zip(waiting_asks(prompt), text.split(" | "), strict=False):
        reply = _reply(describer, ask, wanted.strip())
        if reply is None:
            return "there is no such answer"
        replies.append(reply)
    return _do(document, Answer(prompt.id, tuple(replies), prompt.revision))


def _reply(describer: Describer, ask: Ask, wanted: str) -> Reply | None:
    if wanted == "skip":
        return Reply(ask.id, skip=True)
    if wanted == "suggested":
        return _likely(ask)
    ids = {describer.text(option.label): option.id for option in ask.options}
    if ask.kind == "roll" and wanted not in ids:
        return Reply(ask.id, roll=True) if wanted == "roll" else Reply(ask.id, typed=wanted)
    if ask.kind == "number":
        return Reply(ask.id, number=int(wanted))
    labels = [] if wanted == "none" else wanted.split(" + ")
    return Reply(ask.id, chosen=tuple(ids[label] for label in labels)) if set(labels) <= ids.keys() else None


def _likely(ask: Ask) -> Reply:
    if ask.kind == "roll":
        if ask.spec is not None and not ask.spec.dice:
            return Reply(ask.id, chosen=(ask.options[0].id,)) if ask.options else Reply(ask.id, skip=True)
        return Reply(ask.id, roll=True)
    if ask.kind == "number":
        return Reply(ask.id, number=min(ask.max_choices or 3, 3))
    if ask.kind == "order":
        return Reply(ask.id, chosen=tuple(option.id for option in ask.options))
    if ask.kind == "targets":
        return Reply(ask.id, chosen=ask.suggested or tuple(option.id for option in ask.options[:1]))
    return Reply(ask.id, chosen=(ask.suggested or (ask.options[0].id,))[:1])


def _rule(rule: str) -> str:
    return f" ({rule})" if rule else ""


def _filled(**parts: Any) -> Description:
    return {key: value for key, value in parts.items() if value not in ("", None, [], {}, False)}


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, dict):
        for value in tree.values():
            yield from _leaves(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _leaves(value)
    else:
        yield tree
