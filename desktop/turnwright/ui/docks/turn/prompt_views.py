"""Prompts as shown on cards: questions as text, with icon, rule and input hint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.manual_rolls import parse_faces, parse_result, with_typed_bonus
from turnwright.dice.roll import Modifier, RollSpec
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt
from turnwright.encounter.procedure_state.attacks import AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.damage import DamageRoll, SavedDamage
from turnwright.encounter.procedure_state.environment import EnvironmentEffect
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.play.asking.answer import BY_FACE, Answer, Reply
from turnwright.play.kernel.transaction import Refused
from turnwright.play.queries.queries import waiting_asks
from turnwright.play.state.events import DamageTaken
from turnwright.rules.system import label_of
from turnwright.ui.docks.shared.explainer import Explainer, explainer, roll_text, short_roll
from turnwright.ui.docks.turn.line_words import line_words
from turnwright.ui.look.translations import number_word, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.prompts.prompt_card import PromptView
from turnwright.ui.widgets.prompts.prompt_input import AskOption, AskView, DamageOutcome
from turnwright.ui.widgets.prompts.prompt_roll_input import SHARE
from turnwright.ui.widgets.rules.explanation import Explanation, ExplanationLine
from turnwright.ui.widgets.typed.line_chips import ChipView, save_text

SHARES = "prompt.shares"
SAVED_DAMAGE = ("prompt.saved_damage", SHARES)
DETAIL = "{detail}"  # the placeholder in the text of a question
MAX_NAMED = 4
D20 = "1d20"
OWN_REASONS = (
    "why.initiative_bonus",
    "why.magic",
    "why.not_proficient",
    "why.proficiency",
    "why.save_proficiency",
    "why.stat_block",
)
OWN_NUMBERS = ("<ability.", "<skill.")
AGAINST_LABELS = {"ask.recharge": "ui.prompt.needs", "ask.attack": "ui.prompt.against-ac"}
ICONS = {
    "prompt.world_action": ("earth", "world"),
    "prompt.countdowns": ("timer-sand", "world"),
    "prompt.recharge": ("autorenew", "world"),
    "prompt.save": ("shield-outline", "warn"),
    "prompt.damage": ("sword", "harm"),
    "prompt.healing": ("heart-plus", "heal"),
    "prompt.temporary": ("heart-plus", "heal"),
    "prompt.initiative": ("dice-d20-outline", "accent"),
    "prompt.tie": ("dice-d20-outline", "accent"),
    "prompt.surprise": ("eye-off", "warn"),
    "prompt.surprise_checks": ("eye-off", "warn"),
    "prompt.action": ("lightning-bolt", "accent"),
    "prompt.attack": ("sword", "accent"),
    "prompt.maneuver": ("sword-cross", "accent"),
    "prompt.reaction": ("flash", "warn"),
    "prompt.follow": ("foot-print", "accent"),
    "prompt.legendary": ("crown", "warn"),
    "prompt.missing": ("book-open-variant", "accent"),
    "prompt.figures": ("book-open-variant", "accent"),
    "prompt.death_save": ("heart-broken", "harm"),
    "prompt.stable_hours": ("timer-sand", "heal"),
    "prompt.at_zero": ("heart-broken", "harm"),
    "prompt.massive": ("skull", "harm"),
    "prompt.last_deed": ("skull-crossbones", "harm"),
    "prompt.remedy": ("shield-cross", "heal"),
    "prompt.concentration": ("brain", "warn"),
    "prompt.ongoing": ("fire", "harm"),
    "prompt.escape": ("exit-run", "accent"),
    "prompt.fall": ("arrow-down-bold", "harm"),
    "prompt.brought": ("arrow-down-bold", "warn"),
    "prompt.weight": ("paw", "accent"),
    "prompt.seat": ("paw", "warn"),
    "prompt.unhorsed": ("paw", "warn"),
    "prompt.mount_attack": ("paw", "accent"),
    "prompt.grip": ("hand-back-right", "accent"),
    "prompt.hurled_moved": ("arrow-right-bold", "warn"),
    "prompt.hurled_pushed": ("arrow-right-bold", "warn"),
    "prompt.square": ("map-marker", "accent"),
}


def prompt_view(document: DocumentModel, prompt: Prompt) -> PromptView:
    """Return the view of a prompt with its pending questions of one type. Questions of other types follow later."""
    explain = explainer(document)
    procedure = document.encounter.get(Procedure, prompt.procedure)
    if procedure is not None and isinstance(procedure.data, SavedDamage) and prompt.title in SAVED_DAMAGE:
        return _damage_view(document, prompt, procedure.data)
    icon, tone = ICONS.get(prompt.title, ("dice-d20-outline", "accent"))
    title = _title(document, explain, prompt)
    why = (lambda: explain.explain_rule(prompt.rule, title)) if prompt.rule else None
    waiting = waiting_asks(prompt)
    asks = tuple(_ask_view(document, explain, ask, title) for ask in waiting if ask.kind == waiting[0].kind)
    if len(asks) > 1 and prompt.title == "prompt.save":
        title = explain.text("ui.prompt.saves", subject=prompt.subject, n=number_word(len(asks)))
    return PromptView(prompt.id, prompt.revision, title, asks, icon, tone, _consequence(document, explain, prompt), why)


def _damage_view(document: DocumentModel, prompt: Prompt, data: SavedDamage) -> PromptView:
    """Return the view of a prompt for the rolls of damage with saves, or for the shares of that damage."""
    explain, title = explainer(document), tr("ui.damage.title", n=len(data.targets))
    waiting = waiting_asks(prompt)
    if prompt.title == SHARES:
        outcomes = partial(_outcomes, document, prompt)
        asks = tuple(
            AskView(
                ask.id,
                SHARE,
                label_of(document.encounter, ask.id),
                suggested=ask.suggested,
                failed=ask.id in data.failed,
                outcomes=outcomes,
            )
            for ask in waiting
        )
    else:
        asks = tuple(replace(_ask_view(document, explain, ask, title), kind="saved") for ask in waiting)
    words = line_words(document)
    total = data.rolled.total if data.rolled is not None else None
    damage = data.damage if total is None else tr("ui.damage.rolled", dice=data.damage, n=total)
    chips = [
        ChipView(damage, "accent", "dice-5"),
        ChipView(save_text(data.save, data.dc, words), "", "shield-outline"),
        ChipView(tr("ui.damage.half-on-save" if data.half else "ui.damage.none-on-save")),
    ]
    word = next((condition for condition in words.conditions if condition.id == data.condition), None)
    if word is not None:
        chips.append(ChipView(tr("ui.damage.who-fails", what=word.name.lower()), "", word.icon))
    return PromptView(prompt.id, prompt.revision, title, asks, "sword", "harm", chips=tuple(chips), edge="harm")


def _outcomes(document: DocumentModel, prompt: Prompt, replies: tuple[Reply, ...]) -> dict[str, DamageOutcome]:
    """Return the damage that each target takes with these shares, including resistance and other adjustments."""
    try:
        step = document.source.session.preview(Answer(prompt.id, replies, prompt.revision))
    except Refused:
        return {}
    lines = {line.subject[1]: line for line in step.lines if line.why or line.roll}
    outcomes = {}
    for event in step.events:
        if isinstance(event, DamageTaken):
            line = lines.get(event.target)
            card = explainer(document).explain_journal_line(line) if line is not None else Explanation("", "")
            title = label_of(document.encounter, event.target)
            why = msgspec.structs.replace(card, title=title, total=str(event.taken))
            outcomes[event.target] = DamageOutcome(event.taken, event.hp_before, event.hp_after, why)
    return outcomes


def _consequence(document: DocumentModel, explain: Explainer, prompt: Prompt) -> str:
    """Return the results of failed and successful saves for a prompt, or an empty string if they aren't known."""
    procedure = document.encounter.get(Procedure, prompt.procedure)
    about = procedure.data if procedure is not None else None
    if prompt.title != "prompt.save":
        return ""
    half = ""
    if isinstance(about, EnvironmentEffect):
        place = document.encounter.get(Environment, about.environment)
        entries = (*place.actions, *place.features) if place is not None else ()
        cause: EnvironmentEntry | Feature | None = next((entry for entry in entries if entry.id == about.entry), None)
    elif isinstance(about, SaveEffect):
        cause = about.feature
        half = explain.text("ui.prompt.half-on-save") if about.half_on_save and about.feature.damage else ""
    else:
        return ""
    if cause is None:
        return ""
    inflicted = [explain.name(f"<condition.{affliction.condition}>").lower() for affliction in cause.afflictions]
    what = ", ".join(part for part in (cause.damage, *dict.fromkeys(inflicted)) if part)
    return "  ".join(part for part in (explain.text("ui.prompt.on-failure", what=what) if what else "", half) if part)


