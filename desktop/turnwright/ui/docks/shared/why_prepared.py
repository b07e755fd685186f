"""Explanations of prepared numbers, opened with `?`: roster entries, countdowns and environment entries."""

from collections.abc import Iterator

import msgspec

from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.prepared import Countdown, Creature, EnvironmentEntry, RosterEntry
from turnwright.ui.docks.shared.explainer import Explainer, explainer
from turnwright.ui.look.style import tr
from turnwright.ui.models.roster import RosterColumn
from turnwright.ui.models.world import estimated_rolls, exact_odds
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine


def explain_roster_cell(document: DocumentModel, entry: RosterEntry, column: int) -> Explanation:
    """Explain a number of the roster, or all numbers of the entry if the column has none."""
    explain = explainer(document)
    creature = document.encounter.get(Creature, entry.creature)
    name = entry.name or (creature.name if creature else entry.creature)
    lines: list[ExplanationLine] = []
    if column in (RosterColumn.AC, RosterColumn.NAME) and (entry.ac is not None or creature is not None):
        note = tr("ui.explanation.of-entry") if entry.ac is not None else armor_note(creature)
        total = entry.ac if entry.ac is not None else creature.ac if creature else 0
        lines.append(explain.line_on_topic(str(total), f"{tr('ui.stat.ac')}: {note}", "attack.ac-source"))
    if column in (RosterColumn.HP, RosterColumn.NAME):
        if entry.hp is not None:
            text = f"{tr('ui.stat.hp')}: {tr('ui.explanation.of-entry')}"
            lines.append(explain.line_on_topic(str(entry.hp), text, "hp.range"))
        elif creature is not None:
            lines += hit_point_figures(explain, creature)
    if column in (RosterColumn.RATING, RosterColumn.NAME) and creature is not None and creature.rating:
        lines.append(ExplanationLine(creature.rating, tr("ui.explanation.rating")))
    if column in (RosterColumn.COUNT, RosterColumn.NAME):
        lines.append(ExplanationLine(str(entry.count), tr("ui.explanation.count")))
    return Explanation(name, "", tuple(lines))


def explain_countdown(document: DocumentModel, countdown: Countdown) -> Explanation:
    """Explain how long a prepared countdown lasts: the rule book's estimate, exact odds, rules."""
    explain = explainer(document)
    rules = explain.rule_lines((explain.rule_on_topic("countdown.roll"),))
    lines = (*countdown_lines(document, countdown, countdown.dice), *rules)
    return Explanation(countdown.name or countdown.id, tr("ui.explanation.dice", n=countdown.dice), lines)


def countdown_lines(document: DocumentModel, countdown: Countdown, dice: int) -> Iterator[ExplanationLine]:
    """Yield the faces that remove dice, the estimate and the mean number of rolls of a countdown with `dice` left."""
    explain = explainer(document)
    if (lowest := document.rules.countdown_faces.get(countdown.speed)) is not None:
        faces = "6" if lowest >= 6 else f"{lowest}–6"
        text = tr("ui.explanation.faces-go", speed=tr(f"ui.countdown.speed-{countdown.speed}"))
        yield explain.line_on_topic(faces, text, f"countdown.{countdown.speed}")
    remaining = msgspec.structs.replace(countdown, dice=dice)
    about, odds = estimated_rolls(remaining, document.rules), exact_odds(remaining, document.rules)
    row = next((row for row in document.rules.data.countdown_table if row.dice == dice), None)
    if about is not None:
        rule = row.ledger[0] if row is not None and row.ledger else explain.rule_on_topic("countdown.average-only")
        yield explain.line_with_rule(f"≈ {about}", tr("ui.explanation.rolls"), rule)
    if odds is not None:
        yield ExplanationLine(f"{odds.mean:.2f}", tr("ui.explanation.mean"))


def environment_entry_lines(explain: Explainer, entry: EnvironmentEntry) -> Iterator[ExplanationLine]:
    """Yield the numbers of an environment entry: recharge, save, check, damage."""
    if entry.recharge:
        faces = str(entry.recharge) if entry.recharge >= 6 else f"{entry.recharge}–6"
        yield ExplanationLine(faces, tr("ui.explanation.recharge"))
    if entry.save is not None:
        save = explain.name(f"<save.{entry.save.ability}>")
        yield ExplanationLine(tr("ui.prompt.dc", dc=entry.save.dc), save[:1].upper() + save[1:])
    if entry.check is not None and entry.check.dc:
        yield ExplanationLine(tr("ui.prompt.dc", dc=entry.check.dc), tr("ui.explanation.check"))
    if entry.damage:
        yield damage_line(explain, entry.damage)


def hit_point_figures(explain: Explainer, creature: Creature) -> Iterator[ExplanationLine]:
    """Yield a creature's prepared hit points and its hit dice."""
    yield explain.line_on_topic(str(creature.hp), tr("ui.stat.hp"), "hp.range")
    if creature.hit_dice:
        reason = damage_line(explain, creature.hit_dice).reason
        yield explain.line_on_topic(creature.hit_dice, reason, "external.level-hit-dice")


def armor_note(creature: Creature | None) -> str:
    """Return the source of a creature's AC, such as its armor."""
    return creature.ac_note if creature is not None and creature.ac_note else tr("ui.explanation.written")


def damage_line(explain: Explainer, expression: str) -> ExplanationLine:
    """Return the range and mean of a damage expression, with the rule on damage rolls."""
    try:
        dice = parse(expression)
    except DiceError:
        return ExplanationLine("·", expression)
    text = tr("ui.window.roll-is", roll=expression, mean=f"{dice.mean:g}", least=dice.minimum, most=dice.maximum)
    return explain.line_on_topic("·", text, "damage.form")
