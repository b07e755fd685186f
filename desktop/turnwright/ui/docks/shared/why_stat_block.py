"""Explanations of the numbers in a stat block, opened with `?`: bonuses, DCs, damage and uses."""

from collections.abc import Iterator

from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Combatant, Track
from turnwright.play.queries.queries import movement_of
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.actions.spell_features import spell_attack, spell_dc
from turnwright.rules.parts.checks.ability_checks import armor_class, changed_dc, check_roll, initiative_roll, save_roll
from turnwright.rules.parts.stat_block.features import calculated_bonus, faces_text
from turnwright.rules.parts.stat_block.prose import runs_of_text
from turnwright.rules.system import creature_of, explained_sum
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import Explainer, explainer
from turnwright.ui.docks.shared.why_fight import explain_hit_points
from turnwright.ui.docks.shared.why_prepared import armor_note, damage_line, hit_point_figures
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine

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
        notes = (feature.rules_text,) if feature.rules_text else ()
        return Explanation(feature.name, "", tuple(_feature_lines(explain, creature, feature)), (), notes)
    if kind == "hp":
        return Explanation(tr("ui.stat.hp"), str(creature.hp), tuple(hit_point_figures(explain, creature)))
    return Explanation(creature.name, "", tuple(_vital_lines(document, creature, combatant)))


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
        yield from caster_lines(document, combatant)
        for movement in movement_of(document.encounter, document.rules, combatant.id):
            if movement.mode in dict(creature.speeds):
                yield from explain.explain_number("", movement.allowance, f" {tr('ui.general.feet')}").lines
    else:
        text = f"{tr('ui.stat.ac')}: {armor_note(creature)}"
        yield explain.line_on_topic(str(creature.ac), text, "attack.ac-source")
        yield from hit_point_figures(explain, creature)
        for mode, feet in creature.speeds:
            topic = "turn.speed" if mode == "walk" else SPEED_RULES
            yield explain.line_on_topic(f"{feet} {tr('ui.general.feet')}", explain.name(f"<speed.{mode}>"), topic)
    for feature in creature.features:
        if feature.dc and not feature.damage and feature.attack is None:
            yield from _feature_lines(explain, creature, feature)


def caster_lines(document: DocumentModel, combatant: Combatant) -> Iterator[ExplanationLine]:
    """Yield the save DC and the attack bonus of a combatant's spells, each followed by its reasons."""
    rules, explain = document.rules, explainer(document)
    creature, supplied = creature_of(document.encounter, combatant), combatant.supplied_numbers
    dc, attack = spell_dc(rules, creature, supplied), spell_attack(rules, creature, supplied)
    if dc is not None and dc.total:
        yield from spell_dc_lines(document, combatant, dc.total)
    if attack is not None:
        yield ExplanationLine(signed_text(attack.total), tr("ask.spell_attack"))
        yield from explain.explain_number("", attack).lines


def spell_dc_lines(document: DocumentModel, combatant: Combatant, dc: int) -> Iterator[ExplanationLine]:
    """Yield the DC of a combatant's spell with its reasons, and its changes by conditions."""
    rules, creature = document.rules, creature_of(document.encounter, combatant)
    usual = spell_dc(rules, creature, combatant.supplied_numbers)
    if usual is None or usual.total != dc:
        is_printed = any(feature.dc == dc for feature in creature.features)
        usual = explained_sum(Modifier(dc, "why.stat_block" if is_printed else "why.supplied"))
    number = changed_dc(document.encounter, rules, combatant.id, usual, ("spell",))
    yield ExplanationLine(tr("ui.prompt.dc", dc=number.total), tr("ask.spell_dc"))
    yield from explainer(document).explain_number("", number).lines


def explain_uses(document: DocumentModel, combatant: Combatant, track: Track) -> Explanation:
    """Explain the remaining uses or slots, and how a feature recharges."""
    explain, creature = explainer(document), creature_of(document.encounter, combatant)
    feature = _feature(creature, track.name.partition(".")[2])
    if feature is not None:
        lines = tuple(_feature_lines(explain, creature, feature))
    else:
        lines = tuple(explain.rule_lines((feature_rule(document.encounter, document.rules, combatant.id),)))
    notes = (feature.rules_text,) if feature is not None and feature.rules_text else ()
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
        return tr("ui.stat-block.recharge", what=feature.name, faces=faces_text(feature.recharge))
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
    for piece in runs_of_text(feature.rules_text, ""):
        if piece.roll:
            yield ExplanationLine("·", damage_line(explain, piece.roll).reason)
    if feature.recharge:
        yield ExplanationLine(faces_text(feature.recharge), tr("ui.explanation.recharge"))
    if feature.uses:
        yield ExplanationLine(str(feature.uses), tr("ui.explanation.uses", per=tr(f"ui.feature.per-{feature.per}")))
    if feature.reach:
        reach = f"{feature.reach} {tr('ui.general.feet')}"
        yield explain.line_on_topic(reach, tr("ui.explanation.reach"), "attack.target")