def _title(document: DocumentModel, explain: Explainer, prompt: Prompt) -> str:
    """Return the title of a prompt: the target of damage, a critical hit, or the combatant whose move provokes."""
    procedure = document.encounter.get(Procedure, prompt.procedure)
    about = procedure.data if procedure is not None else None
    if prompt.title == "prompt.damage" and isinstance(about, AttackInProgress) and about.critical:
        return explain.text("ui.prompt.damage-critical", who=prompt.subject)
    if prompt.title == "prompt.reaction" and isinstance(about, MoveInProgress):
        return explain.text("ui.prompt.leaves-reach", who=prompt.subject)
    targets = _struck(document, prompt)
    return (
        explain.text("ui.prompt.damage-to", who=targets)
        if targets
        else explain.text(prompt.title, subject=prompt.subject)
    )


def _ask_view(document: DocumentModel, explain: Explainer, ask: Ask, title: str) -> AskView:
    who = _label(document, ask.who)
    text = _text(explain, ask, title)
    view = AskView(
        ask.id,
        ask.kind,
        who,
        text,
        choices=tuple(
            AskOption(option.id, explain.name(option.label), _reason(explain, option.why)) for option in ask.options
        ),
        suggested=ask.suggested,
        most=ask.max_choices,
    )
    spec = ask.spec
    if ask.kind != "roll" or spec is None:
        return view
    roll = roll_text(spec, explain)
    against = explain.text(AGAINST_LABELS.get(ask.label, "ui.prompt.against"), dc=ask.dc) if ask.dc else ""
    about = " ".join(part for part in (who, text) if part)
    faces = ask.label in BY_FACE
    return replace(
        view,
        text="" if text.lower() in title.lower() else text,
        roll=roll,
        against=against,
        figure=_figure(spec, explain),
        note=_note(explain, ask, spec, against),
        by_face=faces,
        auto_fail=explain.name(spec.fails) if spec.fails else "",
        dice=bool(spec.dice),
        auto_fail_why=(lambda: _failure(document, explain, spec, ask.rule)) if spec.fails else None,
        why=lambda: explain.explain_roll_spec(spec, about, ask.dc, ask.rule),
        problem=lambda typed: typing_problem(typed, spec, faces=faces),
    )


