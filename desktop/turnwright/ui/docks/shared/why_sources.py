"""Explanations of numbers in a fight, stat blocks and the roster, opened with `?`.

Each function returns the content of a why-card: the number as shown, its parts, and the rule.
"""

from collections.abc import Iterator
from itertools import islice

import msgspec

from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.prepared import Countdown, Creature, Environment, EnvironmentEntry, Feature, RosterEntry
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Track, track_id
from turnwright.encounter.state import find_entry
from turnwright.play.kernel.events import JournalLine
from turnwright.play.queries.queries import effects_of, movement_of, reminder_of, resources_of
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.checks.ability_checks import armor_class, check_roll, initiative_roll, save_roll
from turnwright.rules.parts.environment.entries import NO_HEARING_LIMIT, entry_state, hearing_limit, sound_factor
from turnwright.rules.parts.stat_block.features import calculated_bonus, recharge_faces
from turnwright.rules.parts.stat_block.prose import runs_of_text
from turnwright.rules.system import creature_of
from turnwright.rules.topics import signed_text
from turnwright.ui.docks.shared.explainer import Explainer, explainer
from turnwright.ui.look.style import tr
from turnwright.ui.models.roster import RosterColumn
from turnwright.ui.models.world import estimated_rolls, exact_odds
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


def explain_track(document: DocumentModel, who: str, name: str) -> Explanation:
    """Explain a level track, for example fatigue: the condition with the same name and its rules."""
    explain = explainer(document)
    track = document.encounter.get(Track, track_id(who, name))
    condition = document.rules.conditions.get(name)
    text = [ExplanationLine("·", condition.text)] if condition is not None and condition.text else []
    rules = explain.rule_lines(condition.ledger) if condition is not None else []
    return Explanation(explain.name(f"<track.{name}>"), str(track.value if track else 0), (*text, *rules))


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


def explain_countdown_pool(document: DocumentModel, pool_id: str) -> Explanation:
    """Explain a running countdown: last faces, faces that remove dice, expected duration, rules."""
    explain = explainer(document)
    pool = document.encounter.get(CountdownPool, pool_id)
    countdown = document.encounter.get(Countdown, pool.countdown) if pool is not None else None
    if pool is None or countdown is None:
        return Explanation(pool_id, "")
    lines = [*_countdown_lines(document, countdown, pool.dice)]
    if pool.last_faces:
        text = " ".join(str(face) for face in pool.last_faces)
        lines.insert(0, ExplanationLine("·", tr("ui.explanation.last-faces", faces=text)))
    topic = "countdown.unstoppable" if pool.unstoppable else "countdown.stop"
    lines += explain.rule_lines((explain.rule_on_topic("countdown.roll"), explain.rule_on_topic(topic)))
    return Explanation(countdown.name, tr("ui.explanation.dice", n=pool.dice), tuple(lines))


def explain_countdown(document: DocumentModel, countdown: Countdown) -> Explanation:
    """Explain how long a prepared countdown lasts: the rule book's estimate, exact odds, rules."""
    explain = explainer(document)
    rules = explain.rule_lines((explain.rule_on_topic("countdown.roll"),))
    lines = (*_countdown_lines(document, countdown, countdown.dice), *rules)
    return Explanation(countdown.name or countdown.id, tr("ui.explanation.dice", n=countdown.dice), lines)


def damage_line(explain: Explainer, expression: str) -> ExplanationLine:
    """Return the range and mean of a damage expression, with the rule on damage rolls."""
    try:
        dice = parse(expression)
    except DiceError:
        return ExplanationLine("·", expression)
    text = tr("ui.window.roll-is", roll=expression, mean=f"{dice.mean:g}", least=dice.minimum, most=dice.maximum)
    return explain.line_on_topic("·", text, "damage.form")


def _points(combatant: Combatant) -> str:
    cap = f" +{combatant.temp_hp}" if combatant.temp_hp else ""
    return f"{combatant.hp} / {combatant.hp_max}{cap}"


