"""Explanations of a running fight, opened with `?`: resources, hit points, turn order, world actions, countdowns.

Each function returns the content of a why-card: the number as shown, its parts, and the rule.
"""

from collections.abc import Iterator
from itertools import islice

import msgspec

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Combatant, CountdownPool, Effect
from turnwright.encounter.state import effect_value, find_entry
from turnwright.play.kernel.events import JournalLine
from turnwright.play.queries.queries import effects_of, reminder_of, resources_of
from turnwright.rules.parts.checks.ability_checks import armor_class, initiative_roll
from turnwright.rules.parts.conditions.numbers import maximum_hit_points
from turnwright.rules.parts.environment.entries import NO_HEARING_LIMIT, entry_state, hearing_limit, sound_factor
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_prepared import countdown_lines, environment_entry_lines
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine

LATEST_LINES = 5
_TELLS_POINTS = ("harm", "heal")


def explain_resource(document: DocumentModel, who: str, resource: str) -> Explanation:
    """Explain the remaining amount of a resource: its total, the reasons why it can't be used now, and its rules."""
    explain = explainer(document)
    states = resources_of(document.encounter, document.rules, who)
    status = next((entry for entry in states if entry.resource.id == resource), None)
    if status is None:
        return Explanation(explain.name(f"<resource.{resource}>"), "")
    denied = explain.veto_lines([status.denied] if status.denied is not None else [])
    lines = [*denied, *explain.rule_lines(status.resource.ledger)]
    return Explanation(status.resource.name, f"{status.left} / {status.maximum}", tuple(lines))


def explain_level(document: DocumentModel, who: str, name: str) -> Explanation:
    """Explain the level of a condition, for example fatigue: its text and its rules."""
    explain = explainer(document)
    condition = document.rules.conditions.get(name)
    text = [ExplanationLine("·", condition.text)] if condition is not None and condition.text else []
    rules = explain.rule_lines(condition.ledger) if condition is not None else []
    level = effect_value(document.encounter, who, name)
    return Explanation(explain.name(f"<condition.{name}>"), str(level), (*text, *rules))


def explain_hit_points(document: DocumentModel, who: str) -> Explanation:
    """Explain a combatant's hit points: maximum, damage taken, temporary hit points, latest changes."""
    combatant = document.encounter.need(Combatant, who)
    return Explanation(tr("ui.stat.hp"), _points(combatant), tuple(_hit_point_lines(document, combatant)))


def explain_turn_order_row(document: DocumentModel, who: str) -> Explanation:
    """Explain a combatant's row of the turn order: initiative, hit points, AC and conditions."""
    combatant, explain = document.encounter.need(Combatant, who), explainer(document)
    lines = list(_initiative_lines(document, combatant))
    lines.append(explain.line_on_topic(_points(combatant), tr("ui.stat.hp"), "hp.range"))
    ac = armor_class(document.encounter, document.rules, who)
    rule = next((part.rule for part in ac.parts if part.rule), "") or explain.rule_on_topic("attack.ac-source")
    lines.append(explain.line_with_rule(str(ac.total), tr("ui.stat.ac"), rule))
    lines += [line for effect in effects_of(document.encounter, who) for line in _effect_lines(document, effect)]
    return Explanation(combatant.label, "", (*lines, *_hearing_lines(document, who)))


def explain_world_action(document: DocumentModel, environment: str, entry: str) -> Explanation:
    """Explain whether a world action is ready, its rolls and saves, and its rules."""
    explain = explainer(document)
    record = document.encounter.get(Environment, environment)
    row = find_entry(record, entry) if record is not None else None
    if row is None:
        return Explanation(entry, "")
    ready = entry_state(document.encounter, environment, entry).ready
    lines = [*environment_entry_lines(explain, row)]
    topics = ("world.recharge.after-use", "world.recharge.repeat") if row.recharge else ("world.recharge.only-listed",)
    lines += explain.rule_lines((*row.rules, *(explain.rule_on_topic(topic) for topic in topics)))
    state = tr("ui.turn-order.ready") if ready else tr("ui.turn-order.spent")
    return Explanation(row.name, state, tuple(lines), (), (row.text,) if row.text else ())