def typing_problem(typed: str, spec: RollSpec, *, faces: bool = False) -> str:
    """Return the error in the typed result of a roll, or an empty string if it is valid."""
    try:
        if faces or with_typed_bonus(typed, spec) is None:
            (parse_faces if faces and typed.strip() != "?" else parse_result)(typed, spec)
    except DiceError as error:
        return error.message
    return ""


def _failure(document: DocumentModel, explain: Explainer, spec: RollSpec, rule: str) -> Explanation:
    """Return the reason why a roll fails automatically: the condition and its rules, or the rule of the prompt."""
    name = explain.name(spec.fails)
    condition = document.rules.conditions.get(spec.fails.removeprefix("<condition.").removesuffix(">"))
    lines = [ExplanationLine("·", condition.text)] if condition is not None and condition.text else []
    rules = [
        ledger_id for ledger_id in (condition.ledger if condition is not None else ()) if explain.is_known(ledger_id)
    ]
    lines += [
        explain.line_with_rule("§", explain.ledger.title(ledger_id), ledger_id)
        for ledger_id in rules or [rule]
        if explain.is_known(ledger_id)
    ]
    return Explanation(
        explain.text("ui.prompt.fails", why=name), "", tuple(lines), (), (explain.text("ui.prompt.fails-tip"),)
    )