def _hit_point_lines(document: DocumentModel, combatant: Combatant) -> Iterator[ExplanationLine]:
    explain = explainer(document)
    yield explain.line_on_topic(str(combatant.hp_max), tr("ui.explanation.maximum"), "hp.range")
    lost = combatant.hp_max - combatant.hp
    if lost:
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


def _countdown_lines(document: DocumentModel, countdown: Countdown, dice: int) -> Iterator[ExplanationLine]:
    explain = explainer(document)
    lowest = document.rules.countdown_faces.get(countdown.speed)
    if lowest is not None:
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


SPEED_RULES = "move.additional-speeds"


def explain_stat(
    document: DocumentModel, creature: Creature, about: str, combatant: Combatant | None = None
) -> Explanation:
    """Explain a number of a stat block: `ac`, `save:dex`, `feature:axe`, …; by default AC, hit points and speeds.

    With a combatant, explain its current number, including every effect on it.
    """
    kind, _, id = about.partition(":")
    explain = explainer(document)
    if kind in ("ability", "save", "skill", "initiative") and combatant is not None:
        return _rolled(document, combatant, kind, id)
    if kind == "ability":
        name, bonus = explain.name(f"<ability.{id}>"), signed_text(document.rules.modifier_of(creature, id))
        return Explanation(name, bonus, (_modifier_line(explain, creature, id),))
    if kind in ("save", "skill"):
        return _prepared_bonus(document, creature, kind, id)
    if kind == "initiative":
        bonus = signed_text(creature.initiative or 0)
        line = explain.line_on_topic(bonus, tr("ui.explanation.written"), "initiative.default-dexterity")
        return Explanation(tr("ui.stat.initiative"), bonus, (line,))
    feature = _feature(creature, id)
    if kind == "feature" and feature is not None:
        notes = (feature.text,) if feature.text else ()
        return Explanation(feature.name, "", tuple(_feature_lines(explain, creature, feature)), (), notes)
    if kind == "hp":
        return Explanation(tr("ui.stat.hp"), str(creature.hp), tuple(_hit_point_figures(explain, creature)))
    return Explanation(creature.name, "", tuple(_vital_lines(document, creature, combatant)))


def explain_roster_cell(document: DocumentModel, entry: RosterEntry, column: int) -> Explanation:
    """Explain a number of the roster, or all numbers of the entry if the column has none."""
    explain = explainer(document)
    creature = document.encounter.get(Creature, entry.creature)
    name = entry.name or (creature.name if creature else entry.creature)
    lines: list[ExplanationLine] = []
    if column in (RosterColumn.AC, RosterColumn.NAME) and (entry.ac is not None or creature is not None):
        note = tr("ui.explanation.of-entry") if entry.ac is not None else _armor_note(creature)
        total = entry.ac if entry.ac is not None else creature.ac if creature else 0
        lines.append(explain.line_on_topic(str(total), f"{tr('ui.stat.ac')}: {note}", "attack.ac-source"))
    if column in (RosterColumn.HP, RosterColumn.NAME):
        if entry.hp is not None:
            text = f"{tr('ui.stat.hp')}: {tr('ui.explanation.of-entry')}"
            lines.append(explain.line_on_topic(str(entry.hp), text, "hp.range"))
        elif creature is not None:
            lines += _hit_point_figures(explain, creature)
    if column in (RosterColumn.RATING, RosterColumn.NAME) and creature is not None and creature.rating:
        lines.append(ExplanationLine(creature.rating, tr("ui.explanation.rating")))
    if column in (RosterColumn.COUNT, RosterColumn.NAME):
        lines.append(ExplanationLine(str(entry.count), tr("ui.explanation.count")))
    return Explanation(name, "", tuple(lines))