def explain_countdown_pool(document: DocumentModel, pool_id: str) -> Explanation:
    """Explain a running countdown: last faces, faces that remove dice, expected duration, rules."""
    explain = explainer(document)
    pool = document.encounter.get(CountdownPool, pool_id)
    countdown = document.encounter.get(Countdown, pool.countdown) if pool is not None else None
    if pool is None or countdown is None:
        return Explanation(pool_id, "")
    lines = [*countdown_lines(document, countdown, pool.dice)]
    if pool.last_faces:
        text = " ".join(str(face) for face in pool.last_faces)
        lines.insert(0, ExplanationLine("·", tr("ui.explanation.last-faces", faces=text)))
    topic = "countdown.unstoppable" if pool.unstoppable else "countdown.stop"
    lines += explain.rule_lines((explain.rule_on_topic("countdown.roll"), explain.rule_on_topic(topic)))
    return Explanation(countdown.name, tr("ui.explanation.dice", n=pool.dice), tuple(lines))


def _points(combatant: Combatant) -> str:
    cap = f" +{combatant.temp_hp}" if combatant.temp_hp else ""
    return f"{combatant.hp} / {combatant.hp_max}{cap}"


def _hit_point_lines(document: DocumentModel, combatant: Combatant) -> Iterator[ExplanationLine]:
    explain = explainer(document)
    yield explain.line_on_topic(str(combatant.hp_max), tr("ui.explanation.maximum"), "hp.range")
    if combatant.hp_base:
        number = maximum_hit_points(document.encounter, document.rules, combatant.id)
        yield from explain.explain_number("", number).lines
    if lost := combatant.hp_max - combatant.hp:
        yield explain.line_on_topic(signed_text(-lost), tr("ui.explanation.lost"), "hp.damage")
    if combatant.temp_hp:
        yield explain.line_on_topic(signed_text(combatant.temp_hp), tr("ui.explanation.temporary"), "temp.separate")
    for line in _latest(document, combatant.id):
        yield ExplanationLine("·", explain.phrase(line.phrase))


def _latest(document: DocumentModel, who: str) -> list[JournalLine]:
    """Return the latest journal lines about a combatant's hit points, oldest first."""
    return list(islice((line for line in _lines_about(document, who) if line.kind in _TELLS_POINTS), LATEST_LINES))[
        ::-1
    ]


def _lines_about(document: DocumentModel, who: str) -> Iterator[JournalLine]:
    """Yield the journal lines about a combatant, the latest first."""
    lines = reversed(tuple(document.source.session.journal()))
    return (line for line in lines if line.subject == (Combatant.table, who))


def _initiative_lines(document: DocumentModel, combatant: Combatant) -> Iterator[ExplanationLine]:
    """Yield the initiative count with its roll from the journal, or the modifiers of a roll not yet made."""
    explain = explainer(document)
    title = tr("ui.stat.initiative")
    about = _lines_about(document, combatant.id)
    rolled = next((line for line in about if line.phrase.key.startswith("journal.initiative_")), None)
    rule = (rolled.rule if rolled is not None else "") or explain.rule_on_topic("initiative.order")
    if rolled is not None and rolled.roll is not None:
        why = explain.explain_roll(rolled.roll, title)
        yield explain.line_with_rule(why.total, title, rule)
        for die in why.dice:
            yield ExplanationLine(str(die.face), f"d{die.sides}" + ("" if die.kept else f", {tr('ui.why.dropped')}"))
        yield from why.lines
    elif combatant.initiative is not None:
        reason = explain.phrase(rolled.phrase) if rolled else title
        yield explain.line_with_rule(str(combatant.initiative), reason, rule)
    else:
        spec = initiative_roll(document.encounter, document.rules, combatant.id)
        yield explain.line_with_rule("·", f"{title}: {tr('ui.explanation.not-rolled')}", rule)
        yield from explain.explain_roll_spec(spec, title).lines


def _effect_lines(document: DocumentModel, effect: Effect) -> list[ExplanationLine]:
    explain = explainer(document)
    condition = document.rules.conditions.get(effect.name)
    name = explain.name(f"<condition.{effect.name}>")
    rules = [rule for rule in (condition.ledger if condition else ()) if explain.is_known(rule)]
    line = explain.line_with_rule("·", name, rules[0] if rules else "")
    text = reminder_of(document.rules, effect)
    return [msgspec.structs.replace(line, words=text) if text else line]


def _hearing_lines(document: DocumentModel, who: str) -> Iterator[ExplanationLine]:
    """Yield a combatant's hearing range and the multiplier for the range of sounds, if the environment changes them."""
    limit, times = hearing_limit(document.encounter, document.rules, who), sound_factor(document.encounter, who)
    if limit < NO_HEARING_LIMIT:
        yield ExplanationLine(f"{limit} {tr('ui.general.feet')}", tr("ui.explanation.hearing"))
    if times > 1:
        yield ExplanationLine(f"× {times}", tr("ui.explanation.sound"))