def _struck(document: DocumentModel, prompt: Prompt) -> str:
    """Return the names of a damage prompt's targets, or an empty string for other prompts and for several rolls."""
    procedure = document.encounter.get(Procedure, prompt.procedure)
    if prompt.title != "prompt.damage" or procedure is None or len(prompt.asks) != 1:
        return ""
    data = procedure.data
    targets = (
        data.targets if isinstance(data, DamageRoll) else data.failed if isinstance(data, EnvironmentEffect) else ()
    )
    names = [label for who in targets if (label := _label(document, who))]
    if len(names) <= MAX_NAMED:
        return ", ".join(names)
    return tr("ui.turn.and-more", who=", ".join(names[: MAX_NAMED - 1]), n=len(names) - MAX_NAMED + 1)


def _figure(spec: RollSpec, explain: Explainer) -> str:
    """Return the short form of a roll: only the modifier for a d20, dice and modifier otherwise."""
    short = short_roll(spec, explain)
    bare = short.removeprefix(D20)
    return (bare.strip().replace(" ", "") or "+0") if spec.dice == D20 else short


def _note(explain: Explainer, ask: Ask, spec: RollSpec, against: str) -> str:
    """Return the number needed on the die, and the reasons for modifiers that don't come from the roller's stats."""
    parts = []
    if ask.dc and spec.dice == D20 and not spec.counted:
        least = ask.dc - sum(modifier.value for modifier in spec.modifiers)
        dice = " + ".join(extra.dice for extra in spec.extra)
        parts.append(
            tr("ui.prompt.any-roll")
            if least <= 1
            else tr("ui.prompt.needs-extra", n=least, dice=dice)
            if dice
            else tr("ui.prompt.needs-die", n=least)
        )
    elif against:
        parts.append(against)
    kinds = {edge.kind for edge in spec.edges}
    if len(kinds) == 1:
        parts.append(explain.text(f"ui.why.{kinds.pop()}"))
    elif kinds:
        parts.append(explain.text("ui.prompt.cancelled"))
    reasons = [modifier.reason for modifier in _foreign(spec)]
    reasons += [extra.reason for extra in spec.extra] + [edge.reason for edge in spec.edges]
    parts += dict.fromkeys(explain.name(reason).lower() for reason in reasons)
    return " · ".join(parts)


def _foreign(spec: RollSpec) -> Iterator[Modifier]:
    """Yield the modifiers that don't come from the roller's own stats."""
    for modifier in spec.modifiers:
        if modifier.value and modifier.reason not in OWN_REASONS and not modifier.reason.startswith(OWN_NUMBERS):
            yield modifier


def _reason(explain: Explainer, why: str) -> str:
    """Return the reason for or against an option as text. A plain number is a DC."""
    return tr("ui.prompt.dc", dc=why) if why.isdecimal() else explain.name(why)


def _text(explain: Explainer, ask: Ask, title: str) -> str:
    """Return a question as text: `Dexterity save`, `Cold Chill: damage`, `Who is affected? (within 30 feet)`."""
    label = explain.name(ask.label)
    detail = explain.name(ask.detail)
    if DETAIL in label:
        label = explain.text(ask.label, detail=ask.detail)
        return label[:1].upper() + label[1:]
    if ask.kind in ("targets", "choice"):
        return label if not detail or detail in label or detail in title else f"{label} ({detail})"
    if detail and not ask.who and label.lower() in title.lower():
        return detail
    if not detail or detail.lower().endswith(label.lower()):
        return detail or label[:1].upper() + label[1:]
    return f"{detail}: {label}" if not ask.detail.startswith("<") else f"{detail} {label}"


def _label(document: DocumentModel, who: str) -> str:
    combatant = document.encounter.get(Combatant, who) if who else None
    return combatant.label if combatant else ""