def _rolled(document: DocumentModel, combatant: Combatant, kind: str, id: str) -> Explanation:
    rules, encounter, explain = document.rules, document.encounter, explainer(document)
    if kind == "save":
        spec, title = save_roll(encounter, rules, combatant.id, id), explain.name(f"<save.{id}>")
    elif kind == "initiative":
        spec, title = initiative_roll(encounter, rules, combatant.id), tr("ui.stat.initiative")
    else:
        check = id if kind == "ability" else f"{_ability_of(document, id)}:{id}"
        key = f"<ability.{id}>" if kind == "ability" else f"<skill.{id}>"
        spec, title = check_roll(encounter, rules, combatant.id, check), explain.name(key)
    why = explain.explain_roll_spec(spec, title, rule=explain.rule_on_topic(_topic(kind)))
    return Explanation(
        title[:1].upper() + title[1:], signed_text(sum(part.value for part in spec.modifiers)), why.lines
    )


def _prepared_bonus(document: DocumentModel, creature: Creature, kind: str, id: str) -> Explanation:
    explain = explainer(document)
    ability = id if kind == "save" else _ability_of(document, id)
    modifier = document.rules.modifier_of(creature, ability)
    total = dict(creature.saves if kind == "save" else creature.skills).get(id, modifier)
    lines = [_modifier_line(explain, creature, ability)]
    if total != modifier:
        lines.append(explain.line_on_topic(signed_text(total - modifier), tr("why.save_proficiency"), _topic(kind)))
    title = explain.name(f"<{kind}.{id}>")
    return Explanation(title[:1].upper() + title[1:], signed_text(total), tuple(lines))


def _topic(kind: str) -> str:
    """Return the topic in the ledger for a kind of bonus."""
    return {"skill": "external.skills", "initiative": "initiative.order"}.get(kind, "external.ability-proficiency")


def _ability_of(document: DocumentModel, skill: str) -> str:
    return next((entry.ability for entry in document.rules.data.skills if entry.id == skill), "dex")


def _modifier_line(explain: Explainer, creature: Creature, ability: str) -> ExplanationLine:
    score, scale = explain.data.score_of(creature, ability), explain.data.ability_scale
    key = "ui.explanation.bare-modifier" if scale.is_modifier else "ui.explanation.modifier"
    text = tr(key, ability=explain.name(f"<ability.{ability}>"), score=score)
    value = signed_text(explain.data.modifier_of(creature, ability))
    return explain.line_on_topic(value, text, "external.ability-proficiency")


def _vital_lines(document: DocumentModel, creature: Creature, combatant: Combatant | None) -> Iterator[ExplanationLine]:
    explain = explainer(document)
    if combatant is not None:
        ac = armor_class(document.encounter, document.rules, combatant.id)
        yield explain.line_on_topic(str(ac.total), tr("ui.stat.ac"), "attack.ac-source")
        yield from explain.explain_number("", ac).lines
        points = explain_hit_points(document, combatant.id)
        yield ExplanationLine(points.total, points.title)
        yield from points.lines
        for movement in movement_of(document.encounter, document.rules, combatant.id):
            if movement.mode in dict(creature.speeds):
                yield from explain.explain_number("", movement.allowance, f" {tr('ui.general.feet')}").lines
    else:
        text = f"{tr('ui.stat.ac')}: {_armor_note(creature)}"
        yield explain.line_on_topic(str(creature.ac), text, "attack.ac-source")
        yield from _hit_point_figures(explain, creature)
        for mode, feet in creature.speeds:
            topic = "turn.speed" if mode == "walk" else SPEED_RULES
            yield explain.line_on_topic(f"{feet} {tr('ui.general.feet')}", explain.name(f"<speed.{mode}>"), topic)
    for feature in creature.features:
        if feature.dc and not feature.damage and feature.attack is None:
            yield from _feature_lines(explain, creature, feature)


def _hit_point_figures(explain: Explainer, creature: Creature) -> Iterator[ExplanationLine]:
    yield explain.line_on_topic(str(creature.hp), tr("ui.stat.hp"), "hp.range")
    if creature.hit_dice:
        reason = damage_line(explain, creature.hit_dice).reason
        yield explain.line_on_topic(creature.hit_dice, reason, "external.level-hit-dice")


def _armor_note(creature: Creature | None) -> str:
    return creature.ac_note if creature is not None and creature.ac_note else tr("ui.explanation.written")


def explain_uses(document: DocumentModel, combatant: Combatant, track: Track) -> Explanation:
    """Explain the remaining uses or slots, and how a feature recharges."""
    explain, creature = explainer(document), creature_of(document.encounter, combatant)
    feature = _feature(creature, track.name.partition(".")[2])
    if feature is not None:
        lines = tuple(_feature_lines(explain, creature, feature))
    else:
        lines = tuple(explain.rule_lines((feature_rule(document.encounter, document.rules, combatant.id),)))
    notes = (feature.text,) if feature is not None and feature.text else ()
    return Explanation(uses_name(creature, track.name), f"{track.value} / {track.maximum}", lines, (), notes)


def _feature(creature: Creature, id: str) -> Feature | None:
    return next((feature for feature in creature.features if feature.id == id), None)


def uses_name(creature: Creature, name: str) -> str:
    """Return the name of a track of uses: slots by level, features by name with the faces that recharge them."""
    word, _, rest = name.partition(".")
    if word == "slots":
        return tr("ui.stat-block.slots", level=rest)
    feature = _feature(creature, rest)
    if feature is None:
        return tr("ui.stat-block.legendary")
    if word == "recharge":
        return tr("ui.stat-block.recharge", what=feature.name, faces=recharge_faces(feature))
    return feature.name


def _worked_out_lines(explain: Explainer, creature: Creature, feature: Feature) -> Iterator[ExplanationLine]:
    bonus = calculated_bonus(explain.data, creature, feature)
    if bonus is None:
        return
    yield ExplanationLine(signed_text(bonus.total), tr("ui.explanation.to-hit"))
    for part in bonus.parts:
        yield explain.line_on_topic(signed_text(part.value), explain.name(part.reason), part.topic)
    yield _rule_of_hits(explain)


def _rule_of_hits(explain: Explainer) -> ExplanationLine:
    rule = explain.rule_on_topic("attack.hit")
    return explain.line_with_rule("§", explain.ledger.title(rule), rule)


def _feature_lines(explain: Explainer, creature: Creature, feature: Feature) -> Iterator[ExplanationLine]:
    """Yield an attack's bonus, save DC, damage, recharge and uses, each with its rule."""
    yield from _worked_out_lines(explain, creature, feature)
    if feature.attack is not None:
        text = f"{tr('ui.explanation.to-hit')}: {tr('ui.explanation.written')}"
        yield explain.line_on_topic(signed_text(feature.attack), text, "attack.modifier.monster")
        yield _rule_of_hits(explain)
    if feature.save:
        save = explain.name(f"<save.{feature.save}>")
        yield ExplanationLine(tr("ui.prompt.dc", dc=feature.dc), f"{feature.name}: {save}")
    if feature.damage:
        yield damage_line(explain, feature.damage)
    for piece in runs_of_text(feature.text, ""):
        if piece.roll:
            yield ExplanationLine("·", damage_line(explain, piece.roll).reason)
    if feature.recharge:
        yield ExplanationLine(recharge_faces(feature), tr("ui.explanation.recharge"))
    if feature.uses:
        yield ExplanationLine(str(feature.uses), tr("ui.explanation.uses", per=tr(f"ui.feature.per-{feature.per}")))
    if feature.reach:
        reach = f"{feature.reach} {tr('ui.general.feet')}"
        yield explain.line_on_topic(reach, tr("ui.explanation.reach"), "attack.target")
